"""Finished cells on the disk: one file each, whole or absent."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from sylve.files import write_whole
from sylve.inputs import read_text
from sylve.lab.experiment import Cell, Experiment
from sylve.workers.jobs import HERE

LARGEST = 64 << 20  # bytes of a result


def identity(experiment: Experiment, cell: Cell, seed: int) -> str:
    """A number for all that decides the rows of a cell."""
    content = [experiment.name, experiment.version, cell, seed]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class CellStore:
    """The finished cells of an experiment, in a folder; without a folder, in memory."""

    def __init__(self, experiment: Experiment, seed: int, folder: Path | None) -> None:
        self.experiment, self.seed, self.folder = experiment, seed, folder
        self.memory: dict[str, dict[str, Any]] = {}

    def path(self, key: str) -> Path:
        """Where the cell of an identity is kept."""
        assert self.folder is not None
        return self.folder / f"{key}.json"

    def get(self, cell: Cell) -> dict[str, Any] | None:
        """The stored cell: `rows`, and the program that ran it (`by`); None if it is not done."""
        key = identity(self.experiment, cell, self.seed)
        if self.folder is None:
            return self.memory.get(key)
        try:
            content = json.loads(read_text(self.path(key), LARGEST))
        except (FileNotFoundError, ValueError, RecursionError):
            return None  # absent, or damaged: run it again
        whole = isinstance(content, dict) and content.get("cell") == cell and "rows" in content
        return content if whole else None

    def put(self, cell: Cell, rows: list[dict[str, Any]]) -> None:
        """Keep a finished cell."""
        key = identity(self.experiment, cell, self.seed)
        content = {"cell": cell, "seed": self.seed, "by": HERE, "rows": rows}
        if self.folder is None:
            self.memory[key] = content
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.path(key), json.dumps(content).encode())
