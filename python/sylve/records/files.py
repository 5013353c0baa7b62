"""Reading and writing records in any form; the form is known from the text or the file's name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sylve.records import ggf, plain
from sylve.records.record import InvalidRecord, Record
from sylve.records.sgf_read import read_sgf
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
    """The record as text: `sgf`, `ggf`, `json` or `moves`."""
    if form not in WRITERS:
        raise ValueError(f"unknown form {form!r}: expected one of: {', '.join(FORMATS)}")
    return WRITERS[form](record)


def read_record(text: str, game: str | None = None) -> Record:
    """The first game of a text in any of the forms; `game` is for bare lists of moves."""
    body = text.lstrip("\ufeff \t\r\n")
    if body.startswith("{"):
        return plain.read_json_record(body)
    if re.match(r"\(\s*;", body):
        othello = re.match(r"\(\s*;[^;]*?GM\s*\[\s*othello\s*\]", body, re.IGNORECASE)
        return ggf.read_ggf(body) if othello else read_sgf(body)
    return plain.read_moves(body, game)


def form_of(path: Path) -> str:
    """The form that a file's name asks for."""
    form = SUFFIXES.get(path.suffix.lower())
    if form is None:
        raise ValueError(f"{path.name}: expected a name that ends in {', '.join(SUFFIXES)}")
    return form


def load_record(path: str | os.PathLike[str], game: str | None = None) -> Record:
    """The record in a file."""
    content = Path(path).read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # the default of SGF: every byte is a character
    try:
        return read_record(text, game)
    except InvalidRecord as error:
        raise InvalidRecord(f"{Path(path).name}: {error}") from None


def save_record(record: Record, path: str | os.PathLike[str], form: str | None = None) -> None:
    """Write a record to a file, whole or not at all."""
    target = Path(path)
    text = write_record(record, form or form_of(target))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
