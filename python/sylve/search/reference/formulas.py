"""The formulas of the tree searches: one number per move, the first maximum is taken.

N is the node's visits; n, Q the move's visits and mean; n~, Q~ those of its AMAF tally. An
unvisited move scores +infinity, in RAVE and GRAVE only if its AMAF tally is empty too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING

from sylve.game import FullGame, Player
from sylve.search.reference.arithmetic import ln_of
from sylve.search.reference.in_numbers import (
    NOT_TRIED,
    Written,
    figure,
    plus_exploration,
    ratio,
)
from sylve.search.reference.own_parts import beta_of, exploration_of
from sylve.search.reference.rules import Index
from sylve.search.reference.schedules import (
    LEAST,
    AtNode,
    Schedule,
    squared_bias,
    squared_error,
)
from sylve.search.reference.searches import AmafUct, Grave, MultiScaleRave, Rave, TreeSearch, Uct
from sylve.search.reference.tally import Tally

if TYPE_CHECKING:
    from sylve.search.reference.node import Node

Parts = tuple[float, float, float | None]
"""What a score is made of: value, exploration, and beta where there is one."""


@dataclass(frozen=True)
class Seen:
    """What a formula goes by at a node."""

    codes: Sequence[int]
    """The AMAF codes of the moves."""
    total: int
    """N."""
    own: Sequence[Tally]
    """The tallies of the moves."""
    amaf: Sequence[list[Tally]]
    """Those of their codes, by band."""


class Formula:
    """A score for each move of a node."""

    bands = 0
    """How many AMAF tallies a move has at a node."""

    def scores(self, node: Node, reference: Node) -> list[float]:
        """The scores of all moves."""
        return [value + exploration for value, exploration, _ in self.all_parts(node, reference)]

    def all_parts(self, node: Node, reference: Node) -> list[Parts]:
        """What the scores of all moves are made of."""
        return self.parts_seen(self.see(node, reference))

    def in_numbers(self, node: Node, reference: Node) -> list[Written]:
        """The scores of all moves with their numbers filled in."""
        return self.written_seen(self.see(node, reference))

    def see(self, node: Node, reference: Node) -> Seen:
        """What counts at a node."""
        return Seen(node.codes, node.visits, node.tallies, self.amaf(node, reference))

    def parts_seen(self, seen: Seen) -> list[Parts]:
        """What the scores of all moves are made of."""
        here = self.at_node(seen.total, seen.own, seen.amaf)
        tallies = zip(seen.own, seen.amaf, strict=True)
        return [here.parts(seen.total, own, amaf) for own, amaf in tallies]

    def written_seen(self, seen: Seen) -> list[Written]:
        """The same with the numbers filled in."""
        here = self.at_node(seen.total, seen.own, seen.amaf)
        tallies = zip(seen.own, seen.amaf, strict=True)
        return [here.written(seen.total, own, amaf) for own, amaf in tallies]

    def at_node(
        self,
        total: int,  # noqa: ARG002
        own: Sequence[Tally],  # noqa: ARG002
        amaf: Sequence[list[Tally]],  # noqa: ARG002
    ) -> Formula:
        """The formula for the moves of a node with these tallies."""
        return self

    def amaf(self, node: Node, reference: Node) -> list[list[Tally]]:  # noqa: ARG002
        """The AMAF tallies that count at a node, by move, descents that wait included."""
        return with_waiting(node, node.amaf)

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> Parts:
        """What the score of one move is made of."""
        raise NotImplementedError(f"{type(self).__name__} has no formula")

    def written(self, total: int, own: Tally, amaf: list[Tally]) -> Written:
        """The same with the numbers filled in."""
        raise NotImplementedError(f"{type(self).__name__} has no formula")

    def band(self, ply: int, depth: int) -> int:  # noqa: ARG002
        """The AMAF tally of a move played at `ply`, for a node at `depth`."""
        return 0


class UctFormula(Formula):
    """Q + exploration of the rule."""

    def __init__(self, rule: Index) -> None:
        self.rule = rule
        self.exploration = exploration_of(rule)

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> Parts:  # noqa: ARG002
        """Q, exploration."""
        if own.visits == 0:
            return inf, inf, None
        return own.mean(), self.exploration(total, own), None

    def written(self, total: int, own: Tally, amaf: list[Tally]) -> Written:  # noqa: ARG002
        """As the rule writes it."""
        return Written(self.rule.in_numbers(total, own) if own.visits else NOT_TRIED)


class AmafFormula(Formula):
    """alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n)."""

    bands = 1

    def __init__(self, alpha: float, c: float) -> None:
        self.alpha = alpha
        self.c = c

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> Parts:
        """The mixture, exploration, alpha."""
        if own.visits == 0 or amaf[0].visits == 0:
            return inf, inf, self.alpha
        value = self.alpha * amaf[0].mean() + (1.0 - self.alpha) * own.mean()
        return value, exploration(self.c, total, own), self.alpha

    def written(self, total: int, own: Tally, amaf: list[Tally]) -> Written:
        """alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n)."""
        alpha = figure(self.alpha)
        if own.visits == 0 or amaf[0].visits == 0:
            return Written(NOT_TRIED, alpha)
        mixed = f"{alpha} * {figure(amaf[0].mean())} + (1 - {alpha}) * {figure(own.mean())}"
        return Written(mixed + plus_exploration(self.c, total, own), alpha)


class RaveFormula(Formula):
    """(1 - beta) Q + beta Q~ + c sqrt(ln N / n)."""

    bands = 1

    def __init__(self, schedule: Schedule, c: float, *here: AtNode) -> None:
        self.schedule = schedule
        (self.here,) = here or (schedule,)
        """What it is at the node in question."""
        self.beta = beta_of(schedule, self.here)
        self.c = c

    def at_node(self, total: int, own: Sequence[Tally], amaf: Sequence[list[Tally]]) -> Formula:
        """With the schedule as it is there."""
        here = self.schedule.at_node(total, own, [all_moves for (all_moves,) in amaf])
        return self if here is self.schedule else RaveFormula(self.schedule, self.c, here)

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> Parts:
        """Q*, exploration, beta."""
        (all_moves,) = amaf
        if all_moves.visits == 0:
            return inf, inf, 1.0
        if own.visits == 0:
            return all_moves.mean(), inf if self.c > 0.0 else 0.0, 1.0
        beta = self.beta(total, own, all_moves)
        value = (1.0 - beta) * own.mean() + beta * all_moves.mean()
        return value, exploration(self.c, total, own), beta

    def written(self, total: int, own: Tally, amaf: list[Tally]) -> Written:
        """(1 - beta) Q + beta Q~ + c sqrt(ln N / n), and beta as the schedule writes it."""
        (all_moves,) = amaf
        if all_moves.visits == 0 or (own.visits == 0 and self.c > 0.0):
            return Written(NOT_TRIED, "1")
        if own.visits == 0:
            return Written(ratio(all_moves), "1")
        beta = figure(self.beta(total, own, all_moves))
        mixed = f"(1 - {beta}) * {figure(own.mean())} + {beta} * {figure(all_moves.mean())}"
        return Written(
            mixed + plus_exploration(self.c, total, own),
            self.here.in_numbers(total, own, all_moves),
        )


class GraveFormula(RaveFormula):
    """RAVE with the AMAF tallies of the reference node."""

    bands = 0  # whole tables of codes instead

    def amaf(self, node: Node, reference: Node) -> list[list[Tally]]:
        """The reference's tallies, seen by the player to move at the node."""
        table = reference.table
        assert table is not None, "a reference node has a table"
        tallies = [table.get(code, EMPTY) for code in node.codes]
        if node.player == Player.SECOND:
            tallies = [tally.of_second() for tally in tallies]
        return with_waiting(node, [[tally] for tally in tallies])


EMPTY = Tally()


def with_waiting(node: Node, amaf: list[list[Tally]]) -> list[list[Tally]]:
    """A descent that waits in a batch is a loss for whoever chose, in the first AMAF tally too."""
    if not node.waiting or not amaf[0]:
        return amaf
    seen = list(amaf)
    for index, count in node.waiting.items():
        first, *others = amaf[index]
        seen[index] = [first.plus(Tally(visits=count)), *others]
    return seen


class MultiScaleFormula(Formula):
    """Q and several Q~, each weighted by the inverse of its squared error."""

    def __init__(self, how: MultiScaleRave, game: FullGame) -> None:
        self.c = how.c
        self.by_kind = how.by == "kind"
        self.limits = () if self.by_kind else how.limits
        self.bands = 1 + len(self.limits)
        self.kind = game.kind

    def band(self, ply: int, depth: int) -> int:
        """The number of limits that the distance reaches."""
        distance = abs(ply - depth)
        return sum(distance >= limit for limit in self.limits)

    def parts_seen(self, seen: Seen) -> list[Parts]:
        """With kinds, the bias is measured over all moves of a kind."""
        tallies = zip(seen.own, seen.amaf, self.biases(seen), strict=True)
        return [self.estimate(seen.total, own, amaf, bias) for own, amaf, bias in tallies]

    def written_seen(self, seen: Seen) -> list[Written]:
        """The same with the numbers filled in."""
        tallies = zip(seen.own, seen.amaf, self.biases(seen), strict=True)
        return [self.weighed(seen.total, own, amaf, bias) for own, amaf, bias in tallies]

    def biases(self, seen: Seen) -> list[float | None]:
        """For each move the squared bias of its kind; None: measured for each estimate."""
        if not self.by_kind:
            return [None] * len(seen.codes)
        kinds = self.kinds(seen)
        return [kinds[self.kind(code)] for code in seen.codes]

    def kinds(self, seen: Seen) -> dict[int, float]:
        """The squared bias of AMAF for each kind of move at the node."""
        sums: dict[int, tuple[Tally, Tally]] = {}
        for own, amaf, code in zip(seen.own, seen.amaf, seen.codes, strict=True):
            kind = self.kind(code)
            total, all_moves = sums.get(kind, (EMPTY, EMPTY))
            sums[kind] = total.plus(own), all_moves.plus(amaf[0])
        return {kind: squared_bias(own, amaf) for kind, (own, amaf) in sums.items()}

    def estimate(self, total: int, own: Tally, amaf: list[Tally], bias: float | None) -> Parts:
        """The weighted mean of all estimates, exploration, and the weight of AMAF in it."""
        if all(tally.visits == 0 for tally in amaf):
            return inf, inf, 1.0
        value = weights = 0.0
        for weight, tally in self.weights(own, amaf, bias):
            weights = weights + weight
            value = value + weight * tally.mean()
        if own.visits == 0:
            return value / weights, inf if self.c > 0.0 else 0.0, 1.0
        weight = weight_of(squared_error(own))
        value = value + weight * own.mean()
        beta = weights / (weights + weight)
        return value / (weights + weight), exploration(self.c, total, own), beta

    def weights(
        self, own: Tally, amaf: list[Tally], bias: float | None
    ) -> Iterator[tuple[float, Tally]]:
        """The AMAF estimates of a move, each with its weight."""
        for tally in amaf:
            if tally.visits > 0:
                error = squared_error(tally)
                error = error + (squared_bias(own, tally) if bias is None else bias)
                yield weight_of(error), tally

    def weighed(self, total: int, own: Tally, amaf: list[Tally], bias: float | None) -> Written:
        """The weighted mean with its numbers, and the share of AMAF in the weights."""
        every = list(self.weights(own, amaf, bias))
        if not every or (own.visits == 0 and self.c > 0.0):
            return Written(NOT_TRIED, "1")
        others = " + ".join(figure(weight) for weight, _ in every)
        if own.visits > 0:
            every.append((weight_of(squared_error(own)), own))
        together = " + ".join(figure(weight) for weight, _ in every)
        values = " + ".join(f"{figure(weight)} * {figure(of.mean())}" for weight, of in every)
        bonus = plus_exploration(self.c, total, own) if own.visits > 0 else ""
        return Written(f"({values}) / ({together}){bonus}", f"({others}) / ({together})")


def weight_of(error: float) -> float:
    """The inverse of a squared error; errors next to nothing weigh the same."""
    return 1.0 / (error if error > LEAST else LEAST)


def exploration(c: float, total: int, own: Tally) -> float:
    """c sqrt(ln N / n)."""
    return c * sqrt(ln_of(total) / own.visits)


def formula_of(how: TreeSearch, game: FullGame) -> Formula:
    """The formula of a search, without what prior and implicit minimax add to it."""
    match how:
        case Uct():
            return UctFormula(how.rule)
        case AmafUct():
            return AmafFormula(how.alpha, how.c)
        case Rave():
            return RaveFormula(how.schedule, how.c)
        case Grave():
            return GraveFormula(how.schedule, how.c)
        case MultiScaleRave():
            return MultiScaleFormula(how, game)
    raise ValueError(f"{how} is no tree search")
