"""Schedules: beta is a weight, falls as visits come in, and is the best one where it says so."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sylve import AmafUct, Grave, Rave, parse_search, search
from sylve.schedules import bias, course, fixed, hand, mse, pooled, slides
from sylve.search.reference.schedules import Schedule, bias_ratio, squared_bias, squared_error
from sylve.search.reference.tally import Tally

SCHEDULES: list[Schedule] = [
    hand(),
    hand(1),
    bias(),
    bias(0.5),
    slides(),
    course(),
    mse(),
    pooled(),
]


@st.composite
def tallies(draw, least: int = 1) -> Tally:
    visits = draw(st.integers(least, 1_000_000))
    wins = draw(st.integers(0, visits))
    return Tally(visits, wins, draw(st.integers(0, visits - wins)))


numbers = st.floats(0, 1e9)
schedules = st.one_of(
    st.builds(hand, st.floats(0.001, 1e9)),
    st.builds(bias, numbers),
    st.builds(slides, numbers),
    st.just(course()),
    st.builds(fixed, st.floats(0, 1)),
    st.just(mse()),
    st.just(pooled()),
)


@given(schedules, tallies(), tallies(), st.integers(0, 1_000_000))
def test_beta_is_a_weight(schedule: Schedule, own: Tally, amaf: Tally, others: int) -> None:
    assert 0.0 <= schedule.beta(own.visits + others, own, amaf) <= 1.0


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_beta_tends_to_0(schedule: Schedule) -> None:
    """AMAF visits grow along, ten times as many; the two means differ."""
    betas = []
    for n in (10, 1000, 100_000, 10_000_000, 1_000_000_000):
        own, amaf = Tally(n, n // 2), Tally(10 * n, 6 * n)
        betas.append(schedule.beta(2 * n, own, amaf))
    assert betas == sorted(betas, reverse=True)
    assert betas[-1] < 0.001


@given(st.integers(1, 1_000_000))
def test_hand_is_one_half_at_k(k: int) -> None:
    assert hand(k).beta(k, Tally(1), Tally(1)) == 0.5


def test_mse_does_not_fall_where_the_means_agree() -> None:
    """Without bias the better weight is that of the sample sizes: n~ / (n + n~) for equal means."""
    own, amaf = Tally(10_000, 5000), Tally(30_000, 15_000)
    assert mse().beta(20_000, own, amaf) == pytest.approx(0.75, abs=1e-4)


@given(tallies(), tallies())
def test_mse_minimises_the_predicted_squared_error(own: Tally, amaf: Tally) -> None:
    """Document 002: e^2 = (1 - beta)^2 s^2 + beta^2 (s~^2 + b~^2), on a grid of beta."""
    own_error, amaf_error = squared_error(own), squared_error(amaf) + squared_bias(own, amaf)

    def error(beta: float) -> float:
        return (1.0 - beta) ** 2 * own_error + beta**2 * amaf_error

    least = min(error(step / 1000) for step in range(1001))
    found = error(mse().beta(own.visits, own, amaf))
    # Where both errors are next to nothing, beta is 1/2 and the error below 1e-10.
    assert found <= least * (1 + 1e-12) or found <= 1e-10


def test_bias_is_the_minimum_for_fair_coins() -> None:
    """Gelly and Silver 2011: variances 1/4n and 1/4n~, squared bias b^2."""
    for n, m, b in ((1, 1, 0.1), (20, 300, 0.1), (500, 40, 0.02), (7, 9000, 0.3)):
        own_error, amaf_error = 0.25 / n, 0.25 / m + b * b
        best = own_error / (own_error + amaf_error)
        assert bias(b).beta(n, Tally(n), Tally(m)) == pytest.approx(best)
        assert slides(4 * b * b).beta(n, Tally(n), Tally(m)) == pytest.approx(best)


def test_fallbacks_of_mse() -> None:
    """As docs/spec.md lists them."""
    assert squared_error(Tally(1, 1)) == 1.0
    assert squared_error(Tally(2, 1)) == 0.25
    assert squared_bias(Tally(9, 9), Tally(100, 0)) == 0.1
    assert squared_bias(Tally(100, 0), Tally(9, 9)) == 0.1
    assert squared_bias(Tally(10, 10), Tally(10, 0)) == 1.0
    assert mse().beta(1, Tally(1, 1), Tally(1, 1)) == 1.0 / 2.1
    assert mse().beta(20, Tally(20, 20), Tally(50, 50)) == 0.5  # every error is 0


@given(st.floats(0, 1), tallies(), tallies())
def test_fixed_stays(b: float, own: Tally, amaf: Tally) -> None:
    assert fixed(b).beta(own.visits, own, amaf) == b


@pytest.mark.parametrize("engine", ["python", "rust"])
def test_fixed_at_its_ends(engine: Any) -> None:
    """Document 002: beta = 0 is Monte Carlo alone, beta = 1 is AMAF alone, 1/2 their middle."""
    for b in (0.0, 0.5, 1.0):
        report = search(
            "breakthrough(columns=5, rows=5)", Rave(300, schedule=fixed(b)), engine=engine
        )
        for entry in report.moves:
            if entry.visits:
                middle = (1 - b) * entry.mean + b * entry.amaf_mean
                assert (entry.beta, entry.score) == (b, pytest.approx(middle))


def test_a_constant_beta_is_named() -> None:
    for call, told in (
        (lambda: Rave(1000, beta=0.5), r"did you mean Rave\(1000, schedule=fixed\(0.5\)\)\?"),
        (lambda: Grave(9, beta=1), r"did you mean Grave\(9, schedule=fixed\(1\)\)\?"),
        (lambda: AmafUct(9, beta=0.5), r"did you mean AmafUct\(9, alpha=0.5\)\?"),
    ):
        with pytest.raises(TypeError, match=told):
            call()
    with pytest.raises(ValueError, match=r"did you mean rave\(schedule=fixed\(0.5\)\)\?"):
        parse_search("rave(beta=0.5)")
    with pytest.raises(ValueError, match="fixed: b must be a number from 0 to 1, not 1.5"):
        fixed(1.5)


def test_pooled_is_document_002_for_the_samples_that_are_not_the_moves_own() -> None:
    """s^2 = V / n, s~^2 = V / k, and b^2 = r V: the weight of the k others, as a weight of AMAF."""
    own, amaf = Tally(40, 10), Tally(200, 120)
    n, k, others = 40, 160, Tally(160, 110)
    r = bias_ratio([own], [amaf])
    p = 11 / 42
    v = p * (1 - p)
    squared_bias = (others.mean() - own.mean()) ** 2 - v / n - v / k
    assert r * v == pytest.approx(squared_bias)
    weight = (v / n) / (v / n + v / k + squared_bias)
    beta = pooled().beta(40, own, amaf)
    mixed = (1 - beta) * own.mean() + beta * amaf.mean()
    assert mixed == pytest.approx((1 - weight) * own.mean() + weight * others.mean())


def test_pooled_trusts_amaf_where_chance_explains_the_difference() -> None:
    assert pooled().beta(9, Tally(9, 5), Tally(90, 50)) == 1.0
    assert pooled().beta(9, Tally(9, 5), Tally(9, 5)) == 0.0  # no others
    assert pooled().beta(9, Tally(9, 5), Tally(4, 1)) == 0.0  # in GRAVE the reference may know less


@pytest.mark.parametrize("bias", [0.0, 0.05, 0.2])
def test_pooled_measures_the_bias_over_the_moves(bias: float) -> None:
    """Moves with a bias of one size and either sign: b^2 is found; one move alone cannot tell."""
    rng = Random(5)

    def results(visits: int, p: float) -> int:
        return sum(rng.random() < p for _ in range(visits))

    own, amaf = [], []
    for move in range(400):
        p, wrong = rng.uniform(0.4, 0.6), bias if move % 2 else -bias
        wins, more = results(30, p), results(100, p + wrong)
        own.append(Tally(30, wins))
        amaf.append(Tally(130, wins + more))
    assert bias_ratio(own, amaf) * 0.25 == pytest.approx(bias * bias, abs=0.004)


def test_a_schedule_of_your_own_may_see_the_node() -> None:
    class Shared(Schedule):
        """beta falls with the visits of the node's most visited move."""

        def at_node(self, total: int, own: Any, amaf: Any) -> Any:
            assert len(own) == len(amaf)
            return fixed(1 / max(1, *(tally.visits for tally in own)))

    report = search("tic_tac_toe", Rave(100, schedule=Shared(), solver=False))
    most = max(entry.visits for entry in report.moves)
    assert {entry.beta for entry in report.moves if entry.visits} == {1 / most}


def test_what_is_wrong_with_a_schedule_at_a_node_is_said() -> None:
    class Nothing(Schedule):
        def beta(self, total: int, own: Tally, amaf: Tally) -> float:
            return 0.5

        def at_node(self, total: int, own: Any, amaf: Any) -> Any:
            return None

    with pytest.raises(ValueError, match=r"nothing: at_node\(\) must give a schedule, not None"):
        search("tic_tac_toe", Rave(100, schedule=Nothing()))
