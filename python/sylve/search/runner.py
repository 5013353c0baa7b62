"""A search under way in either engine: what `Searcher` drives."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Literal, Protocol, get_args

from sylve.engine import Engine, choose, is_compiled
from sylve.errors import quote, shown
from sylve.position import Position
from sylve.search.report import Found, MoveReport, Report
from sylve.search.searches import Search, TreeSearch

Parallel = Literal["root", "batch", "tree"]
"""How threads share the work; docs/searcher.md says which to use when."""
WAYS: tuple[str, ...] = get_args(Parallel)
MOST_THREADS = 256

Progress = Callable[[int], None]
"""Called now and then with the number of simulations done."""

SLICE_SECONDS = 0.1  # how often progress is told


class Runner(Protocol):
    """A search under way, in either engine."""

    engine: str
    in_python: bool
    """Whether the thread that runs it simulates, in Python: then nobody may look meanwhile."""

    def run(self, simulations: int, seconds: float | None = None, *, last: bool = True) -> None:
        """Run so many more simulations, or fewer if the time is up or `pause` is called.

        A batch that is paused goes on with the next run. `last`: the search ends when the time is
        up, so that a proof under way is given up.
        """

    def pause(self) -> None:
        """End the run under way, or else the next one, after the simulation at hand."""

    def stop(self) -> None:
        """The same, and a proof under way is given up: the search ends."""

    def settle(self) -> None:
        """End a batch that was paused: the playouts that were made count."""

    @property
    def simulations(self) -> int:
        """How many were run."""

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""

    @property
    def proven(self) -> bool:
        """Whether the result with best play is known: there is nothing left to search."""

    def found(self) -> Found:
        """What is known now."""

    def look(self, path: tuple[int, ...]) -> Found | None:
        """What is known of the position after these moves, if it has a node."""

    def digest(self) -> int:
        """64 bits for everything that the tree counts."""

    def advance(self, position: Position, move: int) -> None:
        """Make `position`, which is the root after `move`, the root; keep what is known of it."""

    def save(self) -> bytes:
        """Everything that it needs to go on."""

    def load(self, saved: bytes) -> None:
        """Read what was saved, into a search that is new, of the same position."""


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
    in_batches = isinstance(how, TreeSearch) and how.batch > 1
    if threads > 1 and parallel == "batch" and not in_batches:
        raise ValueError("parallel=batch needs a tree search in batches, such as uct(batch=32)")
    if isinstance(how, TreeSearch) and how.solver_nodes and not is_compiled(position):
        raise ValueError(
            f"solver_nodes needs a game with a solver: {shown(position.game)} is in Python"
        )
    if memory is not None and choose(engine) == "python":
        raise ValueError("memory is counted by the compiled engine: engine=rust")
    if choose(engine) == "rust":
        from sylve.search.compiled import Compiled

        if threads == 1 or is_compiled(position):
            return Compiled(position, how, threads, parallel, memory)
        if parallel == "root":
            from sylve.search.summed import Summed

            return Summed(position, how, threads, Compiled)
        raise ValueError(
            f"parallel={parallel} needs compiled rules: {shown(position.game)} is in Python"
        )
    from sylve.search.reference import Reference

    if threads == 1 or parallel == "batch":
        return Reference(position, how)
    if parallel == "root":
        from sylve.search.summed import Summed

        return Summed(position, how, threads, Reference)
    raise ValueError("parallel=tree needs threads, which the reference does not have: engine=rust")


def check_threads(threads: int, parallel: str, name: str = "threads") -> None:
    """Raise ValueError for invalid threads or parallel."""
    whole = isinstance(threads, int) and not isinstance(threads, bool)
    if not whole or not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"{name} must be a whole number from 1 to {MOST_THREADS}, not {threads!r}")
    if parallel not in WAYS:
        raise ValueError(f"parallel must be one of {', '.join(WAYS)}, not {quote(str(parallel))}")


def run_in_slices(runner: Runner, simulations: int, progress: Progress | None) -> None:
    """Run a search and tell how far it is."""
    if progress is None:
        runner.run(simulations)
        return
    while runner.simulations < simulations:
        runner.run(simulations - runner.simulations, SLICE_SECONDS, last=False)
        progress(runner.simulations)


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
