"""The games that the page offers: those of the package, and the user's own ones.

A game of the user's own is named on the command line and nowhere else: a request gives a name,
which is looked up in the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sylve.errors import InvalidGame, quote
from sylve.game import AnyGame
from sylve.games import GAMES, known_game, load_game
from sylve.own import ALLOWED, game_text, is_own
from sylve.page import limits
from sylve.page.protocol import Place
from sylve.position import Position

SIZES: Mapping[str, tuple[str, ...]] = {
    "breakthrough": ("(columns=5, rows=5)", "(columns=6, rows=6)", ""),
    "othello": ("(size=4)", "(size=6)", ""),
    "connect_four": ("(columns=5, rows=4)", "(columns=6, rows=5)", ""),
    "hex": ("(size=5)", "(size=7)", "(size=9)", ""),
    "go": ("(size=5)", "(size=7)", "", "(size=13)", "(size=19)"),
}
"""What the list of sizes has; any other can be typed."""


@dataclass
class Offers:
    """The games by name, and the positions that were asked for last."""

    own: Mapping[str, AnyGame] = field(default_factory=dict)

    def rules(self, name: str) -> AnyGame:
        """The rules of a game of the list."""
        return self.own[name] if name in self.own else known_game(name)

    def name(self, position: Position) -> str:
        """The name under which a game is in the list."""
        for name, game in self.own.items():
            if position.game is game:
                return name
        return game_text(position.game)

    def opening(self, place: Place) -> Position:
        """Where the moves of a place begin."""
        rules = self.rules(place.game)
        return (
            Position.start(rules)
            if place.position is None
            else Position.parse(rules, place.position)
        )

    def position(self, place: Place) -> Position:
        """The position that is meant."""
        return self.opening(place).play_line(place.moves, most=limits.MOVES)

    def listed(self) -> list[dict[str, Any]]:
        """For the page."""
        rows: list[dict[str, Any]] = [
            {
                "name": name,
                "own": False,
                "sizes": [f"{name}{size}" for size in SIZES.get(name, ("",))],
                "solvable": name != "go",
            }
            for name in GAMES
        ]
        own = ({"name": name, "own": True, "sizes": [name], "solvable": True} for name in self.own)
        return [*rows, *own]


def load_own(text: str) -> tuple[str, AnyGame]:
    """The game that the command line names, with the name that it gets in the list."""
    if not is_own(text):
        raise InvalidGame(f"--game {quote(text)}: expected {ALLOWED}")
    game = load_game(text)
    return game_text(game), game
