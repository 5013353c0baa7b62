"""Threads: simulations per second with one and two, and the match of two against one at equal time.

python benchmarks/threads.py [--seconds 1] [--rounds 5] [--games 0] [--move-seconds 0.02]
                             [--search uct]

Wall time, because that is what threads are for: on a machine that others use the figures say
little, so the load is printed with them. `--games 40` also plays that many games of two threads
against one. `make bench` has the speeds.
"""

from __future__ import annotations

import argparse
import os
import random
from math import sqrt
from typing import Any

from table import Section, rate, ratio, reached
from timing import Plan

from sylve import Position, Search, Searcher, Uct, parse_search

GAMES = ("breakthrough", "othello", "go")
WAYS = (("one thread", 1, "root"), ("root", 2, "root"), ("tree", 2, "tree"), ("leaf", 2, "leaf"))
TARGET = 1.8  # of root and tree on two processors
NOTES = [
    "UCT simulations per second of wall time, the best of the rounds, the ways in turn. The target"
    " is 1.8 times one thread for root and tree, on two free processors: look at the load.",
]


def run(plan: Plan) -> Section:
    """The speeds, as a section of `make bench`."""
    rows: list[list[str]] = []
    data: list[dict[str, Any]] = []
    for game in GAMES:
        best = speeds(Position.start(game), Uct(), plan.seconds, plan.rounds)
        base = best["one thread"]
        ratios = {name: best[name] / base for name, *_ in WAYS[1:]}
        worst = min(ratios["root"], ratios["tree"])
        rows.append(
            [game, rate(base), *(ratio(value) for value in ratios.values()), reached(worst, TARGET)]
        )
        data.append({"game": game, "one_thread": base, "ratios": ratios, "target": TARGET})
    columns = ["game", "one thread, /s", "root, 2", "tree, 2", "leaf, 2", "1.8x"]
    return Section("Two threads", columns, rows, NOTES, data)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Simulations per second with threads.")
    parser.add_argument("--seconds", type=float, default=1.0, help="of one run")
    parser.add_argument("--rounds", type=int, default=5, help="the best of them counts")
    parser.add_argument("--games", type=int, default=0, help="of each match; 0: no matches")
    parser.add_argument("--move-seconds", type=float, default=0.02, help="of a move in a match")
    parser.add_argument("--search", default="uct")
    options = parser.parse_args()
    how = parse_search(options.search)
    assert isinstance(how, Search)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; {how}")
    print("| game | one thread | root, 2 | tree, 2 | leaf, 2 |\n| --- | --: | --: | --: | --: |")
    for game in GAMES:
        best = speeds(Position.start(game), how, options.seconds, options.rounds)
        base = best["one thread"]
        others = [f"{best[name]:,.0f}/s ({best[name] / base:.2f}x)" for name, *_ in WAYS[1:]]
        print(f"| {game} | {base:,.0f}/s | {' | '.join(others)} |", flush=True)
    for game in GAMES if options.games else ():
        for parallel in ("root", "tree"):
            seconds = options.move_seconds
            pairs = match(Position.start(game), how, parallel, seconds, options.games)
            mean, error = interval(pairs)
            print(
                f"{game}, two threads ({parallel}) against one, {seconds} s a move:"
                f" {mean:.3f} +- {error:.3f} (95 %, {options.games} games in pairs)",
                flush=True,
            )
    print(f"load {os.getloadavg()[0]:.1f} at the end")


def speeds(position: Position, how: Search, seconds: float, rounds: int) -> dict[str, float]:
    """The best rate of each way; the ways take turns, so that a slow spell hits all of them."""
    best = {name: 0.0 for name, *_ in WAYS}
    for _ in range(rounds):
        for name, threads, parallel in WAYS:
            searcher = Searcher(position, how, threads=threads, parallel=parallel)  # type: ignore[arg-type]
            report = searcher.run(seconds=seconds)
            assert sum(entry.visits for entry in report.moves) == report.playouts
            best[name] = max(best[name], report.playouts / report.seconds)
    return best


def match(
    start: Position, how: Search, parallel: str, seconds: float, games: int
) -> list[tuple[float, float]]:
    """The points of two threads against one: by opening, with either colour."""
    pairs = []
    for number in range(games // 2):
        # Four random plies, so that the games differ; both sides play both colours of each.
        opening, chance = start, random.Random(number)
        for _ in range(4):
            opening = opening.play(chance.choice(opening.moves))
        points = [0.0, 0.0]
        for two in (0, 1):
            position = opening
            while position.outcome is None:
                threads = 2 if position.turn == two else 1
                seeded = parse_search(str(how), seed=2 * number + two)
                searcher = Searcher(position, seeded, threads=threads, parallel=parallel)  # type: ignore[arg-type]
                position = position.play(searcher.run(seconds=seconds).best)
            points[two] = position.outcome.points(two) / 2  # type: ignore[arg-type]
        pairs.append((points[0], points[1]))
    return pairs


def interval(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """The mean points of a game, and 1.96 standard errors by the spread of the pairs.

    Not less than the spread of one pair that ends 1 to 1 where all ended alike.
    """
    count = len(pairs)
    sums = [(first + second) / 2 for first, second in pairs]
    mean = sum(sums) / count
    variance = sum((value - mean) ** 2 for value in sums) / max(count - 1, 1)
    return mean, 1.96 * sqrt(max(variance, 0.25 / count) / count)


if __name__ == "__main__":
    main()
