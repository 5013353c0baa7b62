"""`sylve demo`, which `make run` shows: what it tells, how wide it is, and in which colours."""

import json
import re

import pytest

from commands import call
from sylve import Position, solve
from sylve.cli.demo import GAME, IDEAS, MOVES
from sylve.search.text import SEARCHES
from test_screen import on_a_terminal

POSITION = Position.start(GAME).play_line(MOVES)
PARTS = ["position", "playout", "each search thinks", "solver proves", "was right"]


def test_the_story_has_its_five_parts() -> None:
    told = call("demo", columns=80).out
    headings = re.findall(r"^(\d)\. (.*)$", told, re.MULTILINE)
    assert [number for number, _ in headings] == list("12345")
    assert all(part in title for part, (_, title) in zip(PARTS, headings, strict=True))
    assert str(POSITION) in told
    assert set(IDEAS) == {*SEARCHES, "alpha_beta"}
    for name in IDEAS:
        assert re.search(rf"^{name} +\d +", told, re.MULTILINE), name
    assert "seed 0" in told


@pytest.mark.parametrize("seed", [0, 1, 4])
@pytest.mark.parametrize("playouts", [100, 2000])
def test_it_is_true(seed: int, playouts: int) -> None:
    """Who was right is decided by the exact values, whatever the searches chose."""
    words = ("demo", "--seed", str(seed), "--playouts", str(playouts))
    content = json.loads(call(*words, "--json").out)
    exact = {POSITION.name(move): value for move, value in solve(POSITION).per_move.items()}
    assert content["exact"] == exact
    best = {name for name, value in exact.items() if value == max(exact.values())}
    chosen = {found["search"].split("(")[0]: found["best"] for found in content["searches"]}
    assert content["right"] == [name for name, move in chosen.items() if move in best]
    end = POSITION.play_line(content["playout"]["moves"]).outcome
    assert end is not None
    assert content["playout"]["winner"] == (None if end.winner is None else "xo"[end.winner])
    lines = re.findall(r"^(Right|Wrong): ([a-z_, ]+)\.", call(*words).out, re.MULTILINE)
    told = [(word, name) for word, listed in lines for name in listed.split(", ")]
    assert sorted(told) == sorted(
        ("Right" if move in best else "Wrong", name) for name, move in chosen.items()
    )


def test_both_engines_tell_the_same() -> None:
    rust, python = (call("demo", "--engine", engine).out for engine in ("rust", "python"))
    changed = re.compile(r"engine \w+|looked at [\d,]+ positions|\s+")
    assert changed.sub(" ", rust) == changed.sub(" ", python)


@pytest.mark.parametrize("columns", [None, 100, 80, 60])
def test_it_fits(columns: int | None) -> None:
    told = call("demo", "--playouts", "100", columns=columns).out
    assert max(map(len, told.splitlines())) <= min(columns or 99, 99)


def test_colours_where_there_are_any() -> None:
    shown = on_a_terminal("demo", "--playouts", "100")
    assert "\x1b[36mx\x1b[0m" in shown
    assert "\x1b[1m1. The position\x1b[0m" in shown
    assert re.search(r"\x1b\[3[12]m(Right|Wrong):\x1b\[0m", shown)
    assert "\x1b" not in on_a_terminal("demo", "--playouts", "100", NO_COLOR="1")
    assert "\x1b" not in call("demo", "--playouts", "100").out
