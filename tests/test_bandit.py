"""sylve.bandit: rules, batches, memory, state."""

import json
from collections import Counter

import pytest

from sylve import Position, Rng, Ucb, search
from sylve.bandit import Bandit, choose
from sylve.rules import Rule, bayes, decaying_epsilon, discounted, epsilon, thompson, tuned, ucb1
from sylve.search.reference.arithmetic import uniform
from sylve.search.regret import Bandit as Arms

RULES = [
    ucb1(), ucb1(c=1.4), tuned(), tuned(simple=True), bayes(), epsilon(0.2), decaying_epsilon(),
    thompson(), discounted(gamma=0.97),
]  # fmt: skip
MEANS = (0.3, 0.5, 0.45)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_it_chooses_as_the_searches_do(rule: Rule) -> None:
    """With the random numbers of a search, the pulls are the visits of `Ucb`."""
    bandit = Bandit(3, rule)
    for step in range(400):
        rng = Rng.stream(4, step)
        index = choose(rule, list(bandit.arms.values()), rng)
        bandit.update(str(index), float(uniform(rng) < MEANS[index]))
    report = search(Position.start(Arms(MEANS)), Ucb(400, rule=rule, seed=4))
    assert [arm.pulls for arm in bandit.arms.values()] == [m.visits for m in report.moves]


def play(bandit: Bandit, steps: int, means: dict[str, float], seed: int = 1) -> list[str]:
    chosen = []
    for step in range(steps):
        name = bandit.select()
        bandit.update(name, float(uniform(Rng.stream(seed, step)) < means[name]))
        chosen.append(name)
    return chosen


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_state_goes_on_from_json(rule: Rule) -> None:
    means = {"a": 0.2, "b": 0.6}
    whole = Bandit(["a", "b"], rule, seed=3)
    chosen = play(whole, 60, means) + play(whole, 40, means, seed=2)
    half = Bandit(["a", "b"], rule, seed=3)
    first = play(half, 60, means)
    half.select()  # one is under way
    text = half.to_json()
    again = Bandit.from_json(text)
    assert again.to_json() == text
    assert again["a"].pending + again["b"].pending == 1
    fresh = Bandit(["a", "b"], rule, seed=3)
    play(fresh, 60, means)
    assert first + play(Bandit.from_json(fresh.to_json()), 40, means, seed=2) == chosen


def test_a_batch_spreads() -> None:
    """Choices without a result count as losses: ucb1 does not send all to one arm."""
    bandit = Bandit(["a", "b", "c"], ucb1(c=1))
    assert Counter(bandit.select_batch(9)) == {"a": 3, "b": 3, "c": 3}
    assert bandit.pulls == 0
    for name in ("a", "b", "c"):
        for _ in range(3):
            bandit.update(name, 1.0 if name == "b" else 0.0)
    assert bandit["b"].mean == 1.0
    assert [arm.pending for arm in bandit.arms.values()] == [0, 0, 0]
    assert bandit.select() == "b"


def test_windows_and_discounts_forget() -> None:
    """The arms change places: who forgets follows, who does not stays behind."""
    followed = {}
    for name, bandit in {
        "all": Bandit(["a", "b"], thompson(), seed=1),
        "window": Bandit(["a", "b"], thompson(), seed=1, window=100),
        "discounted": Bandit(["a", "b"], discounted(gamma=0.97, c=0.3), seed=1),
    }.items():
        play(bandit, 1000, {"a": 0.8, "b": 0.2})
        followed[name] = play(bandit, 300, {"a": 0.2, "b": 0.8}, seed=2).count("b")
    assert followed["window"] > 200
    assert followed["discounted"] > 200
    assert followed["all"] < 150


def test_a_window_holds_the_last_results() -> None:
    bandit = Bandit(["a", "b"], window=4)
    for result in (1, 1, 0, 0.5):
        bandit.update("a", result)
    bandit.update("b", 1)
    assert bandit["a"].pulls == 3
    assert bandit["a"].mean == pytest.approx(0.5)
    assert bandit["b"].pulls == 1


def test_results_between_0_and_1() -> None:
    """UCB1-Tuned sees that an arm always gives the same."""
    bandit = Bandit(["steady", "coin"], tuned(simple=True))
    for _ in range(50):
        bandit.update("steady", 0.5)
    for result in [0, 1] * 25:
        bandit.update("coin", result)
    assert bandit["steady"].mean == bandit["coin"].mean == 0.5
    assert bandit.select() == "coin"
    assert bandit["steady"].interval == bandit["coin"].interval


def test_leader() -> None:
    bandit = Bandit(["a", "b"])
    assert bandit.leader() is None
    for step in range(400):
        bandit.update("a", float(step % 10 == 0))
        bandit.update("b", float(step % 2 == 0))
    assert bandit.leader() == "b"
    assert bandit.leader(1 - 1e-12) is None or bandit.leader(1 - 1e-12) == "b"
    with pytest.raises(ValueError, match="confidence must be above 0 and below 1, not 1"):
        bandit.leader(1)


def test_a_leader_is_hardly_ever_wrong() -> None:
    """Equal arms, a look after every ten results: no more than the promised 5 % have a leader."""
    wrong = 0
    for run in range(60):
        bandit = Bandit(["a", "b"])
        for step in range(600):
            won = uniform(Rng.stream(run, step)) < 0.1
            bandit.update("ab"[step % 2], float(won))
            if step % 10 == 9 and step > 100 and bandit.leader() is not None:
                wrong += 1
                break
    assert wrong <= 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bandit(1), "two or more different names, not 1"),
        (lambda: Bandit(["a", "a"]), r"different names, not \['a', 'a'\]"),
        (lambda: Bandit(2, "ucb1"), "a rule such as ucb1"),
        (lambda: Bandit(2, window=1), "at least the arms, not 1"),
        (lambda: Bandit(2, discounted(), window=9), "give no window"),
        (lambda: Bandit(2).update("0", 1.5), "a number from 0 to 1, not 1.5"),
        (lambda: Bandit(2).update("0", float("nan")), "from 0 to 1, not nan"),
        (lambda: Bandit(2).update("x", 1), "unknown arm 'x': expected one of: 0, 1"),
        (lambda: Bandit.from_json("{}"), "not the state of a bandit"),
        (lambda: Bandit.from_json('{"schema": 9}'), "schema 9, not 1"),
        (lambda: Bandit.from_json("nonsense"), "not the state of a bandit"),
    ],
)
def test_bad_input(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()  # type: ignore[operator]


def test_json_is_plain() -> None:
    bandit = Bandit(["a", "b"], ucb1(c=0.5), seed=7)
    bandit.update(bandit.select(), 0.25)
    content = json.loads(bandit.to_json())
    assert content["rule"] == "ucb1(c=0.5)"
    assert content["arms"][0]["total"] == 0.25
