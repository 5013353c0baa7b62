"""Games that fail: the same refusal in both engines, and nothing of the search is kept for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sylve import Position, Searcher, Uct, search
from test_check_game import Nim

TESTS = Path(__file__).parent
FAILING = """
import gc, sys
from pathlib import Path
from sylve import *
from test_check_game import Nim

class Failing(Nim):
    def start(self):
        return (15, super().start()[1])
    def __init__(self, method, answer):
        self.method, self.answer, self.calls = method, answer, 0
    def hash(self, state):
        return hash(state) & 0xFFFFFFFF
    def code(self, state, move):
        return 2 * move + state[1]

def broken(method):
    plain = getattr(Failing, method)
    def call(self, *arguments):
        if method == self.method:
            self.calls += 1
            if self.calls > 6:
                if self.answer is None:
                    raise OSError("the disk is full")
                return self.answer
        return plain(self, *arguments)
    return call

for method in ("moves", "play", "turn", "outcome", "hash", "code"):
    setattr(Failing, method, broken(method))

GARBAGE = {"moves": [0.5], "turn": "black", "outcome": "x", "hash": "x", "code": "x", "play": "x"}
CASES = [
    (method, answer, engine, threads, begin)
    for method in GARBAGE
    for answer in (None, GARBAGE[method])
    for engine, threads in (("rust", 1), ("rust", 2), ("python", 1), ("python", 2))
    for begin in ("run", "start")
]

def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])

def fail(number):
    method, answer, engine, threads, begin = CASES[number % len(CASES)]
    game = Failing(method, answer)
    searcher = Searcher(Position.start(game), Rave(solver=False), engine=engine, threads=threads)
    try:
        searcher.run(300) if begin == "run" else searcher.start(300).result()
    except Exception as error:
        if kept is not None:
            kept.append(error)
    else:
        raise AssertionError(CASES[number % len(CASES)])

warm, count, control = sys.argv[1:]
kept = [] if control == "keep" else None
def resident_after(count):
    for number in range(count):
        fail(number)
        if number % 100 == 0:
            gc.collect()  # else the heap grows with what waits for the collector
    gc.collect()
    return resident()

print(resident_after(int(warm)), resident_after(int(count)))
"""


def growth(warm: int, count: int, control: str = "drop") -> tuple[int, int]:
    """KiB that a process takes before and after so many searches that fail."""
    command = [sys.executable, "-c", FAILING, str(warm), str(count), control]
    # Each new thread may get a heap of its own, which is kept: that is no leak.
    one_heap = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, env=one_heap)
    assert done.returncode == 0, done.stderr
    before, after = map(int, done.stdout.split())
    return before, after


def test_failing_searches_keep_nothing() -> None:
    before, after = growth(192, 288)
    assert after - before < 3 * 1024, f"{before} KiB, then {after} KiB"


def test_what_is_kept_is_seen() -> None:
    """The control: as many searches whose errors are kept, and with these the searches."""
    before, after = growth(192, 288, "keep")
    assert after - before > 6 * 1024, f"{before} KiB, then {after} KiB"


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_10000_failing_searches_keep_nothing() -> None:
    before, after = growth(3000, 10_000)
    assert after - before < 0.01 * before, f"{before} KiB, then {after} KiB"


def test_a_failed_search_says_so_again() -> None:
    class Broken(Nim):
        calls = 0

        def moves(self, state: Any) -> list[int]:
            self.calls += 1
            if self.calls > 50:
                raise OSError("the disk is full")
            return super().moves(state)

    searcher = Searcher(Position.start(Broken()), Uct(solver=False), engine="rust")
    with pytest.raises(OSError, match="the disk is full"):
        searcher.run(1000)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="its game has failed: OSError.'the disk is full'"):
            searcher.run(1000)
    assert searcher.report().playouts > 0


GOOD: list[Any] = [
    [1, 2],
    (1, 2),
    range(1, 3),
    [True, 2],
    [np.int64(1), np.uint8(2)],
    np.array([1, 2]),
]
BAD: list[Any] = [
    *[[0.5], [1.0], [-1], [70_000], [65_536], [2**70], ["1"], [None], [np.float64(1.0)]],
    *[None, 7, {1, 2}, {1: 2}, iter([1]), np.array([0.5]), "12"],
]


class Answering(Nim):
    """A game whose `moves`, or `playout_moves`, answer something else after a while."""

    def __init__(self, method: str, answer: object, after: int) -> None:
        self.method, self.answer, self.after, self.calls = method, answer, after, 0

    def given(self, method: str, state: Any) -> Any:
        if method == self.method and state[0] >= 2:
            self.calls += 1
            if self.calls > self.after:
                return self.answer
        return super().moves(state)

    def moves(self, state: Any) -> Any:
        return self.given("moves", state)

    def playout_moves(self, state: Any) -> Any:
        return self.given("playout_moves", state)


@pytest.mark.parametrize("answer", BAD, ids=lambda one: repr(one).partition(" object at")[0])
@pytest.mark.parametrize("method", ["moves", "playout_moves"])
@pytest.mark.parametrize("after", [0, 5])
def test_the_same_moves_are_refused_by_both_engines(
    method: str, answer: object, after: int
) -> None:
    messages, rule = set(), "must be a list of integers from 0 to 65535"
    for engine in ("rust", "python"):
        position = Position.start(Answering(method, answer, after))
        with pytest.raises(ValueError, match=rule) as caught:
            search(position, Uct(200, solver=False), engine=engine)
        messages.add(str(caught.value))
    assert messages == {f"{method}() {rule}, not {answer!r}"}


@pytest.mark.parametrize("answer", GOOD, ids=repr)
def test_the_same_moves_are_taken_by_both_engines(answer: object) -> None:
    reports = [
        search(Position.start(Answering("moves", answer, 0)), Uct(300, seed=2), engine=engine)
        for engine in ("rust", "python")
    ]
    assert reports[0].moves == reports[1].moves
    assert all(type(entry.move) is int for entry in reports[0].moves)
