"""What the six games share: the text of positions and moves, drawings, hashes, symmetries.

The rules are in the game's own file; start with tic_tac_toe.py. A board is a string with one
character a cell, `x` for the first player, `o` for the second, `.` for empty; cell 0 is a1.
"""

from __future__ import annotations

import dataclasses
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, NamedTuple, NoReturn

from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition, quote, shown
from sylve.game import Outcome, Player
from sylve.grammar import write_call
from sylve.rng import MASK, hash_words

EMPTY = "."
STONES = "xo"  # by player
NO_SUCH_MOVE = -1  # well-formed text that names no move of the game: never legal
BLANKS = " \t\r\n"  # what separates words, in both languages; str.split() knows more
WORD = re.compile(f"[^{BLANKS}]+")
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Symmetry = tuple[int, ...]
"""Where each cell of the transformed board comes from. The first symmetry is the identity."""


class State(NamedTuple):
    """A position, in all games but Go: the cells row by row from a1, and the side to move."""

    board: str
    turn: Player


class BoardGame(ABC):
    """A game on a board of `columns` x `rows` cells. Subclasses are frozen dataclasses."""

    name: ClassVar[str]
    """Its name in game strings."""
    move_text: ClassVar[re.Pattern[str]]
    """One move in a list of moves such as `f5d6c3`."""
    letters: ClassVar[str] = LETTERS
    """The names of the columns."""
    a1_on_top: ClassVar[bool] = True
    """Whether row 1 is drawn at the top."""
    features: ClassVar[tuple[str, ...]] = ()
    """What a move can do, by name (the policy `featured`)."""

    @property
    @abstractmethod
    def columns(self) -> int:
        """The width of the board."""

    @property
    @abstractmethod
    def rows(self) -> int:
        """The height of the board."""

    # The rules, in each game's own file.

    @abstractmethod
    def start(self) -> Any:
        """The starting position."""

    @abstractmethod
    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def moves(self, state: Any) -> Sequence[int]:
        """The legal moves in increasing order; none once it is over."""

    @abstractmethod
    def play(self, state: Any, move: int) -> Any:
        """The position after a legal move."""

    def features_of(self, state: Any, move: int) -> list[str]:  # noqa: ARG002
        """What a move does: some of `features`, in their order."""
        return []

    def max_plies(self) -> int:
        """A playout is cut off after so many plies. Only Go has games that are longer.

        As many as cells, where each move fills one.
        """
        return self.columns * self.rows

    def turn(self, state: Any) -> Player:
        """Who is to move."""
        turn: Player = state.turn
        return turn

    def is_legal(self, state: Any, move: int) -> bool:
        """Whether a move is legal. Go finds it without the list."""
        return move in self.moves(state)

    def playout_moves(self, state: Any) -> Sequence[int]:
        """The moves that a playout draws from: the legal ones, except in Go."""
        return self.moves(state)

    def forced_move(self, state: Any) -> int | None:  # noqa: ARG002 (Othello has one)
        """The only move here, if move lists leave it out: the forced pass of Othello."""
        return None

    # AMAF codes: a gesture and a player. Breakthrough and Connect Four have their own.

    def codes(self) -> int:
        """The number of AMAF codes: a cell and a player."""
        return 2 * self.columns * self.rows

    def code(self, state: Any, move: int) -> int:
        """The AMAF code of a move: the same gesture by the same player, whatever the position."""
        return 2 * move + int(state.turn)

    def code_name(self, code: int) -> str:
        """The name of the moves that have this code."""
        return self.write_move(None, code // 2)

    # The hash: docs/spec.md.

    def hash(self, state: Any) -> int:
        """64 bits: equal positions have equal hashes; the side to move counts."""
        first, second = (self.words(state.board, stone) for stone in STONES)
        return hash_words([self.hash_extra(state), *first, *second])

    def hash_extra(self, state: Any) -> int:
        """The first word of the hash: the side to move, and what a game adds."""
        return int(state.turn)

    def words(self, board: str, stone: str) -> Iterator[int]:
        """The cells that hold `stone` as a set of bits, in words of 64."""
        bits = int(re.sub(rf"[^{stone}]", "0", board).replace(stone, "1")[::-1], 2)
        for _ in range(0, len(board), 64):
            yield bits & MASK
            bits >>= 64

    # Text of positions.

    @abstractmethod
    def read(self, text: str) -> Any:
        """Read a position; `read(write(state)) == state`."""

    def write(self, state: Any) -> str:
        """Write a position: rows from the top joined by `/`, a blank, the side to move."""
        width = self.columns
        rows = [state.board[at : at + width] for at in range(0, len(state.board), width)]
        return "/".join(rows if self.a1_on_top else rows[::-1]) + " " + STONES[state.turn]

    def read_board(self, text: str, extra: int = 0) -> tuple[str, Player, list[str]]:
        """The board, the side to move and up to `extra` words after it."""
        words = split_words(text, 3 + extra)
        found = 1 + (words[0].count("/") if words else 0)
        if found != self.rows:
            self.refuse(text, f"expected {self.rows} rows joined by '/', found {found}")
        rows = words[0].split("/") if words else [""]
        for number, row in enumerate(rows, 1):
            if len(row) != self.columns:
                self.refuse(
                    text,
                    f"expected {self.columns} cells in each row, "
                    f"found {len(row)} in row {number} from the top",
                )
            if strange := set(row) - set(STONES + EMPTY):
                self.refuse(text, f"expected cells 'x', 'o' or '.', found {min(strange)!r}")
        if len(words) < 2:
            self.refuse(text, "expected the side to move, 'x' or 'o', after the rows")
        if words[1] not in ("x", "o"):
            self.refuse(text, f"expected the side to move, 'x' or 'o', found {quote(words[1])}")
        if len(words) > 2 + extra:
            self.refuse(text, f"unexpected {quote(words[2 + extra])} at the end")
        board = "".join(rows if self.a1_on_top else rows[::-1])
        return board, Player(STONES.index(words[1])), words[2:]

    def read_in_turns(self, text: str) -> tuple[str, Player]:
        """The board and the side to move of a game in which each move adds a stone."""
        board, turn, _ = self.read_board(text)
        first, second = (board.count(stone) for stone in STONES)
        if first != second + turn:
            self.refuse(
                text, f"{first} x and {second} o do not fit the side to move (x moves first)"
            )
        return board, turn

    def refuse(self, text: str, problem: str) -> NoReturn:
        """Raise the error for a position that cannot be."""
        raise InvalidPosition(f"invalid position {quote(text)}: {problem}")

    # Text of moves.

    @property
    @abstractmethod
    def move_syntax(self) -> str:
        """What a move looks like, for error messages."""

    def find_move(self, state: Any, text: str) -> int | None:  # noqa: ARG002
        """The move that `text` names, by syntax alone: legal, illegal, or NO_SUCH_MOVE.

        None if it cannot be read.
        """
        return self.find_cell(text)

    def write_move(self, state: Any, move: int) -> str:  # noqa: ARG002 (games with other moves)
        """The name of a move."""
        return self.cell_name(move)

    def read_move(self, state: Any, text: str) -> int:
        """Read a move and check that it is legal."""
        move = self.find_move(state, text.strip(BLANKS))
        if move is None:
            raise InvalidMove(f"invalid move {quote(text)}: expected {self.move_syntax}")
        if not self.is_legal(state, move):
            legal = self.moves(state)
            raise IllegalMove(f"illegal move {quote(text)}: {self.legal_names(state, legal)}")
        return move

    def legal_names(self, state: Any, legal: Sequence[int]) -> str:
        """For messages: the names of the legal moves."""
        if not legal:
            return "the game is over"
        names = " ".join(self.write_move(state, move) for move in legal[:12])
        return f"legal here: {names}" + (" ..." if len(legal) > 12 else "")

    def cell_name(self, cell: int) -> str:
        """The name of a cell: its column as a letter, its row as a number from 1."""
        return f"{self.letters[cell % self.columns]}{cell // self.columns + 1}"

    def find_cell(self, text: str) -> int | None:
        """The cell of a name, or None. Upper case is accepted."""
        match = re.fullmatch(r"([a-zA-Z])([1-9][0-9]?)", text, re.ASCII)
        if not match:
            return None
        column, row = self.letters.lower().find(match[1].lower()), int(match[2]) - 1
        on_board = 0 <= column < self.columns and row < self.rows
        return row * self.columns + column if on_board else None

    # For people.

    def draw(self, state: Any) -> str:
        """The board with its coordinates, for a terminal."""
        letters = "   " + " ".join(self.letters[: self.columns])
        lines = []
        for row in range(self.rows):
            cells = state.board[row * self.columns : (row + 1) * self.columns]
            lines.append(f"{row + 1:2} " + " ".join(cells))
        return "\n".join([letters, *lines] if self.a1_on_top else [*lines[::-1], letters])

    def __str__(self) -> str:
        """The game string: the name, and the arguments that are not the default."""
        given = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)  # type: ignore[arg-type]
            if getattr(self, field.name) != field.default
        }
        return write_call(self.name, given)

    def move_cells(self, state: Any, move: int) -> tuple[int | None, int | None]:  # noqa: ARG002
        """Where a move starts and ends on the board; None for what has no cell, as a pass."""
        return None, move if 0 <= move < self.columns * self.rows else None

    # Symmetries.

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ways to turn or mirror the board that change nothing in the rules."""
        return (tuple(range(self.columns * self.rows)),)

    def transform(self, state: Any, symmetry: Symmetry) -> Any:
        """The state turned or mirrored."""
        return state._replace(board="".join(state.board[cell] for cell in symmetry))

    def transform_move(self, move: int, symmetry: Symmetry) -> int:
        """The move turned or mirrored with the board. Moves that are no cells stay as they are."""
        return symmetry.index(move) if move < len(symmetry) else move


class SquareGame(BoardGame):
    """A game on a board of `size` x `size` cells that can be turned and mirrored at will."""

    size: int

    @property
    def columns(self) -> int:
        """The width of the board."""
        return self.size

    @property
    def rows(self) -> int:
        """The height of the board."""
        return self.size

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All eight of the square."""
        return square_symmetries(self.size)


def split_words(text: str, most: int) -> list[str]:
    """The words of a text, between blanks; the first so many."""
    return [match[0] for match in islice(WORD.finditer(text), most)]


def size_between(game: str, argument: str, value: object, low: int, high: int) -> None:
    """Refuse a size that a game has not."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidGame(
            f"{game}: {argument} must be a whole number from {low} to {high}, not {shown(value)}"
        )


def square_symmetries(size: int) -> tuple[Symmetry, ...]:
    """The eight symmetries of a square board."""
    identity = [(row, column) for row in range(size) for column in range(size)]
    ways = []
    for turned in (False, True):
        for flip_row in (False, True):
            for flip_column in (False, True):
                cells = []
                for row, column in identity:
                    r = size - 1 - row if flip_row else row
                    c = size - 1 - column if flip_column else column
                    cells.append(c * size + r if turned else r * size + c)
                ways.append(tuple(cells))
    return tuple(ways)


def mirror_columns(columns: int, rows: int) -> Symmetry:
    """Left and right exchanged."""
    return tuple(
        row * columns + columns - 1 - column for row in range(rows) for column in range(columns)
    )
