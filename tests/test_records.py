"""Game records: what is written is read back, and bad files get clear errors."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from helpers import GAMES, random_game
from sylve import Grave, Position, Uct, search
from sylve.games.board import BoardGame
from sylve.records import (
    InvalidRecord,
    Record,
    load_record,
    read_record,
    result_of,
    save_record,
    write_record,
)
from sylve.records.sgf_tree import Node, escape, read_main_line, unescape, write_node

SMALL = [game for game in GAMES if "size=19" not in game and "size=13" not in game]
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)


def draw_record(data: st.DataObject, game: str, setup: bool = False) -> Record:
    positions = list(random_game(game, 5, data.draw(st.integers(0, 200))))
    last = data.draw(st.integers(0, len(positions) - 1))
    first = data.draw(st.integers(0, last)) if setup else 0
    position = positions[last]
    opening = Position(positions[first].game, positions[first].state)
    if setup and opening.outcome is None:
        opening = Position.parse(game, opening.text)  # no history
    return Record(
        opening,
        position.played[first:],
        players=(data.draw(WORDS), data.draw(WORDS)),
        result=result_of(position) or data.draw(st.sampled_from(["", "x+R", "o+T", "void"])),
        date=data.draw(st.sampled_from(["", "2026-11-16"])),
        event=data.draw(WORDS),
        comment=data.draw(WORDS),
    )


@pytest.mark.parametrize("form", ["sgf", "json"])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_round_trip(form: str, data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(SMALL))
    record = draw_record(data, game, setup=data.draw(st.booleans()))
    text = write_record(record, form)
    assert read_record(text) == record
    assert write_record(read_record(text), form) == text


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_round_trip_of_moves(data: st.DataObject) -> None:
    record = draw_record(data, data.draw(st.sampled_from(SMALL)))
    tidy = {key: " ".join(getattr(record, key).split()) for key in ("date", "event", "comment")} | {
        "players": tuple(" ".join(name.split()) for name in record.players)
    }
    record = dataclasses.replace(record, **tidy)
    assert read_record(write_record(record, "moves")) == record


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_round_trip_of_ggf(data: st.DataObject) -> None:
    record = draw_record(data, data.draw(st.sampled_from(["othello", "othello(size=6)"])))
    if record.result == "void":
        record = dataclasses.replace(record, result="")
    assert read_record(write_record(record, "ggf")) == record


@pytest.mark.parametrize("form", ["sgf", "json"])
@pytest.mark.parametrize(
    "game", ["go(size=5)", "othello", "hex(size=4, swap=true)", "breakthrough"]
)
def test_analysis_is_kept(form: str, game: str) -> None:
    positions = list(random_game(game, 8, 1))[:9]
    reports = {
        0: search(positions[0], Uct(50, seed=7)),
        3: search(positions[3], Grave(60)),
        8: search(positions[8], Uct(40)),
    }
    record = Record(positions[0], positions[8].played, analysis=reports)
    back = read_record(write_record(record, form))
    assert back == record
    assert back.analysis[3].moves == reports[3].moves
    assert back.analysis[3].line_names == reports[3].line_names
    assert back.analysis[0].seconds == reports[0].seconds  # read, not made again


def test_sabaki_reads_black_s_chances() -> None:
    start = Position.start("go(size=5)")
    white = start.play("C3")
    record = Record(
        start,
        (start.move("C3"),),
        analysis={0: search(start, Uct(100)), 1: search(white, Uct(100))},
    )
    root, node = read_main_line(write_record(record, "sgf"), (), ("SBKV",))
    first, second = (record.analysis[ply] for ply in (0, 1))
    assert float(root.first("SBKV")) == pytest.approx(100 * first[first.best].mean, abs=0.01)
    assert float(node.first("SBKV")) == pytest.approx(
        100 - 100 * second[second.best].mean, abs=0.01
    )


def test_go_file_of_another_program() -> None:
    record = read_record(
        "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[9]KM[6.5]HA[2]\n"
        "PW[white \\] one]PB[black]AB[gc][cg]RE[W+Resign]\n"
        ";W[ee]C[a \\\nb];B[tt];W[fd];B[](;W[dc])(;W[cc]))"
    )
    assert str(record.opening.game) == "go(komi=6.5)"
    assert record.opening.state.board.count("x") == 2
    assert record.opening.state.board[6 * 9 + 6] == "x"
    assert record.names == ("E5", "pass", "F6", "pass", "D7")
    assert record.players == ("black", "white ] one")
    assert record.result == "o+R"


def test_go_without_size_and_with_rectangles() -> None:
    record = read_record("(;AB[aa:bb]AW[ss];W[cc];B[dd];B[ee])")
    assert str(record.opening.game) == "go(size=19, komi=0.0)"
    assert record.opening.state.board.count("x") == 4
    assert record.opening.state.board[18 * 19] == "x"  # the top left corner
    # White's pass between two stones of Black was left out.
    assert record.names == ("pass", "C17", "D16", "pass", "E15")


def test_hex_file() -> None:
    record = read_record("(;FF[4]GM[11]SZ[11]PB[A]PW[B];B[A10];W[swap-pieces];B[d8];W[resign])")
    assert str(record.opening.game) == "hex(swap=true)"
    assert record.names == ("a10", "swap-pieces", "d8")
    assert record.result == "x+R"
    assert read_record("(;GM[11]SZ[5];B[c3];W[c2])").names == ("c3", "c2")


@pytest.mark.parametrize("moves", ["B[f5];W[d6];B[c3]", "B[F5];W[D6];B[C3]", "B[fe];W[df];B[cc]"])
def test_othello_files(moves: str) -> None:
    assert read_record(f"(;GM[2];{moves})").names == ("f5", "d6", "c3")


GGF = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]"
    "TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- --------"
    " -------- -------- *]B[d3//0.01]W[c3//0.01]B[c4//0.01]W[e3/1.5/2];)"
)


def test_ggf_file() -> None:
    record = read_record(GGF)
    assert record.names == ("d3", "c3", "c4", "e3")
    assert record.players == ("Saio1200", "Saio3000")
    assert record.result == "draw"
    assert "B[D3]W[C3]" in write_record(record, "ggf")


def test_ggf_passes_may_be_left_out() -> None:
    names = None
    for index in range(100):
        game = list(random_game("othello(size=4)", 2, index))
        record = Record(game[0], game[-1].played)
        if "pass" in record.names:
            names = record.names
            break
    assert names is not None
    text = write_record(record, "ggf")
    assert "[PA]" in text
    short = text.replace("B[PA]", "").replace("W[PA]", "")
    assert read_record(short).names == names
    assert (
        read_record(" ".join(name for name in names if name != "pass"), "othello(size=4)").names
        == names
    )


def test_list_of_moves_of_a_game_that_is_told() -> None:
    record = read_record("4 4 5 3", "connect_four")
    assert record.names == ("4", "4", "5", "3")
    assert write_record(record, "moves") == "# game: connect_four\n4 4 5 3\n"
    with pytest.raises(InvalidRecord, match="the file is of 'connect_four', not of 'go'"):
        read_record("# game: connect_four\n4 4", "go")


def test_breakthrough_sgf_is_no_go_file() -> None:
    text = write_record(read_record("a2-a3 b7-b6", "breakthrough"), "sgf")
    assert "GM[Breakthrough]" in text
    assert ";W[a2-a3];B[b7-b6]" in text  # White moves first, as in chess


def test_files(tmp_path: Path) -> None:
    record = read_record("f5d6", "othello")
    for suffix in (".sgf", ".ggf", ".json", ".txt"):
        path = tmp_path / f"game{suffix}"
        save_record(record, path)
        assert load_record(path) == record
    assert len(list(tmp_path.iterdir())) == 4  # nothing is left over
    with pytest.raises(ValueError, match="game.pgn: expected a name that ends in .sgf"):
        save_record(record, tmp_path / "game.pgn")
    with pytest.raises(ValueError, match="unknown form 'pgn': expected one of: sgf, ggf"):
        write_record(record, "pgn")
    latin = tmp_path / "latin.sgf"
    latin.write_bytes("(;GM[1]SZ[9]PB[J\u00f6rg];B[aa])".encode("latin-1"))
    assert load_record(latin).players[0] == "J\u00f6rg"


BAD = {
    "(;GM[1]SZ[9];B[aa]": "SGF: the file ends inside a game: 1 ')' missing",
    "(;GM[1]SZ[9];B[aa": "unexpected or unclosed '[' at '[aa'",
    "(;GM[1]SZ[9]%;B[aa])": "SGF: cannot read '%;B[aa])'",
    "(;GM[3];B[aa])": "GM[3] is no game of ours: expected one of: 1 (go), 2 (othello), 11 (hex)",
    "(;GM[1]SZ[25])": "go: size must be a whole number from 2 to 19, not 25",
    "(;GM[1]SZ[9:13])": "go boards are square",
    "(;GM[1]SZ[x])": "cannot read the size 'x' of go",
    "(;GM[1]KM[many])": "cannot read the komi 'many'",
    "(;GM[1]KM[3.75])": "komi must be a multiple of 0.5",
    "(;GM[1]SZ[9];B[aa];W[aa])": "SGF: move 2, W: illegal move",
    "(;GM[1]SZ[9];B[zz])": "SGF: move 1, B: SGF: 'zz' is no cell of go",
    "(;GM[1]SZ[9];B[D4])": "'D4' is no move of go",
    "(;GM[1]SZ[9];B[aa];AB[bb])": "stones are set up after the first node",
    "(;GM[1]SZ[3]AB[aa][ab]AW[ba][bb][ac])": "has no liberty",
    "(;GM[11]SZ[5];B[c3];W[swap-sides])": "swap-sides is not supported",
    "(;GM[11]SZ[5];B[c3];B[c4])": "move 2 is B's, but it is W's turn",
    "(;GM[2];B[a1])": "SGF: move 1, B: illegal move 'a1': legal here: d3 c4 f5 e6",
    "(;GM[1]SZ[9]SYLVE[nonsense])": "SYLVE: no JSON",
    '(;GM[1]SZ[9]SYLVE[{"game": "hex"}\\])': "unclosed",
    '(;GM[1]SZ[9]SYLVE[{"game": "hex"}])': "GM and SZ do not fit 'hex'",
    '(;GM[1]SZ[9]SYLVE[{"analysis": 3}])': "analysis: expected an object, found '3'",
    '(;GM[1]SZ[9]SYLVE[{"analysis": {"schema": 9}}])': "schema '9', expected 1",
    "(;GM[Othello]B[a1];)": "GGF: move 1, B[a1]: illegal move 'a1'",
    "(;GM[Othello]BO[10 ----]B[a1];)": "othello: size must be 4, 6 or 8, not 10",
    "(;GM[Othello]BO[8 ----]B[a1];)": "cannot read the board '8 ----'",
    "(;GM[Othello]B[f5": "GGF: unclosed '[' at 'B[f5'",
    "(;GM[Othello]B[f5];": "GGF: expected ';)' at ';'",
    "{": "JSON: no JSON",
    "{}": "expected an object of kind 'sylve record'",
    '{"kind": "sylve record", "schema": 2}': "JSON: schema '2', expected 1",
    '{"kind": "sylve record", "schema": 1, "game": "chess"}': "JSON: unknown game 'chess'",
    '{"kind": "sylve record", "schema": 1, "game": "hex", "moves": [1]}': "lists of texts",
    '{"kind": "sylve record", "schema": 1, "game": "hex", "moves": ["a1", "a1"]}': "JSON: move 2",
    '{"kind": "sylve record", "schema": 1, "game": "hex", "result": "won"}': "invalid result 'won'",
    '{"kind": "sylve record", "schema": 1, "game": "hex", "analysis": {"9": {}}}': "of ply 9",
    "f5 d6": "no line '# game: NAME'",
    "# game: othello\nf5 f5": "moves: illegal move 'f5'",
    "# game: othello\nz9": "moves: invalid moves",
    "# game: othello\n# result: mine\nf5": "invalid result 'mine'",
    "": "no line '# game: NAME'",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_files(text: str) -> None:
    with pytest.raises(InvalidRecord) as error:
        read_record(text)
    assert BAD[text] in str(error.value)
    assert len(str(error.value)) < 500


def test_an_analysis_of_another_position_is_refused() -> None:
    start = Position.start("othello")
    record = Record(start, (), analysis={0: search(start, Uct(20))})
    content = json.loads(write_record(record, "json"))
    content["moves"] = ["f5"]
    content["analysis"] = {"1": content["analysis"]["0"]}
    with pytest.raises(InvalidRecord, match="analysis: it is of"):
        read_record(json.dumps(content))
    with pytest.raises(InvalidRecord, match="the analysis of ply 1 is of another position"):
        Record(start, (19,), analysis={1: record.analysis[0]})


@pytest.mark.parametrize("key", ["search", "line", "moves", "best", "nodes"])
@pytest.mark.parametrize("value", [None, 1.5, "x", [], {}, [{}], [7], "uct(-3)"])
def test_a_damaged_analysis_is_refused_or_read(key: str, value: object) -> None:
    start = Position.start("othello")
    content = json.loads(write_record(Record(start, analysis={0: search(start, Uct(20))}), "json"))
    content["analysis"]["0"][key] = value
    try:
        read_record(json.dumps(content))
    except InvalidRecord as error:
        assert "analysis: " in str(error)
    else:
        assert value == [] or (key, value) == ("line", {}) or (key, value) == ("moves", {})


@given(st.text(max_size=60))
@example("(" * 100_000)
@example("(;" * 100_000)
@example("(;C[" + "\\" * 100_001)
@example("{" * 100_000)
@example("[" * 100_000)
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"(;{text})", f"(;GM[1]{text})", f"(;GM[Othello]{text};)", f"{{{text}}}"):
        try:
            record = read_record(whole, "hex(size=3)")
        except InvalidRecord as error:
            assert len(str(error)) < 1000
        else:
            assert isinstance(record.opening.game, BoardGame)


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_escapes(text: str) -> None:
    assert unescape(escape(text)) == text
    (root,) = read_main_line("(" + write_node([("C", [text])]) + ")", ("C",))
    assert root == Node({"C": [text]})


def test_deep_variations_are_read() -> None:
    depth = 50_000
    text = "(;GM[1]SZ[9]" + "(;C[deep]" * depth + ";B[ee]" + ")" * depth + ")"
    assert read_record(text).names == ("E5",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd];B[ee]))", ("A9", "B8", "C7")),
        ("(;SZ[9];B[aa]();W[bb])", ("A9", "B8")),
        ("(;SZ[9];B[aa](;W[bb]);W[cc])", ("A9", "B8")),
        ("(;SZ[9];B[aa])(;SZ[9];B[what is this", ("A9",)),
        ("(;SZ[9];B[aa][bb]C[a\\]b])\x00\n", ("A9",)),
    ],
)
def test_the_main_line_of_the_first_game(text: str, names: tuple[str, ...]) -> None:
    assert read_record(text).names == names


def convert(*arguments: str) -> subprocess.CompletedProcess[str]:
    sylve = Path(sys.executable).with_name("sylve")
    return subprocess.run(
        [sylve, "convert", *arguments], capture_output=True, text=True, timeout=60
    )


def test_the_command_convert(tmp_path: Path) -> None:
    moves, sgf = tmp_path / "game.txt", tmp_path / "game.sgf"
    moves.write_text("f5d6c3")
    done = convert(str(moves), "--game", "othello", "--output", str(sgf))
    assert (done.returncode, done.stdout) == (0, "")
    assert load_record(sgf).names == ("f5", "d6", "c3")
    shown = convert(str(sgf), "--to", "ggf").stdout
    assert shown.endswith("B[F5]W[D6]B[C3];)\n")
    for arguments, code, message in (
        ([str(sgf)], 2, "choose an output format"),
        ([str(moves), "--to", "sgf"], 2, "game.txt: moves: no line '# game: NAME'"),
        ([str(sgf), "--output", str(tmp_path / "game.pgn")], 2, "ends in .sgf"),
        ([str(tmp_path / "none.sgf"), "--to", "json"], 2, "no such file or folder"),
        ([str(sgf), "--to", "pgn"], 2, "pgn"),
    ):
        done = convert(*arguments)
        assert (done.returncode, done.stdout) == (code, ""), arguments
        assert message in done.stderr
        assert "Traceback" not in done.stderr
