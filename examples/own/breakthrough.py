"""Breakthrough, compiled: two rows of pawns a side race to the far row.

The board is a set of bits for each player: a whole row of pawns steps at once. `count_moves` and
`nth_move` say what `moves` says without the list, and make playouts faster.
"""

import numpy as np

import sylve
from sylve.bits import count_bits, lowest_bit, nth_bit

ONE = np.uint64(1)
CODES_OF_A_CELL = 5  # straight, right, right with capture, left, left with capture


@sylve.compiled
class Breakthrough:
    """A move is direction * cells + the cell of the pawn; straight, right, left."""

    columns: int = 8
    rows: int = 8

    state = np.dtype(
        [("pawns", np.uint64, 2), ("left_edge", np.uint64), ("right_edge", np.uint64),
         ("turn", np.int8), ("winner", np.int8)],
        align=True,
    )  # fmt: skip
    max_moves = 48

    def __post_init__(self):
        if not (2 <= self.columns <= 8 and 4 <= self.rows <= 8):
            raise ValueError(f"breakthrough: 2 to 8 columns and 4 to 8 rows, not {self}")

    def start(self, s):
        cells = self.columns * self.rows
        for cell in range(2 * self.columns):
            s.pawns[0] |= ONE << cell
            s.pawns[1] |= ONE << (cells - 1 - cell)
        for row in range(self.rows):
            s.left_edge |= ONE << (row * self.columns)
            s.right_edge |= ONE << (row * self.columns + self.columns - 1)

    def turn(self, s):
        return s.turn

    def outcome(self, s):
        return s.winner

    def moves(self, s, out):
        count, cells = 0, self.columns * self.rows
        for direction in range(3):
            pawns = steps(s, self.columns, direction)
            while pawns:
                out[count] = direction * cells + lowest_bit(pawns)
                pawns &= pawns - ONE
                count += 1
        return count

    def count_moves(self, s):
        count = 0
        for direction in range(3):
            count += count_bits(steps(s, self.columns, direction))
        return count

    def nth_move(self, s, index):
        for direction in range(3):
            pawns = steps(s, self.columns, direction)
            count = count_bits(pawns)
            if index < count:
                return direction * self.columns * self.rows + nth_bit(pawns, index)
            index -= count
        return -1

    def play(self, s, move):
        cell, to = ends(move, s.turn, self.columns, self.rows)
        own, other = s.turn, 1 - s.turn
        s.pawns[own] = (s.pawns[own] & ~(ONE << cell)) | (ONE << to)
        s.pawns[other] &= ~(ONE << to)
        far = to < self.columns if s.turn else to >= self.columns * (self.rows - 1)
        if far or s.pawns[other] == 0:
            s.winner = 1 + s.turn
        s.turn = other

    def codes(self):
        return 2 * CODES_OF_A_CELL * self.columns * self.rows

    def code(self, s, move):
        cells = self.columns * self.rows
        cell, to = ends(move, s.turn, self.columns, self.rows)
        gesture = (0, 1, 3)[move // cells]
        if s.pawns[1 - s.turn] >> to & ONE:
            gesture += 1
        return CODES_OF_A_CELL * (cells * s.turn + cell) + gesture

    def kinds(self):
        return CODES_OF_A_CELL

    def kind(self, code):
        return code % CODES_OF_A_CELL

    def evaluate(self, s):
        own, other = s.pawns[s.turn], s.pawns[1 - s.turn]
        return 1000 * (count_bits(own) - count_bits(other))

    def write_move(self, s, move):
        cell, to = ends(move, s.turn, self.columns, self.rows)
        sign = "x" if s.pawns[1 - s.turn] >> to & ONE else "-"
        names = ["abcdefgh"[at % self.columns] + str(at // self.columns + 1) for at in (cell, to)]
        return sign.join(names)


def steps(s, columns, direction):
    """The pawns of the side to move that can step in a direction: 0 straight, 1 right, 2 left."""
    own = s.pawns[s.turn]
    sideways = (0, 1, -1)[direction]
    free = ~own
    if direction == 0:
        free &= ~s.pawns[1 - s.turn]
    elif direction == 1:
        own &= ~s.right_edge
    else:
        own &= ~s.left_edge
    if s.turn == 0:
        return own & (free >> (columns + sideways))
    return own & (free << (columns - sideways))


def ends(move, turn, columns, rows):
    """The cell that a pawn leaves, and the one that it steps on."""
    direction, cell = divmod(move, columns * rows)
    forward = -columns if turn else columns
    return cell, cell + forward + (0, 1, -1)[direction]
