"""Paired matches inside a cell: each opening twice, with colours swapped."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from time import perf_counter
from typing import Any

from sylve.arena.config import LONGEST
from sylve.arena.game import HALF_POINTS, Reason, play_game
from sylve.arena.openings import Opening, RandomOpenings, random_opening
from sylve.arena.player import PlainPlayer, Player
from sylve.arena.players import parse_player
from sylve.arena.statistics import Statistics
from sylve.lab.experiment import Cell, Row, Rows
from sylve.position import Position
from sylve.rng import Rng, hash_words
from sylve.search import AlphaBeta, Clock, Search, Searcher
from sylve.search.run import search

COUNTS = ("lost2", "lost1", "even", "won1", "won2")
"""Pairs that gave the first player 0, 1/2, 1, 3/2 and 2 points."""
PLAYOUTS = 64
"""Between two looks at the clock: about 0.2 ms on Othello."""


class ThreadPlayer(PlainPlayer):
    """A search with a time for each move and a number of threads."""

    def __init__(self, how: Search, seconds: float, threads: int, parallel: str) -> None:
        self.how, self.seconds, self.threads = how, seconds, threads
        self.parallel: Any = parallel
        self.name = f"{threads} {parallel}"

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """The best move after the time."""
        del seed, clock
        if len(position.moves) == 1:
            return position.moves[0]
        searcher = Searcher(position, self.how, threads=self.threads, parallel=self.parallel)
        return searcher.run(seconds=self.seconds).best


class SameTimePlayer(PlainPlayer):
    """A search that gets as long for a position as alpha-beta needs for it."""

    def __init__(self, how: Search, rival: AlphaBeta) -> None:
        self.how, self.rival = how, rival
        self.name = f"{how} as long as {rival}"

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """The best move when the time is over; a few playouts at a time, it may be short."""
        del clock
        began = perf_counter()
        search(position, self.rival)
        end = 2 * perf_counter() - began
        searcher = Searcher(position, replace(self.how, seed=seed))
        report = searcher.run(PLAYOUTS)
        while perf_counter() < end and report.stopped != "proven":
            report = searcher.run(PLAYOUTS)
        return report.best


def play_pairs(
    game: str, first: str | Player, second: str | Player, plies: int, seed: int, pairs: range
) -> dict[str, int]:
    """Play some pairs; how many gave each number of points."""
    players = [parse_player(p) if isinstance(p, str) else p for p in (first, second)]
    counts = [0] * 5
    for pair in pairs:
        rng = Rng.stream(hash_words((seed, pair)), 0)
        opening = random_opening(game, RandomOpenings(plies, 0), rng, {}, False)
        points = 0
        for turn in (0, 1):
            points += half_points(game, opening, players, turn, seed, pair)
        counts[points] += 1
    return dict(zip(COUNTS, counts, strict=True))


def play_block(
    cell: Cell, game: str, first: str | Player, second: str | Player, plies: int, seed: int
) -> dict[str, int]:
    """Play the pairs of a cell: its `block` of so many `pairs`."""
    begin = cell["block"] * cell["pairs"]
    return play_pairs(game, first, second, plies, seed, range(begin, begin + cell["pairs"]))


def half_points(
    game: str, opening: Opening, players: list[Player], turn: int, seed: int, pair: int
) -> int:
    """The half points of the first player in one game; `turn` 1: it plays second."""
    words = [game, [player.name for player in players], list(opening.moves), turn, seed, pair]
    identity = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    seats = (players[turn], players[1 - turn])
    start = opening.begin(game)
    own = getattr(start.game, "max_plies", None)
    longest = min(own(), LONGEST) if own else LONGEST
    record = play_game(identity, start, seats, longest)
    if record.reason is Reason.FORFEIT:
        raise ValueError(record.why)
    points = HALF_POINTS[record.result]
    return points if turn == 0 else 2 - points


def counts_of(row: Row) -> tuple[int, int, int, int, int]:
    """The five counts of a row."""
    a, b, c, d, e = (int(row[name]) for name in COUNTS)
    return a, b, c, d, e


def statistics_of(rows: Rows) -> Statistics:
    """What the pairs of some rows show together."""
    total = Statistics()
    for row in rows:
        total = total + Statistics(counts_of(row))
    return total


def percent(found: Statistics) -> str:
    """The score with its 95 % interval, in points of a hundred."""
    low, high = found.interval
    return f"{100 * found.score:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def side(found: Statistics, boundary: float = 0.5) -> str:
    """`above`, `below` or `straddles`."""
    low, high = found.interval
    return "above" if low > boundary else "below" if high < boundary else "straddles"
