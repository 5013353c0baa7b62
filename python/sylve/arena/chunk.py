"""What a worker of a cluster runs: a few games, one after the other."""

from __future__ import annotations

from typing import Any

from sylve.arena.player import Player
from sylve.arena.worker import answer, close_all


def play_chunk(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers to some jobs, in order: records, or what went wrong."""
    players: dict[str, Player] = {}
    try:
        return [answer(job, players) for job in jobs]
    finally:
        close_all(players.values())
