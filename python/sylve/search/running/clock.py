"""`Clock`: the time of a game, shared over its moves."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from sylve.search.budget import LONGEST, SHORTEST, Budget
from sylve.search.values import Value, number, whole

EXPECTED = 30
"""Moves that the time left is shared over where nobody says how many there are.

A share of what is left never uses it up: after 60 moves without increment 13 % are left.
"""
RESERVE = 0.05  # seconds kept for the way from the end of the search to the clock


@dataclass(frozen=True)
class Clock(Value):
    """So many seconds for a game, or for each `moves` moves, and an increment after each.

    Clock(300)                 five minutes for the game
    Clock(180, increment=2)    three minutes, and two seconds for each move made
    Clock(300, moves=40)       five minutes for forty moves, then five more for the next forty

    A clock is a value: `after(seconds)` is the clock once a move was made.
    """

    main: float
    increment: float = 0.0
    moves: int | None = None
    left: float | None = None
    """Seconds on the clock; at first `main`."""
    to_go: int | None = None
    """Moves until the next period; at first `moves`."""

    def __post_init__(self) -> None:
        number(self, "main", SHORTEST, LONGEST)
        number(self, "increment", 0.0, LONGEST)
        if self.left is None:
            object.__setattr__(self, "left", self.main)
        number(self, "left", -LONGEST, 2.0 * LONGEST)
        if self.moves is not None:
            whole(self, "moves", 1, 1_000_000)
            if self.to_go is None:
                object.__setattr__(self, "to_go", self.moves)
            whole(self, "to_go", 1, self.moves)
        elif self.to_go is not None:
            raise ValueError(f"clock: to_go needs moves, not {self.to_go!r} alone")

    @property
    def flagged(self) -> bool:
        """Whether the time is up."""
        return self.remaining <= 0.0

    @property
    def remaining(self) -> float:
        """Seconds on the clock."""
        assert self.left is not None, "set when the clock is made"
        return self.left

    def seconds(self) -> float:
        """The time for the next move: its share of what is left, and most of the increment.

        Never more than is on the clock less a reserve, and never less than a millisecond.
        """
        if self.flagged:
            raise ValueError(f"the clock has run out: {self}")
        usable = max(self.remaining - RESERVE, 0.5 * self.remaining)
        share = usable / (self.to_go if self.to_go is not None else EXPECTED)
        # The increment comes after the move: it may be spent only if the clock can lend it.
        return max(SHORTEST, min(share + self.increment, usable))

    def budget(self) -> Budget:
        """The same as a budget."""
        return Budget(seconds=self.seconds())

    def after(self, seconds: float) -> Clock:
        """The clock after a move that took so long. It is flagged if that was too long."""
        if not isinstance(seconds, (int, float)) or not 0.0 <= seconds <= LONGEST:
            raise ValueError(f"a move takes from 0 to {LONGEST:g} seconds, not {seconds!r}")
        left = self.remaining - seconds
        if left <= 0.0:
            return dataclasses.replace(self, left=left)
        left += self.increment
        if self.to_go is None:
            return dataclasses.replace(self, left=left)
        if self.to_go == 1:
            return dataclasses.replace(self, left=left + self.main, to_go=self.moves)
        return dataclasses.replace(self, left=left, to_go=self.to_go - 1)
