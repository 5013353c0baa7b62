"""What every drawn board has: colours, a place for each cell, and how a cell is marked."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from sylve.drawing.canvas import Canvas, Point
from sylve.drawing.colours import DARK, LAST, LIGHT, ink_on, mix
from sylve.games.board import EMPTY, STONES

if TYPE_CHECKING:
    from sylve.position import Position

Cells = tuple[int | None, int | None]
"""Where a move starts and where it ends."""


class Board(ABC):
    """A position on its board, `size` pixels wide."""

    ground: ClassVar[str]
    """The colour around the board; coordinates and legend stand on it, whatever the page has."""
    stones: ClassVar[tuple[str, str]] = (DARK, LIGHT)
    """The colours of the players' stones."""
    players: ClassVar[tuple[str, str]] = ("Black", "White")
    """What the players are called."""

    crossed: ClassVar[bool] = False
    """Whether lines cross in the middle of cells, which a text must hide."""

    height: float
    """The height of the board with its coordinates; legend and notes go below."""
    cell: float
    """The distance of neighbouring cells."""

    def __init__(self, position: Position, size: float) -> None:
        self.game: Any = position.game
        self.state = position.state
        self.size = size
        # 13 pixels at the usual 400; below 8 nothing can be read, so that small drawings keep 8.
        self.font = max(min(8.0, size / 8), size / 31)
        self.gutter = 1.9 * self.font
        self.margin = 1.1 * self.font
        self.ink = ink_on(self.ground)

    @abstractmethod
    def paint(self, canvas: Canvas, last: int | None) -> None:
        """Draw the board, its stones and the mark of the last move."""

    @abstractmethod
    def centre(self, cell: int) -> Point:
        """The middle of a cell."""

    def surface(self, cell: int) -> str:  # noqa: ARG002 (a checkered board asks which)
        """The colour that an empty cell has."""
        return self.ground

    def cells(self, move: int) -> Cells:
        """Where a legal move starts and ends; None for what is not on the board."""
        cells: Cells = self.game.move_cells(self.state, move)
        return cells

    def last_cells(self, move: int) -> Cells:
        """The same for the move that led here, which the other player made."""
        cells: Cells = self.game.move_cells(other_to_move(self.state), move)
        return cells

    def tint(self, canvas: Canvas, cell: int, colour: str, opacity: float) -> None:
        """Colour an empty cell."""
        canvas.circle(self.centre(cell), 0.38 * self.cell, fill=colour, fill_opacity=opacity)

    def stone(self, canvas: Canvas, cell: int, radius: float) -> None:
        """The stone on a cell, round with a fine edge; nothing if there is none."""
        stone = self.state.board[cell]
        if stone != EMPTY:
            colour = self.stones[STONES.index(stone)]
            width = max(0.5, 0.06 * radius)
            edge = mix(colour, DARK, 0.55)
            radius -= width / 2
            canvas.circle(self.centre(cell), radius, fill=colour, stroke=edge, stroke_width=width)

    def dot(self, canvas: Canvas, last: int | None) -> None:
        """The mark of the last move: a dot that shows on its stone, or on the empty cell."""
        cell = None if last is None else self.last_cells(last)[1]
        if cell is not None:
            stone = self.state.board[cell]
            below = self.surface(cell) if stone == EMPTY else self.stones[STONES.index(stone)]
            canvas.circle(self.centre(cell), max(1.2, 0.12 * self.cell), fill=ink_on(below))

    def glow(self, canvas: Canvas, last: int | None) -> None:
        """The other mark of the last move: its cells coloured, under the stones."""
        for cell in () if last is None else self.last_cells(last):
            if cell is not None:
                self.tint(canvas, cell, LAST, 0.6)

    def coordinate(self, canvas: Canvas, at: Point, text: str) -> None:
        """The name of a row or column."""
        canvas.text(at, text, self.font, fill=self.ink, fill_opacity=0.75)

    def step(self, distance: float) -> int:
        """Every how many rows or columns there is room for a name."""
        return math.ceil(1.25 * self.font / distance)


def other_to_move(state: Any) -> Any:
    """The state of a board game with the other player to move, for asking about the last move."""
    change = {"turn": state.turn.other}
    if dataclasses.is_dataclass(state) and not isinstance(state, type):
        return dataclasses.replace(state, **change)
    return state._replace(**change)
