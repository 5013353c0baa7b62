"""Who plays whom, from which opening, with which colour; and the identity of each game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sylve.arena.config import Config, digest
from sylve.arena.openings import (
    Drawn,
    Opening,
    RandomOpenings,
    make_openings,
    read_openings,
)
from sylve.workers.own_sources import own_part

DRAWN_AGAIN = 5_000  # openings, which takes seconds


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
    if config.format == "ladder":
        return [(place, place + 1) for place in range(count - 1)]
    return [(i, j) for i in range(count) for j in range(i + 1, count)]


@lru_cache(maxsize=1)
def drawn_openings(config: Config) -> Drawn:
    """The openings of a run; kept, because drawing them takes time."""
    return make_openings(config.openings, config.game, config.games // 2, config.seed)


def left_out_openings(config: Config) -> int:
    """How many openings were left out because they were decided; 0 where too many to draw again."""
    if config.games > 2 * DRAWN_AGAIN or not isinstance(
        read_openings(config.openings, undecided=0), RandomOpenings
    ):
        return 0
    return drawn_openings(config).left_out


def schedule(config: Config) -> Iterator[Slot]:
    """Every game: opening by opening, so that a run that is stopped has met everybody evenly."""
    number = pair = 0
    for turn, opening in enumerate(drawn_openings(config).openings):
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
    if config.sources:
        content.append(config.sources)
    return digest(content)[:16]


def belongs(config: Config, meetings: list[tuple[int, int]], slot: Slot) -> bool:
    """Whether a slot is as the schedule made it, by its own id; `meetings`: all pairings."""
    turn, which = divmod(slot.pair, len(meetings))
    i, j = meetings[which]
    first, second = (i, j) if slot.number % 2 == 0 else (j, i)
    return (slot.number // 2, slot.first, slot.second, slot.id) == (
        slot.pair, first, second, identity(config, turn, slot.opening, first, second),
    )  # fmt: skip


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
        **own_part([config.game, *(text for _, text in config.players)], dict(config.sources)),
    }
