"""Document 000: All Moves As First."""

from __future__ import annotations

import copy
import random
from typing import Any

from sylve.course.board import Board, Move
from sylve.course.board import playout as playout

Table: dict[int, list[Any]] = {}


def playoutAMAF(board: Board, played: list[int]) -> float:
    """A random game; `played` receives the code of each move."""
    while True:
        moves = board.legalMoves()
        if board.terminal():
            return board.score()
        n = random.randint(0, len(moves) - 1)
        played.append(moves[n].code(board))
        board.play(moves[n])


def add(board: Board) -> None:
    """An entry of the table: visits; visits and wins by the index of the move."""
    MaxLegalMoves = 6 * board.Dy
    nplayouts = [0.0 for x in range(MaxLegalMoves)]
    nwins = [0.0 for x in range(MaxLegalMoves)]
    Table[board.h] = [0, nplayouts, nwins]


def addAMAF(board: Board) -> None:
    """The same, and visits and wins by code."""
    MaxLegalMoves = 6 * board.Dy
    MaxCodeLegalMoves = 2 * board.Dx * board.Dy * 5
    nplayouts = [0.0 for x in range(MaxLegalMoves)]
    nwins = [0.0 for x in range(MaxLegalMoves)]
    nplayoutsAMAF = [0.0 for x in range(MaxCodeLegalMoves)]
    nwinsAMAF = [0.0 for x in range(MaxCodeLegalMoves)]
    Table[board.h] = [0, nplayouts, nwins, nplayoutsAMAF, nwinsAMAF]


def updateAMAF(t: list[Any], played: list[int], res: float) -> None:
    """Count the result for every code, at its first place in the list."""
    for i in range(len(played)):
        if played[:i].count(played[i]) == 0:
            t[3][played[i]] += 1
            t[4][played[i]] += res


def compare_estimates(
    board: Board, num_simulations: int = 100
) -> tuple[dict[Move, float], dict[Move, float]]:
    """Monte Carlo and AMAF, move by move."""
    mc_scores = {}
    for move in board.legalMoves():
        wins = 0
        for _ in range(num_simulations):
            temp_board = copy.deepcopy(board)
            temp_board.play(move)
            # slip: 1.0 is a win of White, whoever moves. Right: == (board.turn == White)
            if temp_board.playout() == 1.0:
                wins += 1
        mc_scores[move] = wins / num_simulations

    amaf_scores = {}
    played_all = []
    for _ in range(num_simulations):
        temp_board = copy.deepcopy(board)
        played: list[int] = []
        result = playoutAMAF(temp_board, played)
        played_all.append((played, result))

    for move in board.legalMoves():
        code = move.code(board)
        hits, total = 0.0, 0
        for played, result in played_all:
            if code in played:
                total += 1
                hits += result  # slip: White's result again
        amaf_scores[move] = hits / total if total > 0 else 0.5
    return mc_scores, amaf_scores
