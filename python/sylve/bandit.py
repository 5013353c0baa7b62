"""Bandits for anybody: choose among arms, learn from results between 0 and 1 (docs/bandit.md).

>>> from sylve.bandit import Bandit
>>> from sylve.rules import ucb1
>>> bandit = Bandit(["red", "green"], ucb1(c=1), seed=1)
>>> for _ in range(100):
...     arm = bandit.select()
...     bandit.update(arm, 1.0 if arm == "green" else 0.0)
>>> bandit.best, bandit["green"].pulls
('green', 96)
"""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import inf, sqrt
from typing import Any

from sylve.errors import quote
from sylve.inputs import read_json
from sylve.markup import escape, html_table
from sylve.own import check_known
from sylve.rng import Rng
from sylve.screen import Table, plural
from sylve.search.confidence import wilson
from sylve.search.reference.arithmetic import beta, ln, uniform
from sylve.search.reference.own_parts import choice_of, exploration_of
from sylve.search.reference.rules import (
    Index,
    Rule,
    decaying_epsilon,
    discounted,
    epsilon,
    thompson,
    ucb1,
)
from sylve.search.reference.tally import Tally
from sylve.search.running.criteria import radius
from sylve.search.text import parse_rule

__all__ = ["Arm", "Bandit"]

SCHEMA = 1
LARGEST_SPREAD = 0.5  # the standard deviation of a fair coin; no results from 0 to 1 have more


@dataclass
class Arm:
    """What is known of an arm.

    >>> from sylve.bandit import Bandit
    >>> bandit = Bandit(["red", "green"], seed=1)
    >>> bandit.update("red", 1.0)
    >>> bandit["red"].pulls, bandit["red"].mean
    (1, 1.0)
    """

    name: str
    pulls: int = 0
    """Results that came back; with a window, those in it."""
    weight: float = 0.0
    """What they weigh: `pulls`, less where old results are discounted."""
    total: float = 0.0
    squares: float = 0.0
    """Weighted sums of the results and of their squares."""
    pending: int = 0
    """Chosen, with no result yet."""

    @property
    def mean(self) -> float | None:
        """The mean result; None before the first."""
        return self.total / self.weight if self.weight > 0 else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of Wilson: for one look, at results that are 0 or 1."""
        mean = self.mean
        return (0.0, 1.0) if mean is None else wilson(min(1.0, max(0.0, mean)), self.weight)

    @property
    def spread(self) -> float:
        """The standard deviation of a result, two more fair ones counted in."""
        mean = (self.total + 1.0) / (self.weight + 2.0)
        square = (self.squares + 1.0) / (self.weight + 2.0) - mean * mean
        return min(LARGEST_SPREAD, sqrt(max(0.0, square)))


class Results(Tally):
    """An arm's results as the rules of the searches read them; pending ones count as losses."""

    __slots__ = ("squares",)

    def __init__(self, arm: Arm) -> None:
        super().__init__(arm.pulls + arm.pending, arm.total)  # type: ignore[arg-type]
        self.squares = arm.squares

    def variance(self) -> float:
        """The mean squared distance from the mean."""
        mean = self.mean()
        return max(0.0, self.squares / self.visits - mean * mean)


class Bandit:
    """Arms and a rule. `select` names the arm to try, `update` tells what came of it.

    The rules are those of the searches (docs/searches.md). `discounted` forgets by itself; with
    `window`, any other rule sees only the last so many results. The same seed and the same results
    give the same choices.

    >>> from sylve.bandit import Bandit
    >>> from sylve.rules import thompson
    >>> bandit = Bandit(["red", "green"], thompson(), seed=1)
    >>> for _ in range(100):
    ...     arm = bandit.select()
    ...     bandit.update(arm, 1.0 if arm == "green" else 0.0)
    >>> bandit.best
    'green'
    """

    def __init__(
        self,
        arms: int | Sequence[str],
        rule: Rule | None = None,
        *,
        seed: int = 0,
        window: int | None = None,
    ) -> None:
        names = [str(n) for n in range(arms)] if isinstance(arms, int) else list(arms)
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"arms must be two or more different names, not {arms!r}")
        self.rule = ucb1() if rule is None else rule
        if not isinstance(self.rule, Rule):
            raise ValueError(f"rule must be a rule such as ucb1(c=1), not {rule!r}")
        if self.rule.lacks:
            raise ValueError(f"rule={rule} has no method {self.rule.lacks}: see docs/own_rules.md")
        if window is not None and (not isinstance(window, int) or window < len(names)):
            raise ValueError(f"window must be a whole number, at least the arms, not {window!r}")
        if window is not None and isinstance(self.rule, discounted):
            raise ValueError("discounted forgets by itself: give no window")
        self.seed = seed
        self.window = window
        self.steps = 0
        """Choices made."""
        self.arms = {name: Arm(name) for name in names}
        self.recent: deque[tuple[str, float]] = deque()
        """What the window holds, oldest first."""

    def __getitem__(self, name: str) -> Arm:
        if name not in self.arms:
            raise ValueError(f"unknown arm {quote(name)}: expected one of: {', '.join(self.arms)}")
        return self.arms[name]

    @property
    def table(self) -> Table:
        """The arms, the most pulled first."""
        arms = sorted(self.arms.values(), key=lambda arm: -arm.pulls)
        rows = []
        for arm in arms:
            low, high = arm.interval
            mean = "" if arm.mean is None else f"{arm.mean:.3f}"
            rows.append((arm.name, arm.pulls, mean, f"{low:.3f}-{high:.3f}", arm.pending))
        caption = f"rule {self.rule}, seed {self.seed}, {plural(self.pulls, 'pull')}"
        return Table(["arm", "pulls", "mean", "95 %", "pending"], rows, caption=caption)

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        return f"<Bandit of {plural(len(self.arms), 'arm')}, {self.table.caption}>"

    def _repr_html_(self) -> str:
        return f"<div>{html_table(self.table)}<div>{escape(self.table.caption)}</div></div>"

    @property
    def pulls(self) -> int:
        """Results that came back; with a window, those in it."""
        return sum(arm.pulls for arm in self.arms.values())

    @property
    def best(self) -> str:
        """The arm with the most pulls, then the higher mean, then the first."""
        return max(self.arms.values(), key=lambda arm: (arm.pulls, arm.mean or 0.0)).name

    def select(self) -> str:
        """The arm to try next. Several may be chosen before results come back."""
        arms = list(self.arms.values())
        arm = arms[choose(self.rule, arms, Rng.stream(self.seed, self.steps))]
        arm.pending += 1
        self.steps += 1
        return arm.name

    def select_batch(self, count: int) -> list[str]:
        """So many choices at once, before any result is known."""
        return [self.select() for _ in range(count)]

    def update(self, name: str, result: float) -> None:
        """Tell what an arm gave, from 0 to 1; also one that was not selected."""
        arm = self[name]
        number = isinstance(result, (int, float)) and math.isfinite(result)
        if not number or not 0 <= result <= 1:
            raise ValueError(f"a result must be a number from 0 to 1, not {result!r}")
        if isinstance(self.rule, discounted):
            for other in self.arms.values():
                other.weight *= self.rule.gamma
                other.total *= self.rule.gamma
                other.squares *= self.rule.gamma
        arm.pending = max(0, arm.pending - 1)
        count(arm, 1, result)
        if self.window is not None:
            self.recent.append((name, result))
            if len(self.recent) > self.window:
                old, value = self.recent.popleft()
                count(self.arms[old], -1, value)

    def leader(self, confidence: float = 0.95) -> str | None:
        """The arm that is surely the best, or None; one may ask as often as one likes.

        Its lower bound is above every other arm's upper bound, for bounds that hold for all arms
        and at all times at once (Robbins 1970), with the measured spread of the results in place of
        the largest possible one: right when an arm has many results, see docs/bandit.md.
        """
        if not 0 < confidence < 1:
            raise ValueError(f"confidence must be above 0 and below 1, not {confidence!r}")
        error = (1.0 - confidence) / len(self.arms)
        bounds = []
        for arm in self.arms.values():
            if arm.pulls == 0 or arm.mean is None:
                return None
            reach = radius(arm.pulls, error) * arm.spread / LARGEST_SPREAD
            bounds.append((arm.mean - reach, arm.mean + reach, arm.name))
        low, _, name = max(bounds)
        return name if all(low > high for _, high, other in bounds if other != name) else None

    def to_json(self) -> str:
        """The whole state; `Bandit.from_json` goes on where it was."""
        return json.dumps(
            {
                "schema": SCHEMA,
                "rule": str(self.rule),
                "seed": self.seed,
                "window": self.window,
                "steps": self.steps,
                "arms": [asdict(arm) for arm in self.arms.values()],
                "recent": list(self.recent),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Bandit:
        """The inverse of `to_json`."""
        try:
            state: dict[str, Any] = read_json(text)
            if state["schema"] != SCHEMA:
                raise ValueError(f"schema {state['schema']}, not {SCHEMA}")
            names = [arm["name"] for arm in state["arms"]]
            check_known(state["rule"])
            bandit = cls(
                names, parse_rule(state["rule"]), seed=state["seed"], window=state["window"]
            )
            bandit.steps = state["steps"]
            bandit.arms = {arm["name"]: Arm(**arm) for arm in state["arms"]}
            bandit.recent = deque((name, value) for name, value in state["recent"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not the state of a bandit: {error}") from None
        return bandit


def count(arm: Arm, times: int, result: float) -> None:
    """Add a result, or take it away."""
    arm.pulls += times
    arm.weight += times
    arm.total += times * result
    arm.squares += times * result * result


def choose(rule: Rule, arms: Sequence[Arm], rng: Rng) -> int:
    """The index of the arm that the rule tries next; the first of equal ones."""
    if isinstance(rule, thompson):
        draws = [
            beta(rule.wins + arm.total, rule.losses + arm.weight - arm.total, rng) for arm in arms
        ]
        return draws.index(max(draws))
    if rule.is_own and not isinstance(rule, Index):
        total = sum(arm.pulls + arm.pending for arm in arms)
        return choice_of(rule, total, [Results(arm) for arm in arms], rng)
    for index, arm in enumerate(arms):
        if arm.pulls + arm.pending == 0:
            return index
    scores = [score(rule, arm, arms) for arm in arms]
    if isinstance(rule, epsilon | decaying_epsilon):
        total = sum(arm.pulls + arm.pending for arm in arms)
        if uniform(rng) < rule.rate(total, len(arms)):
            return rng.below(len(arms))
    return scores.index(max(scores))


def score(rule: Rule, arm: Arm, arms: Sequence[Arm]) -> float:
    """What an arm is worth to the rule now."""
    if isinstance(rule, Index):
        total = sum(other.pulls + other.pending for other in arms)
        own = Results(arm)
        return own.mean() + exploration_of(rule)(total, own)
    if isinstance(rule, discounted):
        weight = arm.weight + arm.pending
        everything = sum(other.weight + other.pending for other in arms)
        if weight <= 0:
            return inf
        log = ln(everything) if everything > 1 else 0.0
        return arm.total / weight + rule.c * sqrt(log / weight)
    return arm.mean or 0.0
