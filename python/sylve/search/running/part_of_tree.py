"""The tree of the compiled engine, read node by node: as much of it as a descent comes to.

A whole tree takes seconds to read in Python, and a simulation passes a dozen nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sylve.position import Position
from sylve.search.reference.node import Descent, Node
from sylve.search.reference.searches import TreeSearch
from sylve.search.reference.tree import Tree
from sylve.search.running.compiled import Compiled
from sylve.search.running.search_bytes import Reader, read_head, read_node


class PartOfTree(Tree):
    """A tree that goes on where the engine stands, which must not run on meanwhile.

    What is counted here is counted in nodes that were read, so that the rest of the engine's tree
    stays right.
    """

    def __init__(self, position: Position, how: TreeSearch, engine: Compiled) -> None:
        super().__init__(position, how)
        self.engine = engine
        self.way: list[int] = []
        """The moves of the descent at hand."""
        self.read = 0
        """How many nodes are the engine's; the others were made here."""
        self.root_key, saved = engine.save_node(())
        reader = Reader(saved, real=self.how.real)
        self.simulations, self.mast = read_head(self, reader)
        self.fill(self.root, self.root_key, reader)
        self.nodes = {self.root_key: self.root}

    def fill(self, node: Node, key: int, reader: Reader) -> None:
        """Read the counters of a node, and keep it."""
        read_node(self, node, reader)
        reader.finish()
        self.nodes[key] = node
        self.read += 1

    @property
    def node_count(self) -> int:
        """The engine's nodes, and those that were made here."""
        return self.engine.nodes + len(self.nodes) - self.read

    def descend(self) -> Descent:
        """Remember the way."""
        self.way = []
        return super().descend()

    def key_after(self, key: int, move: int, state: Any) -> int:
        """Asked for every move of a descent."""
        self.way.append(move)
        self.state_here = state
        return super().key_after(key, move, state)

    def find(self, key: int, moves: Sequence[int]) -> tuple[Node | None, int]:
        """The node after the moves of the descent, from here or from the engine."""
        known, key = super().find(key, moves)
        if known is not None:
            return known, key
        key, saved = self.engine.save_node(self.way)
        # Where two positions have one hash, the engine's key may be another one.
        known, key = super().find(key, moves)
        if known is not None or not saved:
            return known, key
        reader = Reader(saved, real=self.how.real)
        read_head(self, reader)
        node = self.make_node(self.state_here, moves)
        self.fill(node, key, reader)
        return node, key
