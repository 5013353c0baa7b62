"""Kuhn poker: three cards, one bet; its best responses, and two ways to learn it from regret.

Each player antes 1 and gets one of three cards. The first passes or bets 1; so does the second; a
player who passed and faces a bet may still call. What a player knows, the own card and the actions
so far, is an information set: there are six for each player. The value of the game for the first
player is -1/18 (Kuhn 1950).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations
from typing import NamedTuple

from sylve.rng import Rng
from sylve.search.reference.arithmetic import uniform

CARDS = (0, 1, 2)
PASS, BET = "p", "b"
ACTIONS = (PASS, BET)
DEALS = tuple(permutations(CARDS, 2))
VALUE = -1 / 18
"""What the first player wins in a hand when both play an equilibrium."""


class Known(NamedTuple):
    """An information set: the own card, and what was done."""

    card: int
    history: str


SETS = tuple(Known(card, history) for history in ("", "p", "b", "pb") for card in CARDS)
"""Those of the first player have an even number of actions, those of the second an odd one."""
Strategy = Mapping[Known, float]
"""The probability of a bet at each information set."""


def payoff(deal: tuple[int, int], history: str) -> int | None:
    """What the first player wins; None while the hand goes on."""
    if history.endswith("bp"):  # who did not call loses the ante
        return 1 if len(history) % 2 == 0 else -1
    if history not in ("pp", "bb", "pbb"):
        return None
    stake = 2 if history.endswith("bb") else 1
    return stake if deal[0] > deal[1] else -stake


def chance(strategy: Strategy, known: Known, action: str) -> float:
    """The probability of an action."""
    return strategy[known] if action == BET else 1.0 - strategy[known]


def value(strategy: Strategy) -> float:
    """What the first player wins in a hand, on average, if both play the strategy."""

    def walk(deal: tuple[int, int], history: str) -> float:
        won = payoff(deal, history)
        if won is not None:
            return float(won)
        known = Known(deal[len(history) % 2], history)
        return sum(chance(strategy, known, a) * walk(deal, history + a) for a in ACTIONS)

    return sum(walk(deal, "") for deal in DEALS) / len(DEALS)


def best_response(strategy: Strategy, player: int) -> float:
    """The most that a player can win in a hand against the other one's part of the strategy.

    At each of the own information sets the better action is taken, for all cards of the other
    player at once, each as likely as it is after these actions.
    """

    def walk(card: int, history: str, likely: Mapping[int, float]) -> float:
        ends = [
            (share, payoff((card, other) if player == 0 else (other, card), history))
            for other, share in likely.items()
        ]
        if ends[0][1] is not None:
            sign = 1 if player == 0 else -1
            return sum(share * sign * (won or 0) for share, won in ends)
        if len(history) % 2 == player:
            return max(walk(card, history + action, likely) for action in ACTIONS)
        return sum(
            walk(card, history + action, {
                other: share * chance(strategy, Known(other, history), action)
                for other, share in likely.items()
            })
            for action in ACTIONS
        )  # fmt: skip

    return sum(
        walk(card, "", {other: 1 / len(DEALS) for other in CARDS if other != card})
        for card in CARDS
    )


def exploitability(strategy: Strategy) -> float:
    """What a best response wins beyond the value of the game, mean of both seats; 0 is Nash's."""
    return (best_response(strategy, 0) + best_response(strategy, 1)) / 2


def equilibrium(bluff: float) -> dict[Known, float]:
    """One of Kuhn's equilibria: the first player bluffs so often (at most 1/3) with the lowest."""
    first = {"": (bluff, 0.0, 3 * bluff), "pb": (0.0, bluff + 1 / 3, 1.0)}
    second = {"p": (1 / 3, 0.0, 1.0), "b": (0.0, 1 / 3, 1.0)}
    return {known: {**first, **second}[known.history][known.card] for known in SETS}


class Regrets:
    """Regret matching at each information set: an action is as likely as it is regretted."""

    def __init__(self) -> None:
        self.regrets = {known: [0.0, 0.0] for known in SETS}
        self.weights = {known: [0.0, 0.0] for known in SETS}
        """The strategies so far, added up, each by how likely its player was to get there."""

    def policy(self, known: Known) -> tuple[float, float]:
        """Now: to pass, to bet."""
        passing, betting = (max(0.0, regret) for regret in self.regrets[known])
        total = passing + betting
        return (passing / total, betting / total) if total > 0 else (0.5, 0.5)

    def strategy(self) -> dict[Known, float]:
        """On average: what tends to an equilibrium."""
        return {
            known: betting / (passing + betting) if passing + betting > 0 else 0.5
            for known, (passing, betting) in self.weights.items()
        }

    def learn(self, known: Known, values: list[float], reach: float, weight: float) -> float:
        """Count what each action would have won, if all others lead here so often."""
        policy = self.policy(known)
        here = sum(share * won for share, won in zip(policy, values, strict=True))
        for action in range(2):
            self.regrets[known][action] += reach * (values[action] - here)
            self.weights[known][action] += weight * policy[action]
        return here


def whole_tree(learner: Regrets, rng: Rng) -> None:
    """Counterfactual regret minimisation (Zinkevich et al. 2007): all deals, all actions."""
    del rng  # nothing is left to chance

    def walk(deal: tuple[int, int], history: str, reach: tuple[float, float]) -> float:
        won = payoff(deal, history)
        if won is not None:
            return float(won)
        player = len(history) % 2
        known = Known(deal[player], history)
        policy = learner.policy(known)
        sign = 1 if player == 0 else -1
        values = []
        for action, share in zip(ACTIONS, policy, strict=True):
            onward = (reach[0] * share, reach[1]) if player == 0 else (reach[0], reach[1] * share)
            values.append(sign * walk(deal, history + action, onward))
        return sign * learner.learn(known, values, reach[1 - player], reach[player])

    for deal in DEALS:
        walk(deal, "", (1.0, 1.0))


EXPLORING = 0.6
"""How often the learning player of `one_hand` acts at random: Lanctot et al.'s value."""


def one_hand(learner: Regrets, rng: Rng) -> None:
    """Outcome sampling (Lanctot et al. 2009): one hand for each player to learn from.

    It sees what a bandit sees, the result of the hand that was played, and corrects it for how
    likely that hand was.
    """
    for player in (0, 1):
        sample(learner, rng, player, DEALS[rng.below(len(DEALS))], "", 1.0, 1.0, 1.0)


def sample(
    learner: Regrets, rng: Rng, player: int, deal: tuple[int, int], history: str,
    own: float, other: float, sampled: float,
) -> float:  # fmt: skip
    """What the player's value here is estimated to be; learnt from on the way back."""
    won = payoff(deal, history)
    if won is not None:
        return float(won if player == 0 else -won)
    turn = len(history) % 2
    known = Known(deal[turn], history)
    policy = learner.policy(known)
    at_random = EXPLORING if turn == player else 0.0
    betting = at_random / 2 + (1 - at_random) * policy[1]
    action = int(uniform(rng) < betting)
    tried = betting if action else 1.0 - betting
    reach = (own * policy[action], other) if turn == player else (own, other * policy[action])
    found = sample(learner, rng, player, deal, history + ACTIONS[action], *reach, sampled * tried)
    values = [0.0, 0.0]
    values[action] = found / tried
    if turn != player:
        return policy[0] * values[0] + policy[1] * values[1]
    return learner.learn(known, values, other / sampled, own / sampled)


LEARNING: dict[str, Callable[[Regrets, Rng], None]] = {
    "regret, one hand": one_hand,
    "regret, whole tree": whole_tree,
}
"""Rounds of learning by regret: from the result of a hand, and from the whole game."""
