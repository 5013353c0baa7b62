"""The compiled parts of searches under test, and some in which faults are planted."""

from math import inf, nan, sqrt

import sylve
from sylve.policies import Policy
from sylve.rules import Index, Rule, ln_of
from sylve.schedules import Schedule
from sylve.search.reference.arithmetic import uniform


@sylve.compiled
class Ucb1(Index):
    """`ucb1` again."""

    c: float = 0.4

    def exploration(self, total, own):
        return self.c * sqrt(ln_of(total) / own.visits)


@sylve.compiled
class Tuned(Index):
    """`tuned` again."""

    c: float = 1.0

    def exploration(self, total, own):
        ratio = ln_of(total) / own.visits
        v = own.variance() + sqrt(2.0 * ratio)
        return self.c * sqrt(ratio * (v if v < 0.25 else 0.25))


@sylve.compiled
class Below(Index):
    """Scores of which some or all are negative, large or next to nothing."""

    less: float = 1.5
    times: float = 1.0

    def exploration(self, total, own):
        return self.times * (1.0 / own.visits - self.less)


@sylve.compiled
class Slides(Schedule):
    """`slides` again."""

    b: float = 1e-5

    def beta(self, total, own, amaf):
        n, m = own.visits, amaf.visits
        return m / (n + m + self.b * n * m)


@sylve.compiled
class Errors(Schedule):
    """As `mse`, with both tallies."""

    def beta(self, total, own, amaf):
        if own.visits < 2 or amaf.visits < 2:
            return 1
        one, other = own.variance_of_mean(), amaf.variance_of_mean()
        bias = amaf.mean() - own.mean()
        return one / (one + other + bias * bias + 1e-9)


@sylve.compiled
class Uniform(Policy):
    """`uniform` again: it looks at nothing."""

    coded = False
    learns = False

    def pick(self, moves, codes, tallies, rng):
        return rng.below(len(moves))


@sylve.compiled
class Even(Policy):
    """Moves with an even code, if there are some."""

    learns = False

    def pick(self, moves, codes, tallies, rng):
        count = 0
        for code in codes:
            count += code % 4 < 2
        left = rng.below(count if count else len(moves))
        for place in range(len(moves)):
            if count == 0 or codes[place] % 4 < 2:
                if left == 0:
                    return place
                left -= 1
        return 0


@sylve.compiled
class Mast(Policy):
    """`mast` again."""

    epsilon: float = 0.4

    def pick(self, moves, codes, tallies, rng):
        if uniform(rng) < self.epsilon:
            return rng.below(len(moves))
        best, best_mean = 0, -1.0
        for place, tally in enumerate(tallies):
            mean = tally.mean() if tally.visits else 0.5
            if mean > best_mean:
                best, best_mean = place, mean
        return best


@sylve.compiled
class Softer(Rule):
    """The best mean, or by the toss of a coin another move."""

    rate: float = 0.3

    def choose(self, total, tallies, rng):
        for place, tally in enumerate(tallies):
            if tally.visits == 0:
                return place
        if rng.next() % 2 == 0 and uniform(rng) < self.rate:
            return rng.below(len(tallies))
        best = 0
        for place in range(len(tallies)):
            if tallies[place].mean() > tallies[best].mean():
                best = place
        return best


# The values of `fault`.
NONE, RAISE, NAN, INF, LARGE, NEGATIVE, DIVIDE = range(7)


def answer_of(fault, good):
    """The answer with this fault."""
    if fault == RAISE:
        raise ArithmeticError("planted")
    if fault == NAN:
        return nan
    if fault == INF:
        return inf
    if fault == LARGE:
        return 1.5
    if fault == NEGATIVE:
        return -0.5
    return good


def place_of(fault, count):
    """The place with this fault."""
    if fault == RAISE:
        raise ArithmeticError("planted")
    if fault == LARGE:
        return count
    return -1 if fault == NEGATIVE else count // 2


@sylve.compiled
class PlantedRule(Index):
    """From `after` visits on, something is wrong."""

    fault: int = NONE
    after: int = 3

    def exploration(self, total, own):
        if self.fault == DIVIDE:
            return 1.0 / (own.visits - own.visits)
        return answer_of(self.fault, 1.0) if total >= self.after else 1.0


@sylve.compiled
class PlantedSchedule(Schedule):
    """From `after` visits on, something is wrong."""

    fault: int = NONE
    after: int = 3

    def beta(self, total, own, amaf):
        return answer_of(self.fault, 0.5) if total >= self.after else 0.5


@sylve.compiled
class PlantedPolicy(Policy):
    """From the first pick on, something is wrong."""

    fault: int = NONE

    def pick(self, moves, codes, tallies, rng):
        rng.below(2)
        return place_of(self.fault, len(moves))


@sylve.compiled
class PlantedChoice(Rule):
    """From `after` simulations on, something is wrong."""

    fault: int = NONE
    after: int = 3

    def choose(self, total, tallies, rng):
        rng.below(2)
        return place_of(self.fault if total >= self.after else NONE, len(tallies))
