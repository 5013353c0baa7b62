"""Searches by name: `parse_search("rave(1000, schedule=hand(k=500))")`."""

from __future__ import annotations

from collections.abc import Mapping

from sylve.errors import quote, shown
from sylve.grammar import Call, Unreadable, build, read_call, suggestion
from sylve.own import is_own, load
from sylve.search.budget import LIMITS, Budget
from sylve.search.reference import (
    featured,
    go_playouts,
    guided,
    policies,
    priors,
    rules,
    schedules,
    searches,
)
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.cut import cut
from sylve.search.reference.own_parts import own_part as own_part
from sylve.search.values import Value

SEARCHES: Mapping[str, type[searches.Search]] = {
    search.name(): search
    for search in (
        searches.Flat,
        searches.FlatAmaf,
        searches.Ucb,
        searches.SequentialHalving,
        searches.Uct,
        searches.AmafUct,
        searches.Rave,
        searches.MultiScaleRave,
        searches.Grave,
    )
}
ALPHA_BETA: Mapping[str, type[AlphaBeta]] = {AlphaBeta.name(): AlphaBeta}
"""Apart, because it has no playouts: what compares searches at equal playouts leaves it out."""
RULES: Mapping[str, type[rules.Rule]] = {
    rule.name(): rule
    for rule in (
        rules.ucb1,
        rules.tuned,
        rules.bayes,
        rules.epsilon,
        rules.decaying_epsilon,
        rules.thompson,
        rules.discounted,
    )
}
SCHEDULES: Mapping[str, type[schedules.Schedule]] = {
    schedule.name(): schedule
    for schedule in (
        schedules.hand,
        schedules.bias,
        schedules.slides,
        schedules.course,
        schedules.fixed,
        schedules.mse,
        schedules.pooled,
    )
}
POLICIES: Mapping[str, type[policies.Policy]] = {
    policy.name(): policy
    for policy in (
        policies.uniform,
        policies.decisive,
        policies.mast,
        policies.weighted,
        featured.featured,
        guided.bridge,
        guided.mix,
        go_playouts.mogo,
        go_playouts.local,
        cut,
    )
}
PRIORS: Mapping[str, type[priors.Prior]] = {
    prior.name(): prior for prior in (priors.heuristic, priors.preferred)
}
ARGUMENTS: Mapping[str, Mapping[str, type[Value]]] = {
    "rule": RULES,
    "schedule": SCHEDULES,
    "playout": POLICIES,
    "prior": PRIORS,
}
"""What may stand for an argument that is a value itself."""
INNER = ("then", "first", "second")
"""Arguments of policies that are policies."""
LIMIT_NAMES = {field.name for field in LIMITS}
WORDS = ("update", "remainder", "by", "evaluation")
"""Arguments that are words: `update=suffix` needs no quotes."""


def as_search(given: object) -> searches.Search | AlphaBeta:
    """The search that a user means: one of the values, its class, or a text."""
    if isinstance(given, str):
        return parse_search(given)
    if isinstance(given, type) and issubclass(given, searches.Search | AlphaBeta):
        return given()
    if not isinstance(given, searches.Search | AlphaBeta):
        raise TypeError(
            f'how must be a search such as Uct(1000), or a text such as "uct(1000)", not {given!r}'
        )
    return given


def parse_call(text: str | Call) -> Call:
    """The call that a text is; a call stays as it is, so that no text is read twice."""
    try:
        return read_call(text) if isinstance(text, str) else text
    except Unreadable as error:
        raise ValueError(str(error)) from None


def parse_search(text: str | Call, **more: object) -> searches.Search | AlphaBeta:
    """The search that a text such as `uct(1000)` names; `more`: further arguments.

    A rule of your own is named by its module: `uct(1000, rule=mygame:Greedy(0.3))`. That imports
    the module: give it no text that comes from somebody else.

    >>> from sylve import parse_search
    >>> parse_search("rave(5000, schedule=bias(0.05))").playouts
    5000
    """
    call = parse_call(text)
    known: Mapping[str, type[searches.Search | AlphaBeta]] = {**SEARCHES, **ALPHA_BETA}
    if call.name not in known:
        raise ValueError(f"unknown search {quote(call.name)}: {suggestion(call.name, known)}")
    whole = Call(call.name, call.arguments, {**call.keywords, **more})  # type: ignore[dict-item]
    return build(known[call.name], resolved(whole))


def parse_rule(text: str) -> rules.Rule:
    """The rule of a bandit that a text such as `ucb1(c=0.4)` names."""
    rule = resolved(Call("bandit", (), {"rule": parse_call(text)})).keywords["rule"]
    if not isinstance(rule, rules.Rule):
        raise ValueError(f"{quote(text)} is no rule: {shown(rule)} is not derived from Rule")
    return rule


def states_a_limit(text: str | Call) -> bool:
    """Whether the text of a search says what ends it. If not, it gets a number of playouts.

    >>> states_a_limit("uct(500)"), states_a_limit("uct(nodes=9)"), states_a_limit("rave(c=1)")
    (True, True, False)
    """
    call = parse_call(text)
    return bool(call.arguments) or not LIMIT_NAMES.isdisjoint(call.keywords)


def limits_besides(text: str | Call, how: searches.Search) -> Budget:
    """The limits of a search that something else ends too, such as a clock: those that it states.

    The playouts that a search gets where it states no limit are for searches that nothing else
    ends. Only sequential halving always keeps them: its rounds divide them.
    """
    kept = states_a_limit(text) or isinstance(how, searches.SequentialHalving)
    return how.budget if kept else Budget()


def resolved(call: Call) -> Call:
    """The call with its nested calls made values."""
    keywords: dict[str, object] = {}
    for key, value in call.keywords.items():
        if isinstance(value, Call) and key in ARGUMENTS:
            keywords[key] = made(key, value)
        elif isinstance(value, Call) and key in WORDS and value == Call(value.name):
            keywords[key] = value.name
        else:
            keywords[key] = value
    return Call(call.name, call.arguments, keywords)  # type: ignore[arg-type]


def made(key: str, call: Call) -> object:
    """The rule, schedule, policy or prior that a call describes, and those inside it."""
    if is_own(call.name):
        return load(call).made
    known = ARGUMENTS[key]
    if call.name not in known:
        raise ValueError(f"unknown {key} {quote(call.name)}: {suggestion(call.name, known)}")
    call = resolved(call)
    if key == "playout":
        arguments = tuple(
            made(key, value) if isinstance(value, Call) and names_policy(value) else value
            for value in call.arguments
        )
        keywords = {
            name: made(key, value) if isinstance(value, Call) and name in INNER else value
            for name, value in call.keywords.items()
        }
        call = Call(call.name, arguments, keywords)  # type: ignore[arg-type]
    return build(known[call.name], call)


def names_policy(call: Call) -> bool:
    """Whether a call is that of a policy."""
    return call.name in POLICIES or is_own(call.name)
