"""Perft: the number of paths of exactly `depth` plies, the first test of every move generator."""

from __future__ import annotations

from typing import Any, Literal

from sylve.engine import Engine, choose, is_compiled, to_core
from sylve.game import AnyGame
from sylve.position import Position, as_position

Finished = Literal["zero", "leaf"]
"""What a game that ended before `depth` counts for: nothing, or one leaf."""


def perft(
    position: Position | str | AnyGame,
    depth: int,
    finished: Finished = "zero",
    *,
    engine: Engine = "auto",
) -> int:
    """Count the paths of `depth` plies. In Go, only the Python engine knows superko.

    >>> perft(Position.start("tic_tac_toe"), 5)
    15120
    """
    if not isinstance(depth, int) or not 0 <= depth <= 1000:
        raise ValueError(f"depth must be a whole number from 0 to 1000, not {depth!r}")
    if finished not in ("zero", "leaf"):
        raise ValueError(f"finished must be 'zero' or 'leaf', not {finished!r}")
    position = as_position(position)
    if choose(engine) == "rust" and (is_compiled(position) or engine == "rust"):
        return to_core(position).perft(depth, finished == "leaf")
    return count(position.game, position.state, depth, finished)


def divide(
    position: Position | str | AnyGame,
    depth: int,
    finished: Finished = "zero",
    *,
    engine: Engine = "auto",
) -> dict[int, int]:
    """The perft of `depth` split by first move: where two generators differ.

    >>> from sylve import Position, divide
    >>> divide(Position.start("tic_tac_toe"), 3)
    {0: 56, 1: 56, 2: 56, 3: 56, 4: 56, 5: 56, 6: 56, 7: 56, 8: 56}
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1 to be divided by first moves, not {depth!r}")
    position = as_position(position)
    return {
        move: perft(position.play(move), depth - 1, finished, engine=engine)
        for move in position.moves
    }


def count(game: AnyGame, state: Any, depth: int, finished: Finished) -> int:
    """Perft in plain Python, on a bare game and state."""
    if depth == 0:
        return 1
    moves = game.moves(state)
    if not moves:
        return 1 if finished == "leaf" else 0
    if depth == 1:
        return len(moves)
    return sum(count(game, game.play(state, move), depth - 1, finished) for move in moves)
