"""Small games with known values, written as a user would write them."""

from __future__ import annotations

from dataclasses import dataclass, field

from sylve import Outcome, Player

FIRST_WINS, SECOND_WINS, DRAW = Outcome(Player.FIRST), Outcome(Player.SECOND), Outcome(None)


@dataclass(frozen=True)
class TreeGame:
    """A game given as a tree: a node is a dictionary of moves, a leaf is an outcome.

    The state is the path from the root. `codes_of` maps a move to its AMAF code (by default
    2 * move + player); `alone`: the first player makes every move.
    """

    tree: dict = field(hash=False)
    codes_of: dict = field(default_factory=dict, hash=False)
    alone: bool = False

    def at(self, state):
        node = self.tree
        for move in state:
            node = node[move]
        return node

    def start(self):
        return ()

    def turn(self, state):
        return Player.FIRST if self.alone else Player(len(state) % 2)

    def outcome(self, state):
        node = self.at(state)
        return node if isinstance(node, Outcome) else None

    def moves(self, state):
        node = self.at(state)
        return [] if isinstance(node, Outcome) else sorted(node)

    def play(self, state, move):
        return (*state, move)

    def code(self, state, move):
        return self.codes_of.get(move, 2 * move + self.turn(state))


@dataclass(frozen=True)
class SumOfSwitches:
    """Tom and Mueller 2010: take turns to take one of the switches worth 0, 1, ..., size - 1.

    The first player wins with a sum that beats the second's by more than perfect play of every move
    but the best one gives, so that only the largest switch wins. The order of the other moves
    hardly matters: AMAF is right here. `false` manipulates its updates, as the paper does: whenever
    a playout has the first player take the largest switch later, AMAF is told of the smallest one,
    and the other way round.
    """

    size: int
    false: bool = False

    def start(self):
        return (0, 0, Player.FIRST)  # sets of bits, the player to move

    def turn(self, state):
        return state[2]

    def outcome(self, state):
        first, second, _ = state
        if first | second != (1 << self.size) - 1:
            return None
        return FIRST_WINS if self.worth(first) - self.worth(second) >= self.target else SECOND_WINS

    @property
    def target(self):
        """What the first player gets if both always take the largest."""
        worths = range(self.size)[::-1]
        return sum(worths[::2]) - sum(worths[1::2])

    def worth(self, taken):
        return sum(worth for worth in range(self.size) if taken >> worth & 1)

    def moves(self, state):
        return [move for move in range(self.size) if not (state[0] | state[1]) >> move & 1]

    def play(self, state, move):
        first, second, player = state
        if player == Player.FIRST:
            return (first | 1 << move, second, Player.SECOND)
        return (first, second | 1 << move, Player.FIRST)

    def code(self, state, move):
        first, second, player = state
        if self.false and player == Player.FIRST and first | second:
            move = {0: self.size - 1, self.size - 1: 0}.get(move, move)
        return 2 * move + player
