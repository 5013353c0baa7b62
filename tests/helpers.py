"""What several test files need: the games under test, the data files, random games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sylve import Position, Rng
from sylve.games.go import Go

DATA = Path(__file__).parent / "data"

# Every game, in its usual size and in the sizes where edges of the code lie.
GAMES = [
    line.strip()
    for line in (DATA / "games.txt").read_text().splitlines()
    if line.strip() and not line.startswith("#")
]


@dataclass(frozen=True)
class Perft:
    """One line of a .perft file."""

    game: str
    position: str | None
    finished: str
    counts: tuple[int, ...]


def perft_lines() -> list[Perft]:
    """Every line of every .perft file."""
    return list(_perft_lines())


def _perft_lines() -> Iterator[Perft]:
    for path in sorted((DATA / "perft").glob("*.perft")):
        game, position = "", None
        for line in path.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "game":
                game, position = rest, None
            elif word == "position":
                position = rest
            elif word in ("zero", "leaf"):
                yield Perft(game, position, word, tuple(map(int, rest.split())))


def spread(positions: Iterable[Position], most: int) -> list[Position]:
    """At most so many of them, evenly spread."""
    found = list(positions)
    return found[:: -(-len(found) // most)]


def random_game(game: str, seed: int, index: int) -> Iterator[Position]:
    """The positions of a game played as playouts play, the start and the end included.

    Go needs more care: playouts know no superko, and only they are bounded. A move that would
    repeat a board is left out, and near the bound both players pass.
    """
    position = Position.start(game)
    rng = Rng.stream(seed, index)
    yield position
    while position.outcome is None:
        moves = list(position.game.playout_moves(position.state))
        move = moves.pop(rng.below(len(moves)))
        if isinstance(position.game, Go):
            while moves and not position.game.is_legal(position.state, move):
                move = moves.pop(rng.below(len(moves)))
            near_the_bound = len(position.played) >= position.game.max_plies() - 2
            if near_the_bound or not position.game.is_legal(position.state, move):
                move = position.game.pass_move
        position = position.play(move)
        yield position
