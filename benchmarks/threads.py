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
WAYS = ("root", "tree", "batch")  # of two threads
ONE = "one thread"
BATCH = 32
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
        base = best.pop(ONE)
        ratios = {way: value / base for way, value in best.items()}
        worst = min(ratios["root"], ratios["tree"])
        rows.append(
            [game, rate(base), *(ratio(value) for value in ratios.values()), reached(worst, TARGET)]
        )
        data.append({"game": game, "one_thread": base, "ratios": ratios, "target": TARGET})
    columns = ["game", f"{ONE}, /s", *(f"{way}, 2" for way in WAYS), "1.8x"]
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
    print(f"| game | {ONE} | {', 2 | '.join(WAYS)}, 2 |\n| --- |{' --: |' * (len(WAYS) + 1)}")
    for game in GAMES:
        best = speeds(Position.start(game), how, options.seconds, options.rounds)
        base = best.pop(ONE)
        others = [f"{value:,.0f}/s ({value / base:.2f}x)" for value in best.values()]
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
    best = dict.fromkeys((ONE, *WAYS), 0.0)
    for _ in range(rounds):
        for way in best:
            report = searcher(position, how, way).run(seconds=seconds)
            assert sum(entry.visits for entry in report.moves) == report.playouts
            best[way] = max(best[way], report.playouts / report.seconds)
    return best


def searcher(position: Position, how: Search, way: str) -> Searcher:
    """A search by two threads in a way, or by one."""
    if way == ONE:
        return Searcher(position, how)
    parallel: Any = way
    how = parse_search(str(how), batch=BATCH) if way == "batch" else how
    return Searcher(position, how, threads=2, parallel=parallel)


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
                way = parallel if position.turn == two else ONE
                seeded = parse_search(str(how), seed=2 * number + two)
                report = searcher(position, seeded, way).run(seconds=seconds)
                position = position.play(report.best)
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
