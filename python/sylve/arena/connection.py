"""Connections to the file of a store. SQLite's errors are sorted here, and nowhere else.

Whatever is asked of a connection, what goes wrong is `DiskTrouble` (the disk is full, does not
obey, or is in use: the store is as good as before) or `DamagedFile` (the store is not what was
written).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sylve.errors import DamagedFile
from sylve.files import writable

PATIENCE = 30  # seconds to wait for a lock of SQLite's
LONGEST = 64 << 20  # bytes of a row: where a damaged file says more, memory is not asked for
TROUBLE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
AS_IT_IS = "mode=ro&immutable=1"  # no lock, no log, nothing beside the file
CUT_OFF = sqlite3.SQLITE_IOERR | 2 << 8  # a "short read": the file ends before it should


class DiskTrouble(OSError):
    """The disk is full, or does not obey."""


def sorted_error(error: sqlite3.Error, place: object) -> Exception:
    """What an error of SQLite means for the file."""
    if isinstance(error, sqlite3.ProgrammingError | sqlite3.NotSupportedError):
        return error  # a mistake of ours
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # none: text is not UTF-8
    if code & 0xFF == sqlite3.SQLITE_NOTADB:
        return DamagedFile(f"{place} cannot be read as a store: {error}")
    if code & 0xFF in TROUBLE and code != CUT_OFF:
        return DiskTrouble(f"{place}: {error}")
    return damaged(place, error)


def damaged(place: object, why: object) -> DamagedFile:
    """What is said of a store that is not what was written."""
    text = " ".join(str(why).replace("*** in database main ***", "").split())
    return DamagedFile(f"{place} is damaged: {text}; go on from a backup, if there is one")


@contextmanager
def errors_sorted(place: object) -> Iterator[None]:
    """Whatever SQLite raises inside is `DiskTrouble` or `DamagedFile`."""
    try:
        yield
    except sqlite3.Error as error:
        raise sorted_error(error, place) from None


class Cursor(sqlite3.Cursor):
    """Raises `DiskTrouble` and `DamagedFile` only, also in the middle of a query."""

    connection: Connection

    def execute(self, *arguments: Any) -> Cursor:
        """Run a statement."""
        with errors_sorted(self.connection.place):
            super().execute(*arguments)
        return self

    def executemany(self, *arguments: Any) -> Cursor:
        """Run a statement for each row."""
        with errors_sorted(self.connection.place):
            super().executemany(*arguments)
        return self

    def fetchone(self) -> Any:
        """The next row, or None."""
        with errors_sorted(self.connection.place):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        with errors_sorted(self.connection.place):
            return super().fetchall()

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.Error as error:
            raise sorted_error(error, self.connection.place) from None


class Connection(sqlite3.Connection):
    """A connection whose errors are sorted."""

    place: object = ":memory:"

    def cursor(self, *_: Any) -> Cursor:  # type: ignore[override]
        """Every statement goes through one of these."""
        return super().cursor(Cursor)

    def execute(self, *arguments: Any) -> Cursor:
        """Run a statement."""
        return self.cursor().execute(*arguments)

    def executemany(self, *arguments: Any) -> Cursor:
        """Run a statement for each row."""
        return self.cursor().executemany(*arguments)

    def copy_to(self, target: Path, place: Path) -> None:
        """All that is committed, in an empty file; errors are said to be of `place`."""
        with errors_sorted(place):
            copy = sqlite3.connect(target, isolation_level=None)
            try:
                copy.execute("PRAGMA journal_mode = OFF")  # no other file appears beside it
                self.backup(copy)
            finally:
                copy.close()


def open_file(name: str, place: object) -> Connection:
    """A connection to a file, by its URI."""
    with errors_sorted(place):
        connection = sqlite3.connect(
            name, isolation_level=None, timeout=PATIENCE, uri=True, factory=Connection
        )
    connection.place = place
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    return connection


def connect_to_write(path: Path | None) -> Connection:
    """The one connection that writes."""
    name = "file::memory:" if path is None else path.absolute().as_uri()
    connection = open_file(name, path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path, *, still: bool = False) -> Connection:
    """A connection that looks only, also while another process writes; `still`: nobody does.

    SQLite keeps an index of the log beside the file, which cannot be where nothing can be written.
    A store that was closed has no log, and is then read as it is.
    """
    own = path.resolve()
    log = own.with_name(own.name + "-wal")
    logged = not still and log.exists() and log.stat().st_size > 0
    fixed = still or not (writable(own) and writable(own.parent))
    if logged:
        ways = ["mode=ro" if fixed else "mode=rw"]
    else:  # on a full disk only the second
        ways = [*([] if fixed else ["mode=rw"]), AS_IT_IS]
    for way in ways:
        try:
            return look_only(f"{own.as_uri()}?{way}", path)
        except DiskTrouble as error:
            trouble = error
    if logged and fixed:
        raise DiskTrouble(
            f"{path} was not closed, and its log cannot be read where nothing can be written:"
            f" copy both it and {log.name} elsewhere ({trouble})"
        )
    raise trouble


def look_only(name: str, path: Path) -> Connection:
    """A connection that cannot write, and has read something."""
    connection = open_file(name, path)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # only the writer may do that
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
