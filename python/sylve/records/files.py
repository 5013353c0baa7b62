"""Reading and writing records in any form; the form is known from the text or the file's name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sylve.files import write_whole
from sylve.game import AnyGame
from sylve.games import GAMES, load_game
from sylve.inputs import check_unicode, read_bytes
from sylve.records import ggf, plain
from sylve.records.record import InvalidRecord, Record
from sylve.records.sgf_read import read_sgf
from sylve.records.sgf_tree import LARGEST
from sylve.records.sgf_write import write_sgf

WRITERS: Mapping[str, Callable[[Record], str]] = {
    "sgf": write_sgf,
    "ggf": ggf.write_ggf,
    "json": plain.write_json,
    "moves": plain.write_moves,
}
FORMATS = tuple(WRITERS)
SUFFIXES = {".sgf": "sgf", ".ggf": "ggf", ".json": "json", ".txt": "moves", ".moves": "moves"}


def write_record(record: Record, form: str) -> str:
    """The record as text: `sgf`, `ggf`, `json` or `moves`.

    >>> from sylve import Position
    >>> from sylve.records import Record, write_record
    >>> record = Record(Position.start("connect_four"), (3, 3, 2))
    >>> write_record(record, "moves").splitlines()
    ['# game: connect_four', '4 4 3']
    """
    if form not in WRITERS:
        raise ValueError(f"unknown form {form!r}: expected one of: {', '.join(FORMATS)}")
    return WRITERS[form](record)


def read_record(text: str, game: str | AnyGame | None = None) -> Record:
    """The first game of a text in any of the forms.

    `game` is for bare lists of moves, and for games of the user's own: a file names its game, and
    imports nothing. A warning (`SourceChanged`) says if the source of such a game has changed.

    >>> from sylve.records import read_record
    >>> record = read_record("f5 d6 c3", "othello")
    >>> record.final.turn
    <Player.SECOND: 1>
    """
    try:
        check_unicode(text)
    except ValueError as error:
        raise InvalidRecord(f"no text: {error}") from None
    told = load_game(game) if isinstance(game, str) else game
    # JSON and SGF name the games of the package themselves.
    own = None if type(told) in GAMES.values() else told
    body = text.lstrip("\ufeff \t\r\n")
    if body.startswith("{"):
        return plain.read_json_record(body, own)
    if re.match(r"\(\s*;", body):
        othello = re.match(r"\(\s*;[^;]*?GM\s*\[\s*othello\s*\]", body, re.IGNORECASE)
        return ggf.read_ggf(body) if othello else read_sgf(body, own)
    return plain.read_moves(body, told)


def form_of(path: Path) -> str:
    """The form that a file's name asks for."""
    form = SUFFIXES.get(path.suffix.lower())
    if form is None:
        raise ValueError(f"{path.name}: expected a name that ends in {', '.join(SUFFIXES)}")
    return form


def load_record(path: str | os.PathLike[str], game: str | AnyGame | None = None) -> Record:
    """The record in a file.

    >>> from sylve.records import load_record, read_record, save_record
    >>> save_record(read_record("f5 d6 c3", "othello"), "game.sgf")
    >>> load_record("game.sgf").names
    ('f5', 'd6', 'c3')
    """
    try:
        content = read_bytes(path, LARGEST)
    except ValueError as error:
        raise InvalidRecord(str(error)) from None
    return read_record_bytes(content, Path(path).name, game)


def read_record_bytes(content: bytes, name: str, game: str | AnyGame | None = None) -> Record:
    """The record in the bytes of a file; `name` is for the message."""
    try:
        return read_record(decode(content), game)
    except InvalidRecord as error:
        raise InvalidRecord(f"{name}: {error}") from None


def decode(content: bytes) -> str:
    """The text of a file."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # the default of SGF: every byte is a character


def save_record(record: Record, path: str | os.PathLike[str], form: str | None = None) -> None:
    """Write a record to a file, whole or not at all.

    >>> from pathlib import Path
    >>> from sylve.records import read_record, save_record
    >>> save_record(read_record("f5 d6 c3", "othello"), "game.ggf")
    >>> Path("game.ggf").read_text()[:9]
    '(;GM[Othe'
    """
    target = Path(path)
    text = write_record(record, form or form_of(target))
    write_whole(target, text.encode())
