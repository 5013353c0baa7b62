"""Dots and Boxes, a game of one's own with arguments: `examples/own/dots.py:Dots(columns=3)`.

Draw an edge between two neighbouring dots. Whoever closes a box owns it and moves again; when all
edges are drawn, the most boxes win. Try, in the folder of this file:

    sylve check dots:Dots
    sylve show "dots:Dots(columns=3)" --moves "a1-b1 a1-a2"
    sylve match "uct(200)" "alpha_beta(3)" --game "dots:Dots(columns=2, rows=1)" --games 10
"""

from dataclasses import dataclass
from typing import NamedTuple

from sylve import InvalidMove, Outcome, Player

LARGEST = 5
LETTERS = "abcdef"


class State(NamedTuple):
    """The edges drawn, one bit each; who owns each box, `x`, `o` or `.`; who is to move."""

    edges: int
    boxes: str
    turn: Player


@dataclass(frozen=True)
class Dots:
    """A board of so many boxes. Edges are numbered: all horizontal ones first, row by row."""

    columns: int = 2
    rows: int = 2

    def __post_init__(self):
        for name in ("columns", "rows"):
            number = getattr(self, name)
            if type(number) is not int or not 1 <= number <= LARGEST:
                raise ValueError(f"{name} must be from 1 to {LARGEST}, not {number!r}")

    # The five methods that every game has.

    def start(self):
        return State(0, "." * (self.columns * self.rows), Player.FIRST)

    def turn(self, state):
        return state.turn

    def outcome(self, state):
        if "." in state.boxes:
            return None
        lead = state.boxes.count("x") - state.boxes.count("o")
        return Outcome(None if lead == 0 else Player.FIRST if lead > 0 else Player.SECOND)

    def moves(self, state):
        return [edge for edge in range(self.edges) if not state.edges >> edge & 1]

    def play(self, state, move):
        edges, boxes = state.edges | 1 << move, list(state.boxes)
        closed = [
            box for box in range(len(boxes))
            if move in self.sides(box) and all(edges >> side & 1 for side in self.sides(box))
        ]  # fmt: skip
        for box in closed:
            boxes[box] = "xo"[state.turn]
        return State(edges, "".join(boxes), state.turn if closed else state.turn.other)

    # The board.

    @property
    def across(self):
        """How many edges are horizontal."""
        return self.columns * (self.rows + 1)

    @property
    def edges(self):
        """How many edges there are."""
        return self.across + self.rows * (self.columns + 1)

    def sides(self, box):
        """The four edges of a box."""
        row, column = divmod(box, self.columns)
        left = self.across + row * (self.columns + 1) + column
        return box, box + self.columns, left, left + 1

    def dots(self, edge):
        """The two dots of an edge, as column and row."""
        if edge < self.across:
            row, column = divmod(edge, self.columns)
            return (column, row), (column + 1, row)
        row, column = divmod(edge - self.across, self.columns + 1)
        return (column, row), (column, row + 1)

    # Optional: an evaluation, names of moves, texts of positions, the board for people.

    def evaluate(self, state):
        lead = 1000 * (state.boxes.count("x") - state.boxes.count("o"))
        return lead if state.turn == Player.FIRST else -lead

    def write_move(self, state, move):  # noqa: ARG002
        return "-".join(f"{LETTERS[column]}{row + 1}" for column, row in self.dots(move))

    def read_move(self, state, name):
        for edge in range(self.edges):
            if self.write_move(state, edge) == name.strip().lower():
                return edge
        raise InvalidMove(f"invalid move {name!r}: expected two neighbouring dots such as a1-b1")

    def write(self, state):
        return f"{state.edges:x} {state.boxes} {'xo'[state.turn]}"

    def read(self, text):
        edges, boxes, turn = text.split()
        return State(int(edges, 16), boxes, Player("xo".index(turn)))

    def draw(self, state):
        lines = ["  " + "   ".join(LETTERS[: self.columns + 1])]
        for row in range(self.rows + 1):
            line = "+"
            for column in range(self.columns):
                line += ("---" if state.edges >> row * self.columns + column & 1 else "   ") + "+"
            lines.append(f"{row + 1} {line}")
            if row < self.rows:
                line = ""
                for column in range(self.columns + 1):
                    side = self.across + row * (self.columns + 1) + column
                    line += "|" if state.edges >> side & 1 else " "
                    owner = (
                        state.boxes[row * self.columns + column] if column < self.columns else ""
                    )
                    line += f" {owner} ".replace(".", " ") if owner else ""
                lines.append(f"  {line}".rstrip())
        return "\n".join(lines)

    def codes(self):
        return 2 * self.edges

    def code(self, state, move):
        return 2 * move + state.turn

    def max_plies(self):
        return self.edges
