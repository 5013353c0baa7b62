"""Why a simulation chose a move, in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from sylve.rng import Rng
from sylve.screen import plural
from sylve.search.reference.arithmetic import uniform
from sylve.search.reference.bandits import (
    FlatAmafRoot,
    FlatRoot,
    Root,
    SequentialHalvingRoot,
    UcbRoot,
)
from sylve.search.reference.in_numbers import figure
from sylve.search.reference.rules import decaying_epsilon, epsilon, thompson


def by_score(names: Sequence[str], scores: Sequence[float], chosen: int) -> str:
    """The first of the highest scores; an infinite one is that of a move not tried yet."""
    best = scores[chosen]
    if len(names) == 1:
        return "the only move"
    equal = scores.count(best) if isinstance(scores, list) else list(scores).count(best)
    if best == inf:
        return "not tried yet" + (f", the first of {equal} such moves" if equal > 1 else "")
    others = [index for index in range(len(names)) if index != chosen and scores[index] > -inf]
    if not others:
        return "every other move is proven to lose"
    if equal > 1:
        return f"the first of {equal} moves with the highest score, {figure(best)}"
    second = max(others, key=lambda index: (scores[index], -index))
    return (
        f"the highest score, {figure(best)}; the next is {names[second]} with"
        f" {figure(scores[second])}"
    )


def by_root(
    root: Root, names: Sequence[str], scores: Sequence[float], chosen: int, rng: Rng
) -> str:
    """The reason of a search without a tree. `rng`: the stream that the choice was made with."""
    match root:
        case FlatRoot():
            return "its turn: every move gets the same number of playouts, one after the other"
        case FlatAmafRoot():
            return "no move is chosen: the playout begins here"
        case SequentialHalvingRoot():
            left = len(root.left)
            if left == 1:
                return "the last move left"
            return f"its turn among the {left} moves left, each with {root.share()} in this round"
        case UcbRoot(rule=epsilon() | decaying_epsilon()):
            return by_chance(root, names, scores, chosen, rng)
        case UcbRoot(rule=thompson()):
            return f"the largest draw, {figure(scores[chosen])}"
    return by_score(names, scores, chosen)


def by_chance(
    root: UcbRoot, names: Sequence[str], scores: Sequence[float], chosen: int, rng: Rng
) -> str:
    """A random move at the rule's rate, else the best mean."""
    rule = root.rule
    assert isinstance(rule, epsilon | decaying_epsilon)
    untried = sum(tally.visits == 0 for tally in root.tallies)
    if untried:
        return f"not tried yet, the first of {plural(untried, 'such move')}"
    total, arms = root.root.visits, len(names)
    text, rate = rule.rate_in_numbers(total, arms), figure(rule.rate(total, arms))
    draw = uniform(rng)
    below = draw < rule.rate(total, arms)
    odds = f"{figure(draw)} is {'' if below else 'not '}below {text}"
    odds += "" if text == rate else f" = {rate}"
    if below:
        return f"a random move, since the draw {odds}"
    return f"the best mean, {figure(scores[chosen])}, since the draw {odds}"
