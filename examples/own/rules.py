"""Parts of searches of one's own: a selection rule, a schedule, a playout policy, a bandit rule.

They run in the Python engine; docs/own_rules.md has what each is asked. In the folder of this file:

    sylve analyze tic_tac_toe --how "uct(500, rule=rules:Greedy(0.3))"
    sylve match "uct(50, playout=rules:Closer)" "uct(50)" --game dots:Dots --games 10
"""

from dataclasses import dataclass
from math import sqrt

from sylve.policies import Policy
from sylve.rules import Index, Rule
from sylve.schedules import Schedule


@dataclass(frozen=True)
class Greedy(Index):
    """A selection rule: mean + c / sqrt(n), which forgets how often the node was visited."""

    c: float = 0.5

    def exploration(self, total, own):  # noqa: ARG002
        return self.c / sqrt(own.visits)


@dataclass(frozen=True)
class Halving(Schedule):
    """A schedule: beta is halved every `visits` visits of the move."""

    visits: int = 50

    def beta(self, total, own, amaf):  # noqa: ARG002
        return 0.5 ** (own.visits / self.visits)


@dataclass(frozen=True)
class Closer(Policy):
    """A playout policy: a move after which the same side moves again, such as closing a box."""

    def choose(self, game, state, moves, rng, mast):  # noqa: ARG002
        again = [move for move in moves if game.turn(game.play(state, move)) == game.turn(state)]
        among = again or moves
        return among[rng.below(len(among))]


@dataclass(frozen=True)
class Softer(Rule):
    """A bandit rule: one of the two best means so far, by the toss of a coin."""

    def choose(self, total, tallies, rng):  # noqa: ARG002
        for place, tally in enumerate(tallies):
            if tally.visits == 0:
                return place
        order = sorted(range(len(tallies)), key=lambda place: -tallies[place].mean())
        return order[rng.below(min(2, len(order)))]
