"""Monte Carlo search and alpha-beta on board games: readable in Python, fast in Rust."""

from sylve.check import GameCheck, check_game
from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition
from sylve.game import Game, Outcome, Player
from sylve.games import load_game
from sylve.perft import divide, perft
from sylve.position import Position
from sylve.rng import Rng

__all__ = [
    "Game",
    "GameCheck",
    "IllegalMove",
    "InvalidGame",
    "InvalidMove",
    "InvalidPosition",
    "Outcome",
    "Player",
    "Position",
    "Rng",
    "check_game",
    "divide",
    "load_game",
    "perft",
]
