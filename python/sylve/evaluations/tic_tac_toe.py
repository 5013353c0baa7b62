"""Tic-tac-toe: lines that are still open."""

from __future__ import annotations

from sylve.evaluations.arithmetic import Terms
from sylve.games.board import STONES, State
from sylve.games.tic_tac_toe import LINES, TicTacToe


def lines(game: TicTacToe, state: State) -> tuple[int, Terms]:
    """Lines without a stone of the opponent, less those without an own one."""
    turn = game.turn(state)

    def without(stone: str) -> int:
        return sum(all(state.board[cell] != stone for cell in line) for line in LINES)

    score = 1000 * (without(STONES[turn.other]) - without(STONES[turn]))
    return score, {"lines": score}


EVALUATIONS = {"lines": lines}
