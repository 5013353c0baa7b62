"""Engines of others as players: whatever they do, the game ends and nothing is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes import ENGINES, kill_all, new_token, running
from processes import engine_command as command
from sylve import Clock, Position
from sylve.errors import PlayerFailure, PlayerResigns
from sylve.gtp import process
from sylve.gtp.check import check_engine
from sylve.gtp.player import GtpPlayer
from sylve.gtp.process import EngineFault, GtpProcess
from sylve.gtp.protocol import Refusal

GAME = "tic_tac_toe"
TIMEOUT = 2.0  # for engines that hang
PATIENCE = 30.0  # for the others: this machine may be busy


@pytest.fixture
def token() -> Iterator[str]:
    """A word on the command line of every engine of a test; at the end no process has it."""
    word = new_token()
    yield word
    left = running(word)
    kill_all(word)  # a test that fails must not leave them either
    assert left == {}


def play(first: GtpPlayer, second: GtpPlayer, game: str = GAME) -> Position:
    """One game; a player that fails ends it with its failure. Both are closed."""
    position = Position.start(game)
    try:
        for player in (first, second):
            player.start(game, position)
        while position.outcome is None:
            player = (first, second)[position.turn]
            position = position.play(player.choose(position, 1, None))
        return position
    finally:
        first.close()
        second.close()


def test_two_good_engines(token: str) -> None:
    first, second = (GtpPlayer(command("simple", token), name, PATIENCE) for name in "AB")
    for _ in range(3):  # also again with the same players
        assert play(first, second).outcome is not None


# Every engine of tests/engines, how it is called, and what is said about it.
BAD = {
    "never_starts": ("", "no answer to 'protocol_version' within 3 s"),
    "exits_at_once": ("", "cannot find my opening book"),
    "crashes": ("", "it ended without an answer to 'genmove .'; it said: assertion failed: colour"),
    "hangs_on_genmove": ("", "no answer to 'genmove .' within 2 s"),
    "ignores_sigterm": ("", "no answer to 'genmove .' within 2 s"),
    "floods_stdout": ("", "it wrote a line of more than 65536 bytes"),
    # Which one depends on how much it writes before its first line is looked at.
    "floods_lines": (
        "",
        "begins with 'info depth 1 score 0', not = or|wrote more than 1048576 bytes",
    ),
    "does_not_read": ("", "no answer to 'boardsize 3' within 2 s"),
    "wrong_id": ("bad_frame", "it answered 'genmove .', number .*, with number 10"),
    "two_responses": ("bad_frame", "without being asked|with number"),
    "no_blank_line": ("bad_frame", "no answer to 'genmove .' within 2 s"),
    "no_mark": ("bad_frame", "its answer to 'genmove .' begins with 'a1', not = or"),
    "illegal": ("bad_move", "illegal move .a1. in .*: legal were [bc]1 "),
    "malformed": ("bad_move", "illegal move 'knight takes everything' in"),
    "empty": ("bad_move", "illegal move '' in"),
    "invalid_utf8": ("bad_move", "its answer to 'genmove .' is not text"),
    "nul": ("bad_move", "its answer to 'genmove .' is not text"),
    "long": ("bad_move", "illegal move 'a1 a1 a1"),
    "leaves_a_child": ("", "no answer to 'genmove .' within 2 s"),
}


@pytest.mark.parametrize("first", [True, False], ids=["first", "second"])
@pytest.mark.parametrize("kind", BAD)
def test_bad_engines(kind: str, first: bool, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script, reason = BAD[kind]
    hangs = " within " in reason
    if hangs:  # not so long as usual
        monkeypatch.setattr(process, "START_SECONDS", 3.0 if kind == "never_starts" else 10.0)
        monkeypatch.setattr(process, "CLOSE_SECONDS", 0.3)
        monkeypatch.setattr(process, "TERMINATE_SECONDS", 0.3)
    line = command(script, token, kind) if script else command(kind, token)
    bad = GtpPlayer(line, "bad", TIMEOUT if hangs else PATIENCE)
    good = GtpPlayer(command("simple", token), "good", PATIENCE)
    players = (bad, good) if first else (good, bad)
    with pytest.raises(PlayerFailure, match=reason) as failure:
        play(*players)
    assert failure.value.player == "bad"
    assert len(str(failure.value)) < 500
    assert bad.process is None


# Engines that play well, and what they leave behind.
ODD = {
    "hangs_on_quit": (),
    "floods_stderr": (),
    "stubborn": ("child", "session", "daemon"),
    "leaves_a_daemon": ("pipes",),
}


@pytest.mark.parametrize("kind", ODD)
def test_engines_that_are_only_odd(kind: str, token: str) -> None:
    odd = GtpPlayer(command(kind, token, *ODD[kind]), "odd", PATIENCE)
    good = GtpPlayer(command("simple", token), "good", PATIENCE)
    assert play(odd, good).outcome is not None


def test_every_engine_is_used() -> None:
    used = {script or kind for kind, (script, _) in BAD.items()}
    used |= {*ODD, "endless", "simple"}
    assert used == {path.stem for path in ENGINES.glob("*.py")}


def test_a_resignation_is_no_fault(token: str) -> None:
    player = GtpPlayer(command("bad_move", token, "resign"), "R", PATIENCE)
    start = Position.start(GAME)
    player.start(GAME, start)
    with pytest.raises(PlayerResigns, match="R: it resigned"):
        player.choose(start.play("b2"), 1, None)
    player.start(GAME, start)  # and it can play again
    assert player.choose(start, 1, None) == 0
    player.close()


def test_the_search_for_orphans_finds_them(token: str) -> None:
    """The positive control: a naive stop leaves a child behind, and `running` sees it."""
    child = subprocess.Popen(
        shlex.split(command("leaves_a_child", token)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdin
    assert child.stdout
    child.stdin.write(b"1 name\n")
    child.stdin.flush()
    assert child.stdout.readline() == b"=1 \n"
    assert len(running(token)) == 2
    child.kill()
    child.wait()
    assert len(running(token)) == 1
    os.killpg(child.pid, signal.SIGKILL)
    child.stdin.close()
    child.stdout.close()
    while running(token):
        time.sleep(0.05)


def test_buffers_are_bounded(token: str) -> None:
    with GtpProcess(command("floods_stderr", token), TIMEOUT) as engine:
        engine.send("clear_board")
        engine.send("genmove b", 30)
        assert engine.stderr_size > 2 * process.STDERR_KEPT
        assert 0 < len(engine.stderr) <= 2 * process.STDERR_KEPT
    with GtpProcess(command("floods_stdout", token), TIMEOUT) as engine:
        engine.send("clear_board")
        with pytest.raises(EngineFault):
            engine.send("genmove b")
        assert not engine.output


# Every kind of tests/engines/endless.py, and what is said about it.
ENDLESS = {
    "long_lines": "it wrote more than 1048576 bytes for one answer",
    "short_lines": "it wrote more than 1048576 bytes for one answer",
    "one_letter_lines": "it wrote more than 1048576 bytes for one answer",
    "empty_lines": "it wrote more than 1048576 bytes for one answer",
    "blank_lines": "it wrote more than 1048576 bytes for one answer",
    "no_end_of_line": "it wrote a line of more than 65536 bytes",
    "after_the_answer": "it wrote more than 1048576 bytes for one answer",
    "many_answers": "it wrote more than 1048576 bytes for one answer",
    "wide_letters": "it wrote more than 1048576 bytes for one answer",
    "stderr": "it wrote more than 67108864 bytes to stderr for one answer",
    "stderr_after_the_answer": "it wrote more than 67108864 bytes to stderr for one answer",
    "stderr_no_end_of_line": "it wrote more than 67108864 bytes to stderr for one answer",
    "stderr_byte_by_byte": "no answer to 'genmove b' within 60 s",
    "nul": "it wrote more than 1048576 bytes for one answer",
    "list_of_commands": "illegal move 'ab",
    "wide_list": "illegal move '",
    "long_words": "illegal move 'xxx",
}
GROWTH = 8 << 20  # bytes


def flood(kinds: list[str], token: str) -> None:
    """An engine that writes without end costs little memory, and is dead soon."""
    script = str(Path(__file__).with_name("engine_memory.py"))
    ran = subprocess.run(
        [sys.executable, script, "60", token, *kinds],
        capture_output=True, text=True, timeout=280, check=True,
    )  # fmt: skip
    found = {line["kind"]: line for line in map(json.loads, ran.stdout.splitlines())}
    assert list(found) == kinds
    for kind, line in found.items():
        assert line["reason"].startswith(ENDLESS[kind]), line
        assert line["grown"] <= GROWTH, line


def test_endless_answers(token: str) -> None:
    flood(["long_lines", "short_lines", "after_the_answer", "wide_list", "stderr"], token)


@pytest.mark.long
def test_every_endless_answer(token: str) -> None:
    flood(list(ENDLESS), token)


def test_writing_has_a_limit_too(token: str) -> None:
    with GtpProcess(command("does_not_read", token), TIMEOUT) as engine:
        engine.send("protocol_version")
        engine.send("list_commands")
        with pytest.raises(EngineFault, match="it did not read 'play b aaa"):
            engine.send("play b " + "a" * 1_000_000)
        with pytest.raises(EngineFault, match="it was stopped"):
            engine.send("name")


def test_a_command_is_one_line(token: str) -> None:
    with GtpProcess(command("simple", token), TIMEOUT) as engine:
        with pytest.raises(ValueError, match="a command is one line"):
            engine.send("play b a1\nquit")
        assert engine.send("protocol_version") == "2"


@pytest.mark.long
@pytest.mark.parametrize("kind", ["floods_stdout", "floods_lines", "floods_stderr", "crashes"])
def test_many_games_with_a_bad_engine_cost_no_memory(kind: str, token: str) -> None:
    def games(count: int) -> None:
        for _ in range(count):
            bad = GtpPlayer(command(kind, token), "bad", PATIENCE)
            good = GtpPlayer(command("simple", token), "good", PATIENCE)
            with contextlib.suppress(PlayerFailure):
                play(bad, good)

    games(5)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    files, threads = len(list(Path("/dev/fd").iterdir())), threading.active_count()
    games(95)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 16 << 10  # kilobytes
    assert (len(list(Path("/dev/fd").iterdir())), threading.active_count()) == (files, threads)


def test_commands_that_cannot_be_started() -> None:
    for line, reason in (
        ("no-such-program-here", "cannot start 'no-such-program-here'"),
        ("'unclosed", "cannot read the command"),
        ("", "the command is empty"),
        ("/", "cannot start '/'"),
    ):
        player = GtpPlayer(line, "X")
        with pytest.raises(PlayerFailure, match=reason):
            player.start(GAME, Position.start(GAME))
        player.close()


def test_no_shell_reads_the_command(token: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    line = f"{command('simple', token)} ; touch {mark} & $(touch {mark})"
    with GtpProcess(line, TIMEOUT) as engine:
        assert engine.send("protocol_version") == "2"
    assert not mark.exists()


def test_refusals_are_no_faults() -> None:
    with GtpProcess(ours(), 30) as engine:
        with pytest.raises(Refusal, match="unknown command"):
            engine.send("foo")
        assert engine.send("name") == "sylve"
        assert "|".join(engine.send("list_games").split("\n")).startswith("tic_tac_toe|")


# Our own engine as a player.


def ours(*arguments: str) -> str:
    return shlex.join([str(Path(sys.executable).with_name("sylve")), "gtp", *arguments])


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("hex(size=4, swap=true)", None),
        ("breakthrough(columns=4, rows=5)", None),
        ("connect_four(columns=5, rows=4)", None),
        ("go(size=3, komi=0.5)", None),
        ("othello(size=4)", None),
        ("othello(size=6)", "xo..../....../....../....../....../...... x"),
    ],
)
def test_we_play_every_game_with_ourselves(game: str, position: str | None) -> None:
    player = GtpPlayer(ours("--how", "uct(50)"), "sylve")
    opening = Position.start(game) if position is None else Position.parse(game, position)
    try:
        for _ in range(2):
            here = opening
            player.start(game, opening)
            moves = []
            while here.outcome is None and len(moves) < 60:
                moves.append(player.choose(here, len(moves), None))
                here = here.play(moves[-1])
            assert moves
        again = GtpPlayer(ours("--how", "uct(50)"), "again")
        try:
            again.start(game, opening)
            here = opening
            for ply, move in enumerate(moves[:4]):
                assert again.choose(here, ply, None) == move  # the seed decides
                here = here.play(move)
        finally:
            again.close()
    finally:
        player.close()


def test_a_player_can_be_asked_out_of_order() -> None:
    player = GtpPlayer(ours("--how", "uct(50)"), "sylve")
    start = Position.start("tic_tac_toe").play("a1").play("b1")
    try:
        player.start("tic_tac_toe", start)
        one = start.play("a2").play("b2")
        assert one.name(player.choose(one, 0, None)) == "a3"
        other = start.play("c1").play("c2")
        assert player.choose(other, 0, None) in other.moves
        elsewhere = Position.start("tic_tac_toe").play_line("b1a1b2c1")
        assert elsewhere.name(player.choose(elsewhere, 0, Clock(5.0))) == "b3"
    finally:
        player.close()


def test_check_engine(token: str) -> None:
    findings = {one.what: one for one in check_engine(ours("--playouts", "50"), "hex(size=4)", 30)}
    assert all(finding.good for finding in findings.values())
    assert "lz-analyze" in findings["live analysis"].detail
    simple = check_engine(command("simple", token), "tic_tac_toe", TIMEOUT)
    assert [one.what for one in simple if not one.good] == [
        "refuses an unknown command",
        "known_command",
        "refuses an illegal move",
        "useful commands",
        "live analysis",
    ]
    *_, last = check_engine(command("hangs_on_genmove", token), "tic_tac_toe", TIMEOUT)
    assert (last.good, last.required) == (False, True)
    assert last.detail == "no answer to 'genmove b' within 2 s"


def test_the_command_check(token: str) -> None:
    sylve = str(Path(sys.executable).with_name("sylve"))
    good = subprocess.run(
        [sylve, "gtp", "check", command("simple", token), "--game", GAME, "--json"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    content = json.loads(good.stdout)
    assert (good.returncode, content["fit"], content["schema"]) == (0, True, 1)
    bad = subprocess.run(
        [sylve, "gtp", "check", command("crashes", token), "--game", GAME],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert bad.returncode == 1
    assert "FAILS" in bad.stdout
    assert "assertion failed: colour != EMPTY" in bad.stdout
    assert "not fit to play tic_tac_toe" in bad.stderr
