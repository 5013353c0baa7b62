"""The interpreter ends while searches run: exit code 0, no abort."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PROGRAM = """
import sys, threading, time
from sylve import *
from test_check_game import Nim

class Long(Nim):
    def start(self):
        return (40, super().start()[1])

engine, kind, threads, parallel, begin, seconds = sys.argv[1:]
position = Position.start("breakthrough" if kind == "board" else Long())
how = Uct(solver=False, batch=8 if parallel == "batch" else 1)
searcher = Searcher(position, how, engine=engine, threads=int(threads), parallel=parallel)
if begin == "ponder":
    searcher.ponder()
elif begin == "start":
    searcher.start(10**9)
elif begin == "thread":
    def work():
        while True:
            searcher.run(1000)
            searcher.report()
    threading.Thread(target=work, daemon=True).start()
else:
    calls = {
        "solve": lambda: solve(Position.start("hex(size=6)")),
        "perft": lambda: perft(Position.start("othello"), 16),
        "alpha_beta": lambda: search(Position.start("othello"), AlphaBeta(depth=40)),
    }
    threading.Thread(target=calls[begin], daemon=True).start()
time.sleep(float(seconds))
"""
WAYS = [
    *[("rust", "own", "1", "root"), ("rust", "own", "2", "root"), ("rust", "board", "1", "root")],
    *[("rust", "board", "2", way) for way in ("root", "batch", "tree")],
    *[("python", "own", "1", "root"), ("python", "board", "1", "root")],
    *[("python", "board", "2", way) for way in ("root", "batch")],
]
BEGINNINGS = ("ponder", "start", "thread")
CASES = [(*way, begin) for way in WAYS for begin in BEGINNINGS] + [
    ("rust", "board", "1", "root", call) for call in ("solve", "perft", "alpha_beta")
]


def leave(case: tuple[str, ...], seconds: float) -> None:
    """Run an interpreter that ends while its search runs."""
    command = [sys.executable, "-c", PROGRAM, *case, str(seconds)]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, ""), (case, done.stderr)
    if case[-1] in ("ponder", "start"):  # else Python shows what ended the user's own thread
        assert done.stderr == "", case


@pytest.mark.parametrize(
    "case", [*CASES[:3], *[(*way, "ponder") for way in WAYS[2:8]], *CASES[-3:]], ids="-".join
)
def test_leaving_with_a_search_under_way(case: tuple[str, ...]) -> None:
    leave(case, 0.05)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["own", "board"])
@pytest.mark.parametrize("engine", ["rust", "python"])
def test_200_exits(engine: str, kind: str) -> None:
    """Of all cases of an engine and a kind of game in turn, each after another time."""
    cases = [case for case in CASES if case[:2] == (engine, kind)]
    for number in range(200):
        leave(cases[number % len(cases)], 0.0007 * number)


HANGING = """
import sys, time
from sylve import *
from test_check_game import Nim

class Hanging(Nim):
    calls = 0
    def moves(self, state):
        self.calls += 1
        if self.calls > 20:
            HANG
        return super().moves(state)

searcher = Searcher(Position.start(Hanging()), Uct(solver=False), engine=sys.argv[1])
searcher.ponder()
time.sleep(0.2)
"""


@pytest.mark.parametrize("hang", ["while True: pass", "time.sleep(1000)"])
@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_game_that_hangs_is_left_behind(engine: str, hang: str) -> None:
    command = [sys.executable, "-c", HANGING.replace("HANG", hang), engine]
    began = time.monotonic()
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert time.monotonic() - began < 60


def test_the_last_thread_may_still_search() -> None:
    """What others have asked to be done at exit is done, before and after us."""
    program = """
import atexit
atexit.register(lambda: print(search(Position.start("tic_tac_toe"), Uct(50)).playouts))
from sylve import *
atexit.register(lambda: print(search(Position.start("tic_tac_toe"), Uct(60)).playouts))
searcher = Searcher(Position.start("breakthrough"), Uct())
searcher.ponder()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "60\n50\n", "")
