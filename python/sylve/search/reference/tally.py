"""Statistics of a move: whole numbers, so that sums and variances are exact."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

UNIT = 65_536
"""A win, where results are real numbers: a result is a whole number of units, a loss is 0."""


class Tally:
    """How often, with how many wins and draws, for the player who makes the move.

    Results that are real numbers (`cut` playouts) are summed in units of 1/65,536 of a win: so many
    whole wins, and `parts`, what is left of the sum.

    >>> from sylve.rules import Tally
    >>> tally = Tally(visits=10, wins=6, draws=1)
    >>> tally.mean(), tally.stderr()
    (0.65, 0.15)
    >>> estimates = Tally()
    >>> for units in (65_535, 32_768, 16_384):
    ...     estimates.add_units(units)
    >>> estimates, round(estimates.mean(), 4)
    (Tally(3, 1, 0, parts=49151), 0.5833)
    """

    __slots__ = ("draws", "parts", "visits", "wins")

    def __init__(self, visits: int = 0, wins: int = 0, draws: int = 0, parts: int = 0) -> None:
        self.visits = visits
        self.wins = wins
        self.draws = draws
        self.parts = parts

    def add(self, points: int) -> None:
        """Count a result: 2 for a win, 1 for a draw, 0 for a loss."""
        self.visits += 1
        if points == 2:
            self.wins += 1
        elif points == 1:
            self.draws += 1

    def add_units(self, units: int) -> None:
        """Count a result that is a real number, 0 to `UNIT`."""
        self.visits += 1
        self.parts += units
        if self.parts >= UNIT:
            self.parts -= UNIT
            self.wins += 1

    def plus(self, other: Tally) -> Tally:
        """The results of both."""
        carry, parts = divmod(self.parts + other.parts, UNIT)
        wins = self.wins + other.wins + carry
        return Tally(self.visits + other.visits, wins, self.draws + other.draws, parts)

    def mean(self) -> float:
        """The mean result, 0 to 1; `visits` must not be 0."""
        return (self.wins + 0.5 * self.draws + self.parts / UNIT) / self.visits

    def variance(self) -> float:
        """The mean squared distance from the mean, results being 1, 1/2 and 0.

        Of real results an upper bound: each counts as if it had been played out, to a win with that
        probability.
        """
        mean = self.mean()
        value = (self.wins + 0.25 * self.draws + self.parts / UNIT) / self.visits - mean * mean
        return value if value > 0.0 else 0.0

    def variance_of_mean(self) -> float:
        """The squared standard error of the mean: sample variance / visits; `visits` >= 2."""
        return self.variance() / (self.visits - 1.0)

    def stderr(self) -> float | None:
        """The standard error of the mean, if there are two results or more."""
        return sqrt(self.variance_of_mean()) if self.visits >= 2 else None

    def of_second(self) -> Tally:
        """The same results seen by the other player."""
        losses = self.visits - self.wins - self.draws
        if self.parts:
            return Tally(self.visits, losses - 1, self.draws, UNIT - self.parts)
        return Tally(self.visits, losses, self.draws)

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Visits, wins, draws and parts."""
        return self.visits, self.wins, self.draws, self.parts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = f", parts={self.parts}" if self.parts else ""
        return f"Tally({self.visits}, {self.wins}, {self.draws}{parts})"


def together(tallies: Iterable[Tally]) -> Tally:
    """The results of several tallies."""
    total = Tally()
    for tally in tallies:
        total = total.plus(tally)
    return total
