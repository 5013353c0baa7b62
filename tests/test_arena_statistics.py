"""Scores, Elo, ratings and the sequential test: against other programs, and by simulation."""

import math

import numpy as np
import pytest
from scipy import optimize
from statsmodels.stats.proportion import proportion_confint

from arena_shapes import SCORES, SHAPES, intervals, with_mean
from sylve.arena.sprt import Sprt
from sylve.arena.statistics import Statistics, elo_of_score, score_of_elo


def test_a_small_match_by_hand() -> None:
    """Pairs of 2, 2, 1 (win and loss), 1 (draws), 1/2 points."""
    found = Statistics.of_pairs([(2, 2), (2, 2), (0, 2), (1, 1), (1, 0)], odd=1)
    assert found.pairs == (0, 1, 2, 0, 2)
    assert (found.wins, found.draws, found.losses, found.games) == (5, 3, 2, 10)
    assert found.score == 0.65
    assert (found.split, found.split_ratio, found.pairs_ratio, found.odd) == (1, 1.0, 2.0, 1)
    sample = [1, 1, 0.5, 0.5, 0.25]
    assert found.deviation == pytest.approx(np.std(sample, ddof=1))
    assert found.elo == pytest.approx(400 * math.log10(0.65 / 0.35))
    assert found.normalised_elo == pytest.approx(
        0.15 / (math.sqrt(2) * np.std(sample, ddof=1)) * 800 / math.log(10)
    )


def test_it_adds_and_flips() -> None:
    one = Statistics.of_pairs([(2, 2), (0, 2), (1, 2)])
    two = Statistics.of_pairs([(0, 0), (1, 1)], odd=1)
    both = Statistics.of_pairs([(2, 2), (0, 2), (1, 2), (0, 0), (1, 1)], odd=1)
    assert one + two == both
    assert both.flipped().flipped() == both
    assert both.flipped().score == pytest.approx(1 - both.score)
    assert both.flipped().elo == pytest.approx(-both.elo)
    low, high = both.interval
    assert both.flipped().interval == (pytest.approx(1 - high), pytest.approx(1 - low))
    assert both.flipped().superiority == pytest.approx(1 - both.superiority)


def test_the_interval_is_that_of_statsmodels() -> None:
    """Independent games without draws in large numbers: each game counts as one."""
    found = Statistics((2500, 0, 5000, 0, 2500), 10_000, 0, 10_000)
    assert found.effective == pytest.approx(20_000, rel=1e-3)
    for pairs in [(3, 4, 10, 9, 14), (0, 0, 0, 0, 9), (0, 0, 9, 0, 0), (250, 0, 500, 0, 250)]:
        found = Statistics(pairs)
        low, high = proportion_confint(
            found.score * found.effective, found.effective, method="wilson"
        )
        assert found.interval == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


def test_nothing_claims_to_be_certain() -> None:
    assert Statistics().interval == (0.0, 1.0)
    assert Statistics().superiority == 0.5
    all_won = Statistics((0, 0, 0, 0, 10), 20)
    assert all_won.elo == math.inf
    assert 0.8 < all_won.interval[0] < 0.9
    assert 0.99 < all_won.superiority < 1
    assert (all_won.normalised_elo, Statistics().normalised_elo) == (math.inf, 0)
    assert math.isnan(all_won.normalised_elo_error)
    all_even = Statistics((0, 0, 10, 0, 0), 10, 0, 10)
    assert all_even.interval[0] < 0.45
    assert elo_of_score(score_of_elo(123.0)) == pytest.approx(123.0)


@pytest.mark.parametrize("pairs", [50, 200])
@pytest.mark.parametrize("shape", SHAPES)
def test_coverage(shape: str, pairs: int) -> None:
    """The interval holds the true score in 94 to 96 % of 20,000 simulated matches."""
    chances = np.array(SHAPES[shape])
    counts = np.random.default_rng(pairs).multinomial(pairs, chances, size=20_000)
    low, high = intervals(counts)
    true = chances @ SCORES
    assert 0.94 <= np.mean((low <= true) & (true <= high)) <= 0.96


PLACES = np.array([8192.0**place for place in (0, 1, 2, 3)] + [0.0])  # the fifth follows


def accepted(test: Sprt, chances: np.ndarray, runs: int, seed: int) -> float:
    """The share of simulated matches, looked at after every pair, that accept H1."""
    generator = np.random.default_rng(seed)
    counts, accepted = np.zeros((runs, 5)), 0
    low, high = test.bounds
    while len(counts):
        counts += generator.multinomial(1, chances, size=len(counts))
        # Many matches stand alike: each state is judged once.
        assert counts.max() < 8192
        _, first, which = np.unique(counts @ PLACES, return_index=True, return_inverse=True)
        ratios = test.ratios(counts[first])[which]
        accepted += int(np.sum(ratios >= high))
        counts = counts[(ratios > low) & (ratios < high)]
    return accepted / runs


def check_errors(test: Sprt, shape: str) -> None:
    wrong = accepted(test, with_mean(shape, score_of_elo(test.elo0)), 10_000, 1)
    assert wrong <= test.alpha + 0.01
    right = accepted(test, with_mean(shape, score_of_elo(test.elo1)), 10_000, 2)
    assert 1 - right <= test.beta + 0.01


@pytest.mark.parametrize(
    ("shape", "test"),
    [("even", Sprt(0, 150)), ("draws", Sprt(-70, 70))],
)
def test_error_rates(shape: str, test: Sprt) -> None:
    check_errors(test, shape)


@pytest.mark.long
@pytest.mark.parametrize("shape", ["even", "first", "draws"])
def test_error_rates_of_the_default(shape: str) -> None:
    check_errors(Sprt(0, 20), shape)


def test_the_ratio_is_that_of_a_general_optimiser() -> None:
    for pairs in ([3, 4, 10, 9, 14], [30, 4, 100, 1, 14], [1, 1, 1, 1, 40]):

        def best(score: float, pairs: list[int] = pairs) -> float:
            found = optimize.minimize(
                lambda p: -np.dot(pairs, np.log(p)),
                np.full(5, 0.2),
                bounds=[(1e-9, 1)] * 5,
                constraints=[
                    {"type": "eq", "fun": lambda p: p.sum() - 1},
                    {"type": "eq", "fun": lambda p: p @ SCORES - score},
                ],
                options={"maxiter": 1000, "ftol": 1e-13},
            )
            return -found.fun

        test = Sprt(-10, 35)
        expected = best(score_of_elo(35)) - best(score_of_elo(-10))
        assert test.ratio(pairs) == pytest.approx(expected, abs=1e-4)
    assert Sprt().ratio([0] * 5) == 0
    # At -x against x the two hypotheses are mirror images.
    assert Sprt(-20, 20).ratio([5, 7, 9, 7, 5]) == pytest.approx(0, abs=1e-9)


def test_bounds_and_verdicts() -> None:
    test = Sprt(0, 20)
    assert test.bounds == (pytest.approx(-2.944439), pytest.approx(2.944439))
    assert [test.verdict(x) for x in (-3, 0, 3)] == ["H0", None, "H1"]
    for bad in [(5, 5), (9, 2), (0, math.inf), (math.nan, 3)]:
        with pytest.raises(ValueError, match="elo0 must be below elo1"):
            Sprt(*bad)
    with pytest.raises(ValueError, match="alpha must be above 0 and below 0.5, not 0.7"):
        Sprt(0, 20, alpha=0.7)
