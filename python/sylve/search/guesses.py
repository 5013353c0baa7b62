"""What was meant by an argument that does not exist: `Uct(1000, c=0.5)` names the right call."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sylve.errors import quote
from sylve.grammar import suggestion
from sylve.search.text import ARGUMENTS, SEARCHES
from sylve.search.values import Value, default_of, tell_by

OTHER_WORDS = {
    "c": "C constant exploration exploration_constant exploration_weight ucb_c uct_c c_puct",
    "cp": "Cp",
    "playouts": "n budget iterations num_simulations rollouts samples simulations",
    "seconds": "max_time movetime time time_limit timeout",
    "nodes": "max_nodes",
    "depth": "max_depth plies",
    "seed": "random_seed random_state rng",
    "playout": "playout_policy policy rollout rollout_policy simulation",
    "rule": "bandit selection tree_policy",
    "schedule": "beta_schedule weights_schedule",
    "alpha": "beta weight",
    "evaluation": "eval evaluate evaluator heuristic",
    "e": "eps epsilon",
    "gamma": "decay discount",
    "k": "equivalence",
    "b": "bias",
    "fixed": "beta",
    "reference": "ref threshold",
    "solver": "prove",
    "implicit": "implicit_minimax im_alpha minimax",
    "prior": "priors progressive_bias",
    "plies": "cutoff cut_depth rollout_depth playout_depth",
}
"""For each argument, or value with one number, what others call it."""

Write = Callable[[object], str]


def wrong_call(
    kind: type[Value],
    name: str,
    arguments: Sequence[object],
    keywords: Mapping[str, object],
    write: Write,
) -> str | None:
    """What is wrong with a call of `kind`, and the right call; None if nothing is.

    `name` and `write` are those of Python or of the grammar, whichever the call was written in.
    """
    allowed = list(inspect.signature(kind).parameters)
    places = [field.name for field in dataclasses.fields(kind) if not field.kw_only]  # type: ignore[arg-type]
    if len(arguments) > len(places):
        most = f"at most {len(places)}: {', '.join(places)}" if places else "none"
        return f"{name}: {len(arguments)} positional arguments, allowed {most}"
    for key in keywords:
        if key in allowed:
            if key in places[: len(arguments)]:
                return f"{name}: {key} is given twice"
            continue
        told = suggestion(key, allowed) if allowed else "it has none"
        call = right_call(kind, name, arguments, keywords, key, lambda value: short(value, write))
        if call is not None:
            told = f"did you mean {call}? expected one of: {', '.join(sorted(allowed))}"
        return f"{name}: unknown argument {quote(key)}: {told}"
    return None


def short(value: object, write: Write) -> str:
    """A value as it is written, or three dots for what is too long for a message."""
    try:
        text = write(value)
    except ValueError:  # an integer of more digits than Python writes
        return "..."
    return text if len(text) <= 100 else "..."


def right_call(
    kind: type[Value],
    name: str,
    arguments: Sequence[object],
    keywords: Mapping[str, object],
    key: str,
    write: Write,
) -> str | None:
    """The call that was meant: the argument's right name, its right place, or another search."""
    fixed = next(places_for(kind, key, keywords[key], write), None)
    if fixed is None and kind in SEARCHES.values():
        for other in SEARCHES.values():
            fixed = next(places_for(other, key, keywords[key], write), None)
            if fixed is not None:
                kind, name = other, other.__name__ if name == kind.__name__ else other.name()
                break
    if fixed is None:
        return None
    known = inspect.signature(kind).parameters
    others = [f"{k}={write(v)}" for k, v in keywords.items() if k in known and k != key]
    return f"{name}({', '.join([*map(write, arguments), *others, fixed])})"


def places_for(kind: type[Value], key: str, value: object, write: Write) -> Iterator[str]:
    """The arguments of `kind` that may have been meant by `key`, with the value."""
    words = [key, *(name for name, others in OTHER_WORDS.items() if key in others.split())]
    parameters = inspect.signature(kind).parameters
    yield from (f"{word}={write(value)}" for word in words if word in parameters)
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for argument, family in ARGUMENTS.items():
        if argument not in fields:
            continue
        usual = default_of(fields[argument])  # none: there is no prior unless one is given
        first = [] if usual is None else [type(usual)]
        parts = [*first, *(part for part in family.values() if part not in first)]
        parts = [part for part in parts if accepts(kind, argument, part)]
        names = [part.name() for part in parts if part.name() in words]
        yield from (f"{argument}={name}({write(value)})" for name in names)
        for word in words:
            for part in parts:
                if word in inspect.signature(part).parameters:
                    yield f"{argument}={part.name()}({word}={write(value)})"


def accepts(kind: type[Value], argument: str, part: type[Value]) -> bool:
    """Whether a search takes such a rule, schedule or policy."""
    more: dict[str, Any] = {argument: part()}
    try:
        kind(**more)
    except ValueError:
        return False
    return True


tell_by(wrong_call)
