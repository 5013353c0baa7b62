"""What stands below a board: the scale of values, marked moves without a cell, whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sylve.drawing.board import Board
from sylve.drawing.canvas import Canvas, fitting_height, text_width
from sylve.drawing.colours import MARK, heat_colour, ink_on
from sylve.drawing.marks import Marks
from sylve.games.board import BoardGame

if TYPE_CHECKING:
    from sylve.position import Position

STEPS = 32  # of the scale: finer cannot be seen in 180 pixels


def paint_legend(canvas: Canvas, board: Board, top: float) -> float:
    """The scale from 0 to 1. Returns where it ends."""
    width, height = 0.45 * board.size, 0.7 * board.font
    top += 0.2 * board.font
    left = (board.size - width) / 2
    for step in range(STEPS):
        x = left + step * width / STEPS
        colour = heat_colour(step / (STEPS - 1))
        # Each reaches to the end, so that no seam shows between them.
        canvas.rectangle((x, top), left + width - x, height, fill=colour)
    for x, text in ((left - board.font, "0"), (left + width + board.font, "1")):
        board.coordinate(canvas, (x, top + height / 2), text)
    return top + height + board.margin


def paint_notes(
    canvas: Canvas, board: Board, position: Position, marks: Marks, top: float
) -> float:
    """The moves without a cell (a pass, all moves of a user's own game). Returns where they end."""
    x, height = board.margin, 1.6 * board.font
    for text, value, ringed in notes(board, position, marks):
        letters = fitting_height(text, board.font, board.size - 2 * board.margin - board.font)
        width = text_width(text, letters) + board.font
        if x > board.margin and x + width > board.size - board.margin:
            x, top = board.margin, top + 1.2 * height
        fill = board.ground if value is None else heat_colour(value)
        edge = (MARK, 2.0) if ringed else (board.ink, 0.5)
        canvas.rectangle(
            (x, top), width, height, rx=0.25 * height, fill=fill, stroke=edge[0],
            stroke_width=edge[1],
        )  # fmt: skip
        canvas.text((x + width / 2, top + height / 2), text, letters, fill=ink_on(fill))
        x += width + 0.4 * board.font
    return top if x == board.margin else top + height + board.margin


def paint_turn(canvas: Canvas, board: Board, position: Position, top: float) -> float:
    """Who is to move, or who has won. Returns where it ends."""
    text = turn_words(board, position)
    letters = fitting_height(text, board.font, board.size - 2 * board.margin)
    canvas.text((board.size / 2, top + 0.3 * board.font), text, letters, fill=board.ink)
    return top + 0.3 * board.font + board.margin


def turn_words(board: Board, position: Position) -> str:
    """The player by colour and, as tables and texts have it, as x or o."""
    outcome = position.outcome
    side = position.turn if outcome is None else outcome.winner
    if side is None:
        return "draw"
    name, letter = board.players[side], "xo"[side]
    who = name if name.lower() == letter else f"{name} ({letter})"
    return f"{who} {'to move' if outcome is None else 'won'}"


def notes(board: Board, position: Position, marks: Marks) -> list[tuple[str, float | None, bool]]:
    """Text, value and whether it is among the arrows, of each."""
    found: list[tuple[str, float | None, bool]] = []
    if marks.last is not None and board.last_cells(marks.last)[1] is None:
        found.append((f"last: {last_name(position, marks.last)}", None, False))
    for move in marks.moves:
        if board.cells(move)[1] is None:
            text = f"{position.name(move)} {marks.labels.get(move, '')}".rstrip()
            found.append((text, marks.heat.get(move), move in marks.arrows))
    return found


def last_name(position: Position, move: int) -> str:
    """The name of the move that led here, in the position where it was played."""
    if isinstance(position.game, BoardGame):  # a pass or a swap: the same everywhere
        return position.name(move)
    if not position.played or position.played[-1] != move:
        return str(move)
    before = type(position)(position.game, position.origin).play_line(position.played[:-1])
    return before.name(move)
