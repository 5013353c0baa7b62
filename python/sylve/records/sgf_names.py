"""What reading and writing SGF share: the games, the cells, the moves.

GM: Go 1, Othello 2, Hex 11; the others have no number and write a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sylve.errors import quote
from sylve.game import AnyGame
from sylve.games.board import BoardGame
from sylve.games.go import Go
from sylve.games.othello import Othello
from sylve.position import Position
from sylve.records.record import InvalidRecord

NUMBERS = {"go": "1", "othello": "2", "hex": "11"}
NAMES = {
    "breakthrough": "Breakthrough",
    "connect_four": "ConnectFour",
    "tic_tac_toe": "TicTacToe",
}
GAMES = {mark: name for name, mark in {**NUMBERS, **NAMES}.items()}
SIZES = {"go": 19, "othello": 8, "hex": 11}  # where SZ is missing
OURS = "SYLVE"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


# Cells and moves. Go has two letters from the top left; the others their usual names.


def write_cell(game: BoardGame, cell: int) -> str:
    """The name of a cell in SGF."""
    if not isinstance(game, Go):
        return game.cell_name(cell)
    row, column = divmod(cell, game.size)
    return LETTERS[column] + LETTERS[game.size - 1 - row]


def write_vertex(game: AnyGame, position: Position, move: int) -> str:
    """The name of a move in SGF; the pass of Go is empty."""
    if not isinstance(game, Go):
        return position.name(move)
    return "" if move == game.pass_move else write_cell(game, move)


def read_cells(game: BoardGame, texts: list[str]) -> Iterator[int]:
    """The cells of a list such as AB; Go compresses rectangles: `aa:cc`."""
    cells = 0
    for text in texts:
        if text.count(":") > 1:
            raise InvalidRecord(f"SGF: cannot read the cells {quote(text)}")
        corners = [divmod(read_cell(game, corner), game.columns) for corner in text.split(":")]
        rows, columns = zip(*corners, strict=True)
        cells += (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)
        if cells > game.columns * game.rows:
            raise InvalidRecord(f"SGF: {quote(text)}: more cells than {game} has")
        for row in range(min(rows), max(rows) + 1):
            for column in range(min(columns), max(columns) + 1):
                yield row * game.columns + column


def read_cell(game: BoardGame, text: str) -> int:
    """The cell of a name."""
    cell = game.find_cell(text.strip())
    if isinstance(game, (Go, Othello)) and re.fullmatch("[a-z]{2}", text.strip()):
        column, row = (LETTERS.index(letter) for letter in text.strip())
        inside = column < game.columns and row < game.rows
        up = row if game.a1_on_top else game.rows - 1 - row
        cell = up * game.columns + column if inside else None
    elif isinstance(game, Go):
        cell = None
    if cell is None:
        raise InvalidRecord(f"SGF: {quote(text)} is no cell of {game}")
    return cell


def read_vertex(game: AnyGame, position: Position, text: str) -> int:
    """The move of a node."""
    word = text.strip()
    if isinstance(game, Go) and (word == "" or (word == "tt" and game.size <= 19)):
        return game.pass_move
    if isinstance(game, (Go, Othello)) and re.fullmatch("[a-z]{2}", word) and word != "pa":
        return read_cell(game, word)
    if isinstance(game, Go):
        raise InvalidRecord(f"SGF: {quote(text)} is no move of {game}")
    return position.move(word or "pass")
