"""Intervals of 95 %, slopes, and the words for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import exp, floor, hypot, inf, log, log10, sqrt
from typing import TYPE_CHECKING, NamedTuple

from sylve.lab.experiment import Answer
from sylve.rng import GAMMA, MASK, mix
from sylve.search.confidence import Z95, wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 1000
Shares = Sequence[Sequence[float]]
"""A share by block and budget."""


class Interval(NamedTuple):
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{shown(self.value)} [{shown(self.low)}, {shown(self.high)}]"

    @property
    def short(self) -> str:
        """The value and half the width, to as many places as that tells."""
        if not 0 < self.error < inf:
            return shown(self.value)
        places = max(0, 1 - floor(log10(self.error)))
        if places > 5:
            return shown(self.value)
        return f"{self.value:,.{places}f} ± {self.error:,.{places}f}"

    @property
    def error(self) -> float:
        """Half the width."""
        return (self.high - self.low) / 2


def shown(value: float) -> str:
    """A number for a reader: four digits that count.

    >>> shown(0.123456), shown(1234.5), shown(1e-7), shown(2.0)
    ('0.1235', '1,234', '1e-07', '2')
    """
    if value in (inf, -inf):
        return "infinite" if value > 0 else "-infinite"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def t_quantile(freedom: int) -> float:
    """The quantile of Student's t at 0.975, by its expansion in 1 / degrees of freedom.

    Hill's series (1970, Algorithm 396), exact for one and two degrees; off by 1 % at three.
    """
    if freedom < 1:
        return inf
    if freedom <= 2:
        return (12.706204736, 4.30265273)[freedom - 1]
    z, n = Z95, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean of independent values, with Student's interval."""
    count = len(values)
    if count == 0:
        raise ValueError("no values")
    mean = sum(values) / count
    if count == 1:
        return Interval(mean, -inf, inf)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    half = t_quantile(count - 1) * sqrt(variance / count)
    return Interval(mean, mean - half, mean + half)


def share_interval(right: int, trials: int) -> Interval:
    """The share of independent trials that were right, with Wilson's interval."""
    if trials == 0:
        return Interval(0.5, 0.0, 1.0)
    return Interval(right / trials, *wilson(right / trials, trials))


def grouped_share(groups: Sequence[tuple[int, int]], independent: int) -> Interval:
    """A share from groups (right, trials) of equal size that hold so many independent items.

    Wilson's interval for as many trials as the spread between the groups is worth: trials that
    share a position may agree with each other. Groups that are all alike say nothing about the
    spread; then each item counts once.
    """
    trials = sum(count for _, count in groups)
    if trials == 0:
        return Interval(0.5, 0.0, 1.0)
    share = sum(right for right, _ in groups) / trials
    number = len(groups)
    effective = float(independent)
    if number > 1:
        shares = [right / count for right, count in groups]
        spread = sum((value - share) ** 2 for value in shares) / (number - 1) / number
        if spread > 0:
            effective = min(float(trials), max(float(number), share * (1 - share) / spread))
    return Interval(share, *wilson(share, effective))


def slope_interval(x: Sequence[float], y: Sequence[float]) -> Interval:
    """The slope of the straight line of least squares, with Student's interval."""
    count = len(x)
    if count < 3:
        raise ValueError(f"a slope needs three points, not {count}")
    middle_x, middle_y = sum(x) / count, sum(y) / count
    spread = sum((a - middle_x) ** 2 for a in x)
    slope = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True)) / spread
    residual = sum((b - middle_y - slope * (a - middle_x)) ** 2 for a, b in zip(x, y, strict=True))
    half = t_quantile(count - 2) * sqrt(residual / (count - 2) / spread)
    return Interval(slope, slope - half, slope + half)


def resampled(count: int, resamples: int = RESAMPLES, seed: int = 0) -> NDArray[np.int64]:
    """Indices below `count`, drawn again with replacement: a row for each resample.

    By the package's own generator, in vectors, so that no other library's streams matter.
    """
    import numpy as np

    steps = np.arange(1, resamples * count + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = np.uint64(mix(seed & MASK)) + steps * np.uint64(GAMMA)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    drawn = ((z >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32)
    return drawn.astype(np.int64).reshape(resamples, count)


def bootstrap(
    count: int, statistic: Callable[[NDArray[np.int64]], float], seed: int = 0
) -> Interval:
    """A statistic of `count` independent items, given their indices: percentile interval.

    Values that are not finite count as beyond every bound.
    """
    import numpy as np

    everything = np.arange(count)
    found = sorted(statistic(drawn) for drawn in resampled(count, seed=seed))
    low, high = found[int(0.025 * len(found))], found[int(0.975 * len(found))]
    return Interval(statistic(everything), low, high)


def quotient(top: Interval, bottom: Interval) -> Interval:
    """One estimate over another that is independent of it: relative errors add as squares do."""
    value = top.value / bottom.value
    error = value * hypot(top.error / top.value, bottom.error / bottom.value)
    return Interval(value, value - error, value + error)


def needed(budgets: list[int], shares: list[float], level: float) -> float:
    """The budget with which a share is reached, between budgets on a logarithmic scale."""
    best, before = 0.0, 0
    for number, share in enumerate(shares):
        if share >= level:
            if number == 0:
                return float(budgets[0])
            part = (level - best) / (share - best)
            return exp(log(budgets[before]) + part * log(budgets[number] / budgets[before]))
        if share >= best:
            best, before = share, number
    return inf


def saving(budgets: list[int], plain: Shares, other: Shares, level: float) -> Interval | None:
    """How many times less the other needs for a level than the plain one; bootstrapped over blocks.

    None if neither reaches the level, or both are above it at the smallest budget.
    """
    import numpy as np

    table = np.array([plain, other])

    def ratio(drawn: NDArray[np.int64]) -> float:
        first, second = (needed(budgets, list(part[drawn].mean(axis=0)), level) for part in table)
        if second == inf:
            return 1.0 if first == inf else 0.0
        return first / second

    whole = [needed(budgets, list(part.mean(axis=0)), level) for part in table]
    if min(whole) == inf or max(whole) <= budgets[0]:
        return None
    return bootstrap(len(plain), ratio)


def compare(interval: Interval, boundary: float) -> str:
    """`above`, `below`, or `straddles`."""
    if interval.low > boundary:
        return "above"
    return "below" if interval.high < boundary else "straddles"


def judge(sides: Collection[str], wanted: str = "above") -> Answer:
    """What the cases of a claim say together, each on the `wanted` side, off it, or open.

    One that is surely off it is enough to refute a claim that surely holds nowhere.
    """
    found = set(sides)
    if wanted in found:
        return "holds" if found == {wanted} else "holds in part"
    return "does not hold" if found - {"straddles"} else "undecided"
