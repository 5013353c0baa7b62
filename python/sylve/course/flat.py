"""Document 001: Flat Monte Carlo."""

from __future__ import annotations

import copy
import time

from sylve.course.board import Black, Board, Move


def flat(board: Board, n: int) -> Move:
    """Equally many playouts for every move; the largest sum wins."""
    moves = board.legalMoves()
    bestScore = 0.0
    bestMove = 0

    for m in range(len(moves)):
        sum = 0.0
        for _ in range(n // len(moves)):  # slip: the remainder of n is never played
            b = copy.deepcopy(board)
            b.play(moves[m])
            r = b.playout()
            if board.turn == Black:
                r = 1 - r
            sum = sum + r

        if sum > bestScore:  # slip: move 0 if no playout is won, or if n < len(moves)
            bestScore = sum
            bestMove = m

    return moves[bestMove]


def simulations_in(seconds: float = 5.0) -> int:
    """The loop with a clock of "Code d'exemple d'utilisation": how many simulations it grants.

    slip: the loop counts and simulates nothing. It is over at once, always with 51,000, and the
    search that follows takes as long as it takes. Right: `Flat(50_000, seconds=5)`.
    """
    start_time = time.time()
    simulations = 1000
    while time.time() - start_time < seconds:
        simulations += 1000
        if simulations > 50000:
            break
    return simulations
