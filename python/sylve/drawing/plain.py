"""A game whose board is not known: what it prints, in a box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sylve.drawing.board import Board, Cells
from sylve.drawing.canvas import FIXED_FONT, Canvas, Point, fitting_height

if TYPE_CHECKING:
    from sylve.position import Position

LONGEST = 80  # characters in a line; longer ones are broken


class PlainBoard(Board):
    """The text of a position. Its moves have no cells: all marks become notes below."""

    ground = "#f6f4ef"
    players = ("x", "o")

    def __init__(self, position: Position, size: float) -> None:
        super().__init__(position, size)
        self.lines = [
            line[at : at + LONGEST].replace(" ", "\u00a0")  # SVG joins plain blanks
            for line in str(position).expandtabs().splitlines()
            for at in range(0, max(1, len(line)), LONGEST)
        ]
        longest = max(self.lines, key=len, default="")
        # At least 12 characters, so that a short text does not fill the picture.
        self.text_height = fitting_height(
            longest.ljust(12), 1.3 * self.font, size - 2 * self.gutter
        )
        self.cell = 1.35 * self.text_height
        self.height = 2 * self.margin + self.cell * len(self.lines)

    def cells(self, move: int) -> Cells:  # noqa: ARG002
        """No move has cells."""
        return None, None

    last_cells = cells

    def centre(self, cell: int) -> Point:  # noqa: ARG002
        """There are no cells; the middle of the text."""
        return self.size / 2, self.height / 2

    def paint(self, canvas: Canvas, last: int | None) -> None:  # noqa: ARG002
        """The lines of text."""
        for number, line in enumerate(self.lines):
            canvas.text(
                (self.gutter, self.margin + (number + 0.5) * self.cell), line, self.text_height,
                fill=self.ink, text_anchor="start", font_family=FIXED_FONT,
            )  # fmt: skip
