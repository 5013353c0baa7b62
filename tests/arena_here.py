"""A store and a pool that plays its games in this process."""

import json
from pathlib import Path

from sylve.arena.config import Config, make_config
from sylve.arena.game import play_job
from sylve.arena.runner import Run
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.rng import Rng
from sylve.workers.pool import Event, Kind


def make(**changes: object) -> Config:
    arguments: dict = {
        "game": "tic_tac_toe", "players": [(None, "uct(10)"), (None, "random")], "games": 12,
        "openings": "random(plies=2)",
    }  # fmt: skip
    return make_config(**(arguments | changes))


class Here:
    """Plays in this process, in any order, and fails as told."""

    trusted = True

    def __init__(self, room: int = 3, fail: object = None, change: object = None) -> None:
        self.room, self.fail, self.change = room, fail, change
        self.jobs: list[tuple[int, dict]] = []
        self.rng = Rng(1)
        self.players: dict = {}

    @property
    def free(self) -> int:
        return self.room - len(self.jobs)

    def submit(self, lease: int, job: dict) -> None:
        json.dumps(job)  # plain data only
        self.jobs.append((lease, job))

    def poll(self, seconds: float) -> list[Event]:
        if not self.jobs:
            return []
        lease, job = self.jobs.pop(self.rng.below(len(self.jobs)))
        job = job["content"]
        if self.fail is not None and self.fail(lease, job):
            return [Event(lease, Kind.LOST, detail="lost on purpose")]
        record = json.loads(json.dumps(play_job(job, self.players).to_dict()))
        record = record if self.change is None else self.change(record)
        return [Event(lease, Kind.DONE, record)]

    def close(self, *, now: bool) -> None:
        self.jobs.clear()


def table(store: Store) -> list:
    return Standings.of(store.config, store.played()).table()


def complete(path: Path | None, config: Config, **how: object) -> Store:
    store = Store.create(path, config)
    assert Run(store, Here(**how)).go() == "complete"
    return store


def finished_run(tmp_path: Path) -> Path:
    path = tmp_path / "run.sqlite"
    complete(path, make()).close()
    return path
