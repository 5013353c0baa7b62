"""Long inputs: linear work and at most ten bytes of memory a byte of text, or a refusal."""

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from sylve import Position, parse_search
from sylve.arena.config import make_config
from sylve.arena.file import read_toml
from sylve.arena.openings import read_file
from sylve.bandit import Bandit
from sylve.games import load_game
from sylve.grammar import LONGEST, read_call
from sylve.inputs import read_bytes, read_json
from sylve.lab.experiment import NAMES
from sylve.lab.report import read_results
from sylve.records import InvalidRecord, load_record, read_record
from sylve.search.running.search_file import DamagedFile, read_header
from sylve.tsp import read_tsplib

Shape = Callable[[int], str]
KIND = '{"kind": "sylve record", "schema": 1, "game": "go(size=5)"'


def fill(unit: str, before: str = "", after: str = "") -> Shape:
    """A text of about so many bytes: one thing over and over."""
    return lambda size: before + unit * (size // len(unit.encode("utf-8", "surrogatepass"))) + after


def deep(opening: str, closing: str = "", before: str = "") -> Shape:
    return lambda size: before + opening * (size // 2 // len(opening)) + closing * (size // 2)


PIECES = {
    "long token": "a",
    "long number": "7",
    "blanks": " ",
    "lines": "\n",
    "words": "ab ",
    "commas": "a,",
    "long escape": "\\",
    "escapes": "\\]\\a",
    "quotes": '"',
    "wide letters": "\u4e00",
    "wider letters": "\U0001f600",
    "null bytes": "\0",
    "half characters": "\ud800",
}
SGF: dict[str, Shape] = {
    **{f"comment of {name}": fill(unit, "(;SZ[5]C[", "])") for name, unit in PIECES.items()},
    **{f"comment of {name}, open": fill(unit, "(;SZ[5]C[") for name, unit in PIECES.items()},
    **{f"node of {name}": fill(unit, "(;SZ[5]", ")") for name, unit in PIECES.items()},
    "comment with one wide letter": fill("a", "(;SZ[5]C[\U0001f600", "])"),
    "nodes": fill(";", "(", ")"),
    "comments": fill(";C[ab]", "(;SZ[5]", ")"),
    "moves": fill(";B[]", "(;SZ[5]", ")"),
    "many moves in a node": fill("B[ab]", "(;SZ[5]", ")"),
    "properties": fill("AA[b]", "(;SZ[5]", ")"),
    "values": fill("[ab]", "(;SZ[5]AA", ")"),
    "stones": fill("[aa]", "(;SZ[5]AB", ")"),
    "rectangles": fill("[aa:ss]", "(;SZ[19]AB", ")"),
    "corners": fill(":aa", "(;SZ[19]AB[aa", "])"),
    "deep": deep("(;", ")"),
    "variations": fill("(;C[x])", "(;SZ[5]", ")"),
    "open": fill("("),
    "closed": fill(")", "(;"),
    "size": fill("9", "(;SZ[", "])"),
    "komi": fill("9", "(;KM[", "])"),
    "result": fill("9", "(;RE[B+", "])"),
    "game": fill("1,", '(;SYLVE[{"game": "hex(', ')"}])'),
    "JSON lists": fill("[\\],", "(;SYLVE[", "])"),
    "JSON texts": fill('"ab",', '(;SYLVE[["a",', '""\\]])'),
    "JSON deep": deep("[", "\\]", "(;SYLVE["),
    "JSON in many nodes": fill(';C[]SYLVE[{"a": {}}]', "(;SZ[5]", ")"),
}
GGF: dict[str, Shape] = {
    **{
        f"comment of {name}": fill(unit, "(;GM[Othello]CO[", "];)") for name, unit in PIECES.items()
    },
    **{f"rest of {name}": fill(unit, "(;GM[Othello]", ";)") for name, unit in PIECES.items()},
    "moves": fill("B[f5]", "(;GM[Othello]", ";)"),
    "properties": fill("AA[b]", "(;GM[Othello]", ";)"),
    "a long move": fill("/0", "(;GM[Othello]B[f5", "];)"),
    "board": fill("- ", "(;GM[Othello]BO[8 ", "];)"),
    "type": fill("8", "(;GM[Othello]TY[", "];)"),
    "result": fill("8", "(;GM[Othello]RE[", "];)"),
}
JSON: dict[str, Shape] = {
    "lists": fill("[],", KIND + ', "a": [', "0]}"),
    "objects": fill("{},", KIND + ', "a": [', "0]}"),
    "keys": lambda size: KIND + "".join(f', "{number}": 0' for number in range(size // 12)) + "}",
    "texts": fill('"ab",', KIND + ', "moves": [', '""]}'),
    "wide texts": fill('"\u4e00",', KIND + ', "moves": [', '""]}'),
    "numbers": fill("257,", KIND + ', "a": [', "0]}"),
    "floats": fill("1e1,", KIND + ', "a": [', "0]}"),
    "long number": fill("9", KIND + ', "a": ', "}"),
    "long fraction": fill("9", KIND + ', "a": 0.', "}"),
    "long exponent": fill("9", KIND + ', "a": 1e', "}"),
    "numbers with an exponent": fill("1e100,", KIND + ', "a": [', "0]}"),
    "long text": fill("a", KIND + ', "comment": "', '"}'),
    "escapes": fill("\\n", KIND + ', "comment": "', '"}'),
    "long escapes": fill("\\u4e00", KIND + ', "comment": "', '"}'),
    "half characters": fill("\\ud800", KIND + ', "comment": "', '"}'),
    "brackets in a text": fill("[{,", KIND + ', "comment": "', '"}'),
    "long text with one wide letter": fill("a", KIND + ', "comment": "\U0001f600', '"}'),
    "open text": fill("a", KIND + ', "comment": "'),
    "deep lists": deep("[", "]", KIND + ', "a": '),
    "deep objects": deep('{"a":', "}", KIND + ', "a": '),
    "game": fill("1,", '{"kind": "sylve record", "schema": 1, "game": "go(', ')"}'),
    "moves": fill('"A1","B2",', KIND + ', "moves": [', '"C3"]}'),
    "position": fill("x/", KIND + ', "position": "', '"}'),
    "search": fill(
        "1,",
        KIND + ', "analysis": {"0": {"schema": 1, "game": "go(size=5)",'
        ' "position": "...../...../...../...../..... x - 0", "search": "uct(',
        ')"}}}',
    ),
    "plies": fill('"9":0,', KIND + ', "analysis": {', '"0": 0}}'),
}
MOVES: dict[str, Shape] = {
    **{name: fill(unit, "# game: go\n") for name, unit in PIECES.items()},
    "moves": fill("A1 B2 ", "# game: go\n"),
    "illegal moves": fill("A1 ", "# game: go\n"),
    "passes": fill("pass ", "# game: go\n"),
    "notes": fill("#\n", "# game: go\n"),
    "a long note": fill("a", "# game: go\n# comment: "),
    "a long note with one wide letter": fill("a", "# game: go\n# comment: \U0001f600"),
    "a long game": fill("1,", "# game: hex(", ")\n"),
    "a long position": fill("x/", "# game: go\n# position: "),
    "separators": fill(",;", "# game: go\n"),
}
GRAMMAR: dict[str, Shape] = {
    "numbers": fill("1,", "hex(", ")"),
    "keywords": lambda size: "f(" + ",".join(f"a{n}=1" for n in range(size // 8)) + ")",
    "calls": fill("f(1),", "f(", ")"),
    "deep": deep("f(", ")"),
    "quoted": fill("a", 'f("', '")'),
    **{f"of {name}": fill(unit, "f(", ")") for name, unit in PIECES.items()},
    **{name: fill(unit) for name, unit in PIECES.items()},
}
POSITION: dict[str, Shape] = {
    **{name: fill(unit) for name, unit in PIECES.items()},
    **{f"end of {name}": fill(unit, ".../.../... x ") for name, unit in PIECES.items()},
    "rows": fill("xo/"),
    "cells": fill("x"),
    "words": fill("x "),
}
TOML: dict[str, Shape] = {
    "dotted name": fill("a.", "", "a = 1"),
    "quoted dotted name": fill('"".', "", "a = 1"),
    "deep lists": deep("[", "]", "a = "),
    "deep tables": deep("{a=", "}", "a = "),
    "number": fill("9", "games = "),
    "hexadecimal": fill("f", "games = 0x"),
    "text": fill("a", 'game = "', '"'),
    "escapes": fill("\\n", 'game = "', '"'),
    "tables": fill("[[a]]\n"),
    "names": lambda size: "".join(f"a{n}=1\n" for n in range(size // 8)),
    "game": fill("1,", 'game = "hex(', ')"\nplayers = ["random", "random"]\ngames = 2'),
}
TEXT: dict[str, Shape] = {name: fill(unit) for name, unit in PIECES.items()}


def of_file(read: Callable[[Path], object]) -> Callable[[str], object]:
    def reader(text: str) -> object:
        path = Path(FOLDER[0]) / "file.txt"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        del text
        return read(path)

    return reader


FOLDER = [""]


def tournament(text: str) -> object:
    content = read_toml(text)
    return make_config(
        str(content.get("game", "")), [(None, "random")] * 2, content.get("games", 2)
    )


PARSERS: dict[str, tuple[Callable[[str], object], dict[str, Shape], int]] = {
    # What reads, the shapes, and the size of the smaller text.
    "SGF": (read_record, SGF, 1 << 16),
    "GGF": (read_record, GGF, 1 << 16),
    "JSON": (read_record, JSON, 1 << 16),
    "moves": (read_record, MOVES, 1 << 16),
    "grammar": (read_call, GRAMMAR, LONGEST // 5),
    "search": (parse_search, GRAMMAR, LONGEST // 5),
    "game": (load_game, GRAMMAR, LONGEST // 5),
    "position": (lambda text: Position.parse("tic_tac_toe", text), POSITION, 1 << 16),
    "OBF": (lambda text: Position.parse("othello", text), POSITION, 1 << 16),
    "move": (Position.start("othello").move, TEXT, 1 << 16),
    "line": (Position.start("othello").play_line, MOVES | TEXT, 1 << 16),
    "TOML": (tournament, TOML, 1 << 13),
    "bandit": (Bandit.from_json, JSON, 1 << 16),
    "saved search": (lambda text: read_header(text.encode()), JSON, 1 << 16),
    "TSPLIB": (of_file(read_tsplib), TEXT | {"keys": fill("a:b\n")}, 1 << 16),
    "openings": (of_file(lambda path: read_file(path, "hex(size=3)")), TEXT, 1 << 16),
}
CASES = [(name, shape) for name, (_, shapes, _) in PARSERS.items() for shape in shapes]
SLACK = 6 << 20  # bytes beside the ten for each: what a reader keeps up to its limits


class Counted(str):
    """A text that counts what is cut out of it: a rest cut off at each step is quadratic."""

    __slots__ = ()
    cut: ClassVar[int] = 0

    def __getitem__(self, key: object) -> str:
        part = Counted(super().__getitem__(key))  # type: ignore[index]
        Counted.cut += len(part)
        return part


def attempt(read: Callable[[str], object], text: str) -> str:
    """Read it; the message if it is refused."""
    try:
        read(text)
    except ValueError as error:
        return str(error)
    return ""


def peak(read: Callable[[str], object], text: str) -> int:
    """The most memory at once, in bytes."""
    tracemalloc.start()
    try:
        attempt(read, text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def steps(read: Callable[[str], object], text: str) -> tuple[int, int]:
    """The lines of Python that ran, and the characters cut out of the text."""
    lines = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal lines
        lines += event == "line"
        return trace

    Counted.cut = 0
    sys.settrace(trace)
    try:
        attempt(read, Counted(text))
    finally:
        sys.settrace(None)
    return lines, Counted.cut


@pytest.mark.parametrize(("parser", "shape"), CASES)
def test_work_and_memory_are_linear(parser: str, shape: str, tmp_path: Path) -> None:
    FOLDER[0] = str(tmp_path)
    read, shapes, size = PARSERS[parser]
    text = shapes[shape](4 * size)
    message = attempt(read, text)  # once before, for what is made only once
    assert len(message) < 2000
    length = len(text.encode("utf-8", "surrogatepass"))
    assert peak(read, text) <= 10 * length + SLACK
    # Each step is traced, which is slow: shorter texts.
    small = min(size, 1 << 15) // 16
    lines, cut = steps(read, shapes[shape](small))
    more_lines, more_cut = steps(read, shapes[shape](4 * small))
    assert more_lines <= 5 * lines + 2000
    assert more_cut <= 5 * max(cut, small)


@pytest.mark.parametrize("parser", ["SGF", "GGF", "JSON", "moves"])
def test_larger_files_are_refused(parser: str, tmp_path: Path) -> None:
    _, shapes, _ = PARSERS[parser]
    path = tmp_path / "large"
    path.write_text(next(iter(shapes.values()))(33 << 20))
    with pytest.raises(InvalidRecord, match="large is larger than 32 MiB"):
        load_record(path)
    with pytest.raises(InvalidRecord, match="the text is larger than 32 MiB"):
        read_record(path.read_text())


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.sgf"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InvalidRecord, match="large.sgf is larger than 32 MiB"):
        load_record(path)
    with pytest.raises(ValueError, match="zero is larger than 64 KiB"):
        read_bytes("/dev/zero", 1 << 16)  # it has no size, and no end


NUMBERS = [
    "1" + "0" * 400,
    "1e999",
    "-1e400",
    "NaN",
    "Infinity",
    "-Infinity",
    "9" * 5000,
    "1" * 102,
]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_that_are_none(number: str) -> None:
    with pytest.raises(ValueError, match="expected a finite number of at most 100 digits"):
        read_json(f'{{"seconds": {number}}}')
    with pytest.raises(DamagedFile):
        read_header(f'{{"seconds": {number}}}'.encode())
    text = KIND.replace("go(size=5)", "tic_tac_toe") + f', "analysis": {{"0": {number}}}}}'
    with pytest.raises(InvalidRecord, match="expected a finite number"):
        read_record(text)


@pytest.mark.parametrize(
    "number", ["1__0", "1_", "\u0663", "1e999", "9" * 101, "nan", "0x10", "1e", "--1"]
)
def test_numbers_of_the_grammar(number: str) -> None:
    for read in (load_game, parse_search):
        with pytest.raises(ValueError, match="invalid|unknown|must be") as error:
            read(f"hex(size={number})" if read is load_game else f"uct({number})")
        assert "internal" not in str(error.value)
        assert "Exceeds" not in str(error.value)


@pytest.mark.parametrize("size", [64 * 1024, 64 * 1024 + 1, 1 << 20])
def test_the_limit_of_the_grammar(size: int) -> None:
    text = "f(" + "1," * ((size - 3) // 2) + ")"
    text += " " * (size - len(text))
    if size <= LONGEST:
        assert len(read_call(text).arguments) == (size - 3) // 2
    else:
        with pytest.raises(ValueError, match="more than 65536 characters"):
            read_call(text)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"page": 3}', "[" * 100_000, '{"page": {}}', "7"]
)
def test_damaged_results_of_the_lab(text: str, tmp_path: Path) -> None:
    folder = tmp_path / next(iter(NAMES))
    folder.mkdir()
    (folder / "figure.svg").write_text("<svg/>")
    (folder / "data.json").write_text(text)
    with pytest.raises(ValueError, match="data.json is no result of the lab"):
        read_results(tmp_path)


CHILD = """
import resource, sys, time
from pathlib import Path
from typing import ClassVar
sys.path.insert(0, sys.argv[3])
from sylve.records import load_record
from test_long_inputs import PARSERS
begin = time.perf_counter()
try:
    load_record(sys.argv[1], "go")
    said = "read"
except ValueError as error:
    said = str(error)
seconds = time.perf_counter() - begin
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, said[:200])
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("parser", "shape"),
    [case for case in CASES if case[0] in ("SGF", "GGF", "JSON", "moves")],
)
def test_32_megabytes(parser: str, shape: str, tmp_path: Path) -> None:
    """Answered within 5 s and 400 MB, or refused."""
    path = tmp_path / "large.txt"
    text = PARSERS[parser][1][shape](32_000_000 - 1000)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    done = subprocess.run(
        [sys.executable, "-c", CHILD, path, shape, Path(__file__).parent],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    seconds, memory, said = done.stdout.split(maxsplit=2)
    assert float(seconds) < 5, said
    assert int(memory) < 400_000, said
