"""The page's protocol: calls and messages, good and bad."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from page_server import Serving, serving
from sylve.page import protocol
from sylve.page.files import page_files
from sylve.page.offers import load_own

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving() as running:
        yield running


def test_docs_list_every_message_and_field() -> None:
    text = (ROOT / "docs/page.md").read_text()
    for name, kind in {**protocol.CALLS, **protocol.MESSAGES}.items():
        (row,) = re.findall(rf"^\| `{name}` \|([^|]*)\|", text, re.MULTILINE)
        fields = {field.name for field in dataclasses.fields(kind)}
        assert set(re.findall(r"`(\w+)`", row)) == fields


def test_the_scripts_are_small_and_stay_here() -> None:
    files = page_files()
    scripts = [file.content for name, file in files.items() if name.endswith(".js")]
    assert 10_000 < sum(map(len, scripts)) <= 120_000
    for name, file in files.items():
        text = file.content.decode().replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text, name
        assert "http://" not in text, name
        assert "innerHTML" not in text, name


def test_both_languages_have_every_word() -> None:
    text = page_files()["/static/words.js"].content.decode()
    english, french = text[text.index("en: {") :].split("\n  fr: {")
    keys = [re.findall(r"(?:^|, |\s)(\w+): \"", part) for part in (english, french)]
    assert sorted(keys[0]) == sorted(keys[1])
    assert len(keys[0]) > 80


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        ("board", {}, "field"),
        ("board", {"game": 3}, "field"),
        ("board", {"game": "os:system"}, "input"),
        ("board", {"game": "tic_tac_toe", "path": "/etc/passwd"}, "field"),
        ("board", {"game": "x" * 300}, "size"),
        ("board", {"game": "tic_tac_toe", "moves": "b2 b2"}, "input"),
        ("board", {"game": "tic_tac_toe", "position": "\x00"}, "field"),
        ("board", {"game": "tic_tac_toe", "v": 2}, "version"),
        ("read", {"text": "(;"}, "input"),
        ("write", {"text": "# game: othello\nf5", "form": "exe"}, "field"),
        ("write", {"text": "# game: othello\nf5", "form": "html"}, "input"),
    ],
)
def test_bad_calls(server: Serving, name: str, fields: dict, code: str) -> None:
    status, found, message = server.refused(name, **fields)
    assert (found, 400 <= status < 500) == (code, True), message


def test_generated_calls_never_fail_inside(server: Serving) -> None:
    chance = random.Random(1)
    values = [None, True, -1, 10**30, 1.5, "", "othello", "go(size=99)", "f5d6", [], {}, "\u0000",
              "hex(size=3)", [[1]], "a" * 5000]  # fmt: skip
    names = sorted({f.name for k in protocol.CALLS.values() for f in dataclasses.fields(k)})
    for _ in range(300):
        fields = {name: chance.choice(values) for name in chance.sample(names, 2)}
        body = json.dumps({"v": 1, **fields}).encode()
        status, _ = server.post(chance.choice(list(protocol.CALLS)), body)
        assert status < 500


def test_a_live_search_its_tree_and_its_end(server: Serving) -> None:
    with server.tab() as tab:
        tab.ask("analyse", game="connect_four", how="rave", playouts=3000, seed=5)
        while (report := tab.next("report"))["running"]:
            assert len(json.dumps(report)) < 2500
        assert (report["playouts"], report["stopped"]) == (3000, "playouts")
        (node,) = tab.ask("tree", paths=[[]], top=3)["nodes"]
        assert [row[:3] for row in node["children"]] == [row[:3] for row in report["rows"][:3]]
        tab.send("resume", playouts=1000)
        while (report := tab.next("report"))["running"]:
            pass
        assert report["playouts"] == 4000
        tab.ask("stop", what="slot0")
        tab.send("pause")
        assert tab.next("error")["error"]["code"] == "gone"


def test_a_move_and_a_review(server: Serving) -> None:
    with server.tab() as tab:
        for how in ("uct(200)", "flat", "sequential_halving(100)", "alpha_beta"):
            found = tab.ask("move", game="tic_tac_toe", moves="a1 b1 a2 b2", how=how, seconds=0.2)
            assert (how == "flat") or found["name"] == "a3"
        tab.send("review", game="tic_tac_toe", moves="a1 b1 a2 b2 a3", how="uct", playouts=200)
        plies = []
        while not (said := tab.next("review")).get("done"):
            plies.append(said["ply"])
        assert plies == [4, 3, 2, 1, 0]


def test_a_record_round_trip(server: Serving) -> None:
    made = server.call("write", text="# game: othello\nf5 d6 c3", form="sgf")
    found = server.call("read", text=made["text"])
    assert (found["game"], found["moves"]) == ("othello", ["f5", "d6", "c3"])


def test_names_in_a_saved_review_are_text(server: Serving) -> None:
    from sylve import Position, Uct, search
    from sylve.records import Record, write_record

    start = Position.start("tic_tac_toe")
    bad = "<script>alert(1)</script>"
    report = search(start, Uct(50, seed=1))
    record = Record(start, (4,), players=(bad, bad), comment=bad, event=bad, analysis={0: report})
    for lang in ("en", "fr"):
        text = write_record(record, "json")
        made = server.call("write", text=text, form="html", language=lang)["text"]
        assert "<script" not in made
        assert made.count("&lt;script&gt;") >= 4


def test_own_games_are_named_on_the_command_line() -> None:
    name, game = load_own(f"{ROOT / 'examples' / 'own_game.py'}:Chomp")
    with serving({name: game}) as own:
        assert own.call("board", game="Chomp", moves="5 1")["played"] == ["5", "1"]
    for text in ("nothing", "no.such.module:Game", f"{ROOT / 'examples' / 'own_game.py'}:None_"):
        with pytest.raises(ValueError, match="--game"):
            load_own(text)


def test_the_scripts_can_be_read(tmp_path: Path) -> None:
    import shutil

    node = shutil.which("node")
    for name, file in page_files().items():
        if node and name.endswith(".js"):
            made = tmp_path / (name.rpartition("/")[2][:-3] + ".mjs")
            made.write_bytes(file.content)
            subprocess.run([node, "--check", made], check=True)
