"""Document 003: UCB at the root."""

from __future__ import annotations

import copy
import math
from math import log, sqrt

from sylve.course.board import Black, Board, Move


def UCB(board: Board, n: int) -> Move:
    """The parts of "Analyse du code", put together."""
    moves = board.legalMoves()
    sumScores = [0.0 for x in range(len(moves))]
    nbVisits = [0 for x in range(len(moves))]
    for i in range(n):
        bestScore = 0.0
        bestMove = 0
        for m in range(len(moves)):
            score = 1000000.0
            if nbVisits[m] > 0:
                # log(0) never comes: at i = 0 no move has a visit
                score = sumScores[m] / nbVisits[m] + 0.4 * sqrt(log(i) / nbVisits[m])
            if score > bestScore:
                bestScore = score
                bestMove = m
        b = copy.deepcopy(board)
        b.play(moves[bestMove])
        r = b.playout()
        if board.turn == Black:
            r = 1.0 - r
        sumScores[bestMove] += r
        nbVisits[bestMove] += 1
    bestNbVisits = 0
    bestMove = 0
    for m in range(len(moves)):
        if nbVisits[m] > bestNbVisits:  # the first of equally visited moves
            bestNbVisits = nbVisits[m]
            bestMove = m
    return moves[bestMove]


def UCB_optimized(board: Board, n: int, exploration: float = 0.4) -> Move:
    """ "Implémentation optimisée"."""
    moves = board.legalMoves()
    if len(moves) == 1:
        return moves[0]
    stats = [(0.0, 0) for _ in moves]
    for i in range(1, n + 1):  # slip: the visits so far are i - 1, so that ln is of one too many
        best_move_idx = 0
        best_ucb = float("-inf")

        for j, (sum_reward, visits) in enumerate(stats):
            if visits == 0:
                ucb_score = float("inf")
            else:
                avg_reward = sum_reward / visits
                confidence = exploration * math.sqrt(math.log(i) / visits)
                ucb_score = avg_reward + confidence

            if ucb_score > best_ucb:
                best_ucb = ucb_score
                best_move_idx = j

        temp_board = copy.deepcopy(board)
        temp_board.play(moves[best_move_idx])
        reward = temp_board.playout()

        if board.turn == Black:
            reward = 1.0 - reward

        old_sum, old_visits = stats[best_move_idx]
        stats[best_move_idx] = (old_sum + reward, old_visits + 1)

    # slip: the last of equally visited moves, where `UCB` takes the first
    _, best_idx = max((visits, i) for i, (_, visits) in enumerate(stats))
    return moves[best_idx]
