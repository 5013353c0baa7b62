"""UCT with document 000's `Table`, alone and with AMAF (RAVE). The loop itself is not printed."""

from __future__ import annotations

import copy
from math import log, sqrt
from typing import Any

from sylve.course.amaf import Table, add, addAMAF, playoutAMAF, updateAMAF
from sylve.course.board import Black, Board, Move


def simulate(board: Board, played: list[int] | None) -> float:
    """One simulation of UCT; with `played`, of UCT with AMAF tallies at every node."""
    if board.terminal():
        return board.score()
    if board.h not in Table:
        if played is None:
            add(board)
            return board.playout()
        addAMAF(board)
        t = Table[board.h]
        result = playoutAMAF(board, played)
        updateAMAF(t, played, result)
        return result
    t = Table[board.h]
    moves = board.legalMoves()
    best, best_value = 0, -1.0
    for i, move in enumerate(moves):
        value = 1000000.0
        if t[1][i] > 0:
            value = value_of(t, i, move.code(board) if played is not None else None)
            if board.turn == Black:
                value = 1 - value
            value += 0.4 * sqrt(log(t[0]) / t[1][i])
        if value > best_value:
            best, best_value = i, value
    if played is not None:
        played.append(moves[best].code(board))
    board.play(moves[best])
    result = simulate(board, played)
    t[0] += 1
    t[1][best] += 1
    t[2][best] += result
    if played is not None:
        updateAMAF(t, played, result)
    return result


def value_of(t: list[Any], i: int, code: int | None) -> float:
    """White's mean; with a code, mixed with AMAF by the schedule of the course's slides."""
    mean: float = t[2][i] / t[1][i]
    if code is None or t[3][code] == 0:
        return mean
    beta = t[3][code] / (t[1][i] + t[3][code] + 1e-5 * t[1][i] * t[3][code])
    value: float = (1 - beta) * mean + beta * t[4][code] / t[3][code]
    return value


def search(board: Board, n: int, *, amaf: bool) -> list[Any]:
    """Fill an empty `Table` by n simulations; the entry of the root."""
    Table.clear()
    for _ in range(n):
        simulate(copy.deepcopy(board), [] if amaf else None)
    return Table[board.h]


def most_visited(board: Board, t: list[Any]) -> Move:
    """The first of the moves with most visits."""
    moves = board.legalMoves()
    return moves[max(range(len(moves)), key=lambda i: t[1][i])]


def UCT(board: Board, n: int) -> Move:
    """The move that UCT visits most."""
    return most_visited(board, search(board, n, amaf=False))


def RAVE(board: Board, n: int) -> Move:
    """The move that UCT with AMAF visits most."""
    return most_visited(board, search(board, n, amaf=True))
