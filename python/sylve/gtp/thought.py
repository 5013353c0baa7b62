"""A search that is run in short slices, so that the session can listen in between."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from time import perf_counter

from sylve.position import Position
from sylve.rng import hash_words
from sylve.search.report import Report, make_report
from sylve.search.runner import make_runner, only_move
from sylve.search.searches import Flat, Search

SLICE_SECONDS = 0.03  # how long a line of input may wait
LARGEST_TREE = 1 << 30  # bytes; then an analysis stops growing and goes on answering
ENDLESS = 1 << 62  # playouts


def seed_of_ply(seed: int, ply: int) -> int:
    """Each move of a game is searched with a seed of its own."""
    return hash_words([seed, ply])


def restrict(position: Position, moves: Iterable[int]) -> Position:
    """The same position; a search of it looks at these moves only."""
    allowed = set(moves)
    copy = Position(position.game, position.state, origin=position.origin, played=position.played)
    copy.__dict__["moves"] = tuple(move for move in position.moves if move in allowed)
    return copy


class Thought:
    """A search of one position under way."""

    def __init__(self, position: Position, how: Search) -> None:
        self.position = position
        self.how = how
        self.began = perf_counter()
        self.runner = make_runner(position, how, "rust", memory=LARGEST_TREE)
        self.size = 1

    @property
    def budget(self) -> int:
        """The playouts that the search asks for."""
        if self.how.playouts is None:
            return ENDLESS
        if isinstance(self.how, Flat) and self.how.remainder == "drop":
            return self.how.playouts - self.how.playouts % len(self.position.moves)
        return self.how.playouts

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to do."""
        return self.playouts >= self.budget or self.runner.proven

    @property
    def playouts(self) -> int:
        """The playouts done."""
        return self.runner.simulations

    @property
    def is_full(self) -> bool:
        """Whether the tree has grown as far as it may, or has no need to."""
        return self.runner.proven or self.runner.found().full

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return perf_counter() - self.began

    def advance(self, most: int | None = None) -> None:
        """Run one slice, of at most so many playouts."""
        began = perf_counter()
        self.runner.run(self.size if most is None else min(self.size, most))
        spent = max(perf_counter() - began, 1e-6)
        self.size = max(1, int(self.size * min(10.0, SLICE_SECONDS / spent)))

    def report(self) -> Report:
        """What is known now."""
        found = self.runner.found()
        stopped = "asked" if found.simulations < self.budget else "playouts"
        stopped = "proven" if self.runner.proven else stopped
        engine, seconds = self.runner.engine, self.seconds
        return make_report(self.position, self.how, found, stopped, engine, seconds)


def answer_at_once(position: Position, how: Search) -> Report | None:
    """The report where there is only one move; None: it has to be searched."""
    return only_move(position, how, "rust") if len(position.moves) == 1 else None


def with_seed(how: Search, seed: int, ply: int) -> Search:
    """The search with the seed of a ply."""
    return dataclasses.replace(how, seed=seed_of_ply(seed, ply))
