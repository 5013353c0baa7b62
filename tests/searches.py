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
from sylve.policies import decisive, mast, weighted
from sylve.rules import bayes, decaying_epsilon, discounted, epsilon, thompson, tuned, ucb1
from sylve.schedules import bias, course, fixed, hand, mse, slides
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
    *(AmafUct(c=C, update=update) for update in ("course", "suffix")),
    *(Rave(schedule=s, c=C) for s in (hand(100), bias(), slides(), course(), fixed(0.3), mse())),
    *(Rave(schedule=s, c=C, update="suffix") for s in (slides(), mse())),
    *(
        MultiScaleRave(by=by, update=update, c=C)
        for by in ("distance", "kind")
        for update in ("course", "suffix")
    ),
    MultiScaleRave(bands="1 3 6", c=C),
    *(Grave(reference=reference, c=C) for reference in (0, 10, 50)),
    Grave(update="suffix", schedule=hand(50), c=C),
    *(
        search
        for policy in (decisive(), mast(), weighted(WEIGHTS))
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
    MultiScaleRave(),
    Grave(),
    Grave(playout=decisive(), update="suffix", schedule=hand(50)),
]

# Few of each kind. `SHARED_TREES`: those that threads can search together; `SUMMED_ROOTS`: those
# whose counts add up.
SHARED_TREES: list[Search] = [
    Uct(), Uct(rule=bayes()), AmafUct(), Rave(), Rave(schedule=mse(), c=0.2, update="suffix"),
    Grave(reference=5), Uct(transpositions=False),
]  # fmt: skip
TREES: list[Search] = [
    *SHARED_TREES, Uct(playout=mast()), Uct(batch=8),
    Uct(solver=False, playout=weighted("3:2 8:1")), MultiScaleRave(), MultiScaleRave(by="kind"),
    Grave(batch=7, playout=mast()),
]  # fmt: skip
SUMMED_ROOTS: list[Search] = [Flat(), FlatAmaf(), Ucb(), Ucb(rule=thompson())]
ROOTS: list[Search] = [
    *SUMMED_ROOTS, Flat(gamma=0.9), FlatAmaf(playout=mast()), Ucb(rule=discounted()),
    SequentialHalving(240), Ucb(playout=decisive()),
]  # fmt: skip


def converging(c: float) -> list[TreeSearch]:
    """The searches that find the best move in the end, those with AMAF with this constant."""
    return [
        *(Uct(rule=rule) for rule in (ucb1(), tuned(), bayes())),
        *(Rave(c=c, schedule=s) for s in (slides(), hand(), bias(), course(), mse())),
        Rave(c=c, update="suffix"),
        *(MultiScaleRave(c=c, by=by) for by in ("distance", "kind")),
        *(Grave(c=c, update=update) for update in ("course", "suffix")),
    ]


def short(how: Search) -> str:
    """A name for a test."""
    return str(how).replace(WEIGHTS, "...")
