"""Connect Four: stones fall to the bottom of a column; four in a row win."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sylve.errors import InvalidGame
from sylve.game import Outcome, Player
from sylve.games.board import (
    EMPTY,
    LETTERS,
    STONES,
    BoardGame,
    State,
    Symmetry,
    mirror_columns,
    size_between,
)

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows up, columns to the right


@dataclass(frozen=True)
class ConnectFour(BoardGame):
    """The rules. A move is a column, from 0."""

    columns: int = 7
    rows: int = 6

    name: ClassVar[str] = "connect_four"
    a1_on_top: ClassVar[bool] = False

    def __post_init__(self) -> None:
        size_between(self.name, "columns", self.columns, 4, 12)
        size_between(self.name, "rows", self.rows, 4, 13)
        # The compiled form has one more bit a column, and 64 bits.
        if self.columns * (self.rows + 1) > 64:
            raise InvalidGame(
                f"{self.name}: columns * (rows + 1) must be at most 64, "
                f"which {self.columns} columns and {self.rows} rows exceed"
            )

    @cached_property
    def lines(self) -> tuple[tuple[int, int, int, int], ...]:
        """Every line of four cells: 69 of them on 7 x 6."""
        found = []
        for row in range(self.rows):
            for column in range(self.columns):
                for up, right in DIRECTIONS:
                    last_row, last_column = row + 3 * up, column + 3 * right
                    if last_row < self.rows and 0 <= last_column < self.columns:
                        first, step = row * self.columns + column, up * self.columns + right
                        found.append((first, first + step, first + 2 * step, first + 3 * step))
        return tuple(found)

    def has_four(self, board: str, stone: str) -> bool:
        """Whether a player has four in a row."""
        return any(
            board[a] == stone and board[b] == stone and board[c] == stone and board[d] == stone
            for a, b, c, d in self.lines
        )

    def start(self) -> State:
        """An empty board, x to move."""
        return State(EMPTY * (self.columns * self.rows), Player.FIRST)

    def outcome(self, state: State) -> Outcome | None:
        """Four in a row win; a full board without is a draw."""
        last = state.turn.other  # only the one who moved last can have just won
        if self.has_four(state.board, STONES[last]):
            return Outcome(last)
        return None if EMPTY in state.board else Outcome(None)

    def final_value(self, state: State) -> int:
        """A loss costs 1, and 1 for each stone the winner has left: 22 - his stones on 7 x 6."""
        last = state.turn.other
        if not self.has_four(state.board, STONES[last]):
            return 0
        stones = (len(state.board) + 1 - last) // 2
        return -(1 + stones - state.board.count(STONES[last]))

    def moves(self, state: State) -> list[int]:
        """Every column whose top cell is empty."""
        if self.outcome(state):
            return []
        top = state.board[-self.columns :]
        return [column for column in range(self.columns) if top[column] == EMPTY]

    def landing(self, state: State, column: int) -> int:
        """The lowest empty cell of a column."""
        cell = column
        while state.board[cell] != EMPTY:
            cell += self.columns
        return cell

    def play(self, state: State, move: int) -> State:
        """Drop a stone into a column."""
        cell = self.landing(state, move)
        board = state.board[:cell] + STONES[state.turn] + state.board[cell + 1 :]
        return State(board, state.turn.other)

    def code(self, state: State, move: int) -> int:
        """The cell where the stone lands, and the player."""
        return 2 * self.landing(state, move) + state.turn

    def code_name(self, code: int) -> str:
        """The column of the cell."""
        return str(code // 2 % self.columns + 1)

    def read(self, text: str) -> State:
        """Read a position, for example `......./......./......./......./...o.../...x... x`."""
        board, turn = self.read_in_turns(text)
        for cell in range(self.columns, len(board)):
            if board[cell] != EMPTY and board[cell - self.columns] == EMPTY:
                self.refuse(text, f"the stone on {self.cell_name(cell)} has nothing below it")
        if self.has_four(board, "x") and self.has_four(board, "o"):
            self.refuse(text, "both players have four in a row")
        if self.has_four(board, STONES[turn]):
            self.refuse(text, "the side to move has four in a row already")
        return State(board, turn)

    @property
    def move_text(self) -> re.Pattern[str]:  # type: ignore[override]  # it depends on the size
        """One digit or letter; beyond nine columns a number is read as far as it goes."""
        return re.compile(r"[1-9a-iA-I]" if self.columns <= 9 else r"[1-9][0-9]*|[a-lA-L]")

    @property
    def move_syntax(self) -> str:
        """For messages."""
        last = self.columns
        return f'a column from "1" to "{last}" or "a" to "{LETTERS[last - 1]}"'

    def move_cells(self, state: State, move: int) -> tuple[int | None, int | None]:
        """The stone lands on the lowest empty cell of the column; None if there is none."""
        if 0 <= move < self.columns and state.board[move - self.columns] == EMPTY:
            return None, self.landing(state, move)
        return None, None

    def find_move(self, state: State, text: str) -> int | None:  # noqa: ARG002
        """A number from 1 or a letter."""
        numbers = [str(column + 1) for column in range(self.columns)]
        if text in numbers:
            return numbers.index(text)
        letters = list(LETTERS[: self.columns])
        if text.isascii() and text.lower() in letters:
            return letters.index(text.lower())
        return None

    def write_move(self, state: State, move: int) -> str:  # noqa: ARG002
        """The column as a number from 1."""
        return str(move + 1)

    def draw(self, state: State) -> str:
        """The board with the numbers of the columns below it, for a terminal."""
        width = len(str(self.columns))
        lines = [
            [*state.board[row * self.columns : (row + 1) * self.columns]]
            for row in reversed(range(self.rows))
        ]
        numbers = [str(column + 1) for column in range(self.columns)]
        return "\n".join(" ".join(cell.rjust(width) for cell in line) for line in [*lines, numbers])

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Left and right may be exchanged."""
        return (*super().symmetries, mirror_columns(self.columns, self.rows))
