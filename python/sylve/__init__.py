"""Monte Carlo search and alpha-beta on board games: readable in Python, fast in Rust."""

from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition
from sylve.game import Game, Outcome, Player
from sylve.games import load_game
from sylve.position import Position
from sylve.rng import Rng

__all__ = [
    "Game",
    "IllegalMove",
    "InvalidGame",
    "InvalidMove",
    "InvalidPosition",
    "Outcome",
    "Player",
    "Position",
    "Rng",
    "load_game",
]
