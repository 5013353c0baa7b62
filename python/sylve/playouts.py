"""A random game that is remembered move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sylve.errors import shown
from sylve.game import FullGame, Outcome
from sylve.rng import Rng


def recorded_playout(
    game: FullGame, state: Any, rng: Rng
) -> tuple[Outcome, list[int], list[int], Any]:
    """The outcome, the moves, their AMAF codes and the last state of a playout."""
    codes: list[int] = []
    line: list[int] = []
    outcome = game.playout(state, rng, codes, line)
    if game.own_playout is not None:
        line = moves_of(game, state, codes)
    for move in line:
        state = game.play(state, move)
    return outcome, line, codes, state


def moves_of(game: FullGame, state: Any, codes: Sequence[int]) -> list[int]:
    """The moves that have these codes, until the game is over (Hex fills the board even then)."""
    line: list[int] = []
    for wanted in codes:
        if game.outcome(state) is not None:
            break
        found = [move for move in game.playout_moves(state) if game.code(state, move) == wanted]
        if len(found) != 1:
            told = f"the moves {found} have" if found else "no move has"
            raise ValueError(
                f"playout() of {shown(game.game)} played code {wanted}, which {told} here"
            )
        line.append(found[0])
        state = game.play(state, found[0])
    return line
