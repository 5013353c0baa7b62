"""Tic-tac-toe: three in a row on 3 x 3 cells. The smallest game, for tests and teaching."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from sylve.game import Outcome, Player
from sylve.games.board import EMPTY, STONES, BoardGame, Symmetry, square_symmetries

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),  # rows
    (0, 3, 6), (1, 4, 7), (2, 5, 8),  # columns
    (0, 4, 8), (2, 4, 6),  # diagonals
)  # fmt: skip


class State(NamedTuple):
    """A position: nine characters from a1 (top left) to c3, and the side to move."""

    board: str
    turn: Player


def has_line(board: str, stone: str) -> bool:
    """Whether a player has three in a row."""
    return any(all(board[cell] == stone for cell in line) for line in LINES)


@dataclass(frozen=True)
class TicTacToe(BoardGame):
    """The rules. A move is a cell, 0 to 8."""

    name: ClassVar[str] = "tic_tac_toe"
    move_text: ClassVar[re.Pattern[str]] = re.compile(r"[a-cA-C][1-3]")

    @property
    def columns(self) -> int:
        """Three."""
        return 3

    @property
    def rows(self) -> int:
        """Three."""
        return 3

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

    def codes(self) -> int:
        """A cell and a player."""
        return 2 * 9

    def max_plies(self) -> int:
        """A move fills a cell."""
        return 9

    def read(self, text: str) -> State:
        """Read a position, for example `x../.o./... x`."""
        board, turn, _ = self.read_board(text)
        first, second = board.count("x"), board.count("o")
        if first != second + turn:
            self.refuse(
                text, f"{first} x and {second} o do not fit the side to move (x moves first)"
            )
        if has_line(board, "x") and has_line(board, "o"):
            self.refuse(text, "both players have a line of three")
        if has_line(board, STONES[turn]):
            self.refuse(text, "the side to move has a line of three already")
        return State(board, turn)

    @property
    def move_syntax(self) -> str:
        """For messages."""
        return 'a cell from "a1" (top left) to "c3"'

    def find_move(self, state: State, text: str) -> int | None:  # noqa: ARG002
        """A cell name."""
        return self.find_cell(text)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All eight of the square."""
        return square_symmetries(3)
