"""Ctrl-C at any instant, in any call that takes time: afterwards the searcher can be used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PROGRAM = """
import faulthandler, os, random, signal, sys, tempfile, threading, time
from pathlib import Path
from sylve import *
from hooked import Hooked

engine, kind, threads, parallel, count = sys.argv[1:]
faulthandler.dump_traceback_later(60 + int(count), exit=True)  # it hangs
position = Position.start("breakthrough(columns=5, rows=5)" if kind == "board" else Hooked())
how = Uct(solver=False, batch=8 if parallel == "batch" else 1)
chance = random.Random(3)
path = Path(tempfile.mkdtemp()) / "search.sylve"

def new():
    searcher = Searcher(position, how, engine=engine, threads=int(threads), parallel=parallel)
    searcher.run(300)
    return searcher

def pondering(act):
    def call():
        searcher.ponder()
        while True:
            act()
            time.sleep(0)
    return call

def stream():
    for _ in searcher.stream(10**9, interval=0.001):
        pass

calls = {
    "run": lambda: searcher.run(10**9),
    "short runs": lambda: searcher.run(8),
    "result": lambda: searcher.start(10**9).result(),
    "short results": lambda: searcher.start(8).result(),
    "stream": stream,
    "report": pondering(lambda: searcher.report()),
    "idle report": lambda: searcher.report(),
    "digest": lambda: searcher.digest(),
    "tree": lambda: str(searcher.tree()),
    "save": lambda: searcher.save(path),
    "load": lambda: path.exists() and Searcher.load(path, game=position.game),
    "advance": lambda: advance(),
}

def advance():
    here = searcher.position
    going_on = [move for move in here.moves if len(here.play(move).moves) > 1]  # else no search
    if going_on:
        searcher.advance(going_on[0])

def send(delay, armed):
    armed.wait()
    time.sleep(delay)
    os.kill(os.getpid(), signal.SIGINT)

interrupted = dict.fromkeys(calls, 0)
searcher = new()
for number in range(int(count)):
    name = list(calls)[number % len(calls)]
    armed = threading.Event()
    thread = threading.Thread(target=send, args=(0.02 * chance.random(), armed))
    thread.start()
    try:
        armed.set()
        while True:
            calls[name]()
            if name == "advance" and len(searcher.position.played) > 2:
                searcher = new()
            if searcher.position.outcome is not None:
                searcher = new()
    except KeyboardInterrupt:
        interrupted[name] += 1
    thread.join()
    searcher.stop()
    while searcher.running:  # in the background
        time.sleep(0.001)
    report = searcher.report()
    if not searcher.position.played:  # else it forgets some
        assert sum(entry.visits for entry in report.moves) == report.playouts, (name, report)
    after = searcher.run(16)
    assert after.playouts == report.playouts + 16, name
    searcher.digest()
    str(searcher.tree())
    found = []
    other = threading.Thread(target=lambda: found.append(searcher.report()))  # no lock is held
    other.start()
    other.join(30)
    assert found and found[0].playouts == after.playouts, name
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, name
    while threading.active_count() > 1:  # no thread is left
        time.sleep(0.001)
assert sum(interrupted.values()) == int(count), interrupted
print("ok")
"""
WAYS = [
    *[("rust", "board", "1", "root"), ("rust", "own", "1", "root")],
    *[("python", "board", "1", "root"), ("python", "own", "1", "root")],
]
THREADED = [
    *[("rust", "board", "2", way) for way in ("root", "batch", "tree")],
    ("python", "board", "2", "root"),
]


def check(way: tuple[str, ...], count: int) -> None:
    command = [sys.executable, "-c", PROGRAM, *way, str(count)]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_24_interrupts_of_every_call(way: tuple[str, ...]) -> None:
    check(way, 24)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("way", WAYS + THREADED, ids="-".join)
def test_500_interrupts_of_every_call(way: tuple[str, ...]) -> None:
    check(way, 500)
