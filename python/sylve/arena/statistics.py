"""What a match shows: score, Elo and their errors, from pairs of games with colours swapped.

The two games of a pair share their opening, so that they are not independent; pairs are. A pair
gives 0, 1/2, 1, 3/2 or 2 points: the five counts of them (the "pentanomial") are all that is used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from sylve.search.confidence import Z95, wilson

NORMAL = NormalDist()
PER_GAME = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The score per game of each kind of pair."""
ELO = 400 / math.log(10)  # Elo points per unit of log odds


def elo_of_score(score: float) -> float:
    """The difference in Elo at which this score is expected; infinite for 0 and 1.

    >>> round(elo_of_score(0.75), 1)
    190.8
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The score expected at a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Statistics:
    """The games of one player against another, in whole pairs. It adds and flips."""

    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """How many pairs gave 0, 1/2, 1, 3/2 and 2 points."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    split: int = 0
    """Pairs of 1 point that were a win and a loss, not two draws."""
    odd: int = 0
    """Games without a partner yet; they count nowhere else."""

    @classmethod
    def of_pairs(cls, results: Iterable[tuple[int, int]], odd: int = 0) -> Statistics:
        """From the half points (0, 1, 2) of the player in the two games of each pair."""
        pairs, games, split = [0] * 5, [0] * 3, 0
        for one, two in results:
            pairs[one + two] += 1
            games[one] += 1
            games[two] += 1
            split += {one, two} == {0, 2}
        a, b, c, d, e = pairs
        return cls((a, b, c, d, e), games[2], games[1], games[0], split, odd)

    def __add__(self, other: Statistics) -> Statistics:
        a, b, c, d, e = (x + y for x, y in zip(self.pairs, other.pairs, strict=True))
        return Statistics(
            (a, b, c, d, e),
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.split + other.split,
            self.odd + other.odd,
        )

    def flipped(self) -> Statistics:
        """The same games seen by the opponent."""
        e, d, c, b, a = self.pairs
        return Statistics((a, b, c, d, e), self.losses, self.draws, self.wins, self.split, self.odd)

    @property
    def count(self) -> int:
        """The number of pairs."""
        return sum(self.pairs)

    @property
    def games(self) -> int:
        """The number of games in whole pairs."""
        return 2 * self.count

    @property
    def score(self) -> float:
        """The points per game; 1/2 before the first pair."""
        return weighted_mean(self.pairs) if self.count else 0.5

    @property
    def spread(self) -> float:
        """The sum over the pairs of the squared distance of their score from the mean."""
        mean = self.score
        return sum(n * (x - mean) ** 2 for n, x in zip(self.pairs, PER_GAME, strict=True))

    @property
    def deviation(self) -> float:
        """The standard deviation of the score per game of one pair."""
        return math.sqrt(self.spread / (self.count - 1)) if self.count > 1 else 0.0

    @property
    def effective(self) -> float:
        """How many independent games without draws would be as sure as these pairs.

        The variance of a score m of one such game is m (1 - m); that of a pair is a share of it,
        1/2 if its games are independent and without draws. The share is measured, with one more
        pair of two fair games, without which equal pairs would claim to be certain.
        """
        mean = self.score
        share = (self.spread + 0.125) / (max(self.count - 1, 0) * mean * (1 - mean) + 0.25)
        return self.count / share

    @property
    def stderr(self) -> float:
        """The standard error of the score."""
        if not self.count:
            return 0.5
        return math.sqrt(max(self.score * (1 - self.score), 1e-9) / self.effective)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score: Wilson's, for that many effective games."""
        return wilson(self.score, self.effective) if self.count else (0.0, 1.0)

    @property
    def elo(self) -> float:
        """The difference in Elo."""
        return elo_of_score(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference in Elo: the ends of that of the score."""
        low, high = self.interval
        return elo_of_score(low), elo_of_score(high)

    @property
    def elo_error(self) -> float:
        """Half the width of that interval: what stands after +/-."""
        low, high = self.elo_interval
        return (high - low) / 2

    @property
    def normalised_elo(self) -> float:
        """Elo in units of the spread of a game, which openings and draws change less.

        (score - 1/2) / (sqrt 2 deviation of a pair) times 800 / ln 10, as fastchess prints it.
        """
        lead = self.score - 0.5
        if self.deviation == 0:
            return math.copysign(math.inf, lead) if lead else 0.0
        return 2 * ELO * lead / (math.sqrt(2) * self.deviation)

    @property
    def normalised_elo_error(self) -> float:
        """Half the width of its 95 % interval; unknown while all pairs are alike."""
        if self.deviation == 0:
            return math.nan
        return 2 * ELO * Z95 * self.stderr / (math.sqrt(2) * self.deviation)

    @property
    def superiority(self) -> float:
        """The likelihood that the player is the stronger one, with no opinion beforehand."""
        return NORMAL.cdf((self.score - 0.5) * 2 * math.sqrt(self.effective))

    @property
    def pairs_ratio(self) -> float:
        """Pairs won over pairs lost."""
        a, b, _, d, e = self.pairs
        return (d + e) / (a + b) if a + b else (math.inf if d + e else math.nan)

    @property
    def split_ratio(self) -> float:
        """Among pairs of 1 point, those of a win and a loss over those of two draws."""
        drawn = self.pairs[2] - self.split
        return self.split / drawn if drawn else (math.inf if self.split else math.nan)


def weighted_mean(counts: Sequence[float]) -> float:
    """The mean score per game of counts of pairs."""
    return sum(n * x for n, x in zip(counts, PER_GAME, strict=True)) / sum(counts)
