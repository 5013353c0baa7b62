"""What a class for `sylve.compiled` must have if it is a rule, a schedule or a policy."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import pytest

import sylve
from compiled_parts import PlantedRule
from sylve import Ucb, Uct, search
from sylve.policies import Policy
from sylve.rules import Index, Rule
from sylve.schedules import Schedule


def test_it_stays_the_class_that_it_is() -> None:
    @sylve.compiled
    @dataclass(frozen=True)
    class Greedy(Index):
        c: float = 0.5

        def exploration(self, total, own):  # type: ignore[no-untyped-def]
            return self.c / sqrt(own.visits)

    assert Greedy(0.3) == Greedy(c=0.3) != Greedy()
    assert str(Uct(9, rule=Greedy(0.3))) == "uct(playouts=9, rule=greedy(c=0.3))"
    assert Greedy(2).exploration(9, sylve.rules.Tally(4)) == 1.0

    class Derived(Greedy):
        def exploration(self, total, own):  # type: ignore[no-untyped-def]
            return 0.0

    assert search("tic_tac_toe", Uct(50, rule=Derived())).engine == "python"
    assert search("tic_tac_toe", Uct(50, rule=Greedy(1))).engine == "rust"


def with_init(self: Any, c: float) -> None:
    pass


REFUSED: list[tuple[type, dict[str, Any], str]] = [
    (Index, {}, "Wrong.exploration(self, total, own) is missing"),
    (Index, {"exploration": 3}, "Wrong.exploration must be a method, not 3"),
    (Index, {"exploration": lambda self, own: 0.0}, "must have 3 arguments, self included, not 2"),
    (Schedule, {"beta": lambda self, own: 0.0}, "must have 4 arguments, self included, not 2"),
    (Rule, {"choose": lambda self: 0}, "must have 4 arguments, self included, not 1"),
    (Policy, {"pick": lambda self: 0}, "must have 5 arguments, self included, not 1"),
    (Policy, {"choose": lambda self: 0}, "Wrong.choose() sees the game in Python, and cannot be"
     " compiled: use pick(self, moves, codes, tallies, rng)"),
    (Policy, {"playout": lambda self: 0}, "Wrong.playout() sees the game in Python"),
    (Index, {"exploration": lambda self, total, own: 0.0, "__init__": with_init},
     "are names with an annotation, such as c: float = 0.5"),
    (Index, {"exploration": lambda self, total, own: 0.0, "__annotations__": {"name": str}},
     "Wrong.name: an argument of a compiled part of a search is an int, float or bool, not"),
]  # fmt: skip


@pytest.mark.parametrize(("family", "body", "told"), REFUSED, ids=[told for *_, told in REFUSED])
def test_a_class_is_refused_at_once(family: type, body: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - below
        sylve.compiled(type("Wrong", (family,), body))
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("family", "method", "answer", "told"),
    [
        (Index, "exploration", lambda self, total, own: own.stderr(), "stderr"),
        (Index, "exploration", lambda self, total, own: total > 3, "must be a number, not bool"),
        (
            Rule,
            "choose",
            lambda self, total, tallies, rng: 0.5,
            "must be a whole number, not float",
        ),
    ],
)
def test_what_numba_cannot_compile(family: type, method: str, answer: Any, told: str) -> None:
    wrong = sylve.compiled(type("Wrong", (family,), {method: answer}))()
    with pytest.raises(ValueError, match=r"^Wrong cannot be compiled: ") as caught:
        search("tic_tac_toe", Ucb(20, rule=wrong))
    assert told in str(caught.value)


def test_a_compiled_schedule_sees_one_move() -> None:
    methods = {"beta": lambda self, total, own, amaf: 0.5, "at_node": lambda self, *_: self}
    with pytest.raises(ValueError, match=r"Wrong.at_node\(\) sees all moves of a node, and cannot"):
        sylve.compiled(type("Wrong", (Schedule,), methods))


@pytest.mark.parametrize(
    ("after", "told"), [(0.5, "after must be a whole number"), (1 << 70, r"below 2\^63")]
)
def test_arguments_that_are_not_such_numbers(after: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        search("tic_tac_toe", Uct(20, rule=PlantedRule(after=after)))
