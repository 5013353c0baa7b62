"""A run on a disk that is full or read-only: it pauses, says so, harms nothing, and goes on.

The system bounds the length of every file that this process writes (RLIMIT_FSIZE), which needs no
privilege: a write beyond it is done in part or fails, in the middle of whatever SQLite is doing, as
on a full disk. A bound of 0 is a disk that takes nothing any more.
"""

import os
import random
import re
import resource
import shutil
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "power_cut"))

from driver import Here, make

from places import call, listing, obeying
from sylve.arena.connection import DiskTrouble
from sylve.arena.runner import Hooks, Run
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.arena.verify import verify

GAMES = 60


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """No file grows beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sylve.arena.runner.RETRIES", (0.0, 0.0))


@pytest.fixture(scope="module")
def expected() -> list:
    store = Store.create(None, make(GAMES))
    Run(store, Here(GAMES)).go()
    return Standings.of(store.config, store.played()).table()


def run_until_full(path: Path, size: int) -> tuple[set[str], list[str]]:
    """Run as far as the disk allows; the games that were acknowledged, and what was said."""
    told: set[str] = set()
    said: list[str] = []
    hooks = Hooks(kept=lambda game, _: told.add(game.slot.id), tell=said.append)
    with disk_of(size):
        try:
            store = Store.create(path, make(GAMES))
        except OSError as trouble:
            return told, [str(trouble)]
        store.connection.execute("PRAGMA wal_autocheckpoint = 12")  # the store grows as well
        try:
            Run(store, Here(GAMES), hooks).go()
        except DiskTrouble as trouble:
            said.append(str(trouble))
        finally:
            store.close()
    return told, said


def check_and_go_on(path: Path, told: set[str], expected: list) -> None:
    """The store is whole and has every acknowledged game; the same run completes it."""
    store = Store.create(path, make(GAMES))
    assert verify(store) == []
    assert told <= {game.slot.id for game in store.played()}
    assert Run(store, Here(GAMES)).go() == "complete"
    assert Standings.of(store.config, store.played()).table() == expected
    assert verify(store) == []
    store.close()


def full_disk(path: Path, size: int, expected: list) -> bool:
    """Whether the disk was full before the end."""
    told, said = run_until_full(path, size)
    if len(told) < GAMES:
        assert re.search("full|disk I/O error|File too large", said[-1]), said
        assert str(path) in said[-1]
    check_and_go_on(path, told, expected)
    return len(told) < GAMES


@pytest.mark.parametrize("size", [0, 100, 5000, 33_000, 40_000, 52_000, 60_000, 10_000_000])
def test_a_full_disk(tmp_path: Path, size: int, expected: list) -> None:
    assert full_disk(tmp_path / "a.sqlite", size, expected) == (size < 10_000_000)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_three_hundred_full_disks(tmp_path: Path, expected: list) -> None:
    rng = random.Random(3)
    sizes = [rng.randrange(70_000) for _ in range(300)]
    full = [full_disk(tmp_path / f"{n}.sqlite", size, expected) for n, size in enumerate(sizes)]
    assert sum(full) > 150


def test_a_run_pauses_and_goes_on_when_there_is_room_again(tmp_path: Path, expected: list) -> None:
    store = Store.create(tmp_path / "a.sqlite", make(GAMES))
    said: list[str] = []
    free = resource.getrlimit(resource.RLIMIT_FSIZE)

    def tell(message: str) -> None:
        said.append(message)
        resource.setrlimit(resource.RLIMIT_FSIZE, free)  # somebody has made room

    with disk_of(0):
        assert Run(store, Here(GAMES), Hooks(tell=tell)).go() == "complete"
    assert len(said) == 1
    assert "cannot write" in said[0]
    assert "trying again in 0 s" in said[0]
    assert Standings.of(store.config, store.played()).table() == expected
    assert verify(store) == []
    store.close()


def test_the_command_says_what_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "a.sqlite"
    match = ("match", "random", "random", "--game", "tic_tac_toe", "--games", "100",
             "--workers", "1", "--store", store)  # fmt: skip
    with disk_of(120_000):
        assert call(*match) == 1
    said = capsys.readouterr().err
    assert "trying again" in said
    assert f"sylve: {store}: " in said
    assert "of 100 games are saved; run the same command to resume" in said
    assert call(*match) == 0
    assert call("tournament", "verify", store) == 0
    assert capsys.readouterr().out.endswith("all replayed, all checksums correct\n")


@pytest.fixture
def finished(tmp_path: Path) -> Iterator[Path]:
    """A store that was closed, on a disk that cannot be written."""
    folder = tmp_path / "disk"
    store = Store.create(folder / "a.sqlite", make(4))
    Run(store, Here(4)).go()
    store.close()
    (folder / "a.sqlite").chmod(0o444)
    folder.chmod(0o555)
    yield folder / "a.sqlite"
    folder.chmod(0o755)


def test_a_finished_store_on_a_read_only_disk(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = listing(finished.parent)
    targets = {
        "status": [], "verify": [], "export": [tmp_path / "games.csv"],
        "report": [tmp_path / "page.html"], "backup": [tmp_path / "copy.sqlite"],
    }  # fmt: skip
    with obeying():
        for command, target in targets.items():
            assert call("tournament", command, finished, *target) == 0, capsys.readouterr().err
            assert all(path.stat().st_size for path in target)
        with pytest.raises(PermissionError, match="read-only"):
            Store.create(finished, make(4))
    assert listing(finished.parent) == known
    copy = Store.read(tmp_path / "copy.sqlite")
    assert verify(copy) == []
    copy.connection.close()


def test_a_finished_store_on_a_full_disk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.sqlite"
    store = Store.create(path, make(4))
    Run(store, Here(4)).go()
    store.close()
    with disk_of(0):
        for command in ("status", "verify"):
            assert call("tournament", command, path) == 0, capsys.readouterr().err


def test_a_store_with_a_log_on_a_read_only_disk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is in the log only would be missing: that is said, and nothing is shown."""
    store = Store.create(tmp_path / "a.sqlite", make(4))
    Run(store, Here(4)).go()
    folder = tmp_path / "disk"
    folder.mkdir()
    for name in ("a.sqlite", "a.sqlite-wal"):
        shutil.copy(tmp_path / name, folder / name)
    store.close()
    folder.chmod(0o555)
    with obeying():
        assert call("tournament", "status", folder / "a.sqlite") == 1
    folder.chmod(0o755)
    out, said = capsys.readouterr()
    assert out == ""
    assert "was not closed, and its log cannot be read where nothing can be written" in said
    assert call("tournament", "verify", folder / "a.sqlite") == 0


def test_a_backup_that_does_not_fit_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.create(tmp_path / "a.sqlite", make(GAMES))
    Run(store, Here(GAMES)).go()
    store.close()
    known = listing(tmp_path)
    for size in (0, 100, 5000, 33_000, 40_000):
        with disk_of(size):
            assert call("tournament", "backup", tmp_path / "a.sqlite", tmp_path / "b.sqlite") == 1
        said = capsys.readouterr().err
        assert said.startswith("sylve: ")
        assert len(said.splitlines()) == 1
        left = listing(tmp_path).keys() - known.keys()
        assert left <= {"a.sqlite-shm", "a.sqlite-wal"}, "SQLite's own, and empty"


@pytest.mark.parametrize("link", ["symbolic", "hard"])
def test_a_lock_writes_to_nothing_but_a_lock(tmp_path: Path, link: str) -> None:
    precious, store = tmp_path / "precious", tmp_path / "a.sqlite"
    precious.write_text("precious")
    lock = tmp_path / "a.sqlite.lock"
    (os.symlink if link == "symbolic" else os.link)(precious, lock)
    with pytest.raises(ValueError, match=r"a\.sqlite\.lock is (not the|a symbolic link, not the)"):
        Store.create(store, make(4))
    assert precious.read_text() == "precious"
    lock.unlink()
    lock.write_text("notes of somebody")
    with pytest.raises(ValueError, match="is not the lock of a store"):
        Store.create(store, make(4))
    assert lock.read_text() == "notes of somebody"
    lock.unlink()
    os.mkfifo(lock)
    with pytest.raises((ValueError, OSError)):
        Store.create(store, make(4))
    assert stat.S_ISFIFO(lock.lstat().st_mode)
    lock.unlink()
    Store.create(store, make(4)).close()
    Store.create(store, make(4)).close()
