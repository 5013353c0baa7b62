"""Root-parallel search by an executor: processes of this machine, or a cluster.

The parts are those of `threads=parts, parallel="root"`, so that the report is the same: which
machine has run a part, and when, does not matter.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from time import perf_counter
from typing import Any, Protocol

from sylve.engine import Engine
from sylve.position import Position
from sylve.search.budget import OTHERS
from sylve.search.reference.searches import Search
from sylve.search.reports.report import Found, Report, make_report
from sylve.search.running.engines import engine_for, make_runner, only_move
from sylve.search.running.runner import Progress, check_threads
from sylve.search.running.summed import check_summable, seed_of, shares, sum_up

PARTS = 8
"""Independent searches, where nobody says how many. The report depends on their number."""


class Future(Protocol):
    """A result to come."""

    def result(self) -> Any:
        """Wait for it; raises what the call raised."""

    def cancel(self) -> Any:
        """Forget it."""


class Executor(Protocol):
    """What runs calls elsewhere: of `concurrent.futures`, or Dask's `client.get_executor()`."""

    def submit(self, call: Callable[..., Any], /, *arguments: Any) -> Future:
        """Run `call(*arguments)`."""


def search_parts(
    position: Position,
    how: Search,
    executor: Executor,
    parts: int | None = None,
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> Report:
    """Search a position in several independent parts, and add up what they found."""
    if not hasattr(executor, "submit"):
        raise ValueError(
            f"executor must have a method submit, as in concurrent.futures: {executor!r}"
        )
    parts = PARTS if parts is None else parts
    check_threads(parts, "root", "parts")
    check_summable(how)
    others = [name for name in OTHERS if getattr(how, name) not in (None, False)]
    if how.playouts is None or others:
        raise ValueError(
            f"a search by an executor is limited by playouts alone, not by {', '.join(others)}:"
            " nobody looks at all parts at once"
        )
    engine = engine_for(position, how, engine)
    if len(position.moves) == 1:
        return only_move(position, how, engine)
    began = perf_counter()
    playouts = how.rounded(how.playouts, len(position.moves))
    sizes = shares([0] * parts, playouts)
    futures = [
        executor.submit(run_part, position, with_seed(how, index), size, engine)
        for index, size in enumerate(sizes)
    ]
    all_found: list[Found] = []
    try:
        for future in futures:
            all_found.append(future.result())
            if progress is not None:
                progress(sum(found.simulations for found in all_found))
    finally:
        for future in futures[len(all_found) :]:
            future.cancel()
    found = sum_up(position, how, all_found)
    stopped = "playouts" if found.simulations == playouts else "proven"
    seconds = perf_counter() - began
    return make_report(position, how, found, stopped, engine, seconds, parts, "root")


def with_seed(how: Search, index: int) -> Search:
    """The search with the seed of a part."""
    return dataclasses.replace(how, seed=seed_of(how.seed, index))


def run_part(position: Position, how: Search, simulations: int, engine: Engine) -> Found:
    """One of the searches: what the executor runs."""
    runner = make_runner(position, how, engine)
    runner.run(simulations)
    return runner.found()
