"""Positions whose best moves are known for certain, by a solver or by the complete table."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import NamedTuple

from sylve.position import Position
from sylve.rng import Rng, hash_words
from sylve.solve import Solver
from sylve.tables import BreakthroughTable

TABLE = "SYLVE_TABLE"
"""The variable that names a file made by `sylve table build`; a look-up instead of a search."""


@cache
def solver_of(game: str) -> Solver:
    """One solver for each game and process: it remembers what it found."""
    return Solver(game)


@cache
def table_of(game: str) -> BreakthroughTable | None:
    """The complete table of the game, if there is one here; else None."""
    path = os.environ.get(TABLE)
    if not path:
        return None
    table = BreakthroughTable(path)
    return table if str(table.game) == game else None


def winning_moves(position: Position) -> frozenset[int]:
    """The moves that win against any defence."""
    game = str(position.game)
    table = table_of(game)
    if table is not None:
        return frozenset(move for move in position.moves if table.value(position.play(move)) < 0)
    values = solver_of(game).solve(position).per_move
    return frozenset(move for move, value in values.items() if value is not None and value > 0)


class Puzzle(NamedTuple):
    """A position that is won, and the moves that keep it so."""

    position: Position
    winning: frozenset[int]


@lru_cache(maxsize=4096)
def puzzle(game: str, plies: tuple[int, int], seed: int, index: int) -> Puzzle:
    """A random position, so many random plies from the start, that is won by few of its moves.

    At most a third of the moves win, and at least one does. Positions are drawn until one fits;
    each index has a stream of its own.
    """
    rng = Rng.stream(hash_words((seed, index)), 0)
    low, high = plies
    while True:
        position = Position.start(game)
        for _ in range(low + rng.below(high - low + 1)):
            if position.outcome is not None:
                break
            position = position.play(position.moves[rng.below(len(position.moves))])
        if position.outcome is not None or len(position.moves) < 3:
            continue
        winning = winning_moves(position)
        if 0 < 3 * len(winning) <= len(position.moves):
            return Puzzle(position, winning)
