"""Bandit rules: which move gets the next simulation. N is the node's visits, n the move's.

Every rule gives an unvisited move +infinity (first in order), `thompson` excepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from math import sqrt
from typing import ClassVar

from sylve.rng import Rng
from sylve.search.reference.arithmetic import ln_of, upper_quantile
from sylve.search.reference.in_numbers import figure, plus_exploration
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.values import NotGiven, Value, number


class Rule(Value):
    """A bandit rule.

    >>> from sylve import Position, Ucb, search
    >>> from sylve.rules import Rule, thompson
    >>> isinstance(thompson(), Rule)
    True
    >>> search(Position.start("tic_tac_toe"), Ucb(500, rule=thompson(), seed=1)).best_name
    'b2'
    """

    needed: ClassVar[tuple[str, ...]] = ("choose",)
    compiled_method: ClassVar[str] = "choose"
    """What `sylve.compiled` compiles."""

    def choose(self, total: int, tallies: Sequence[Tally], rng: Rng) -> int:
        """For rules of the user's own, in `Ucb` and `Bandit`: the place of the move to try.

        Given are the simulations so far and what is known of each move, also of untried ones.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rule")


class Index(Rule):
    """A rule that gives each move a score and takes the first maximum: these work in trees too.

    >>> from sylve import Position, Ucb, search
    >>> from sylve.rules import Index
    >>> class Greedy(Index):  # no exploration at all
    ...     def exploration(self, total, own):
    ...         return 0.0
    >>> report = search(Position.start("tic_tac_toe"), Ucb(500, rule=Greedy(), seed=1))
    >>> report.best_name, report.engine
    ('c3', 'python')
    """

    needed: ClassVar[tuple[str, ...]] = ("exploration",)
    compiled_method: ClassVar[str] = "exploration"

    def exploration(self, total: int, own: Tally) -> float:
        """What is added to the mean, given the node's visits and the move's tally."""
        raise NotImplementedError(f"{type(self).__name__} has no formula")

    def in_numbers(self, total: int, own: Tally) -> str:
        """The whole score with its numbers: the mean, and what is added to it."""
        return f"{figure(own.mean())} + {figure(self.exploration(total, own))}"


@dataclass(frozen=True)
class ucb1(Index):  # noqa: N801 (values of the grammar have lower-case names)
    """UCB1: mean + c sqrt(ln N / n).

    Auer, Cesa-Bianchi and Fischer 2002 prove logarithmic regret for c = sqrt 2; the course uses
    0.4, which explores less. Good everywhere; misleads where rewards are far from 0..1 or drift, as
    they do inside a tree. `cp=x` says the same in the constant of the UCT paper and of document
    003: mean + cp sqrt(2 ln N / n), thus c = x sqrt 2.

    >>> from sylve import Uct
    >>> from sylve.rules import Tally, ucb1
    >>> round(ucb1(c=0.4).exploration(100, Tally(visits=10, wins=6)), 3)
    0.271
    >>> ucb1(cp=1).c
    1.4142135623730951
    >>> print(Uct(2000, rule=ucb1(c=0.7)))
    uct(playouts=2000, rule=ucb1(c=0.7))
    """

    c: float = NotGiven(0.4)
    cp: InitVar[float | None] = field(default=None, kw_only=True)

    def __post_init__(self, cp: float | None) -> None:
        if cp is not None:
            if not isinstance(self.c, NotGiven):
                raise ValueError(
                    f"ucb1: give c or cp, not both (cp=x is c = x sqrt 2): c={self.c!r}, cp={cp!r}"
                )
            object.__setattr__(self, "c", cp)
            number(self, "c", 0.0, called="cp")
            object.__setattr__(self, "c", self.c * sqrt(2.0))
        number(self, "c", 0.0)

    def exploration(self, total: int, own: Tally) -> float:
        """c sqrt(ln N / n)."""
        return self.c * sqrt(ln_of(total) / own.visits)

    def in_numbers(self, total: int, own: Tally) -> str:
        """mean + c sqrt(ln N / n)."""
        return figure(own.mean()) + plus_exploration(self.c, total, own)


@dataclass(frozen=True)
class tuned(Index):  # noqa: N801
    """UCB1-Tuned: mean + c sqrt(ln N / n * min(1/4, V)), V = variance + sqrt(2 ln N / n).

    Auer, Cesa-Bianchi and Fischer 2002, section 4. Explores moves with a small variance less: good
    when some moves are clearly won or lost. `simple` leaves the second term of V out, as the
    course's document 003 prints it; then a move whose results are all equal is not explored.

    >>> from sylve.rules import Tally, tuned
    >>> round(tuned().exploration(100, Tally(visits=10, wins=6)), 3)
    0.339
    >>> round(tuned(simple=True).exploration(100, Tally(visits=10, wins=10)), 3)
    0.0
    """

    c: float = 1.0
    simple: bool = False

    def __post_init__(self) -> None:
        number(self, "c", 0.0)

    def exploration(self, total: int, own: Tally) -> float:
        """c sqrt(ln N / n * min(1/4, V))."""
        ratio = ln_of(total) / own.visits
        v = own.variance()
        if not self.simple:
            v = v + sqrt(2.0 * ratio)
        return self.c * sqrt(ratio * (v if v < 0.25 else 0.25))

    def in_numbers(self, total: int, own: Tally) -> str:
        """mean + c sqrt(ln N / n * min(1/4, V))."""
        ratio = f"ln {total} / {own.visits}"
        v = figure(own.variance()) + ("" if self.simple else f" + sqrt(2 {ratio})")
        return f"{figure(own.mean())} + {figure(self.c)} sqrt({ratio} * min(1/4, {v}))"


@dataclass(frozen=True)
class bayes(Index):  # noqa: N801
    """Bayes-UCB: the quantile 1 - 1/(N + 1) of the Beta posterior, as its mean + z sd.

    Kaufmann, Cappe and Garivier 2012, with the normal approximation of the quantile; a draw counts
    half a win and half a loss; `wins` and `losses` are the prior's. Good with few samples and a
    sensible prior; misleads when the prior is strong and wrong.

    >>> from sylve.rules import Tally, bayes
    >>> round(bayes().exploration(100, Tally(visits=10, wins=6)), 3)
    0.302
    >>> round(bayes(wins=20, losses=20).exploration(100, Tally(visits=10, wins=6)), 3)
    0.083
    """

    wins: float = 1.0
    losses: float = 1.0

    def __post_init__(self) -> None:
        number(self, "wins", 0.001)
        number(self, "losses", 0.001)

    def exploration(self, total: int, own: Tally) -> float:
        """Posterior mean + z sd - mean: what the rule adds to the observed mean."""
        a, b = posterior(self.wins, self.losses, own)
        both = a + b
        spread = sqrt(a * b / (both * both * (both + 1.0)))
        return a / both + upper_quantile(total + 1) * spread - own.mean()

    def in_numbers(self, total: int, own: Tally) -> str:
        """a / (a + b) + z sqrt(a b / ((a + b)^2 (a + b + 1))), the mean and sd of Beta(a, b)."""
        a, b = posterior(self.wins, self.losses, own)
        z, both, more = figure(upper_quantile(total + 1)), figure(a + b), figure(a + b + 1.0)
        spread = f"sqrt({figure(a)} * {figure(b)} / ({both} * {both} * {more}))"
        return f"{figure(a)} / {both} + {z} {spread}"


@dataclass(frozen=True)
class epsilon(Rule):  # noqa: N801
    """Epsilon-greedy: a random move with probability e, else the best mean.

    The simplest rule, and the one to beat. It never stops trying the worst moves as often as the
    second best, so that its regret is linear. At the root only.

    >>> from sylve import Position, Ucb, search
    >>> from sylve.rules import epsilon
    >>> how = Ucb(2000, rule=epsilon(0.1), seed=3)
    >>> search(Position.start("tic_tac_toe"), how).best_name
    'b2'
    """

    e: float = 0.1

    def __post_init__(self) -> None:
        number(self, "e", 0.0, 1.0)

    def rate(self, total: int, arms: int) -> float:  # noqa: ARG002 (the same call for both)
        """The probability of a random move."""
        return self.e

    def rate_in_numbers(self, total: int, arms: int) -> str:  # noqa: ARG002
        """e."""
        return figure(self.e)


@dataclass(frozen=True)
class decaying_epsilon(Rule):  # noqa: N801
    """Epsilon-greedy with e = min(1, c K / (d^2 N)), K moves.

    Auer, Cesa-Bianchi and Fischer 2002, section 3: logarithmic regret if d is not above the gap
    between the best two moves, which nobody knows beforehand. At the root only.

    >>> from sylve import Position, Ucb, search
    >>> from sylve.rules import decaying_epsilon
    >>> how = Ucb(2000, rule=decaying_epsilon(c=5, d=0.2), seed=3)
    >>> search(Position.start("tic_tac_toe"), how).best_name
    'b2'
    """

    c: float = 5.0
    d: float = 1.0

    def __post_init__(self) -> None:
        number(self, "c", 0.0)
        number(self, "d", 0.001, 1.0)

    def rate(self, total: int, arms: int) -> float:
        """The probability of a random move."""
        value = self.c * arms / (self.d * self.d * total) if total else 1.0
        return value if value < 1.0 else 1.0

    def rate_in_numbers(self, total: int, arms: int) -> str:
        """min(1, c K / (d^2 N))."""
        d = figure(self.d)
        return f"min(1, {figure(self.c)} * {arms} / ({d} * {d} * {total}))"


@dataclass(frozen=True)
class thompson(Rule):  # noqa: N801
    """Thompson sampling: a draw from each move's Beta posterior; the largest is tried.

    Thompson 1933. A draw of the game adds 1/2 to both parameters. Good in practice and without a
    constant to tune; random, so two runs with other seeds differ more. At the root only.

    >>> from sylve import Position, Ucb, search
    >>> from sylve.rules import thompson
    >>> how = Ucb(2000, rule=thompson(), seed=3)
    >>> search(Position.start("tic_tac_toe"), how).best_name
    'b2'
    """

    wins: float = 1.0
    losses: float = 1.0

    def __post_init__(self) -> None:
        number(self, "wins", 0.5)
        number(self, "losses", 0.5)

    def in_numbers(self, own: Tally) -> str:
        """The distribution that the draw is from."""
        a, b = posterior(self.wins, self.losses, own)
        return f"a draw from Beta({figure(a)}, {figure(b)})"


@dataclass(frozen=True)
class discounted(Rule):  # noqa: N801
    """Discounted UCB: tallies multiplied by gamma at each step, so that recent results weigh more.

    Kocsis and Szepesvari 2006; Garivier and Moulines 2011. score = mean + c sqrt(ln N / n) of the
    discounted tallies (ln N not below 0). Good when the value of a move drifts; with a fixed value
    it only forgets. At the root only.

    >>> from sylve import Position, Ucb, search
    >>> from sylve.rules import discounted
    >>> how = Ucb(2000, rule=discounted(gamma=0.999), seed=3)
    >>> search(Position.start("tic_tac_toe"), how).best_name
    'b2'
    """

    gamma: float = 0.99
    c: float = 0.4

    def __post_init__(self) -> None:
        number(self, "gamma", 0.001, 1.0)
        number(self, "c", 0.0)

    def in_numbers(self, total: float, points: float, weight: float) -> str:
        """points / n + c sqrt(ln N / n), of the discounted tallies."""
        log = f"ln {figure(total)}" if total > 1.0 else "0"
        return (
            f"{figure(points)} / {figure(weight)} + {figure(self.c)} sqrt({log} / {figure(weight)})"
        )


def posterior(wins: float, losses: float, own: Tally) -> tuple[float, float]:
    """The parameters of the Beta distribution of a move's value, given those of the prior.

    A draw is half a win and half a loss, a real result so much of a win and the rest of a loss.
    """
    parts = own.parts / UNIT
    a = wins + own.wins + 0.5 * own.draws + parts
    b = losses + (own.visits - own.wins - own.draws) + 0.5 * own.draws - parts
    return a, b
