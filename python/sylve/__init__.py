"""Monte Carlo search and alpha-beta on board games: readable in Python, fast in Rust."""

import sys as _sys
from typing import TYPE_CHECKING, Any

# `python -m sylve`, on the way to its `__main__`: from here on Ctrl-C is that of the command.
if _sys.argv[:1] == ["-m"]:
    import sylve_command.interrupts  # noqa: F401

from sylve.check import GameCheck, check_game
from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition
from sylve.evaluations import evaluate
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
)
from sylve.solve import Solution, Solver, solve

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
    "Budget",
    "Clock",
    "Estimates",
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
    "divide",
    "evaluate",
    "load_game",
    "parse_search",
    "perft",
    "search",
    "solve",
]
