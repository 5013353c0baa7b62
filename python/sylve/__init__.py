"""Monte Carlo search and alpha-beta on board games: readable in Python, fast in Rust."""

import sys as _sys
from typing import TYPE_CHECKING, Any

# `python -m sylve`, on the way to its `__main__`: from here on Ctrl-C is that of the command.
if _sys.argv[:1] == ["-m"]:
    import sylve_command  # noqa: F401

from sylve.check import GameCheck, check_game
from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition
from sylve.evaluations import Evaluation, evaluate
from sylve.game import Game, Outcome, Player
from sylve.games import load_game
from sylve.perft import divide, perft
from sylve.position import Position
from sylve.rng import Rng
from sylve.search import (
    AlphaBeta,
    AlphaBetaReport,
    AmafUct,
    Background,
    Budget,
    Clock,
    Estimates,
    Flat,
    FlatAmaf,
    Grave,
    MoveReport,
    MultiScaleRave,
    Policy,
    Rave,
    Report,
    Rule,
    Schedule,
    Search,
    Searcher,
    SequentialHalving,
    Ucb,
    Uct,
    bayes,
    bias,
    compare_estimates,
    course,
    decaying_epsilon,
    decisive,
    discounted,
    epsilon,
    hand,
    mast,
    mse,
    parse_search,
    search,
    slides,
    thompson,
    tuned,
    ucb1,
    uniform,
    weighted,
)
from sylve.solve import Solution, Solver, solve
from sylve.tables import BreakthroughTable, InvalidTable, build_table

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> Any:
        """The version, which only the compiled half knows: it is loaded when somebody asks."""
        if name == "__version__":
            from sylve import _core

            return _core.__version__
        raise AttributeError(f"module 'sylve' has no attribute {name!r}")


__all__ = [
    "AlphaBeta",
    "AlphaBetaReport",
    "AmafUct",
    "Background",
    "BreakthroughTable",
    "Budget",
    "Clock",
    "Estimates",
    "Evaluation",
    "Flat",
    "FlatAmaf",
    "Game",
    "GameCheck",
    "Grave",
    "IllegalMove",
    "InvalidGame",
    "InvalidMove",
    "InvalidPosition",
    "InvalidTable",
    "MoveReport",
    "MultiScaleRave",
    "Outcome",
    "Player",
    "Policy",
    "Position",
    "Rave",
    "Report",
    "Rng",
    "Rule",
    "Schedule",
    "Search",
    "Searcher",
    "SequentialHalving",
    "Solution",
    "Solver",
    "Ucb",
    "Uct",
    "bayes",
    "bias",
    "build_table",
    "check_game",
    "compare_estimates",
    "course",
    "decaying_epsilon",
    "decisive",
    "discounted",
    "divide",
    "epsilon",
    "evaluate",
    "hand",
    "load_game",
    "mast",
    "mse",
    "parse_search",
    "perft",
    "search",
    "slides",
    "solve",
    "thompson",
    "tuned",
    "ucb1",
    "uniform",
    "weighted",
]
