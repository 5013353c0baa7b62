"""How a player fails a match: as the arena has it."""

from sylve.arena.player import PlayerFailure, PlayerResigns

__all__ = ["PlayerFailure", "PlayerResigns"]
