"""`sylve trace`: simulations in the terminal, as JSON, and key by key."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from commands import call
from sylve import Position, parse_search, trace

SYLVE = Path(sys.executable).with_name("sylve")
SMALL = "breakthrough(columns=5, rows=5)"


def text_of(*words: str, columns: int | None = None) -> str:
    printed = call("trace", *words, columns=columns)
    assert (printed.code, printed.err) == (0, "")
    return printed.out


def test_everything_of_a_simulation_is_there() -> None:
    """Numbers, formulas, reasons, the playout and every tally, at each width."""
    how = "rave(10000, c=0.4, seed=3)"
    watched = trace(SMALL, how, simulation=40)
    for columns in (None, 80, 60):
        text = text_of(SMALL, "--how", how, "--simulation", "40", columns=columns)
        words = " ".join(text.split())
        for choice in watched.descent:
            assert f"Chosen: {choice.chosen_name} ({choice.why})." in words
            for entry in choice.moves:
                if entry.visits:
                    assert f"{entry.name} {entry.formula}" in words
                    assert f"beta = {entry.beta_formula}" in words
                assert entry.name in words.split()
        assert " ".join(str(ply.name) for ply in watched.playout) in words
        assert f"Result: {'xo'[watched.outcome.winner]} wins." in words
        for change in watched.changes:
            kind = {"direct": "direct", "amaf": "AMAF"}[change.kind]
            visits = f"{change.before[0]} -> {change.after[0]}"
            assert f"{change.node} {change.name} {kind} {visits}" in words
        marked = re.findall(r"^> +(\S+)", text, re.MULTILINE)
        assert list(dict.fromkeys(marked)) == list(dict.fromkeys(watched.path))


def test_new_nodes_and_proofs_are_told() -> None:
    assert "new: this simulation adds it" in text_of("tic_tac_toe", "--simulation", "10")
    won = text_of("tic_tac_toe", "--moves", "a1 a2 b1 b2")
    assert "Proven now: at node 0, c1 is a win." in won
    assert "the game is over there. No playout is needed." in won


def test_a_range_beyond_the_end_shows_what_there_is() -> None:
    words = ("trace", "tic_tac_toe", "--moves", "a1 a2 b1 b2", "--simulation", "1..3")
    printed = call(*words)
    assert printed.code == 2
    assert "Simulation 1 of" in printed.out
    assert "no simulation 2: the result is proven after 1 simulation" in printed.err
    assert call(*words, "--json").out == ""


def test_a_range_is_one_trace_after_the_other() -> None:
    """In JSON too; and what the command says is what the library says."""
    how = "grave(500, seed=2)"
    words = (SMALL, "--moves", "c2-c3", "--how", how, "--simulation")
    for first, last in ((1, 3), (100, 104), (7, 7)):
        content = json.loads(text_of(*words, f"{first}..{last}", "--json"))
        position = Position.start(SMALL).play("c2-c3")
        expected = [trace(position, how, simulation=k).to_dict() for k in range(first, last + 1)]
        assert content == {"schema": 1, "simulations": json.loads(json.dumps(expected))}
        text = text_of(*words, f"{first}..{last}")
        assert re.findall(r"^Simulation (\d+) ", text, re.MULTILINE) == [
            str(k) for k in range(first, last + 1)
        ]
    assert text_of(*words, "7") == text_of(*words, "7..7")


def test_options() -> None:
    assert "Not shown: 10 moves of lower score." in text_of(
        SMALL, "--simulation", "100", "--top", "3"
    )
    python = text_of(SMALL, "--simulation", "30", "--engine", "python", "--seed", "5")
    assert python == text_of(SMALL, "--simulation", "30", "--engine", "rust", "--seed", "5")
    assert "of uct(playouts=10001) on" in text_of("tic_tac_toe", "--how", "uct(10001)")
    assert "of ucb(playouts=12000) on" in text_of(
        "tic_tac_toe", "--how", "ucb", "--simulation", "12000"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--how", "alpha_beta"],
            "alpha_beta makes no simulations, so that there is none to trace",
        ),
        (["--simulation", "0"], "must be a number of at least 1 or a range such as 1..3, not '0'"),
        (["--simulation", "3..1"], "or a range such as 1..3, not '3..1'"),
        (["--simulation", "a"], "not 'a'"),
        (["--simulation", "1..5000"], "at most 1,000 simulations can be shown at once"),
        (["--simulation", "9" * 40], "a range such as 1..3"),
        (["--playouts", "50", "--simulation", "51"], "simulation 51 is beyond the last, 50"),
        (["--how", "uct(50)", "--simulation", "51"], "simulation 51 is beyond the last, 50"),
        (["--step"], "--step reads keys, and stdin is not a terminal: use --simulation 1..3"),
        (["--step", "--json"], "--step and --json cannot be combined"),
        (["--step", "--simulation", "1..3"], "--step begins at one simulation, not at the range"),
        (["--moves", "a1 a2 b1 b2 c1"], "the game is over"),
        (["--how", "utc"], "unknown search 'utc'"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_input(words: list[str], said: str) -> None:
    printed = call("trace", "tic_tac_toe", *words)
    assert printed.code == 2
    assert printed.out == ""
    assert said in printed.err


class Terminal:
    """`sylve trace ... --step` at a pseudo-terminal."""

    def __init__(self, *words: str) -> None:
        self.ours, self.theirs = pty.openpty()
        self.before = termios.tcgetattr(self.theirs)
        self.process = subprocess.Popen(
            [SYLVE, "trace", *words, "--step"],
            stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, start_new_session=True,
            env={**os.environ, "TERM": "dumb", "COLUMNS": "80"},
        )  # fmt: skip
        self.seen = b""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def wait_for(self, words: str) -> str:
        """What comes until these words do."""
        begin = len(self.seen)
        while words.encode() not in self.seen[begin:]:
            self.seen += os.read(self.ours, 4096)
        return self.seen[begin:].decode().replace("\r\n", "\n")

    def press(self, keys: str, words: str = "q: quit") -> str:
        os.write(self.ours, keys.encode())
        return self.wait_for(words)

    def end(self) -> int:
        """The exit code; the terminal is as it was."""
        code = self.process.wait(timeout=60)
        assert termios.tcgetattr(self.theirs) == self.before
        return code


def number(text: str) -> int:
    """Which simulation is shown."""
    (found,) = re.findall(r"^Simulation ([\d,]+) ", text, re.MULTILINE)
    return int(found.replace(",", ""))


def test_key_by_key() -> None:
    words = (SMALL, "--how", "rave(3000, seed=1)", "--top", "99", "--simulation")
    with Terminal(*words, "20") as terminal:
        assert number(terminal.wait_for("q: quit")) == 20
        shown = {}
        for keys, where in (
            (" ", 21), ("\r", 22), ("\x1b[C", 23), ("n", 24), ("b", 23), ("\x1b[D", 22),
            ("\x1bOD", 21), ("2500\r", 2500), ("b", 2499), ("g12\x7f3\r", 13), ("z \x1b[A", 14),
        ):  # fmt: skip
            shown[where] = terminal.press(keys)
            assert number(shown[where]) == where, keys
        assert "simulation 1 is the first" in terminal.press("1\rb", "1 is the first")
        assert "beyond the last, 3000" in terminal.press("99999\r", "of rave(playouts=3000")
        assert number(terminal.press("g5q ")) == 2, "an unfinished number is given up"
        os.write(terminal.ours, b"q")
        assert terminal.end() == 0
    for where in (13, 22, 2499):  # forwards, back and far: what a call of its own shows
        alone = text_of(*words, str(where), columns=80)
        assert alone.split("\n\n", 1)[1].strip() in shown[where]


@pytest.mark.parametrize("when", ["waiting", "running"])
def test_ctrl_c_restores_the_terminal(when: str) -> None:
    with Terminal("breakthrough", "--playouts", "1000000000") as terminal:
        terminal.wait_for("q: quit")
        if when == "running":
            terminal.press("900000000\r", "900000000")
            time.sleep(0.3)
        terminal.process.send_signal(signal.SIGINT)
        terminal.wait_for("interrupted")
        assert terminal.end() == 130


def test_the_end_of_stdin_is_the_end() -> None:
    with Terminal("tic_tac_toe") as terminal:
        terminal.wait_for("q: quit")
        os.write(terminal.ours, b"\x04")
        assert terminal.end() == 0


def test_a_search_by_text_is_the_search() -> None:
    content = json.loads(text_of("hex(size=3)", "--how", "uct", "--seed", "9", "--json"))
    assert parse_search(content["simulations"][0]["search"]) == parse_search("uct(10000, seed=9)")
