"""The file of a saved search: what was searched and how, what was found, and a checksum.

docs/spec.md ("Saved searches") has the format. A file is the old one or the new one, whatever
happens while it is written.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from sylve.errors import DamagedFile, quote, shown
from sylve.files import write_whole
from sylve.game import AnyGame
from sylve.games import known_game
from sylve.inputs import read_json
from sylve.own import check_known, game_text, is_own
from sylve.position import Position
from sylve.search.reference.searches import Search
from sylve.search.text import parse_search

MAGIC = b"\x89sylve\r\n"
"""Not text, and changed by whatever takes it for text."""
VERSION = 1
WORD = 4  # bytes of the version and of the length of the header
LONG = 8  # bytes of the length of the body
CHECKSUM = hashlib.sha256().digest_size


@dataclass(frozen=True)
class Header:
    """What was searched, and how. JSON in the file."""

    game: str | None
    """None: a game of the user's own."""
    origin: str | None
    """The position from which `played` leads to the one searched; None: the start of the game."""
    played: list[int]
    moves: list[int]
    """The legal moves there: if they are others now, the rules have changed."""
    search: str
    threads: int
    parallel: str
    memory: int | None
    seconds: float
    stopped: str
    engine: str

    def position(self, game: AnyGame | None) -> Position:
        """The position that was searched; `game`: the rules, if they are the user's own."""
        if self.game is not None:
            rules: AnyGame = known_game(self.game)
            if game is not None and game != rules:
                raise ValueError(f"the file is of {rules}, not of {shown(game)}")
        elif game is None:
            raise ValueError("the search is of a game of your own: give its rules, game=...")
        else:
            rules = game
        start = Position.start(rules)
        position = start if self.origin is None else Position.parse(rules, self.origin)
        for move in self.played:
            position = position.play(move)
        if list(position.moves) != self.moves:
            raise ValueError(
                f"the rules have changed: the legal moves are others in {shown(position)}"
            )
        return position

    def how(self) -> Search:
        """The search."""
        check_known(self.search)
        search = parse_search(self.search)
        if not isinstance(search, Search):
            raise DamagedFile(f"{search} cannot be saved")
        return search


def describe_position(position: Position) -> dict[str, Any]:
    """The position as a header has it."""
    game: str | None = game_text(position.game)
    try:
        own = is_own(str(game)) or known_game(str(game)) != position.game
    except ValueError:
        own = True
    if position.allowed is not None:
        raise ValueError(f"cannot be saved: {position!r} is restricted to some of its moves")
    origin = None
    if position.origin != position.game.start():
        origin = Position(position.game, position.origin).text
        if Position.parse(position.game, origin).state != position.origin:
            raise ValueError(f"cannot be saved: the text {quote(origin)} is of another position")
    return {
        "game": None if own else game,
        "origin": origin,
        "played": list(position.played),
        "moves": list(position.moves),
    }


def describe_search(how: Search) -> str:
    """The search as text, if that says everything."""
    text = str(how)
    try:
        same = parse_search(text) == how
    except ValueError:
        same = False
    if not same:
        raise ValueError(f"a search that cannot be written as text cannot be saved: {quote(text)}")
    return text


def write_file(path: Path, header: Header, body: bytes) -> None:
    """Write all of it or nothing."""
    text = json.dumps(asdict(header)).encode()
    parts = [
        MAGIC,
        VERSION.to_bytes(WORD, "little"),
        len(text).to_bytes(WORD, "little"),
        text,
        len(body).to_bytes(LONG, "little"),
        body,
    ]
    checksum = hashlib.sha256()
    for part in parts:
        checksum.update(part)
    write_whole(path, (*parts, checksum.digest()))


def read_file(path: Path) -> tuple[Header, bytes]:
    """The header and the body of a file that is complete and unchanged."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC) + WORD)
        if start[: len(MAGIC)] != MAGIC:
            raise DamagedFile(f"{quote(str(path))} is no saved search")
        version = int.from_bytes(start[len(MAGIC) :], "little")
        if version != VERSION:
            raise DamagedFile(
                f"{quote(str(path))} is of version {version} of the format; this is {VERSION}"
            )
        content = start + file.read()
    content, checksum = content[:-CHECKSUM], content[-CHECKSUM:]
    if hashlib.sha256(content).digest() != checksum:
        raise DamagedFile(f"{quote(str(path))} is damaged: its checksum is wrong")
    at = len(start)
    try:
        text, at = split_off(content, at, WORD)
        body, at = split_off(content, at, LONG)
        if at != len(content):
            raise DamagedFile("it goes on after its end")
        return read_header(text), body
    except DamagedFile as error:
        raise DamagedFile(f"{quote(str(path))} is damaged: {error}") from None


def split_off(content: bytes, at: int, size: int) -> tuple[bytes, int]:
    """A part of the file, after its length in `size` bytes; and where it ends."""
    length = int.from_bytes(content[at : at + size], "little")
    at += size
    if at + length > len(content):
        raise DamagedFile("it ends too soon")
    return content[at : at + length], at + length


def read_header(text: bytes) -> Header:
    """The header; every field of the right kind."""
    try:
        values = read_json(text.decode())
    except ValueError:
        raise DamagedFile("its header cannot be read") from None
    known = {field.name for field in fields(Header)}
    if not isinstance(values, dict) or values.keys() != known:
        raise DamagedFile("its header has other entries")
    header = Header(**values)
    whole = [header.threads, *(() if header.memory is None else (header.memory,))]
    for name in ("played", "moves"):
        if not isinstance(values[name], list):
            raise DamagedFile(f"{name} in its header is no list")
        whole += values[name]
    words = [header.search, header.parallel, header.stopped, header.engine]
    words += [word for word in (header.game, header.origin) if word is not None]
    good = (
        all(type(number) is int for number in whole)
        and all(isinstance(word, str) for word in words)
        and isinstance(header.seconds, float)
        and 0.0 <= header.seconds < 1e12
    )
    if not good:
        raise DamagedFile("an entry of its header is of the wrong kind")
    return header
