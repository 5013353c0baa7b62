"""`search`: the one verb."""

from __future__ import annotations

from sylve.engine import Engine
from sylve.position import Position
from sylve.search.report import Report
from sylve.search.runner import Parallel, Progress
from sylve.search.searcher import Searcher
from sylve.search.searches import Search


def search(
    position: Position,
    how: Search,
    *,
    engine: Engine = "auto",
    threads: int = 1,
    parallel: Parallel = "root",
    progress: Progress | None = None,
) -> Report:
    """Search a position: `search(position, Uct(10_000, seed=1)).best`."""
    searcher = Searcher(position, how, engine=engine, threads=threads, parallel=parallel)
    return searcher.run(progress=progress)
