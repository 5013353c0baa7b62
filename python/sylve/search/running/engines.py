"""Which engine runs a search: Python or Rust, one search or several whose counts are summed."""

from __future__ import annotations

import dataclasses
from typing import Literal

from sylve.engine import Engine, choose, is_compiled
from sylve.errors import shown
from sylve.position import Position
from sylve.search.reference.own_parts import check_parts, only_in_python
from sylve.search.reference.searches import Search, TreeSearch
from sylve.search.reports.report import MoveReport, Report
from sylve.search.running.runner import Parallel, Runner, check_threads


def engine_for(position: Position, how: Search, engine: Engine) -> Literal["rust", "python"]:
    """The engine that runs a search: `auto` is the compiled one unless it cannot."""
    chosen = choose(engine)
    reason = only_in_python(position, how)
    if chosen == "python" or not reason:
        return chosen
    if engine == "auto":
        return "python"
    raise ValueError(f'{reason}: use engine="python"')


def make_runner(
    position: Position,
    how: Search,
    engine: Engine,
    threads: int = 1,
    parallel: Parallel = "root",
    memory: int | None = None,
) -> Runner:
    """A search that has not begun, in the engine asked for."""
    check_threads(threads, parallel)
    engine = engine_for(position, how, engine)
    check_parts(position, how)
    in_batches = isinstance(how, TreeSearch) and how.batch > 1
    if threads > 1 and parallel == "batch" and not in_batches:
        raise ValueError("parallel=batch needs a tree search in batches, such as uct(batch=32)")
    if isinstance(how, TreeSearch) and how.asks_solver and not is_compiled(position):
        raise ValueError(
            f"{how.asks_solver} needs a game with a solver: {shown(position.game)} is in Python"
        )
    if memory is not None and engine == "python":
        raise ValueError("memory is counted by the compiled engine: engine=rust")
    # Each engine is imported alone: either works where the other cannot be loaded.
    if engine == "rust":
        from sylve.search.running.compiled import Compiled

        if threads == 1 or is_compiled(position):
            return Compiled(position, how, threads, parallel, memory)
        if parallel == "root":
            from sylve.search.running.summed import Summed

            return Summed(position, how, threads, Compiled)
        raise ValueError(
            f"parallel={parallel} needs compiled rules: {shown(position.game)} is in Python"
        )
    from sylve.search.running.in_python import Reference

    if threads == 1 or parallel == "batch":
        return Reference(position, how)
    if parallel == "root":
        from sylve.search.running.summed import Summed

        return Summed(position, how, threads, Reference)
    raise ValueError("parallel=tree needs threads, which the reference does not have: engine=rust")


def only_move(position: Position, how: Search, engine: str) -> Report:
    """One legal move needs no search."""
    (move,) = position.moves
    blank = {f.name: None for f in dataclasses.fields(MoveReport)}
    known = {
        "move": move, "name": position.name(move), "visits": 0, "wins": 0, "draws": 0, "rank": 1,
    }  # fmt: skip
    return Report(
        position=position,
        search=how,
        playouts=0,
        nodes=0,
        best=move,
        line=(move,),
        moves=(MoveReport(**{**blank, **known}),),  # type: ignore[arg-type]
        stopped="only move",
        engine=engine,
        seconds=0.0,
        bytes=None,
    )
