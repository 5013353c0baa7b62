"""Breakthrough, compiled: two rows of pawns a side race to the far row."""

import numpy as np

import sylve

EMPTY, SIZE = 0, 8  # a pawn is 1 + its player; the board of a smaller game is a part of 8 x 8
CODES_OF_A_CELL = 5  # straight, right, right with capture, left, left with capture


@sylve.compiled
class Breakthrough:
    """A move is direction * cells + the cell of the pawn; straight, right, left."""

    columns: int = 8
    rows: int = 8

    state = np.dtype(
        [("board", np.int8, (SIZE, SIZE)), ("pawns", np.int8, 2), ("turn", np.int8),
         ("winner", np.int8)],
        align=True,
    )  # fmt: skip
    max_moves = 48

    def start(self, s):
        for column in range(self.columns):
            for row in range(2):
                s.board[row, column] = 1
                s.board[self.rows - 1 - row, column] = 2
        s.pawns[0] = s.pawns[1] = 2 * self.columns

    def turn(self, s):
        return s.turn

    def outcome(self, s):
        return s.winner

    def moves(self, s, out):
        count, cells = 0, self.columns * self.rows
        own, forward = 1 + s.turn, 1 - 2 * s.turn
        for direction in range(3):
            sideways = (0, 1, -1)[direction]
            for row in range(self.rows):
                for column in range(self.columns):
                    if s.board[row, column] != own or not 0 <= column + sideways < self.columns:
                        continue
                    there = s.board[row + forward, column + sideways]
                    if there == EMPTY or (there != own and direction > 0):
                        out[count] = direction * cells + row * self.columns + column
                        count += 1
        return count

    def play(self, s, move):
        direction, cell = divmod(move, self.columns * self.rows)
        row, column = divmod(cell, self.columns)
        to_row, to_column = row + 1 - 2 * s.turn, column + (0, 1, -1)[direction]
        if s.board[to_row, to_column] != EMPTY:
            s.pawns[1 - s.turn] -= 1
        s.board[row, column] = EMPTY
        s.board[to_row, to_column] = 1 + s.turn
        far_row = 0 if s.turn else self.rows - 1
        if to_row == far_row or s.pawns[1 - s.turn] == 0:
            s.winner = 1 + s.turn
        s.turn = 1 - s.turn

    def codes(self):
        return 2 * CODES_OF_A_CELL * self.columns * self.rows

    def code(self, s, move):
        cells = self.columns * self.rows
        direction, cell = divmod(move, cells)
        row, column = divmod(cell, self.columns)
        there = s.board[row + 1 - 2 * s.turn, column + (0, 1, -1)[direction]]
        gesture = (0, 1, 3)[direction] + (there != EMPTY)
        return CODES_OF_A_CELL * (cells * s.turn + cell) + gesture
