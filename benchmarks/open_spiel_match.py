"""Our UCT with proofs against OpenSpiel's own MCTS bot (C++), at equal simulations.

python benchmarks/open_spiel_match.py RESULTS.jsonl [--pairs 10] [--simulations 200]

A pair is two games from the same random opening with colours swapped. Pairs that are already in the
file are not played again, so it can be stopped and started. The same command gives the same games.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pyspiel

from sylve import Rng
from sylve.adapters.open_spiel import make_bot
from sylve.arena.statistics import Statistics
from sylve.open_spiel.load import load
from sylve.rng import hash_words

# Boards on which a game takes a fraction of a second. The first four are searched by our rules.
GAMES = (
    "breakthrough(columns=5, rows=6)",
    "connect_four",
    "hex(board_size=5)",
    "othello",
    "clobber",
    "dots_and_boxes",
    "havannah(board_size=4)",
    "mancala",
    "oware",
    "y(board_size=5)",
)
OPENING = 2  # random plies
SEED = 1
UCT_C = 2.0  # OpenSpiel's usual value; it is for returns from -1 to 1
ENOUGH_MEMORY = 1000  # megabytes


def play_pair(text: str, number: int, simulations: int) -> tuple[int, int]:
    """Our half points as the first and as the second player."""
    game = load(text).native
    seed = hash_words([SEED, number])
    rng = Rng.stream(SEED, number)
    opening = game.new_initial_state()
    for _ in range(OPENING):
        actions = opening.legal_actions()
        opening.apply_action(actions[rng.below(len(actions))])
    points = []
    for seat in (0, 1):
        ours = make_bot(game, f"uct({simulations}, seed={seed + seat})", reuse=False)
        chance = (seed + seat) % (1 << 31)
        theirs = pyspiel.MCTSBot(
            game, pyspiel.RandomRolloutEvaluator(1, chance), UCT_C, simulations, ENOUGH_MEMORY,
            True, chance, False,
        )  # fmt: skip
        bots = [ours, theirs] if seat == 0 else [theirs, ours]
        returns = pyspiel.evaluate_bots(opening.clone(), bots, chance)
        mine, other = returns[seat], returns[1 - seat]
        points.append(1 + (mine > other) - (mine < other))
    return points[0], points[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=200)
    given = parser.parse_args()
    kept = given.results.read_text().splitlines() if given.results.exists() else []
    done = {tuple(key): tuple(points) for key, points in map(json.loads, kept)}
    print(f"{given.simulations} simulations a move, {given.pairs} pairs, seed {SEED}\n")
    print("| game | our wins | draws | losses | our score | 95 % interval |")
    print("| --- | --- | --- | --- | --- | --- |")
    total = Statistics()
    for text in GAMES:
        found = []
        for number in range(given.pairs):
            key = (text, number, given.simulations)
            if key not in done:
                done[key] = play_pair(*key)
                with given.results.open("a") as file:
                    file.write(json.dumps([key, done[key]]) + "\n")
            found.append(done[key])
        one = Statistics.of_pairs(found)
        total += one
        print(row(f"`{text}`", one), flush=True)
    print(row("all", total))


def row(name: str, found: Statistics) -> str:
    low, high = found.interval
    counts = f"{found.wins} | {found.draws} | {found.losses}"
    return f"| {name} | {counts} | {found.score:.2f} | {low:.2f} to {high:.2f} |"


if __name__ == "__main__":
    main()
