"""Boards of squares: Tic-tac-toe, Breakthrough, Othello, Connect Four."""

from __future__ import annotations

from sylve.drawing.canvas import Canvas, Point
from sylve.drawing.colours import DARK, mix
from sylve.drawing.grid import Grid
from sylve.games.board import EMPTY, STONES


class Squares(Grid):
    """Whole squares are coloured by values and by the last move."""

    inset = 0.0
    """How far from its edge a square is coloured, as a share of its width."""

    def tint(self, canvas: Canvas, cell: int, colour: str, opacity: float) -> None:
        """Colour a square."""
        x, y = self.corner(cell)
        gap = self.inset * self.cell
        side = self.cell - 2 * gap
        canvas.rectangle((x + gap, y + gap), side, side, rx=gap, fill=colour, fill_opacity=opacity)


class TicTacToeBoard(Squares):
    """Lines, crosses and noughts; also for a user's own game on a board."""

    ground = "#faf6ee"
    stones = ("#1b5e9e", "#b5451b")
    players = ("X", "O")
    inset = 0.06

    def paint(self, canvas: Canvas, last: int | None) -> None:
        """Inner lines only, as on paper."""
        self.coordinates(canvas)
        self.glow(canvas, last)
        paint: dict[str, float | str] = {
            "stroke": "#6b6259",
            "stroke_width": max(1.0, 0.03 * self.cell),
            "stroke_linecap": "round",
        }
        for k in range(1, self.columns):
            x = self.left + k * self.cell
            canvas.line([(x, self.top), (x, self.bottom)], **paint)
        for k in range(1, self.rows):
            y = self.top + k * self.cell
            canvas.line([(self.left, y), (self.right, y)], **paint)
        for cell, stone in enumerate(self.state.board):
            if stone != EMPTY:
                self.figure(canvas, self.centre(cell), STONES.index(stone))

    def figure(self, canvas: Canvas, centre: Point, player: int) -> None:
        """A cross or a nought."""
        x, y = centre
        arm = 0.26 * self.cell
        paint: dict[str, float | str] = {
            "stroke": self.stones[player],
            "stroke_width": 0.11 * self.cell,
            "stroke_linecap": "round",
        }
        if player == 0:
            canvas.line([(x - arm, y - arm), (x + arm, y + arm)], **paint)
            canvas.line([(x - arm, y + arm), (x + arm, y - arm)], **paint)
        else:
            canvas.circle(centre, 1.1 * arm, fill="none", **paint)


class BreakthroughBoard(Squares):
    """A checkered board, a1 dark, with pawns."""

    ground = "#5b4a3a"
    stones = ("#fffdf7", "#2b2724")
    players = ("White", "Black")
    light, dark = "#eadfc8", "#b0936b"

    def surface(self, cell: int) -> str:
        """Checkered."""
        row, column = divmod(cell, self.columns)
        return self.light if (row + column) % 2 else self.dark

    def paint(self, canvas: Canvas, last: int | None) -> None:
        """Squares, the last move's squares, pawns."""
        self.coordinates(canvas)
        for cell in range(self.columns * self.rows):
            canvas.rectangle(
                self.corner(cell), self.cell, self.cell,
                fill=self.surface(cell), shape_rendering="crispEdges",
            )  # fmt: skip
        self.glow(canvas, last)
        for cell, stone in enumerate(self.state.board):
            if stone != EMPTY:
                self.pawn(canvas, self.centre(cell), STONES.index(stone))

    def pawn(self, canvas: Canvas, centre: Point, player: int) -> None:
        """A pawn in one outline: foot, waist, head."""
        x, y = centre
        unit = self.cell / 100
        outline = (
            "m -26 32 c 0 -15 11 -17 15 -31 h -7 v -6 h 8 a 16 16 0 1 1 20 0 h 8 v 6 h -7 "
            "c 4 14 15 16 15 31 z"
        )
        canvas.add(
            "path",
            "",
            d=outline,
            transform=f"translate({x:.2f} {y:.2f}) scale({unit:.4f})",
            fill=self.stones[player],
            stroke=DARK if player == 0 else mix(self.stones[1], self.light, 0.55),
            stroke_width=4.0,
            stroke_linejoin="round",
        )


class OthelloBoard(Squares):
    """Green felt with four small dots, black and white discs."""

    ground = "#2c2f2d"
    felt = "#2a7d4f"
    inset = 0.08

    def surface(self, cell: int) -> str:  # noqa: ARG002 (the same everywhere)
        """Green."""
        return self.felt

    def paint(self, canvas: Canvas, last: int | None) -> None:
        """Felt, lines, dots, discs."""
        self.coordinates(canvas)
        width, height = self.right - self.left, self.bottom - self.top
        canvas.rectangle((self.left, self.top), width, height, fill=self.felt)
        line = mix(self.felt, DARK, 0.7)
        stroke = max(1.0, 0.025 * self.cell)
        self.rules(canvas, 0, stroke=line, stroke_width=stroke, shape_rendering="crispEdges")
        for column in (2, self.columns - 2) if self.columns >= 6 else ():
            for row in (2, self.rows - 2):
                at = self.left + column * self.cell, self.top + row * self.cell
                canvas.circle(at, max(1.5, 0.07 * self.cell), fill=line)
        for cell in range(len(self.state.board)):
            self.stone(canvas, cell, 0.4 * self.cell)
        self.dot(canvas, last)


class ConnectFourBoard(Grid):
    """A blue board with holes; the first player is red, the second yellow."""

    ground = "#1f57a4"
    stones = ("#d9342b", "#ffd23f")
    players = ("Red", "Yellow")
    hole = "#e8eef7"
    row_names = False

    def column_name(self, column: int) -> str:
        """Columns have numbers."""
        return str(column + 1)

    def surface(self, cell: int) -> str:  # noqa: ARG002 (the same everywhere)
        """What shows through a hole."""
        return self.hole

    def tint(self, canvas: Canvas, cell: int, colour: str, opacity: float) -> None:
        """Smaller than a disc, so that the yellow of the scale is not taken for one."""
        canvas.circle(self.centre(cell), 0.35 * self.cell, fill=colour, fill_opacity=opacity)

    def last_cells(self, move: int) -> tuple[int | None, int | None]:
        """The topmost stone of the column."""
        filled = [
            cell
            for cell in range(move, len(self.state.board), self.columns)
            if self.state.board[cell] != EMPTY
        ]
        return None, max(filled, default=None) if 0 <= move < self.columns else None

    def paint(self, canvas: Canvas, last: int | None) -> None:
        """Holes and discs."""
        self.coordinates(canvas)
        edge = mix(self.ground, DARK, 0.45)
        for cell in range(len(self.state.board)):
            canvas.circle(
                self.centre(cell), 0.41 * self.cell,
                fill=self.hole, stroke=edge, stroke_width=0.04 * self.cell,
            )  # fmt: skip
            self.stone(canvas, cell, 0.41 * self.cell)
        self.dot(canvas, last)
