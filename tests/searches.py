"""The searches under test: every kind, and lists in which each argument has other values."""

from __future__ import annotations

from sylve import (
    AmafUct,
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Rave,
    Search,
    SequentialHalving,
    Ucb,
    Uct,
)
from sylve.policies import cut, decisive, mast, mix, weighted
from sylve.priors import heuristic, preferred
from sylve.rules import bayes, decaying_epsilon, discounted, epsilon, thompson, tuned, ucb1
from sylve.schedules import bias, course, fixed, hand, mse, pooled, slides
from sylve.search.reference.searches import TreeSearch
from sylve.search.text import SEARCHES

KINDS = list(SEARCHES.values())
TREE_KINDS = [kind for kind in KINDS if issubclass(kind, TreeSearch)]
CONVERGING_KINDS = [kind for kind in TREE_KINDS if kind is not AmafUct]
"""The weight of AMAF in `AmafUct` never falls: it may settle on a wrong move."""

WEIGHTS = " ".join(f"{code}:{code % 5}" for code in range(100))

# With this constant, and with priors of many wins, every move of a small position is tried often.
C = 2.0

EXPLORING: list[Search] = [
    Flat(),
    Flat(gamma=0.9),
    Flat(remainder="drop"),
    FlatAmaf(),
    *(
        Ucb(rule=rule)
        for rule in (
            ucb1(C),
            tuned(2 * C),
            bayes(40, 3),
            epsilon(0.5),
            decaying_epsilon(50),
            thompson(40, 3),
            discounted(0.95),
        )
    ),
    SequentialHalving(),
    *(Uct(rule=rule) for rule in (ucb1(C), tuned(2 * C), bayes(40, 3))),
    Uct(rule=ucb1(C), transpositions=False),
    Uct(rule=ucb1(C), expand=1),
    Rave(c=C, expand=1),
    Grave(c=C, expand=8),
    *(AmafUct(c=C, update=update) for update in ("course", "suffix")),
    *(
        Rave(schedule=s, c=C)
        for s in (hand(100), bias(), slides(), course(), fixed(0.3), mse(), pooled())
    ),
    *(Rave(schedule=s, c=C, update="suffix") for s in (slides(), mse(), pooled())),
    *(
        MultiScaleRave(by=by, update=update, c=C)
        for by in ("distance", "kind")
        for update in ("course", "suffix")
    ),
    MultiScaleRave(bands="1 3 6", c=C),
    *(Grave(reference=reference, c=C) for reference in (0, 10, 50)),
    Grave(update="suffix", schedule=hand(50), c=C),
    Grave(reference=10, schedule=pooled(), c=C),
    *(
        search
        for policy in (decisive(), mast(), weighted(WEIGHTS), mix(0.5, decisive(), mast()))
        for search in (
            Uct(playout=policy, rule=ucb1(C)),
            Rave(playout=policy, c=C),
            FlatAmaf(playout=policy),
        )
    ),
    Ucb(playout=mast(), rule=ucb1(C)),
    Grave(playout=mast(), update="suffix", c=C),
]
# These hardly explore, by design: a move that looks bad is not tried again.
GREEDY: list[Search] = [
    Ucb(rule=tuned(simple=True)),
    Ucb(rule=bayes(2, 3)),
    Ucb(rule=thompson()),
    Uct(rule=tuned(simple=True)),
    Uct(),
    Rave(),
    Rave(update="suffix", schedule=mse()),
    Rave(schedule=pooled()),
    Grave(schedule=pooled(), reference=10),
    MultiScaleRave(),
    Grave(),
    Grave(playout=decisive(), update="suffix", schedule=hand(50)),
]

# Few of each kind. `SHARED_TREES`: those that threads can search together; `SUMMED_ROOTS`: those
# whose counts add up.
SHARED_TREES: list[Search] = [
    Uct(), Uct(rule=bayes()), AmafUct(), Rave(), Rave(schedule=mse(), c=0.2, update="suffix"),
    Rave(schedule=pooled()), Grave(reference=5), Grave(schedule=pooled(), reference=10, c=0.2),
    Uct(transpositions=False), Uct(expand=1), Rave(expand=5),
]  # fmt: skip
TREES: list[Search] = [
    *SHARED_TREES, Uct(playout=mast()), Uct(batch=8), Grave(expand=9, batch=3),
    Uct(solver=False, playout=weighted("3:2 8:1")), MultiScaleRave(), MultiScaleRave(by="kind"),
    Grave(batch=7, playout=mast()), Rave(schedule=pooled(), batch=5),
]  # fmt: skip
SUMMED_ROOTS: list[Search] = [Flat(), FlatAmaf(), Ucb(), Ucb(rule=thompson())]
ROOTS: list[Search] = [
    *SUMMED_ROOTS, Flat(gamma=0.9), FlatAmaf(playout=mast()), Ucb(rule=discounted()),
    SequentialHalving(240), Ucb(playout=decisive()),
]  # fmt: skip

# An evaluation in the tree: each option by itself, then several together.
GUIDED_TREES: list[TreeSearch] = [
    *(kind(playout=cut(3)) for kind in TREE_KINDS),
    *(kind(implicit=0.4) for kind in TREE_KINDS),
    *(kind(prior=heuristic(5)) for kind in TREE_KINDS),
    *(kind(implicit=0.3, prior=heuristic(3), playout=cut(2)) for kind in TREE_KINDS),
    Uct(playout=cut()),
    Uct(playout=cut(2, scale=700, playout=mast())),
    Uct(playout=cut(40, playout=decisive())),
    Uct(implicit=1.0),
    Uct(implicit=0.2, scale=50.0, solver=False, rule=tuned()),
    Uct(rule=bayes(), prior=preferred(WEIGHTS), playout=cut(1)),
    Uct(implicit=0.4, playout=cut(4), batch=6, transpositions=False),
    Uct(implicit=0.7, prior=heuristic(3), playout=cut(), expand=1),
    Rave(implicit=0.7, playout=cut(1), expand=1, batch=5),
    Rave(c=0.3, schedule=mse(), prior=preferred(WEIGHTS, visits=3), batch=4),
    Rave(c=0.3, schedule=hand(20), update="suffix", implicit=0.5, prior=heuristic()),
    Grave(reference=4, c=0.2, playout=cut(2, playout=mast()), prior=heuristic(1)),
    MultiScaleRave(by="kind", c=0.2, prior=heuristic(2), playout=cut(3)),
]
GUIDED_ROOTS: list[Search] = [
    *(kind(playout=cut(2)) for kind in (Flat, FlatAmaf, Ucb)),
    SequentialHalving(240, playout=cut(3)),
    Flat(gamma=0.9, playout=cut()),
    FlatAmaf(playout=cut(5, playout=mast())),
    *(Ucb(rule=rule, playout=cut(1)) for rule in (tuned(), bayes(), thompson(), discounted())),
    Ucb(rule=epsilon(0.3), playout=cut(2, playout=weighted(WEIGHTS))),
]
GUIDED: list[Search] = [*GUIDED_TREES, *GUIDED_ROOTS]


def converging(c: float) -> list[TreeSearch]:
    """The searches that find the best move in the end, those with AMAF with this constant."""
    return [
        *(Uct(rule=rule) for rule in (ucb1(), tuned(), bayes())),
        *(Rave(c=c, schedule=s) for s in (slides(), hand(), bias(), course(), mse(), pooled())),
        Rave(c=c, update="suffix"),
        *(MultiScaleRave(c=c, by=by) for by in ("distance", "kind")),
        *(Grave(c=c, update=update) for update in ("course", "suffix")),
    ]


def short(how: Search) -> str:
    """A name for a test."""
    return str(how).replace(WEIGHTS, "...")
