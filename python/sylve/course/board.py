"""Breakthrough as the course's code sees it: lists of lists, moves that are objects.

x counts the rows from White's home, y the columns. Dx and Dy, two globals of 5 in the course, are
attributes here, so that the boards may have any size.
"""

from __future__ import annotations

import random

from sylve.position import Position

Empty, White, Black = 0, 1, 2
LETTERS = "abcdefgh"


class Move:
    """A step of a pawn."""

    def __init__(self, color: int, x1: int, y1: int, x2: int, y2: int) -> None:
        self.color, self.x1, self.y1, self.x2, self.y2 = color, x1, y1, x2, y2

    def code(self, board: Board) -> int:
        """Document 000's `Move.code`: square, gesture and colour as one number."""
        Dx, Dy = board.Dx, board.Dy
        direction = 0
        if self.y2 > self.y1:
            if board.board[self.x2][self.y2] == Empty:
                direction = 1
            else:
                direction = 2
        if self.y2 < self.y1:
            if board.board[self.x2][self.y2] == Empty:
                direction = 3
            else:
                direction = 4
        if self.color == White:
            return 5 * (Dy * self.x1 + self.y1) + direction
        return 5 * Dx * Dy + 5 * (Dy * self.x1 + self.y1) + direction

    def name(self, board: Board) -> str:
        """The name that `Position` gives it, such as a2-a3."""
        sign = "-" if board.board[self.x2][self.y2] == Empty else "x"
        there = f"{LETTERS[self.y2]}{self.x2 + 1}"
        return f"{LETTERS[self.y1]}{self.x1 + 1}{sign}{there}"

    # The document uses moves of two lists as keys: equal steps must be equal.

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.color, self.x1, self.y1, self.x2, self.y2))

    def __repr__(self) -> str:
        return f"{LETTERS[self.y1]}{self.x1 + 1}{LETTERS[self.y2]}{self.x2 + 1}"


HASHES = [[[random.Random(3 * (8 * x + y) + c).getrandbits(64) for y in range(8)]
           for x in range(8)] for c in range(3)]  # fmt: skip
TURN = random.Random(-1).getrandbits(64)


class Board:
    """A position; White goes up the rows."""

    def __init__(self, columns: int = 5, rows: int = 5) -> None:
        self.Dx, self.Dy = rows, columns
        self.h = 0
        self.turn = White
        self.board = [[Empty] * columns for _ in range(rows)]
        for x in (0, 1):
            for y in range(columns):
                self.board[x][y] = White
                self.board[rows - 1 - x][y] = Black

    @classmethod
    def of(cls, position: Position) -> Board:
        """The same position of Breakthrough, of any size."""
        rows, turn = position.text.split()
        cells = [list(row) for row in reversed(rows.split("/"))]
        board = cls(len(cells[0]), len(cells))
        board.board = [["xo".find(cell) + 1 for cell in row] for row in cells]
        board.turn = White if turn == "x" else Black
        board.h = TURN if board.turn == Black else 0
        for x, row in enumerate(board.board):
            for y, color in enumerate(row):
                if color != Empty:
                    board.h ^= HASHES[color][x][y]
        return board

    def legalMoves(self) -> list[Move]:
        """All moves of the side to move."""
        moves = []
        step = 1 if self.turn == White else -1
        for x in range(self.Dx):
            for y in range(self.Dy):
                if self.board[x][y] != self.turn or not 0 <= x + step < self.Dx:
                    continue
                for side in (-1, 0, 1):
                    if not 0 <= y + side < self.Dy:
                        continue
                    there = self.board[x + step][y + side]
                    if there == Empty or (side != 0 and there != self.turn):
                        moves.append(Move(self.turn, x, y, x + step, y + side))
        return moves

    def winner(self) -> int:
        """Who has won, or 0."""
        if White in self.board[self.Dx - 1]:
            return White
        if Black in self.board[0]:
            return Black
        if not self.legalMoves():
            return Black if self.turn == White else White
        return Empty

    def terminal(self) -> bool:
        """Whether the game is over."""
        return self.winner() != Empty

    def score(self) -> float:
        """1 if White has won, else 0."""
        return 1.0 if self.winner() == White else 0.0

    def play(self, move: Move) -> None:
        """Make a move."""
        taken = self.board[move.x2][move.y2]
        if taken != Empty:
            self.h ^= HASHES[taken][move.x2][move.y2]
        self.h ^= HASHES[move.color][move.x2][move.y2] ^ HASHES[move.color][move.x1][move.y1] ^ TURN
        self.board[move.x2][move.y2] = move.color
        self.board[move.x1][move.y1] = Empty
        self.turn = Black if move.color == White else White

    def playout(self) -> float:
        """A random game to the end: 1 if White wins."""
        return playout(self)


def playout(board: Board) -> float:
    """Document 000's `playout`: a random game; its moves are forgotten."""
    while True:
        moves = board.legalMoves()
        if board.terminal():
            return board.score()
        n = random.randint(0, len(moves) - 1)
        board.play(moves[n])
