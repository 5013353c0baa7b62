"""Tic-tac-toe: three in a row on 3 x 3 cells. The smallest game, for tests and teaching."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from sylve.game import Outcome, Player
from sylve.games.board import EMPTY, STONES, SquareGame, State

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),  # rows
    (0, 3, 6), (1, 4, 7), (2, 5, 8),  # columns
    (0, 4, 8), (2, 4, 6),  # diagonals
)  # fmt: skip


def has_line(board: str, stone: str) -> bool:
    """Whether a player has three in a row."""
    return any(all(board[cell] == stone for cell in line) for line in LINES)


@dataclass(frozen=True)
class TicTacToe(SquareGame):
    """The rules. A move is a cell, 0 to 8."""

    size = 3
    name: ClassVar[str] = "tic_tac_toe"
    move_text: ClassVar[re.Pattern[str]] = re.compile(r"[a-cA-C][1-3]")

    def start(self) -> State:
        """An empty board, x to move."""
        return State(EMPTY * 9, Player.FIRST)

    def outcome(self, state: State) -> Outcome | None:
        """Three in a row wins; a full board without is a draw."""
        last = state.turn.other  # only the one who moved last can have just won
        if has_line(state.board, STONES[last]):
            return Outcome(last)
        return None if EMPTY in state.board else Outcome(None)

    def moves(self, state: State) -> list[int]:
        """Every empty cell."""
        if self.outcome(state):
            return []
        return [cell for cell in range(9) if state.board[cell] == EMPTY]

    def play(self, state: State, move: int) -> State:
        """Put a stone on an empty cell."""
        board = state.board[:move] + STONES[state.turn] + state.board[move + 1 :]
        return State(board, state.turn.other)

    def read(self, text: str) -> State:
        """Read a position, for example `x../.o./... x`."""
        board, turn = self.read_in_turns(text)
        if has_line(board, "x") and has_line(board, "o"):
            self.refuse(text, "both players have a line of three")
        if has_line(board, STONES[turn]):
            self.refuse(text, "the side to move has a line of three already")
        return State(board, turn)

    @property
    def move_syntax(self) -> str:
        """For messages."""
        return 'a cell from "a1" (top left) to "c3"'
