"""Connect Four, compiled: stones fall to the bottom of a column; four in a row win."""

import numpy as np

import sylve

EMPTY, SIZE = 0, 8  # a stone is 1 + its player


@sylve.compiled
class ConnectFour:
    """A move is a column. The state keeps how high each column is, and who has won."""

    columns: int = 7
    rows: int = 6

    state = np.dtype(
        [("board", np.int8, (SIZE, SIZE)), ("height", np.int8, SIZE), ("stones", np.int8),
         ("turn", np.int8), ("result", np.int8)],
        align=True,
    )  # fmt: skip
    max_moves = SIZE

    def __post_init__(self):
        if not (4 <= self.columns <= SIZE and 4 <= self.rows <= SIZE):
            raise ValueError(f"connect four: from 4 to {SIZE} columns and rows, not {self}")

    def start(self, s):
        pass  # all zero: an empty board, the first player to move

    def turn(self, s):
        return s.turn

    def outcome(self, s):
        return s.result

    def moves(self, s, out):
        count = 0
        for column in range(self.columns):
            if s.height[column] < self.rows:
                out[count] = column
                count += 1
        return count

    def play(self, s, move):
        row, own = s.height[move], 1 + s.turn
        s.board[row, move] = own
        s.height[move] += 1
        s.stones += 1
        if has_four(s.board, row, move, own, self.rows, self.columns):
            s.result = own
        elif s.stones == self.columns * self.rows:
            s.result = 3
        s.turn = 1 - s.turn

    def code(self, s, move):
        return 2 * (s.height[move] * self.columns + move) + s.turn

    def codes(self):
        return 2 * self.columns * self.rows

    def evaluate(self, s):
        return 100 * (centre(s.board, 1 + s.turn, self) - centre(s.board, 2 - s.turn, self))

    def write_move(self, s, move):
        return str(move + 1) if s.height[move] < self.rows else "full"


def has_four(board, row, column, own, rows, columns):
    """Whether the stone that has just fallen makes four in a row."""
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            r, c = row + way * up, column + way * right
            while 0 <= r < rows and 0 <= c < columns and board[r, c] == own:
                length += 1
                r, c = r + way * up, c + way * right
        if length >= 4:
            return True
    return False


def centre(board, own, size):
    """Stones, each worth the more the closer it is to the middle column."""
    total = 0
    for row in range(size.rows):
        for column in range(size.columns):
            if board[row, column] == own:
                total += min(column, size.columns - 1 - column)
    return total
