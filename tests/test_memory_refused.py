"""The system refuses memory (RLIMIT_AS): `MemoryError`, never an abort, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
from pathlib import Path
from sylve import *
from sylve import _core

def size():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmSize:")).split()[1]) * 1024

def bound(mebibytes):
    limit = size() + mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

def run(searcher, mebibytes):
    searcher.run(1000)  # its threads have been there once
    bound(mebibytes)
    try:
        searcher.run(10**9)
    except MemoryError as error:
        report = searcher.report()
        assert report.stopped == "interrupted"
        assert sum(entry.visits for entry in report.moves) == report.playouts > 1000
        print(error)

"""
SEARCHES = {
    "uct": 'Searcher(Position.start("breakthrough"), Uct(solver=False))',
    "grave": 'Searcher(Position.start("hex"), Grave())',
    "rave with draws": 'Searcher(Position.start("othello"), Rave())',
    "batch": 'Searcher(Position.start("go"), Uct(batch=16), threads=2, parallel="batch")',
    "root": 'Searcher(Position.start("breakthrough"), Uct(), threads=2, parallel="root")',
    "tree": 'Searcher(Position.start("breakthrough"), Uct(), threads=2, parallel="tree")',
}
OTHERS = {
    "alpha-beta": """
bound(64)
search(Position.start("othello"), AlphaBeta(depth=3, table=1 << 28))
""",
    "table of Breakthrough": """
bound(8)
_core.breakthrough_table(5, 5, 1)
""",
    "threads": """
searcher = Searcher(Position.start("go"), Uct(), threads=64, parallel="root")
bound(64)
searcher.run(10)
""",
}
SOLVERS = {
    "hex": 'solve(Position.start("hex(size=5)"), seconds=2)',
    "connect_four": 'solve(Position.start("connect_four(columns=6, rows=5)"), seconds=2)',
    "breakthrough": 'solve(Position.start("breakthrough(columns=5, rows=5)"), seconds=2)',
    "othello": 'solve(Position.start("othello(size=6)"), seconds=2)',
}


def output(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + program], capture_output=True, text=True, timeout=250
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


def check_tree(search: str) -> None:
    try:
        text = output(f"run({SEARCHES[search]}, 32)")
    except AssertionError as ended:
        # Two threads may meet the end at once: a small allocation that is refused ends the process
        # (docs/promises.md, "Not promised"). Once in a while, not twice in a row.
        if search != "tree" or "memory allocation of" not in str(ended):
            raise
        text = output(f"run({SEARCHES[search]}, 32)")
    assert text == "the system has no memory left for the tree; memory= bounds it\n"


@pytest.mark.parametrize("search", ["uct", "tree"])
def test_a_tree(search: str) -> None:
    check_tree(search)


@pytest.mark.long
@pytest.mark.parametrize("search", SEARCHES)
def test_every_tree(search: str) -> None:
    check_tree(search)


@pytest.mark.parametrize("what", OTHERS)
def test_a_table(what: str) -> None:
    code = "\n    ".join(OTHERS[what].strip().splitlines())
    text = output(f"try:\n    {code}\nexcept MemoryError as error:\n    print(error)\n")
    assert text.startswith("the system has no memory for the ")


@pytest.mark.parametrize("game", SOLVERS)
def test_a_solver_keeps_what_it_has(game: str) -> None:
    assert output(f"bound(40)\nprint({SOLVERS[game]}.nodes > 0)") == "True\n"


def test_without_a_limit_it_goes_on() -> None:
    """The control: the same searches end by their playouts."""
    program = f"print({SEARCHES['uct']}.run(300_000).stopped)"
    assert output(program) == "playouts\n"
