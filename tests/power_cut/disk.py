"""A disk that may forget: what can be on it after a power cut, from a record of what was done.

A write is safe once its file was flushed; a name is made or removed for good once its folder was
flushed. Of all that came later, any part may be there, in sectors, and any part may not.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

HEAD = struct.Struct("<sIQQ")
SECTOR = 512


class Deed(NamedTuple):
    """One line of the record; see recorder.c."""

    what: str
    path: str
    offset: int
    data: bytes


def read_deeds(record: Path) -> Iterator[Deed]:
    """All deeds, in order."""
    with record.open("rb") as file:
        while head := file.read(HEAD.size):
            what, length, offset, size = HEAD.unpack(head)
            path = file.read(length).decode()
            yield Deed(what.decode(), path, offset, file.read(size))


def apply(content: bytearray, deed: Deed) -> None:
    """A write or a cut, on the bytes of a file."""
    if deed.what == "t":
        del content[deed.offset :]
        content.extend(bytes(deed.offset - len(content)))
        return
    if deed.offset > len(content):
        content.extend(bytes(deed.offset - len(content)))
    content[deed.offset : deed.offset + len(deed.data)] = deed.data


def sectors(deed: Deed) -> Iterator[Deed]:
    """A write as the disk does it: piece by piece."""
    if deed.what == "t":
        yield deed
        return
    at = 0
    while at < len(deed.data):
        end = at + SECTOR - (deed.offset + at) % SECTOR
        yield deed._replace(offset=deed.offset + at, data=deed.data[at:end])
        at = end


Choice = Callable[[list[Deed], random.Random], list[Deed]]
"""Which of the deeds that were not flushed are on the disk after all."""


def dropped(deeds: list[Deed], rng: random.Random) -> list[Deed]:
    """None."""
    del deeds, rng
    return []


def kept(deeds: list[Deed], rng: random.Random) -> list[Deed]:
    """All: no power cut, but a kill."""
    del rng
    return deeds


def torn(deeds: list[Deed], rng: random.Random) -> list[Deed]:
    """Any sectors, whichever came first."""
    return [piece for deed in deeds for piece in sectors(deed) if rng.random() < 0.5]


def cut_short(deeds: list[Deed], rng: random.Random) -> list[Deed]:
    """The first so many, the last of them in part."""
    pieces = [piece for deed in deeds for piece in sectors(deed)]
    return pieces[: rng.randrange(len(pieces) + 1)]


CHOICES: tuple[Choice, ...] = (dropped, kept, torn, cut_short)


@dataclass
class Disk:
    """The files of one folder: what is safe, and what was done since."""

    safe: dict[str, bytearray] = field(default_factory=dict)
    """By path: the bytes that were flushed, also of files whose name is not safe yet."""
    late: dict[str, list[Deed]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    """The names that were there when the folder was flushed."""
    late_names: list[Deed] = field(default_factory=list)

    def do(self, deed: Deed) -> None:
        """One more deed."""
        if deed.what == "c":
            self.safe[deed.path] = bytearray()  # a new file, whatever had the name before
            self.late[deed.path] = []
            self.late_names.append(deed)
        elif deed.what == "u":
            self.late_names.append(deed)
        elif deed.what == "d":
            for change in self.late_names:
                (self.names.add if change.what == "c" else self.names.discard)(change.path)
            self.late_names = []
        elif deed.what == "s":
            for change in self.late.get(deed.path, []):
                apply(self.safe[deed.path], change)
            self.late[deed.path] = []
        else:
            self.late.setdefault(deed.path, []).append(deed)
            self.safe.setdefault(deed.path, bytearray())

    def after_power_cut(self, choice: Choice, rng: random.Random) -> dict[str, bytes]:
        """The files that may be found, by the last part of their names."""
        names = set(self.names)
        for change in choice(self.late_names, rng):
            (names.add if change.what == "c" else names.discard)(change.path)
        found = {}
        for path in sorted(names):
            content = bytearray(self.safe[path])
            for deed in choice(self.late[path], rng):
                apply(content, deed)
            found[Path(path).name] = bytes(content)
        return found
