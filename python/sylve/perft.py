"""Perft: the number of paths of exactly `depth` plies, the first test of every move generator."""

from __future__ import annotations

from typing import Any, Literal

from sylve.game import AnyGame
from sylve.position import Position

Finished = Literal["zero", "leaf"]
"""What a game that ended before `depth` counts for: nothing, or one leaf."""


def perft(position: Position, depth: int, finished: Finished = "zero") -> int:
    """Count the paths of `depth` plies, in plain Python.

    >>> perft(Position.start("tic_tac_toe"), 5)
    15120
    """
    return count(position.game, position.state, depth, finished)


def divide(position: Position, depth: int, finished: Finished = "zero") -> dict[int, int]:
    """The perft of `depth` split by first move: where two generators differ."""
    return {move: perft(position.play(move), depth - 1, finished) for move in position.moves}


def count(game: AnyGame, state: Any, depth: int, finished: Finished) -> int:
    """The same on a bare game and state."""
    if depth == 0:
        return 1
    moves = game.moves(state)
    if not moves:
        return 1 if finished == "leaf" else 0
    if depth == 1:
        return len(moves)
    return sum(count(game, game.play(state, move), depth - 1, finished) for move in moves)
