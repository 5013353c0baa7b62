"""Root searches: no tree. The moves of the position are the arms of a bandit."""

from __future__ import annotations

from math import inf, sqrt

from sylve.game import FullGame, Player
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.arithmetic import beta, ln, uniform
from sylve.search.reference.cut import play_out
from sylve.search.reference.in_numbers import NOT_TRIED, Written, figure, ratio
from sylve.search.reference.node import Node
from sylve.search.reference.own_parts import choice_of, exploration_of
from sylve.search.reference.policies import Policy
from sylve.search.reference.results import Result, check_outcome, check_result, count_of, units_of
from sylve.search.reference.rules import (
    Index,
    decaying_epsilon,
    discounted,
    epsilon,
    posterior,
    thompson,
)
from sylve.search.reference.searches import Flat, FlatAmaf, Search, SequentialHalving, Ucb
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.reference.tree import first_maximum

NO_MOVE = -1
UNSEEN = "1/2"
"""The mean of a move without results."""


class Root:
    """A search that goes on where it stopped: `run(a); run(b)` equals `run(a + b)`."""

    def __init__(self, position: Position, how: Search) -> None:
        self.game = FullGame(position.game, coded=how.coded)
        self.state = self.game.forget_last(self.game.forget(position.state))
        self.how = how
        self.simulations = 0
        self.mast: dict[int, Tally] = {}
        self.count_in = count_of(real=how.real)
        self.root = Node(self.game, self.state, position.moves, bands=1)
        self.nodes = {0: self.root}

    def run(self, simulations: int) -> None:
        """Run so many more simulations."""
        for _ in range(simulations):
            self.simulate(Rng.stream(self.how.seed, self.simulations))
            self.simulations += 1

    def simulate(self, rng: Rng) -> None:
        """Choose a move, play to the end, count the result."""
        index = self.choose(rng)
        played: list[int] = []
        result = self.play_out(index, rng, played, self.how.playout)
        self.count(index, played, result)

    def play_out(self, index: int, rng: Rng, played: list[int], policy: Policy) -> Result:
        """Make the move and play to the end; `played` receives the codes."""
        played.append(self.root.codes[index])
        state = self.game.play(self.state, self.root.moves[index])
        outcome = self.game.outcome(state)
        if outcome is not None:
            check_outcome(outcome)
            return outcome
        result = play_out(policy, self.game, state, rng, played, self.mast)
        check_result(result, real=self.how.real)
        return result

    def count(self, index: int, played: list[int], result: Result) -> None:
        """Count the result for the move that was chosen."""
        self.root.visits += 1
        self.count_in(self.root.tallies[index], result, self.root.player)
        self.learn(index, units_of(result, self.root.player) / UNIT)
        self.learn_codes(played, result)

    def learn_codes(self, played: list[int], result: Result) -> None:
        """What the `mast` policy remembers."""
        for played_code in dict.fromkeys(played):
            self.count_in(self.mast.setdefault(played_code, Tally()), result, Player.FIRST)

    def choose(self, rng: Rng) -> int:
        """The index of the move that gets the next simulation."""
        raise NotImplementedError(f"{type(self).__name__} chooses nothing")

    def learn(self, index: int, value: float) -> None:
        """Keep what the tallies do not of a result, 0 to 1."""

    def values(self) -> list[float]:
        """What the final choice goes by, before means: visits."""
        return [float(tally.visits) for tally in self.root.tallies]

    def means(self) -> list[float]:
        """The mean of each move; 1/2 where there is none."""
        return [tally.mean() if tally.visits else 0.5 for tally in self.root.tallies]

    def parts(self) -> list[tuple[float, float, float | None]]:
        """Value, exploration and beta of every move, for the report."""
        return [(mean, 0.0, None) for mean in self.means()]

    def in_numbers(self) -> list[Written]:
        """The same with the numbers filled in: points by visits."""
        return [Written(ratio(tally) if tally.visits else UNSEEN) for tally in self.root.tallies]


class FlatRoot(Root):
    """Moves in turn; the remainder thus falls to the first ones."""

    def __init__(self, position: Position, how: Flat) -> None:
        super().__init__(position, how)
        self.gamma = how.gamma
        self.weights = [0.0] * len(self.root.moves)
        self.sums = [0.0] * len(self.root.moves)

    def choose(self, rng: Rng) -> int:  # noqa: ARG002
        """The next in turn."""
        return self.simulations % len(self.root.moves)

    def learn(self, index: int, value: float) -> None:
        """Older results of the move weigh gamma times what they did."""
        self.weights[index] = self.weights[index] * self.gamma + 1.0
        self.sums[index] = self.sums[index] * self.gamma + value

    def means(self) -> list[float]:
        """The weighted mean; with gamma = 1, the mean."""
        if self.gamma == 1.0:
            return super().means()
        return [
            total / weight if weight > 0.0 else 0.5
            for total, weight in zip(self.sums, self.weights, strict=True)
        ]

    def in_numbers(self) -> list[Written]:
        """Points by visits, both weighted."""
        if self.gamma == 1.0:
            return super().in_numbers()
        return [
            Written(f"{figure(total)} / {figure(weight)}" if weight > 0.0 else UNSEEN)
            for total, weight in zip(self.sums, self.weights, strict=True)
        ]

    def values(self) -> list[float]:
        """The mean decides."""
        return self.means()


class FlatAmafRoot(Root):
    """Playouts from the position itself; every code of a simulation counts once."""

    def choose(self, rng: Rng) -> int:  # noqa: ARG002
        """No move: the playout makes the first one too."""
        return NO_MOVE

    def play_out(self, index: int, rng: Rng, played: list[int], policy: Policy) -> Result:  # noqa: ARG002
        """Play to the end from the position itself."""
        result = play_out(policy, self.game, self.state, rng, played, self.mast)
        check_result(result, real=self.how.real)
        return result

    def count(self, index: int, played: list[int], result: Result) -> None:  # noqa: ARG002
        """Count the result for every move that was played somewhere."""
        player = self.root.player
        self.root.visits += 1
        seen = set(played)
        for own, amaf in zip(self.root.codes, self.root.amaf, strict=True):
            if own in seen:
                self.count_in(amaf[0], result, player)
        if played and played[0] in self.root.codes:  # a game's own playout may tell nothing
            first = self.root.tallies[self.root.codes.index(played[0])]
            self.count_in(first, result, player)
        self.learn_codes(played, result)

    def values(self) -> list[float]:
        """The AMAF mean decides; a move never seen is 1/2."""
        return [amaf[0].mean() if amaf[0].visits else 0.5 for amaf in self.root.amaf]

    def parts(self) -> list[tuple[float, float, float | None]]:
        """The AMAF mean."""
        return [(value, 0.0, 1.0) for value in self.values()]

    def in_numbers(self) -> list[Written]:
        """Points by visits of the AMAF tally."""
        return [
            Written(ratio(amaf[0]) if amaf[0].visits else UNSEEN, "1") for amaf in self.root.amaf
        ]


class UcbRoot(Root):
    """Each simulation goes to the move that the rule chooses."""

    how: Ucb

    def __init__(self, position: Position, how: Ucb) -> None:
        super().__init__(position, how)
        self.rule = how.rule
        self.exploration = exploration_of(how.rule) if isinstance(how.rule, Index) else None
        self.weights = [0.0] * len(self.root.moves)
        self.sums = [0.0] * len(self.root.moves)

    def choose(self, rng: Rng) -> int:
        """As the rule has it."""
        match self.rule:
            case epsilon() | decaying_epsilon():
                return self.greedy(self.rule, rng)
            case thompson():
                return first_maximum(self.samples(self.rule, rng))
        if self.rule.is_own and not isinstance(self.rule, Index):
            return choice_of(self.rule, self.root.visits, self.tallies, rng)
        return first_maximum([value + bonus for value, bonus, _ in self.parts()])

    @property
    def tallies(self) -> list[Tally]:
        """The tallies of the moves."""
        return self.root.tallies

    def greedy(self, rule: epsilon | decaying_epsilon, rng: Rng) -> int:
        """Untried moves first; then a random one at the rule's rate, else the best mean."""
        for index, tally in enumerate(self.tallies):
            if tally.visits == 0:
                return index
        if uniform(rng) < rule.rate(self.root.visits, len(self.tallies)):
            return rng.below(len(self.tallies))
        return first_maximum([tally.mean() for tally in self.tallies])

    def samples(self, rule: thompson, rng: Rng) -> list[float]:
        """For each move a draw from its Beta posterior."""
        return [beta(*posterior(rule.wins, rule.losses, tally), rng) for tally in self.tallies]

    def learn(self, index: int, value: float) -> None:
        """Discounted tallies: every move's shrink at every step."""
        if isinstance(self.rule, discounted):
            for move in range(len(self.weights)):
                self.weights[move] = self.weights[move] * self.rule.gamma
                self.sums[move] = self.sums[move] * self.rule.gamma
            self.weights[index] = self.weights[index] + 1.0
            self.sums[index] = self.sums[index] + value

    def parts(self) -> list[tuple[float, float, float | None]]:
        """Value and exploration of every move."""
        rule = self.rule
        if isinstance(rule, discounted):
            total = self.total_weight()
            log = ln(total) if total > 1.0 else 0.0
            return [
                (points / weight, rule.c * sqrt(log / weight), None) if visited else UNTRIED
                for points, weight, visited in zip(
                    self.sums, self.weights, (t.visits > 0 for t in self.tallies), strict=True
                )
            ]
        return [
            (tally.mean(), self.bonus(tally), None) if tally.visits else UNTRIED
            for tally in self.tallies
        ]

    def total_weight(self) -> float:
        """The discounted visits of all moves together."""
        total = 0.0
        for weight in self.weights:
            total = total + weight
        return total

    def in_numbers(self) -> list[Written]:
        """What the rule goes by, with its numbers."""
        rule = self.rule
        if isinstance(rule, thompson):
            return [Written(rule.in_numbers(tally)) for tally in self.tallies]
        texts = []
        for tally, points, weight in zip(self.tallies, self.sums, self.weights, strict=True):
            if tally.visits == 0:
                texts.append(NOT_TRIED)
            elif isinstance(rule, discounted):
                texts.append(rule.in_numbers(self.total_weight(), points, weight))
            elif isinstance(rule, Index):
                texts.append(rule.in_numbers(self.root.visits, tally))
            else:
                texts.append(ratio(tally))
        return [Written(text) for text in texts]

    def bonus(self, tally: Tally) -> float:
        """The exploration of an index rule; the others have none."""
        return 0.0 if self.exploration is None else self.exploration(self.root.visits, tally)


UNTRIED = (inf, inf, None)


class SequentialHalvingRoot(Root):
    """Rounds of equal shares among the moves left; after each, the worse half goes."""

    def __init__(self, position: Position, how: SequentialHalving) -> None:
        super().__init__(position, how)
        self.left = list(range(len(self.root.moves)))
        self.rounds = (len(self.left) - 1).bit_length()
        self.survived = [0] * len(self.left)
        self.turn = 0
        self.round_ends = self.share() * len(self.left)

    def share(self) -> int:
        """The simulations of each move left in this round."""
        assert self.how.playouts is not None, "SequentialHalving insists"
        return max(1, self.how.playouts // (len(self.left) * max(1, self.rounds)))

    def choose(self, rng: Rng) -> int:  # noqa: ARG002
        """The next in turn among the moves left; what is over goes to the last one."""
        if self.turn == self.round_ends and len(self.left) > 1:
            self.halve()
        index = self.left[self.turn % len(self.left)]
        self.turn += 1
        return index

    def halve(self) -> None:
        """Keep the better half, the first of equal ones."""
        means = self.means()
        best = sorted(self.left, key=lambda index: (-means[index], index))
        self.left = sorted(best[: (len(best) + 1) // 2])
        for index in self.left:
            self.survived[index] += 1
        self.turn = 0
        self.round_ends = self.share() * len(self.left)

    def resume(self, turn: int, survived: list[int]) -> None:
        """Go on in the middle of a round. The moves left are those that survived the most."""
        self.turn, self.survived = turn, survived
        self.left = [index for index, rounds in enumerate(survived) if rounds == max(survived)]
        self.round_ends = self.share() * len(self.left)

    def values(self) -> list[float]:
        """The rounds survived decide."""
        if self.turn == self.round_ends and len(self.left) > 1:
            self.halve()
        return [float(rounds) for rounds in self.survived]


def root_of(position: Position, how: Search) -> Root:
    """The run of a root search."""
    match how:
        case Flat():
            return FlatRoot(position, how)
        case FlatAmaf():
            return FlatAmafRoot(position, how)
        case Ucb():
            return UcbRoot(position, how)
        case SequentialHalving():
            return SequentialHalvingRoot(position, how)
    raise ValueError(f"{how} is no root search")
