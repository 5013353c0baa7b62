"""When enough is known: the limits that look at the moves' results.

They are looked at after fixed numbers of simulations (`next_look`), never by the clock, so that
both engines end at the same simulation. docs/searcher.md defines and explains them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from sylve.search.budget import Budget
from sylve.search.confidence import FEW, careful_error
from sylve.search.reference.arithmetic import ln
from sylve.search.reference.searches import Flat, FlatAmaf, Search
from sylve.search.reference.tally import Tally
from sylve.search.reports.report import Counts

FIRST_LOOK = 64
LOOKS_PER_DOUBLING = 16
SPREAD_LOOKS = 10
"""Document 003's "last k reports": at 16 looks for each doubling, the last third of the search."""
MIXTURE = 100.0
"""Where the bound of `radius` is tightest: at some hundreds of visits. Any number is valid."""


def next_look(simulations: int) -> int:
    """The first number of simulations, after this one, at which the results are looked at.

    >>> [next_look(n) for n in (0, 64, 127, 128, 2048)]
    [64, 68, 128, 136, 2176]
    """
    if simulations < FIRST_LOOK:
        return FIRST_LOOK
    step = (1 << (simulations.bit_length() - 1)) // LOOKS_PER_DOUBLING
    return simulations - simulations % step + step


class Results(NamedTuple):
    """What the limits go by."""

    order: Sequence[int]
    """The indices of the moves, best first."""
    tallies: Sequence[Tally]
    """By move: the results that the answer rests on."""


def results(
    how: Search, order: Sequence[int], counts: Sequence[tuple[Counts, Counts | None]]
) -> Results:
    """Of a search: the results of each move; `flat_amaf` goes by those of AMAF."""
    amaf = isinstance(how, FlatAmaf)
    chosen = [other if amaf and other is not None else own for own, other in counts]
    return Results(order, [Tally(*one) for one in chosen])


class Judge:
    """Looks at the results again and again, and says when a limit is reached."""

    def __init__(self, budget: Budget, how: Search) -> None:
        self.budget = budget
        self.how = how
        self.means: deque[list[float | None]] = deque(maxlen=SPREAD_LOOKS)
        self.looks = budget.settled or any(
            limit is not None for limit in (budget.stderr, budget.spread, budget.confidence)
        )
        """Whether it needs to."""

    def verdict(self, found: Results, left: float | None) -> str | None:
        """The limit that is reached, if any; `left`: simulations until the budget ends."""
        budget = self.budget
        best = found.tallies[found.order[0]]
        if budget.settled and left is not None and is_settled(self.how, found, left):
            return "settled"
        if budget.stderr is not None and best.visits >= FEW:
            error = best.stderr()
            if error is not None and careful_error(error, best.visits) <= budget.stderr:
                return "stderr"
        if budget.spread is not None:
            self.means.append([t.mean() if t.visits else None for t in found.tallies])
            if len(self.means) == SPREAD_LOOKS and spread(self.means) <= budget.spread:
                return "spread"
        if budget.confidence is not None and is_identified(found, budget.confidence):
            return "confidence"
        return None


def is_settled(how: Search, found: Results, left: float) -> bool:
    """Whether `left` more simulations cannot give another best move."""
    best = found.tallies[found.order[0]]
    others = [found.tallies[index] for index in found.order[1:]]
    if not isinstance(how, Flat | FlatAmaf):
        return all(best.visits - other.visits > left for other in others)
    # The best mean wins: let every simulation that is left go against the best move. In `flat` each
    # move gets its share of them; in `flat_amaf` all may contain a move or none.
    share = left / len(found.tallies) + 1.0 if isinstance(how, Flat) else left
    if any(tally.visits == 0 for tally in found.tallies):
        return False
    worst = best.mean() * best.visits / (best.visits + share)
    return all(
        worst > (other.mean() * other.visits + share) / (other.visits + share) for other in others
    )


def spread(means: Sequence[Sequence[float | None]]) -> float:
    """The largest standard deviation of a move's mean over the looks; infinite if one is new."""
    largest = 0.0
    for column in zip(*means, strict=True):
        values = [value for value in column if value is not None]
        if not values:
            continue  # never tried: nothing that could move
        if len(values) < len(column):
            return float("inf")
        middle = 0.0
        for value in values:
            middle += value / len(values)
        square = 0.0
        for value in values:
            square += (value - middle) * (value - middle) / len(values)
        largest = max(largest, sqrt(square))
    return largest


def is_identified(found: Results, confidence: float) -> bool:
    """Whether the best move's lower bound is above every other move's upper bound."""
    best, *others = (found.tallies[index] for index in found.order)
    if best.visits == 0 or any(other.visits == 0 for other in others):
        return False
    error = (1.0 - confidence) / len(found.tallies)
    low = best.mean() - radius(best.visits, error)
    return all(low > other.mean() + radius(other.visits, error) for other in others)


def radius(visits: int, error: float) -> float:
    """How far the mean of results from 0 to 1 may be off, at all times at once, but for `error`.

    Robbins' normal mixture for sub-Gaussian sums (Robbins 1970; Howard, Ramdas, McAuliffe and
    Sekhon 2021): with probability 1 - error, for every n, |mean - expectation| <= sigma
    sqrt((n + m) ln((n + m) / (m error^2))) / n. Results from 0 to 1 have sigma = 1/2 (Hoeffding).
    """
    n = float(visits)
    inside = (n + MIXTURE) * ln((n + MIXTURE) / (MIXTURE * error * error))
    return 0.5 * sqrt(inside) / n
