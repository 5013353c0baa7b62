"""The store: every game of a run in one SQLite file, and nothing lost whatever happens.

Written by one connection of one process. A game counts once its row is committed, and not before;
its id is its key, so that it cannot count twice. The log is flushed to the disk at each commit.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sylve.arena.config import Config, difference, digest
from sylve.arena.game import HERE, Record
from sylve.arena.lock import RunLock
from sylve.arena.openings import Opening
from sylve.arena.schedule import Slot, schedule
from sylve.arena.schema import prepare

RESERVE = 16 << 20  # bytes that must be free on the disk, or no game is begun


class OtherConfiguration(ValueError):
    """The store belongs to another run."""


class DiskTrouble(Exception):
    """The disk is full, or does not obey."""


@dataclass(frozen=True)
class Played:
    """A game that counts, with its slot."""

    slot: Slot
    record: Record
    after_decision: bool


class Store:
    """The games of one run. `Store.create` to run it, `Store.read` to look at it."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.connection = connection
        self.path = path
        self.process = os.getpid()
        self.lock: RunLock | None = None

    @classmethod
    def create(cls, path: Path | None, config: Config) -> Store:
        """Open the store of a run to go on with it, or make it; None: in memory.

        Raises OtherConfiguration if it holds another run, Busy if another process runs it.
        """
        lock = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = RunLock(path)
            lock.acquire()
        try:
            store = cls(connect(path), path)
            try:
                store._begin(config)
            except BaseException:
                store.connection.close()
                raise
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        store.lock = lock
        return store

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open a store to look at it, also while it is being run."""
        if not path.is_file():
            raise ValueError(f"there is no store {str(path)!r}")
        connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA wal_autocheckpoint = 0")  # only the writer may do that
            prepare(connection, path, write=False)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise ValueError(f"{path} cannot be read as a store: {error}") from None
        except BaseException:
            connection.close()
            raise
        return cls(connection, path)

    def _begin(self, config: Config) -> None:
        prepare(self.connection, self.path)
        if self.connection.execute("SELECT count(*) FROM run").fetchone() == (0,):
            with self.transaction():
                self.connection.execute(
                    "INSERT INTO run VALUES (?, ?, ?, ?, NULL)",
                    (json.dumps(config.to_dict()), config.hash, HERE, now()),
                )
                self.connection.executemany(
                    "INSERT INTO slot VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (slot_row(slot) for slot in schedule(config)),
                )
        elif self.config.hash != config.hash:
            raise OtherConfiguration(
                f"{self.path} holds a run with other settings:\n"
                f"{difference(self.config, config)}\nUse another store, or the stored settings."
            )
        with self.transaction():
            self.connection.execute("UPDATE run SET owner = ?", (f"process {os.getpid()}",))
            self.connection.execute(  # what a run before this one left under way
                "UPDATE attempt SET outcome = 'lost', ended = ? WHERE outcome IS NULL", (now(),)
            )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it on the disk, or nothing. Raises DiskTrouble if the disk does not take it."""
        if os.getpid() != self.process:
            raise RuntimeError("a store must not be used in a child of the process that opened it")
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        except BaseException as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise DiskTrouble(str(error)) from None
            raise

    # What is known.

    @property
    def config(self) -> Config:
        """The configuration of the run."""
        (text,) = self.connection.execute("SELECT config FROM run").fetchone()
        return Config.of_dict(json.loads(text))

    def slots(self, *, left: bool = False) -> Iterator[Slot]:
        """The games of the schedule, in order; or only those not yet played."""
        where = "WHERE id NOT IN (SELECT id FROM game)" if left else ""
        for row in self.connection.execute(f"SELECT * FROM slot {where} ORDER BY number"):  # noqa: S608
            yield row_slot(row)

    def played(self) -> Iterator[Played]:
        """The games that count, in the order of the schedule."""
        for row in self.connection.execute(
            "SELECT slot.*, game.moves, result, reason, first_seconds, second_seconds,"
            " version, after_decision FROM game JOIN slot USING (id) ORDER BY number"
        ):
            slot, rest = row_slot(row[:7]), row[7:]
            record = Record(
                slot.id, tuple(json.loads(rest[0])), rest[1], rest[2], (rest[3], rest[4]), rest[5]
            )
            yield Played(slot, record, bool(rest[6]))

    def count(self) -> tuple[int, int]:
        """Games that count, and games of the schedule."""
        (done,) = self.connection.execute("SELECT count(*) FROM game").fetchone()
        (total,) = self.connection.execute("SELECT count(*) FROM slot").fetchone()
        return done, total

    def decision(self) -> dict[str, Any] | None:
        """What a sequential test decided, if it did."""
        row = self.connection.execute("SELECT verdict, pairs, ratio FROM decision").fetchone()
        return None if row is None else dict(zip(("verdict", "pairs", "llr"), row, strict=True))

    # What is written; all inside a transaction.

    def lease(self, slot: Slot, worker: str) -> int:
        """Note that a game is given to a worker; the number of its lease."""
        cursor = self.connection.execute(
            "INSERT INTO attempt (slot, worker, started) VALUES (?, ?, ?)",
            (slot.number, worker, now()),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def finish(self, lease: int, record: Record) -> bool:
        """Keep a game if its slot is empty, and close the attempt; whether the game counts."""
        decided = self.decision() is not None
        cursor = self.connection.execute(
            "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            (
                record.id, lease, record.result, record.reason, json.dumps(record.moves),
                *record.seconds, record.by, decided, checksum(record),
            ),
        )  # fmt: skip
        counts = cursor.rowcount == 1
        self.end(lease, "done" if counts else "late")
        return counts

    def end(self, lease: int, outcome: str) -> None:
        """Close an attempt."""
        self.connection.execute(
            "UPDATE attempt SET outcome = ?, ended = ? WHERE lease = ?", (outcome, now(), lease)
        )

    def decide(self, verdict: str, pairs: int, ratio: float) -> None:
        """Keep the decision of a sequential test, with the games that it used."""
        used = hash_of_games(self.connection, pairs)
        self.connection.execute(
            "INSERT INTO decision SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM decision)",
            (verdict, pairs, ratio, used, now()),
        )

    # The file.

    def check_space(self) -> None:
        """Raise DiskTrouble before the disk is full."""
        if self.path is not None and shutil.disk_usage(self.path.parent).free < RESERVE:
            raise DiskTrouble(f"less than {RESERVE >> 20} MiB are free beside {self.path}")

    def backup(self, target: Path) -> None:
        """A copy of all that is committed, also while the store is being run."""
        if target.exists():
            raise ValueError(f"{target} exists: choose another name")
        partial = target.with_name(target.name + ".partial")
        partial.unlink(missing_ok=True)
        copy = sqlite3.connect(partial)
        try:
            self.connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file is all
        finally:
            copy.close()
        settle(partial, target)

    def close(self) -> None:
        """Leave one file with everything in it."""
        if self.lock is not None:
            try:
                self.connection.execute("UPDATE run SET owner = NULL")
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError:
                pass  # the log holds what the disk did not take; the next opening reads it
        self.connection.close()
        if self.lock is not None:
            self.lock.release()
            self.lock = None


def connect(path: Path | None) -> sqlite3.Connection:
    """The one connection that writes."""
    connection = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise ValueError(f"{path} cannot be used as a store: {error}") from None
    return connection


def settle(partial: Path, target: Path) -> None:
    """Give a finished file its name, so that a file of that name is always whole."""
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def now() -> str:
    """The time of day, for people only: nothing is decided by it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def slot_row(slot: Slot) -> tuple[object, ...]:
    """A slot as its row."""
    moves = json.dumps(slot.opening.moves)
    return (
        slot.number, slot.id, slot.pair, slot.first, slot.second, slot.opening.position, moves,
    )  # fmt: skip


def row_slot(row: tuple[Any, ...]) -> Slot:
    """The inverse."""
    number, identity, pair, first, second, position, moves = row
    return Slot(number, identity, pair, first, second, Opening(tuple(json.loads(moves)), position))


def checksum(record: Record) -> str:
    """Of all that a row of `game` says about a game."""
    return digest(record.to_dict())


def hash_of_games(connection: sqlite3.Connection, pairs: int) -> str:
    """One number for the games of the first so many pairs."""
    rows: Iterable[tuple[str]] = connection.execute(
        "SELECT checksum FROM game JOIN slot USING (id) WHERE pair < ? ORDER BY number", (pairs,)
    )
    return digest([checksum for (checksum,) in rows])
