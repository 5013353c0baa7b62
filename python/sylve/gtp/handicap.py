"""Handicap stones of Go, where the GTP 2 specification puts them."""

from __future__ import annotations

from sylve.games.go import Go
from sylve.gtp.board import Board
from sylve.gtp.protocol import Refusal


def fixed_points(game: Go, stones: int) -> list[int]:
    """The points for 2 to 9 stones: corners, then sides, then the centre for odd numbers."""
    size = game.size
    most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
    if not 2 <= stones <= most:
        raise Refusal("invalid number of stones")
    low = 2 if size < 13 else 3  # the third line on small boards, else the fourth
    middle, high = size // 2, size - 1 - low
    corners = [(low, low), (high, high), (high, low), (low, high)]  # row, column
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    places = corners[:stones]
    if stones >= 6:
        places += sides[: 2 if stones < 8 else 4]
    if stones in (5, 7, 9):
        places.append((middle, middle))
    return [row * size + column for row, column in places]


def set_stones(board: Board, points: list[int]) -> str:
    """Put stones of Black on an empty board, White to move; the names of the points."""
    game = board.game
    assert isinstance(game, Go)
    state = board.position.state
    if state.board.strip("."):
        raise Refusal("board not empty")
    cells = ["x" if point in points else "." for point in range(game.pass_move)]
    rows = ["".join(cells[at : at + game.size]) for at in range(0, len(cells), game.size)]
    board.set_position("/".join(rows[::-1]) + " o")
    return " ".join(game.cell_name(point) for point in points)


def free_points(board: Board, names: tuple[str, ...]) -> list[int]:
    """The points that the other side has chosen."""
    game = board.game
    assert isinstance(game, Go)
    points = [game.find_cell(name) for name in names]
    good = [point for point in points if point is not None]
    if len(good) < len(points) or len(set(good)) < len(points) or not len(good) >= 2:
        raise Refusal("bad vertex list")
    return good
