"""The games that the page offers: those of the package, and the user's own ones.

A game of the user's own is named on the command line and nowhere else: a request gives a name,
which is looked up in the list.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sylve.errors import InvalidGame, quote
from sylve.game import AnyGame
from sylve.games import GAMES, load_game
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
        return self.own[name] if name in self.own else load_game(name)

    def name(self, position: Position) -> str:
        """The name under which a game is in the list."""
        for name, game in self.own.items():
            if position.game is game:
                return name
        return str(position.game)

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
    """The game that the command line names: `module:Class` or `path/to/file.py:Class`."""
    where, colon, name = text.rpartition(":")
    if not colon or not where or not name.isidentifier():
        raise InvalidGame(f"--game {quote(text)}: expected module:Class or path/to/file.py:Class")
    module = load_file(where) if where.endswith(".py") else load_module(where)
    made = getattr(module, name, None)
    if made is None:
        raise InvalidGame(f"--game {quote(text)}: there is no {name} in {where}")
    try:
        game = made() if isinstance(made, type) else made
        Position.start(game).moves  # noqa: B018 (a game that cannot begin is refused here)
    except Exception as error:
        raise InvalidGame(f"--game {quote(text)}: {type(error).__name__}: {error}") from error
    if name in GAMES:
        raise InvalidGame(f"--game {quote(text)}: {name} is the name of a game of sylve")
    return name, game


def load_module(name: str) -> Any:
    """A module by name; the folder of the command counts, as for `python -m`."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InvalidGame(f"--game: cannot import {quote(name)}: {error}") from None


def load_file(path: str) -> Any:
    """A module by its file."""
    if not Path(path).is_file():
        raise InvalidGame(f"--game: no such file {quote(path)}")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
