"""Monte Carlo search and alpha-beta on board games: readable in Python, fast in Rust."""

import sys as _sys

# `python -m sylve`, on the way to its `__main__`: from here on Ctrl-C is that of the command.
if _sys.argv[:1] == ["-m"]:
    import sylve_command.interrupts  # noqa: F401

from sylve.check import GameCheck, check_game
from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition
from sylve.evaluations import evaluate
from sylve.game import Game, Outcome, Player
from sylve.games import load_game
from sylve.native.entry import compiled
from sylve.perft import divide, perft
from sylve.position import Position
from sylve.rng import Rng
from sylve.search import (
    AlphaBeta,
    AlphaBetaReport,
    AmafUct,
    Budget,
    Clock,
    Flat,
    FlatAmaf,
    Grave,
    MoveReport,
    MultiScaleRave,
    Rave,
    Report,
    Search,
    Searcher,
    SequentialHalving,
    Ucb,
    Uct,
    compare_estimates,
    parse_search,
    search,
    trace,
)
from sylve.solve import Solution, Solver, solve
from sylve.version import VERSION as _VERSION

__version__ = _VERSION

__all__ = [
    "AlphaBeta",
    "AlphaBetaReport",
    "AmafUct",
    "Budget",
    "Clock",
    "Flat",
    "FlatAmaf",
    "Game",
    "GameCheck",
    "Grave",
    "IllegalMove",
    "InvalidGame",
    "InvalidMove",
    "InvalidPosition",
    "MoveReport",
    "MultiScaleRave",
    "Outcome",
    "Player",
    "Position",
    "Rave",
    "Report",
    "Rng",
    "Search",
    "Searcher",
    "SequentialHalving",
    "Solution",
    "Solver",
    "Ucb",
    "Uct",
    "check_game",
    "compare_estimates",
    "compiled",
    "divide",
    "evaluate",
    "load_game",
    "parse_search",
    "perft",
    "search",
    "solve",
    "trace",
]
