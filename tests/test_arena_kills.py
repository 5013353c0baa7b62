"""Kill -9 at random instants: no acknowledged game lost, none doubled, the same table."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena_driver import make
from sylve.arena.game import play_job
from sylve.arena.schedule import job, schedule
from sylve.arena.standings import Standings
from sylve.arena.store import Played, Store
from sylve.arena.verify import verify

DRIVER = Path(__file__).with_name("arena_driver.py")


def children(process: int) -> list[int]:
    try:
        return [
            int(p) for p in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def moves(store: Path) -> dict[str, tuple]:
    found = Store.read(store)
    games = {g.slot.id: (g.record.moves, g.record.result, g.record.reason) for g in found.played()}
    found.connection.close()
    return games


def acknowledged(log: Path) -> list[str]:
    """Whole lines: one that the kill cut in two was never finished."""
    return log.read_text().splitlines() if log.exists() else []


def uninterrupted(seed: int) -> tuple[list, dict[str, tuple]]:
    """The same run in this very process, without workers or a store."""
    config = make(seed)
    players: dict = {}
    games = [Played(slot, play_job(job(config, slot), players), False) for slot in schedule(config)]
    table = Standings.of(config, games).table()
    return table, {g.slot.id: (g.record.moves, g.record.result, g.record.reason) for g in games}


# What is killed by turns: the runner is also who drives a cluster.
EVERYBODY = ("runner", "worker", "worker", "both")


def kill_often(
    kills: int,
    folder: Path,
    chance: random.Random,
    executor: str = "local",
    targets: tuple[str, ...] = EVERYBODY,
) -> None:
    seed = 0
    while kills > 0:
        store, log = folder / f"{seed}.sqlite", folder / f"{seed}.log"
        done = False
        while not done:
            command = [sys.executable, str(DRIVER), str(store), str(log), str(seed), executor]
            with subprocess.Popen(command, stderr=subprocess.PIPE) as runner:
                kills, done = disturb(runner, kills, log, chance, targets)
                assert runner.stderr is not None
                said = runner.stderr.read()  # to its end: no worker holds it open any more
                assert said == b"" or executor == "dask"  # Dask's own workers complain
            assert not done or runner.returncode == 0
            if store.exists() and acknowledged(log):
                assert set(acknowledged(log)) <= set(moves(store)), "an acknowledged game is lost"
        check_end(store, log, seed)
        seed += 1


def disturb(
    runner: subprocess.Popen,
    kills: int,
    log: Path,
    chance: random.Random,
    targets: tuple[str, ...],
) -> tuple[int, bool]:
    """Kill workers now and then, at last the runner; whether it had ended before."""
    before = len(acknowledged(log))
    if chance.random() < 0.8:  # else at any instant of its start
        while len(acknowledged(log)) == before and runner.poll() is None:
            time.sleep(0.01)
    while kills > 0:
        time.sleep(chance.uniform(0, 0.25))
        if runner.poll() is not None:
            return kills, True
        kills -= 1
        workers = children(runner.pid)
        target = chance.choice(targets)
        if workers and target != "runner":
            kill(chance.choice(workers))
        if target != "worker":
            kill(runner.pid)
            runner.wait()
            deadline = time.monotonic() + 30
            while any(map(is_running, workers)) and time.monotonic() < deadline:
                time.sleep(0.02)
            assert not any(map(is_running, workers)), "a worker outlived its runner"
            return kills, False
    runner.wait()
    return kills, True


def check_end(store: Path, log: Path, seed: int) -> None:
    table, games = uninterrupted(seed)
    found = Store.read(store)
    config = found.config
    assert verify(found) == []
    assert Standings.of(config, found.played()).table() == table
    (done,) = found.connection.execute(
        "SELECT count(*) FROM attempt WHERE outcome = 'done'"
    ).fetchone()
    (open_attempts,) = found.connection.execute(
        "SELECT count(*) FROM attempt WHERE outcome IS NULL"
    ).fetchone()
    found.connection.close()
    assert moves(store) == games
    assert (done, open_attempts) == (len(games), 0)
    assert len(acknowledged(log)) == len(set(acknowledged(log))), "a game was counted twice"


def test_twenty_kills(tmp_path: Path) -> None:
    kill_often(20, tmp_path, random.Random(1))


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_two_hundred_kills(tmp_path: Path) -> None:
    kill_often(200, tmp_path, random.Random(2))
