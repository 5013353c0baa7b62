"""The store, and the ways to lose a game that docs/arena.md lists: D1 to D20."""

import os
import shutil
from pathlib import Path

import pytest

from arena_here import Here, complete, finished_run, make, table
from sylve.arena import verify
from sylve.arena.connection import DiskTrouble
from sylve.arena.game import play_job
from sylve.arena.lock import Busy, doubts
from sylve.arena.runner import ATTEMPTS, Hooks, Run
from sylve.arena.schedule import job
from sylve.arena.store import Store

finished = pytest.fixture(finished_run)


def attempts(store: Store) -> list[tuple]:
    return store.connection.execute("SELECT slot, outcome FROM attempt ORDER BY lease").fetchall()


def test_all_slots_are_written_first(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "a.sqlite", make())
    assert store.count() == (0, 12)
    assert [slot.number for slot in store.slots(left=True)] == list(range(12))
    store.close()


def test_a_run_can_be_stopped_anywhere_and_resumed(tmp_path: Path) -> None:
    expected = table(complete(None, make()))

    class Stop(Exception):
        pass

    def stop_after(count: int) -> Hooks:
        left = [count]

        def kept(*_: object) -> None:
            left[0] -= 1
            if not left[0]:
                raise Stop

        return Hooks(kept=kept)

    path = tmp_path / "a.sqlite"
    for turn in range(1, 30):
        store = Store.create(path, make())
        try:
            ending = Run(store, Here(), stop_after(1 + turn % 3)).go()
        except Stop:
            ending = None
        done, _ = store.count()
        store.close()
        if ending == "complete":
            break
    assert done == 12
    store = Store.read(path)
    assert table(store) == expected
    assert verify.verify(store) == []
    store.connection.close()


def test_d2_the_same_game_twice_counts_once() -> None:
    store = Store.create(None, make())
    slot = next(store.slots())
    record = play_job(job(store.config, slot), {})
    with store.transaction():
        one, two = store.lease(slot, "a"), store.lease(slot, "b")
    with store.transaction():
        assert store.finish(two, record)
        assert not store.finish(one, record), "late"
    assert store.count()[0] == 1
    assert attempts(store) == [(0, "late"), (0, "done")]


def test_d3_d18_a_lost_game_is_played_again_and_every_attempt_is_a_row() -> None:
    expected = table(complete(None, make()))
    store = complete(None, make(), fail=lambda lease, job: lease % 3 == 1)
    assert table(store) == expected
    found = attempts(store)
    assert sum(outcome == "done" for _, outcome in found) == 12
    lost = [outcome for _, outcome in found if outcome != "done"]
    assert lost == ["lost: lost on purpose"] * (len(found) - 12)
    assert lost


def test_a_game_that_always_fails_is_void_in_the_end() -> None:
    store = Store.create(None, make())
    bad = next(store.slots()).id
    run = Run(store, Here(fail=lambda lease, job: job["id"] == bad))
    assert run.go() == "complete"
    assert run.standings.void == 1
    assert run.standings.between(0, 1).odd == 1, "D15: its partner is shown apart"
    assert run.standings.between(0, 1).games == 10
    (first,) = [game for game in store.played() if game.slot.id == bad]
    assert first.record.result == "*"
    assert f"{ATTEMPTS} attempts failed: lost on purpose" in first.record.why
    assert sum(slot == 0 for slot, _ in attempts(store)) == ATTEMPTS
    assert verify.verify(store) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record | {"result": {"1-0": "0-1"}.get(record["result"], "1-0")},
        lambda record: record | {"moves": record["moves"][:-1]},
        lambda record: record | {"moves": [*record["moves"], 0]},
        lambda record: record | {"id": "0123456789abcdef"},
        lambda record: {"hello": "world"},
        lambda record: [1, 2, 3],
    ],
)
def test_what_strangers_send_is_replayed_before_it_is_kept(change: object) -> None:
    class Stranger(Here):
        trusted = False

    store = Store.create(None, make(games=2))
    run = Run(store, Stranger(change=change))
    run.go()
    assert run.standings.void == 2
    assert all(outcome.startswith(("refused", "done")) for _, outcome in attempts(store))


def test_d4_the_log_reaches_the_disk_at_each_commit(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "a.sqlite", make())
    assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store.connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
    store.close()


def test_d5_readers_neither_write_nor_checkpoint(finished: Path) -> None:
    store = Store.read(finished)
    with pytest.raises(DiskTrouble, match="readonly"):
        store.connection.execute("DELETE FROM game")
    assert store.connection.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
    store.connection.close()


def test_d6_one_runner_for_a_store(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    store = Store.create(path, make())
    with pytest.raises(Busy, match=f"is being run by process {os.getpid()}"):
        Store.create(path, make())
    reader = Store.read(path)
    assert reader.count() == (0, 12), "looking at it is allowed"
    reader.connection.close()
    store.close()
    Store.create(path, make()).close()


def test_d7_a_store_does_not_survive_a_fork() -> None:
    store = Store.create(None, make())
    store.process += 1
    with pytest.raises(RuntimeError, match="child of the process"), store.transaction():
        pass


def test_d8_links_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.touch()
    assert doubts(path) == []
    link = tmp_path / "b.sqlite"
    link.symlink_to(path)
    with pytest.raises(OSError, match="symbolic link"):
        Store.create(link, make())  # its lock would be another one
    os.link(path, tmp_path / "c.sqlite")
    assert "hard links" in doubts(path)[0]


def test_d9_one_file_is_all_after_a_clean_end(finished: Path, tmp_path: Path) -> None:
    assert not finished.with_name("run.sqlite-wal").exists()
    copy = tmp_path / "moved.sqlite"
    shutil.copy(finished, copy)
    store = Store.read(copy)
    assert verify.verify(store) == []
    store.connection.close()


def test_d9_backup_while_it_runs(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "a.sqlite", make())
    target = tmp_path / "copy.sqlite"
    seen: list[int] = []

    def kept(*_: object) -> None:
        seen.append(1)
        if len(seen) == 5:
            reader = Store.read(tmp_path / "a.sqlite")
            reader.backup(target)
            reader.connection.close()

    Run(store, Here(), Hooks(kept=kept)).go()
    store.close()
    copy = Store.read(target)
    assert copy.count() == (5, 12)
    assert verify.verify(copy) == []
    with pytest.raises(ValueError, match="exists: choose another name"):
        copy.backup(target)
    copy.connection.close()
