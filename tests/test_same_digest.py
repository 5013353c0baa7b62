"""The same seed gives the same tree: every time, in every process, at every processor level."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sylve import Position, Searcher, parse_search

ROOT = Path(__file__).parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
SEARCHES = ("uct", "rave", "grave", "multi_scale_rave", "uct(batch=16)", "amaf_uct(playout=mast)")
GAMES = ("breakthrough(columns=6, rows=6)", "othello", "connect_four", "hex(size=7)", "go(size=5)")
LEVELS = ("portable", "")  # and what this processor has
PRINT = """
import sys
from sylve import Position, Searcher, parse_search
for game in sys.argv[1].split(";"):
    for text in sys.argv[2].split(";"):
        searcher = Searcher(Position.start(game), parse_search(text, seed=11))
        searcher.run(2000)
        print(searcher.digest())
"""


def digest(game: str, text: str, seed: int = 11, **ways: object) -> str:
    searcher = Searcher(Position.start(game), parse_search(text, seed=seed), **ways)  # type: ignore[arg-type]
    searcher.run(2000)
    return searcher.digest()


@pytest.mark.parametrize("text", SEARCHES)
def test_every_time(text: str) -> None:
    digests = {digest(GAMES[0], text) for _ in range(20)}
    assert len(digests) == 1
    assert digest(GAMES[0], text, seed=12) not in digests, "the control: another search is another"
    assert len({digest(GAMES[0], text, threads=2, parallel="root") for _ in range(5)}) == 1


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", SEARCHES)
def test_100_times(game: str, text: str) -> None:
    assert len({digest(game, text) for _ in range(100)}) == 1
    assert len({digest(game, text, threads=2, parallel="root") for _ in range(100)}) == 1
    if "batch" in text:
        runs = {
            digest(game, text, threads=threads, parallel="batch")
            for threads in (1, 2, 4, 8)
            for _ in range(25)
        }
        assert runs == {digest(game, text)}


def test_in_every_process_at_every_level() -> None:
    here = [digest(game, text) for game in GAMES for text in SEARCHES]
    assert len(set(here)) == len(here)
    for number, level in enumerate(LEVELS):
        environment = {**os.environ, "PYTHONHASHSEED": str(number)}
        if level:
            environment["SYLVE_CPU"] = level
        command = [sys.executable, "-c", PRINT, ";".join(GAMES), ";".join(SEARCHES)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == here


@pytest.mark.long
def test_in_every_build() -> None:
    """Built for any x86-64 and for this processor: fused operations, say, would change the tree."""
    outputs = []
    for name, flags in (("baseline", "-Ctarget-cpu=x86-64"), ("native", "-Ctarget-cpu=native")):
        environment = {
            **os.environ, "RUSTFLAGS": flags, "CARGO_TARGET_DIR": str(TARGET / f"digest-{name}")
        }  # fmt: skip
        command = ["cargo", "run", "--quiet", "--release", "-p", "sylve-core"]
        done = subprocess.run(
            [*command, "--example", "digest"],
            cwd=ROOT, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout.split())
    assert outputs[0] == outputs[1]
    # The same searches as here, through Python: the builds are of this code.
    assert outputs[0] == [digest(game, "uct") for game in GAMES]
