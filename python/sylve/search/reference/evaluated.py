"""Prior and implicit minimax around any formula: what it sees of a node, what becomes of its value.

A prior adds virtual visits to the tallies that a formula goes by (Gelly and Silver 2007). Implicit
minimax mixes the value of each move with the minimax value of the tree below it, whose leaves an
evaluation has judged (Lanctot, Winands, Pepels and Sturtevant 2014).
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from sylve.game import FullGame
from sylve.search.reference.formulas import Formula, Parts, Seen, formula_of
from sylve.search.reference.in_numbers import NOT_TRIED, Written, figure
from sylve.search.reference.priors import virtual
from sylve.search.reference.results import CERTAIN, Result, units_of
from sylve.search.reference.searches import MultiScaleRave, TreeSearch
from sylve.search.reference.tally import UNIT, Tally

if TYPE_CHECKING:
    from sylve.search.reference.node import Node, Step


class EvaluatedFormula(Formula):
    """A formula with a prior, implicit minimax, or both."""

    def __init__(self, how: TreeSearch, game: FullGame) -> None:
        self.formula = formula_of(how, game)
        self.bands = self.formula.bands
        self.alpha = how.implicit
        self.visits = how.prior.visits if how.prior is not None else 0
        self.in_amaf = not isinstance(how, MultiScaleRave)
        """Whether the prior counts among the AMAF results too: several tallies have it in none."""

    def amaf(self, node: Node, reference: Node) -> list[list[Tally]]:
        """The real ones: reports show them."""
        return self.formula.amaf(node, reference)

    def band(self, ply: int, depth: int) -> int:
        """That of the formula."""
        return self.formula.band(ply, depth)

    def see(self, node: Node, reference: Node) -> Seen:
        """The node, with the visits of the prior."""
        seen = self.formula.see(node, reference)
        if not self.visits:
            return seen
        priors = [virtual(self.visits, units) for units in node.prior]
        own = [tally.plus(prior) for tally, prior in zip(seen.own, priors, strict=True)]
        amaf = seen.amaf
        if self.in_amaf:
            amaf = [
                [tally.plus(prior) for tally in bands]
                for bands, prior in zip(seen.amaf, priors, strict=True)
            ]
        return replace(seen, total=seen.total + self.visits * len(own), own=own, amaf=amaf)

    def all_parts(self, node: Node, reference: Node) -> list[Parts]:
        """(1 - alpha) value + alpha v; the rest is that of the formula."""
        parts = self.formula.parts_seen(self.see(node, reference))
        if not self.alpha:
            return parts
        return [
            (self.mixed(value, units), exploration, beta)
            for (value, exploration, beta), units in zip(parts, node.implicit, strict=True)
        ]

    def mixed(self, value: float, units: int) -> float:
        """(1 - alpha) value + alpha v."""
        if value == inf:
            return value
        return (1.0 - self.alpha) * value + self.alpha * (units / UNIT)

    def in_numbers(self, node: Node, reference: Node) -> list[Written]:
        """The same with the numbers filled in."""
        seen = self.see(node, reference)
        texts = self.formula.written_seen(seen)
        if not self.alpha:
            return texts
        values = [value for value, _, _ in self.formula.parts_seen(seen)]
        return [
            text
            if text.score == NOT_TRIED
            else text._replace(score=f"{text.score} + {self.correction(value, units)}")
            for text, value, units in zip(texts, values, node.implicit, strict=True)
        ]

    def correction(self, value: float, units: int) -> str:
        """alpha (v - value): what makes (1 - alpha) value + alpha v of the value."""
        return f"{figure(self.alpha)} * ({figure(units / UNIT)} - {figure(value)})"


def back_up(path: list[Step], result: Result | None) -> None:
    """Minimax values from the end of a descent to the root. `result`: if it is certain there."""
    node, chosen, _ = path[-1]
    if result is not None:
        node.implicit[chosen] = certain_units(result, node)
    for above, below in zip(path[-2::-1], path[:0:-1], strict=True):
        best = max(below.node.implicit)
        same = above.node.player == below.node.player
        above.node.implicit[above.chosen] = best if same else UNIT - best


def certain_units(result: Result, node: Node) -> int:
    """The value of a game that ends so, for the player to move at a node."""
    return CERTAIN[units_of(result, node.player) * 2 // UNIT]
