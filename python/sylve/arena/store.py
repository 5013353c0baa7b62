"""The store: every game of a run in one SQLite file, and nothing lost whatever happens.

Written by one connection of one process. A game counts once its row is committed, and not before;
its id is its key, so that it cannot count twice. The log is flushed to the disk at each commit.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from sylve.arena.config import Config, difference, digest
from sylve.arena.connection import (
    Connection,
    DiskTrouble,
    connect_to_read,
    connect_to_write,
    damaged,
)
from sylve.arena.game import GameResult
from sylve.arena.lock import RunLock
from sylve.arena.openings import Opening
from sylve.arena.schedule import Slot, belongs, pairings, schedule
from sylve.arena.schema import prepare
from sylve.errors import DamagedFile
from sylve.files import check_target, fresh_file
from sylve.own import check_known
from sylve.workers.jobs import HERE

RESERVE = 16 << 20  # bytes that must be free on the disk, or no game is begun
VERDICTS = ("H0", "H1")
GAMES = (
    "SELECT slot.*, game.moves, result, reason, first_seconds, second_seconds, version,"
    " after_decision, checksum FROM game JOIN slot USING (id) ORDER BY number"
)
UNREADABLE = (ValueError, TypeError, LookupError, OverflowError, RecursionError)
"""What reading a row raises that is not what was written."""


class OtherConfiguration(ValueError):
    """The store belongs to another run."""


@dataclass(frozen=True)
class Played:
    """A game that counts, with its slot."""

    slot: Slot
    record: GameResult
    after_decision: bool


class Store:
    """The games of one run. `Store.create` to run it, `Store.read` to look at it.

    Nothing is given out that is not what was written: a store that is damaged raises `DamagedFile`.
    """

    def __init__(self, connection: Connection, path: Path | None) -> None:
        self.connection = connection
        self.path = path
        self.process = os.getpid()
        self.lock: RunLock | None = None
        self.sound = False
        """Whether the file was checked."""

    @classmethod
    def create(cls, path: Path | None, config: Config) -> Store:
        """Open the store of a run to go on with it, or make it; None: in memory.

        Raises OtherConfiguration if it holds another run, Busy if another process runs it.
        """
        lock = None
        if path is not None:
            check_place(path)
            lock = RunLock(path)
            lock.acquire()
        try:
            store = cls(connect_to_write(path), path)
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
        connection = connect_to_read(path)
        try:
            prepare(connection, path, write=False)
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
        else:
            self.check_file()
            stored = self.stored_config()
            if stored.hash != config.hash:
                raise OtherConfiguration(
                    f"{self.path} holds a run with other settings:\n"
                    f"{difference(stored, config)}\nUse another store, or the stored settings."
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
        except BaseException:
            if self.connection.in_transaction:
                with suppress(DiskTrouble, DamagedFile):  # the first trouble is told
                    self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside is of one moment, also while another process writes."""
        outer = self.connection.in_transaction
        if not outer:
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if not outer and self.connection.in_transaction:
                with suppress(DiskTrouble, DamagedFile):
                    self.connection.execute("COMMIT")

    def damaged(self, why: object) -> DamagedFile:
        """What is raised where the store is not what was written."""
        return damaged(self.path, why)

    def check_file(self) -> None:
        """The file as SQLite sees it: no page lost, doubled or out of order. Done once."""
        if not self.sound:
            (found,) = self.connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise self.damaged(found)
            self.sound = True

    # What is known.

    @property
    def config(self) -> Config:
        """The configuration of the run.

        A store may come from somebody else: a game of the user's own that it names must have been
        loaded, by who reads it.
        """
        config = self.stored_config()
        check_known(config.game)
        return config

    def stored_config(self) -> Config:
        """The same as data: its game may be one that this process cannot play."""
        rows = self.connection.execute("SELECT config, hash FROM run").fetchall()
        if len(rows) != 1:
            raise self.damaged(f"it holds {len(rows)} configurations, not one")
        text, stored = rows[0]
        try:
            content = json.loads(text)
            if digest(content) != stored:
                raise ValueError("it does not fit its hash")
            return Config.of_dict(content)
        except UNREADABLE as error:
            raise self.damaged(f"the configuration cannot be read: {error}") from None

    def slots(self, *, left: bool = False) -> Iterator[Slot]:
        """The games of the schedule, in order; or only those not yet played."""
        where = "WHERE id NOT IN (SELECT id FROM game)" if left else ""
        config = self.stored_config()
        meetings = pairings(config)
        for row in self.connection.execute(f"SELECT * FROM slot {where} ORDER BY number"):  # noqa: S608
            try:
                slot = row_slot(row)
                if not belongs(config, meetings, slot):
                    raise ValueError("it does not fit its id")
            except UNREADABLE as error:
                raise self.damaged(f"slot {row[0]} of the schedule: {error}") from None
            yield slot

    def played(self) -> Iterator[Played]:
        """The games that count, in the order of the schedule: all of them, each as written."""
        self.check_file()
        config, found = self.stored_config(), 0
        meetings = pairings(config)
        with self.snapshot():
            for row in self.connection.execute(GAMES):
                try:
                    game = row_game(row)
                    if not belongs(config, meetings, game.slot):
                        raise ValueError("its slot does not fit its id")
                    if checksum(game.record) != row[-1]:
                        raise ValueError("it does not fit its checksum")
                except UNREADABLE as error:
                    raise self.damaged(f"game {row[0]}: {error}") from None
                found += 1
                yield game
            kept, done = self.connection.execute(
                "SELECT (SELECT count(*) FROM game),"
                " (SELECT count(*) FROM attempt WHERE outcome = 'done')"
            ).fetchone()
            if not found == kept == done:
                raise self.damaged(f"{done} games were finished, {kept} kept, {found} found")

    def count(self) -> tuple[int, int]:
        """Games that count, and games of the schedule."""
        (done,) = self.connection.execute("SELECT count(*) FROM game").fetchone()
        (total,) = self.connection.execute("SELECT count(*) FROM slot").fetchone()
        return done, total

    def decision(self) -> dict[str, Any] | None:
        """What a sequential test decided, if it did."""
        row = self.connection.execute("SELECT verdict, pairs, ratio FROM decision").fetchone()
        if row is None:
            return None
        verdict, pairs, ratio = row
        if verdict not in VERDICTS or type(pairs) is not int or type(ratio) is not float:
            raise self.damaged(f"its decision cannot be read: {row!r}")
        return {"verdict": verdict, "pairs": pairs, "llr": ratio}

    # What is written; all inside a transaction.

    def lease(self, slot: Slot, worker: str) -> int:
        """Note that a game is given to a worker; the number of its lease."""
        cursor = self.connection.execute(
            "INSERT INTO attempt (slot, worker, started) VALUES (?, ?, ?)",
            (slot.number, worker, now()),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def finish(self, lease: int, record: GameResult) -> bool:
        """Keep a game if its slot is empty, and close the attempt; whether the game counts."""
        decided = self.decision() is not None
        cursor = self.connection.execute(
            "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            (
                record.id, lease, record.result, record.why, json.dumps(record.moves),
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
        """A copy of all that is committed, also while the store is being run.

        It is read again from the first game to the last before it gets its name.
        """
        if os.path.lexists(target):
            raise ValueError(f"{target} exists: choose another name")
        with fresh_file(target) as partial:
            self.connection.copy_to(partial, target)
            copy = Store(connect_to_read(partial, still=True), self.path)
            copy.connection.place = self.path
            try:
                for _ in chain(copy.played(), copy.slots()):
                    pass
            finally:
                copy.connection.close()

    def close(self) -> None:
        """Leave one file with everything in it."""
        if self.lock is not None:
            try:
                self.connection.execute("UPDATE run SET owner = NULL")
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except (DiskTrouble, DamagedFile):
                pass  # the log holds what the disk did not take; the next opening reads it
        self.connection.close()
        if self.lock is not None:
            self.lock.release()
            self.lock = None


def check_place(path: Path) -> None:
    """Refuse what can be no store that is run, such as a link: its lock would be another one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if check_target(path) not in ("new", "regular"):
        raise ValueError(f"{path} cannot be a store: it is no regular file")


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


def row_game(row: tuple[Any, ...]) -> Played:
    """A game from its row of `GAMES`; one of `UNREADABLE` if it is none."""
    moves, result, reason, first, second, by, later, _ = row[7:]
    slot = row_slot(row[:7])
    content = {"moves": json.loads(moves), "seconds": [first, second], "result": result}
    record = GameResult.of_dict(content | {"id": slot.id, "reason": reason, "by": by})
    if later not in (0, 1):
        raise ValueError(f"after_decision is {later!r}")
    return Played(slot, record, bool(later))


def checksum(record: GameResult) -> str:
    """Of all that a row of `game` says about a game."""
    return digest(record.to_dict())


def hash_of_games(connection: Connection, pairs: int) -> str:
    """One number for the games of the first so many pairs."""
    rows: Iterable[tuple[str]] = connection.execute(
        "SELECT checksum FROM game JOIN slot USING (id) WHERE pair < ? ORDER BY number", (pairs,)
    )
    return digest([checksum for (checksum,) in rows])
