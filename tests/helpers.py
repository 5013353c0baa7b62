"""What several test files need: the games under test, the data files, random games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sylve import Position, Rng

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


def random_game(game: str, seed: int, index: int) -> Iterator[Position]:
    """The positions of a game played as playouts play, the start and the end included."""
    position = Position.start(game)
    rng = Rng.stream(seed, index)
    yield position
    while position.outcome is None:
        moves = position.game.playout_moves(position.state)
        position = position.play(moves[rng.below(len(moves))])
        yield position
