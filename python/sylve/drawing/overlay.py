"""Marks on a board: values as colours, arrows, rings, texts."""

from __future__ import annotations

import math

from sylve.drawing.board import Board
from sylve.drawing.canvas import Canvas, Point, fitting_height, text_width
from sylve.drawing.colours import DARK, LIGHT, MARK, heat_colour, ink_on, mix
from sylve.drawing.marks import Marks

OPACITY = 0.85  # of coloured cells: the board still shows


def paint_marks(canvas: Canvas, board: Board, marks: Marks) -> None:
    """Everything that has a place on the board; the highest values on top."""
    colours = {move: heat_colour(value) for move, value in marks.heat.items()}
    for move, value in sorted(marks.heat.items(), key=lambda item: (item[1], item[0])):
        match board.cells(move):
            case None, int(end):
                board.tint(canvas, end, colours[move], OPACITY)
            case int(start), int(end):
                arrow(canvas, board, (start, end), value, colours[move], (DARK, 0.02))
    for move in marks.arrows:
        match board.cells(move):
            case None, int(end):
                ring(canvas, board, end)
            case int(start), int(end) if move in colours:
                value, edge = marks.heat[move], (MARK, 0.045)
                arrow(canvas, board, (start, end), value, colours[move], edge)
            case int(start), int(end):
                arrow(canvas, board, (start, end), 0.7, MARK, (DARK, 0.02))
    for move, text in marks.labels.items():
        match board.cells(move):
            case None, int(end):
                label(canvas, board, end, text, colours.get(move))
            case int(start), int(end):
                tag(canvas, board, (start, end), text, colours.get(move))


def ring(canvas: Canvas, board: Board, cell: int) -> None:
    """A ring in the cell, with a light edge on both sides that shows on any colour."""
    width = max(1.2, 0.075 * board.cell)
    for colour, stroke in ((LIGHT, 1.6 * width), (MARK, width)):
        canvas.circle(
            board.centre(cell), 0.36 * board.cell,
            fill="none", stroke=colour, stroke_width=stroke,
        )  # fmt: skip


def arrow(
    canvas: Canvas,
    board: Board,
    move: tuple[int, int],
    value: float,
    fill: str,
    edge: tuple[str, float],
) -> None:
    """An arrow from cell to cell, free of both middles; a higher value makes it thicker.

    `edge` is a colour and a width as a share of a cell.
    """
    thick = 0.05 + 0.13 * value
    (x1, y1), (x2, y2) = board.centre(move[0]), board.centre(move[1])
    length = math.hypot(x2 - x1, y2 - y1)
    along = (x2 - x1) / length, (y2 - y1) / length
    near, far = 0.3 * board.cell, length - 0.17 * board.cell
    half, head = thick * board.cell / 2, (0.09 + 1.1 * thick) * board.cell
    wide = half + 0.075 * board.cell
    outline = [
        (near, -half), (far - head, -half), (far - head, -wide), (far, 0),
        (far - head, wide), (far - head, half), (near, half),
    ]  # fmt: skip
    points = [
        (x1 + a * along[0] - b * along[1], y1 + a * along[1] + b * along[0]) for a, b in outline
    ]
    canvas.polygon(
        points, fill=fill, stroke=edge[0], stroke_width=max(0.5, edge[1] * board.cell),
        stroke_linejoin="round",
    )  # fmt: skip


def label(canvas: Canvas, board: Board, cell: int, text: str, colour: str | None) -> None:
    """A text on a cell."""
    below = board.surface(cell)
    if colour is not None:
        below = mix(below, colour, OPACITY)
    elif board.crossed:
        board.tint(canvas, cell, below, 1)
    height = fitting_height(text, 0.46 * board.cell, 0.54 * board.cell)
    canvas.text(board.centre(cell), text, height, fill=ink_on(below), font_weight="600")


def tag(canvas: Canvas, board: Board, move: tuple[int, int], text: str, colour: str | None) -> None:
    """A text on an arrow's way, in a box."""
    (x1, y1), (x2, y2) = board.centre(move[0]), board.centre(move[1])
    # Slanted moves have theirs a quarter of the way, straight ones in the middle: so no two of all
    # possible moves are nearer than half a cell across, or a quarter down.
    share = 0.5 if x1 == x2 or y1 == y2 else 0.25
    at: Point = (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
    height = max(6.0, fitting_height(text, 0.21 * board.cell, 0.4 * board.cell))
    width = max(text_width(text, height), height) + 0.5 * height
    fill = colour or LIGHT
    canvas.rectangle(
        (at[0] - width / 2, at[1] - 0.65 * height), width, 1.3 * height, rx=0.4 * height,
        fill=fill, stroke=DARK, stroke_width=max(0.4, 0.012 * board.cell),
    )  # fmt: skip
    canvas.text(at, text, height, fill=ink_on(fill), font_weight="600")
