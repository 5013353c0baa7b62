"""Schedules: how much RAVE trusts AMAF. Q* = (1 - beta) Q + beta Q~.

n and n~ are the visits of the move and of its AMAF tally, N those of the node. beta is 1 for a move
without visits (the caller sees to it) and tends to 0 as n grows, except for `fixed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, Protocol

from sylve.search.reference.in_numbers import figure
from sylve.search.reference.tally import Tally
from sylve.search.values import Value, number

FEW = 10  # below so many samples the bias is not measured but assumed (document 002)
ASSUMED_BIAS = 0.1  # its square, assumed (document 002)
NO_VARIANCE = 1.0  # of an estimate from fewer than two samples (document 002)
LEAST = 1e-10  # squared errors below it are nothing to divide by


class AtNode(Protocol):
    """A schedule that has seen the moves of a node."""

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:
        """The weight of AMAF."""

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:
        """beta with its numbers."""


class Schedule(Value):
    """A schedule for beta.

    >>> from sylve import Position, Rave, search
    >>> from sylve.schedules import Schedule
    >>> class Half(Schedule):  # AMAF alone at first
    ...     def beta(self, total, own, amaf):
    ...         return 1.0 if own.visits < 10 else 0.5
    >>> report = search(Position.start("tic_tac_toe"), Rave(200, schedule=Half(), seed=1))
    >>> report.best_name, report.engine
    ('c3', 'python')
    """

    needed: ClassVar[tuple[str, ...]] = ("beta", "at_node")
    compiled_method: ClassVar[str] = "beta"

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:
        """The weight of AMAF, given the node's visits and both tallies, neither empty."""
        raise NotImplementedError(f"{type(self).__name__} has no formula")

    def at_node(
        self,
        total: int,  # noqa: ARG002
        own: Sequence[Tally],  # noqa: ARG002
        amaf: Sequence[Tally],  # noqa: ARG002
    ) -> AtNode:
        """The schedule for the moves of a node, whose tallies it may all look at: itself.

        What is returned is asked for the beta of each move that has been tried, with the same
        tallies. A schedule of your own that is compiled sees one move at a time.
        """
        return self

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:
        """beta with its numbers."""
        return figure(self.beta(total, own, amaf))


@dataclass(frozen=True)
class hand(Schedule):  # noqa: N801 (values of the grammar have lower-case names)
    """The hand-selected schedule: beta = sqrt(k / (3 N + k)), 1/2 at N = k.

    Gelly and Silver 2007. Robust, and blind to how good the AMAF values are.

    >>> from sylve.schedules import Tally, hand
    >>> own, amaf = Tally(visits=10, wins=6), Tally(visits=90, wins=50)
    >>> round(hand(k=1000).beta(100, own, amaf), 3)
    0.877
    """

    k: float = 1000.0

    def __post_init__(self) -> None:
        number(self, "k", 0.001)

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:  # noqa: ARG002
        """sqrt(k / (3 N + k))."""
        return sqrt(self.k / (3.0 * total + self.k))

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:  # noqa: ARG002
        """sqrt(k / (3 N + k))."""
        return f"sqrt({figure(self.k)} / (3 * {total} + {figure(self.k)}))"


@dataclass(frozen=True)
class bias(Schedule):  # noqa: N801
    """The minimum-error schedule with a constant bias: beta = n~ / (n + n~ + 4 n n~ b^2).

    Gelly and Silver 2011, equation 12 with the variance of a fair coin.

    >>> from sylve.schedules import Tally, bias
    >>> own, amaf = Tally(visits=10, wins=6), Tally(visits=90, wins=50)
    >>> round(bias(0.1).beta(100, own, amaf), 3)
    0.662
    """

    b: float = 0.1

    def __post_init__(self) -> None:
        number(self, "b", 0.0)

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:  # noqa: ARG002
        """n~ / (n + n~ + 4 n n~ b^2)."""
        n, m = float(own.visits), float(amaf.visits)
        return m / (n + m + 4.0 * n * m * self.b * self.b)

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:  # noqa: ARG002
        """n~ / (n + n~ + 4 n n~ b^2)."""
        n, m, b = own.visits, amaf.visits, figure(self.b)
        return f"{m} / ({n} + {m} + 4 * {n} * {m} * {b} * {b})"


@dataclass(frozen=True)
class slides(Schedule):  # noqa: N801
    """The schedule of Cazenave's course slides: beta = n~ / (n + n~ + b n n~), b = 1e-5.

    The same as `bias(sqrt(b) / 2)`: AMAF is trusted for a long time.

    >>> from sylve.schedules import Tally, slides
    >>> own, amaf = Tally(visits=10, wins=6), Tally(visits=90, wins=50)
    >>> round(slides().beta(100, own, amaf), 3)
    0.9
    """

    b: float = 1e-5

    def __post_init__(self) -> None:
        number(self, "b", 0.0)

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:  # noqa: ARG002
        """n~ / (n + n~ + b n n~)."""
        n, m = float(own.visits), float(amaf.visits)
        return m / (n + m + self.b * n * m)

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:  # noqa: ARG002
        """n~ / (n + n~ + b n n~)."""
        n, m = own.visits, amaf.visits
        return f"{m} / ({n} + {m} + {figure(self.b)} * {n} * {m})"


@dataclass(frozen=True)
class course(Schedule):  # noqa: N801
    """The heuristic of the course's document 002: beta = n~ / (n + n~ + 4 n^2 n~).

    It falls much faster than the others: AMAF only breaks the first ties.

    >>> from sylve.schedules import Tally, course
    >>> own, amaf = Tally(visits=10, wins=6), Tally(visits=90, wins=50)
    >>> round(course().beta(100, own, amaf), 3)
    0.002
    """

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:  # noqa: ARG002
        """n~ / (n + n~ + 4 n^2 n~)."""
        n, m = float(own.visits), float(amaf.visits)
        return m / (n + m + 4.0 * n * n * m)

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:  # noqa: ARG002
        """n~ / (n + n~ + 4 n^2 n~)."""
        n, m = own.visits, amaf.visits
        return f"{m} / ({n} + {m} + 4 * {n} * {n} * {m})"


@dataclass(frozen=True)
class fixed(Schedule):  # noqa: N801
    """A constant: beta = b. 0 is Monte Carlo alone, 1 is AMAF alone (document 002).

    The bias of AMAF never goes, as in `AmafUct`, which differs in that it tries every move first.

    >>> from sylve.schedules import Tally, fixed
    >>> own, amaf = Tally(visits=10, wins=6), Tally(visits=90, wins=50)
    >>> round(fixed(0.5).beta(100, own, amaf), 3)
    0.5
    """

    b: float = 0.5

    def __post_init__(self) -> None:
        number(self, "b", 0.0, 1.0)

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:  # noqa: ARG002
        """The constant."""
        return self.b

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:  # noqa: ARG002
        """The constant."""
        return figure(self.b)


@dataclass(frozen=True)
class mse(Schedule):  # noqa: N801
    """The minimum of the squared error, from the move's own data: "adaptive RAVE" of document 002.

    beta = s^2 / (s^2 + s~^2 + b~^2): squared standard errors of both means and the squared bias,
    which is the squared difference of the means once both have 10 samples, and 0.1 before.
    (Document 002's code takes the variance of one sample, not of the mean: beta would then tend
    to 1/2.)

    >>> from sylve.schedules import Tally, mse
    >>> own, amaf = Tally(visits=10, wins=6), Tally(visits=90, wins=50)
    >>> round(mse().beta(100, own, amaf), 3)
    0.849
    """

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:  # noqa: ARG002
        """s^2 / (s^2 + s~^2 + b~^2)."""
        variance = squared_error(own)
        denominator = variance + squared_error(amaf) + squared_bias(own, amaf)
        return optimal_beta(variance, denominator)

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:  # noqa: ARG002
        """s^2 / (s^2 + s~^2 + b~^2); 1/2 where that is next to nothing."""
        variance, other, bias = squared_error(own), squared_error(amaf), squared_bias(own, amaf)
        if variance + other + bias <= LEAST:
            return "1/2"
        return f"{figure(variance)} / ({figure(variance)} + {figure(other)} + {figure(bias)})"


@dataclass(frozen=True)
class pooled(Schedule):  # noqa: N801
    """The minimum of the squared error, measured over all moves of the node; nothing to tune.

    Document 002's beta = s^2 / (s^2 + s~^2 + b~^2) takes both means for independent; but a move's
    own n samples are among its n~ of AMAF. So the formula is used for the k = n~ - n others, which
    are: with s^2 = V / n and s~^2 = V / k it gives beta = n~ / (n~ + r n k), where r = b^2 / V.
    Both b^2 and V belong to the node: V is the variance of its results, and b^2 the mean squared
    difference between the own mean of a move and that of the others, less what chance explains
    (random effects: DerSimonian and Laird 1986, without their common mean). Without a difference
    beyond chance r is 0, and AMAF is trusted; beta falls as n grows wherever there is one.

    >>> from sylve.schedules import Tally, pooled
    >>> own, amaf = Tally(visits=100, wins=60), Tally(visits=900, wins=450)
    >>> round(pooled().beta(100, own, amaf), 3)
    0.214
    """

    def at_node(self, total: int, own: Sequence[Tally], amaf: Sequence[Tally]) -> AtNode:  # noqa: ARG002
        """With r measured."""
        return Pooled(bias_ratio(own, amaf))

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:
        """That of a move without others."""
        return self.at_node(total, [own], [amaf]).beta(total, own, amaf)

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:
        """That of a move without others."""
        return self.at_node(total, [own], [amaf]).in_numbers(total, own, amaf)


@dataclass(frozen=True)
class Pooled:
    """`pooled` at a node: r is known."""

    r: float

    def beta(self, total: int, own: Tally, amaf: Tally) -> float:  # noqa: ARG002
        """n~ / (n~ + r n k); 0 without others."""
        k = others(own, amaf)
        if k <= 0.0:
            return 0.0
        return amaf.visits / (amaf.visits + self.r * own.visits * k)

    def in_numbers(self, total: int, own: Tally, amaf: Tally) -> str:  # noqa: ARG002
        """n~ / (n~ + r n k); 0 without others."""
        n, m = own.visits, amaf.visits
        if m <= n:
            return "0"
        return f"{m} / ({m} + {figure(self.r)} * {n} * {m - n})"


def others(own: Tally, amaf: Tally) -> float:
    """k: how many of the AMAF samples are not the move's own."""
    return float(amaf.visits) - float(own.visits)


def bias_ratio(own: Sequence[Tally], amaf: Sequence[Tally]) -> float:
    """r of `pooled`: the squared bias of AMAF over the moves of a node, in variances of a result.

    The difference of a move's two means, d = n~ (Q~ - Q) / k, has the variance V n~ / (n k), and
    the expected square b^2 more. So the sum of d^2 n k / n~ is V times the moves plus b^2 times
    the sum of n k / n~: solved for b^2 / V, not below 0.
    """
    wins = visits = 0.0
    moves = squares = weights = 0.0
    for first, second in zip(own, amaf, strict=True):
        if first.visits == 0:
            continue
        n, m, mean = float(first.visits), float(second.visits), first.mean()
        visits = visits + n
        wins = wins + n * mean
        k = others(first, second)
        if k > 0.0:
            difference = second.mean() - mean
            moves = moves + 1.0
            weights = weights + n * k / m
            squares = squares + n * m / k * (difference * difference)
    if moves == 0.0:
        return 0.0
    p = (wins + 1.0) / (visits + 2.0)  # smoothed: never 0 or 1
    excess = squares / (p * (1.0 - p)) - moves
    return excess / weights if excess > LEAST * weights else 0.0


def squared_error(tally: Tally) -> float:
    """The squared standard error of a mean; assumed below two samples."""
    return tally.variance_of_mean() if tally.visits >= 2 else NO_VARIANCE


def squared_bias(own: Tally, amaf: Tally) -> float:
    """The squared bias of AMAF: measured with enough samples of both, else assumed."""
    if own.visits < FEW or amaf.visits < FEW:
        return ASSUMED_BIAS
    difference = amaf.mean() - own.mean()
    return difference * difference


def optimal_beta(variance: float, denominator: float) -> float:
    """variance / denominator in [0, 1]; 1/2 where the denominator is next to nothing."""
    if denominator <= LEAST:
        return 0.5
    beta = variance / denominator
    return beta if beta < 1.0 else 1.0
