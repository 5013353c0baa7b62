"""Search. The reference, to read: tree.py (the loop), formulas.py, root.py; alpha_beta.py."""

from sylve.search.alpha_beta_report import AlphaBetaReport
from sylve.search.alpha_beta_search import AlphaBeta
from sylve.search.background import Background
from sylve.search.budget import Budget
from sylve.search.clock import Clock
from sylve.search.compare import Estimates, compare_estimates
from sylve.search.policies import Policy, decisive, mast, uniform, weighted
from sylve.search.report import MoveReport, Report
from sylve.search.rules import (
    Rule,
    bayes,
    decaying_epsilon,
    discounted,
    epsilon,
    thompson,
    tuned,
    ucb1,
)
from sylve.search.run import search
from sylve.search.schedules import Schedule, bias, course, hand, mse, slides
from sylve.search.searcher import Searcher
from sylve.search.searches import (
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
from sylve.search.text import parse_search

__all__ = [
    "AlphaBeta",
    "AlphaBetaReport",
    "AmafUct",
    "Background",
    "Budget",
    "Clock",
    "Estimates",
    "Flat",
    "FlatAmaf",
    "Grave",
    "MoveReport",
    "MultiScaleRave",
    "Policy",
    "Rave",
    "Report",
    "Rule",
    "Schedule",
    "Search",
    "Searcher",
    "SequentialHalving",
    "Ucb",
    "Uct",
    "bayes",
    "bias",
    "compare_estimates",
    "course",
    "decaying_epsilon",
    "decisive",
    "discounted",
    "epsilon",
    "hand",
    "mast",
    "mse",
    "parse_search",
    "search",
    "slides",
    "thompson",
    "tuned",
    "ucb1",
    "uniform",
    "weighted",
]
