"""Connect Four: open threes and twos, and stones near the middle."""

from __future__ import annotations

from sylve.evaluations.arithmetic import Terms
from sylve.games.board import EMPTY, STONES, State
from sylve.games.connect_four import ConnectFour

# What three stones in an open line of four are worth, two, and a stone one column nearer to the
# middle; chosen by hand.
THREE, TWO, MIDDLE = 1000, 100, 50


def threes(game: ConnectFour, state: State) -> tuple[int, Terms]:
    """Lines of four that hold stones of one side only: three of them, or two."""
    board, turn = state.board, state.turn
    terms = {"threes": 0, "twos": 0, "middle": 0}
    for player, sign in ((turn, 1), (turn.other, -1)):
        own = STONES[player]
        for line in game.lines:
            cells = [board[cell] for cell in line]
            empty = cells.count(EMPTY)
            if cells.count(own) + empty == 4:
                terms["threes"] += sign * THREE * (empty == 1)
                terms["twos"] += sign * TWO * (empty == 2)
        for cell, stone in enumerate(board):
            if stone == own:
                column = cell % game.columns
                terms["middle"] += sign * MIDDLE * min(column, game.columns - 1 - column)
    return sum(terms.values()), terms


EVALUATIONS = {"threes": threes}
