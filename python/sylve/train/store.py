"""Chunks of games on the disk: one file each, whole or absent, so that a run can be resumed."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from sylve.files import write_whole
from sylve.inputs import read_text
from sylve.train.games import Game
from sylve.train.plan import VERSION, identity

LARGEST = 64 << 20  # bytes of a file


class GameStore:
    """The chunks of a run, each under a hash of all that decides its games."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, content: dict[str, Any]) -> Path:
        """Where the games of a job are kept."""
        players = [sha256(text.encode()).hexdigest() for text in content["players"]]
        return self.folder / f"{identity(VERSION, {**content, 'players': players})}.json"

    def get(self, content: dict[str, Any]) -> list[Game] | None:
        """The games of a job; None if it is not done, or its file is damaged."""
        try:
            games = json.loads(read_text(self.path(content), LARGEST))
        except (FileNotFoundError, ValueError, RecursionError):
            return None
        whole = isinstance(games, list) and len(games) == content["count"]
        return games if whole and all(map(is_game, games)) else None

    def put(self, content: dict[str, Any], games: list[Game]) -> None:
        """Keep the games of a job."""
        lines = ",\n".join(json.dumps(game) for game in games)
        write_whole(self.path(content), f"[\n{lines}\n]\n".encode())


def is_game(game: Any) -> bool:
    """Whether this looks like a game."""
    match game:
        case [int(), str(), int()]:
            return True
    return False
