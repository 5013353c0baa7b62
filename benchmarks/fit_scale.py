"""The scales of the evaluations: what a score is worth, in games that alpha-beta plays itself.

python benchmarks/fit_scale.py [--games 400] [--depth 2] [--evaluation NAME] [GAME ...]

Each game begins with random plies and is played by alpha-beta with the evaluation at hand; one move
in eight is random, so that games differ and the better side does not always win. The scale is that
of the logistic curve 1 / (1 + e^(-score / scale)) with the largest likelihood of the results (a
draw is half a win), in thousandths. Error: one standard error, from ten parts of the games.

`sylve.evaluations.SCALES` has the numbers of the usual sizes, rounded.
"""

import argparse
from math import exp, log, sqrt

from sylve import Position, Rng, _core, evaluate
from sylve.evaluations import evaluations_of

GAMES = ["tic_tac_toe", "breakthrough", "othello", "connect_four", "hex(size=7)", "go(size=7)"]
OPENING, RANDOM = 4, 8
LONGEST = 200  # plies; then nobody has won (Go, where alpha-beta does not like to pass)
PARTS = 10

Row = tuple[int, float]
"""A score in thousandths and the result, both for the side to move."""


def play(game: str, name: str, depth: int, rng: Rng) -> list[Row]:
    position = _core.Position(game)
    seen: list[tuple[int, int]] = []
    for ply in range(LONGEST):
        if position.outcome() is not None:
            break
        moves = position.playout_moves()
        if ply < OPENING or rng.below(RANDOM) == 0:
            move = moves[rng.below(len(moves))]
        else:
            move = position.alpha_beta(position.moves(), depth, None, name, 1 << 12, False)[2]
        if ply >= OPENING:
            seen.append((position.turn(), position.evaluate(name)[0]))
        position = position.play(move)
    winner = position.outcome()
    if winner is None:
        return []
    return [(score, 0.5 if winner == -1 else float(winner == turn)) for turn, score in seen]


def loss(rows: list[Row], scale: float) -> float:
    """The negative log likelihood."""
    total = 0.0
    for score, result in rows:
        x = max(-500.0, min(500.0, score / scale))
        total += result * log(1 + exp(-x)) + (1 - result) * log(1 + exp(x))
    return total


def fit(rows: list[Row]) -> float:
    """The scale of the least loss, by golden section over its logarithm."""
    low, high, golden = log(10.0), log(1e6), (sqrt(5) - 1) / 2
    while high - low > 0.01:
        left, right = high - golden * (high - low), low + golden * (high - low)
        if loss(rows, exp(left)) < loss(rows, exp(right)):
            high = right
        else:
            low = left
    return exp((low + high) / 2)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--evaluation", help="only this one")
    parser.add_argument("game", nargs="*", default=GAMES)
    given = parser.parse_args()
    print(f"{given.games} games each, alpha_beta({given.depth})")
    print(f"{'game':14} {'evaluation':20} {'positions':>9} {'scale':>8} {'error':>7} {'right':>6}")
    for game in given.game:
        known = evaluations_of(Position.start(game).game)
        for name in [given.evaluation] if given.evaluation else known:
            evaluate(Position.start(game), name)  # gives the engine the weights of `learned`
            games = [
                play(game, name, given.depth, Rng.stream(given.seed, index))
                for index in range(given.games)
            ]
            rows = [row for one in games for row in one]
            parts = [
                fit([row for one in games[part::PARTS] for row in one]) for part in range(PARTS)
            ]
            middle = sum(parts) / PARTS
            error = sqrt(sum((part - middle) ** 2 for part in parts) / PARTS / (PARTS - 1))
            decided = [(score, result) for score, result in rows if score and result != 0.5]
            right = sum((score > 0) == (result > 0.5) for score, result in decided)
            print(
                f"{game:14} {name:20} {len(rows):9} {fit(rows):8.0f} {error:7.0f}"
                f" {right / max(1, len(decided)):6.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
