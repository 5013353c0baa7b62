"""`walk`: alpha-beta, watched. The reference searches; every visit is written down.

An event is a position that is entered with a window, or left with a score. What lies between two
events is told by `Walk.frames`: the line of positions that are open, with their windows as they are
now and the moves that were tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

from sylve.game import FullGame
from sylve.position import Position
from sylve.search.reference.alpha_beta import INFINITY, AlphaBeta, Found, TimeUp, Tree


class Event(NamedTuple):
    """A position is entered (no score yet) or left, with a score."""

    move: int
    """The move that leads there; -1 at the root."""
    alpha: int
    beta: int
    """The window at the entrance."""
    moves: int
    """How many moves there are to be tried; 0: a leaf."""
    score: int | None = None
    left_out: int = 0
    """Moves that were not looked at, since the window was closed: a cut-off."""


@dataclass
class Frame:
    """A position of the line at hand."""

    position: Position
    move: int
    alpha: int
    beta: int
    moves: int
    maximizing: bool
    """Whether the player who searches is to move."""
    best: int | None = None
    tried: list[tuple[int, int]] = field(default_factory=list)
    """Moves and their scores."""

    def count(self, move: int, score: int) -> None:
        """A move has come back with a score."""
        self.tried.append((move, score))
        better = max if self.maximizing else min
        self.best = score if self.best is None else better(self.best, score)
        if self.maximizing:
            self.alpha = max(self.alpha, self.best)
        else:
            self.beta = min(self.beta, self.best)


@dataclass(frozen=True)
class Walk:
    """All that alpha-beta did, or the first part of it."""

    position: Position
    depth: int
    events: tuple[Event, ...]
    found: Found | None
    """The score and the line; None if the walk was too long to be written down."""

    def frames(self, count: int) -> list[Frame]:
        """The open positions after so many events, the root first."""
        game, root = FullGame(self.position.game), self.position.turn
        open_: list[Frame] = []
        for event in self.events[:count]:
            if event.score is None:
                here = self.position
                if open_:
                    here = Position(here.game, game.play(open_[-1].position.state, event.move))
                open_.append(Frame(here, *event[:4], maximizing=here.turn == root))
            else:
                open_.pop()
                if open_:
                    open_[-1].count(event.move, event.score)
        return open_


class Watched(Tree):
    """The reference, which writes down where it is."""

    def __init__(self, root: Position, how: AlphaBeta, most: int, seconds: float) -> None:
        super().__init__(root, how.evaluation, perf_counter() + seconds)
        self.most = most
        self.events: list[Event] = []
        self.coming = -1
        """The move that leads to the position that is entered next."""
        self.tried: list[int] = []
        """How many moves were tried, at each open position."""

    def children(self, position: Position) -> Iterator[tuple[int, Position]]:
        """The moves, each noted before it is tried."""
        for move, after in super().children(position):
            self.coming = move
            self.tried[-1] += 1
            yield move, after

    def alpha_beta(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int = 0
    ) -> Found:
        """The same as that of the reference, between two events."""
        if len(self.events) >= self.most:
            raise TimeUp
        moves = 0 if depth == 0 or position.outcome is not None else len(position.moves)
        entered = Event(self.coming, alpha, beta, moves)
        self.events.append(entered)
        self.tried.append(0)
        found = super().alpha_beta(position, depth, alpha, beta, ply)
        left_out = moves - self.tried.pop()
        self.events.append(entered._replace(score=found[0], left_out=left_out))
        return found


def walk(position: Position, how: AlphaBeta, depth: int, most: int, seconds: float) -> Walk:
    """Alpha-beta to a depth, as at most so many events, in about so many seconds."""
    tree = Watched(position, how, most, seconds)
    try:
        found = tree.alpha_beta(position, depth, -INFINITY, INFINITY)
    except TimeUp:
        found = None
    return Walk(position, depth, tuple(tree.events), found)
