"""Breakthrough and three searches in the style of the course's code, only to be timed.

Written anew, in that style: lists of lists, a copy of the board for each simulation, a list of move
objects at every ply, a dictionary of positions. Nobody should use it for anything else.
"""

from __future__ import annotations

import copy
import random
from math import log, sqrt
from typing import Any

DX = DY = 5
WHITE, BLACK, EMPTY = 1, 2, 0
CODES = 2 * DX * DY * 5

Entry = list[Any]


class Move:
    """A step of a pawn."""

    def __init__(self, color: int, x1: int, y1: int, x2: int, y2: int) -> None:
        self.color, self.x1, self.y1, self.x2, self.y2 = color, x1, y1, x2, y2

    def code(self, board: Board) -> int:
        """Square, gesture and colour as one number."""
        direction = 0
        if self.y2 > self.y1:
            direction = 1 if board.board[self.x2][self.y2] == EMPTY else 2
        if self.y2 < self.y1:
            direction = 3 if board.board[self.x2][self.y2] == EMPTY else 4
        own = 5 * (DY * self.x1 + self.y1) + direction
        return own if self.color == WHITE else 5 * DX * DY + own


HASHES = [[[random.Random(3 * (DY * x + y) + c).getrandbits(64) for y in range(DY)]  # noqa: S311
           for x in range(DX)] for c in range(3)]  # fmt: skip
TURN = random.Random(-1).getrandbits(64)  # noqa: S311


class Board:
    """A position; White goes up the rows."""

    def __init__(self) -> None:
        self.h = 0
        self.turn = WHITE
        self.board = [[EMPTY] * DY for _ in range(DX)]
        for x in (0, 1):
            for y in range(DY):
                self.board[x][y] = WHITE
                self.board[DX - 1 - x][y] = BLACK

    def legal_moves(self) -> list[Move]:
        """All moves of the side to move."""
        moves = []
        step = 1 if self.turn == WHITE else -1
        for x in range(DX):
            for y in range(DY):
                if self.board[x][y] != self.turn or not 0 <= x + step < DX:
                    continue
                for side in (-1, 0, 1):
                    if not 0 <= y + side < DY:
                        continue
                    there = self.board[x + step][y + side]
                    if there == EMPTY or (side != 0 and there != self.turn):
                        moves.append(Move(self.turn, x, y, x + step, y + side))
        return moves

    def winner(self) -> int:
        """Who has won, or 0."""
        if WHITE in self.board[DX - 1]:
            return WHITE
        if BLACK in self.board[0]:
            return BLACK
        if not self.legal_moves():
            return BLACK if self.turn == WHITE else WHITE
        return EMPTY

    def play(self, move: Move) -> None:
        """Make a move."""
        taken = self.board[move.x2][move.y2]
        if taken != EMPTY:
            self.h ^= HASHES[taken][move.x2][move.y2]
        self.h ^= HASHES[move.color][move.x2][move.y2] ^ HASHES[move.color][move.x1][move.y1] ^ TURN
        self.board[move.x2][move.y2] = move.color
        self.board[move.x1][move.y1] = EMPTY
        self.turn = BLACK if move.color == WHITE else WHITE

    def playout(self, rng: random.Random, played: list[int] | None = None) -> float:
        """A random game to the end: 1 if White wins."""
        while True:
            winner = self.winner()
            if winner:
                return 1.0 if winner == WHITE else 0.0
            moves = self.legal_moves()
            move = moves[rng.randint(0, len(moves) - 1)]
            if played is not None:
                played.append(move.code(self))
            self.play(move)


def flat(board: Board, n: int, rng: random.Random) -> None:
    """Pure Monte Carlo."""
    moves = board.legal_moves()
    for move in moves:
        for _ in range(n // len(moves)):
            b = copy.deepcopy(board)
            b.play(move)
            b.playout(rng)


def simulate(
    board: Board, table: dict[int, Entry], rng: random.Random, played: list[int] | None
) -> float:
    """One simulation of UCT; with `played`, of UCT with AMAF tallies at every node."""
    winner = board.winner()
    if winner:
        return 1.0 if winner == WHITE else 0.0
    entry = table.get(board.h)
    if entry is None:
        entry = [0, [0.0] * 60, [0.0] * 60]
        if played is not None:
            entry += [[0.0] * CODES, [0.0] * CODES]
        table[board.h] = entry
        result = board.playout(rng, played)
        if played is not None:
            update_amaf(entry, played, result)
        return result
    moves = board.legal_moves()
    best, best_value = 0, -1.0
    for i, move in enumerate(moves):
        value = 1000000.0
        if entry[1][i] > 0:
            q = entry[2][i] / entry[1][i]
            if played is not None:
                code = move.code(board)
                if entry[3][code] > 0:
                    beta = entry[3][code] / (
                        entry[1][i] + entry[3][code] + 1e-5 * entry[1][i] * entry[3][code]
                    )
                    q = (1 - beta) * q + beta * entry[4][code] / entry[3][code]
            if board.turn == BLACK:
                q = 1 - q
            value = q + 0.4 * sqrt(log(entry[0]) / entry[1][i])
        if value > best_value:
            best, best_value = i, value
    if played is not None:
        played.append(moves[best].code(board))
    board.play(moves[best])
    result = simulate(board, table, rng, played)
    entry[0] += 1
    entry[1][best] += 1
    entry[2][best] += result
    if played is not None:
        update_amaf(entry, played, result)
    return result


def update_amaf(entry: Entry, played: list[int], result: float) -> None:
    """Count the result for every code, at its first place in the list."""
    for i in range(len(played)):
        if played[:i].count(played[i]) == 0:
            entry[3][played[i]] += 1
            entry[4][played[i]] += result


def tree(board: Board, n: int, rng: random.Random, *, amaf: bool) -> Entry:
    """UCT, or UCT with AMAF; the entry of the root."""
    table: dict[int, Entry] = {}
    for _ in range(n):
        simulate(copy.deepcopy(board), table, rng, [] if amaf else None)
    return table[board.h]
