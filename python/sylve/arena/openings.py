"""Openings: random plies with a seed, or a file. Each is played twice, with colours swapped.

A random opening that is already decided shows nothing about the players. So those in which a side
can force the end within a few plies are left out, and counted.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from sylve.engine import is_of_package
from sylve.errors import quote
from sylve.grammar import Unreadable, read_call
from sylve.inputs import read_bytes, read_text
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.run import search

LARGEST = 16 << 20  # bytes of a file
MOST = 100_000  # openings in it
TRIES = 50  # draws for an opening that is new, undecided and leaves something to play
UNDECIDED = 4  # plies
DEEPEST = 10
LINES = 2_000  # about what alpha-beta may look at for one opening


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


@dataclass(frozen=True)
class RandomOpenings:
    """`random(plies=4, undecided=4)`: so many random plies from the start."""

    plies: int = 4
    undecided: int = UNDECIDED
    """Left out if one side can force a win within so many plies; 0: nothing is left out."""

    def __str__(self) -> str:
        if self.plies == 0:
            return "start"
        undecided = f", undecided={self.undecided}" if self.undecided else ""
        return f"random(plies={self.plies}{undecided})"


@dataclass(frozen=True)
class FileOpenings:
    """`file("name")`: one a line."""

    path: str

    def __str__(self) -> str:
        return f'file("{self.path}")'


@dataclass(frozen=True)
class Drawn:
    """Openings, and how many were left out because they were decided."""

    openings: list[Opening]
    left_out: int = 0


def make_openings(text: str, game: str, count: int, seed: int) -> Drawn:
    """So many openings, from the text of a configuration."""
    kind = read_openings(text, undecided=0)
    if isinstance(kind, RandomOpenings):
        return random_openings(game, count, kind, seed)
    known = read_file(Path(kind.path), game)
    return Drawn([known[index % len(known)] for index in range(count)])


def read_openings(text: str, undecided: int = UNDECIDED) -> RandomOpenings | FileOpenings:
    """What a text asks for; `undecided` where it says nothing about that."""
    try:
        call = read_call(text)
    except Unreadable:
        call = None
    allowed = (
        f"invalid openings {quote(text)}: expected random(plies=4, undecided={UNDECIDED}), start"
        ' or file("name")'
    )
    if call is None:
        raise ValueError(allowed)
    if call.name == "start" and not call.arguments and not call.keywords:
        return RandomOpenings(0, 0)
    if call.name == "random" and len(call.arguments) <= 2:
        named = dict(zip(("plies", "undecided"), call.arguments, strict=False))
        if named.keys() & call.keywords.keys() or not call.keywords.keys() <= {
            "plies",
            "undecided",
        }:
            raise ValueError(allowed)
        values = {"plies": 4, "undecided": undecided} | named | dict(call.keywords)
        plies, undecided = (
            whole(values[name], f"{allowed}: {name}", most)
            for name, most in (("plies", 1000), ("undecided", DEEPEST))
        )
        return RandomOpenings(plies, undecided if plies else 0)
    if call.name == "file" and len(call.arguments) == 1 and isinstance(call.arguments[0], str):
        return FileOpenings(call.arguments[0])
    raise ValueError(allowed)


def whole(value: object, name: str, most: int) -> int:
    """A whole number from 0 on."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 0 to {most}")
    return value


def random_openings(game: str, count: int, kind: RandomOpenings, seed: int) -> Drawn:
    """Uniformly random moves from the start, all different as long as new ones are found."""
    seen: dict[tuple[int, ...], bool] = {}
    found: list[Opening] = []
    for index in range(count):
        exhausted = sum(not decided for decided in seen.values()) < index
        found.append(random_opening(game, kind, Rng.stream(seed, index), seen, exhausted))
    used = {opening.moves for opening in found}
    return Drawn(found, sum(decided and moves not in used for moves, decided in seen.items()))


def random_opening(
    game: str,
    kind: RandomOpenings,
    rng: Rng,
    seen: dict[tuple[int, ...], bool],
    exhausted: bool,
) -> Opening:
    """One that leaves something to play; new and undecided, if a number of draws finds one.

    `seen`: the openings so far, and whether they are decided.
    """
    found: tuple[int, ...] | None = None
    for _ in range(TRIES):
        position = Position.start(game)
        for _ in range(kind.plies):
            if position.outcome is not None:
                break
            position = position.play(position.moves[rng.below(len(position.moves))])
        if position.outcome is not None:
            continue
        new = position.played not in seen
        if new:
            seen[position.played] = is_decided(position, kind.undecided)
        if seen[position.played]:
            found = found or position.played  # better than nothing
            continue
        found = position.played
        if exhausted or new:
            break
    if found is None:
        raise ValueError(f"random(plies={kind.plies}): {game} is over after so many random plies")
    return Opening(found)


def is_decided(position: Position, plies: int) -> bool:
    """Whether a side can force a win within so many plies; fewer where there are many moves."""
    while plies and len(position.moves) == 1:
        position, plies = position.play(position.moves[0]), plies - 1
        if position.outcome is not None:
            return True
    while plies > 1 and len(position.moves) ** ((plies + 1) // 2) > LINES:
        plies -= 1
    if plies == 0:
        return False
    # Only proofs count here, and a game of the user's own need not have an evaluation.
    how = AlphaBeta(plies, table=0)
    if not is_of_package(position):
        how = dataclasses.replace(how, evaluation=no_opinion)
    return search(position, how).stopped == "proven"


def no_opinion(position: Position) -> int:  # noqa: ARG001
    """The evaluation of a position about which nothing is known."""
    return 0


def read_file(path: Path, game: str) -> list[Opening]:
    """One opening a line: moves from the start, or `position TEXT`. `#` begins a comment."""
    found = []
    for number, raw in enumerate(StringIO(read_text(path, LARGEST)), 1):
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
        if len(found) > MOST:
            raise ValueError(f"{path} has more than {MOST} openings")
    if not found:
        raise ValueError(f"{path} has no openings: expected one a line")
    return found


def fingerprint(text: str) -> str | None:
    """What must not change in a file of openings while a run goes on."""
    kind = read_openings(text)
    if isinstance(kind, RandomOpenings):
        return None
    return hashlib.sha256(read_bytes(kind.path, LARGEST)).hexdigest()


def duplicates(items: Sequence[object]) -> int:
    """How many of them came before."""
    return sum(count - 1 for count in Counter(items).values())
