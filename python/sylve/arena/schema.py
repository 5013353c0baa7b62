"""The tables of the store, their versions, and how old files become new ones."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sylve.arena.connection import damaged
from sylve.files import parts_of, write_whole

APPLICATION = 0x53594C56  # "SYLV": marks the file as ours
VERSION = 1

TABLES = """
CREATE TABLE run (          -- one row
    config TEXT NOT NULL,   -- the whole configuration, JSON
    hash TEXT NOT NULL,     -- its SHA-256
    version TEXT NOT NULL,  -- of the program that made the file
    created TEXT NOT NULL,
    owner TEXT              -- who runs it now: for messages; the lock is the operating system's
);
CREATE TABLE slot (         -- every game of the schedule, written before the first is played
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    pair INTEGER NOT NULL,
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    position TEXT,
    moves TEXT NOT NULL
);
CREATE TABLE attempt (      -- every time that a game was given to a worker; never deleted
    lease INTEGER PRIMARY KEY AUTOINCREMENT,
    slot INTEGER NOT NULL REFERENCES slot (number),
    worker TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    outcome TEXT            -- NULL: under way; done, late, lost, refused
);
CREATE TABLE game (         -- one row for each game that counts
    id TEXT PRIMARY KEY REFERENCES slot (id),
    lease INTEGER NOT NULL REFERENCES attempt (lease),
    result TEXT NOT NULL,
    reason TEXT NOT NULL,
    moves TEXT NOT NULL,
    first_seconds REAL NOT NULL,
    second_seconds REAL NOT NULL,
    version TEXT NOT NULL,  -- of the program that played it
    after_decision INTEGER NOT NULL,
    checksum TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE decision (     -- of a sequential test: at most one row
    verdict TEXT NOT NULL,
    pairs INTEGER NOT NULL, -- it used the first so many pairs of the schedule
    ratio REAL NOT NULL,
    games TEXT NOT NULL,    -- SHA-256 of their checksums
    decided TEXT NOT NULL
);
"""

MIGRATIONS: dict[int, str] = {}
"""From each old version to the next: statements, run in one transaction."""


def prepare(connection: sqlite3.Connection, path: Path | None, *, write: bool = True) -> None:
    """Make the tables in an empty file; bring an old file up to date; refuse a newer one."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and version == 0:
        if not write:
            raise ValueError(f"{path} is empty: no run has begun in it")
        run_script(connection, TABLES, VERSION)
        return
    if application != APPLICATION:
        raise ValueError(f"{path} is a database, but no store of sylve")
    if version > VERSION:
        raise ValueError(f"{path} has schema {version}; this sylve knows up to {VERSION}")
    oldest = min((VERSION, *MIGRATIONS))
    if version < oldest:
        raise damaged(path, f"schema {version} was never in use")
    if version < VERSION and not write:
        raise ValueError(f"{path} has the old schema {version}: run it once to bring it up to date")
    if version < VERSION and path is not None:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        write_whole(path.with_name(f"{path.name}.schema{version}"), parts_of(path))
    for old in range(version, VERSION):
        run_script(connection, MIGRATIONS[old], old + 1)


def run_script(connection: sqlite3.Connection, script: str, version: int) -> None:
    """All of it, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements(script):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise


def statements(script: str) -> list[str]:
    """The statements of a script; no semicolon stands inside one."""
    return [part for part in script.split(";\n") if part.strip()]
