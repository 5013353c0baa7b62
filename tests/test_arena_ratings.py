"""Ratings: right, honest, and finite where the likelihood has no maximum."""

import math

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.api import GLM, families

from arena_shapes import intervals, with_mean
from sylve.arena.ratings import (
    TRACE,
    Rating,
    by_colour,
    differences,
    dispersion,
    likelihood,
    newton,
    rate,
    student,
)
from sylve.arena.statistics import ELO, Statistics, elo_of_score


def simulated(
    elo: list[float], advantage: float, tie: float, pairs: int, seed: int
) -> dict[tuple[int, int], np.ndarray]:
    """A round robin of players with these ratings, with draws as in Davidson's model (1970)."""
    generator = np.random.default_rng(seed)
    kinds = {}
    for i in range(len(elo)):
        for j in range(i + 1, len(elo)):
            table = np.zeros((3, 3), dtype=int)
            lead = (elo[i] - elo[j]) / ELO
            as_first, as_second = (
                results(generator, np.full(pairs, sign * lead + advantage / ELO), tie)
                for sign in (1, -1)
            )
            np.add.at(table, (as_first, 2 - as_second), 1)
            kinds[i, j] = table
    return kinds


def results(generator: np.random.Generator, d: np.ndarray, tie: float) -> np.ndarray:
    """Half points of the first player, one game for each d."""
    weights = np.stack([np.exp(-d / 2), np.full_like(d, tie), np.exp(d / 2)])
    ends = np.cumsum(weights / weights.sum(axis=0), axis=0)
    return (generator.random(len(d)) > ends[:2]).sum(axis=0)


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
    expected = ELO * oracle.params
    (plain,) = newton(games[None], virtual=0.0)
    assert ELO * (plain[1:4] - plain[0]) == pytest.approx(expected[:3], abs=1e-4)
    assert ELO * plain[4] == pytest.approx(expected[3], abs=1e-4)
    found = rate(4, kinds, anchor=0)
    # One virtual game against 900 real ones.
    assert [p.elo for p in found.players[1:]] == pytest.approx(expected[:3], abs=1)
    # The games of a pair are independent here.
    assert [p.stderr for p in found.players[1:]] == pytest.approx(ELO * oracle.bse[:3], rel=0.1)
    assert found.players[0] == Rating(0.0, 0.0, 0.0, 0.0, 1800, found.players[0].points)
    assert found.draw_rate == 0


def test_draws_are_half_a_win_and_half_a_loss() -> None:
    """The likeliest ratings by a general optimiser; for two players the Elo of their match."""
    kinds = simulated([80, 0, -80], 50, 0.8, 200, 2)
    keys = sorted(kinds)
    games = by_colour(3, keys, np.array([kinds[k] for k in keys]).reshape(-1, 9))

    def loss(x: np.ndarray) -> float:
        total = 0.0
        for i in range(3):
            for j in range(3):
                if i != j:
                    ratings = [0.0, x[0], x[1]]
                    score = 1 / (1 + math.exp(-(ratings[i] + x[2] - ratings[j])))
                    lost, drawn, won = games[i, j]
                    total -= (won + drawn / 2) * math.log(score)
                    total -= (lost + drawn / 2) * math.log(1 - score)
        return total

    oracle = optimize.minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8}).x
    (plain,) = newton(games[None], virtual=0.0)
    assert plain[1:3] - plain[0] == pytest.approx(oracle[:2], abs=1e-5)
    assert plain[3] == pytest.approx(oracle[2], abs=1e-5)
    found = rate(3, kinds)
    assert sum(p.elo for p in found.players) == pytest.approx(0, abs=1e-6)
    assert found.draw_rate == pytest.approx(games[..., 1].sum() / 1200)
    match = Statistics((10, 15, 40, 35, 30))
    two = rate(2, {(0, 1): [[10, 10, 20], [5, 10, 20], [10, 15, 30]]})
    assert two.players[0].elo - two.players[1].elo == pytest.approx(match.elo, abs=2)


def true_ratings(elo: np.ndarray, advantage: float, tie: float, spread: float) -> np.ndarray:
    """What endless games would give, where each opening favours a side by chance."""
    points, weights = np.polynomial.hermite_e.hermegauss(21)
    games = np.zeros((1, len(elo), len(elo), 3))
    for i in range(len(elo)):
        for j in range(len(elo)):
            d = (elo[i] - elo[j] + advantage + spread * points) / ELO
            chances = np.stack([np.exp(-d / 2), np.full_like(d, tie), np.exp(d / 2)])
            games[0, i, j] = (i != j) * (chances / chances.sum(axis=0)) @ weights
    (found,) = newton(1e6 * games)
    return found[: len(elo)]


def coverage(
    count: int, pairs: int, tie: float, width: float, spread: float, runs: int, seed: int
) -> float:
    """How often the true rating lies in the 95 % interval of `rate`, without finding its ends.

    The ratings are drawn with a standard deviation of `width`, the advantage of each opening with
    one of `spread`.
    """
    generator = np.random.default_rng(seed)
    keys = [(i, j) for i in range(count) for j in range(i + 1, count)]
    tables = np.zeros((runs, len(keys), 9))
    truth = np.zeros((runs, count))
    for run in range(runs):
        elo = generator.normal(0, width, count)
        truth[run] = true_ratings(elo, 40, tie, spread)
        for place, (i, j) in enumerate(keys):
            opening = 40 + generator.normal(0, spread, pairs)
            square = np.zeros((3, 3))
            first, second = (
                results(generator, (sign * (elo[i] - elo[j]) + opening) / ELO, tie)
                for sign in (1, -1)
            )
            np.add.at(square, (first, 2 - second), 1)
            tables[run, place] = square.ravel()
    games = by_colour(count, keys, tables)
    cutoffs = np.array(
        [
            factor * student(freedom) ** 2
            for factor, freedom in (
                dispersion(best, keys, table)
                for best, table in zip(newton(games), tables, strict=True)
            )
        ]
    )
    inside = 0.0
    for player in range(count):
        fall = fallen(games, differences(count, None)[player], truth[:, player])
        inside += float(np.mean(fall <= cutoffs)) / count
    return inside


COVERAGE = [
    # players, pairs, v, width, spread of the openings
    (2, 5, 0.5, 400, 0), (2, 10, 0.0, 100, 0), (3, 5, 0.5, 400, 0), (3, 10, 0.0, 800, 0),
    (3, 10, 3.0, 100, 0), (5, 5, 0.5, 400, 0), (3, 30, 0.5, 150, 250), (2, 50, 3.0, 400, 0),
]  # fmt: skip


@pytest.mark.parametrize("setting", COVERAGE)
def test_ratings_cover_the_truth(setting: tuple[int, int, float, float, float]) -> None:
    """93 to 97 %, as far as so few runs can show it."""
    assert 0.915 <= coverage(*setting, runs=300, seed=1) <= 0.98


@pytest.mark.long
@pytest.mark.parametrize("spread", [0, 250])
@pytest.mark.parametrize("width", [100, 400, 800])
@pytest.mark.parametrize("tie", [0.0, 0.5, 3.0])
@pytest.mark.parametrize(("count", "pairs"), [(2, 5), (2, 20), (3, 5), (3, 30), (5, 5), (5, 30)])
def test_ratings_cover_the_truth_everywhere(
    count: int, pairs: int, tie: float, width: float, spread: float
) -> None:
    """Near separation an interval has no end on one side, and then it covers more; so does one of
    two players after few pairs, where draws count as wins and losses."""
    found = coverage(count, pairs, tie, width, spread, 3000, seed=2)
    assert 0.925 <= found <= (1.0 if (count, pairs) == (2, 5) else 0.99)


@pytest.mark.parametrize("shape", ["even", "first", "draws"])
@pytest.mark.parametrize("pairs", [3, 5, 10, 20])
def test_coverage_with_few_pairs(shape: str, pairs: int) -> None:
    """The interval of a match, over true scores from about 0.05 to 0.95."""
    generator = np.random.default_rng(pairs)
    inside = []
    for score in 1 / (1 + np.exp(-generator.normal(0, 1.5, 300))):
        counts = generator.multinomial(pairs, with_mean(shape, score), size=60)
        low, high = intervals(counts)
        inside.append(np.mean((low <= score) & (score <= high)))
    assert 0.93 <= np.mean(inside) <= 0.98


def fallen(games: np.ndarray, contrast: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Twice the fall of the likelihood where a contrast has this value."""
    row = np.broadcast_to(contrast, (len(games), len(contrast)))
    best = newton(games, virtual=TRACE)
    top, *_ = likelihood(best, games, TRACE)
    start = best + row * ((value - best @ contrast) / (contrast @ contrast))[:, None]
    return 2 * (top - likelihood(newton(games, start, row, TRACE), games, TRACE)[0])


def test_the_ends_are_where_the_likelihood_has_fallen() -> None:
    kinds = simulated([200, 0, -150], 40, 0.5, 15, 3)
    keys = sorted(kinds)
    tables = np.array([kinds[key] for key in keys], dtype=float).reshape(-1, 9)
    games = by_colour(3, keys, tables)
    factor, freedom = dispersion(newton(games[None])[0], keys, tables)
    for index, player in enumerate(rate(3, kinds).players):
        assert player.low < player.elo < player.high
        for end in (player.low, player.high):
            (fall,) = fallen(games[None], differences(3, None)[index], np.array([end / ELO]))
            assert fall == pytest.approx(factor * student(freedom) ** 2, abs=1e-3)


def test_students_quantile() -> None:
    for freedom in (20, 30, 50.5, 1000):
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=1e-4)


DEGENERATE = {
    "nobody weaker ever wins": {(0, 1): [[0, 0, 0], [0, 50, 0], [0, 50, 50]]},
    "won everything": {(0, 1): [[0, 0, 0], [0, 0, 0], [0, 0, 40]]},
    "all drawn": {(0, 1): [[0, 0, 0], [0, 40, 0], [0, 0, 0]]},
    "first wins": {(0, 1): [[0, 0, 0], [0, 0, 0], [40, 0, 0]]},
    "second wins": {(0, 1): [[0, 0, 40], [0, 0, 0], [0, 0, 0]]},
    "first always, second sometimes": {(0, 1): [[0, 0, 0], [0, 0, 0], [20, 0, 20]]},
    "one pair": {(0, 1): [[0, 0, 0], [0, 0, 0], [0, 0, 1]]},
    "two groups": {key: [[3, 0, 2], [0, 1, 0], [4, 0, 5]] for key in [(0, 1), (2, 3)]},
    "somebody lost everything": {
        (0, 1): [[1, 0, 3], [0, 0, 0], [4, 0, 2]],
        (0, 2): [[0, 0, 0], [0, 0, 0], [0, 0, 10]],
        (1, 2): [[0, 0, 0], [0, 0, 0], [0, 0, 10]],
    },
    "no game": {},
}  # fmt: skip


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("anchor", [None, 0])
def test_ratings_where_the_likelihood_has_no_maximum(name: str, anchor: int | None) -> None:
    """Finite, moderate, within their own interval; and no interval from nothing."""
    kinds = DEGENERATE[name]
    count = 1 + max((player for key in kinds for player in key), default=2)
    found = rate(count, kinds, anchor=anchor)
    for index, player in enumerate(found.players):
        assert abs(player.elo) < 1500
        pairs = sum(np.sum(table) for key, table in kinds.items() if index in key)
        if pairs < 5:
            assert all(math.isnan(x) for x in (player.stderr, player.low, player.high))
        elif index == anchor:
            assert (player.elo, player.low, player.high) == (0, 0, 0)
        else:
            assert player.low <= player.elo <= player.high
            assert player.high - player.low > 5


def test_ratings_near_separation() -> None:
    """Somebody who only wins and draws is rated by the score; who scores nothing has no end."""
    found = rate(2, DEGENERATE["nobody weaker ever wins"])
    scores = (elo_of_score(5 / 6), elo_of_score(4 / 6))  # with each colour
    assert found.players[0].elo * 2 == pytest.approx(sum(scores) / 2, abs=2)
    assert 50 < found.players[0].low < found.players[0].elo < found.players[0].high < 180
    lost = rate(3, DEGENERATE["somebody lost everything"])
    assert lost.players[2].elo < -200
    assert lost.players[2].low == -math.inf
    assert (lost.players[2].points, lost.players[2].games) == (0, 40)


def test_ratings_before_the_first_game() -> None:
    assert [p.elo for p in rate(3, {}).players] == [0, 0, 0]
