"""The reference engine: every search in plain Python."""

from __future__ import annotations

from math import inf
from time import perf_counter

from sylve.position import Position
from sylve.rng import mix
from sylve.search.formulas import MultiScaleFormula
from sylve.search.interrupts import interrupts_held
from sylve.search.report import Counts, Found, MoveReport, make_moves
from sylve.search.root import FlatAmafRoot, FlatRoot, Root, root_of
from sylve.search.searches import Search, TreeSearch, Uct
from sylve.search.tally import Tally
from sylve.search.tree import Node, Tree, hash_of


class Reference:
    """A search in plain Python that can be run on and reported at any time."""

    engine = "python"

    def __init__(self, position: Position, how: Search) -> None:
        self.position = position
        self.how = how
        self.paused = False
        self.run_of: Tree | Root
        self.run_of = Tree(position, how) if isinstance(how, TreeSearch) else root_of(position, how)

    def run(self, simulations: int, seconds: float | None = None) -> None:
        """Run so many more simulations, or fewer if the time is up or `pause` is called."""
        deadline = inf if seconds is None else perf_counter() + seconds
        with interrupts_held(self.pause):
            end = self.simulations + simulations
            while self.simulations < end and not self.paused and perf_counter() < deadline:
                self.step(end - self.simulations)
        self.paused = False

    def step(self, most: int) -> None:  # noqa: ARG002
        """Run one simulation; `most` may be run."""
        self.run_of.run(1)

    def pause(self) -> None:
        """End the run under way, or else the next one, after the simulation at hand."""
        self.paused = True

    @property
    def simulations(self) -> int:
        """How many were run."""
        return self.run_of.simulations

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""
        return len(self.run_of.nodes)

    @property
    def bytes(self) -> int | None:
        """Python does not tell."""
        return None

    def order(self) -> list[int]:
        """The indices of the root moves, best first: visits (or value), then mean, then first."""
        root = self.run_of.root
        values = [float(tally.visits) for tally in root.tallies]
        means = [tally.mean() if tally.visits else 0.5 for tally in root.tallies]
        if isinstance(self.run_of, Root):
            values, means = self.run_of.values(), self.run_of.means()
        return sorted(range(len(values)), key=lambda i: (-values[i], -means[i], i))

    def found(self) -> Found:
        """What is known now."""
        run = self.run_of
        tallies = self.tallies()
        amaf = [other for _, other in tallies if other is not None]
        return Found(
            simulations=self.simulations,
            nodes=self.nodes,
            bytes=None,
            order=self.order(),
            line=self.line(),
            own=[own for own, _ in tallies],
            amaf=amaf or None,
            parts=self.parts(),
            means=run.means() if isinstance(run, FlatRoot) else None,
        )

    def moves(self) -> tuple[MoveReport, ...]:
        """The entries of the report."""
        return make_moves(self.position, self.found())

    def parts(self) -> list[tuple[float, float, float | None]]:
        """Value, exploration and beta of every move."""
        run, root = self.run_of, self.run_of.root
        if isinstance(run, Root):
            return run.parts()
        if isinstance(run.formula, MultiScaleFormula):
            return run.formula.all_parts(root)
        return [
            run.formula.parts(root.visits, own, other)
            for own, other in zip(root.tallies, run.formula.amaf(root, root), strict=True)
        ]

    def tallies(self) -> list[tuple[Counts, Counts | None]]:
        """For each root move its own counts and those of AMAF, where the search has them."""
        run, root = self.run_of, self.run_of.root
        own = [summed([tally]) for tally in root.tallies]
        if isinstance(self.how, Uct) or (
            isinstance(run, Root) and not isinstance(run, FlatAmafRoot)
        ):
            return [(counts, None) for counts in own]
        amaf = root.amaf if isinstance(run, Root) else run.formula.amaf(root, root)
        return list(zip(own, [summed(bands) for bands in amaf], strict=True))

    def line(self) -> list[int]:
        """The principal variation: at each node the most visited move, then mean, then first."""
        run = self.run_of
        line = [run.root.moves[self.order()[0]]]
        if isinstance(run, Root):
            return line
        state, key = run.state, run.root_key
        passed = [run.root]
        while True:
            move = line[-1]
            state = run.forget(run.game.play(state, move))
            if run.game.outcome(state) is not None:
                return line
            key = hash_of(run.game, state) if run.how.transpositions else mix(key ^ (move + 1))
            node, key = run.find(key, run.game.moves(state))
            if node is None or node.visits == 0 or node in passed:
                return line
            passed.append(node)
            line.append(node.moves[best_index(node)])


def best_index(node: Node) -> int:
    """The most visited move, then the best mean, then the first."""
    best = 0
    for index, tally in enumerate(node.tallies):
        champion = node.tallies[best]
        if tally.visits > champion.visits or (
            tally.visits == champion.visits > 0 and tally.mean() > champion.mean()
        ):
            best = index
    return best


def summed(tallies: list[Tally]) -> Counts:
    """The tallies of all bands together."""
    return (
        sum(tally.visits for tally in tallies),
        sum(tally.wins for tally in tallies),
        sum(tally.draws for tally in tallies),
    )
