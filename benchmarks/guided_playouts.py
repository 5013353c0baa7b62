"""Playouts by a policy: how many a second, uniform ones being 1.

python benchmarks/guided_playouts.py [--quick] [--only GAME]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import count

from table import Section, rate, reached
from timing import FULL, QUICK, Plan, Work, measure

from sylve import Flat, Position, parse_search
from sylve.search.running.compiled import Compiled

SIMULATIONS = 2_000
GAMES = ("breakthrough", "othello", "connect_four", "hex", "go")
TARGETS = {
    "decisive": {"breakthrough": 0.5, "othello": 0.5, "connect_four": 0.5, "hex": 0.3, "go": 0.2},
    "mast": dict.fromkeys(GAMES, 0.3),
    "mogo": {"go": 0.45},
    "local": {"go": 0.35},
}
OF_ONE_GAME = {"hex": ["bridge", "bridge(then=decisive)"], "go": ["mogo", "local"]}
POLICIES = {game: ["decisive", "mast", *OF_ONE_GAME.get(game, [])] for game in GAMES}
NOTES = [
    f"Simulations of `flat` per second from the start, searches of {SIMULATIONS:,}: next to nothing"
    " but playouts; `mast` learns from each. Best of the rounds by CPU time, in turn.",
]


def run(plan: Plan, games: tuple[str, ...] = GAMES) -> Section:
    """Measure every game and policy."""
    rows, data = [], []
    for game in games:
        works = {
            policy: Work(searched(game, policy), unit=SIMULATIONS)
            for policy in ("uniform", *POLICIES[game])
        }
        speeds = {policy: speed.best for policy, speed in measure(works, plan).items()}
        for policy, speed in speeds.items():
            share = speed / speeds["uniform"]
            target = TARGETS.get(policy, {}).get(game)
            rows.append(
                [
                    game,
                    policy,
                    rate(speed),
                    f"{share:.2f}",
                    f"{target:g}" if target else "",
                    reached(share, at_least=target),
                ]
            )
            data.append({"game": game, "policy": policy, "speed": speed, "target": target})
    columns = ["game", "policy", "playouts/s", "uniform = 1", "target", "reached"]
    return Section("Guided playouts", columns, rows, NOTES, data)


def searched(game: str, policy: str) -> Callable[[int], None]:
    """Searches as work, with another seed each time."""
    seeds, start = count(1), Position.start(game)

    def work(calls: int) -> None:
        for _ in range(calls):
            how = parse_search(f"flat({SIMULATIONS}, seed={next(seeds)}, playout={policy})")
            assert isinstance(how, Flat)
            runner = Compiled(start, how)
            runner.run(SIMULATIONS)
            assert runner.simulations == SIMULATIONS

    return work


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Guided playouts per second.")
    parser.add_argument("--quick", action="store_true", help="sooner, and noisier")
    parser.add_argument("--only", choices=GAMES, help="one game")
    options = parser.parse_args()
    games = (options.only,) if options.only else GAMES
    print(run(QUICK if options.quick else FULL, games).markdown())


if __name__ == "__main__":
    main()
