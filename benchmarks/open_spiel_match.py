"""Our searches against OpenSpiel's own MCTS bot (C++), at equal simulations or equal CPU time.

python benchmarks/open_spiel_match.py RESULTS.jsonl [--pairs 10] [--simulations 200]
python benchmarks/open_spiel_match.py RESULTS.jsonl --seconds 0.2 --pairs 50 \
    --match "connect_four: uct(playout=decisive)" --match "hex: grave"

A pair is two games from the same random opening with colours swapped. Pairs that are already in the
file are not played again, so it can be stopped and started. With equal simulations the same command
gives the same games.

With --seconds both sides get so much CPU time for each move. Ours runs a few simulations at a time
until it is used. Theirs must be told a number of simulations: those that take it as long, by its
speed at its last move; what was too little or too much is made up for at its next moves of a game.
The table has the CPU time and simulations that each side really used. A side that has proved the
result stops.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pyspiel

from sylve import Position, Rng
from sylve.adapters.open_spiel import Chooser, make_bot
from sylve.adapters.same_rules import same_rules
from sylve.arena.statistics import Statistics
from sylve.open_spiel.load import load
from sylve.rng import hash_words
from sylve.search import Search, parse_search

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
FIRST_GUESS = 200  # simulations with which their speed is first measured
SLICES = 20  # looks at the clock during a move of ours
LEAST, MOST = 0.5, 2.0  # times the time of a move: what they get when they make up for others


class Used:
    """What a side used: moves, CPU time, simulations."""

    def __init__(self) -> None:
        self.moves, self.seconds, self.simulations = 0, 0.0, 0

    def add(self, seconds: float, simulations: int) -> None:
        self.moves += 1
        self.seconds += seconds
        self.simulations += simulations


class Ours(Chooser):
    """A search of ours that runs until its CPU time for a move is used."""

    def __init__(self, game: Any, how: Search, seconds: float, reuse: bool) -> None:
        rules = load(str(game))
        super().__init__(rules, same_rules(rules.native), how, "auto", reuse)
        self.search, self.seconds, self.used, self.slice = how, seconds, Used(), 16

    def best(self, position: Position) -> int:
        began = process_time()
        searcher = self.searcher_at(position, self.search)
        before = searcher.report().playouts
        looked = process_time()
        while True:
            report = searcher.run(self.slice)
            now = process_time()
            left = self.seconds - (now - began)
            if report.stopped != "playouts" or left <= 0:
                break
            # The next look after a twentieth of the time, by the speed of the last slice.
            speed = self.slice / max(now - looked, 1e-5)
            wanted = int(speed * min(left, self.seconds / SLICES))
            self.slice, looked = max(1, min(wanted, 4 * self.slice)), now
        self.used.add(now - began, report.playouts - before)
        return report.best


class Theirs:
    """OpenSpiel's bot with as many simulations as take it the same CPU time."""

    def __init__(self, game: Any, seconds: float) -> None:
        self.game, self.seconds, self.used = game, seconds, Used()
        self.speed = 0.0  # simulations per second

    def bot(self, simulations: int, chance: int) -> Any:
        return their_bot(self.game, simulations, chance)

    def choose(self, native: Any, chance: int, short: float) -> tuple[int, float]:
        """The action, and by how much less time was used than there was (below 0: more)."""
        if not self.speed:
            began = process_time()
            made = self.bot(FIRST_GUESS, chance).mcts_search(native).explore_count
            self.speed = made / (process_time() - began)
        time = min(max(self.seconds + short, LEAST * self.seconds), MOST * self.seconds)
        began = process_time()
        root = self.bot(max(1, int(self.speed * time)), chance).mcts_search(native)
        spent = process_time() - began
        if spent > 0.25 * time:  # else it proved the result, or the clock is too coarse
            self.speed = root.explore_count / spent
        self.used.add(spent, root.explore_count)
        return int(root.best_child().action), self.seconds + short - spent


def their_bot(game: Any, simulations: int, chance: int) -> Any:
    """OpenSpiel's MCTS bot: one rollout a leaf, its solver on."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, chance)
    return pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, ENOUGH_MEMORY, True, chance, False)


def opening_of(text: str, number: int) -> tuple[Any, Any, int]:
    """The game, a position some random plies from its start, and the seed of the pair."""
    game = load(text).native
    rng = Rng.stream(SEED, number)
    opening = game.new_initial_state()
    for _ in range(OPENING):
        actions = opening.legal_actions()
        opening.apply_action(actions[rng.below(len(actions))])
    return game, opening, hash_words([SEED, number])


def half_points(returns: list[float], seat: int) -> int:
    mine, other = returns[seat], returns[1 - seat]
    return 1 + (mine > other) - (mine < other)


def play_pair(text: str, how: Search, number: int, simulations: int) -> dict[str, Any]:
    """Our half points as the first and as the second player, at equal simulations."""
    game, opening, seed = opening_of(text, number)
    points = []
    for seat in (0, 1):
        mine = replace(how, playouts=simulations, seed=seed + seat)
        ours = make_bot(game, mine, reuse=False)
        chance = (seed + seat) % (1 << 31)
        theirs = their_bot(game, simulations, chance)
        bots = [ours, theirs] if seat == 0 else [theirs, ours]
        points.append(half_points(pyspiel.evaluate_bots(opening.clone(), bots, chance), seat))
    return {"points": points}


def play_timed_pair(
    text: str, how: Search, number: int, seconds: float, reuse: bool
) -> dict[str, Any]:
    """The same at equal CPU time for each move, and what both sides used."""
    game, opening, seed = opening_of(text, number)
    points, theirs = [], Theirs(game, seconds)
    mine = Ours(game, how, seconds, reuse)
    for seat in (0, 1):
        mine.search = replace(how, seed=seed + seat)
        mine.forget()
        state, short = opening.clone(), 0.0
        while not state.is_terminal():
            if len(state.legal_actions()) == 1:
                action = state.legal_actions()[0]
            elif state.current_player() == seat:
                action = mine.choose(state)
            else:
                chance = (seed + seat + theirs.used.moves) % (1 << 31)
                action, short = theirs.choose(state, chance, short)
            state.apply_action(action)
        points.append(half_points(state.returns(), seat))
    return {"points": points, "ours": vars(mine.used), "theirs": vars(theirs.used)}


def matches(texts: list[str] | None) -> list[tuple[str, str, Search]]:
    """Each game with our search, as text and as it is."""
    found = []
    for text in texts or [f"{game}: uct" for game in GAMES]:
        game, colon, how = text.partition(":")
        if not colon:
            raise SystemExit(f"--match {text!r}: expected GAME: SEARCH, as in 'othello: uct'")
        search = parse_search(how.strip())
        if not isinstance(search, Search):
            raise SystemExit(f"--match {text!r}: expected a Monte Carlo search, not {how.strip()}")
        found.append((game.strip(), how.strip(), search))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--seconds", type=float, help="of CPU time for each move of both sides")
    parser.add_argument("--match", action="append", metavar="GAME: SEARCH")
    parser.add_argument("--reuse", action="store_true", help="ours goes on with its last tree")
    given = parser.parse_args()
    chosen = matches(given.match)
    kept = given.results.read_text().splitlines() if given.results.exists() else []
    done = {tuple(key): found for key, found in map(json.loads, kept)}
    timed = given.seconds is not None
    each = f"{given.seconds:g} s of CPU time" if timed else f"{given.simulations} simulations"
    print(f"{each} a move, {given.pairs} pairs, seed {SEED}{', with reuse' * given.reuse}\n")
    used = " | our s a move | theirs | our simulations | theirs" if timed else ""
    print(f"| game | ours | our wins | draws | losses | our score | 95 % interval{used} |")
    print(f"| --- | --- | --- | --- | --- | --- | ---{' | ---' * (4 if timed else 0)} |")
    total = Statistics()
    for text, how, search in chosen:
        found = []
        for number in range(given.pairs):
            key = (text, how, number, given.seconds if timed else given.simulations, timed,
                   given.reuse)  # fmt: skip
            if key not in done:
                done[key] = (
                    play_timed_pair(text, search, number, given.seconds, given.reuse) if timed
                    else play_pair(text, search, number, given.simulations)
                )  # fmt: skip
                with given.results.open("a") as file:
                    file.write(json.dumps([key, done[key]]) + "\n")
            found.append(done[key])
        one = Statistics.of_pairs([tuple(pair["points"]) for pair in found])
        total += one
        print(row(f"`{text}` | `{how}`", one, spent(found) if timed else []), flush=True)
    print(row("all | ", total, [""] * 4 if timed else []))


def spent(found: list[dict[str, Any]]) -> list[str]:
    """CPU time and simulations for each move: ours, theirs."""
    sums = [{name: sum(pair[side][name] for pair in found)
             for name in ("moves", "seconds", "simulations")}
            for side in ("ours", "theirs")]  # fmt: skip
    times = [f"{side['seconds'] / side['moves']:.3f}" for side in sums]
    return times + [f"{side['simulations'] / side['moves']:,.0f}" for side in sums]


def row(name: str, found: Statistics, more: list[str]) -> str:
    low, high = found.interval
    counts = f"{found.wins} | {found.draws} | {found.losses}"
    cells = "".join(f" | {text}" for text in more)
    return f"| {name} | {counts} | {found.score:.2f} | {low:.2f} to {high:.2f}{cells} |"


if __name__ == "__main__":
    main()
