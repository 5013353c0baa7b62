"""Root searches: no tree. The moves of the position are the arms of a bandit."""

from __future__ import annotations

from math import inf, sqrt

from sylve.game import Player
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.arithmetic import beta, ln, uniform
from sylve.search.reference.policies import check_outcome
from sylve.search.reference.rules import Index, decaying_epsilon, discounted, epsilon, thompson
from sylve.search.reference.searches import Flat, FlatAmaf, Search, SequentialHalving, Ucb
from sylve.search.reference.tally import Tally
from sylve.search.reference.tree import Node, first_maximum


class Root:
    """A search that goes on where it stopped: `run(a); run(b)` equals `run(a + b)`."""

    def __init__(self, position: Position, how: Search) -> None:
        self.game = position.game
        self.state = position.state
        self.how = how
        self.simulations = 0
        self.mast: dict[int, Tally] = {}
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
        played = [self.root.codes[index]]
        state = self.game.play(self.state, self.root.moves[index])
        outcome = self.game.outcome(state)
        if outcome is None:
            outcome = self.how.playout.playout(self.game, state, rng, played, self.mast)
        check_outcome(outcome)
        self.root.visits += 1
        points = outcome.points(self.root.player)
        self.root.tallies[index].add(points)
        self.learn(index, points)
        self.learn_codes(played, outcome.points(Player.FIRST))

    def learn_codes(self, played: list[int], first_points: int) -> None:
        """What the `mast` policy remembers."""
        for played_code in dict.fromkeys(played):
            self.mast.setdefault(played_code, Tally()).add(first_points)

    def choose(self, rng: Rng) -> int:
        """The index of the move that gets the next simulation."""
        raise NotImplementedError(f"{type(self).__name__} chooses nothing")

    def learn(self, index: int, points: int) -> None:
        """Keep what the tallies do not."""

    def values(self) -> list[float]:
        """What the final choice goes by, before means: visits."""
        return [float(tally.visits) for tally in self.root.tallies]

    def means(self) -> list[float]:
        """The mean of each move; 1/2 where there is none."""
        return [tally.mean() if tally.visits else 0.5 for tally in self.root.tallies]

    def parts(self) -> list[tuple[float, float, float | None]]:
        """Value, exploration and beta of every move, for the report."""
        return [(mean, 0.0, None) for mean in self.means()]


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

    def learn(self, index: int, points: int) -> None:
        """Older results of the move weigh gamma times what they did."""
        self.weights[index] = self.weights[index] * self.gamma + 1.0
        self.sums[index] = self.sums[index] * self.gamma + 0.5 * points

    def means(self) -> list[float]:
        """The weighted mean; with gamma = 1, the mean."""
        if self.gamma == 1.0:
            return super().means()
        return [
            total / weight if weight > 0.0 else 0.5
            for total, weight in zip(self.sums, self.weights, strict=True)
        ]

    def values(self) -> list[float]:
        """The mean decides."""
        return self.means()


class FlatAmafRoot(Root):
    """Playouts from the position itself; every code of a simulation counts once."""

    def simulate(self, rng: Rng) -> None:
        """Play to the end, count the result for every move that was played somewhere."""
        played: list[int] = []
        outcome = self.how.playout.playout(self.game, self.state, rng, played, self.mast)
        check_outcome(outcome)
        points = outcome.points(self.root.player)
        self.root.visits += 1
        seen = set(played)
        for own, amaf in zip(self.root.codes, self.root.amaf, strict=True):
            if own in seen:
                amaf[0].add(points)
        if played and played[0] in self.root.codes:  # a game's own playout may tell nothing
            self.root.tallies[self.root.codes.index(played[0])].add(points)
        self.learn_codes(played, outcome.points(Player.FIRST))

    def values(self) -> list[float]:
        """The AMAF mean decides; a move never seen is 1/2."""
        return [amaf[0].mean() if amaf[0].visits else 0.5 for amaf in self.root.amaf]

    def parts(self) -> list[tuple[float, float, float | None]]:
        """The AMAF mean."""
        return [(value, 0.0, 1.0) for value in self.values()]


class UcbRoot(Root):
    """Each simulation goes to the move that the rule chooses."""

    how: Ucb

    def __init__(self, position: Position, how: Ucb) -> None:
        super().__init__(position, how)
        self.rule = how.rule
        self.weights = [0.0] * len(self.root.moves)
        self.sums = [0.0] * len(self.root.moves)

    def choose(self, rng: Rng) -> int:
        """As the rule has it."""
        match self.rule:
            case epsilon() | decaying_epsilon():
                return self.greedy(self.rule, rng)
            case thompson():
                return first_maximum([self.sample(tally, self.rule, rng) for tally in self.tallies])
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

    def sample(self, tally: Tally, rule: thompson, rng: Rng) -> float:
        """A draw from the Beta posterior."""
        losses = tally.visits - tally.wins - tally.draws
        a = rule.wins + tally.wins + 0.5 * tally.draws
        b = rule.losses + losses + 0.5 * tally.draws
        return beta(a, b, rng)

    def learn(self, index: int, points: int) -> None:
        """Discounted tallies: every move's shrink at every step."""
        if isinstance(self.rule, discounted):
            for move in range(len(self.weights)):
                self.weights[move] = self.weights[move] * self.rule.gamma
                self.sums[move] = self.sums[move] * self.rule.gamma
            self.weights[index] = self.weights[index] + 1.0
            self.sums[index] = self.sums[index] + 0.5 * points

    def parts(self) -> list[tuple[float, float, float | None]]:
        """Value and exploration of every move."""
        rule = self.rule
        if isinstance(rule, discounted):
            total = 0.0
            for weight in self.weights:
                total = total + weight
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

    def bonus(self, tally: Tally) -> float:
        """The exploration of an index rule; the others have none."""
        if isinstance(self.rule, Index):
            return self.rule.exploration(self.root.visits, tally)
        return 0.0


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
