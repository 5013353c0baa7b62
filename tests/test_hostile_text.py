"""Names and texts of others: never markup, never control characters, never HTML."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from commands import WITHOUT_TABLES, Stage, all_commands, call
from sylve import Outcome, Player, Position, Searcher, Uct, compare_estimates, search, solve, trace
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.bandit import Bandit
from sylve.lab.page import row_of
from sylve.markup import escape
from sylve.screen import one_line

SYLVE = Path(sys.executable).with_name("sylve")
EVIL = "\x1b[2J\x1b]0;owned\x07\r\x9b31m\u202e<script>alert(1)</script>\x7f[red]:smile:"
MARKUP = ["a[/b]", "[red]", "[link=https://x.example]here[/link]", ":smile:", "<script>x</script>"]
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Everything under hostile names, the folder included."""
    folder = tmp_path_factory.mktemp("hostile") / "a[b]\x1b[31m\r\u202e<i>"
    stage = Stage(folder, MARKUP, EVIL)
    assert stage.call(*stage.calls()["tournament run"][0]).code == 0
    assert stage.call(*stage.calls()["table build"][0]).code == 0
    return stage


COMMANDS = [
    "convert", "play", "match", "tsp", "table info", "gtp check", "tournament run",
    "tournament status",
    "tournament verify", "tournament backup", "tournament export", "tournament report", "lab run",
    "lab report",
]  # fmt: skip
"""Those that print texts of others. The rest print what the user typed, if at all."""


def test_the_list_is_complete(stage: Stage) -> None:
    rest = set(all_commands()) - WITHOUT_TABLES - set(COMMANDS)
    for name in rest:
        reads = any(str(stage.folder) in word for words in stage.calls()[name] for word in words)
        assert not reads or name in ("sprt", "table build", "table probe", "train othello"), name


@pytest.mark.parametrize("command", COMMANDS)
def test_no_control_characters_and_no_markup(command: str, stage: Stage) -> None:
    for words in stage.calls()[command]:
        printed = stage.call(*words, columns=100)
        assert printed.code == 0, printed
        shown = printed.out + printed.err
        if command == "convert":  # a pipe gets the bytes of the file
            assert EVIL.split("\r")[0] in shown
            continue
        assert not CONTROL.search(shown), repr(CONTROL.search(shown))
        if command in ("tournament run", "tournament status"):
            for name in MARKUP:
                assert one_line(name) in shown.replace("\n", ""), name


def test_json_has_no_control_characters(stage: Stage) -> None:
    for name in ("tournament status", "gtp check", "convert"):
        words = [*stage.calls()[name][0], "--json"]
        printed = stage.call(*words)
        assert not CONTROL.search(printed.out)
        assert json.loads(printed.out)["schema"] == 1
    players = json.loads(stage.call("tournament", "status", str(stage.cup), "--json").out)
    assert {row["player"] for row in players["ratings"]} == set(MARKUP)


@pytest.mark.parametrize("form", ["moves", "sgf", "json"])
def test_a_terminal_sees_no_control_characters_of_a_record(form: str, stage: Stage) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SYLVE, "convert", str(stage.record), "--to", form], stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    try:
        while data := os.read(ours, 4096):
            shown += data
    except OSError:  # Linux: the other end is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0
    text = shown.decode().replace("\r\n", "\n")
    assert "script" in text
    assert not CONTROL.search(text), repr(text)


@pytest.mark.parametrize(
    "words",
    [
        ["show", EVIL],
        ["show", "othello", "--moves", EVIL],
        ["show", "othello", "--position", EVIL],
        ["analyze", "othello", "--how", EVIL],
        ["analyze", "othello", "--engine", EVIL],
        ["match", EVIL, "random", "--game", "othello", "--no-store"],
        ["play", EVIL],
        ["play", "othello", "--how", EVIL],
        ["play", "othello", "--record", EVIL],
        ["play", "--continue", EVIL],
        ["tournament", "run", EVIL],
        ["tournament", EVIL],
        ["convert", EVIL, "--to", "sgf"],
        ["lab", "run", "regret", EVIL],
        [EVIL],
        ["games", f"--{EVIL}"],
    ],
    ids=lambda words: " ".join(words[:2]).split("\x1b")[0],
)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_errors_show_what_was_typed(words: list[str], encoding: str) -> None:
    printed = call(*words, encoding=encoding)
    assert printed.code == 2
    assert printed.out == ""
    assert printed.err
    assert not CONTROL.search(printed.err), repr(printed.err)
    assert "Traceback" not in printed.err


# Pages.


def test_pages_hold_no_foreign_markup(stage: Stage) -> None:
    target = stage.new_file(".html")
    stage.call("tournament", "report", str(stage.cup), target)
    stage.call("lab", "report", "--out", str(stage.lab))
    for page in (Path(target), stage.lab / "report.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text
        assert "&lt;script&gt;" in text
        assert not CONTROL.search(text), repr(CONTROL.search(text))


def test_players_in_a_notebook(stage: Stage) -> None:
    store = Store.read(stage.cup.with_suffix(".sqlite"))
    standings = Standings.of(store.config, store.played())
    page = standings._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not CONTROL.search(page)


def test_a_forged_result_of_the_lab(stage: Stage, tmp_path: Path) -> None:
    """`data.json` may come from anywhere: every text in it is escaped."""
    data = json.loads((stage.lab / "regret" / "data.json").read_text(encoding="utf-8"))

    def forge(value: object) -> object:
        if isinstance(value, str):
            return f'"><script>alert(1)</script>{value}'
        if isinstance(value, list):
            return [forge(item) for item in value]
        return (
            {key: forge(item) for key, item in value.items()} if isinstance(value, dict) else value
        )

    folder = tmp_path / "regret"
    folder.mkdir()
    (folder / "data.json").write_text(json.dumps(forge(data)), encoding="utf-8")
    (folder / "figure.svg").write_bytes(b"<svg/>")
    printed = call("lab", "report", "--out", str(tmp_path))
    assert printed.code == 0, printed.err
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert 'id="&quot;&gt;&lt;script&gt;' in text, "an attribute is not left early"


def test_markdown_cells() -> None:
    assert row_of(["a|b", "<script>", "c\nd\x1b", "`e` & **f**"]) == (
        r"| a\|b | &lt;script> | c\nd\x1b | `e` &amp; **f** |"
    )


class Hostile:
    """Each player chooses 0 or 1; the first wins if they differ. Its names are traps."""

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> Player:
        return Player(len(state) % 2)

    def outcome(self, state: tuple[int, ...]) -> Outcome | None:
        return Outcome(Player(int(state[0] == state[1]))) if len(state) == 2 else None

    def moves(self, state: tuple[int, ...]) -> Sequence[int]:
        return (0, 1) if len(state) < 2 else ()

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def write_move(self, state: tuple[int, ...], move: int) -> str:
        return f"{EVIL}{move}"


def test_moves_of_ones_own_game() -> None:
    position = Position.start(Hostile())
    searcher = Searcher(position, Uct(50, solver=False), engine="python")
    report = searcher.run()
    bandit = Bandit([EVIL, "b"])
    values = [
        report, searcher.tree(), compare_estimates(position, 20), solve(position), bandit,
        trace(position, Uct(solver=False), simulation=30),
    ]  # fmt: skip
    for value in values:
        assert not CONTROL.search(str(value))
        assert "[red]:smile:" in str(value).replace("\n", "")
        page = value._repr_html_()  # type: ignore[attr-defined]
        assert "<script" not in page
        assert not CONTROL.search(page)
    assert not CONTROL.search(report.explain())
    drawing = search(position, Uct(50)).position.svg(labels={0: EVIL})
    assert "<script" not in drawing
    assert not CONTROL.search(drawing)


def test_escape() -> None:
    assert escape('<a href="x">&\x1b\u202e') == r"&lt;a href=&quot;x&quot;&gt;&amp;\x1b\u202e"
