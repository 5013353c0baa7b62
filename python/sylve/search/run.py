"""`search`: the one verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sylve.engine import Engine, is_of_package
from sylve.errors import shown
from sylve.game import AnyGame
from sylve.position import Position, as_position
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search
from sylve.search.reports.report import Report
from sylve.search.running.alpha_beta_run import search_alpha_beta
from sylve.search.running.runner import Parallel, Progress
from sylve.search.running.searcher import Searcher
from sylve.search.text import as_search

if TYPE_CHECKING:
    from sylve.search.running.distributed import Executor


def search(
    position: Position | str | AnyGame,
    how: Search | AlphaBeta | str,
    *,
    engine: Engine = "auto",
    threads: int = 1,
    parallel: Parallel = "root",
    memory: str | int | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
) -> Report:
    """Search a position: `search(position, Uct(10_000, seed=1)).best`.

    With an executor (`concurrent.futures`, Dask), it runs `parts` independent searches and adds up
    what they found: the report of `threads=parts, parallel="root"`.
    A game means its start, and a text is read: `search("othello", "uct(1000)")`.

    >>> from sylve import Uct, search
    >>> report = search("connect_four", Uct(1000, seed=1))
    >>> report.best_name
    '4'
    >>> report == search("connect_four", "uct(1000, seed=1)", engine="python")
    True
    """
    position, how = as_position(position), as_search(how)
    if position.outcome is not None:
        raise ValueError(f"the game is over: there is nothing to search in {shown(position)}")
    if isinstance(how, AlphaBeta):
        if executor is not None:
            raise ValueError("alpha_beta has no parts to give to an executor")
        return search_alpha_beta(position, how, engine)
    if executor is None and parts is not None:
        raise ValueError("parts are those of an executor: give one, or use threads=")
    if executor is not None and (threads, parallel, memory) != (1, "root", None):
        raise ValueError("with an executor, use parts= instead of threads=, parallel= and memory=")
    try:
        if executor is not None:
            from sylve.search.running.distributed import search_parts

            return search_parts(position, how, executor, parts, engine, progress)
        searcher = Searcher(
            position, how, engine=engine, threads=threads, parallel=parallel, memory=memory
        )
        return searcher.run(progress=progress)
    except Exception as error:
        if not is_of_package(position):
            error.add_note("The game is a user's: sylve.check_game(game) looks for broken rules.")
        raise
