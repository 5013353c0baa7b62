"""Positions won within three plies, and which moves win: by exhaustive search."""

from __future__ import annotations

from typing import Any

from helpers import random_game
from sylve import Position

Memo = dict[tuple[Any, int], bool]
DEEPEST = 9  # a slower win is looked for in fewer plies than this after the move


def wins_within(position: Position, state: Any, plies: int, memo: Memo) -> bool:
    """Whether the player to move in `position` can force a win from `state` in so many plies."""
    game, player = position.game, position.turn
    outcome = game.outcome(state)
    if outcome is not None or plies == 0:
        return outcome is not None and outcome.winner == player
    if (state, plies) not in memo:
        after = (
            wins_within(position, game.play(state, move), plies - 1, memo)
            for move in game.moves(state)
        )
        memo[state, plies] = any(after) if game.turn(state) == player else all(after)
    return memo[state, plies]


def is_winning(position: Position, move: int) -> bool:
    """Whether a move wins, within three plies or more slowly: a slower win is a win."""
    memo: Memo = {}
    state = position.play(move).state
    return any(wins_within(position, state, plies, memo) for plies in range(0, DEEPEST, 2))


def won_positions(game: str, count: int, seed: int = 1) -> list[Position]:
    """Different positions won within three plies where some move does not win so fast.

    From random games: only their last plies are looked at.
    """
    found: dict[Position, None] = {}
    for index in range(100 * count):
        for position in list(random_game(game, seed, index))[-4:-1]:
            memo: Memo = {}
            fast = [
                wins_within(position, position.play(move).state, 2, memo) for move in position.moves
            ]
            if any(fast) and not all(fast):
                found[position] = None
        if len(found) >= count:
            return list(found)[:count]
    raise AssertionError(f"{game}: only {len(found)} positions found")
