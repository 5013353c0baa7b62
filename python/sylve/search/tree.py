"""Tree search: one loop (descend, playout, update) for every formula. Begin with `simulate`.

Nodes are positions: a node has a tally for each legal move, and transpositions share a node. A
position gets its node at its second visit; the first is only an entry in its parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sylve.game import AnyGame, Outcome, Player, code
from sylve.position import Position
from sylve.rng import MASK, Rng, mix
from sylve.search.formulas import Formula, formula_of
from sylve.search.policies import adjudicate, check_outcome, some
from sylve.search.searches import Grave, TreeSearch, Uct
from sylve.search.tally import Tally


class Node:
    """A position in the tree: its legal moves and what is known of each."""

    __slots__ = ("amaf", "codes", "moves", "player", "table", "tallies", "visits")

    def __init__(self, game: AnyGame, state: Any, moves: Sequence[int], bands: int) -> None:
        self.player = Player(game.turn(state))
        self.visits = 0
        self.moves = tuple(moves)
        self.codes = [code(game, state, move) for move in moves]
        self.tallies = [Tally() for _ in moves]
        self.amaf = [[Tally() for _ in range(bands)] for _ in moves]
        """By move, then by band (`MultiScaleRave`; the others have one)."""
        self.table: dict[int, Tally] | None = None
        """Results of every code, for the first player (`Grave`)."""


class Step(NamedTuple):
    """A choice made on the way down: at this node, the move with this index."""

    node: Node
    chosen: int
    key: int


class Tree:
    """A search that goes on where it stopped: `run(a); run(b)` equals `run(a + b)`."""

    def __init__(self, position: Position, how: TreeSearch) -> None:
        self.game = position.game
        self.how = how
        self.formula: Formula = formula_of(how, self.game)
        self.bands = self.formula.bands
        self.simulations = 0
        self.mast: dict[int, Tally] = {}
        # The root's moves obey the game's history; below, only simple ko holds in Go.
        self.forget = getattr(self.game, "forget", lambda state: state)
        self.state = self.forget(position.state)
        self.root = Node(self.game, self.state, position.moves, self.bands)
        if isinstance(how, Grave):
            self.root.table = {}
        self.root_key = hash_of(self.game, self.state)
        self.nodes: dict[int, Node] = {self.root_key: self.root}

    def run(self, simulations: int) -> None:
        """Run so many more simulations."""
        for _ in range(simulations):
            self.simulate(Rng.stream(self.how.seed, self.simulations))
            self.simulations += 1

    def simulate(self, rng: Rng) -> None:
        """Descend the tree, play to the end, update the nodes passed."""
        played: list[int] = []
        path, state, outcome = self.descend(played)
        if outcome is None:
            outcome = self.how.playout.playout(self.game, state, rng, played, self.mast)
        check_outcome(outcome)
        self.update(path, played, outcome)

    def descend(self, played: list[int]) -> tuple[list[Step], Any, Outcome | None]:
        """Follow the formula to a position without a node, or to the end of the game."""
        node, key, state = self.root, self.root_key, self.state
        reference = self.root
        path: list[Step] = []
        while True:
            if isinstance(self.how, Grave) and node.visits > self.how.reference:
                reference = node
            index = first_maximum(self.formula.scores(node, reference))
            path.append(Step(node, index, key))
            move = node.moves[index]
            played.append(node.codes[index])
            state = self.forget(self.game.play(state, move))
            outcome = self.game.outcome(state)
            if outcome is not None:
                return path, state, outcome
            key = hash_of(self.game, state) if self.how.transpositions else mix(key ^ (move + 1))
            moves = some(self.game.moves(state), "moves")
            child, key = self.find(key, moves)
            if any(step.node is child for step in path):
                # The game has come back to a position of this very descent (Go: a long cycle).
                return path, state, adjudicate(self.game, state) or Outcome(None)
            if child is None:
                if node.tallies[index].visits == 0:
                    return path, state, None
                child = Node(self.game, state, moves, self.bands)
                self.nodes[key] = child
            node = child

    def find(self, key: int, moves: Sequence[int]) -> tuple[Node | None, int]:
        """The node of a position, if there is one, and its key.

        A node with other moves is another position with the same hash: look under the next key.
        """
        while (node := self.nodes.get(key)) is not None:
            if node.moves == tuple(moves) or node is self.root:
                return node, key
            key = mix(key)
        return None, key

    def update(self, path: list[Step], played: list[int], outcome: Outcome) -> None:
        """Count the result at every node passed, for the player who moved there."""
        grave = self.how if isinstance(self.how, Grave) else None
        first_points = outcome.points(Player.FIRST)
        if not isinstance(self.how, Uct):
            for depth, seen in self.seen(len(path), played):
                node = path[depth].node
                points = outcome.points(node.player)
                if grave:
                    update_table(node, seen, first_points, grave)
                else:
                    for amaf, own in zip(node.amaf, node.codes, strict=True):
                        if own in seen:
                            amaf[self.formula.band(seen[own], depth)].add(points)
        for node, chosen, _ in path:
            node.visits += 1
            node.tallies[chosen].add(outcome.points(node.player))
        for played_code in dict.fromkeys(played):
            self.mast.setdefault(played_code, Tally()).add(first_points)

    def seen(self, depth: int, played: list[int]) -> Iterator[tuple[int, dict[int, int]]]:
        """For each node of the path, from the deepest up: the codes that count, and when first."""
        first: dict[int, int] = {}
        course = self.how.update == "course"  # type: ignore[attr-defined]
        for ply in range(len(played) - 1, -1, -1):
            first[played[ply]] = ply
            if ply < depth and not course:
                yield ply, first
        if course:
            for ply in range(depth):
                yield ply, first


def update_table(node: Node, seen: dict[int, int], first_points: int, how: Grave) -> None:
    """Count every code of the simulation at a node that keeps a table (`Grave`)."""
    if node.table is None:
        if node.visits < how.reference // 2:
            return
        node.table = {}
    for played_code in seen:
        node.table.setdefault(played_code, Tally()).add(first_points)


def hash_of(game: AnyGame, state: Any) -> int:
    """64 bits: the game's own hash, or Python's."""
    own = getattr(game, "hash", None)
    return int(own(state)) if own else hash(state) & MASK


def first_maximum(scores: Sequence[float]) -> int:
    """The index of the largest score; the first of equal ones."""
    best = 0
    for index, score in enumerate(scores):
        if score > scores[best]:
            best = index
    return best
