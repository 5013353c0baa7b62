"""What page and server say to each other: one class for each message, checked field by field.

A message is a JSON object with the version of the protocol (`v`) and the fields of its class, and
nothing else. docs/page.md lists them; a test keeps the list true.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sylve.errors import cut, shown
from sylve.inputs import read_json
from sylve.page import limits

VERSION = 1
NUMBERS = ("visits", "mean", "amaf", "beta", "exploration")
"""What a board can be coloured by; exact values come from the solver."""
FORMS = ("sgf", "ggf", "json", "moves", "html")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

Message = TypeVar("Message")


class Refused(ValueError):
    """A message that is not served; the code is for the page, the message for a person."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def field(check: Callable[[str, Any], Any], **default: Any) -> Any:
    """A field that is checked by a function of its name and value."""
    return dataclasses.field(metadata={"check": check}, **default)


def a_text(most: int, **default: Any) -> Any:
    """A text of at most so many characters, none of them a control character."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise Refused("field", f"{name} must be a text, not {shown(value)}")
        if len(value) > most:
            raise Refused("size", f"{name} has more than {most} characters")
        if CONTROL.search(value):
            raise Refused("field", f"{name} has characters that are no text")
        return value

    return field(check, **default)


def maybe_text(most: int) -> Any:
    """A text, or null."""
    check = a_text(most).metadata["check"]
    return field(lambda name, value: None if value is None else check(name, value), default=None)


def a_whole(low: int, high: int, **default: Any) -> Any:
    """A whole number."""

    def check(name: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise Refused("field", f"{name} must be {low} to {high}, not {shown(value)}")
        return value

    return field(check, **default)


def a_number(low: float, high: float, **default: Any) -> Any:
    """A number."""

    def check(name: str, value: Any) -> float:
        right = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not right or not math.isfinite(value) or not low <= value <= high:
            raise Refused("field", f"{name} must be {low:g} to {high:g}, not {shown(value)}")
        return float(value)

    return field(check, **default)


def a_choice(allowed: tuple[str, ...], **default: Any) -> Any:
    """One of a few words."""

    def check(name: str, value: Any) -> str:
        if value not in allowed:
            raise Refused("field", f"{name} must be one of {', '.join(allowed)}")
        return str(value)

    return field(check, **default)


def some_paths() -> Any:
    """Lines of moves from the root of a tree, by number."""

    def check(name: str, value: Any) -> tuple[tuple[int, ...], ...]:
        right = isinstance(value, list) and len(value) <= limits.TREE_NODES
        right = right and all(
            isinstance(path, list) and len(path) <= limits.MOVES for path in value
        )
        if not right or not all(
            type(move) is int and 0 <= move < 65536 for p in value for move in p
        ):
            raise Refused("field", f"{name} must be a list of lines of moves")
        return tuple(tuple(path) for path in value)

    return field(check)


# Calls: POST /api/NAME, answered at once.


@dataclass(frozen=True, kw_only=True)
class Hello:
    """What the server offers."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A position: of a game, the start or `position`, after `moves`. As a call: its board."""

    game: str = a_text(limits.GAME_CHARACTERS)
    position: str | None = maybe_text(limits.POSITION_CHARACTERS)
    moves: str = a_text(limits.MOVES_CHARACTERS, default="")


@dataclass(frozen=True, kw_only=True)
class ReadRecord:
    """Read a record in any form; `game` is for bare lists of moves."""

    text: str = a_text(limits.BODY_BYTES)
    game: str | None = maybe_text(limits.GAME_CHARACTERS)


@dataclass(frozen=True, kw_only=True)
class WriteRecord:
    """The record `text` in another form; `html` is its review as a page of its own."""

    text: str = a_text(limits.BODY_BYTES)
    form: str = a_choice(FORMS)
    language: str = a_choice(("en", "fr"), default="en")


@dataclass(frozen=True, kw_only=True)
class ListShelf:
    """The tournaments and results of the lab on this machine."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry of the shelf by its number; games from `first` on."""

    number: int = a_whole(1, 1_000_000)
    first: int = a_whole(0, 10_000_000, default=0)


@dataclass(frozen=True, kw_only=True)
class ShelfGame:
    """A game of an entry by its number in the schedule."""

    number: int = a_whole(1, 1_000_000)
    game: int = a_whole(0, 10_000_000)


CALLS: dict[str, type] = {
    "hello": Hello,
    "board": Place,
    "read": ReadRecord,
    "write": WriteRecord,
    "shelf": ListShelf,
    "entry": Entry,
    "shelf_game": ShelfGame,
}


# What a tab says over its WebSocket, where searches live.


@dataclass(frozen=True, kw_only=True)
class Move(Place):
    """Choose a move here."""

    how: str = a_text(limits.SEARCH_CHARACTERS)
    seconds: float = a_number(0.01, limits.MOVE_SECONDS, default=1.0)
    seed: int = a_whole(0, 2**53, default=0)


@dataclass(frozen=True, kw_only=True)
class Analyse(Place):
    """Begin a live search in a slot; what was there ends."""

    slot: int = a_whole(0, limits.SLOTS - 1, default=0)
    how: str = a_text(limits.SEARCH_CHARACTERS)
    seed: int = a_whole(0, 2**53, default=1)
    playouts: int = a_whole(1, limits.PLAYOUTS, default=1_000_000)
    threads: int = a_whole(1, limits.THREADS, default=1)
    memory: int = a_whole(2, limits.MOST_MEMORY // limits.MIB, default=64)
    number: str = a_choice(NUMBERS, default="visits")


@dataclass(frozen=True, kw_only=True)
class Pause:
    """Pause the search of a slot; its tree stays."""

    slot: int = a_whole(0, limits.SLOTS - 1, default=0)


@dataclass(frozen=True, kw_only=True)
class Resume:
    """Go on; `playouts` more than were asked for so far."""

    slot: int = a_whole(0, limits.SLOTS - 1, default=0)
    playouts: int = a_whole(0, limits.PLAYOUTS, default=0)


@dataclass(frozen=True, kw_only=True)
class Number:
    """Colour the board by another number."""

    slot: int = a_whole(0, limits.SLOTS - 1, default=0)
    number: str = a_choice(NUMBERS, default="visits")


@dataclass(frozen=True, kw_only=True)
class Tree:
    """The children of nodes, by the moves that lead to them."""

    slot: int = a_whole(0, limits.SLOTS - 1, default=0)
    paths: tuple[tuple[int, ...], ...] = some_paths()
    top: int = a_whole(1, 50, default=8)


@dataclass(frozen=True, kw_only=True)
class Solve(Place):
    """Exact values."""

    seconds: float = a_number(0.1, limits.SOLVE_SECONDS, default=10.0)


@dataclass(frozen=True, kw_only=True)
class Review(Place):
    """Search every position of a game."""

    how: str = a_text(limits.SEARCH_CHARACTERS)
    playouts: int = a_whole(1, limits.REVIEW_PLAYOUTS, default=2_000)
    seed: int = a_whole(0, 2**53, default=1)


@dataclass(frozen=True, kw_only=True)
class Learn(Place):
    """One simulation of a search, by its number, or one event of alpha-beta."""

    how: str = a_text(limits.SEARCH_CHARACTERS)
    seed: int = a_whole(0, 2**53, default=1)
    simulation: int = a_whole(1, limits.LEARN_SIMULATIONS, default=1)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """The board after so many moves of a simulation that was shown."""

    simulation: int = a_whole(1, limits.LEARN_SIMULATIONS, default=1)
    ply: int = a_whole(0, 100_000, default=0)


@dataclass(frozen=True, kw_only=True)
class Stop:
    """End what runs under a name, such as `review`, or the search of a slot."""

    what: str = a_choice(("move", "solve", "review", "learn", "slot0", "slot1"))


MESSAGES: dict[str, type] = {
    "move": Move,
    "analyse": Analyse,
    "pause": Pause,
    "resume": Resume,
    "number": Number,
    "tree": Tree,
    "solve": Solve,
    "review": Review,
    "learn": Learn,
    "scene": Scene,
    "stop": Stop,
}


def read_object(content: str | bytes) -> dict[str, Any]:
    """A JSON object of this version of the protocol."""
    try:
        value = read_json(content if isinstance(content, str) else content.decode())
    except ValueError as error:
        raise Refused("json", f"no JSON: {cut(str(error))}") from None
    if not isinstance(value, dict):
        raise Refused("json", "expected a JSON object")
    if value.pop("v", None) != VERSION:
        raise Refused("version", f"expected version {VERSION} of the protocol: reload the page")
    return value


def read_message(kind: type[Message], content: dict[str, Any]) -> Message:
    """The message that an object is: every field right, and no other."""
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for name in content:
        if name not in fields:
            raise Refused("field", f"there is no field {shown(name)} here")
    given = {}
    for name, field in fields.items():
        if name in content:
            given[name] = field.metadata["check"](name, content[name])
        elif field.default is dataclasses.MISSING:
            raise Refused("field", f"{name} is missing")
    return kind(**given)
