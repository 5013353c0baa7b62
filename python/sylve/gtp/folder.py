"""The one folder in which a GTP session may read and write records.

Whoever sends commands is not always who started the program, so a name must not lead anywhere else:
no absolute name, no `..`, no link on the way, and nothing is replaced but a record.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sylve.errors import quote
from sylve.gtp.protocol import Refusal
from sylve.records import InvalidRecord, Record, save_record
from sylve.records.files import SUFFIXES, read_record_bytes

LARGEST_RECORD = 4 << 20  # bytes; a long game with analysis has some hundred thousand
LONGEST_NAME = 1024  # characters
# Without O_NONBLOCK, opening a pipe would wait for its other end.
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class Folder:
    """A folder, and the records below it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.realpath(path))
        if not self.path.is_dir():
            raise ValueError(f"{quote(str(path))} is no folder")

    def load(self, name: str) -> Record:
        """The record in a file, in any form that we know. Raises Refusal."""
        with self._parent(name, tuple(SUFFIXES)) as (parent, last):
            content = read_regular(parent, last, name)
        try:
            return read_record_bytes(content, last)
        except ValueError as error:
            raise Refusal(str(error)) from None

    def save(self, record: Record, name: str) -> None:
        """Write a record as SGF: to a new file, or over another record. Raises Refusal."""
        with self._parent(name, (".sgf",)) as (parent, last):
            check_replaceable(parent, last, name)
            # By a bare name from inside the folder that was opened: whatever is renamed or linked
            # meanwhile, the file is written there and nowhere else.
            with inside(parent):
                save_record(record, last, "sgf")

    @contextmanager
    def _parent(self, name: str, suffixes: tuple[str, ...]) -> Iterator[tuple[int, str]]:
        """The folder of a file, opened step by step without following a link, and its last name."""
        parts = split(name, suffixes)
        if os.open not in os.supports_dir_fd:
            raise Refusal("this system cannot open folders: records go through printsgf alone")
        try:
            here = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | NO_LINK)
            try:
                for part in parts[:-1]:
                    below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | NO_LINK, dir_fd=here)
                    os.close(here)
                    here = below
                yield here, parts[-1]
            finally:
                os.close(here)
        except OSError as error:
            raise Refusal(f"{quote(name)}: {error.strerror or error}") from None


def split(name: str, suffixes: tuple[str, ...]) -> list[str]:
    """The parts of a name that stays below the folder."""
    parts = [part for part in name.split("/") if part != "."]
    problem = None
    if len(name) > LONGEST_NAME:
        problem = f"more than {LONGEST_NAME} characters"
    elif not name.isprintable() or "\\" in name:
        problem = "only printable characters and no backslash"
    elif name.startswith(("/", "~")):
        problem = "only names below the session's folder, not absolute ones"
    elif not parts or "" in parts or ".." in parts:
        problem = "only names below the session's folder, without '..' and empty parts"
    elif Path(parts[-1]).suffix.lower() not in suffixes:
        problem = f"only names that end in {', '.join(suffixes)}"
    if problem is not None:
        raise Refusal(f"{quote(name)}: {problem}")
    return parts


def read_regular(parent: int, last: str, name: str) -> bytes:
    """What is in a regular file of a folder; nothing else is opened."""
    check_regular(os.stat(last, dir_fd=parent, follow_symlinks=False), name)
    file = os.open(last, os.O_RDONLY | NO_LINK, dir_fd=parent)
    with os.fdopen(file, "rb") as stream:
        check_regular(os.fstat(file), name)  # it may be another one by now
        content = stream.read(LARGEST_RECORD + 1)
    if len(content) > LARGEST_RECORD:
        raise Refusal(f"{quote(name)}: larger than {LARGEST_RECORD >> 20} MiB")
    return content


def check_regular(found: os.stat_result, name: str) -> None:
    """Refuse links, folders, devices and pipes."""
    if not stat.S_ISREG(found.st_mode):
        kind = "a link" if stat.S_ISLNK(found.st_mode) else "no regular file"
        raise Refusal(f"{quote(name)}: it is {kind}")


def check_replaceable(parent: int, last: str, name: str) -> None:
    """Refuse to write over what is no record, or belongs to somebody else."""
    try:
        found = os.stat(last, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return
    content = read_regular(parent, last, name)
    if found.st_uid != os.geteuid():
        raise Refusal(f"{quote(name)}: it belongs to another user")
    try:
        if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"("):
            raise InvalidRecord("no SGF")
        read_record_bytes(content, last)
    except ValueError:
        raise Refusal(f"{quote(name)}: it exists and is no SGF record: left as it is") from None


@contextmanager
def inside(folder: int) -> Iterator[None]:
    """Work in a folder that is open."""
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY | NO_LINK)
    try:
        os.fchdir(folder)
        yield
    finally:
        os.fchdir(before)
        os.close(before)
