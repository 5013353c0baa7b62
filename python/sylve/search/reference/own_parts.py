"""Rules, schedules and policies of the user's own: which engine can run them; they are checked.

Ours are taken as they are: their arithmetic is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from numbers import Real

from sylve.engine import is_of_package
from sylve.errors import shown
from sylve.native.entry import is_native_part, part_problem
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.policies import function_name, weighted
from sylve.search.reference.rules import Index, Rule
from sylve.search.reference.schedules import Schedule
from sylve.search.reference.searches import Search
from sylve.search.reference.tally import Tally
from sylve.search.values import Value, check_number, check_place

PARTS = ("rule", "schedule", "playout")
"""The arguments of searches that may be the user's own."""


def own_part(how: Search) -> str | None:
    """Why the compiled engine cannot run a part of a search: `rule=my_rule() is your own, ...`."""
    for argument in PARTS:
        value = getattr(how, argument, None)
        if not isinstance(value, Value) or not value.is_own:
            continue
        if not is_native_part(value):
            return f"{argument}={value} is your own, which the compiled engine does not have"
        if problem := part_problem():
            return f"{argument}={value} is your own, and {problem}"
    return None


def only_in_python(position: Position, how: Search) -> str:
    """Why only Python can run a search, if that is so."""
    own = own_part(how)
    if own is not None:
        return own
    if not isinstance(how.playout, weighted):
        return ""
    if callable(how.playout.weights):
        return f"weighted: {function_name(how.playout.weights)} is a function in Python"
    if how.playout.names and not is_of_package(position):
        return f"weighted: only Python can ask {shown(position.game)} for the names of its moves"
    return ""


def exploration_of(rule: Index) -> Callable[[int, Tally], float]:
    """The formula of a rule; each answer of one of the user's own is checked."""
    if not rule.is_own:
        return rule.exploration

    def checked(total: int, own: Tally) -> float:
        answer = rule.exploration(total, own)
        if not isinstance(answer, Real) or isinstance(answer, bool) or not isfinite(answer):
            raise ValueError(f"{rule}: exploration() must be a finite number, not {shown(answer)}")
        return float(answer)

    return checked


def beta_of(schedule: Schedule) -> Callable[[int, Tally, Tally], float]:
    """The formula of a schedule; each answer of one of the user's own is checked."""
    if not schedule.is_own:
        return schedule.beta

    def checked(total: int, own: Tally, amaf: Tally) -> float:
        return check_number(f"{schedule}: beta()", schedule.beta(total, own, amaf), 0.0, 1.0)

    return checked


def choice_of(rule: Rule, total: int, tallies: Sequence[Tally], rng: Rng) -> int:
    """The place of the move that a rule of the user's own chooses, checked."""
    return check_place(f"{rule}: choose()", rule.choose(total, tallies, rng), len(tallies))
