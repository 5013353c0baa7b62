"""Tree search: one loop (descend, playout, update) for every formula. Begin with `simulate`.

Nodes are positions: a node has a tally for each legal move, and transpositions share a node. A
position gets its node at its second visit (`expand`); the first is only an entry in its parent.

Ends of the game that the tree has met are proofs (the MCTS-Solver of Winands, Bjornsson and Saito,
2008): a move that wins for certain decides its node, a move that loses for certain is not tried
again, and a node all of whose moves are decided is decided too. With `solver_nodes`, the exact
solver is asked about every new node. With `implicit` or a prior, so is an evaluation: about the
position after each move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import inf, isnan
from typing import Any

from sylve.game import FullGame, Outcome, Player
from sylve.position import Position
from sylve.rng import MASK, Rng, mix
from sylve.search.reference.cut import play_out
from sylve.search.reference.evaluated import EvaluatedFormula, back_up
from sylve.search.reference.formulas import Formula, formula_of
from sylve.search.reference.node import Descent, Node, Step, node_digest
from sylve.search.reference.policies import Policy
from sylve.search.reference.priors import evaluating_of
from sylve.search.reference.results import Result, check_result, count_of
from sylve.search.reference.searches import Grave, TreeSearch, Uct
from sylve.search.reference.tally import Tally
from sylve.solve import DECIDER_BYTES, Solver

WIN = 2  # points


class Tree:
    """A search that goes on where it stopped: `run(a); run(b)` equals `run(a + b)`.

    With batches that holds where `a` is a whole number of them.

    A batch is some descents with their playouts, then their updates in order. Until then a descent
    waits, and counts as a loss for whoever chose, so that the next one looks elsewhere (virtual
    loss): this is what allows the playouts to be made at the same time.
    """

    def __init__(self, position: Position, how: TreeSearch) -> None:
        self.game = FullGame(position.game, coded=how.coded)
        self.how = how
        self.formula: Formula = formula_of(how, self.game)
        if how.implicit or how.prior is not None:
            self.formula = EvaluatedFormula(how, self.game)
        self.evaluating = evaluating_of(how, position.game)
        self.count_in = count_of(real=how.real)
        self.bands = self.formula.bands
        self.simulations = 0
        self.mast: dict[int, Tally] = {}
        # The root's moves obey the game's history; below, only simple ko holds in Go.
        self.state = self.game.forget(position.state)
        self.root = self.make_node(self.state, position.moves)
        if isinstance(how, Grave):
            self.root.table = {}
        self.root_key = self.game.hash(self.state)
        self.nodes: dict[int, Node] = {self.root_key: self.root}
        self.batch = how.waiting
        self.waiting: list[Descent] = []
        """The descents of the batch at hand."""
        self.nodes_before = 1
        """How many nodes there were when it began: the first ones."""
        self.ended: Callable[[], bool] | None = None
        """Asked during a proof that takes long: whether to give it up, because the search ends."""
        # A proof would forget the history, which superko needs.
        self.solving = how.solver and not self.game.remembers
        self.solver: Solver | None = None
        if self.solving and how.asks_solver:
            self.solver = Solver(position.game, most_bytes=DECIDER_BYTES)

    def make_node(self, state: Any, moves: Sequence[int]) -> Node:
        """A node that is new, with what is known of its moves before they are tried."""
        node = Node(self.game, state, moves, self.bands)
        static = [] if self.evaluating is None else self.evaluating.after(self.game, state, moves)
        if self.how.implicit:
            node.implicit = list(static)
        if self.how.prior is not None:
            node.prior = self.how.prior.units(self.game, state, moves, static)
        return node

    def run(self, simulations: int) -> None:
        """Run so many more simulations, or fewer if they prove the position meanwhile."""
        end = self.simulations + simulations
        while self.simulations < end and self.root.proof is None:
            self.simulate(end - self.simulations)

    def simulate(self, most: int) -> None:
        """Descend the tree, play to the end; at the end of a batch, update the nodes passed.

        `most`: simulations that are left, counted from the beginning of the batch.
        """
        descent = self.descend()
        self.play_out(descent, self.how.playout)
        self.count(descent, most)

    def play_out(self, descent: Descent, policy: Policy) -> None:
        """Play to the end from where a descent ended, unless the result is known there."""
        if descent.result is None:
            rng = Rng.stream(self.how.seed, self.simulations + len(self.waiting))
            descent.result = play_out(
                policy, self.game, descent.state, rng, descent.played, self.mast
            )
        check_result(descent.result, real=self.how.real)

    def count(self, descent: Descent, most: int) -> None:
        """Let a descent wait for the end of its batch; there, count the results."""
        self.waiting.append(descent)
        if self.batch > 1:
            self.count_waiting(descent, 1)
        if len(self.waiting) >= min(self.batch, most):
            self.settle()

    def settle(self) -> None:
        """End the batch: it was one of as many descents as wait. Count their results, in order."""
        for descent in self.waiting:
            if self.batch > 1:
                self.count_waiting(descent, -1)
            assert descent.result is not None
            self.update(descent.path, descent.played, descent.result)
            if self.how.implicit:
                back_up(descent.path, descent.result if descent.certain else None)
            if descent.certain and self.solving:
                assert isinstance(descent.result, Outcome)
                prove(descent.path, descent.result)
            self.simulations += 1
        self.waiting = []

    @property
    def node_count(self) -> int:
        """The number of nodes, less those of the batch at hand."""
        return self.nodes_before if self.waiting else len(self.nodes)

    def count_waiting(self, descent: Descent, count: int) -> None:
        """Count a loss at every choice of a descent, or take it back."""
        for node, chosen, _ in descent.path:
            node.visits += count
            node.tallies[chosen].visits += count
            node.waiting[chosen] = node.waiting.get(chosen, 0) + count
            if not node.waiting[chosen]:
                del node.waiting[chosen]

    @contextmanager
    def without_waiting(self) -> Iterator[None]:
        """The tree as it was before the batch at hand."""
        waiting, nodes = self.waiting, self.nodes
        for descent in waiting:
            self.count_waiting(descent, -1)
        self.nodes = dict(islice(nodes.items(), self.node_count)) if waiting else nodes
        self.waiting = []
        try:
            yield
        finally:
            self.waiting, self.nodes = waiting, nodes
            for descent in waiting:
                self.count_waiting(descent, 1)

    def descend(self) -> Descent:
        """Follow the formula to a position without a node, a proof, or the end of the game."""
        if not self.waiting:
            self.nodes_before = len(self.nodes)
        node, key, state = self.root, self.root_key, self.state
        reference = self.root
        fresh = False  # whether this descent has made the node
        path: list[Step] = []
        played: list[int] = []
        while True:
            if self.serves_as_reference(node):
                reference = node
            index = first_maximum(self.scores(node, reference))
            path.append(Step(node, index, key))
            move = node.moves[index]
            played.append(node.codes[index])
            state = self.game.play(state, move)
            outcome = self.game.outcome(state)
            if outcome is not None:
                return Descent(path, played, state, outcome, certain=True)
            key = self.key_after(key, move, state)
            moves = self.game.open_moves(state)
            child, key = self.find(key, moves)
            made = child is None
            if any(step.node is child for step in path):
                # The game has come back to a position of this very descent (Go: a long cycle).
                outcome = self.game.adjudicate(state) or Outcome(None)
                return Descent(path, played, state, outcome)
            if child is None:
                if fresh or node.tallies[index].visits + 1 < self.how.expand:
                    return Descent(path, played, state)
                child = self.make_node(state, moves)
                self.nodes[key] = child
                self.decide(child, state, self.how.solver_nodes)
            elif is_fourfold(child.visits):
                self.decide(child, state, self.how.solver_rate * child.visits)
            if child.proof is not None:
                return Descent(path, played, state, child.proof, certain=True)
            node, fresh = child, made

    def decide(self, node: Node, state: Any, nodes: int) -> None:
        """Ask the solver about a node. Decided, it ends every descent that comes to it."""
        if self.solver and nodes and node.proof is None:
            position = Position(self.game.game, state)
            node.proof = self.solver.winner(position, nodes, self.ended)

    def scores(self, node: Node, reference: Node) -> list[float]:
        """What the choice at a node goes by: the formula, but never again a move that loses."""
        scores = self.formula.scores(node, reference)
        for index, proof in node.proofs.items():
            if proof.points(node.player) == 0:
                scores[index] = -inf
        return scores

    def key_after(self, key: int, move: int, state: Any) -> int:
        """The key of the position after a move; without transpositions, of the way to it."""
        return self.game.hash(state) if self.how.transpositions else mix(key ^ (move + 1))

    def find(self, key: int, moves: Sequence[int]) -> tuple[Node | None, int]:
        """The node of a position, if there is one, and its key.

        A node with other moves is another position with the same hash: look under the next key.
        """
        while (node := self.nodes.get(key)) is not None:
            if node.moves == tuple(moves) or node is self.root:
                return node, key
            key = mix(key)
        return None, key

    def update(self, path: list[Step], played: list[int], result: Result) -> None:
        """Count the result at every node passed, for the player who moved there."""
        grave = self.how if isinstance(self.how, Grave) else None
        if not isinstance(self.how, Uct):
            for depth, seen in self.seen(len(path), played):
                node = path[depth].node
                if grave:
                    self.update_table(node, seen, result, grave)
                else:
                    for amaf, own in zip(node.amaf, node.codes, strict=True):
                        if own in seen:
                            band = self.formula.band(seen[own], depth)
                            self.count_in(amaf[band], result, node.player)
        for node, chosen, _ in path:
            node.visits += 1
            self.count_in(node.tallies[chosen], result, node.player)
        for played_code in dict.fromkeys(played):
            self.count_in(self.mast.setdefault(played_code, Tally()), result, Player.FIRST)

    def update_table(self, node: Node, seen: dict[int, int], result: Result, how: Grave) -> None:
        """Count every code of the simulation at a node that keeps a table (`Grave`)."""
        if node.table is None:
            if node.visits < how.reference // 2:
                return
            node.table = {}
        for played_code in seen:
            self.count_in(node.table.setdefault(played_code, Tally()), result, Player.FIRST)

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

    def advance(self, position: Position, move: int) -> None:
        """Make `position`, which is the root after `move`, the root. Keep what it can reach."""
        state = self.game.forget(position.state)
        key = self.key_after(self.root_key, move, state)
        root, key = self.find(key, self.game.moves(state))
        # History may forbid moves to the new root (Go) that it had as an inner node. A node that
        # the solver decided has no move to show for it, and perhaps no visits.
        known = root is not None and root.visits > 0 and shows_proof(root)
        if root is None or not known or root.moves != position.moves:
            root = self.make_node(state, position.moves)
        if isinstance(self.how, Grave) and root.table is None:
            root.table = {}
        kept = {key: root}
        left = [(root, key, state)]
        self.state, self.root, self.root_key = state, root, key
        while left:
            node, key, state = left.pop()
            for move, tally in zip(node.moves, node.tallies, strict=True):
                if tally.visits == 0:
                    continue
                after = self.game.play(state, move)
                if self.game.outcome(after) is not None:
                    continue
                child, below = self.find(self.key_after(key, move, after), self.game.moves(after))
                if child is not None and below not in kept:
                    kept[below] = child
                    left.append((child, below, after))
        self.nodes = kept

    def inside(self, path: Sequence[int]) -> tuple[Node, Node] | None:
        """The node after these moves, if there is one, and its reference (`Grave`)."""
        node, key, state = self.root, self.root_key, self.state
        reference = self.root
        for move in path:
            if move not in node.moves:
                return None
            state = self.game.play(state, move)
            if self.game.outcome(state) is not None:
                return None
            found, key = self.find(self.key_after(key, move, state), self.game.moves(state))
            if found is None:
                return None
            node = found
            if self.serves_as_reference(node):
                reference = node
        return node, reference

    def serves_as_reference(self, node: Node) -> bool:
        """Whether the AMAF tallies of a node serve the nodes below (`Grave`).

        In a batch, losses that count until the results come may run ahead of the table.
        """
        grave = isinstance(self.how, Grave) and node.visits > self.how.reference
        return grave and node.table is not None

    def digest(self) -> int:
        """64 bits that tell whether two trees are equal, whatever the order of their nodes."""
        with self.without_waiting():
            real = self.how.real
            return sum(node_digest(key, node, real) for key, node in self.nodes.items()) & MASK


def is_fourfold(visits: int) -> bool:
    """At these visits a position is given to the solver again: 16, 64, 256, ..."""
    return visits >= 16 and visits & (visits - 1) == 0 and visits.bit_length() % 2 == 1


def prove(path: list[Step], outcome: Outcome) -> None:
    """The last move of the path is decided; so may be the nodes above it."""
    for node, chosen, _ in reversed(path):
        node.proofs[chosen] = outcome
        node.proof = node.proof or decided(node)  # the solver may have said so
        if node.proof is None:
            return
        outcome = node.proof


def shows_proof(node: Node) -> bool:
    """Whether some move shows how the game ends, if that is known: else the solver has said so."""
    return node.proof is None or (len(node.proofs) > 0 and decided(node) is not None)


def decided(node: Node) -> Outcome | None:
    """How the game ends from a node some of whose moves are proven, if that is known."""
    best = max(node.proofs.values(), key=lambda proof: proof.points(node.player))
    open_moves = len(node.proofs) < len(node.moves)
    return None if best.points(node.player) < WIN and open_moves else best


def first_maximum(scores: Sequence[float]) -> int:
    """The index of the largest score; the first of equal ones."""
    best = 0
    assert not any(map(isnan, scores)), f"a score is not a number: {scores}"
    for index, score in enumerate(scores):
        if score > scores[best]:
            best = index
    return best
