"""Plays a run in this process and acknowledges each game by a line in a file.

python tests/power_cut/driver.py FOLDER GAMES PAGES

PAGES: how long SQLite's log grows before it is copied into the store.
"""

import os
import sys
from pathlib import Path

from sylve.arena.config import Config, make_config
from sylve.arena.runner import Hooks, Run
from sylve.arena.store import Store
from sylve.workers.jobs import answer
from sylve.workers.pool import Event, event_of


def make(games: int) -> Config:
    players: list = [(None, "random"), (None, "random")]
    return make_config("tic_tac_toe", players, games, openings="random(plies=2)")


class Here:
    """Plays in this process, one game at a time: each is a commit of its own."""

    trusted = True

    def __init__(self, games: int) -> None:
        self.games = games
        self.jobs: list[tuple[int, dict]] = []
        self.players: dict = {}

    @property
    def free(self) -> int:
        return min(1 - len(self.jobs), self.games)

    def submit(self, lease: int, job: dict) -> None:
        self.games -= 1
        self.jobs.append((lease, job))

    def poll(self, seconds: float) -> list[Event]:
        return [event_of(lease, answer(job, self.players)) for lease, job in self.taken()]

    def taken(self) -> list[tuple[int, dict]]:
        jobs, self.jobs = self.jobs, []
        return jobs

    def close(self, *, now: bool) -> None:
        self.jobs.clear()


def main() -> None:
    folder, games, pages = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    told = os.open(folder / "acknowledged", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    store = Store.create(folder / "run.sqlite", make(games))
    store.connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
    hooks = Hooks(kept=lambda game, _: os.write(told, f"{game.slot.id}\n".encode()) and None)
    Run(store, Here(games), hooks).go()
    store.close()


if __name__ == "__main__":
    main()
