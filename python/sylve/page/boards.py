"""A position as the page needs it: the drawing, where its cells are, what can be played."""

from __future__ import annotations

import re
from typing import Any

from sylve.drawing.draw import find_board
from sylve.drawing.hexagons import HexBoard
from sylve.drawing.plain import PlainBoard
from sylve.games.board import EMPTY, STONES, BoardGame
from sylve.games.connect_four import ConnectFour
from sylve.page.offers import Offers
from sylve.page.protocol import Place
from sylve.position import Position
from sylve.records import result_of

SIZE = 400  # units of the drawing's width
HEIGHT = re.compile(r'viewBox="0 0 [0-9.]+ ([0-9.]+)"')


def view(offers: Offers, place: Place) -> dict[str, Any]:
    """Everything that a page shows of the position that it asks for."""
    return {**view_of(offers, offers.position(place)), "opening": place.position}


def view_of(offers: Offers, position: Position) -> dict[str, Any]:
    """Everything that a page shows of a position."""
    names = played_names(position)
    outcome = position.outcome
    board = find_board(position)(position, float(SIZE))
    drawing = position.svg(turn=False, size=SIZE)  # the page says it, in its language
    found = HEIGHT.search(drawing)
    assert found is not None
    has_text = hasattr(position.game, "write")
    return {
        "game": offers.name(position),
        "position": position.text if has_text else None,
        "readable": hasattr(position.game, "read"),
        "played": names,
        "turn": int(position.turn),
        "players": list(board.players),
        "outcome": None if outcome is None else {"winner": outcome.winner},
        "result": result_of(position) if isinstance(position.game, BoardGame) else "",
        "moves": [
            {"move": move, "name": name, **cells_of(board, move)}
            for move, name in zip(position.moves, position.names, strict=True)
        ],
        "svg": drawing,
        "width": SIZE,
        "height": float(found[1]),
        "cell": board.cell,
        "shape": "hexagon" if isinstance(board, HexBoard) else "square",
        "cells": [] if isinstance(board, PlainBoard) else cells(position, board),
        "columns": position.game.columns if isinstance(position.game, BoardGame) else 0,
        "by_column": isinstance(position.game, ConnectFour),
    }


def played_names(position: Position) -> list[str]:
    """The moves that led here, by name."""
    here, names = Position(position.game, position.origin), []
    for move in position.played:
        names.append(here.name(move))
        # Without the list of legal moves, which is slow to make: these were played.
        here = Position(here.game, here.game.play(here.state, move))
    return names


def cells_of(board: Any, move: int) -> dict[str, int | None]:
    """Where a move starts and ends."""
    start, end = board.cells(move)
    return {"from": start, "to": end}


def cells(position: Position, board: Any) -> list[dict[str, Any]]:
    """The cells in rows from the top: number, name, place, and whose stone is there."""
    game, stones = position.game, position.state.board
    assert isinstance(game, BoardGame)
    found = []
    rows = range(game.rows) if game.a1_on_top else reversed(range(game.rows))
    for row in rows:
        for column in range(game.columns):
            cell = row * game.columns + column
            x, y = board.centre(cell)
            stone = stones[cell]
            found.append(
                {
                    "cell": cell,
                    "name": game.cell_name(cell),
                    "x": round(x, 2),
                    "y": round(y, 2),
                    "stone": None if stone == EMPTY else STONES.index(stone),
                }
            )
    return found
