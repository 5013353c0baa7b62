"""The answers to calls: functions of what was asked, and of what is on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sylve.page import limits
from sylve.page.boards import played_names, view
from sylve.page.export import review_page
from sylve.page.offers import Offers
from sylve.page.protocol import (
    NUMBERS,
    VERSION,
    Hello,
    Place,
    ReadRecord,
    Refused,
    WriteRecord,
)
from sylve.page.review import reviewed
from sylve.page.shelf import Shelf
from sylve.position import Position
from sylve.records import Record, read_record, write_record
from sylve.records.plain import write_moves
from sylve.search.text import SEARCHES
from sylve.version import VERSION as PACKAGE_VERSION

SEARCH_TEXTS = (
    "uct", "rave", "grave", "amaf_uct", "ucb", "flat", "flat_amaf", "multi_scale_rave",
    "sequential_halving",
)  # fmt: skip


@dataclass(frozen=True)
class Calls:
    """What calls need."""

    offers: Offers
    memory: int
    shelf: Shelf

    def table(self) -> dict[str, Callable[[Any], dict[str, Any]]]:
        """The function of each call."""
        return {
            "hello": self.hello,
            "board": self.board,
            "read": self.read,
            "write": self.write,
            "shelf": lambda _: {"entries": self.shelf.listed()},
            "entry": self.shelf.entry,
            "shelf_game": self.shelf.game,
        }

    def hello(self, asked: Hello) -> dict[str, Any]:
        """What there is to choose from."""
        del asked
        assert set(SEARCH_TEXTS) == set(SEARCHES)
        return {
            "protocol": VERSION,
            "version": PACKAGE_VERSION,
            "games": self.offers.listed(),
            "searches": list(SEARCH_TEXTS),
            "numbers": list(NUMBERS),
            "threads": min(limits.THREADS, os.cpu_count() or 1),
            "memory": self.memory // limits.MIB,
        }

    def board(self, asked: Place) -> dict[str, Any]:
        """A position to be shown."""
        return view(self.offers, asked)

    def read(self, asked: ReadRecord) -> dict[str, Any]:
        """A record of any form, as the page goes on with it."""
        record = self.read_record(asked.text, asked.game)
        own = self.offers.name(record.opening) in self.offers.own
        return {
            "game": self.offers.name(record.opening),
            "position": None if own or record.from_start else record.opening.text,
            "moves": played_names(record.final),
            "players": list(record.players),
            "result": record.result,
            "date": record.date,
            "event": record.event,
            "comment": record.comment,
            "review": None if own else reviewed(record),
            "record": None if own else write_record(record, "json"),
        }

    def read_record(self, text: str, game: str | None) -> Record:
        """A record; of a user's own game it is a list of moves."""
        for name, rules in self.offers.own.items():
            if game == name or f"# game: {name}\n" in text[:1000]:
                lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
                final = Position.start(rules).play_line("\n".join(lines), most=limits.MOVES)
                return Record(Position.start(rules), final.played)
        # Neither the text nor the request can name anything that is not in the list.
        return read_record(text, None if game is None else self.offers.rules(game))

    def write(self, asked: WriteRecord) -> dict[str, Any]:
        """A record in the form that is wanted."""
        record = self.read_record(asked.text, None)
        name = self.offers.name(record.opening)
        if name in self.offers.own:
            if asked.form != "moves":
                raise Refused("input", f"{name} is a game of your own: only lists of moves")
            text = write_moves(record).partition("\n")[2]
            return {"text": f"# game: {name}\n{text}", "name": "game.txt"}
        if asked.form == "html":
            return {"text": review_page(record, asked.language), "name": "review.html"}
        suffix = {"moves": "txt"}.get(asked.form, asked.form)
        return {"text": write_record(replace(record), asked.form), "name": f"game.{suffix}"}
