"""Who plays whom, from which opening, with which colour; and the identity of each game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sylve.arena.config import Config, digest
from sylve.arena.openings import Opening, make_openings


@dataclass(frozen=True)
class Slot:
    """One game to be played."""

    number: int
    """Its place in the schedule."""
    id: str
    """Its identity: the same game of the same run has the same id, and so the same seeds."""
    pair: int
    """The number of its pair; the two games of a pair stand side by side."""
    first: int
    second: int
    """The players, by their place in the configuration."""
    opening: Opening


def pairings(config: Config) -> list[tuple[int, int]]:
    """The players that meet, by their places, lower first."""
    count = len(config.players)
    if config.format == "gauntlet":
        return [(0, other) for other in range(1, count)]
    return [(i, j) for i in range(count) for j in range(i + 1, count)]


def schedule(config: Config) -> Iterator[Slot]:
    """Every game: opening by opening, so that a run that is stopped has met everybody evenly."""
    openings = make_openings(config.openings, config.game, config.games // 2, config.seed)
    number = pair = 0
    for turn, opening in enumerate(openings):
        for i, j in pairings(config):
            for first, second in ((i, j), (j, i)):
                yield Slot(
                    number, identity(config, turn, opening, first, second), pair, first, second,
                    opening,
                )  # fmt: skip
                number += 1
            pair += 1


def identity(config: Config, turn: int, opening: Opening, first: int, second: int) -> str:
    """64 bits in hexadecimal, of all that decides the game."""
    content = [
        config.game, config.seed, turn, opening.position, list(opening.moves),
        config.players[first], config.players[second],
    ]  # fmt: skip
    return digest(content)[:16]


def job(config: Config, slot: Slot) -> dict[str, Any]:
    """What a worker is told: plain JSON, and all that the game depends on."""
    return {
        "id": slot.id,
        "game": config.game,
        "position": slot.opening.position,
        "moves": list(slot.opening.moves),
        "players": [config.players[slot.first], config.players[slot.second]],
        "max_plies": config.max_plies,
        "resign": config.resign,
        "adjudicate": config.adjudicate,
        "clock": config.clock,
    }
