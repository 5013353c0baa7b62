"""Boards whose cells lie in straight rows and columns: all but Hex."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sylve.drawing.board import Board
from sylve.drawing.canvas import Canvas, Point
from sylve.games.board import LETTERS

if TYPE_CHECKING:
    from sylve.position import Position


class Grid(Board):
    """Square cells in rows and columns, a1 at the top or at the bottom as the game says."""

    row_names: ClassVar[bool] = True
    """Whether rows have numbers."""

    def __init__(self, position: Position, size: float) -> None:
        super().__init__(position, size)
        self.columns: int = self.game.columns
        self.rows: int = self.game.rows
        self.on_top: bool = self.game.a1_on_top
        before = self.gutter if self.row_names else self.margin
        room = size - before - self.margin
        # A board that is higher than wide gets margins: nobody wants a drawing of 400 x 1600.
        self.cell = room / max(self.columns, self.rows)
        self.left: float = before + (room - self.cell * self.columns) / 2
        self.top = self.gutter if self.on_top else self.margin
        self.height = self.margin + self.gutter + self.cell * self.rows

    @property
    def right(self) -> float:
        """Where the last column ends."""
        return self.left + self.cell * self.columns

    @property
    def bottom(self) -> float:
        """Where the lowest row ends."""
        return self.top + self.cell * self.rows

    def corner(self, cell: int) -> Point:
        """The top left corner of a cell."""
        row, column = divmod(cell, self.columns)
        line = row if self.on_top else self.rows - 1 - row
        return self.left + column * self.cell, self.top + line * self.cell

    def centre(self, cell: int) -> Point:
        """The middle of a cell."""
        x, y = self.corner(cell)
        return x + self.cell / 2, y + self.cell / 2

    def column_name(self, column: int) -> str:
        """What stands above or below a column."""
        return LETTERS[column]

    def coordinates(self, canvas: Canvas) -> None:
        """The names of columns, on the side of row 1, and of rows, on the left."""
        y = self.top - self.gutter / 2 if self.on_top else self.bottom + self.gutter / 2
        for column in range(0, self.columns, self.step(self.cell)):
            x = self.centre(column)[0]
            self.coordinate(canvas, (x, y), self.column_name(column))
        if self.row_names:
            for row in range(0, self.rows, self.step(self.cell)):
                middle = self.centre(row * self.columns)[1]
                self.coordinate(canvas, (self.left - self.gutter / 2, middle), str(row + 1))

    def rules(self, canvas: Canvas, inset: float, **paint: float | str) -> None:
        """Horizontal and vertical lines; from cell to cell (0) or from middle to middle (0.5)."""
        gap = inset * self.cell
        left, right = self.left + gap, self.right - gap
        top, bottom = self.top + gap, self.bottom - gap
        for k in range(self.rows + 1 if inset == 0 else self.rows):
            y = top + k * self.cell
            canvas.line([(left, y), (right, y)], **paint)
        for k in range(self.columns + 1 if inset == 0 else self.columns):
            x = left + k * self.cell
            canvas.line([(x, top), (x, bottom)], **paint)
