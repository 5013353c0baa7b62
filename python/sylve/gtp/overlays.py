"""`gogui-analyze_commands`: what a search knows, drawn on the board by GoGui and its kind."""

from __future__ import annotations

from collections.abc import Callable

from sylve.games.board import BoardGame
from sylve.gtp.board import Board, cells_of
from sylve.records.record import colour_letter
from sylve.search.reports.report import MoveReport, Report

COMMANDS = (
    "dboard/Visits/sylve-visits",
    "dboard/Values/sylve-values",
    "dboard/AMAF values/sylve-amaf",
    "sboard/Visits in numbers/sylve-visits_text",
    "gfx/Search/sylve-gfx",
    "string/Legal moves/legal_moves",
    "string/Position/sylve-position",
    "string/Final score/final_score",
)
MAX_LABELS = 10


def by_cell(report: Report, value: Callable[[MoveReport], float]) -> dict[int, float]:
    """The highest value among the moves that end on each cell. A pass ends nowhere."""
    game, state = cells_of(report.position.game), report.position.state
    cells: dict[int, float] = {}
    for entry in report.moves:
        cell = game.move_cells(state, entry.move)[1]
        if cell is not None:
            cells[cell] = max(cells.get(cell, float("-inf")), value(entry))
    return cells


def grid(game: BoardGame, cells: dict[int, str], blank: str) -> str:
    """One row of words for each row of the board, from the top, on lines of their own."""
    rows = [
        " ".join(cells.get(row * game.columns + column, blank) for column in range(game.columns))
        for row in range(game.rows)
    ]
    return "\n" + "\n".join(rows if game.a1_on_top else rows[::-1])


def numbers(board: Board, report: Report, quantity: str) -> str:
    """A `dboard`: -1 to 1. GoGui paints what is good for Black black, for White white."""
    sign = 1 if board.turn == "B" else -1
    most = max(entry.visits for entry in report.moves) or 1
    value: dict[str, Callable[[MoveReport], float]] = {
        "visits": lambda entry: sign * entry.visits / most,
        "values": lambda entry: 0.0 if entry.mean is None else sign * (2 * entry.mean - 1),
        "amaf": lambda entry: 0.0 if entry.amaf_mean is None else sign * (2 * entry.amaf_mean - 1),
    }
    # The highest for the side to move, whatever the sign.
    cells = by_cell(report, lambda entry: sign * value[quantity](entry))
    shown = {cell: f"{sign * number:.4f}" for cell, number in cells.items()}
    return grid(cells_of(board.game), shown, "0.0000")


def visits_text(board: Board, report: Report) -> str:
    """An `sboard`: short texts, two quotes where there is none."""
    cells = by_cell(report, lambda entry: entry.visits)
    shown = {cell: short(int(number)) for cell, number in cells.items() if number}
    return grid(cells_of(board.game), shown, '""')


def short(number: int) -> str:
    """A count in at most four characters."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= size:
            return f"{number // size}{unit}"
    return str(number)


def gfx(report: Report) -> str:
    """The principal variation, the shares of the visits, and a line of text."""
    game, state = cells_of(report.position.game), report.position.state
    total = sum(entry.visits for entry in report.moves) or 1
    influence, labels = [], []
    for entry in report.ranked[:MAX_LABELS]:
        cell = game.move_cells(state, entry.move)[1]
        if cell is not None and entry.visits:
            influence += [game.cell_name(cell), f"{entry.visits / total:.3f}"]
            labels += [game.cell_name(cell), short(entry.visits)]
    line = []
    for move in report.line:
        cell = game.move_cells(state, move)[1]
        if cell is not None:
            colour = colour_letter(report.position, game.turn(state))
            line += [colour.lower(), game.cell_name(cell)]
        state = game.play(state, move)
    best = report[report.best]
    mean = "" if best.mean is None else f" mean {best.mean:.3f}"
    lines = [
        f"INFLUENCE {' '.join(influence)}",
        f"LABEL {' '.join(labels)}",
        f"VAR {' '.join(line)}",
        f"TEXT {best.name}{mean}, {report.playouts} playouts, {report.nodes} nodes",
    ]
    return "\n".join(lines)
