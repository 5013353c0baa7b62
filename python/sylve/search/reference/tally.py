"""Statistics of a move: whole numbers, so that sums and variances are exact."""

from __future__ import annotations

from math import sqrt


class Tally:
    """How often, with how many wins and draws, for the player who makes the move.

    >>> from sylve.rules import Tally
    >>> tally = Tally(visits=10, wins=6, draws=1)
    >>> tally.mean(), tally.stderr()
    (0.65, 0.15)
    """

    __slots__ = ("draws", "visits", "wins")

    def __init__(self, visits: int = 0, wins: int = 0, draws: int = 0) -> None:
        self.visits = visits
        self.wins = wins
        self.draws = draws

    def add(self, points: int) -> None:
        """Count a result: 2 for a win, 1 for a draw, 0 for a loss."""
        self.visits += 1
        if points == 2:
            self.wins += 1
        elif points == 1:
            self.draws += 1

    def mean(self) -> float:
        """The mean result, 0 to 1; `visits` must not be 0."""
        return (self.wins + 0.5 * self.draws) / self.visits

    def variance(self) -> float:
        """The mean squared distance from the mean, results being 1, 1/2 and 0."""
        mean = self.mean()
        value = (self.wins + 0.25 * self.draws) / self.visits - mean * mean
        return value if value > 0.0 else 0.0

    def variance_of_mean(self) -> float:
        """The squared standard error of the mean: sample variance / visits; `visits` >= 2."""
        return self.variance() / (self.visits - 1.0)

    def stderr(self) -> float | None:
        """The standard error of the mean, if there are two results or more."""
        return sqrt(self.variance_of_mean()) if self.visits >= 2 else None

    def of_second(self) -> Tally:
        """The same results seen by the other player."""
        return Tally(self.visits, self.visits - self.wins - self.draws, self.draws)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (self.visits, self.wins, self.draws) == (other.visits, other.wins, other.draws)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tally({self.visits}, {self.wins}, {self.draws})"
