"""The searches, as data: frozen, comparable, one word on the command line.

Rave(10_000, schedule=slides(1e-5), seed=1)      rave(10000, schedule=slides(1e-5), seed=1)
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar, Literal

from sylve.search.budget import PLAYOUTS, Limits
from sylve.search.reference.policies import Policy, uniform
from sylve.search.reference.priors import Prior, check_evaluations
from sylve.search.reference.rules import Index, Rule, ucb1
from sylve.search.reference.schedules import Schedule, slides
from sylve.search.values import choice, kind, number, shown, whole

Update = Literal["course", "suffix"]
"""Which moves of a simulation count for the AMAF of a node: all of them, as in the course's code,
or those from the node on, as in Gelly and Silver."""


MOST_SOLVER_NODES = 10_000_000
"""A few seconds: a search cannot be interrupted meanwhile."""
MOST_SOLVER_RATE = 10_000  # nodes a visit
MOST_EXPAND = 1_000_000
MOST_WAITING = 1024  # descents of a batch


@dataclass(frozen=True)
class Search(Limits):
    """What every search has: what ends it, and the following.

    >>> from sylve import Grave, Search, Uct
    >>> isinstance(Uct(1000), Search)
    True
    >>> print(Grave(5000, seed=7))
    grave(playouts=5000, seed=7)
    """

    _: KW_ONLY
    seed: int = 0
    """The same seed gives the same result, in both engines."""
    playout: Policy = field(default_factory=uniform)
    """How a simulation goes on once it has left the tree."""
    amaf: ClassVar[bool] = True
    """Whether it goes by results of AMAF codes."""

    @property
    def coded(self) -> bool:
        """Whether it or its playouts want AMAF codes."""
        return self.amaf or self.playout.coded

    @property
    def learns(self) -> bool:
        """Whether its playouts look at the results of codes, which belong to the search then."""
        return self.playout.coded and self.playout.learns

    @property
    def real(self) -> bool:
        """Whether its results are real numbers, since its playouts may be cut."""
        return self.playout.real

    def rounded(self, playouts: int, moves: int) -> int:  # noqa: ARG002 (Flat)
        """How many of so many playouts are made, with so many moves at the root."""
        return playouts

    def __post_init__(self) -> None:
        self.check_limits()
        if self.playouts is None and not self.limited:
            object.__setattr__(self, "playouts", PLAYOUTS)
        whole(self, "seed", 0, (1 << 64) - 1)
        kind(self, "playout", (Policy,))


# Root searches: no tree, the moves of the position are the arms of a bandit.


@dataclass(frozen=True)
class RootSearch(Search):
    """What the root searches share."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_run(self)

    def check_run(self, limits: Limits) -> None:
        """Refuse limits that can never be reached."""
        if limits.nodes is not None:
            raise ValueError(f"{self.name()}: nodes cannot end it: it has no tree")


@dataclass(frozen=True)
class Flat(RootSearch):
    """Flat Monte Carlo: every move gets the same number of playouts; the best mean wins.

    Document 001. mean = results / playouts. `gamma` below 1 gives recent playouts more weight
    ("progressive weighting"); `remainder="drop"` leaves out what does not divide evenly, as the
    course's code does. A good yardstick, easily made parallel. It converges to the move that is
    best against random play, which is often not the best move.

    >>> from sylve import Flat, Position, search
    >>> report = search(Position.start("tic_tac_toe"), Flat(900, seed=1))
    >>> report["b2"].visits, report.best_name
    (100, 'b2')
    """

    amaf: ClassVar[bool] = False
    _: KW_ONLY
    gamma: float = 1.0
    remainder: Literal["spread", "drop"] = "spread"

    def rounded(self, playouts: int, moves: int) -> int:
        """What does not divide evenly is dropped, where that is asked for."""
        return playouts - playouts % moves if self.remainder == "drop" else playouts

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self, "gamma", 0.001, 1.0)
        choice(self, "remainder", ("spread", "drop"))

    def check_run(self, limits: Limits) -> None:
        """With gamma, nothing is ever settled."""
        super().check_run(limits)
        if limits.settled and self.gamma != 1.0:
            raise ValueError("flat: settled needs gamma=1: later playouts may outweigh all others")


@dataclass(frozen=True)
class FlatAmaf(RootSearch):
    """All moves as first: playouts from the position; a code counts wherever it was played.

    Documents 000 and 001; Bruegmann 1993. Q~ = mean result of the simulations that contain the
    code; moves never seen are 1/2. Many samples from few playouts; misled where the moment matters
    (captures, defences, forced replies).

    >>> from sylve import FlatAmaf, Position, search
    >>> report = search(Position.start("tic_tac_toe"), FlatAmaf(900, seed=1))
    >>> report["b2"].amaf_visits, report.best_name
    (433, 'b2')
    """


@dataclass(frozen=True)
class Ucb(RootSearch):
    """A bandit at the root: each playout goes to the move that the rule chooses.

    Document 003. The most visited move wins. It spends its playouts on the good moves, but like
    `Flat` it never looks at a reply, and converges to the move that is best against random play.

    >>> from sylve import Position, Ucb, search
    >>> from sylve.rules import tuned
    >>> report = search(Position.start("tic_tac_toe"), Ucb(900, seed=1, rule=tuned()))
    >>> report["b2"].visits, report.best_name
    (442, 'b2')
    """

    amaf: ClassVar[bool] = False
    _: KW_ONLY
    rule: Rule = field(default_factory=ucb1)

    def __post_init__(self) -> None:
        super().__post_init__()
        kind(self, "rule", (Rule,))


@dataclass(frozen=True)
class SequentialHalving(RootSearch):
    """Rounds of equal shares; after each, the worse half of the moves is dropped.

    Karnin, Koren and Somekh 2013: made to find the best arm with a fixed budget, not to earn while
    looking. No constant to tune; the budget must be known beforehand. Limits as for `Ucb`.

    >>> from sylve import Position, SequentialHalving, search
    >>> report = search(Position.start("tic_tac_toe"), SequentialHalving(900, seed=1))
    >>> report.best_name, report["b2"].visits, report["a2"].visits
    ('b2', 258, 25)
    """

    amaf: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.playouts is None:
            raise ValueError("sequential_halving: playouts must be given: its rounds divide them")

    def check_run(self, limits: Limits) -> None:
        """The last round may turn everything round."""
        super().check_run(limits)
        if limits.settled:
            raise ValueError("sequential_halving: settled cannot end it: its last round decides")


# Tree searches: one loop (descend, playout, update), one formula each.


@dataclass(frozen=True)
class TreeSearch(Search):
    """What the tree searches share.

    An evaluation can guide each of them. Implicit minimax backups (Lanctot, Winands, Pepels and
    Sturtevant 2014): score = (1 - alpha) Q + alpha v + exploration, where v is the minimax value of
    the tree below a move, whose leaves were evaluated. A prior (Gelly and Silver 2007): the moves
    of a new node begin with virtual visits.

    >>> from sylve import Position, Uct, search
    >>> from sylve.priors import heuristic
    >>> how = Uct(300, implicit=0.4, prior=heuristic(5), seed=1)
    >>> report = search(Position.start("breakthrough(columns=5, rows=5)"), how)
    >>> report.best_name, round(report[report.best].implicit, 3)
    ('b2-a3', 0.437)
    >>> print(how)
    uct(playouts=300, seed=1, implicit=0.4, prior=heuristic(visits=5))
    """

    _: KW_ONLY
    transpositions: bool = True
    """Whether a position reached in two ways is one node."""
    solver: bool = True
    """Whether ends of the game found in the tree prove moves and positions. Never in Go."""
    solver_nodes: int = 0
    """The tree ends at positions that the exact solver decides within so many nodes; 0: never."""
    solver_rate: int = 0
    """At 16, 64, 256, ... visits a position is given to the solver again, with so many nodes a
    visit: the more a search goes by a position, the harder it tries to prove it; 0: never."""
    expand: int = 2
    """At which visit a position gets its node. With 1 each simulation adds one, and its playout
    begins after the first choice there."""
    batch: int = 1
    """How many descents wait for each other, each seeing the others as losses; at most 1024 do."""
    implicit: float = 0.0
    """alpha, the weight of minimax values; 0: there are none."""
    prior: Prior | None = None
    """What the moves of a new node begin with."""
    evaluation: str = ""
    """For `implicit` and the prior `heuristic`; "" is the first of the game."""
    scale: float = 0.0
    """The score whose value is 0.73, in thousandths; 0: that of the evaluation."""

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self, "expand", 1, MOST_EXPAND)
        whole(self, "batch", 1, 65_536)
        number(self, "implicit", 0.0, 1.0)
        check_evaluations(self)
        whole(self, "solver_nodes", 0, MOST_SOLVER_NODES)
        whole(self, "solver_rate", 0, MOST_SOLVER_RATE)
        if self.asks_solver and not self.solver:
            raise ValueError(
                f"{self.name()}: {self.asks_solver} needs solver=true: it gives proofs"
            )

    @property
    def coded(self) -> bool:
        """Whether it, its playouts or its prior want AMAF codes."""
        return super().coded or (self.prior is not None and self.prior.coded)

    @property
    def asks_solver(self) -> str:
        """By which argument it asks the exact solver, if it does."""
        if self.solver_nodes:
            return "solver_nodes"
        return "solver_rate" if self.solver_rate else ""

    @property
    def evaluates(self) -> bool:
        """Whether it looks at an evaluation of new nodes."""
        return self.implicit > 0.0 or (self.prior is not None and self.prior.evaluates)

    @property
    def waiting(self) -> int:
        """The size of a batch: more than 1024 descents never wait."""
        return min(self.batch, MOST_WAITING)


@dataclass(frozen=True)
class Uct(TreeSearch):
    """UCT: the bandit rule at every node of a growing tree. score = mean + exploration.

    Kocsis and Szepesvari 2006; UCB1 with c = 0.4 as in the course. Converges to the best move; slow
    to see traps that take a precise sequence of moves.

    >>> from sylve import Position, Uct, search
    >>> position = Position.start("tic_tac_toe").play_line("b2 a1 c1")
    >>> report = search(position, Uct(1000, seed=1))
    >>> report.best_name, report["a3"].proven
    ('a3', 'draw')
    """

    amaf: ClassVar[bool] = False
    _: KW_ONLY
    rule: Index = field(default_factory=ucb1)

    def __post_init__(self) -> None:
        super().__post_init__()
        kind(self, "rule", (Index,))


@dataclass(frozen=True)
class AmafSearch(TreeSearch):
    """What the tree searches with AMAF share."""

    _: KW_ONLY
    c: float = 0.0
    """The constant of c sqrt(ln N / n); 0: AMAF alone explores, as Gelly and Silver found best."""
    update: Update = "course"

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self, "c", 0.0)
        choice(self, "update", ("course", "suffix"))


@dataclass(frozen=True)
class AmafUct(AmafSearch):
    """Alpha-AMAF: score = alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n).

    Helmbold and Parker-Wood 2009. The weight of AMAF never falls, so that its bias never goes: it
    can settle on a wrong move however long it runs. For comparison with RAVE.

    >>> from sylve import AmafUct, Position, search
    >>> report = search(Position.start("hex(size=4)"), AmafUct(500, alpha=0.5, seed=1))
    >>> report.best_name
    'd1'
    """

    _: KW_ONLY
    alpha: float = 0.5
    c: float = 0.4

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self, "alpha", 0.0, 1.0)


@dataclass(frozen=True)
class Rave(AmafSearch):
    """RAVE: score = (1 - beta) Q + beta Q~ + c sqrt(ln N / n), beta falling as visits come in.

    Gelly and Silver 2007, 2011; document 002. Strong with few simulations and many moves (Go, Hex);
    on small boards with thousands of simulations plain UCT is as good or better.

    >>> from sylve import Position, Rave, search
    >>> from sylve.schedules import bias
    >>> report = search(Position.start("hex(size=4)"), Rave(500, schedule=bias(0.05), seed=1))
    >>> report.best_name, round(report["b3"].beta, 2)
    ('c2', 0.73)
    """

    _: KW_ONLY
    schedule: Schedule = field(default_factory=slides)

    def __post_init__(self) -> None:
        super().__post_init__()
        kind(self, "schedule", (Schedule,))


@dataclass(frozen=True)
class MultiScaleRave(AmafSearch):
    """RAVE with several AMAF values a move, each with its own weight (document 002, extensions).

    `by="distance"` splits the tallies by how many plies after the node the move came, at the
    distances in `bands` ("2 8": 0-1, 2-7, 8 and more). `by="kind"` measures the bias for each kind
    of move that the game knows (Breakthrough: its five gestures). The estimates are weighted by the
    inverse of their squared errors, which is the minimum for independent ones; see `schedules.mse`.
    Experimental: nobody has published how well it does.

    >>> from sylve import MultiScaleRave, Position, search
    >>> position = Position.start("breakthrough(columns=5, rows=5)")
    >>> search(position, MultiScaleRave(500, by="kind", seed=1)).best_name
    'd2-e3'
    """

    _: KW_ONLY
    by: Literal["distance", "kind"] = "distance"
    bands: str = "2 8"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "by", ("distance", "kind"))
        _ = self.limits

    @property
    def limits(self) -> tuple[int, ...]:
        """The distances at which a new band begins."""
        words = self.bands.split() if isinstance(self.bands, str) else ["?"]
        numbers = [int(word) for word in words if re.fullmatch("[0-9]{1,5}", word)]
        if len(numbers) != len(words) or numbers != sorted(set(numbers)) or len(words) > 7:
            raise ValueError(
                "multi_scale_rave: bands must be up to seven increasing distances such as '2 8',"
                f" not {shown(self.bands)}"
            )
        return tuple(number for number in numbers if number > 0)


@dataclass(frozen=True)
class Grave(AmafSearch):
    """GRAVE: RAVE with the AMAF values of the closest ancestor with more than `reference` playouts.

    Cazenave 2015. Nodes with few playouts borrow better statistics from above: better than RAVE in
    most games that were tried. A node keeps AMAF values from reference / 2 playouts on.

    >>> from sylve import Grave, Position, search
    >>> search(Position.start("hex(size=4)"), Grave(500, reference=20, seed=1)).best_name
    'a3'
    """

    _: KW_ONLY
    reference: int = 50
    schedule: Schedule = field(default_factory=slides)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self, "reference", 0, 1 << 31)
        kind(self, "schedule", (Schedule,))
