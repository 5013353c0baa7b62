"""Domineering, compiled: one player lays dominoes upright, the other flat; who cannot, loses."""

import numpy as np

import sylve

SIZE = 8


@sylve.compiled
class Domineering:
    """A move is the upper or left cell of a domino, row * size + column."""

    size: int = 6

    state = np.dtype([("taken", np.int8, (SIZE, SIZE)), ("turn", np.int8)], align=True)
    max_moves = SIZE * (SIZE - 1)

    def __post_init__(self):
        if not 2 <= self.size <= SIZE:
            raise ValueError(f"domineering: size must be from 2 to {SIZE}, not {self.size}")

    def start(self, s):
        pass  # all zero: an empty board, the first player to move

    def turn(self, s):
        return s.turn

    def outcome(self, s):
        down, right = 1 - s.turn, s.turn
        for row in range(self.size - down):
            for column in range(self.size - right):
                if not s.taken[row, column] and not s.taken[row + down, column + right]:
                    return 0
        return 2 - s.turn  # the other player has won

    def moves(self, s, out):
        down, right = 1 - s.turn, s.turn
        count = 0
        for row in range(self.size - down):
            for column in range(self.size - right):
                if not s.taken[row, column] and not s.taken[row + down, column + right]:
                    out[count] = row * self.size + column
                    count += 1
        return count

    def play(self, s, move):
        row, column = divmod(move, self.size)
        s.taken[row, column] = 1
        s.taken[row + 1 - s.turn, column + s.turn] = 1
        s.turn = 1 - s.turn

    def write(self, s):
        rows = ("".join(".#"[cell] for cell in row[: self.size]) for row in s.taken[: self.size])
        return "/".join(rows) + " xo"[1 + s.turn].rjust(2)

    def read(self, s, text):
        board, player = text.split()
        for row, cells in enumerate(board.split("/")):
            for column, cell in enumerate(cells):
                s.taken[row, column] = cell == "#"
        s.turn = "xo".index(player)

    def draw(self, s):
        return "\n".join(
            " ".join(".#"[cell] for cell in row[: self.size]) for row in s.taken[: self.size]
        )
