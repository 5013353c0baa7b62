"""What plays in the arena."""

from __future__ import annotations

from typing import Protocol

from sylve.position import Position
from sylve.search import Clock


class Player(Protocol):
    """Somebody who plays one game after the other."""

    name: str

    def start(self, game: str, opening: Position) -> None:
        """A new game begins at `opening`; `opening.played` leads there."""

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """A legal move of the position; or raise PlayerResigns or PlayerFailure.

        The same position and seed give the same move, if the player's budget is not one of time.
        `clock`: that of the player, who may take `clock.allowance()` for the move.
        """

    def close(self) -> None:
        """No game will follow."""


class PlainPlayer:
    """What players share that have nothing to prepare and nothing to close."""

    def start(self, game: str, opening: Position) -> None:
        """A new game."""

    def close(self) -> None:
        """No game will follow."""
