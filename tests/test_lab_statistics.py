"""The lab's statistics, against SciPy and by simulation."""

from math import inf, sqrt

import numpy as np
import pytest
from scipy import stats

from sylve.lab.statistics import (
    Interval,
    bootstrap,
    compare,
    grouped_share,
    judge,
    mean_interval,
    needed,
    quotient,
    resampled,
    share_interval,
    shown,
    slope_interval,
    t_quantile,
)
from sylve.rng import Rng, mix


def test_quantiles_of_t() -> None:
    assert t_quantile(0) == inf
    for freedom in (1, 2, 3, 4, 5, 9, 19, 100, 10_000):
        wanted = stats.t.ppf(0.975, freedom)
        assert t_quantile(freedom) == pytest.approx(wanted, rel=0.01 if freedom < 5 else 0.002)


def test_mean_interval_is_students() -> None:
    values = [1.0, 2.5, 2.0, 4.0, 3.5, 3.0, 0.5, 2.0]
    found = mean_interval(values)
    wanted = stats.t.interval(0.95, 7, loc=np.mean(values), scale=stats.sem(values))
    assert found.value == np.mean(values)
    assert (found.low, found.high) == pytest.approx(wanted, rel=1e-3)
    assert mean_interval([2.0]) == Interval(2.0, -inf, inf)
    with pytest.raises(ValueError, match="no values"):
        mean_interval([])


def test_slope_is_that_of_least_squares() -> None:
    x, y = [0.0, 1.0, 2.0, 3.0, 5.0], [0.1, -1.2, -1.9, -3.2, -4.8]
    found, wanted = slope_interval(x, y), stats.linregress(x, y)
    assert found.value == pytest.approx(wanted.slope)
    half = stats.t.ppf(0.975, 3) * wanted.stderr
    assert found.high - found.value == pytest.approx(half, rel=0.01)
    with pytest.raises(ValueError, match="three points"):
        slope_interval([1.0, 2.0], [1.0, 2.0])


def test_grouped_shares_see_that_trials_agree() -> None:
    # 20 groups of 10: all alike inside a group, or spread as chance would.
    alike = grouped_share([(10, 10) if n % 2 else (0, 10) for n in range(20)], 200)
    chance = grouped_share([(5 + n % 3 - 1, 10) for n in range(20)], 200)
    assert alike.value == 0.5
    assert alike.error == pytest.approx(share_interval(10, 20).error, rel=0.1)
    assert chance.error == pytest.approx(share_interval(100, 200).error, rel=0.01)
    whole = grouped_share([(10, 10)] * 20, 100)
    assert (whole.low, whole.high) == (share_interval(100, 100).low, 1.0)


def test_grouped_shares_cover() -> None:
    """Blocks of 20 positions, two seeds each, that agree within a position: 95 % at least."""
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        chances = rng.choice([0.05, 0.95], p=[0.3, 0.7], size=(30, 20))
        right = rng.binomial(2, chances).sum(axis=1)
        found = grouped_share([(int(r), 40) for r in right], 600)
        hits += found.low <= 0.68 <= found.high
    assert hits / 400 > 0.92


def test_resampling_is_the_packages_generator() -> None:
    drawn = resampled(7, 3, seed=11)
    rng = Rng(mix(11))
    wanted = [(rng.next() >> 32) * 7 >> 32 for _ in range(21)]
    assert drawn.reshape(-1).tolist() == wanted
    counts = np.bincount(resampled(10, 5000).reshape(-1), minlength=10)
    assert stats.chisquare(counts).pvalue > 1e-4


def test_bootstrap_of_a_mean() -> None:
    values = np.array([0.2, 0.4, 0.9, 0.1, 0.5, 0.6, 0.7, 0.3, 0.8, 0.5])
    found = bootstrap(len(values), lambda drawn: float(values[drawn].mean()))
    error = values.std() / sqrt(len(values))
    assert found.value == pytest.approx(values.mean())
    assert found.error == pytest.approx(1.96 * error, rel=0.1)


def test_quotient() -> None:
    found = quotient(Interval(6, 5.4, 6.6), Interval(3, 3, 3))
    assert found == pytest.approx((2, 1.8, 2.2))
    both = quotient(Interval(6, 5.4, 6.6), Interval(3, 2.7, 3.3))
    assert both.high - 2 == pytest.approx(0.2 * sqrt(2))


def test_words() -> None:
    assert compare(Interval(1, 0.5, 2), 0.4) == "above"
    assert compare(Interval(1, 0.5, 2), 0.5) == "straddles"
    assert compare(Interval(1, 0.5, 2), 2.1) == "below"
    assert judge(["above", "above"]) == "holds"
    assert judge(["above", "straddles"]) == judge(["above", "below"]) == "holds in part"
    assert judge(["straddles", "straddles"]) == judge([]) == "undecided"
    assert judge(["below", "straddles"]) == judge(["below", "below"]) == "does not hold"
    assert judge(["below", "below"], "below") == "holds"
    assert shown(inf) == "infinite"
    assert Interval(0.5, 0.4312, 0.5688).short == "0.500 ± 0.069"
    assert Interval(12.3, 10.3, 14.3).short == "12.3 ± 2.0"
    assert Interval(0.0, 0.0, 0.0).short == "0"
    assert Interval(1e-8, 0.0, 2e-8).short == "1e-08"


def test_simulations_needed() -> None:
    budgets = [10, 100, 1000]
    assert needed(budgets, [0.2, 0.4, 0.6], 0.5) == pytest.approx(sqrt(100 * 1000))
    assert needed(budgets, [0.5, 0.6, 0.7], 0.4) == 10
    assert needed(budgets, [0.1, 0.2, 0.3], 0.4) == float("inf")
    assert needed(budgets, [0.3, 0.1, 0.5], 0.4) == pytest.approx(100)  # a dip is noise
