"""Worker processes: the same table for any number of them, dead and frozen ones, Ctrl-C."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sylve.arena.config import Config, make_config
from sylve.arena.game import play
from sylve.arena.runner import Hooks, Run
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.arena.verify import verify
from sylve.workers import local
from sylve.workers.jobs import call
from sylve.workers.local import LocalPool
from sylve.workers.pool import WorkersFail
from sylve.workers.worker import Channel

SYLVE = Path(sys.executable).with_name("sylve")
GAME = "breakthrough(columns=5, rows=5)"


def make(**changes: object) -> Config:
    arguments: dict = {
        "game": GAME, "players": [(None, "uct(60)"), (None, "rave(60)"), (None, "random")],
        "games": 12, "format": "round_robin", "seed": 9,
    }  # fmt: skip
    return make_config(**(arguments | changes))


def content(store: Store) -> list[tuple]:
    return [(g.slot, g.record.moves, g.record.result, g.record.reason) for g in store.played()]


def test_the_same_table_for_one_two_and_four_workers() -> None:
    found = []
    for workers in (1, 2, 4):
        store = Store.create(None, make())
        run = Run(store, LocalPool(workers))
        assert run.go() == "complete"
        assert verify(store) == []
        found.append((run.standings.table(), content(store)))
    assert found[0] == found[1] == found[2]


def test_a_frozen_worker_loses_its_lease() -> None:
    """D3: a worker that is stopped gives no sign of life; its game goes to another."""
    pool = LocalPool(1, lease=4.0)
    store = Store.create(None, make(games=4))
    frozen: list[int] = []

    def freeze(*_: object) -> None:
        if not frozen:
            frozen.extend(pool.pids)
            os.kill(frozen[0], signal.SIGSTOP)

    run = Run(store, pool, Hooks(kept=freeze))
    assert run.go() == "complete"
    lost = store.connection.execute(
        "SELECT outcome FROM attempt WHERE outcome <> 'done'"
    ).fetchall()
    assert lost == [("lost: the worker gave no sign of life for 4 seconds",)]
    with pytest.raises(ProcessLookupError):
        os.kill(frozen[0], 0)


def test_workers_that_cannot_start_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.sys, "executable", "/bin/false")
    with pytest.raises(WorkersFail, match="10 workers in a row died at their start"):
        Run(Store.create(None, make()), LocalPool(2)).go()
    for bad in (0, -1, 5000):
        with pytest.raises(ValueError, match="workers must be from 1 to 1024"):
            LocalPool(bad)


def test_a_worker_answers_in_lines_and_leaves_with_its_master() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "sylve.workers.worker"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert json.loads(worker.stdout.readline()) == {"ready": worker.pid}
    worker.stdin.write(
        json.dumps({"lease": 5, "job": call(play, {"id": "1", "clock": None})}) + "\n"
    )
    worker.stdin.flush()
    answer = json.loads(worker.stdout.readline())
    assert answer["lease"] == 5
    assert "KeyError" in answer["error"]
    worker.stdin.close()
    assert worker.wait(timeout=60) == 0
    worker.stdout.close()


def test_a_worker_leaves_once_and_after_its_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its master says stop and hangs up: two threads want to leave at once."""
    events: list[object] = []
    together = threading.Barrier(3)  # all are closed at the same time, or none is

    class Engine:
        def __init__(self, name: str) -> None:
            self.name = name

        def close(self) -> None:
            together.wait(30)
            events.append(self.name)
            if self.name == "broken":
                raise OSError("a pipe is broken")
            if self.name == "slow":
                time.sleep(0.5)
            events.append(f"{self.name} is closed")

    left = threading.Event()

    def leave(code: int) -> None:
        events.append(code)
        left.set()

    monkeypatch.setattr(os, "_exit", leave)
    file = io.StringIO()
    channel = Channel(file, {name: Engine(name) for name in ("broken", "slow", "quick")})
    for _ in range(2):
        threading.Thread(target=channel.leave, daemon=True).start()
    assert left.wait(30)
    time.sleep(0.1)
    assert sorted(map(str, events[:-1])) == [
        "broken", "quick", "quick is closed", "slow", "slow is closed"
    ]  # fmt: skip
    assert events[-1] == 0


def start(store: Path, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [SYLVE, "match", "uct(6000)", "uct(5000)", "--game", "breakthrough", "--games", "40",
         "--workers", "2", "--store", str(store), "--json", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for_games(store: Path, count: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        time.sleep(0.05)
        try:
            reader = Store.read(store)
        except ValueError:
            continue
        done, _ = reader.count()
        reader.connection.close()
        if done >= count:
            return
    raise AssertionError("no games within two minutes")


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return process.communicate(timeout=120)
    finally:
        process.kill()


def outcomes(store: Path) -> dict[str, int]:
    reader = Store.read(store)
    assert verify(reader) == []
    found = dict(
        reader.connection.execute("SELECT outcome, count(*) FROM attempt GROUP BY outcome")
    )
    reader.connection.close()
    return found


def test_d20_ctrl_c_once_finishes_the_games_in_progress(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    process = start(store)
    wait_for_games(store, 2)
    process.send_signal(signal.SIGINT)
    output, messages = ended(process)
    assert process.returncode == 130
    found = outcomes(store)
    assert set(found) == {"done"}, "no game was thrown away"
    assert 2 <= found["done"] < 40
    assert "finishing the games in progress" in messages
    assert f"{found['done']} of 40 games done; resume with:\n  sylve match" in messages
    assert "Traceback" not in messages
    printed = json.loads(output)
    assert printed["games"] + printed["odd"] == found["done"]


def test_d20_ctrl_c_twice_stops_now(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    process = start(store)
    wait_for_games(store, 1)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, messages = ended(process)
    assert process.returncode == 130
    assert "Traceback" not in messages
    reader = Store.read(store)
    games = content(reader)
    reader.connection.close()
    again = Store.create(store, Store.read(store).config)
    done, _ = again.count()
    assert done == len(games) >= 1
    assert "done" in outcomes(store)
    again.close()


LATE = """
import os, signal, sys
from sylve.arena.runner import Run
from sylve.cli import arena, main

leave = arena.leave

def late(store, ending):
    os.kill(os.getpid(), signal.SIGINT)
    leave(store, ending)

for module in ("match", "arena"):
    vars(sys.modules[f"sylve.cli.{module}"])["leave"] = late
Run.go = lambda run: run.pool.close(now=True) or "interrupted"
main()
"""


def test_d20_ctrl_c_that_comes_too_late_changes_nothing(tmp_path: Path) -> None:
    """The run has ended already, and is about to say how to go on."""
    command = ["match", "random", "random", "--game", GAME, "--store", str(tmp_path / "s.sqlite")]
    ended = subprocess.run(
        [sys.executable, "-c", LATE, *command], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 130
    assert "games done; resume with:" in ended.stderr
    assert "sylve match random random" in ended.stderr


def test_sigterm_stops_now_and_keeps_everything(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    process = start(store)
    wait_for_games(store, 1)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert outcomes(store)["done"] >= 1


def test_standings_of_a_resumed_run_are_those_of_all_games(tmp_path: Path) -> None:
    path, config = tmp_path / "a.sqlite", make(games=4)
    store = Store.create(path, config)
    Run(store, LocalPool(1)).go()
    store.close()
    store = Store.create(path, config)
    run = Run(store, LocalPool(1))
    assert run.go() == "complete", "nothing is left"
    assert run.standings.table() == Standings.of(config, store.played()).table()
    assert run.standings.games == 12
    store.close()
