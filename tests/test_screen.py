"""What people read: whole names and numbers at every width, in every encoding, nothing cut."""

from __future__ import annotations

import ast
import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

import sylve
from commands import WITHOUT_TABLES, Stage, all_commands, call, terminal
from sylve import Grave, Position, Rave, Searcher, Uct, compare_estimates, search, solve, trace
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.bandit import Bandit
from sylve.policies import mast
from sylve.screen import Table, cells, one_line, plural, visible, wrapped
from sylve.search.reports.trace import Trace

SYLVE = Path(sys.executable).with_name("sylve")
PACKAGE = Path(sylve.__file__).parent
BREAKTHROUGH = Position.start("breakthrough(columns=5, rows=5)")
NAMES = ["uct(playouts=1000, rule=ucb1(c=0.5))", "random", "grave(reference=100)", "Zoë Müller"]
WIDTHS = [None, 120, 80, 60, 40]
ENCODINGS = ["utf-8", "ascii"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("screen") / "stage", NAMES)


# One layout for every table.

TABLE = Table(
    ["player", "Elo", "95 %", "games played", "points"],
    [
        (
            "uct(playouts=1000, rule=ucb1(c=0.5))",
            "+12.3 ± 4.5",
            "+3.4 .. +44.5",
            1_234_567,
            "600.5",
        ),
        ("a", "-12.3 ± 4.5", "-44.5 .. -3.4", 7, ""),
    ],
    title="A title that says what the table is about",
    caption="A caption that says the rest, in a few more words than fit into forty columns",
)


def words(text: str) -> set[str]:
    return set(re.sub("[─-]{3,}", "", text).split())


@pytest.mark.parametrize("width", range(20, 120, 7))
@pytest.mark.parametrize("folds", [True, False])
def test_tables_never_cut_a_word(width: int, folds: bool) -> None:
    table = Table(TABLE.head, TABLE.rows, TABLE.title, TABLE.caption, folds=folds)
    whole, narrow = table.text(None), table.text(width)
    if folds:
        assert words(narrow) == words(whole)
    note = "(no room for: 95 %, games played, points)"
    assert words(narrow) <= words(whole) | words(note)
    for name, *others in TABLE.rows:
        assert words(str(name)) <= words(narrow)
        for cell in others if folds else ():
            assert words(f"{cell:,}" if isinstance(cell, int) else str(cell)) <= words(narrow)
    for line in narrow.splitlines():
        assert cells(line) <= width or " " not in line.strip(), line


def test_columns_that_are_left_out_are_named() -> None:
    text = Table(TABLE.head, TABLE.rows, folds=False).text(60)
    assert "(no room for: 95 %, games played, points)" in text
    assert "points" in Table(TABLE.head, TABLE.rows, folds=True).text(60).split("\n\n")[-1]


def test_a_wide_character_takes_two_columns() -> None:
    lines = Table(["name", "n"], [("日本", 1), ("abcd", 2)]).text(None).splitlines()
    assert {cells(line) for line in lines} == {7}


def test_prose_keeps_its_words() -> None:
    text = "  a few words, " + 40 * "x" + " and more"
    assert wrapped(text, None) == text
    assert wrapped(text, 20).split("\n") == ["  a few words,", f"  {40 * 'x'}", "  and more"]
    assert wrapped("one\n\ntwo", 20) == "one\n\ntwo"
    assert wrapped("two  spaces  stay in a name", 20) == "two  spaces  stay in\na name"
    assert "long name" in Table(["a", "b"], [("a" * 30, "long name")], keys=2).text(20)


def test_plural() -> None:
    assert plural(1, "game") == "1 game"
    assert plural(0, "game") == "0 games"


def test_what_is_not_safe_is_shown() -> None:
    assert visible("a\x1b[31m\r\x07\x9b\u202e\u2066\ud800\x7f\tb\nc") == (
        r"a\x1b[31m\r\x07\x9b\u202e\u2066\ud800\x7f\tb" + "\nc"
    )
    assert one_line("a\nb") == r"a\nb"
    assert visible("Zoë 日本 👩‍👧 ±") == "Zoë 日本 👩‍👧 ±"


# Values of the library.


@pytest.fixture(scope="module")
def printed(stage: Stage) -> dict[str, object]:
    """Everything that has a table or a drawing of its own."""
    assert stage.call("tournament", "run", str(stage.cup), "--workers", "1").code == 0
    searcher = Searcher(BREAKTHROUGH, Uct(300))
    report = searcher.run()
    bandit = Bandit(["red", "green"])
    bandit.update("red", 0.5)
    store = Store.read(stage.cup.with_suffix(".sqlite"))
    standings = Standings.of(store.config, store.played())
    return {
        "report": report,
        "rave": search(BREAKTHROUGH, Rave(300)),
        "estimates": compare_estimates(BREAKTHROUGH, 20),
        "solution": solve(Position.start("tic_tac_toe").play("b2")),
        "bandit": bandit,
        "tree": searcher.tree(),
        "trace": trace(BREAKTHROUGH, Rave(c=0.4, seed=1), simulation=60),
        "codes": trace("go(size=5)", Grave(seed=1, playout=mast()), simulation=60),
        "standings": standings,
        "explanation": report.explain,
    }  # fmt: skip


VALUES = ("report", "rave", "estimates", "solution", "bandit", "tree", "trace", "codes",
          "standings", "explanation")  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_values_print_everywhere(name: str, printed: dict[str, object]) -> None:
    value = printed[name]
    texts = {}
    for columns in WIDTHS:
        for encoding in ENCODINGS:
            with terminal(columns, encoding) as (out, _):
                print(value() if callable(value) else value)  # noqa: T201
            text = texts[columns, encoding] = out.getvalue().decode(encoding)
            assert "…" not in text
            assert "..." not in text
            for line in text.splitlines():
                free = columns is None or name in ("tree", "explanation")
                assert free or cells(line) <= columns or " " not in line.strip(), line
    assert "±" not in texts[80, "ascii"]
    left_out = re.findall(r"\(no room for: (.*)\)", texts[40, "utf-8"].replace("\n", " "))
    for entry in getattr(value, "moves", ()):
        assert entry.name in texts[40, "utf-8"].split()
    if not left_out and not callable(value):
        assert words(texts[40, "utf-8"]) == words(texts[None, "utf-8"])


def test_rich_prints_the_same(printed: dict[str, object]) -> None:
    for name in ("report", "estimates", "tree"):
        console = Console(width=70, file=io.StringIO(), color_system=None)
        console.print(printed[name])
        text = console.file.getvalue()  # type: ignore[attr-defined]
        with terminal(70, "utf-8"):
            assert [line.rstrip() for line in text.splitlines()] == str(printed[name]).splitlines()


def test_notebooks(printed: dict[str, object]) -> None:
    for name in VALUES[:-1]:
        value = printed[name]
        shown = value._repr_html_()  # type: ignore[attr-defined]
        ElementTree.fromstring(shown)  # every element that is opened is closed
        assert "<td" in shown or name == "tree"
        assert len(repr(value)) < 250
        assert "\n" not in repr(value)
        assert " at 0x" not in repr(value)
    assert ">Black (o) to move<" in BREAKTHROUGH.play("a2-a3")._repr_html_()
    assert ">X won<" in Position.start("tic_tac_toe").play_line("a1b1a2b2a3")._repr_html_()


def test_a_tree_in_a_notebook_opens_branch_by_branch(printed: dict[str, object]) -> None:
    tree = printed["tree"]
    root = ElementTree.fromstring(tree._repr_html_())  # type: ignore[attr-defined]
    top = root.find("details")
    assert top is not None
    assert "open" in top.attrib
    inside = [child for child in top if child.tag == "details"]
    assert inside
    assert not any("open" in child.attrib for child in inside)
    labels = [child.findtext("summary") or child.text for child in top if child.tag != "summary"]
    assert labels == [line[4:] for line in str(tree).splitlines() if line[:1] in "├└"]


def test_a_trace_in_a_notebook_has_every_part(printed: dict[str, object]) -> None:
    watched = printed["trace"]
    assert isinstance(watched, Trace)
    root = ElementTree.fromstring(watched._repr_html_())
    headings = [found.findtext("summary") for found in root.iter("details")]
    assert len(headings) == len(watched.descent) + 2
    text = "".join(root.itertext())
    for words in (watched.descent[-1].why, watched.descent[0].ordered[0].formula, watched.path[-1]):
        assert words in text
    assert sum(tag.tag.endswith("}svg") for tag in root.iter()) == 2


# Commands.

ONCE = {"signature", "tour", "gtp check", "sprt", "bench", "lab run", "train othello"}
"""Slow ones: not at every width."""


def test_every_command_is_tried(stage: Stage) -> None:
    assert set(stage.calls()) | WITHOUT_TABLES == set(all_commands())


TRIED = sorted(set(all_commands()) - WITHOUT_TABLES)


@pytest.mark.parametrize("command", TRIED)
def test_commands_print_whole_words(command: str, stage: Stage) -> None:
    combinations = [(None, "utf-8"), (120, "utf-8"), (80, "ascii"), (60, "ascii")]
    check_words(command, stage, combinations[-1:] if command in ONCE else combinations)


@pytest.mark.long
@pytest.mark.parametrize("command", TRIED)
def test_commands_print_whole_words_everywhere(command: str, stage: Stage) -> None:
    widths = [None, *range(60, 121, 12)]
    check_words(command, stage, [(width, code) for width in widths for code in ENCODINGS])


def check_words(command: str, stage: Stage, combinations: list[tuple[int | None, str]]) -> None:
    for name in ("table build", "tournament run"):  # what others read
        if command.split()[0] == name.split()[0]:
            assert stage.call(*stage.calls()[name][0]).code == 0
    for columns, encoding in combinations:
        for words in stage.calls()[command]:
            printed = stage.call(*words, columns=columns, encoding=encoding)
            assert printed.code == 0, printed
            for line in printed.out.splitlines() if command != "convert" else ():  # that is a file
                assert columns is None or cells(line) <= columns or " " not in line.strip(), line
            assert "…" not in printed.out
            assert not re.search(r"\w\.\.\.(\s|$)", printed.out)
            assert "\\x" not in printed.out.replace(r"Zo\xeb M\xfcller", "")


def test_tables_show_what_json_has(stage: Stage) -> None:
    for words in (
        ["compare", "breakthrough(columns=5, rows=5)", "--playouts", "20"],
        ["analyze", "breakthrough(columns=5, rows=5)", "--playouts", "100"],
        ["analyze", "othello", "--all", "--playouts", "50"],
        ["tournament", "run", str(stage.cup), "--workers", "1"],
        ["games"],
    ):
        content = json.loads(stage.call(*words, "--json").out)
        for columns in (80, 60):
            text = " ".join(stage.call(*words, columns=columns).out.split())
            for move in content.get("moves", []):
                assert move["name"] in text.split()
                if "mean" in move and move["mean"] is not None:
                    assert f"{move['mean']:.3f}" in text
            for row in content.get("ratings", []):
                assert f"{row['rank']} {row['player']}" in text
                assert f"{row['elo']:+.1f}" in text
                assert f"{row['points']:.1f}" in text
            for row in content.get("searches", []):
                assert row["search"].split("(")[0] in text.split()
            if words == ["games"]:
                for row in content["games"]:
                    assert {row["game"], f"{row['codes']:,}", row["example_move"]} <= set(
                        text.split()
                    )


def test_every_command_takes_json() -> None:
    """But `gtp`, as the README says."""
    for name, command in all_commands().items():
        options = {option for parameter in command.params for option in parameter.opts}
        assert ("--json" in options) == (name != "gtp"), name
    readme = " ".join((PACKAGE.parents[1] / "README.md").read_text(encoding="utf-8").split())
    assert "Every command but `gtp`, which speaks a protocol, takes `--json`" in readme


def test_json_of_the_commands_that_write_files(stage: Stage) -> None:
    for name in ("tournament backup", "tournament export", "tournament report", "convert"):
        stage.call(*stage.calls()["tournament run"][0])
        words = [word for word in stage.calls()[name][0] if word != "--json"]
        content = json.loads(stage.call(*words, "--json").out)
        assert content["schema"] == 1
        if name != "convert":
            assert Path(content["file"]).exists()
    demo = json.loads(call("demo", "--playouts", "20", "--json").out)
    assert len(demo["searches"]) > 5


def on_a_terminal(*words: str, **environment: str) -> str:
    """What a terminal of 80 columns gets."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
    inherited = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    process = subprocess.Popen(
        [SYLVE, *words], stdout=theirs, stderr=theirs,
        env={**inherited, "TERM": "xterm", **environment},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while data := os.read(ours, 4096):
            shown += data
    except OSError:  # Linux: the other end is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return shown.decode().replace("\r\n", "\n")


def test_a_real_terminal_of_80_columns() -> None:
    command = ["analyze", "breakthrough", "--how", "rave", "--playouts", "500", "--explain"]
    text = on_a_terminal(*command)
    assert "\x1b[1m" in text
    lines = re.sub(r"\x1b\[[01]m", "", text).splitlines()
    assert 60 < max(map(cells, lines)) <= 80
    assert "was chosen" in text


def test_a_live_table_in_ascii() -> None:
    text = on_a_terminal(
        "analyze", "breakthrough", "--how", "uct(seconds=0.5)", "--live", "--top", "3",
        PYTHONIOENCODING="ascii",
    )  # fmt: skip
    assert re.search(r"mean of \S+: 0\.\d{3} [._~=+*#-]+ 0\.\d{3}, now", text)
    assert "\\u" not in text


def test_output_has_one_road() -> None:
    """Commands print by `cli/output.py`; it has the only console of Rich; HTML is escaped once."""
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if name.startswith("cli/"):
                    assert called not in ("print", "typer.echo", "typer.secho"), name
                assert called != "Console" or name == "cli/output.py", name
            if isinstance(node, ast.ImportFrom) and node.module == "html":
                raise AssertionError(f"{name}: sylve.markup.escape is the one")
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rich.table"):
                raise AssertionError(f"{name}: sylve.screen.Table is the one")
