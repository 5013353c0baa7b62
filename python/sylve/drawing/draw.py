"""Drawing a position: the board of its game, the marks, what stands below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING

from sylve.drawing.board import Board
from sylve.drawing.canvas import Canvas
from sylve.drawing.footer import paint_legend, paint_notes, paint_turn
from sylve.drawing.hexagons import HexBoard
from sylve.drawing.lines import GoBoard
from sylve.drawing.marks import ByMove, read_marks
from sylve.drawing.overlay import paint_marks
from sylve.drawing.plain import PlainBoard
from sylve.drawing.squares import (
    BreakthroughBoard,
    ConnectFourBoard,
    OthelloBoard,
    TicTacToeBoard,
)
from sylve.games.board import BoardGame

if TYPE_CHECKING:
    from sylve.position import Position

SMALLEST = 50  # pixels

BOARDS: Mapping[str, type[Board]] = {
    "tic_tac_toe": TicTacToeBoard,
    "breakthrough": BreakthroughBoard,
    "othello": OthelloBoard,
    "connect_four": ConnectFourBoard,
    "hex": HexBoard,
    "go": GoBoard,
}


def draw_position(
    position: Position,
    *,
    last: int | str | None = None,
    heat: ByMove[float] | None = None,
    arrows: Iterable[int | str] = (),
    labels: ByMove[str] | None = None,
    turn: bool = True,
    size: int = 400,
) -> str:
    """The position as SVG text, `size` pixels wide. `Position.svg` tells what the marks are.

    >>> from sylve import Position
    >>> from sylve.drawing import draw_position
    >>> picture = draw_position(Position.start("hex(size=5)").play("c3"), last="c3", size=200)
    >>> picture[:4]
    '<svg'
    """
    if not isinstance(size, Integral) or size < SMALLEST:
        raise ValueError(f"size must be a whole number of pixels from {SMALLEST}, not {size!r}")
    board = find_board(position)(position, float(size))
    marks = read_marks(position, board, last, heat, arrows, labels)
    # The board decides its height, what stands below adds to it, and the ground lies under all.
    canvas = Canvas()
    board.paint(canvas, marks.last)
    paint_marks(canvas, board, marks)
    height = board.height
    if marks.heat:
        height = paint_legend(canvas, board, height)
    height = paint_notes(canvas, board, position, marks, height)
    if turn and not isinstance(board, PlainBoard):  # the text of a game says it itself
        height = paint_turn(canvas, board, position, height)
    ground = Canvas()
    ground.rectangle((0, 0), board.size, height, rx=0.6 * board.font, fill=board.ground)
    canvas.elements[:0] = ground.elements
    return canvas.svg(board.size, height, title(position, board))


def find_board(position: Position) -> type[Board]:
    """The board of a game: its own, a plain grid for other board games, text for all others."""
    if isinstance(position.game, BoardGame):
        return BOARDS.get(position.game.name, TicTacToeBoard)
    return PlainBoard


def title(position: Position, board: Board) -> str:
    """What a screen reader says, and what a browser shows when the pointer rests."""
    game = str(position.game) if isinstance(position.game, BoardGame) else "a game"
    if position.outcome is None:
        return f"{game}: {board.players[position.turn]} to move"
    if position.outcome.winner is None:
        return f"{game}: draw"
    return f"{game}: {board.players[position.outcome.winner]} won"
