"""Search: `reference/` is what to read, `running/` runs it, `reports/` says what was found.

`values.py` and `budget.py` stand below all of them; `text.py`, `run.py`, `tracing.py`, `compare.py`
and `regret.py` use them.
"""

from sylve.search import guesses as guesses  # it tells what is wrong with a call
from sylve.search.budget import Budget
from sylve.search.compare import Estimates, compare_estimates
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import (
    AmafUct,
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Rave,
    Search,
    SequentialHalving,
    Ucb,
    Uct,
)
from sylve.search.reports.alpha_beta_report import AlphaBetaReport
from sylve.search.reports.report import MoveReport, Report
from sylve.search.reports.trace import Trace
from sylve.search.reports.view import Branch
from sylve.search.run import search
from sylve.search.running.background import Background
from sylve.search.running.clock import Clock
from sylve.search.running.searcher import Searcher
from sylve.search.text import parse_search
from sylve.search.tracing import trace

__all__ = [
    "AlphaBeta",
    "AlphaBetaReport",
    "AmafUct",
    "Background",
    "Branch",
    "Budget",
    "Clock",
    "Estimates",
    "Flat",
    "FlatAmaf",
    "Grave",
    "MoveReport",
    "MultiScaleRave",
    "Rave",
    "Report",
    "Search",
    "Searcher",
    "SequentialHalving",
    "Trace",
    "Ucb",
    "Uct",
    "compare_estimates",
    "parse_search",
    "search",
    "trace",
]
