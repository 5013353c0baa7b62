"""The shelf: tournaments and results of the lab in the folders that the command line names.

A request names an entry by its number. A number belongs to one file for as long as the server runs;
no path is made from a request, and none is told. A tournament can be looked at while it is played.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from sylve.arena.export import rows
from sylve.arena.report import title
from sylve.arena.show import RATING_COLUMNS, crosses
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.arena.summary import rating_rows, summary
from sylve.inputs import read_text
from sylve.lab.report import read_result
from sylve.lab.store import LARGEST
from sylve.page import limits
from sylve.page.protocol import Entry, Refused, ShelfGame

OWNER = re.compile(r"process ([1-9][0-9]{0,8})")
STORES = "*.sqlite"
RESULT = "data.json"
LAB_FOLDER = "lab-results"
"""Where `sylve lab run` writes: looked at beside the current folder if no folder is named."""


class Shelf:
    """What lies in some folders."""

    def __init__(self, folders: Iterable[Path] | None = None) -> None:
        self.folders = [Path(), Path(LAB_FOLDER)] if folders is None else list(folders)
        self.numbers: dict[Path, int] = {}
        self.lock = threading.Lock()
        self.seen: dict[int, tuple[tuple[int, int], dict[str, Any]]] = {}
        """By number: the last standings, and after how many games."""

    def scan(self) -> dict[int, Path]:
        """The files, by number."""
        found: list[Path] = []
        for folder in self.folders:
            found += sorted(folder.glob(STORES))
            found += sorted(folder.glob(f"*/{RESULT}"))
        with self.lock:
            for path in map(Path.absolute, islice(found, limits.SHELF_ENTRIES)):
                if path.is_file():
                    self.numbers.setdefault(path, len(self.numbers) + 1)
            return {number: path for path, number in self.numbers.items() if path.is_file()}

    def listed(self) -> list[dict[str, Any]]:
        """Every entry in a line."""
        return [self.line(number, path) for number, path in self.scan().items()]

    def line(self, number: int, path: Path) -> dict[str, Any]:
        """An entry in a line; one that cannot be read says so."""
        kind = "experiment" if path.name == RESULT else "tournament"
        name = path.parent.name if kind == "experiment" else path.stem
        about: dict[str, Any] = {"number": number, "kind": kind, "name": name, "problem": False}
        try:
            if kind == "experiment":
                return {**about, "title": read_result(path)["page"]["title"]}
            with opened(path) as store:
                done, total = store.count()
                running = is_running(store)
                return {**about, "title": title(store.config), "done": done, "total": total,
                        "running": running}  # fmt: skip
        except (ValueError, OSError):
            return {**about, "title": "", "problem": True}

    def path(self, number: int) -> Path:
        """The file of an entry."""
        found = self.scan().get(number)
        if found is None:
            raise Refused("gone", "there is no such entry on the shelf")
        return found

    def entry(self, asked: Entry) -> dict[str, Any]:
        """All that is shown of an entry."""
        path = self.path(asked.number)
        with told_without_paths():
            if path.name == RESULT:
                return {**self.line(asked.number, path), **experiment(path)}
            with opened(path) as store, store.snapshot():
                done, total = store.count()
                content = self.standings(asked.number, store, done)
                return {
                    **self.line(asked.number, path),
                    **content,
                    "done": done,
                    "total": total,
                    "games": games(store, asked.first),
                    "first": asked.first,
                }

    def standings(self, number: int, store: Store, done: int) -> dict[str, Any]:
        """Ratings and cross table; computed anew when there are more games."""
        key = (done, store.count()[1])
        known = self.seen.get(number)
        if known is not None and known[0] == key:
            return known[1]
        standings = Standings.of(store.config, store.played())
        content, cross = summary(standings), crosses(standings)
        found = {
            "ratings": {"head": list(RATING_COLUMNS), "rows": rating_rows(content)},
            "cross": {"head": cross.head, "rows": cross.rows},
            "notes": content["notes"],
        }
        self.seen[number] = (key, found)
        return found

    def game(self, asked: ShelfGame) -> dict[str, Any]:
        """A game of a tournament, as a record that is read."""
        path = self.path(asked.number)
        if path.name == RESULT:
            raise Refused("input", "an experiment has no games to show")
        with told_without_paths(), opened(path) as store:
            for row in rows(
                store.config, (g for g in store.played() if g.slot.number == asked.game)
            ):
                moves = [*row["opening"].split(), *row["moves"].split()]
                return {
                    "game": row["game"],
                    "position": row["position"],
                    "moves": moves,
                    "players": [row["first"], row["second"]],
                    "result": row["result"],
                }
        raise Refused("gone", "this game was not played yet")


def games(store: Store, first: int) -> list[list[Any]]:
    """Some games in the order of the schedule: number, players, result, moves."""
    config = store.config
    return [
        [
            played.slot.number,
            config.names[played.slot.first],
            config.names[played.slot.second],
            played.record.result,
            len(played.record.moves),
        ]
        for played in islice(store.played(), first, first + limits.SHELF_GAMES)
    ]


def experiment(path: Path) -> dict[str, Any]:
    """Claims and verdicts, tables, and the figure if there is one."""
    page = read_result(path)["page"]
    figure = path.parent / "figure.svg"
    return {
        "claims": [[claim[0], claim[2], claim[3]] for claim in page["claims"]],
        "tables": page["tables"][: limits.SHELF_TABLES],
        "caption": page["caption"],
        "command": page["command"],
        "figure": read_text(figure, LARGEST) if figure.is_file() else None,
    }


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """A store, to be looked at."""
    store = Store.read(path)
    try:
        yield store
    finally:
        store.connection.close()


@contextmanager
def told_without_paths() -> Iterator[None]:
    """What is wrong with a file is told without its place."""
    try:
        yield
    except Refused:
        raise
    except (ValueError, OSError):
        message = "this entry cannot be read: sylve tournament verify says why"
        raise Refused("input", message) from None


def is_running(store: Store) -> bool:
    """Whether a process plays it just now."""
    (owner,) = store.connection.execute("SELECT owner FROM run").fetchone()
    found = OWNER.fullmatch(str(owner))
    if found is None:
        return False
    try:
        os.kill(int(found[1]), 0)  # asks whether it is there; a run that was killed is not
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it is somebody else's
    return True
