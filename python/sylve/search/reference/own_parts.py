"""Rules, schedules and policies of the user's own: which engine can run them; they are checked.

Ours are taken as they are: their arithmetic is tested.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from numbers import Real

from sylve.engine import is_of_package
from sylve.errors import shown
from sylve.games.board import BoardGame
from sylve.native.entry import is_native_part, part_problem
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.cut import cut
from sylve.search.reference.policies import Policy, function_name, weighted
from sylve.search.reference.priors import evaluating_of, preferred
from sylve.search.reference.rules import Index, Rule
from sylve.search.reference.schedules import AtNode, Schedule
from sylve.search.reference.searches import Search, TreeSearch
from sylve.search.reference.tally import Tally
from sylve.search.values import Value, check_number, check_place


def parts_of(value: Value) -> Iterator[tuple[str, Value]]:
    """The arguments that are values themselves, such as rules and policies; also inside these."""
    for field in dataclasses.fields(value):  # type: ignore[arg-type]
        part = getattr(value, field.name)
        if isinstance(part, Value):
            yield field.name, part
            if dataclasses.is_dataclass(part):
                yield from parts_of(part)


def own_part(how: Search) -> str | None:
    """Why the compiled engine cannot run a part of a search: `rule=my_rule() is your own, ...`."""
    guessed = isinstance(how, TreeSearch) and how.prior is not None
    for argument, value in parts_of(how):
        if not value.is_own:
            continue
        if not is_native_part(value):
            return f"{argument}={value} is your own, which the compiled engine does not have"
        if problem := part_problem():
            return f"{argument}={value} is your own, and {problem}"
        if how.real or (guessed and not isinstance(value, Policy)):
            return f"{argument}={value} is compiled for results that are wins, draws and losses"
    return None


def weights_of(how: Search) -> Iterator[tuple[str, weighted]]:
    """Every part of a search that has weights, with its name."""
    for _, value in parts_of(how):
        if isinstance(value, weighted):
            yield value.name(), value
        elif isinstance(value, preferred):
            yield value.name(), value.weighing


def evaluates(how: Search) -> bool:
    """Whether a search looks at an evaluation."""
    guided = isinstance(how, TreeSearch) and how.evaluates
    return guided or any(isinstance(part, cut) for _, part in parts_of(how))


def check_parts(position: Position, how: Search) -> None:
    """Refuse what the game of a search does not have: bridges, names of moves, evaluations."""
    how.playout.check_game(position.game)
    for name, weighing in weights_of(how):
        weighing.check_names(position.game, name)
    if isinstance(how, TreeSearch):
        evaluating_of(how, position.game)
    for _, part in parts_of(how):
        if isinstance(part, cut):
            part.evaluating(position.game)


def only_in_python(position: Position, how: Search) -> str:
    """Why only Python can run a search, if that is so."""
    own = own_part(how)
    if own is not None:
        return own
    for name, part in weights_of(how):
        if callable(part.weights):
            return f"{name}: {function_name(part.weights)} is a function in Python"
        if part.names and not is_of_package(position):
            return f"{name}: only Python can ask {shown(position.game)} for the names of its moves"
    if evaluates(how) and isinstance(position.game, BoardGame) and not is_of_package(position):
        return f"evaluation: only Python can evaluate {shown(position.game)}"
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


def beta_of(schedule: Schedule, *here: AtNode) -> Callable[[int, Tally, Tally], float]:
    """The formula of a schedule, `here` at a node; each answer of a user's own is checked."""
    (asked,) = here or (schedule,)
    if not schedule.is_own:
        return asked.beta
    if not isinstance(asked, Schedule):
        raise ValueError(f"{schedule}: at_node() must give a schedule, not {shown(asked)}")

    def checked(total: int, own: Tally, amaf: Tally) -> float:
        return check_number(f"{schedule}: beta()", asked.beta(total, own, amaf), 0.0, 1.0)

    return checked


def choice_of(rule: Rule, total: int, tallies: Sequence[Tally], rng: Rng) -> int:
    """The place of the move that a rule of the user's own chooses, checked."""
    return check_place(f"{rule}: choose()", rule.choose(total, tallies, rng), len(tallies))
