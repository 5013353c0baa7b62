"""Threads: simulations per second with one and two, and the match of two against one at equal time.

python benchmarks/threads.py [--seconds 1] [--rounds 5] [--games 0] [--search uct]

Wall time, because that is what threads are for: on a machine that others use the figures say
little, so the load is printed with them. `--games 40` also plays that many games of two threads
against one.
"""

from __future__ import annotations

import argparse
import os
from math import sqrt

from sylve import Position, Search, Searcher, parse_search

GAMES = ("breakthrough", "othello", "go")
WAYS = (("one thread", 1, "root"), ("root", 2, "root"), ("tree", 2, "tree"), ("leaf", 2, "leaf"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Simulations per second with threads.")
    parser.add_argument("--seconds", type=float, default=1.0, help="of one run")
    parser.add_argument("--rounds", type=int, default=5, help="the best of them counts")
    parser.add_argument("--games", type=int, default=0, help="of each match; 0: no matches")
    parser.add_argument("--search", default="uct")
    options = parser.parse_args()
    how = parse_search(options.search)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; {how}")
    print("| game | one thread | root, 2 | tree, 2 | leaf, 2 |\n| --- | --: | --: | --: | --: |")
    for game in GAMES:
        best = speeds(Position.start(game), how, options.seconds, options.rounds)
        base = best["one thread"]
        others = [f"{best[name]:,.0f}/s ({best[name] / base:.2f}x)" for name, *_ in WAYS[1:]]
        print(f"| {game} | {base:,.0f}/s | {' | '.join(others)} |", flush=True)
    for game in GAMES if options.games else ():
        for parallel in ("root", "tree"):
            points = match(Position.start(game), how, parallel, options.seconds, options.games)
            mean = points / options.games
            error = 1.96 * sqrt(max(mean * (1 - mean), 0.25 / options.games) / options.games)
            print(f"{game}, two threads ({parallel}) against one: {mean:.3f} +- {error:.3f}")
    print(f"load {os.getloadavg()[0]:.1f} at the end")


def speeds(position: Position, how: Search, seconds: float, rounds: int) -> dict[str, float]:
    """The best rate of each way; the ways take turns, so that a slow spell hits all of them."""
    best = {name: 0.0 for name, *_ in WAYS}
    for _ in range(rounds):
        for name, threads, parallel in WAYS:
            searcher = Searcher(position, how, threads=threads, parallel=parallel)
            report = searcher.run(seconds=seconds)
            best[name] = max(best[name], report.playouts / report.seconds)
    return best


def match(start: Position, how: Search, parallel: str, seconds: float, games: int) -> float:
    """The points of two threads against one, with the colours in turn and seeds of each game."""
    points = 0.0
    for number in range(games):
        position, two = start, number % 2
        while position.outcome is None:
            threads = 2 if position.turn == two else 1
            seeded = parse_search(str(how), seed=number)
            searcher = Searcher(position, seeded, threads=threads, parallel=parallel)
            position = position.play(searcher.run(seconds=seconds).best)
        points += position.outcome.points(two) / 2
    return points


if __name__ == "__main__":
    main()
