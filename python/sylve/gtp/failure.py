"""How a player fails a match."""

from __future__ import annotations


class PlayerFailure(Exception):
    """A player that cannot go on: a crash, a hang, a broken protocol, an illegal move."""

    def __init__(self, player: str, reason: str) -> None:
        super().__init__(f"{player}: {reason}")
        self.player = player
        self.reason = reason


class PlayerResigns(PlayerFailure):
    """A player that gave up the game. It is well otherwise."""
