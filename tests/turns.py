"""Games in which the players do not simply alternate, written as a user would write them.

Nobody may take it for granted that the other side is to move next: not at a position, and not at
the end of a game, where `turn` may say anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from sylve import Outcome, Player, Position, Rng

FIRST, SECOND = Player.FIRST, Player.SECOND


def outcome_of(lead):
    """Who leads has won."""
    return Outcome(FIRST if lead > 0 else SECOND if lead < 0 else None)


@dataclass(frozen=True)
class DotsAndBoxes:
    """Draw an edge; who completes a box has it and draws again. The most boxes win.

    The state: the edges drawn (bits), the lead of the first player, who is to move.
    """

    columns: int = 2
    rows: int = 2

    @property
    def across(self):
        """How many edges are horizontal; they come first."""
        return self.columns * (self.rows + 1)

    @property
    def edges(self):
        return self.across + self.rows * (self.columns + 1)

    def boxes(self, move):
        """The edges of each box beside an edge, as bits."""
        if move < self.across:
            row, column = divmod(move, self.columns)
            beside = [(row - 1, column), (row, column)]
        else:
            row, column = divmod(move - self.across, self.columns + 1)
            beside = [(row, column - 1), (row, column)]
        for row, column in beside:
            if 0 <= row < self.rows and 0 <= column < self.columns:
                top, left = row * self.columns + column, self.across + row * (self.columns + 1)
                left += column
                yield 1 << top | 1 << top + self.columns | 1 << left | 1 << left + 1

    def start(self):
        return (0, 0, FIRST)

    def turn(self, state):
        return state[2]

    def outcome(self, state):
        return outcome_of(state[1]) if state[0] == (1 << self.edges) - 1 else None

    def moves(self, state):
        return [move for move in range(self.edges) if not state[0] >> move & 1]

    def play(self, state, move):
        drawn, lead, player = state
        drawn |= 1 << move
        taken = sum(drawn & box == box for box in self.boxes(move))
        if taken:
            return (drawn, lead + (taken if player == FIRST else -taken), player)
        return (drawn, lead, player.other)


LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


@dataclass(frozen=True)
class TwoEach:
    """Three in a row on nine cells; after the first stone, each player places two at a time.

    The state: the cells of the first and of the second player (bits).
    """

    def start(self):
        return (0, 0)

    def turn(self, state):
        stones = (state[0] | state[1]).bit_count()
        return Player((stones + 1) // 2 % 2)

    def outcome(self, state):
        for player in Player:
            if any(state[player] & line == line for line in LINES):
                return Outcome(player)
        return Outcome(None) if state[0] | state[1] == 0o777 else None

    def moves(self, state):
        taken = state[0] | state[1]
        over = self.outcome(state) is not None
        return [] if over else [cell for cell in range(9) if not taken >> cell & 1]

    def play(self, state, move):
        own = list(state)
        own[self.turn(state)] |= 1 << move
        return tuple(own)


@dataclass(frozen=True)
class Kalah:
    """Sow the seeds of a pit; a last seed in the own store moves again, one in an own empty pit
    captures. Who has no seed in a pit at the end of a move ends the game.

    The state: pits and store of the first player, those of the second, who is to move.
    """

    pits: int = 3
    seeds: int = 2

    def start(self):
        own = (self.seeds,) * self.pits + (0,)
        return (own + own, FIRST)

    def turn(self, state):
        return state[1]

    def sides(self, holes):
        return holes[: self.pits], holes[self.pits + 1 : -1]

    def outcome(self, state):
        first, second = self.sides(state[0])
        if any(first) and any(second):
            return None
        return outcome_of(state[0][self.pits] + sum(first) - state[0][-1] - sum(second))

    def moves(self, state):
        first, second = self.sides(state[0])
        own = first if state[1] == FIRST else second
        return [pit for pit in range(self.pits) if any(first) and any(second) and own[pit]]

    def play(self, state, move):
        holes, player = list(state[0]), state[1]
        offset = 0 if player == FIRST else self.pits + 1
        store = offset + self.pits
        skipped = self.pits if offset else len(holes) - 1  # the store of the other player
        at = offset + move
        hand, holes[at] = holes[at], 0
        while hand:
            at = (at + 1) % len(holes)
            if at != skipped:
                holes[at] += 1
                hand -= 1
        if at == store:
            return (tuple(holes), player)
        opposite = 2 * self.pits - at
        if offset <= at < store and holes[at] == 1 and holes[opposite]:
            holes[store] += 1 + holes[opposite]
            holes[at] = holes[opposite] = 0
        return (tuple(holes), player.other)


@dataclass(frozen=True)
class Anybody:
    """A graph of numbers, walked for `plies` moves: who moves and who wins is scattered at random.

    Also at the end anybody may be "to move". The state: (ply, number).
    """

    plies: int = 8
    numbers: int = 499

    def scattered(self, state, salt):
        return Rng.stream(salt, 1000 * state[0] + state[1]).below(1 << 20)

    def start(self):
        return (0, 0)

    def turn(self, state):
        return Player(self.scattered(state, 1) % 2)

    def outcome(self, state):
        kind = self.scattered(state, 2) % 12
        if state[0] < self.plies and (kind or state[0] < 2):
            return None
        return outcome_of(self.scattered(state, 3) % 3 - 1)

    def moves(self, state):
        over = self.outcome(state) is not None
        return [] if over else list(range(1 + self.scattered(state, 4) % 3))

    def play(self, state, move):
        return (state[0] + 1, (5 * state[1] + 7 * move + 1) % self.numbers)


GAMES = (DotsAndBoxes(), TwoEach(), Kalah(), Anybody())


def evaluation(position):
    """Any function of the position, not symmetric in any way: for the side to move."""
    return hash((position.state, 1)) % 2001 - 1000


def positions(game, count, most, seed=0):
    """Different positions of random games, each with at most `most` positions below it."""
    found, sizes = {}, {}
    for index in range(4 * count):
        rng, here = Rng.stream(seed, index), Position.start(game)
        while here.outcome is None:
            if len(here.moves) > 1 and tree_size(game, here.state, sizes) <= most:
                found[here.state] = here
            here = here.play(here.moves[rng.below(len(here.moves))])
        if len(found) >= count:
            break
    return list(found.values())[:count]


def tree_size(game, state, known):
    """How many positions minimax visits below a state, itself included."""
    if state not in known:
        after = [game.play(state, move) for move in game.moves(state)]
        known[state] = 1 + sum(tree_size(game, child, known) for child in after)
    return known[state]


def exhaustive(game, state, depth=None, evaluate=None, ply=0):
    """Minimax for the first player, by the rules alone: the sooner a win the better."""
    outcome = game.outcome(state)
    if outcome is not None:
        return (1_000_000 - ply) * (outcome.points(FIRST) - 1)
    if depth == 0:
        score = evaluate(Position(game, state))
        return score if game.turn(state) == FIRST else -score
    best = max if game.turn(state) == FIRST else min
    below = None if depth is None else depth - 1
    return best(
        exhaustive(game, game.play(state, move), below, evaluate, ply + 1)
        for move in game.moves(state)
    )
