"""The patterns of 3 x 3 points that MoGo's playouts look for round the last move.

Gelly, Wang, Munos and Teytaud 2006, "Modification of UCT with patterns in Monte-Carlo Go".
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from sylve.games.board import STONES

MARKS = {"X": "X", "O": "O", ".": ".", "x": "X.", "o": "O.", "?": "XO.", "-": "-", "*": "."}
"""What each mark of a drawing allows. X and O are the two colours, `-` lies beyond the board."""


class Pattern(NamedTuple):
    """A drawing, which may be turned and mirrored. The move is the `*`."""

    name: str
    drawing: str
    movers: str = "XO"
    """Whose move it is."""
    excepted: tuple[str, ...] = ()
    """Drawings, held in the same way, that must not match too."""


PATTERNS = (
    Pattern("enclosing hane", "XOX .*. ???"),
    Pattern("hane", "XO. .*. ?.?"),
    Pattern("magari", "XO? X*. ?.?"),
    Pattern("thin hane", "XOO .*. ?.?", "X"),
    Pattern("cut", "XO? O*? ???", excepted=("XO? O*O ?.?", "XO? O*. ?O?")),
    Pattern("wedge", "?X? O*O xxx"),
    Pattern("edge: chase", "X.? O*? ---"),
    Pattern("edge: block a connection", "?X? o*O ---"),
    Pattern("edge: below", "?XO ?*? ---", "X"),
    Pattern("edge: sagari", "?XO ?*o ---", "O"),
    Pattern("edge: cut", "?XO O*X ---", "O"),
)


@cache
def matches(around: str, stone: str) -> bool:
    """Whether a move in the middle of nine points, row by row, fits a pattern.

    >>> matches("xox" "..." "...", "x"), matches("xox" "..." "...", "o"), matches(9 * ".", "x")
    (True, True, False)
    """
    for colours in ("XO", "OX"):
        there = around.translate(str.maketrans(STONES, colours))
        mover = colours[STONES.index(stone)]
        for pattern in PATTERNS:
            if mover in pattern.movers:
                for symmetry in SYMMETRIES:
                    excepted = (fits(drawing, there, symmetry) for drawing in pattern.excepted)
                    if fits(pattern.drawing, there, symmetry) and not any(excepted):
                        return True
    return False


def fits(drawing: str, there: str, symmetry: tuple[int, ...]) -> bool:
    """Whether a drawing, turned, allows what is there."""
    marks = drawing.replace(" ", "")
    return all(content in MARKS[marks[at]] for content, at in zip(there, symmetry, strict=True))


def symmetries() -> list[tuple[int, ...]]:
    """The eight of the square: where each of the nine points comes from."""
    found, points = [], [(row, column) for row in range(3) for column in range(3)]
    for _ in range(4):
        points = [(column, 2 - row) for row, column in points]  # a quarter turn
        found += [
            tuple(3 * row + column for row, column in points),
            tuple(3 * column + row for row, column in points),
        ]
    return found


SYMMETRIES = symmetries()


def around(board: str, size: int, point: int) -> str:
    """The nine points around a point, row by row.

    >>> around("xo.......", 3, 0)
    '----xo-..'
    """
    row, column = divmod(point, size)
    return "".join(
        board[y * size + x] if y in range(size) and x in range(size) else "-"
        for y in (row - 1, row, row + 1)
        for x in (column - 1, column, column + 1)
    )
