"""The formulas of the tree searches: one number per move, the first maximum is taken.

N is the node's visits; n, Q the move's visits and mean; n~, Q~ those of its AMAF tally. An
unvisited move scores +infinity, in RAVE and GRAVE only if its AMAF tally is empty too.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

from sylve.game import AnyGame, Player
from sylve.search.reference.arithmetic import ln_of
from sylve.search.reference.rules import Index
from sylve.search.reference.schedules import Schedule, squared_bias, squared_error
from sylve.search.reference.searches import AmafUct, Grave, MultiScaleRave, Rave, TreeSearch, Uct
from sylve.search.reference.tally import Tally

if TYPE_CHECKING:
    from sylve.search.reference.tree import Node

LEAST_ERROR = 1e-10  # two estimates below it weigh the same: as `optimal_beta` has it


class Formula:
    """A score for each move of a node."""

    bands = 0
    """How many AMAF tallies a move has at a node."""

    def scores(self, node: Node, reference: Node) -> list[float]:
        """The scores of all moves."""
        return [
            self.score(node.visits, own, amaf)
            for own, amaf in zip(node.tallies, self.amaf(node, reference), strict=True)
        ]

    def amaf(self, node: Node, reference: Node) -> list[list[Tally]]:  # noqa: ARG002
        """The AMAF tallies that count at a node, by move, descents that wait included."""
        return with_waiting(node, node.amaf)

    def score(self, total: int, own: Tally, amaf: list[Tally]) -> float:
        """The score of one move."""
        value, exploration, _ = self.parts(total, own, amaf)
        return value + exploration

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> tuple[float, float, float | None]:
        """What the score is made of: value, exploration, and beta where there is one."""
        raise NotImplementedError(f"{type(self).__name__} has no formula")

    def band(self, ply: int, depth: int) -> int:  # noqa: ARG002
        """The AMAF tally of a move played at `ply`, for a node at `depth`."""
        return 0


class UctFormula(Formula):
    """Q + exploration of the rule."""

    def __init__(self, rule: Index) -> None:
        self.rule = rule

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> tuple[float, float, float | None]:  # noqa: ARG002
        """Q, exploration."""
        if own.visits == 0:
            return inf, inf, None
        return own.mean(), self.rule.exploration(total, own), None


class AmafFormula(Formula):
    """alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n)."""

    bands = 1

    def __init__(self, alpha: float, c: float) -> None:
        self.alpha = alpha
        self.c = c

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> tuple[float, float, float | None]:
        """The mixture, exploration, alpha."""
        if own.visits == 0 or amaf[0].visits == 0:
            return inf, inf, self.alpha
        value = self.alpha * amaf[0].mean() + (1.0 - self.alpha) * own.mean()
        return value, exploration(self.c, total, own), self.alpha


class RaveFormula(Formula):
    """(1 - beta) Q + beta Q~ + c sqrt(ln N / n)."""

    bands = 1

    def __init__(self, schedule: Schedule, c: float) -> None:
        self.schedule = schedule
        self.c = c

    def parts(self, total: int, own: Tally, amaf: list[Tally]) -> tuple[float, float, float | None]:
        """Q*, exploration, beta."""
        (all_moves,) = amaf
        if all_moves.visits == 0:
            return inf, inf, 1.0
        if own.visits == 0:
            return all_moves.mean(), inf if self.c > 0.0 else 0.0, 1.0
        beta = self.schedule.beta(total, own, all_moves)
        value = (1.0 - beta) * own.mean() + beta * all_moves.mean()
        return value, exploration(self.c, total, own), beta


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
        seen[index] = [Tally(first.visits + count, first.wins, first.draws), *others]
    return seen


class MultiScaleFormula(Formula):
    """Q and several Q~, each weighted by the inverse of its squared error."""

    def __init__(self, how: MultiScaleRave, game: AnyGame) -> None:
        self.c = how.c
        self.by_kind = how.by == "kind"
        self.limits = () if self.by_kind else how.limits
        self.bands = 1 + len(self.limits)
        self.kind = getattr(game, "kind", lambda code: 0)  # noqa: ARG005

    def band(self, ply: int, depth: int) -> int:
        """The number of limits that the distance reaches."""
        distance = abs(ply - depth)
        return sum(distance >= limit for limit in self.limits)

    def scores(self, node: Node, reference: Node) -> list[float]:  # noqa: ARG002
        """The scores of all moves: with kinds, the bias is measured over all moves of a kind."""
        return [value + bonus for value, bonus, _ in self.all_parts(node)]

    def all_parts(self, node: Node) -> list[tuple[float, float, float | None]]:
        """Value, exploration and beta of every move."""
        bands = self.amaf(node, node)
        kinds = self.kinds(node, bands) if self.by_kind else None
        parts = []
        for own, amaf, code in zip(node.tallies, bands, node.codes, strict=True):
            bias = kinds[self.kind(code)] if kinds is not None else None
            parts.append(self.estimate(node.visits, own, amaf, bias))
        return parts

    def kinds(self, node: Node, bands: list[list[Tally]]) -> dict[int, float]:
        """The squared bias of AMAF for each kind of move at the node."""
        sums: dict[int, tuple[Tally, Tally]] = {}
        for own, amaf, code in zip(node.tallies, bands, node.codes, strict=True):
            for total, part in zip(
                sums.setdefault(self.kind(code), (Tally(), Tally())), (own, amaf[0]), strict=True
            ):
                total.visits += part.visits
                total.wins += part.wins
                total.draws += part.draws
        return {kind: squared_bias(own, amaf) for kind, (own, amaf) in sums.items()}

    def estimate(
        self, total: int, own: Tally, amaf: list[Tally], bias: float | None
    ) -> tuple[float, float, float | None]:
        """The weighted mean of all estimates, exploration, and the weight of AMAF in it."""
        if all(tally.visits == 0 for tally in amaf):
            return inf, inf, 1.0
        value = weights = 0.0
        for tally in amaf:
            if tally.visits > 0:
                error = squared_error(tally)
                error = error + (squared_bias(own, tally) if bias is None else bias)
                weight = 1.0 / (error if error > LEAST_ERROR else LEAST_ERROR)
                weights = weights + weight
                value = value + weight * tally.mean()
        if own.visits == 0:
            return value / weights, inf if self.c > 0.0 else 0.0, 1.0
        error = squared_error(own)
        weight = 1.0 / (error if error > LEAST_ERROR else LEAST_ERROR)
        value = value + weight * own.mean()
        beta = weights / (weights + weight)
        return value / (weights + weight), exploration(self.c, total, own), beta


def exploration(c: float, total: int, own: Tally) -> float:
    """c sqrt(ln N / n)."""
    return c * sqrt(ln_of(total) / own.visits)


def formula_of(how: TreeSearch, game: AnyGame) -> Formula:
    """The formula of a search."""
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
