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
SAFETY = 0.9  # of a move's share of a byo-yomi period: who counts the seconds may be far away
MOST_MOVES = 1_000_000


@dataclass(frozen=True)
class Clock(Value):
    """So many seconds for a game, or for each `moves` moves; more after each, or byo-yomi.

    - `Clock(300)`: five minutes for the game
    - `Clock(180, increment=2)`: three minutes, and two seconds for each move made
    - `Clock(300, moves=40)`: five minutes for forty moves, then five more for the next forty
    - `Clock(600, moves=5, byo_yomi=30)`: ten minutes; after them half a minute for each five moves

    A clock is a value: `after(seconds)` is the clock once a move was made.

    >>> from sylve import Clock
    >>> clock = Clock(180, increment=2)
    >>> round(clock.seconds(), 2)
    8.0
    >>> clock.after(10).remaining
    172.0
    """

    main: float
    increment: float = 0.0
    moves: int | None = None
    left: float | None = None
    """Seconds on the clock; at first `main`."""
    to_go: int | None = None
    """Moves until the next period; at first `moves`. None in main time that byo-yomi follows."""
    byo_yomi: float | None = None
    """Seconds of each period of `moves` moves after main time; what is left of one is lost."""

    def __post_init__(self) -> None:
        number(self, "main", SHORTEST if self.byo_yomi is None else 0.0, LONGEST)
        number(self, "increment", 0.0, LONGEST)
        if self.byo_yomi is not None:
            number(self, "byo_yomi", SHORTEST, LONGEST)
        if self.left is None:
            object.__setattr__(self, "left", self.main or self.byo_yomi)
        number(self, "left", -LONGEST, 2.0 * LONGEST)
        for name, given in (("to_go", self.to_go), ("byo_yomi", self.byo_yomi)):
            if given is not None and self.moves is None:
                raise ValueError(f"clock: {name} needs moves, not {given!r} alone")
        if self.moves is not None:
            whole(self, "moves", 1, MOST_MOVES)
            if self.to_go is None and (self.byo_yomi is None or not self.main):
                object.__setattr__(self, "to_go", self.moves)
            if self.to_go is not None:
                whole(self, "to_go", 1, self.moves)

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
        if self.byo_yomi is not None and self.moves is not None:
            if self.to_go is None:  # a share of the period to come is always there
                share = max(share, SAFETY * min(self.remaining, self.byo_yomi / self.moves))
            else:
                share = SAFETY * self.remaining / self.to_go
        # The increment comes after the move: it may be spent only if the clock can lend it.
        return max(SHORTEST, min(share + self.increment, usable))

    def allowance(self) -> float:
        """The same; where the clock has run out the shortest time: some move must be made."""
        return SHORTEST if self.flagged else self.seconds()

    def budget(self) -> Budget:
        """The same as a budget."""
        return Budget(seconds=self.seconds())

    def after(self, seconds: float) -> Clock:
        """The clock after a move that took so long. It is flagged if that was too long."""
        if not isinstance(seconds, (int, float)) or not 0.0 <= seconds <= LONGEST:
            raise ValueError(f"a move takes from 0 to {LONGEST:g} seconds, not {seconds!r}")
        left = self.remaining - seconds
        if self.byo_yomi is not None and self.to_go is None and -self.byo_yomi < left <= 0.0:
            return dataclasses.replace(self, left=self.byo_yomi, to_go=self.moves)
        if left <= 0.0:
            return dataclasses.replace(self, left=left)
        left += self.increment
        if self.to_go is None:
            return dataclasses.replace(self, left=left)
        if self.to_go > 1:
            return dataclasses.replace(self, left=left, to_go=self.to_go - 1)
        left = left + self.main if self.byo_yomi is None else self.byo_yomi
        return dataclasses.replace(self, left=left, to_go=self.moves)
