"""`search`: the one verb."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from time import perf_counter
from typing import Protocol

from sylve.engine import Engine, choose, is_compiled
from sylve.position import Position
from sylve.search.alpha_beta_search import AlphaBeta, search_alpha_beta
from sylve.search.report import Counts, MoveReport, Report
from sylve.search.searches import Flat, Search


class Runner(Protocol):
    """A search under way, in either engine."""

    engine: str

    def run(self, simulations: int) -> None:
        """Run so many more simulations."""

    @property
    def simulations(self) -> int:
        """How many were run."""

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""

    @property
    def bytes(self) -> int | None:
        """The memory of the tree, if known."""

    def order(self) -> list[int]:
        """The indices of the root moves, best first."""

    def line(self) -> list[int]:
        """The principal variation."""

    def moves(self) -> tuple[MoveReport, ...]:
        """The entries of the report."""

    def tallies(self) -> list[tuple[Counts, Counts | None]]:
        """For each root move its own counts and those of AMAF, where the search has them."""


Progress = Callable[[int], None]
"""Called now and then with the number of simulations done."""

SLICE_SECONDS = 0.1  # how often progress is told


def search(
    position: Position,
    how: Search | AlphaBeta,
    *,
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> Report:
    """Search a position: `search(position, Uct(10_000, seed=1)).best`."""
    if not isinstance(how, (Search, AlphaBeta)):
        raise TypeError(f"how must be a search such as Uct(1000), not {how!r}")
    if position.outcome is not None:
        raise ValueError(f"the game is over: there is nothing to search in {position!r}")
    if isinstance(how, AlphaBeta):
        return search_alpha_beta(position, how, engine)
    started = perf_counter()
    chosen = choose(engine)
    if len(position.moves) == 1:
        return only_move(position, how, chosen)
    try:
        runner = make_runner(position, how, chosen)
        run_in_slices(runner, budget(position, how), progress)
    except Exception as error:
        if not is_compiled(position):
            error.add_note("The game is a user's: sylve.check_game(game) looks for broken rules.")
        raise
    order = runner.order()
    return Report(
        position=position,
        search=how,
        playouts=runner.simulations,
        nodes=runner.nodes,
        best=position.moves[order[0]],
        line=tuple(runner.line()),
        moves=runner.moves(),
        stopped="playouts",
        engine=runner.engine,
        seconds=perf_counter() - started,
        bytes=runner.bytes,
    )


def make_runner(position: Position, how: Search, engine: Engine) -> Runner:
    """A search that has not begun, in the engine asked for."""
    if choose(engine) == "rust":
        from sylve.search.compiled import Compiled

        return Compiled(position, how)
    from sylve.search.reference import Reference

    return Reference(position, how)


def budget(position: Position, how: Search) -> int:
    """The number of simulations to run."""
    if isinstance(how, Flat) and how.remainder == "drop":
        return how.playouts - how.playouts % len(position.moves)
    return how.playouts


def run_in_slices(runner: Runner, simulations: int, progress: Progress | None) -> None:
    """Run a search and tell how far it is."""
    if progress is None:
        runner.run(simulations)
        return
    size = 1  # a single playout of a large game in Python may take a while
    while runner.simulations < simulations:
        began = perf_counter()
        runner.run(min(size, simulations - runner.simulations))
        progress(runner.simulations)
        spent = max(perf_counter() - began, 1e-6)
        size = max(1, int(size * min(10.0, SLICE_SECONDS / spent)))


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
