"""`sylve gtp`: the protocol, every command, live analysis, random sessions."""

from __future__ import annotations

import dataclasses
import io
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_session import TST, converse, read_expectations, split
from helpers import GAMES
from sylve import Position, Search, Uct, parse_search, search
from sylve.games import load_game
from sylve.gtp import session, thinking
from sylve.gtp.commands import Stream
from sylve.gtp.engine import Engine
from sylve.gtp.protocol import LONGEST_LINE, Command, frame, parse
from sylve.gtp.thinking import seed_of_ply
from sylve.records import read_record

SYLVE = Path(sys.executable).with_name("sylve")
FILES = sorted(TST.glob("*.tst"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_expectations(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moves = ";B[cc];W[bc];B[dc];W[bd];B[]"
    Path("game.sgf").write_text(f"(;GM[1]SZ[5]KM[0.5]{moves})")
    Path("bad.sgf").write_text("(;GM[1]SZ[5];B[cc];W[cc])")
    Path("game.txt").write_text("# game: connect_four\n4 4 3 3\n")
    how = "rave(100)" if path.stem == "analyze" else "uct(400)"
    output = converse(path.read_bytes(), how=how)
    answers = {answer.id: answer for answer in split(output) if answer.id}
    wrong = [
        f"{one.command!r}: not {'!' * one.negated}{one.pattern!r}: {answers[one.number]}"
        for one in read_expectations(path)
        if not one.holds(answers[one.number])
    ]
    assert not wrong, "\n".join(wrong)


def test_there_are_enough_expectations() -> None:
    assert sum(len(read_expectations(path)) for path in FILES) >= 300


# The frame.


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b"name\r\n", Command("", "name")),
        (b"  12   play\tb  D4\n", Command("12", "play", ("b", "D4"))),
        (b"na\x00me\x07 a\x1bb\n", Command("", "name", ("ab",))),
        (b"7\n", Command("7", "")),
        (b"007 name # 8 version", Command("007", "name")),
        (b"-1 name", Command("", "-1", ("name",))),
        (b"# 7 name\n", None),
        (b" \t\r\n", None),
        (b"\x00\n", None),
        (b"", None),
        ("play b \u00e9\u2028".encode(), Command("", "play", ("b", "\u00e9"))),
        (b"play b \xff\xfe", Command("", "play", ("b", "\ufffd\ufffd"))),
    ],
)
def test_lines(line: bytes, command: Command | None) -> None:
    assert parse(line) == command


@given(st.text(), st.booleans(), st.from_regex("[0-9]{0,5}", fullmatch=True))
def test_a_response_has_one_empty_line_at_its_end(text: str, good: bool, number: str) -> None:
    whole = frame(number, good, text)
    assert whole.endswith("\n\n")
    assert whole.count("\n\n") == 1
    assert whole.startswith(("=" if good else "?") + number)


def test_empty_input_and_comments_are_not_answered() -> None:
    assert converse(b"") == ""
    assert converse(b"\n\n# comment\n \t \n\r\n") == ""
    assert converse(b"name") == "= sylve\n\n"  # without an end of line
    assert converse(b"1 quit\n2 name\n") == "=1\n\n"


def test_a_line_that_is_too_long_is_answered() -> None:
    long = b"1 play b " + b"D" * (3 * LONGEST_LINE) + b"\n2 name\n"
    refused, name = split(converse(long))
    assert (refused.mark, name.text) == ("?", "sylve")
    assert "line too long" in refused.text


def test_a_fault_of_ours_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    engine = Engine(load_game("go"), Uct(10))
    engine.commands["name"] = lambda words: str(1 // len(words))
    output = io.BytesIO()
    session.serve(engine, io.BytesIO(b"1 name\n2 protocol_version\n").read, output)
    first, second = split(output.getvalue().decode())
    assert first.text == "internal error: ZeroDivisionError: integer division or modulo by zero"
    assert second.text == "2"
    assert "ZeroDivisionError" in capsys.readouterr().err


# Random sessions: whatever comes, every command gets one response, and nothing ends the session.

COLOUR = st.sampled_from(["b", "w", "B", "white", "black", "x", ""])
VERTEX = st.sampled_from(
    [
        "pass",
        "D4",
        "a1",
        "b2",
        "c3",
        "T19",
        "4",
        "swap-pieces",
        "a2-a3",
        "resign",
        "f5",
        "-",
        "\x00",
    ]
)
NUMBER = st.sampled_from(["0", "1", "3", "5", "9", "-1", "1e9", "99999999999999999999", "x", "0.5"])
GAME = st.sampled_from(
    [*(game for game in GAMES if "19" not in game and "13" not in game), "chess"]
)
NAMES = sorted(set(Engine(load_game("go"), Uct(10)).commands) - {"quit", "loadsgf", "printsgf"})
WORD = st.one_of(COLOUR, VERTEX, NUMBER, GAME, st.text(max_size=6))
LINE = st.one_of(
    st.builds(lambda a, b: f"play {a} {b}", COLOUR, VERTEX),
    st.builds(lambda a: f"genmove {a}", COLOUR),
    st.builds(lambda a: f"set_game {a}", GAME),
    st.builds(
        lambda a, b: f"{a} {' '.join(b)}", st.sampled_from(NAMES), st.lists(WORD, max_size=4)
    ),
    st.sampled_from(
        ["undo", "printsgf", "showboard", "final_score", "legal_moves", "lz-analyze 0"]
    ),
    st.text(max_size=20),
    st.sampled_from(["", "#", "# 3 name", "\t", "\x00\x01", "# interrupt"]),
)


SESSION = st.lists(st.tuples(st.one_of(st.none(), st.integers(0, 10**9)), LINE), max_size=25)


@given(SESSION, GAME)
@settings(max_examples=120, deadline=None)
def test_random_sessions(lines: list[tuple[int | None, str]], game: str) -> None:
    check_session(lines, game)


@pytest.mark.long
@pytest.mark.timeout(1800)
@given(SESSION, GAME)
@settings(max_examples=10_000, deadline=None)
def test_many_random_sessions(lines: list[tuple[int | None, str]], game: str) -> None:
    check_session(lines, game)


def check_session(lines: list[tuple[int | None, str]], game: str) -> None:
    text = "".join(
        f"{'' if number is None else number} {line}".replace("\n", " ").replace("\r", " ") + "\n"
        for number, line in lines
    )
    data = f"set_game {game}\n{text}999 name\n".encode(errors="replace")
    commands = [command for line in data.split(b"\n") if (command := parse(line))]
    responses = split(converse(data, "tic_tac_toe", "rave(5)"))
    assert [response.id for response in responses] == [command.id for command in commands]
    assert responses[-1].text == "sylve"
    assert not any("internal error" in response.text for response in responses)


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_random_bytes(data: bytes) -> None:
    commands = [command for line in data.split(b"\n") if (command := parse(line))]
    if any(command.name == "quit" for command in commands):
        return
    responses = split(converse(data + b"\n7 name\n", "tic_tac_toe", "uct(5)"))
    assert [response.id for response in responses[:-1]] == [command.id for command in commands]


# Searches.


def test_genmove_is_the_search_and_can_be_repeated() -> None:
    said = [
        response.text
        for response in split(converse(b"set_random_seed 5\ngenmove b\ngenmove w\n", "othello"))
    ][1:]
    first = search(Position.start("othello"), parse_how("rave(100)", 5, 0))
    second = search(first.position.play(first.best), parse_how("rave(100)", 5, 1))
    assert said == [first.best_name, second.best_name]


def parse_how(text: str, seed: int, ply: int) -> Search:
    return dataclasses.replace(parse_search(text), seed=seed_of_ply(seed, ply))


def test_printsgf_is_a_record() -> None:
    *_, printed = split(converse(b"play b f5\nplay w d6\nprintsgf\n", "othello"))
    assert read_record(printed.text).names == ("f5", "d6")


def test_time_shortens_a_search() -> None:
    lines = b"time_settings 1 0 0\ngenmove b\ntime_left w 0 0\ngenmove w\n"
    began = time.monotonic()
    *_, last = split(converse(lines, "go", "uct(100000000)"))
    assert re.fullmatch("[A-J][1-9]", last.text)
    assert time.monotonic() - began < 100  # it would take hours


def test_memory_stops_an_analysis_not_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "LARGEST_TREE", 100_000)
    monkeypatch.setattr(thinking, "LOOK_SECONDS", 0.1)
    engine = Engine(load_game("go"), Uct(nodes=10**9))
    assert re.fullmatch("[A-J][1-9]", engine.answer(Command("", "reg_genmove", ("b",))))
    assert engine.known
    assert engine.known.full
    assert (engine.known.bytes or 0) >= 90_000
    stream = engine.answer(Command("", "lz-analyze", ("0",)))
    assert isinstance(stream, Stream)
    lines = (line for line in stream.lines if line)
    same = 0
    before = next(lines)
    while same < 30:  # until it stops growing, and goes on telling
        now = next(lines)
        same, before = same + 1 if now == before else 0, now
    assert sum(map(int, re.findall(r"move \S+ visits ([0-9]+)", before))) >= 100
    stream.lines.close()
    assert engine.answer(Command("", "name")) == "sylve"


class Live:
    """Our engine as another program sees it."""

    def __init__(self, *arguments: str) -> None:
        self.child = subprocess.Popen(
            [SYLVE, "gtp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Live:
        self.guard = threading.Timer(60, self.child.kill)
        self.guard.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self.child.stdin
        assert self.child.stdout
        self.child.stdin.close()
        self.code = self.child.wait(30)
        self.guard.cancel()
        self.child.stdout.close()

    def send(self, text: str) -> None:
        assert self.child.stdin
        self.child.stdin.write(f"{text}\n")
        self.child.stdin.flush()

    def line(self) -> str:
        assert self.child.stdout
        return self.child.stdout.readline().rstrip("\n")

    def until_blank(self) -> list[str]:
        lines = [self.line()]
        while lines[-1] != "":
            lines.append(self.line())
        return lines


@pytest.mark.parametrize("ending", ["", "# a comment", "2 name", "stop"])
def test_any_line_ends_an_analysis(ending: str) -> None:
    with Live("--game", "hex(size=5)", "--how", "rave") as live:
        live.send("1 kata-analyze b 5")
        assert live.line() == "=1"
        first, second = live.line(), live.line()  # it goes on while nothing comes in
        assert first.startswith("info move ")
        visits = [
            sum(map(int, re.findall(r"info move \S+ visits ([0-9]+)", line)))
            for line in (first, second)
        ]
        assert visits[0] < visits[1]
        live.send(ending)
        live.until_blank()
        if ending in ("2 name", "stop"):
            assert live.until_blank()[0] in ("=2 sylve", "=")
        live.send("3 play b c3")
        assert live.until_blank() == ["=3", ""]
    assert live.code == 0


def test_interrupt_ends_a_genmove() -> None:
    with Live("--game", "go", "--how", "uct(1000000000)") as live:
        live.send("1 genmove b")
        time.sleep(0.2)
        live.send("# interrupt")
        assert re.fullmatch("=1 [A-J][1-9]", live.until_blank()[0])
        live.send("2 quit")
        assert live.until_blank() == ["=2", ""]
        assert live.child.wait(30) == 0  # though its input is still open


def test_ctrl_c_ends_a_session() -> None:
    with Live("--game", "go") as live:
        live.send("lz-analyze 1")
        assert live.line() == "="
        live.child.send_signal(signal.SIGINT)
    assert live.code == 130


def test_input_does_not_end_genmove_analyze() -> None:
    with Live("--game", "othello", "--how", "uct(200000)") as live:
        live.send("lz-genmove_analyze b 1")
        live.send("5 name")
        assert live.line() == "="
        lines = live.until_blank()
        assert re.fullmatch("play (d3|c4|f5|e6)", lines[-2])
        total = sum(map(int, re.findall(r"move \S+ visits ([0-9]+)", lines[-3])))
        assert total == 200_000
        assert live.line() == "=5 sylve"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], "unknown game 'chess'"),
        (["--how", "uct(0)"], "playouts must be a whole number of at least 1"),
        (["--how", "uct(5)", "--playouts", "7"], "playouts is given twice"),
        (["--folder", "no/such/folder"], "'no/such/folder' is no folder"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [SYLVE, "gtp", *arguments], input="", capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_alpha_beta_plays_but_has_no_simulations_to_show() -> None:
    """It defends where it must; a clock shortens a search that is far too deep."""
    stones = [f"play {colour} {move}" for colour, move in zip("bwbwb", "11223", strict=True)]
    session = "\n".join([*stones, "reg_genmove w", "list_commands"]).encode()
    *_, move, listed = split(converse(session, "connect_four", "alpha_beta(4)"))
    assert move.text == "4"
    commands = set(listed.text.split())
    assert "genmove" in commands
    assert not commands & {"lz-analyze", "genmove_analyze", "sylve-visits", "sylve-gfx"}
    timed = b"time_settings 1 0 0\ntime_left b 1 0\ngenmove b"
    assert split(converse(timed, "othello", "alpha_beta(60)"))[-1].text in {"d3", "c4", "f5", "e6"}
