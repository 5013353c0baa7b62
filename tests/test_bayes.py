"""Bayes-UCB: how far its quantile, mean + z sd, is from the exact one of the Beta distribution."""

import pytest
from scipy.stats import beta, norm

from sylve.rules import bayes
from sylve.search.reference.arithmetic import upper_quantile
from sylve.search.reference.tally import Tally


def test_the_normal_quantile() -> None:
    """Abramowitz and Stegun print 4.5e-4 for 26.2.23."""
    for t in (*range(2, 2000), *(10**k for k in range(4, 10))):
        assert upper_quantile(t) == pytest.approx(norm.isf(1 / t), abs=4.5e-4)


def error(n: int, wins: int, total: int) -> float:
    """Ours less the exact quantile, uniform prior."""
    tally = Tally(n, wins)
    ours = tally.mean() + bayes().exploration(total, tally)
    return ours - beta.isf(1 / (total + 1), 1 + wins, 1 + n - wins)


# Visits, the largest error over all results and N from n to 100 n, and that with half of them won.
# docs/searches.md prints these.
MEASURED = [
    (2, 0.251, 0.118),
    (10, 0.157, 0.0535),
    (100, 0.0412, 0.0048),
    (1000, 0.00619, 0.000254),
    (10_000, 0.000805, 0.0000108),
]


@pytest.mark.parametrize(("n", "largest", "middle"), MEASURED)
def test_the_error_of_the_approximation(n: int, largest: float, middle: float) -> None:
    totals = (n, 2 * n, 10 * n, 100 * n)
    errors = [
        abs(error(n, wins, total))
        for wins in sorted({n * k // 10 for k in range(11)})
        for total in totals
    ]
    assert max(errors) == pytest.approx(largest, rel=0.02)
    halves = [abs(error(n, n // 2, total)) for total in totals]
    assert max(halves) == pytest.approx(middle, rel=0.02)


def test_it_errs_towards_moves_that_win() -> None:
    """Too high where nearly all is won (above 1, even), too low where nearly all is lost."""
    assert error(10, 10, 100) > 0.05
    assert error(10, 0, 100) < -0.05
