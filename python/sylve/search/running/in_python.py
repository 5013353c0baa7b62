"""The reference engine: every search in plain Python."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter

from sylve.game import Outcome
from sylve.position import Position
from sylve.search.reference.bandits import FlatAmafRoot, FlatRoot, Root, root_of
from sylve.search.reference.node import Node
from sylve.search.reference.searches import Search, TreeSearch, Uct
from sylve.search.reference.tally import together
from sylve.search.reference.tree import Tree
from sylve.search.reports.report import Found, rank_moves
from sylve.search.running.interrupts import interrupts_held
from sylve.search.running.search_bytes import Reader, Writer, read_run, write_run


class Reference:
    """A search in plain Python that can be run on and reported at any time."""

    engine = "python"
    in_python = True

    def __init__(self, position: Position, how: Search) -> None:
        self.position = position
        self.how = how
        self.paused = self.ended = False
        self.algorithm: Tree | Root
        self.algorithm = (
            Tree(position, how) if isinstance(how, TreeSearch) else root_of(position, how)
        )

    def run(self, simulations: int, seconds: float | None = None, *, last: bool = True) -> None:
        """Run so many more simulations, or fewer if the time is up or `pause` is called."""
        deadline = inf if seconds is None else perf_counter() + seconds
        end = self.simulations + simulations
        if isinstance(self.algorithm, Tree):
            self.algorithm.ended = lambda: self.ended or (last and perf_counter() >= deadline)
        with interrupts_held(self.stop):
            while self.simulations < end and not self.proven:
                if self.paused or perf_counter() >= deadline:
                    break
                self.step(end - self.simulations)
        self.paused = self.ended = False

    def step(self, most: int) -> None:
        """Run one simulation; `most` are left, counted from the beginning of the batch."""
        if isinstance(self.algorithm, Tree):
            self.algorithm.simulate(most)
        else:
            self.algorithm.run(1)

    def pause(self) -> None:
        """End the run under way, or else the next one, after the simulation at hand."""
        self.paused = True

    def stop(self) -> None:
        """The same, and a proof under way is given up: the search ends."""
        self.paused = self.ended = True

    def settle(self) -> None:
        """End a batch that was paused: the playouts that were made count."""
        if isinstance(self.algorithm, Tree):
            self.algorithm.settle()

    @property
    def simulations(self) -> int:
        """How many were run."""
        return self.algorithm.simulations

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""
        run = self.algorithm
        return run.node_count if isinstance(run, Tree) else len(run.nodes)

    @property
    def proven(self) -> bool:
        """Whether the result with best play is known: there is nothing left to search."""
        return self.algorithm.root.proof is not None

    def advance(self, position: Position, move: int) -> None:
        """Make `position`, which is the root after `move`, the root; keep what is known of it."""
        self.position = position
        self.settle()
        if isinstance(self.algorithm, Tree):
            self.algorithm.advance(position, move)
        else:
            simulations, self.algorithm = self.algorithm.simulations, root_of(position, self.how)
            self.algorithm.simulations = simulations

    def digest(self) -> int:
        """64 bits for everything that the tree counts."""
        return self.algorithm.digest() if isinstance(self.algorithm, Tree) else 0

    def save(self) -> bytes:
        """Everything that it needs to go on."""
        self.settle()
        out = Writer(real=self.how.real)
        write_run(self.algorithm, out)
        return bytes(out.bytes)

    def load(self, saved: bytes) -> None:
        """Read what was saved, into a search that is new, of the same position."""
        reader = Reader(saved, real=self.how.real)
        read_run(self.algorithm, reader)
        reader.finish()

    def found(self) -> Found:
        """What is known now, without a batch that was paused."""
        if isinstance(self.algorithm, Root):
            return self.found_now()
        with self.algorithm.without_waiting():
            return self.found_now()

    def found_now(self) -> Found:
        """What the tallies say."""
        run, root = self.algorithm, self.algorithm.root
        if isinstance(run, Tree):
            at_root = found_at(run, root, root)
            return replace(at_root, simulations=run.simulations, line=principal_variation(run))
        values, means = run.values(), run.means()
        order = sorted(range(len(values)), key=lambda i: (-values[i], -means[i], i))
        by_amaf = isinstance(run, FlatAmafRoot)
        return Found(
            simulations=run.simulations,
            nodes=self.nodes,
            bytes=None,
            order=order,
            line=[root.moves[order[0]]],
            own=[tally.counts for tally in root.tallies],
            amaf=[together(bands).counts for bands in root.amaf] if by_amaf else None,
            parts=run.parts(),
            means=means if isinstance(run, FlatRoot) else None,
            proofs=proofs_of(root),
            real=run.how.real,
        )

    def look(self, path: tuple[int, ...]) -> Found | None:
        """What is known of the position after these moves, if it has a node."""
        self.settle()
        if isinstance(self.algorithm, Root):
            return None if path else self.found()
        inside = self.algorithm.inside(path)
        if inside is None:
            return None
        return found_at(self.algorithm, *inside)


def principal_variation(run: Tree) -> list[int]:
    """At each node the best move."""
    line: list[int] = []
    node: Node | None = run.root
    state, key = run.state, run.root_key
    passed: list[Node] = []
    while node is not None and (not line or node.visits > 0) and node not in passed:
        passed.append(node)
        move = node.moves[ranking(node)[0]]
        line.append(move)
        state = run.game.play(state, move)
        if run.game.outcome(state) is not None:
            break
        node, key = run.find(run.key_after(key, move, state), run.game.moves(state))
    return line


def found_at(run: Tree, node: Node, reference: Node) -> Found:
    """What is known at a node; `reference` lends it AMAF values in `grave`."""
    by_amaf = not isinstance(run.how, Uct)
    return Found(
        simulations=node.visits,
        nodes=run.node_count,
        bytes=None,
        order=ranking(node),
        line=(),
        own=[tally.counts for tally in node.tallies],
        amaf=[together(bands).counts for bands in run.formula.amaf(node, reference)]
        if by_amaf
        else None,
        parts=run.formula.all_parts(node, reference),
        means=None,
        proofs=proofs_of(node),
        implicit=list(node.implicit) or None,
        prior=node.prior or None,
        real=run.how.real,
    )


def ranking(node: Node) -> list[int]:
    """The indices of a node's moves, best first."""
    own = [tally.counts for tally in node.tallies]
    return rank_moves(own, proofs_of(node), node.player)


def proofs_of(node: Node) -> list[Outcome | None]:
    """By move: how the game ends after it, where that is proven."""
    return [node.proofs.get(index) for index in range(len(node.moves))]
