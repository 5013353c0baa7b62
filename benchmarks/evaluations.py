"""Alpha-beta at depth 4 with each game's evaluation, against random play and UCT with 200 playouts.

python benchmarks/evaluations.py [--games 100] [--depth 4] [GAME ...]

Games are played in pairs: each random opening twice, with the sides exchanged.
"""

import argparse
from collections.abc import Callable
from functools import partial
from math import sqrt

from sylve import AlphaBeta, Player, Position, Rng, Uct, search

GAMES = [
    "breakthrough",
    "breakthrough(columns=5, rows=5)",
    "othello",
    "othello(size=6)",
    "connect_four",
    "hex(size=5)",
    "hex(size=7)",
    "go(size=5)",
    "go(size=7)",
]
OPENING = 4  # random plies
LONGEST = 300  # plies; then nobody has won (Go)

Chooser = Callable[[Position, Rng], int]


def by_search(how: AlphaBeta, position: Position, _: Rng) -> int:
    return search(position, how).best


def at_random(position: Position, rng: Rng) -> int:
    moves = position.game.playout_moves(position.state)
    legal = [move for move in moves if move in position.moves]
    return legal[rng.below(len(legal))] if legal else position.moves[-1]


def by_uct(playouts: int, position: Position, rng: Rng) -> int:
    return search(position, Uct(playouts, seed=rng.next())).best


def opening(game: str, index: int) -> Position:
    """The same for both games of a pair; the game goes on."""
    attempt = 0
    while True:
        position, rng = Position.start(game), Rng.stream(7, 1000 * index + attempt)
        for _ in range(OPENING):
            if position.outcome is None:
                position = position.play(at_random(position, rng))
        if position.outcome is None:
            return position
        attempt += 1


def points(position: Position, sides: dict[Player, Chooser], me: Player, rng: Rng) -> float:
    """1, 1/2 or 0 for `me`."""
    for _ in range(LONGEST):
        if position.outcome is not None:
            return position.outcome.points(me) / 2
        position = position.play(sides[position.turn](position, rng))
    return 0.5


def match(game: str, ours: Chooser, theirs: Chooser, games: int) -> tuple[float, float]:
    """The mean and its standard error."""
    results = []
    for index in range(games):
        me = Player(index % 2)
        sides = {me: ours, me.other: theirs}
        results.append(points(opening(game, index // 2), sides, me, Rng.stream(8, index)))
    mean = sum(results) / games
    return mean, sqrt(sum((result - mean) ** 2 for result in results) / games / (games - 1))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("game", nargs="*", default=GAMES)
    given = parser.parse_args()
    ours = partial(by_search, AlphaBeta(given.depth))
    print(f"alpha_beta({given.depth}), {given.games} games each; mean ± standard error, in percent")
    for game in given.game:
        told = []
        for name, theirs in (
            ("random", at_random),
            (f"uct({given.playouts})", partial(by_uct, given.playouts)),
        ):
            mean, error = match(game, ours, theirs, given.games)
            told.append(f"{name} {100 * mean:5.1f} ± {100 * error:3.1f}")
        print(f"{game:32} {'   '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
