"""`--live`: the table of a search while it runs, in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sylve.cli.output import console, safe
from sylve.screen import is_terminal
from sylve.search.budget import Budget
from sylve.search.reports.report import Report
from sylve.search.running.searcher import Searcher

if TYPE_CHECKING:
    from rich.console import Group

INTERVAL = 0.1  # seconds
WIDTH = 60  # reports in the sparkline
ROWS = 15  # moves shown while it runs, if nobody says
BLOCKS = "▁▂▃▄▅▆▇█"


def run_live(searcher: Searcher, top: int | None, budget: Budget) -> Report:
    """Run a search to its end with a table on stderr that is gone afterwards.

    Where stderr is no terminal nothing is shown.
    """
    if not is_terminal(sys.stderr):
        return searcher.run(budget)
    from rich.live import Live

    means: list[float] = []
    with Live(console=console(), transient=True, auto_refresh=False) as live:
        for report in searcher.stream(budget, interval=INTERVAL):
            mean = report[report.best].mean
            if mean is not None:
                means.append(mean)
            live.update(picture(report, means, top), refresh=True)
    return report


def picture(report: Report, means: list[float], top: int | None) -> Group:
    """The table as it is now, and how the best move's mean came here."""
    from rich.console import Group
    from rich.text import Text

    from sylve.search.reports.show import report_table

    shown = means[-WIDTH:]
    line = f"mean of {report.best_name}: no playouts yet"
    if shown:
        line = (
            f"mean of {report.best_name}: {min(shown):.3f} {sparkline(shown)} {max(shown):.3f},"
            f" now {shown[-1]:.3f}"
        )
    return Group(report_table(report, ROWS if top is None else top), Text(safe(line)))


def sparkline(values: list[float]) -> str:
    """A character for each value: the lowest gets the lowest block, the highest the highest.

    >>> sparkline([0.1, 0.2, 0.4, 0.8])
    '▁▂▄█'
    >>> sparkline([0.5, 0.5])
    '▄▄'
    """
    low, high = min(values), max(values)
    if low == high:
        return BLOCKS[3] * len(values)
    steps = len(BLOCKS) - 1
    return "".join(BLOCKS[round(steps * (value - low) / (high - low))] for value in values)
