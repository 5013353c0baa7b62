"""Scores, Elo, ratings and the sequential test: against other programs, and by simulation."""

import math

import numpy as np
import pytest
from scipy import optimize
from statsmodels.api import GLM, families
from statsmodels.stats.proportion import proportion_confint

from sylve import Rng
from sylve.arena.ratings import by_colour, newton, rate, uniform
from sylve.arena.sprt import Sprt
from sylve.arena.statistics import ELO, PER_GAME, Statistics, elo_of_score, score_of_elo

SCORES = np.array(PER_GAME)
# The five chances of a pair: fair games, a first move that decides, many draws, a strong player.
SHAPES = {
    "even": [0.25, 0.0, 0.5, 0.0, 0.25],
    "first": [0.1, 0.0, 0.8, 0.0, 0.1],
    "draws": [0.05, 0.2, 0.5, 0.2, 0.05],
    "strong": [0.02, 0.03, 0.2, 0.15, 0.6],
}


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


def intervals(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    kinds, which = np.unique(counts, axis=0, return_inverse=True)
    ends = np.array([Statistics(tuple(row)).interval for row in kinds.tolist()])
    low, high = ends[which.ravel()].T
    return low, high


@pytest.mark.parametrize("pairs", [50, 200])
@pytest.mark.parametrize("shape", SHAPES)
def test_coverage(shape: str, pairs: int) -> None:
    """The interval holds the true score in 94 to 96 % of 20,000 simulated matches."""
    chances = np.array(SHAPES[shape])
    counts = np.random.default_rng(pairs).multinomial(pairs, chances, size=20_000)
    low, high = intervals(counts)
    true = chances @ SCORES
    assert 0.94 <= np.mean((low <= true) & (true <= high)) <= 0.96


def with_mean(shape: str, score: float) -> np.ndarray:
    """The shape, bent so that it has this mean."""

    def bent(tilt: float) -> np.ndarray:
        chances = np.array(SHAPES[shape]) * np.exp(tilt * SCORES)
        return chances / chances.sum()

    return bent(optimize.brentq(lambda tilt: bent(tilt) @ SCORES - score, -50, 50))


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


def simulated(
    elo: list[float], advantage: float, tie: float, pairs: int, seed: int
) -> dict[tuple[int, int], np.ndarray]:
    """A round robin of players with these ratings, by the model."""
    generator = np.random.default_rng(seed)
    kinds = {}
    for i in range(len(elo)):
        for j in range(i + 1, len(elo)):
            table = np.zeros((3, 3), dtype=int)
            lead = (elo[i] - elo[j]) / ELO
            as_first = results(generator, lead + advantage / ELO, tie, pairs)
            as_second = 2 - results(generator, -lead + advantage / ELO, tie, pairs)
            np.add.at(table, (as_first, as_second), 1)
            kinds[i, j] = table
    return kinds


def results(generator: np.random.Generator, d: float, tie: float, games: int) -> np.ndarray:
    chances = np.array([np.exp(-d / 2), tie, np.exp(d / 2)])
    return generator.choice(3, size=games, p=chances / chances.sum())


def test_ratings_without_draws_are_a_logistic_regression() -> None:
    kinds = simulated([120, 40, -20, -140], 35, 0.0, 300, 1)
    design, wins = [], []
    games = by_colour(4, sorted(kinds), np.array([kinds[k] for k in sorted(kinds)]).reshape(-1, 9))
    for i in range(4):
        for j in range(4):
            if i != j:
                row = np.zeros(5)
                row[i], row[j], row[4] = 1, -1, 1
                design.append(row[1:])
                wins.append([games[i, j, 2], games[i, j, 0]])
    oracle = GLM(np.array(wins), np.array(design), family=families.Binomial()).fit()
    found = rate(4, kinds, anchor=0)
    expected = ELO * oracle.params
    assert [p.elo for p in found.players[1:]] == pytest.approx(expected[:3], abs=1e-4)
    assert found.first_move == pytest.approx(expected[3], abs=1e-4)
    # The games of a pair are independent here, so resampling must agree with the curvature.
    assert [p.stderr for p in found.players[1:]] == pytest.approx(ELO * oracle.bse[:3], rel=0.2)
    assert found.draw_rate == 0
    assert found.proper


def test_ratings_with_draws_are_the_maximum_of_scipy() -> None:
    kinds = simulated([80, 0, -80], 50, 0.8, 200, 2)
    keys = sorted(kinds)
    games = by_colour(3, keys, np.array([kinds[k] for k in keys]).reshape(-1, 9))

    def loss(x: np.ndarray) -> float:
        total = 0.0
        for i in range(3):
            for j in range(3):
                if i != j:
                    ratings = [0.0, x[0], x[1]]
                    d = ratings[i] + x[2] - ratings[j]
                    weights = np.array([math.exp(-d / 2), math.exp(x[3]), math.exp(d / 2)])
                    total -= games[i, j] @ np.log(weights / weights.sum())
        return total

    oracle = optimize.minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-8}).x
    assert newton(games[None])[0, 1:] == pytest.approx(oracle, abs=1e-5)
    found = rate(3, kinds)
    assert sum(p.elo for p in found.players) == pytest.approx(0, abs=1e-6)
    tie = math.exp(oracle[3])
    assert found.draw_rate == pytest.approx(tie / (2 + tie), abs=1e-5)


def test_ratings_cover_the_truth() -> None:
    """The 95 % intervals of 20 simulated round robins of three: 60 of them, 57 expected."""
    elo = [150.0, -40.0, -110.0]
    inside = 0
    for seed in range(20):
        found = rate(3, simulated(elo, 30, 0.3, 60, seed), resamples=100, seed=seed)
        inside += sum(p.low <= e <= p.high for p, e in zip(found.players, elo, strict=True))
    assert inside >= 52, "three standard deviations"


def test_a_player_who_lost_everything_has_a_finite_rating_that_says_so() -> None:
    kinds = {
        (0, 1): [[1, 0, 3], [0, 0, 0], [4, 0, 2]],
        (0, 2): [[0, 0, 0], [0, 0, 0], [0, 0, 10]],
        (1, 2): [[0, 0, 0], [0, 0, 0], [0, 0, 10]],
    }
    found = rate(3, kinds, resamples=50)
    assert not found.proper
    assert all(math.isfinite(p.elo) for p in found.players)
    assert found.players[2].elo < -300
    assert (found.players[2].points, found.players[2].games) == (0, 40)


def test_ratings_before_the_first_game() -> None:
    found = rate(3, {})
    assert [p.elo for p in found.players] == [0, 0, 0]
    assert not found.proper


def test_resampling_uses_the_generator_of_the_package() -> None:
    stream = Rng.stream(5, 9)
    expected = [(stream.next() >> 11) * 2.0**-53 for _ in range(5)]
    assert uniform(5, 9, 5).tolist() == expected
    kinds = {(0, 1): [[1, 0, 3], [0, 2, 0], [4, 0, 2]]}
    assert rate(2, kinds, seed=1, resamples=9) == rate(2, kinds, seed=1, resamples=9)
    assert rate(2, kinds, seed=1, resamples=9) != rate(2, kinds, seed=2, resamples=9)
