"""Breakthrough: pawns, how far they are, and runners that nobody can stop."""

from __future__ import annotations

from sylve.evaluations.arithmetic import Terms
from sylve.game import Player
from sylve.games.board import STONES, State
from sylve.games.breakthrough import Breakthrough

# A pawn; one step squared; a runner, and each row that it is nearer. Chosen by hand.
PAWN, STEP, RUNNER, NEARER = 1000, 20, 10_000, 1000


def advancement(game: Breakthrough, state: State) -> tuple[int, Terms]:
    """Pawns, the squares of their steps, and the most advanced pawn that nobody can stop."""
    own, other = side(game, state, state.turn), side(game, state, state.turn.other)
    terms = {name: own[name] - other[name] for name in own}
    return sum(terms.values()), terms


def side(game: Breakthrough, state: State, player: Player) -> Terms:
    """The terms of one player."""
    pawns = places(game, state, player)
    # The enemy's rows from the same end of the board.
    enemies = [(game.rows - 1 - row, column) for row, column in places(game, state, player.other)]
    runner = 0
    for row, column in pawns:
        # An enemy ahead that is no farther to the side than ahead can come into the way.
        if row and not any(
            ahead >= row and abs(aside - column) <= ahead - row for ahead, aside in enemies
        ):
            runner = max(runner, RUNNER + NEARER * row)
    return {
        "pawns": PAWN * len(pawns),
        "advancement": sum(STEP * row * row for row, _ in pawns),
        "runners": runner,
    }


def places(game: Breakthrough, state: State, player: Player) -> list[tuple[int, int]]:
    """The pawns of a player: rows counted from his home row, and columns."""
    found = []
    for cell, stone in enumerate(state.board):
        if stone == STONES[player]:
            row, column = divmod(cell, game.columns)
            found.append((row if player == Player.FIRST else game.rows - 1 - row, column))
    return found


EVALUATIONS = {"advancement": advancement}
