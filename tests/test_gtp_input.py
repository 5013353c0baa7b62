"""What a session reads: how much it keeps, and words that are easily written otherwise."""

from __future__ import annotations

import threading
import time

import pytest

from gtp_session import converse, split
from sylve import Position, parse_search
from sylve.errors import IllegalMove
from sylve.grammar import Unreadable, read_call
from sylve.gtp.protocol import LONGEST_LINE
from sylve.gtp.session import CHUNK, LINE_BYTES, WAITING_BYTES, Lines
from sylve.search import search

COLOURS = {"b": "x", "w": "o"}


class Flood:
    """Somebody who sends the same for ever, and never waits for an answer."""

    def __init__(self, line: bytes) -> None:
        self.block = (line * (CHUNK // len(line) + 1))[: CHUNK - CHUNK % len(line) or CHUNK]
        self.sent = 0
        self.over = threading.Event()

    def read(self, size: int) -> bytes:
        if self.over.is_set():
            return b""
        block = self.block[:size]
        self.sent += len(block)
        return block


def settled(flood: Flood) -> int:
    """How much was read once nothing more is read."""
    before = -1
    while before != flood.sent:
        before = flood.sent
        time.sleep(0.3)
        assert flood.sent < 100 << 20, "it reads without end"
    return before


@pytest.mark.parametrize(
    "line", [b"\n", b"name\n", b"x" * 1000 + b"\n", b"y" * (CHUNK - 1) + b"\n"], ids=len
)
def test_what_waits_is_bounded_in_bytes(line: bytes) -> None:
    flood = Flood(line)
    lines = Lines(flood.read)
    sent = settled(flood)
    assert sent <= WAITING_BYTES + 2 * CHUNK
    assert lines.bytes <= WAITING_BYTES
    assert len(lines.waiting) * (len(line) - 1 + LINE_BYTES) == lines.bytes
    for _ in range(100_000):  # it reads on when there is room
        assert lines.next() == line[:-1]
        if flood.sent > sent:
            break
    assert flood.sent > sent
    flood.over.set()
    while lines.next() is not None:
        pass
    lines.thread.join(30)
    assert not lines.thread.is_alive()


def test_one_line_may_be_longer_than_what_may_wait() -> None:
    long = b"z" * (LONGEST_LINE + CHUNK)
    parts = [long[at : at + CHUNK] for at in range(0, len(long), CHUNK)] + [b"\nname\n", b""]
    lines = Lines(lambda size: parts.pop(0))
    assert len(lines.next() or b"") > LONGEST_LINE
    assert lines.next() == b"name"
    assert lines.next() is None


@pytest.mark.parametrize(
    "word", ["1__0", "1_", "\uff11", "\u0663", "1__0.5", "9" * 5000, "1e5__0", "+_1"]
)
def test_numbers_that_are_none(word: str) -> None:
    text = f"hex(size={word})"
    with pytest.raises(Unreadable, match="invalid 'hex"):
        read_call(text)
    for line in (f"set_game {text}", f"set_random_seed {word}"):
        (answer,) = split(converse(f"{line}\n".encode()))
        assert answer.mark == "?"
        assert "internal error" not in answer.text
        assert "invalid" in answer.text or "seed must be" in answer.text


def test_numbers_that_are_some() -> None:
    assert read_call("a(1_000, -5, +7, .5, 1., 1_0.5, 2e-3, 1E5)").arguments == (
        1000, -5, 7, 0.5, 1.0, 10.5, 0.002, 1e5,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("game", "colour", "move", "reply"),
    [
        ("go", "b", "C3", "D4"),
        ("othello", "b", "f5", "d6"),
        ("connect_four", "b", "4", "4"),
        ("hex(size=5)", "b", "c3", "a1"),
        ("tic_tac_toe", "b", "b2", "a1"),
        ("breakthrough", "w", "a2-a3", "a7-a6"),  # White is the first player there: x
    ],
)
def test_the_signs_of_the_board_are_colours(game: str, colour: str, move: str, reply: str) -> None:
    other = "wb"["bw".index(colour)]
    by_colour = (
        f"play {colour} {move}\nplay {other} {reply}\nlegal_moves {colour}\nis_legal {other} {move}"
        f"\ntime_left {colour} 9 0\nreg_genmove {colour}\nlz-genmove_analyze {colour} 0 avoid "
        f"{other} {reply} 1\nundo\ngogui-play_sequence {colour} pass\nsylve-position\n"
    )
    by_sign = (
        f"play x {move}\nplay O {reply}\nlegal_moves x\nis_legal o {move}\ntime_left X 9 0\n"
        f"reg_genmove x\nlz-genmove_analyze x 0 avoid o {reply} 1\nundo\n"
        "gogui-play_sequence X pass\nsylve-position\n"
    )
    first = split(converse(by_colour.encode(), game, "flat(300)"))
    second = split(converse(by_sign.encode(), game, "flat(300)"))
    assert first == second
    assert [answer.mark for answer in first[:3]] == ["="] * 3


# A position with some of its moves.


@pytest.mark.parametrize("how", ["uct(200)", "flat(200)", "rave(200)", "alpha_beta(3)"])
def test_a_search_looks_at_the_moves_that_are_left(how: str) -> None:
    position = Position.start("connect_four").play("4")
    few = position.restricted(["2", 5])
    assert few.names == ("2", "6")
    assert few == position
    assert few.play("2") == position.play("2")
    assert len(few.play("2").moves) == 7
    for engine in ("rust", "python"):
        report = search(few, parse_search(how), engine=engine)  # type: ignore[arg-type]
        assert [entry.name for entry in report.moves] == ["2", "6"]
        assert report.best in few.moves


def test_restricting_a_position() -> None:
    import copy
    import pickle

    position = Position.start("go(size=5)")
    few = position.restricted(["C3", "D4", "C3"])
    assert few.restricted(["D4"]).names == ("D4",)
    assert pickle.loads(pickle.dumps(few)).moves == copy.deepcopy(few).moves == few.moves
    assert position.moves != few.moves
    for wrong in (["A9"], [999], ["pass", -1]):
        with pytest.raises(ValueError, match="A9|illegal move"):
            position.restricted(wrong)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        few.restricted(["E5"])
    with pytest.raises(IllegalMove):
        few.play("E5")
    with pytest.raises(IllegalMove, match="no move is left"):
        few.restricted([])
