"""The numbers that the course's documents print, computed by the searches themselves."""

from math import log, pi, sqrt

import pytest

from sylve import AmafUct, FlatAmaf, Position, Rave, Rng, Uct, load_game, parse_search, search
from sylve.engine import to_core
from sylve.rules import epsilon, thompson, tuned, ucb1
from sylve.schedules import bias, mse
from sylve.search.reference.schedules import optimal_beta
from sylve.search.reference.tally import Tally
from sylve.search.reference.tree import first_maximum
from sylve.search.regret import Bandit, regret, ucb1_bound
from toys import DRAW, FIRST_WINS, SECOND_WINS, TreeGame

ENGINES = ("python", "rust")

# Document 000: [A, B, C] is won, [D, A, E] lost, [B, F, A] won. The first three moves in order are
# the first moves of the three simulations.
A, D, B, C, E, F = range(6)
LETTERS = {"A": A, "B": B, "C": C, "D": D, "E": E, "F": F}
THREE_SIMULATIONS = TreeGame(
    {
        A: {B: {C: FIRST_WINS}},
        D: {A: {E: SECOND_WINS}},
        B: {F: {A: FIRST_WINS}},
        C: DRAW,
        E: DRAW,
        F: DRAW,
    },
    alone=True,
)
AMAF_OF_DOCUMENT_000 = {
    "A": (2, 3), "B": (2, 2), "C": (1, 1), "D": (0, 1), "E": (0, 1), "F": (1, 1)
}  # fmt: skip


def amaf_of(report) -> dict[str, tuple[float, int]]:
    return {
        letter: (
            round(report[move].amaf_mean * report[move].amaf_visits, 9),
            report[move].amaf_visits,
        )
        for letter, move in LETTERS.items()
    }


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("update", ["course", "suffix"])
def test_three_simulations_in_a_tree(engine: str, update: str) -> None:
    """A tree search tries untried moves in order: A, D, B."""
    position = Position.start(THREE_SIMULATIONS)
    report = search(position, AmafUct(3, update=update), engine=engine)
    assert [report[move].visits for move in (A, D, B, C, E, F)] == [1, 1, 1, 0, 0, 0]
    assert amaf_of(report) == AMAF_OF_DOCUMENT_000


@pytest.mark.parametrize("engine", ENGINES)
def test_three_simulations_from_the_root(engine: str) -> None:
    """`FlatAmaf` draws its first moves: take a seed that draws A, D, B."""

    def first_moves(seed: int) -> list[int]:
        return [Rng.stream(seed, index).below(6) for index in range(3)]

    seed = next(seed for seed in range(10_000) if first_moves(seed) == [A, D, B])
    report = search(Position.start(THREE_SIMULATIONS), FlatAmaf(3, seed=seed), engine=engine)
    assert amaf_of(report) == AMAF_OF_DOCUMENT_000


def test_codes_of_breakthrough() -> None:
    assert load_game("breakthrough(columns=5, rows=5)").codes() == 250
    assert to_core(Position.start("breakthrough(columns=5, rows=5)")).codes() == 250


def test_beta_of_document_002() -> None:
    """s^2 = 0.25, s~^2 = 0.04, b~^2 = 0.01: beta is 0.83, whatever the scale."""
    assert optimal_beta(0.25, 0.25 + 0.04 + 0.01) == pytest.approx(0.83, abs=0.005)
    own, amaf = Tally(26, 13, 0), Tally(153, 78, 3)
    bias = (amaf.mean() - own.mean()) ** 2
    errors = own.variance_of_mean(), amaf.variance_of_mean(), bias
    assert [error / errors[0] for error in errors] == pytest.approx([1, 0.16, 0.04], abs=0.003)
    assert mse().beta(183, own, amaf) == pytest.approx(0.83, abs=0.005)


def test_table_of_document_003() -> None:
    """Ten iterations: the formula selects C; the exploration column is misprinted there."""
    visits, sums = (5, 3, 2), (3.2, 1.8, 1.1)
    exploration = [ucb1().exploration(10, Tally(n)) for n in visits]
    assert [round(value, 2) for value in exploration] == [0.27, 0.35, 0.43]
    scores = [s / n + bonus for s, n, bonus in zip(sums, visits, exploration, strict=True)]
    assert [round(score, 2) for score in scores] == [0.91, 0.95, 0.98]
    assert "ABC"[first_maximum(scores)] == "C"


@pytest.mark.parametrize("engine", ENGINES)
def test_the_columns_of_a_report_are_those_of_the_documents(engine: str) -> None:
    """Document 003: mean, exploration, score; document 002: Q* = (1 - beta) Q + beta Q~."""
    position = Position.start("tic_tac_toe").play_line("b2a1")
    for entry in search(position, Uct(300), engine=engine).moves:
        assert entry.mean == pytest.approx((entry.wins + entry.draws / 2) / entry.visits)
        assert entry.exploration == pytest.approx(0.4 * sqrt(log(300) / entry.visits))
        assert entry.score == pytest.approx(entry.mean + entry.exploration)
    for entry in search(position, Rave(300, schedule=bias(0.1), c=1), engine=engine).moves:
        n, m = entry.visits, entry.amaf_visits
        assert entry.beta == pytest.approx(m / (n + m + 0.04 * n * m))
        value = (1 - entry.beta) * entry.mean + entry.beta * entry.amaf_mean
        assert entry.score == pytest.approx(value + sqrt(log(300) / n))


def test_cp_is_c_without_the_root_of_two() -> None:
    """Document 003's UCT: mean + Cp sqrt(2 ln n / n_j)."""
    assert ucb1(cp=1) == ucb1(2**0.5) == parse_search("uct(rule=ucb1(c=sqrt2))").rule
    assert parse_search("uct(rule=ucb1(cp=0.5))").rule.exploration(10, Tally(4)) == pytest.approx(
        0.5 * (2 * log(10) / 4) ** 0.5
    )
    for both in ("ucb1(0.4, cp=1)", "ucb1(c=0.4, cp=1)", "ucb1(cp=1, c=1)"):
        with pytest.raises(ValueError, match="ucb1: give c or cp, not both"):
            parse_search(f"ucb(rule={both})")
    with pytest.raises(ValueError, match="ucb1: cp must be a number of at least 0, not nan"):
        ucb1(cp=float("nan"))


# The regret bound of document 003.

BANDITS = [(0.2, 0.7), (0.4, 0.6), (0.45, 0.5, 0.55), (0.5, 0.5, 0.2), (0.1, 0.9)]


def test_the_bound_is_the_formula() -> None:
    gaps = (0.5, 0.2)
    expected = 8 * sum(log(1000) / gap for gap in gaps) + (1 + pi**2 / 3) * sum(gaps)
    assert ucb1_bound((0.2, 0.7, 0.5), 1000) == pytest.approx(expected)
    assert ucb1_bound((0.7, 0.7), 1000) == 0.0


@pytest.mark.parametrize("means", BANDITS, ids=str)
def test_ucb1_holds_the_bound(means: tuple[float, ...]) -> None:
    """The bound is one of the expectation; the mean of ten runs is far below it."""
    for pulls in (10, 100, 2000):
        runs = [regret(means, ucb1(cp=1), pulls, seed=seed) for seed in range(10)]
        assert 0.0 < sum(runs) / len(runs) <= ucb1_bound(means, pulls)


def test_a_rule_that_never_explores_breaks_the_bound() -> None:
    """Greedy: an unlucky first pull of the better arm is never made good; regret is linear."""
    means, pulls = (0.2, 0.7), 4000
    runs = [regret(means, epsilon(0), pulls, seed=seed) for seed in range(20)]
    assert sum(runs) / len(runs) > 2 * ucb1_bound(means, pulls)
    assert max(runs) > 0.49 * pulls


@pytest.mark.parametrize("rule", [ucb1(cp=1), tuned(), thompson(), epsilon(0.1)], ids=str)
def test_both_engines_pull_the_same_arms(rule) -> None:
    python, rust = (regret((0.3, 0.5, 0.6), rule, 300, seed=2, engine=e) for e in ENGINES)
    assert python == rust


@pytest.mark.parametrize("means", [(), (0.5,), (0.5, 1.1), (0.5, float("nan")), (-0.1, 0.5)])
def test_bad_means_are_refused(means: tuple[float, ...]) -> None:
    for refused in (lambda: ucb1_bound(means, 10), lambda: Bandit(means)):
        with pytest.raises(ValueError, match="means must be two or more numbers from 0 to 1, not"):
            refused()


def test_bad_pulls_are_refused() -> None:
    for pulls in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="pulls must be a whole number of at least 1, not"):
            ucb1_bound((0.4, 0.6), pulls)
