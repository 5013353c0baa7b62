"""Othello: enclose the opponent's discs in a line, and they become yours. Most discs win."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sylve.errors import InvalidGame, quote
from sylve.game import Outcome, Player
from sylve.games.board import EMPTY, STONES, SquareGame, State, split_words

SIZES = (4, 6, 8)
FEW = 2  # moves: the opponent is then short of good ones
PASS_NAMES = ("pass", "pa", "--")
OBF = {"X": "x", "x": "x", "*": "x", "O": "o", "o": "o", "-": ".", ".": "."}

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


@dataclass(frozen=True)
class Othello(SquareGame):
    """The rules. A move is a cell, `row * size + column`; `size * size` is the pass."""

    size: int = 8

    name: ClassVar[str] = "othello"
    move_text: ClassVar[re.Pattern[str]] = re.compile(r"[a-h][1-8]|pass|pa|--", re.IGNORECASE)
    features: ClassVar[tuple[str, ...]] = ("corner", "beside", "tight")

    def __post_init__(self) -> None:
        if self.size not in SIZES or not isinstance(self.size, int):
            raise InvalidGame(f"othello: size must be 4, 6 or 8, not {self.size!r}")

    @property
    def pass_move(self) -> int:
        """The number of the pass."""
        return self.size * self.size

    def start(self) -> State:
        """Two discs each in the middle, x to move: x has e4 and d5 on 8 x 8."""
        side = EMPTY * (self.size // 2 - 1)
        above = EMPTY * self.size * (self.size // 2 - 1)
        return State(f"{above}{side}ox{side}{side}xo{side}{above}", Player.FIRST)

    @cached_property
    def rays(self) -> list[list[list[int]]]:
        """For each cell, the cells that lie beyond it in each direction, nearest first.

        Those of one cell are left out: there is no room to enclose a disc.
        """
        rays = []
        for cell in range(self.size * self.size):
            all_eight = [self.ray(cell, down, right) for down, right in DIRECTIONS]
            rays.append([ray for ray in all_eight if len(ray) > 1])
        return rays

    def ray(self, cell: int, down: int, right: int) -> list[int]:
        """The cells that lie beyond a cell in one direction."""
        cells = []
        row, column = cell // self.size + down, cell % self.size + right
        while 0 <= row < self.size and 0 <= column < self.size:
            cells.append(row * self.size + column)
            row, column = row + down, column + right
        return cells

    def turned(self, board: str, player: Player, cell: int) -> list[int]:
        """The discs that a disc of `player` on `cell` turns: those between it and another."""
        own, theirs = STONES[player], STONES[1 - player]
        turned = []
        for ray in self.rays[cell]:
            if board[ray[0]] != theirs:
                continue
            length = 1
            while length < len(ray) and board[ray[length]] == theirs:
                length += 1
            if length < len(ray) and board[ray[length]] == own:
                turned += ray[:length]
        return turned

    def places(self, board: str, player: Player) -> Iterator[int]:
        """The empty cells where a disc of `player` turns something."""
        for cell, disc in enumerate(board):
            if disc == EMPTY and self.turned(board, player, cell):
                yield cell

    def can_place(self, board: str, player: Player) -> bool:
        """Whether there is such a cell."""
        return next(self.places(board, player), None) is not None

    def moves(self, state: State) -> list[int]:
        """The cells where a disc turns something; the pass only if there is none."""
        if places := list(self.places(state.board, state.turn)):
            return places
        return [self.pass_move] if self.can_place(state.board, state.turn.other) else []

    def outcome(self, state: State) -> Outcome | None:
        """Over when neither side can put a disc: more discs win."""
        if any(self.can_place(state.board, player) for player in Player):
            return None
        first, second = state.board.count("x"), state.board.count("o")
        if first == second:
            return Outcome(None)
        return Outcome(Player.FIRST if first > second else Player.SECOND)

    def final_value(self, state: State) -> int:
        """Own discs minus those of the other side; empty cells count for the winner."""
        own, other = (state.board.count(STONES[player]) for player in (state.turn, 1 - state.turn))
        empty = len(state.board) - own - other
        return own - other + empty * ((own > other) - (own < other))

    def play(self, state: State, move: int) -> State:
        """Put a disc and turn what it encloses, or pass."""
        if move == self.pass_move:
            return State(state.board, state.turn.other)
        board = list(state.board)
        for cell in [move, *self.turned(state.board, state.turn, move)]:
            board[cell] = STONES[state.turn]
        return State("".join(board), state.turn.other)

    def features_of(self, state: State, move: int) -> list[str]:
        """It takes a corner, or a cell beside an empty one; it leaves at most two moves."""
        if move == self.pass_move:
            return []
        last = self.size - 1
        row, column = divmod(move, self.size)
        corner = row in (0, last) and column in (0, last)
        near = (last * (2 * row > last), last * (2 * column > last))  # the nearest corner
        empty = state.board[near[0] * self.size + near[1]] == EMPTY
        beside = not corner and max(abs(row - near[0]), abs(column - near[1])) == 1 and empty
        after = self.play(state, move)
        tight = len(list(self.places(after.board, after.turn))) <= FEW
        flags = zip(self.features, (corner, beside, tight), strict=True)
        return [name for name, has in flags if has]

    def forced_move(self, state: State) -> int | None:
        """The pass when it is the only move: transcripts leave it out."""
        return self.pass_move if self.pass_move in self.moves(state) else None

    def codes(self) -> int:
        """A cell or the pass, and a player."""
        return 2 * (self.size * self.size + 1)

    def max_plies(self) -> int:
        """Twice the number of cells that can be filled.

        A move needs a disc of each colour on the board, so that two cells are never filled; two
        passes never follow each other, so that each comes before a filled cell.
        """
        return 2 * (self.size * self.size - 2)

    def read(self, text: str) -> State:
        """Read a position, rows joined by `/`, or on 8 x 8 a line of OBF."""
        state = self.read_obf(text) if self.size == 8 else None
        if state is None:
            board, turn, _ = self.read_board(text)
            state = State(board, turn)
        if not state.board.strip(EMPTY):
            self.refuse(text, "expected at least one disc, found an empty board")
        return state

    def read_obf(self, text: str) -> State | None:
        """Read a line of OBF: 64 cells, the side to move, then `;` or `%` and what is not read.

        None if the text does not begin with 64 characters without `/`.
        """
        words = split_words(re.split("[;%]", text, maxsplit=1)[0], 3)
        if not words or len(words[0]) != 64 or "/" in words[0]:
            return None
        for cell in words[0]:
            if cell not in OBF:
                self.refuse(text, f"expected cells 'X', 'O' or '-', found {cell!r}")
        if len(words) < 2:
            self.refuse(text, "expected the side to move, 'X' or 'O', after the cells")
        side = OBF.get(words[1], EMPTY)
        if side == EMPTY:
            self.refuse(text, f"expected the side to move, 'X' or 'O', found {quote(words[1])}")
        if len(words) > 2:
            self.refuse(text, f"unexpected {quote(words[2])} at the end")
        return State("".join(OBF[cell] for cell in words[0]), Player(STONES.index(side)))

    @property
    def move_syntax(self) -> str:
        """For messages."""
        return f'a cell from "a1" (top left) to "{self.cell_name(self.pass_move - 1)}", or "pass"'

    def find_move(self, state: State, text: str) -> int | None:  # noqa: ARG002
        """A cell name, or a pass as various programs write it."""
        return self.pass_move if text.lower() in PASS_NAMES else self.find_cell(text)

    def write_move(self, state: State, move: int) -> str:  # noqa: ARG002
        """A cell name, or `pass`."""
        return "pass" if move == self.pass_move else self.cell_name(move)
