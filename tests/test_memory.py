"""The bound of the memory: what the process takes, and that values keep their meaning there."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sylve import AmafUct, Grave, Position, Rave, Search, Searcher, Uct

MIB = 1 << 20
TESTS = str(Path(__file__).parent)
MEASURE = """
import sys
from test_memory import peak_of
from sylve import Position, Searcher, parse_search

game, how, memory, threads, parallel, kept = sys.argv[1:]
position, how = Position.start(game), parse_search(how)
bound = int(memory) if kept == "bound" else None
options = {"threads": int(threads), "parallel": parallel, "memory": bound}
Searcher(position, how, **options).run(2000)  # warm: what is imported late does not count

def beyond():
    global report
    searcher = Searcher(position, how, **options)
    report = searcher.run(10_000)
    while not report.full and searcher.report().bytes < 2 * int(memory):
        report = searcher.run(max(10_000, report.playouts // 4))
    report = searcher.run(report.playouts // 4)

print(peak_of(beyond), report.full)
"""


def status(name: str) -> int:
    """A line of what the kernel says of this process, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1]) * 1024


def peak_of(act: Callable[[], object]) -> int:
    """By how much this process grows at its peak."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again here
    before = status("VmRSS")
    act()
    return status("VmHWM") - before


def in_a_process(program: str, *arguments: str) -> str:
    """What a program prints, in a process of its own."""
    command = [sys.executable, "-c", program, *arguments]
    paths = [TESTS, *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def growth(game: str, how: str, memory: int, *more: str) -> tuple[int, bool]:
    """By how much a process grows at its peak, in a search well beyond the bound."""
    peak, full = in_a_process(MEASURE, game, how, str(memory), *more).split()
    return int(peak), full == "True"


def check(game: str, how: str, memory: int, threads: str = "1", parallel: str = "root") -> None:
    peak, full = growth(game, how, memory, threads, parallel, "bound")
    assert full
    assert peak <= 1.02 * memory + 8 * MIB, f"{peak / MIB:.1f} MiB"
    assert peak >= 0.5 * memory, "the budget is used"


@pytest.mark.parametrize(
    ("game", "how", "ways"),
    [
        ("breakthrough", "uct", ()),
        ("othello", "grave", ()),
        ("go", "rave", ()),
        ("connect_four", "uct", ()),  # proofs
        ("breakthrough", "grave", ("2", "root")),
        ("breakthrough", "rave", ("2", "tree")),
    ],
)
def test_a_process_stays_within_16_mib(game: str, how: str, ways: tuple[str, ...]) -> None:
    check(game, how, 16 * MIB, *ways)


def test_a_process_stays_within_64_mib() -> None:
    check("hex", "grave", 64 * MIB)


def test_blocks_that_threads_free_go_back_to_the_system() -> None:
    check("connect_four", "uct", 64 * MIB, "2", "root")


def test_without_a_bound_it_does_not() -> None:
    """The control: the measurement sees memory that is taken."""
    peak, full = growth("breakthrough", "grave", 16 * MIB, "1", "root", "free")
    assert not full
    assert peak > 1.02 * 16 * MIB + 8 * MIB


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "how", "mebibytes"),
    [
        *[("breakthrough", "uct", 16), ("breakthrough", "uct", 64), ("connect_four", "uct", 64)],
        *[("othello", "rave", size) for size in (16, 64, 256)],
        # It fills memory fastest.
        *[("hex", "grave", size) for size in (16, 64, 256, 1024)],
    ],
)
@pytest.mark.parametrize("ways", [("1", "root"), ("2", "root"), ("2", "tree")], ids="-".join)
def test_a_process_stays_within_its_budget(
    game: str, how: str, mebibytes: int, ways: tuple[str, str]
) -> None:
    check(game, how, mebibytes * MIB, *ways)


@pytest.mark.parametrize("how", [Uct(), AmafUct(), Rave(c=0.2), Grave(c=0.2)], ids=str)
@pytest.mark.parametrize("game", ["breakthrough", "othello"])
def test_values_do_not_drift_at_the_bound(game: str, how: Search) -> None:
    """Twenty times as many playouts as it took to fill the memory: the values stay.

    A search that forgets, or that counts what it should not, moves away from the free one.
    """
    position = Position.start(game)
    how = dataclasses.replace(how, seed=1, solver=False)
    bound = Searcher(position, how, memory="128KiB")
    report = bound.run(500)
    while not report.full:
        report = bound.run(500)
    last = bound.run(20 * report.playouts)
    free = Searcher(position, how).run(last.playouts)
    assert last.full
    assert not free.full
    assert sum(entry.visits for entry in last.moves) == last.playouts == free.playouts
    assert last.nodes < free.nodes / 2
    for one, other in zip(last.moves, free.moves, strict=True):
        if min(one.visits, other.visits) < last.playouts / 10:
            continue
        assert one.mean == pytest.approx(other.mean, abs=0.08)
    values = [sum(e.visits * (e.mean or 0) for e in r.moves) / r.playouts for r in (last, free)]
    assert values[0] == pytest.approx(values[1], abs=0.05)


@pytest.mark.parametrize("parallel", ["tree", "batch", "root"])
def test_every_way_has_the_bound(parallel: Any) -> None:
    position = Position.start("breakthrough")
    how = Uct(batch=16) if parallel == "batch" else Uct()
    memory = MIB if parallel == "tree" else 2 * MIB
    report = Searcher(position, how, threads=2, parallel=parallel, memory=memory).run(150_000)
    assert report.full
    assert report.playouts == sum(entry.visits for entry in report.moves) == 150_000
    assert report.bytes is not None
    assert report.bytes <= 1.3 * memory
