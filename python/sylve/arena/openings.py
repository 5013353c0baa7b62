"""Openings: random plies with a seed, or a file. Each is played twice, with colours swapped."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sylve.errors import quote
from sylve.grammar import Unreadable, read_call
from sylve.position import Position
from sylve.rng import Rng

TRIES = 50  # draws for an opening that is new and leaves something to play


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a position, or the usual start, and moves from it."""

    moves: tuple[int, ...] = ()
    position: str | None = None

    def begin(self, game: str) -> Position:
        """The position at which the players take over."""
        start = (
            Position.start(game) if self.position is None else Position.parse(game, self.position)
        )
        return start.play_line(self.moves)


def make_openings(text: str, game: str, count: int, seed: int) -> list[Opening]:
    """So many openings, from `random(plies=4)`, `start` or `file("name")`."""
    kind, argument = read_openings(text)
    if kind == "random":
        return random_openings(game, count, int(argument), seed)
    known = read_file(Path(str(argument)), game)
    return [known[index % len(known)] for index in range(count)]


def read_openings(text: str) -> tuple[str, str | int]:
    """The kind and its argument: ("random", plies) or ("file", path)."""
    try:
        call = read_call(text)
    except Unreadable:
        call = None
    allowed = f'invalid openings {quote(text)}: expected random(plies=4), start or file("name")'
    if call is None:
        raise ValueError(allowed)
    if call.name == "start" and not call.arguments and not call.keywords:
        return "random", 0
    if call.name == "random" and len(call.arguments) + len(call.keywords) <= 1:
        plies = call.arguments[0] if call.arguments else call.keywords.get("plies", 4)
        if isinstance(plies, int) and not isinstance(plies, bool) and 0 <= plies <= 1000:
            if call.keywords and "plies" not in call.keywords:
                raise ValueError(allowed)
            return "random", plies
        raise ValueError(f"{allowed}: plies must be a whole number from 0 to 1000")
    if call.name == "file" and len(call.arguments) == 1 and isinstance(call.arguments[0], str):
        return "file", call.arguments[0]
    raise ValueError(allowed)


def random_openings(game: str, count: int, plies: int, seed: int) -> list[Opening]:
    """Uniformly random moves from the start, all different as long as new ones are found."""
    seen: set[tuple[int, ...]] = set()
    found = []
    for index in range(count):
        exhausted = len(seen) < index
        found.append(random_opening(game, plies, Rng.stream(seed, index), seen, exhausted))
    return found


def random_opening(
    game: str, plies: int, rng: Rng, seen: set[tuple[int, ...]], exhausted: bool
) -> Opening:
    """One that leaves something to play; new, if a number of draws finds one."""
    found: tuple[int, ...] | None = None
    for _ in range(TRIES):
        position = Position.start(game)
        for _ in range(plies):
            if position.outcome is not None:
                break
            position = position.play(position.moves[rng.below(len(position.moves))])
        if position.outcome is None:
            found = position.played
            if exhausted or found not in seen:
                break
    if found is None:
        raise ValueError(f"random(plies={plies}): {game} is over after so many random plies")
    seen.add(found)
    return Opening(found)


def read_file(path: Path, game: str) -> list[Opening]:
    """One opening a line: moves from the start, or `position TEXT`. `#` begins a comment."""
    found = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            if line.startswith("position "):
                opening = Opening((), line.removeprefix("position ").strip())
            else:
                opening = Opening(Position.start(game).play_line(line).played)
            if opening.begin(game).outcome is not None:
                raise ValueError("the game is over there")
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        found.append(opening)
    if not found:
        raise ValueError(f"{path} has no openings: expected one a line")
    return found


def fingerprint(text: str) -> str | None:
    """What must not change in a file of openings while a run goes on."""
    kind, argument = read_openings(text)
    if kind != "file":
        return None
    return hashlib.sha256(Path(str(argument)).read_bytes()).hexdigest()


def duplicates(items: Sequence[object]) -> int:
    """How many of them came before."""
    return sum(count - 1 for count in Counter(items).values())
