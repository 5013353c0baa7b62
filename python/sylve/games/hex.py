"""Hex: x joins top and bottom, o joins left and right. One of them always does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sylve.errors import InvalidGame
from sylve.game import Outcome, Player
from sylve.games.board import (
    EMPTY,
    LETTERS,
    NO_SUCH_MOVE,
    STONES,
    SquareGame,
    State,
    Symmetry,
    size_between,
)
from sylve.rng import Rng

# A cell touches six others: a row or a column away, or both in opposite directions.
DIRECTIONS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
CIRCLE = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The same six, each beside the next."""
SWAP = "swap-pieces"


class After(State):
    """A position and the cell of the stone that led to it, which is no part of the position."""

    last: int


@dataclass(frozen=True)
class Hex(SquareGame):
    """The rules. A move is a cell; with `swap`, one more number is the swap."""

    size: int = 11
    swap: bool = False

    name: ClassVar[str] = "hex"
    move_text: ClassVar[re.Pattern[str]] = re.compile(
        r"swap-pieces|swap|[a-s][1-9][0-9]?", re.IGNORECASE | re.ASCII
    )

    def __post_init__(self) -> None:
        size_between(self.name, "size", self.size, 2, 19)
        if not isinstance(self.swap, bool):
            raise InvalidGame(f"{self.name}: swap must be true or false, not {self.swap!r}")

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The two to six cells around each cell."""
        size = self.size
        return tuple(
            tuple(
                (row + down) * size + column + right
                for down, right in DIRECTIONS
                if 0 <= row + down < size and 0 <= column + right < size
            )
            for row in range(size)
            for column in range(size)
        )

    @cached_property
    def sides(self) -> tuple[tuple[range, range], tuple[range, range]]:
        """The two sides that each player has to join: top and bottom, left and right."""
        size, cells = self.size, self.size * self.size
        top, bottom = range(size), range(cells - size, cells)
        left, right = range(0, cells, size), range(size - 1, cells, size)
        return (top, bottom), (left, right)

    def joins(self, board: Sequence[str], player: Player) -> bool:
        """Whether a player's stones join his two sides."""
        stone = STONES[player]
        start, goal = self.sides[player]
        todo = [cell for cell in start if board[cell] == stone]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            if cell in goal:
                return True
            for near in self.neighbours[cell]:
                if board[near] == stone and near not in seen:
                    seen.add(near)
                    todo.append(near)
        return False

    def start(self) -> State:
        """An empty board, x to move."""
        return State(EMPTY * (self.size * self.size), Player.FIRST)

    def outcome(self, state: State) -> Outcome | None:
        """The one who joins his sides wins. There are no draws."""
        last = state.turn.other  # only the one who moved last can have just won
        return Outcome(last) if self.joins(state.board, last) else None

    def moves(self, state: State) -> list[int]:
        """Every empty cell, and the swap where it is possible."""
        cells = self.playout_moves(state)
        return [*cells, self.swap_move] if self.may_swap(state) else cells

    def playout_moves(self, state: State) -> list[int]:
        """Every empty cell: playouts never swap."""
        if self.outcome(state):
            return []
        return [cell for cell, stone in enumerate(state.board) if stone == EMPTY]

    @property
    def swap_move(self) -> int:
        """The number of the swap: the first that is no cell."""
        return self.size * self.size

    def may_swap(self, state: State) -> bool:
        """Whether the second player may take over the first stone: it is the only one."""
        stones = state.board.replace(EMPTY, "")
        return self.swap and state.turn == Player.SECOND and stones == STONES[Player.FIRST]

    def play(self, state: State, move: int) -> State:
        """Put a stone on an empty cell, or swap."""
        board = state.board
        if move == self.swap_move:
            # The first stone leaves; its mirror image is the second player's.
            row, column = divmod(board.index(STONES[Player.FIRST]), self.size)
            board, move = EMPTY * len(board), column * self.size + row
        board = board[:move] + STONES[state.turn] + board[move + 1 :]
        after = After(board, state.turn.other)
        after.last = move
        return after

    def forget_last(self, state: State) -> State:
        """The same position, without the stone that led to it."""
        return State(*state)

    def bridge_moves(self, state: State) -> list[int]:
        """The cells that save a bridge of the side to move into which the last stone intrudes.

        Two stones that are no neighbours but have two empty ones in common are a bridge: either of
        these joins them. Round a stone on one of the two, in a circle, stand a stone, the empty
        cell, and the other stone. A side of the board counts as stones of its player.
        """
        if not isinstance(state, After):
            return []
        row, column = divmod(state.last, self.size)
        around = [(row + down, column + right) for down, right in CIRCLE]
        own, found = STONES[state.turn], []
        for i in range(6):
            before, cell, after = around[i - 1], around[i], around[(i + 1) % 6]
            if (
                self.stone_at(state, *cell) == EMPTY
                and self.stone_at(state, *before) == own
                and self.stone_at(state, *after) == own
            ):
                found.append(cell[0] * self.size + cell[1])
        return sorted(found)

    def stone_at(self, state: State, row: int, column: int) -> str:
        """What stands on a cell; beyond a side, the stone of the player who has to join it."""
        if not 0 <= row < self.size:
            return STONES[Player.FIRST]
        if not 0 <= column < self.size:
            return STONES[Player.SECOND]
        return state.board[row * self.size + column]

    def playout(self, state: State, rng: Rng, played: list[int] | None = None) -> Outcome:
        """Fill the board at random and decide once; `played` receives the AMAF codes.

        A full board has one winner, and it is the one who would have won first: once his sides are
        joined, the other's cannot be.
        """
        if won := self.outcome(state):
            return won
        board, player = list(state.board), state.turn
        cells = self.playout_moves(state)
        for i in range(len(cells)):
            j = i + rng.below(len(cells) - i)
            cells[i], cells[j] = cells[j], cells[i]
            board[cells[i]] = STONES[player]
            if played is not None:
                played.append(2 * cells[i] + player)
            player = player.other
        first = self.joins(board, Player.FIRST)
        return Outcome(Player.FIRST if first else Player.SECOND)

    def codes(self) -> int:
        """A cell or the swap, and a player."""
        return 2 * (self.size * self.size + self.swap)

    def max_plies(self) -> int:
        """A move fills a cell, except the swap, which happens once at most."""
        return self.size * self.size + self.swap

    def read(self, text: str) -> State:
        """Read a position, for example `.../.x./... o`.

        Any number of stones is allowed. That both have won cannot be.
        """
        board, turn, _ = self.read_board(text)
        if self.joins(board, turn):
            self.refuse(text, "the side to move has joined its sides already")
        return State(board, turn)

    @property
    def move_syntax(self) -> str:
        """For messages."""
        last = self.cell_name(self.size * self.size - 1)
        return f'a cell from "a1" (top left) to "{last}"' + (f', or "{SWAP}"' if self.swap else "")

    def find_move(self, state: State, text: str) -> int | None:  # noqa: ARG002
        """A cell name, or the swap."""
        if text.lower() in (SWAP, "swap"):
            return self.swap_move if self.swap else NO_SUCH_MOVE
        return self.find_cell(text)

    def write_move(self, state: State, move: int) -> str:  # noqa: ARG002
        """The name of the cell, or `swap-pieces`."""
        return SWAP if move == self.swap_move else self.cell_name(move)

    def draw(self, state: State) -> str:
        """The slanted board for a terminal: each row half a cell to the right of the one above."""
        lines = ["   " + " ".join(LETTERS[: self.size])]
        for row in range(self.size):
            cells = state.board[row * self.size : (row + 1) * self.size]
            lines.append(" " * row + f"{row + 1:2} " + " ".join(cells))
        return "\n".join(lines)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """A half turn changes nothing."""
        cells = range(self.size * self.size)
        return (tuple(cells), tuple(reversed(cells)))
