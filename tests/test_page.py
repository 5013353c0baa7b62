"""The page's protocol: calls and messages, good and bad."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from page_server import Serving, serving
from sylve import Position, parse_search, trace
from sylve.arena.config import make_config
from sylve.arena.game import play_job
from sylve.arena.schedule import job
from sylve.arena.store import Store
from sylve.page import protocol
from sylve.page.files import page_files
from sylve.page.offers import load_own
from sylve.page.told import told_trace

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


VALUES = [None, True, -1, 0, 1, 7, 10**30, 1.5, "", "othello", "go(size=99)", "f5d6", "a1 b2", [],
          {}, "\u0000", "hex(size=3)", [[1]], [[0, 3], []], "a" * 5000, "uct", "rave(50)",
          "level(3)", "alpha_beta(2)", "# game: othello\nf5", "(;GM[2]B[f5])", "json", "slot0",
          "tic_tac_toe", 'gtp("true")', "../x", "uct(batch=8)"]  # fmt: skip


def some_fields(chance: random.Random, kind: type) -> dict[str, object]:
    """Most of the fields of a message, some right and some wrong; now and then one too many."""
    fields: dict[str, object] = {}
    for field in dataclasses.fields(kind):
        if chance.random() < 0.85:
            right = {"game": "tic_tac_toe", "moves": "b2 a1", "how": "uct", "position": None}
            usual = right.get(field.name, 1) if chance.random() < 0.7 else chance.choice(VALUES)
            fields[field.name] = usual
    if chance.random() < 0.05:
        fields["path"] = "/etc/passwd"
    return fields


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_generated_calls_never_fail_inside(server: Serving, count: int) -> None:
    chance = random.Random(count)
    answered = 0
    for _ in range(count):
        name = chance.choice(list(protocol.CALLS))
        body = json.dumps({"v": 1, **some_fields(chance, protocol.CALLS[name])}).encode()
        status, content = server.post(name, body)
        while status == 429:  # more calls a second than anybody makes by hand
            time.sleep(0.05)
            status, content = server.post(name, body)
        assert status < 500, (name, body, content)
        answered += status == 200
    assert count // 20 < answered < count


@pytest.mark.parametrize("count", [150, pytest.param(3_000, marks=pytest.mark.long)])
def test_generated_messages_never_fail_inside(server: Serving, count: int) -> None:
    """Every message has an answer, and no answer says that something failed inside."""
    chance = random.Random(count)
    for _ in range(count // 50):
        with server.tab() as tab:
            numbers = set()
            for _ in range(50):
                name = chance.choice(list(protocol.MESSAGES))
                fields = some_fields(chance, protocol.MESSAGES[name])
                fields |= {"seconds": 0.1} if "seconds" in fields else {}
                numbers.add(tab.send(name, **fields))
                time.sleep(0.01)
            last = tab.send("stop", what="move")
            while True:
                message = json.loads(tab.socket.recv(timeout=20))
                assert message.get("error", {}).get("code") != "failed", message
                if message.get("id") == last:
                    break


def light(colour: str) -> float:
    """The relative luminance of #rgb or #rrggbb (WCAG 2)."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((light(one), light(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1, 2], ids=["light", "dark", "dark by the system"])
def test_words_can_be_read_in_both_themes(theme: int) -> None:
    assert contrast("#000", "#fff") == pytest.approx(21)
    css = page_files()["/static/style.css"].content.decode()
    found = re.findall(r"\{ (--paper:[^}]+)\}", css)
    assert len(found) == 3
    values = dict(re.findall(r"--(\w+): (#[0-9a-f]+)", found[theme]))
    for ink in ("ink", "soft", "accent", "bad"):
        for ground in ("paper", "card"):
            assert contrast(values[ink], values[ground]) >= 4.5, (ink, ground)
    assert contrast(values["on"], values["accent"]) >= 4.5
    assert contrast(values["focus"], values["card"]) >= 3  # what shows the focus is no text
    # A lit row: 14 parts of the accent in 100.
    mixed = [
        round(0.14 * int(values["accent"][at : at + 2], 16) + 0.86 * int(card[at : at + 2], 16))
        for card in [values["card"] if len(values["card"]) == 7 else "#ffffff"]
        for at in (1, 3, 5)
    ]
    lit = "#" + "".join(f"{part:02x}" for part in mixed)
    assert contrast(values["ink"], lit) >= 4.5


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
        assert own.call("board", game=name, moves="5 1")["played"] == ["5", "1"]
        found = own.call("read", text=f"# game: {name}\n5 1")
        assert (found["game"], found["moves"]) == (name, ["5", "1"])
    for text, told in (
        ("nothing", "expected module:Name"),
        ("no.such.module:Game", "cannot import module 'no.such.module'"),
        (f"{ROOT / 'examples' / 'own_game.py'}:None_", "there is no None_ in own_game"),
    ):
        with pytest.raises(ValueError, match=told):
            load_own(text)


NAMES = ["uct", "rave(schedule=mse)", "grave", "flat", "ucb", "flat_amaf", "amaf_uct"]


@pytest.mark.parametrize("how", NAMES)
def test_a_lesson_is_the_trace_forward_and_back(server: Serving, how: str) -> None:
    game = "breakthrough(columns=5, rows=5)"
    with server.tab() as tab:
        for simulation in (40, 41, 40, 39, 1500, 1499, 2, 1):
            found = tab.ask("learn", game=game, how=how, seed=1, simulation=simulation)
            search = parse_search(how, seed=1, playouts=20_000)
            right = json.loads(json.dumps(told_trace(trace(game, search, simulation=simulation))))
            assert {name: found[name] for name in right} == right
            board = tab.ask("scene", simulation=simulation, ply=len(found["path"]))
            assert board["turn"] != (found["nodes"][-1]["turn"] if found["path"] else None)


def test_a_lesson_ends_with_a_proof(server: Serving) -> None:
    with server.tab() as tab:
        found = tab.ask("learn", game="tic_tac_toe", moves="a1 b1 a2 b2", how="uct", simulation=900)
        assert found["simulation"] == found["last"] < 900
        tab.ask("stop", what="learn")
        tab.send("scene", simulation=1)
        assert tab.next("error")["error"]["code"] == "gone"


def test_a_walk_of_alpha_beta(server: Serving) -> None:
    from sylve.search.reference.alpha_beta import alpha_beta

    start = Position.start("connect_four").play_line("4 4 3")
    score, line, nodes = alpha_beta(start, 3)
    with server.tab() as tab:
        asked = {"game": "connect_four", "moves": "4 4 3", "how": "alpha_beta(3)"}
        last = tab.ask("learn", **asked, simulation=20_000)
        assert (last["value"], last["last"]) == (score, 2 * nodes)
        assert last["line"][0] == start.name(line[0])
        cuts = 0
        for number in range(1, last["last"] + 1, 7):
            event = tab.ask("learn", **asked, simulation=number)
            low, high = event["window"]
            assert low is None or high is None or low < high
            cuts += bool(event["left_out"])
            assert len(event["frames"]) <= 4
        assert cuts


def test_levels_play_and_no_request_names_a_player(server: Serving) -> None:
    with server.tab() as tab:
        for level in (1, 4, 9):
            found = tab.ask("move", game="tic_tac_toe", moves="a1 b1 a2 b2", how=f"level({level})")
            assert found["name"] == "a3"
        for how in ("level(10)", "level(0)", 'gtp("true")', "careless(0.5, otherwise=uct)"):
            tab.send("move", game="tic_tac_toe", how=how)
            assert tab.next("error")["error"]["code"] == "input"


def test_the_shelf(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    (results / "broken.sqlite").write_bytes(b"no store")
    shutil.copy(ROOT / "docs/results/go_gnugo.sqlite", results)
    lab = results / "kuhn"
    lab.mkdir()
    (lab / "data.json").write_text('{"experiment": 3}')
    with serving(shelf=results) as server:
        entries = {row["name"]: row for row in server.call("shelf")["entries"]}
        assert {name: row["problem"] for name, row in entries.items()} == {
            "broken": True, "go_gnugo": False, "kuhn": True}  # fmt: skip
        found = server.call("entry", number=entries["go_gnugo"]["number"])
        assert (found["done"], len(found["games"])) == (found["total"], 50)
        assert len(found["cross"]["rows"]) == len(found["ratings"]["rows"])
        number, first, second, result, plies = found["games"][3]
        game = server.call("shelf_game", number=found["number"], game=number)
        assert (game["players"], game["result"]) == ([first, second], result)
        assert len(game["moves"]) >= plies
        server.call(
            "board", game=game["game"], position=game["position"], moves=" ".join(game["moves"])
        )
        assert server.refused("entry", number=999)[1] == "gone"
        for name in ("broken", "kuhn"):
            told = server.refused("entry", number=entries[name]["number"])
            assert (told[1], str(tmp_path) in told[2]) == ("input", False)


def test_a_tournament_that_is_being_played(tmp_path: Path) -> None:
    config = make_config("tic_tac_toe", [("a", "random"), ("b", "one_ply")], 4)
    with serving(shelf=tmp_path) as server:
        assert server.call("shelf")["entries"] == []
        store = Store.create(tmp_path / "now.sqlite", config)
        for done, slot in enumerate(list(store.slots())):
            (entry,) = server.call("shelf")["entries"]
            assert (entry["title"], entry["done"]) == ("a against b: tic_tac_toe", done)
            assert entry["running"]
            found = server.call("entry", number=entry["number"])
            assert (found["done"], found["total"], len(found["games"])) == (done, 4, done)
            with store.transaction():
                store.finish(store.lease(slot, "here"), play_job(job(config, slot), {}))
        store.close()
        assert not server.call("shelf")["entries"][0]["running"]


def test_the_scripts_by_node(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        return  # the tests in a browser cover the same
    for name, file in page_files().items():
        if name.endswith(".js"):
            made = file.content.decode().replace('.js"', '.mjs"')
            (tmp_path / name.rpartition("/")[2].replace(".js", ".mjs")).write_text(made)
    shutil.copy(ROOT / "tests/page_scripts.mjs", tmp_path / "page.test.mjs")
    done = subprocess.run(
        [node, "--test", tmp_path], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout
    assert "# pass 7" in done.stdout
