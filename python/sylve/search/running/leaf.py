"""Leaf parallelisation: several playouts from each leaf. For teaching.

Here one after the other, in Rust one to a thread (`search/parallel/leaf.rs`): the same numbers.
"""

from __future__ import annotations

from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.policies import mast
from sylve.search.reference.searches import MultiScaleRave, Search, TreeSearch
from sylve.search.reference.tree import Tree, prove
from sylve.search.running.in_python import Reference


class LeafTree(Tree):
    """A tree whose leaves get several playouts at a time."""

    def __init__(self, position: Position, how: TreeSearch, playouts: int) -> None:
        super().__init__(position, how)
        self.playouts = playouts

    def simulate_some(self, most: int) -> None:
        """Descend once, play several times to the end, update with each result."""
        descent = self.descend()
        path, played, outcome = descent.path, descent.played, descent.outcome
        if outcome is not None:  # the end of the game needs no playout, and counts once
            self.update(path, played, outcome)
            if descent.certain and self.solving:
                prove(path, outcome)
            self.simulations += 1
            return
        for _ in range(min(most, self.playouts)):
            codes = list(played)
            rng = Rng.stream(self.how.seed, self.simulations)
            result = self.how.playout.playout(self.game, descent.state, rng, codes, self.mast)
            self.update(path, codes, result)
            self.simulations += 1


class LeafReference(Reference):
    """The reference with several playouts from each leaf."""

    def __init__(self, position: Position, how: Search, playouts: int) -> None:
        if not isinstance(how, TreeSearch):
            raise ValueError(
                "parallel=tree and parallel=leaf need a tree search: use parallel=root"
            )
        if isinstance(how, MultiScaleRave):
            raise ValueError(
                "parallel=tree and parallel=leaf have no multi_scale_rave: use parallel=root"
            )
        if isinstance(how.playout, mast):
            raise ValueError(
                "parallel=tree and parallel=leaf have no mast, which learns in order: use root"
            )
        if how.solver_nodes:
            raise ValueError(
                "parallel=tree and parallel=leaf have no solver_nodes: use parallel=root"
            )
        if how.batch > 1:
            raise ValueError("parallel=tree and parallel=leaf make no batches: use parallel=batch")
        super().__init__(position, how)
        self.run_of = self.tree = LeafTree(position, how, playouts)

    def step(self, most: int) -> None:
        """One leaf."""
        self.tree.simulate_some(most)
