"""The compiled games under test: those of the examples, and one in which faults are planted."""

import sys
from pathlib import Path

import numpy as np

import sylve

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "own"))

from breakthrough import Breakthrough
from connect_four import ConnectFour
from domineering import Domineering

SMALL = [Breakthrough(3, 5), ConnectFour(4, 4), Domineering(4)]
"""Small enough for plain Python."""

# The values of `Planted.fault`.
FAULTS = (
    "none", "no_count", "large_count", "negative_move", "large_move", "unordered", "changed",
    "outcome", "turn", "raise_moves", "raise_play", "bounds_play", "endless", "code", "kind",
    "priority", "evaluate",
)  # fmt: skip
(
    NONE, NO_COUNT, LARGE_COUNT, NEGATIVE_MOVE, LARGE_MOVE, UNORDERED, CHANGED, OUTCOME, TURN,
    RAISE_MOVES, RAISE_PLAY, BOUNDS_PLAY, ENDLESS, CODE, KIND, PRIORITY, EVALUATE,
) = range(len(FAULTS))  # fmt: skip


@sylve.compiled
class Planted:
    """Take one to three matches; who takes the last one wins. With `fault`, something is wrong."""

    heap: int = 9
    fault: int = NONE
    after: int = 5

    state = np.dtype(
        [("matches", np.int16), ("turn", np.int8), ("row", np.int8, 4)],
        align=True,
    )
    max_moves = 3

    def start(self, s):
        s.matches = self.heap

    def turn(self, s):
        return 2 if wrong(self, s, TURN) else s.turn

    def outcome(self, s):
        if wrong(self, s, OUTCOME):
            return 4
        return 2 - s.turn if s.matches == 0 else 0

    def moves(self, s, out):
        count = min(3, s.matches)
        for index in range(count):
            out[index] = index + 1
        if wrong(self, s, NO_COUNT):
            return 0
        if wrong(self, s, LARGE_COUNT):
            return 4
        if wrong(self, s, NEGATIVE_MOVE):
            out[0] = -1
        if wrong(self, s, LARGE_MOVE):
            out[count - 1] = 70_000
        if wrong(self, s, UNORDERED):
            out[0], out[count - 1] = out[count - 1] + 1, out[0]
        if wrong(self, s, CHANGED):
            s.matches += 1
        if wrong(self, s, RAISE_MOVES):
            raise ArithmeticError("planted")
        return count

    def play(self, s, move):
        if wrong(self, s, RAISE_PLAY):
            raise ArithmeticError("planted")
        if wrong(self, s, BOUNDS_PLAY):
            move += s.row[move + 3]  # without a check it would read the zeros behind the record
        if self.fault != ENDLESS:
            s.matches -= move
        s.turn = 1 - s.turn

    def code(self, s, move):
        return 99 if wrong(self, s, CODE) else 2 * move + s.turn

    def codes(self):
        return 8

    def kind(self, code):
        return 2 if self.fault == KIND else code % 2

    def kinds(self):
        return 2

    def priority(self, s, move):
        return -1 if wrong(self, s, PRIORITY) else 1 + move % 2

    def evaluate(self, s):
        return 1_000_000 if wrong(self, s, EVALUATE) else -s.matches % 4

    def max_plies(self):
        return 700  # more than the engine plays at a time


def wrong(self, s, fault):
    """Whether this is the fault, and the heap is low enough."""
    return self.fault == fault and s.matches <= self.after
