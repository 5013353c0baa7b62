"""Fit the weights of Othello's `positional` evaluation to the results of self-play.

python benchmarks/fit_othello.py [--games 2500] [--seed 3]

Games of alpha-beta at depth 4 with the evaluation as it is, from ten random plies, one move in
twelve at random, the last ten cells exact. For each sixth of the board that is filled, the final
difference of discs is fitted, by least squares, with the terms of the positions.
"""

import argparse

import numpy as np

from sylve import Rng, _core

DEPTH, EXACT = 4, 10
OPENING, RANDOM = 10, 12
RIDGE = 20.0  # keeps terms that hardly ever differ from 0 from running away

Row = tuple[int, int, list[int]]
"""Discs on the board, the final difference for the side to move, the terms."""


def play(rng: Rng) -> list[Row]:
    position, ply, seen = _core.Position("othello"), 0, []
    while position.outcome() is None:
        moves, empty = position.moves(), position.write().count(".")
        if ply < OPENING or (empty > EXACT + 2 and rng.below(RANDOM) == 0):
            move = moves[rng.below(len(moves))]
        else:
            depth = DEPTH if empty > EXACT else EXACT
            move = position.alpha_beta(moves, depth, None, "positional", 1 << 14, False)[2]
        if ply >= OPENING - 2 and empty >= 2:
            terms = [value for _, value in position.evaluate("positional")[1]]
            seen.append((64 - empty, position.turn(), terms))
        position = position.play(move)
        ply += 1
    board = position.write().split()[0]
    lead = board.count("x") - board.count("o")
    return [(discs, lead * (1 - 2 * turn), terms) for discs, turn, terms in seen]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    rows = [row for index in range(given.games) for row in play(Rng.stream(given.seed, index))]
    names = [name for name, _ in _core.Position("othello").evaluate("positional")[1]]
    print(f"{given.games} games, {len(rows)} positions; weights in hundredths")
    print("sixth positions explained ", *names)
    sixths = np.array([6 * (discs - 1) // 64 for discs, _, _ in rows])
    for sixth in range(6):
        here = [row for row, phase in zip(rows, sixths, strict=True) if phase == sixth]
        if not here:
            continue
        leads = np.array([lead for _, lead, _ in here], float)
        terms = np.array([terms for _, _, terms in here], float) / 1000
        squares = terms.T @ terms + RIDGE * np.eye(len(names))
        weights = np.linalg.solve(squares, terms.T @ leads)
        explained = 1 - ((leads - terms @ weights) ** 2).sum() / (leads**2).sum()
        print(f"{sixth + 1:5} {len(here):9} {explained:9.2f} ", *np.round(100 * weights, 1))


if __name__ == "__main__":
    main()
