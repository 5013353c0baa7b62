"""Boards whose stones stand where lines cross: Go."""

from __future__ import annotations

from sylve.drawing.canvas import Canvas
from sylve.drawing.grid import Grid


def star_points(size: int) -> list[tuple[int, int]]:
    """The dots of a Go board: on the third lines, from 13 on the fourth; the middle of odd sizes.

    From 15 on, odd sizes have dots on the sides too, as 19 has.
    """
    if size < 7:
        return []
    edge = 2 if size < 13 else 3
    ends, middle = (edge, size - 1 - edge), size // 2
    points = [(row, column) for row in ends for column in ends]
    if size % 2:
        points.append((middle, middle))
        if size >= 15:
            points += [point for end in ends for point in ((end, middle), (middle, end))]
    return points


class GoBoard(Grid):
    """Wood, lines, stones on the crossings."""

    ground = "#ddb873"
    crossed = True
    line = "#5a4424"

    def column_name(self, column: int) -> str:
        """Capital letters without I, as in GTP."""
        return "ABCDEFGHJKLMNOPQRSTUVWXYZ"[column]

    def paint(self, canvas: Canvas, last: int | None) -> None:
        """Lines, dots, stones."""
        self.coordinates(canvas)
        stroke = max(0.7, 0.03 * self.cell)
        self.rules(canvas, 0.5, stroke=self.line, stroke_width=stroke, stroke_linecap="square")
        for row, column in star_points(self.columns):
            at = self.centre(row * self.columns + column)
            canvas.circle(at, max(1.4, 0.08 * self.cell), fill=self.line)
        for cell in range(len(self.state.board)):
            self.stone(canvas, cell, 0.47 * self.cell)
        self.dot(canvas, last)
