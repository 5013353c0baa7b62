"""A power cut at any instant: the store opens, is whole, and has every acknowledged game.

A kill does not show this: what a process has written is in the memory of the system, and stays
there. So a run is recorded, write by write and flush by flush, by a small library that stands
before the C library (tests/power_cut/recorder.c; SQLite itself is the usual one, and does not
know). Then the record is played again up to an instant, on a disk that has forgotten any part of
what was not flushed (tests/power_cut/disk.py), and the store is opened as after a restart. The
shared memory beside the log is left out: SQLite makes it anew.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "power_cut"
sys.path.insert(0, str(HERE))

from disk import CHOICES, Choice, Deed, Disk, dropped, read_deeds  # noqa: E402
from driver import make  # noqa: E402

from sylve.arena.store import Store  # noqa: E402
from sylve.arena.verify import verify  # noqa: E402

GAMES = 40


def record(folder: Path, games: int, pages: int) -> Path:
    """The record of a run of so many games."""
    library, found = folder / "recorder.so", folder / "record"
    compiler = shutil.which("cc")
    assert compiler is not None, "this test needs a C compiler, as the build of the package does"
    source = str(HERE / "recorder.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    watched = folder / "watched"
    watched.mkdir()
    environment = os.environ | {
        "LD_PRELOAD": str(library), "SYLVE_RECORD": str(found), "SYLVE_WATCH": str(watched),
    }  # fmt: skip
    command = [sys.executable, str(HERE / "driver.py"), str(watched), str(games), str(pages)]
    subprocess.run(command, check=True, env=environment, timeout=3000)
    assert found.exists(), "nothing was recorded: LD_PRELOAD has no effect here"
    return found


@pytest.fixture(scope="module")
def deeds(tmp_path_factory: pytest.TempPathFactory) -> list[Deed]:
    return list(read_deeds(record(tmp_path_factory.mktemp("record"), GAMES, 12)))


def kind(deed: Deed) -> str:
    """`told`: an acknowledgement; else what its name has after that of the store."""
    if deed.path.endswith("/acknowledged"):
        return "told"
    return deed.path.rpartition("run.sqlite")[2] if "run.sqlite" in deed.path else "folder"


def test_the_record_shows_all_that_matters(deeds: list[Deed]) -> None:
    seen = {(deed.what, kind(deed)) for deed in deeds}
    assert {("w", "-wal"), ("s", "-wal"), ("w", ""), ("s", ""), ("w", "told")} <= seen
    assert any(deed.what == "d" for deed in deeds), "the folder is flushed too"
    assert ("c", "-wal") in seen
    copied = sum((deed.what, kind(deed)) == ("s", "") for deed in deeds)
    assert copied > 5, "the log was copied into the store again and again"
    assert sum(kind(deed) == "told" and deed.what == "w" for deed in deeds) == GAMES


def not_flushed(deeds: Iterator[Deed]) -> tuple[int, list[int]]:
    """How many games were acknowledged, and which of them while their log was not flushed."""
    late, told, wrong = False, 0, []
    for deed in deeds:
        if kind(deed) == "-wal":
            late = {"w": True, "s": False}.get(deed.what, late)
        elif kind(deed) == "told" and deed.what == "w":
            told += 1
            if late:
                wrong.append(told)
    return told, wrong


def test_a_game_is_acknowledged_after_its_log_is_on_the_disk(deeds: list[Deed]) -> None:
    assert not_flushed(iter(deeds)) == (GAMES, [])


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_ten_thousand_commits(tmp_path: Path) -> None:
    found = record(tmp_path, 10_000, 1000)
    assert not_flushed(read_deeds(found)) == (10_000, [])


def check(disk: Disk, told: set[str], choice: Choice, rng: random.Random, folder: Path) -> None:
    """The store as it may be found, opened as a run opens it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in disk.after_power_cut(choice, rng).items():
        if name.startswith("run.sqlite") and not name.endswith(("-shm", ".lock")):
            (folder / name).write_bytes(content)
    store = Store.create(folder / "run.sqlite", make(GAMES))
    try:
        assert verify(store) == []
        assert told <= {game.slot.id for game in store.played()}
    finally:
        store.close()


def replay(deeds: list[Deed], instants: dict[int, list[Choice]], seed: int, folder: Path) -> int:
    """Cut the power before the deeds of these numbers; how often."""
    disk, told, count = Disk(), set(), 0
    rng = random.Random(seed)
    for number, deed in enumerate([*deeds, None]):
        for choice in instants.get(number, []):
            try:
                check(disk, told, choice, rng, folder)
            except BaseException as error:
                error.add_note(f"instant {number} of {len(deeds)}, {choice.__name__}, seed {seed}")
                raise
            count += 1
        if deed is None:
            break
        if kind(deed) == "told":
            told |= set(deed.data.decode().split())
        else:
            disk.do(deed)
    return count


def test_power_cuts(deeds: list[Deed], tmp_path: Path) -> None:
    rng = random.Random(1)
    told = [n for n, deed in enumerate(deeds) if kind(deed) == "told" and deed.what == "w"]
    instants: dict[int, list[Choice]] = {number + 1: [dropped] for number in rng.sample(told, 12)}
    for turn in range(40):
        choices = instants.setdefault(rng.randrange(len(deeds) + 1), [])
        choices.append(CHOICES[turn % len(CHOICES)])
    assert replay(deeds, instants, 1, tmp_path / "found") == 52


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_two_thousand_power_cuts(deeds: list[Deed], tmp_path: Path) -> None:
    rng = random.Random(2)
    instants: dict[int, list[Choice]] = {
        number + 1: [dropped] for number, deed in enumerate(deeds) if kind(deed) == "told"
    }
    count = sum(map(len, instants.values()))
    for turn in range(2000):
        choices = instants.setdefault(rng.randrange(len(deeds) + 1), [])
        choices.append(CHOICES[turn % len(CHOICES)])
    assert replay(deeds, instants, 2, tmp_path / "found") == 2000 + count
