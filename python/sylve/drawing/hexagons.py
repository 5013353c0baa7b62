"""Boards of hexagons: Hex, slanted, Black between top and bottom, White between left and right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sylve.drawing.board import Board
from sylve.drawing.canvas import Canvas, Point
from sylve.drawing.colours import DARK, mix
from sylve.games.board import LETTERS

if TYPE_CHECKING:
    from sylve.position import Position


class HexBoard(Board):
    """Hexagons that stand on a corner; each row is half a cell to the right of the one above."""

    ground = "#93a1ad"
    field = "#f3ead8"

    def __init__(self, position: Position, size: float) -> None:
        super().__init__(position, size)
        n = self.count = self.game.columns
        # The names stand where a row above and a column to the left would be, so that the width
        # is that of the slanted board, a rim on both sides, and a name.
        self.rim = 0.012 * size + 1
        name = 1.3 * self.font
        room = size - 2 * self.margin - 2 * self.rim - name
        self.cell = room / (1.5 * n - 0.5)
        self.radius = self.cell / math.sqrt(3)
        self.left = self.margin + self.rim + name
        self.top = self.margin + self.rim + name
        self.height = self.top + self.radius * (1.5 * n + 0.5) + self.rim + self.margin

    def surface(self, cell: int) -> str:  # noqa: ARG002 (the same everywhere)
        """Light."""
        return self.field

    def centre(self, cell: int) -> Point:
        """The middle of a hexagon."""
        row, column = divmod(cell, self.count)
        x = self.left + (column + row / 2 + 0.5) * self.cell
        return x, self.top + (1.5 * row + 1) * self.radius

    def corners(self, cell: int, scale: float = 1) -> list[Point]:
        """The six corners, clockwise from the top."""
        x, y = self.centre(cell)
        half, tall = scale * self.cell / 2, scale * self.radius
        around = [(0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5)]
        return [(x + half * across, y + tall * down) for across, down in around]

    def tint(self, canvas: Canvas, cell: int, colour: str, opacity: float) -> None:
        """Colour a hexagon."""
        canvas.polygon(self.corners(cell, 0.9), fill=colour, fill_opacity=opacity)

    def paint(self, canvas: Canvas, last: int | None) -> None:
        """The rim, hexagons over its inner half, stones."""
        self.border(canvas)
        line = mix(self.field, DARK, 0.5)
        stroke = max(0.6, 0.035 * self.cell)
        cells = range(self.count**2)
        for cell in cells:
            canvas.polygon(
                self.corners(cell), fill=self.field, stroke=line, stroke_width=stroke,
                stroke_linejoin="round",
            )  # fmt: skip
        for cell in cells:
            self.stone(canvas, cell, 0.42 * self.cell)
        self.dot(canvas, last)
        self.coordinates(canvas)

    def border(self, canvas: Canvas) -> None:
        """The four sides in the colours of those who want to join them."""
        n = self.count
        top, right, bottom, left = [], [], [], []
        for k in range(n):
            high = self.corners(k)
            low = self.corners(n * (n - 1) + k)
            first = self.corners(k * n)
            final = self.corners(k * n + n - 1)
            top += [high[5], high[0], high[1]]
            bottom += [low[4], low[3], low[2]]
            left += [first[5], first[4], first[3]]
            right += [final[0], final[1], final[2]]
        # In the two blunt corners both sides claim the same edge: each gets half of it.
        top[-1] = right[0] = _middle(top[-1], top[-2])
        bottom[0] = left[-1] = _middle(bottom[0], bottom[1])
        for side, colour in ((top, 0), (bottom, 0), (left, 1), (right, 1)):
            canvas.line(
                side, stroke=self.stones[colour], stroke_width=2 * self.rim,
                stroke_linejoin="round",
            )  # fmt: skip

    def coordinates(self, canvas: Canvas) -> None:
        """Letters along the columns' slant above the board, numbers to the left of the rows."""
        above = self.top - self.rim - 0.65 * self.font
        for k in range(0, self.count, self.step(0.85 * self.cell)):
            x, y = self.centre(k)
            slanted = x - (y - above) / math.sqrt(3)
            self.coordinate(canvas, (slanted, above), LETTERS[k])
            x, y = self.centre(k * self.count)
            beside = x - self.cell / 2 - self.rim - 0.8 * self.font
            self.coordinate(canvas, (beside, y), str(k + 1))


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
