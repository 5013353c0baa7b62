"""Searches as bytes. docs/spec.md ("Saved searches") has the format.

The same in Rust: `crates/sylve-core/src/search/saved.rs`. What is read may be anything: every
number is checked before it is used.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from math import isfinite
from typing import NamedTuple

from sylve.errors import DamagedFile
from sylve.game import Outcome, Player
from sylve.search.reference.bandits import FlatRoot, Root, SequentialHalvingRoot, UcbRoot
from sylve.search.reference.node import Node
from sylve.search.reference.searches import Grave
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.reference.tree import Tree, decided

MOST = (1 << 32) - 1
"""Visits: what a counter of the compiled engine holds."""
MOST_SIMULATIONS = (1 << 63) - 1
PROOFS = 1  # some moves are proven: a byte for each follows
TABLE = 2  # a table follows
OUTCOMES = {1: Outcome(Player.SECOND), 2: Outcome(None), 3: Outcome(Player.FIRST)}
"""Proofs by their byte."""


class Writer:
    """Bytes under way. `real`: of a search whose results are real numbers."""

    def __init__(self, *, real: bool = False) -> None:
        self.bytes = bytearray()
        self.real = real

    def number(self, number: int) -> None:
        """Seven bits a byte, the lowest first; all bytes but the last have their top bit set."""
        while number >= 0x80:
            self.bytes.append(number & 0x7F | 0x80)
            number >>= 7
        self.bytes.append(number)

    def tally(self, tally: Tally) -> None:
        """Visits, and if there are any, wins and draws; of real results, wins and parts."""
        self.number(tally.visits)
        if tally.visits:
            self.number(tally.wins)
            self.number(tally.parts if self.real else tally.draws)

    def codes(self, table: dict[int, Tally]) -> None:
        """The codes that were seen, with their tallies: how many, then each."""
        self.number(len(table))
        for code, tally in sorted(table.items()):
            self.number(code)
            self.tally(tally)


class Reader:
    """Bytes to be read. `real`: of a search whose results are real numbers."""

    def __init__(self, saved: bytes, *, real: bool = False) -> None:
        self.bytes = saved
        self.at = 0
        self.real = real

    def take(self, count: int) -> bytes:
        """So many bytes."""
        part = self.bytes[self.at : self.at + count]
        if len(part) < count:
            raise DamagedFile("it ends too soon")
        self.at += count
        return part

    def number(self, most: int) -> int:
        """A whole number of at most `most`."""
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            if number > most:
                raise DamagedFile("a number is too large")
            if byte < 0x80:
                return number
            shift += 7
            if shift > 63:
                raise DamagedFile("a number is too large")

    def tally(self, most: int = MOST) -> Tally:
        """A tally of at most so many visits."""
        visits = self.number(most)
        if not visits:
            return Tally()
        wins = self.number(visits)
        if not self.real:
            return Tally(visits, wins, self.number(visits - wins))
        parts = self.number(UNIT - 1)
        if parts and wins == visits:
            raise DamagedFile("more than all was won")
        return Tally(visits, wins, 0, parts)

    def codes(self, limit: int, most: int = MOST) -> dict[int, Tally]:
        """Codes below `limit` with their tallies, of at most `most` visits."""
        table: dict[int, Tally] = {}
        last = -1
        for _ in range(self.number(limit)):
            code = self.number(limit - 1)
            if code <= last:
                raise DamagedFile("codes out of order")
            table[code] = self.tally(most)
            if not table[code].visits:
                raise DamagedFile("a code that was never seen")
            last = code
        return table

    def finish(self) -> None:
        """Refuse bytes that nobody asked for."""
        if self.at < len(self.bytes):
            raise DamagedFile("it goes on after its end")


def write_run(run: Tree | Root, out: Writer) -> None:
    """Everything that a search needs to go on."""
    out.number(run.simulations)
    out.codes(run.mast if run.how.learns else {})
    if isinstance(run, Tree):
        write_tree(run, out)
    else:
        write_root(run, out)


def read_run(run: Tree | Root, saved: Reader) -> None:
    """Read it into a search that is new, of the same position."""
    run.simulations, run.mast = read_head(run, saved)
    if isinstance(run, Tree):
        read_tree(run, saved)
    else:
        read_root(run, saved)
    if run.root.visits > run.simulations:
        raise DamagedFile("more visits than simulations")


def read_head(run: Tree | Root, saved: Reader) -> tuple[int, dict[int, Tally]]:
    """What comes first: how many simulations, and what the playouts have learnt."""
    simulations = saved.number(MOST_SIMULATIONS)
    return simulations, saved.codes(run.game.codes if run.how.learns else 0)


class Place(NamedTuple):
    """A node, and the position that is there."""

    node: Node
    key: int
    state: object


def write_tree(tree: Tree, out: Writer) -> None:
    """The nodes in the order of a walk that every engine makes alike.

    From the root: take the node met last, write its record, and meet the nodes of its moves that
    were tried, in order, unless they were met before.
    """
    out.number(0)  # no bound of the memory
    # Of a position it is the hash; of a way to it, it cannot be found out again.
    out.bytes += struct.pack("<Q", 0 if tree.how.transpositions else tree.root_key)
    out.number(len(tree.nodes))
    met = {tree.root_key}
    left = [Place(tree.root, tree.root_key, tree.state)]
    while left:
        place = left.pop()
        children = []
        for index, tally in enumerate(place.node.tallies):
            if not tally.visits or (child := after(tree, place, index)) is None:
                continue
            state, key = child
            node, key = tree.find(key, tree.game.moves(state))
            if node is not None and key not in met:
                met.add(key)
                children.append(index)
                left.append(Place(node, key, state))
        write_node(place.node, children, out)


def after(tree: Tree, place: Place, index: int) -> tuple[object, int] | None:
    """The position after a move and its key, unless the game is over."""
    move = place.node.moves[index]
    state = tree.game.play(place.state, move)
    if tree.game.outcome(state) is not None:
        return None
    return state, tree.key_after(place.key, move, state)


def write_node(node: Node, children: list[int], out: Writer) -> None:
    """The record of a node: the rules give its moves, so that only their counters are kept."""
    for own, amaf in zip(node.tallies, node.amaf, strict=True):
        for tally in (own, *amaf):
            out.tally(tally)
    for units in node.implicit:
        out.number(units)
    out.bytes.append((PROOFS if node.proofs else 0) | (TABLE if node.table is not None else 0))
    if node.proofs:
        for index in range(len(node.moves)):
            proof = node.proofs.get(index)
            out.bytes.append(0 if proof is None else 1 + proof.points(Player.FIRST))
    if node.table is not None:
        out.codes(node.table)
    out.number(len(children))
    for index in children:
        out.number(index)


def read_tree(tree: Tree, saved: Reader) -> None:
    """Walk through the tree again, with the records for a guide."""
    if saved.number(MOST):
        raise DamagedFile("a bound of the memory, which this search has not")
    (key,) = struct.unpack("<Q", saved.take(8))
    if not tree.how.transpositions:
        tree.root_key = key
    count = saved.number(MOST)
    tree.nodes = {tree.root_key: tree.root}
    left = [Place(tree.root, tree.root_key, tree.state)]
    while left:
        place = left.pop()
        for index in read_node(tree, place.node, saved):
            child = after(tree, place, index)
            if child is None:
                raise DamagedFile("the game is over, and goes on")
            state, key = child
            moves = tree.game.moves(state)
            found, key = tree.find(key, moves)
            if found is not None:
                raise DamagedFile("a position comes twice")
            tree.nodes[key] = node = tree.make_node(state, moves)
            left.append(Place(node, key, state))
    if len(tree.nodes) != count:
        raise DamagedFile("it has another number of nodes")


def read_node(tree: Tree, node: Node, saved: Reader) -> list[int]:
    """The counters of a node; the indices of the moves whose nodes come next."""
    moves = len(node.moves)
    node.tallies.clear()
    for bands in node.amaf:
        node.tallies.append(saved.tally())
        bands[:] = [saved.tally() for _ in bands]
    node.visits = sum(tally.visits for tally in node.tallies)
    if node.visits > MOST:
        raise DamagedFile("too many visits")
    if any(tally.visits > node.visits for bands in node.amaf for tally in bands):
        raise DamagedFile("a tally of more visits than its node")
    if tree.how.implicit:
        node.implicit = [saved.number(UNIT - 1) for _ in node.moves]
        if 0 in node.implicit:
            raise DamagedFile("a minimax value of 0")
    marks = saved.take(1)[0]
    allowed = (PROOFS if tree.solving else 0) | (TABLE if isinstance(tree.how, Grave) else 0)
    if marks & ~allowed:
        raise DamagedFile("marks that this search has not")
    if marks & PROOFS:
        node.proofs = read_proofs(saved.take(moves))
        node.proof = decided(node)
    if marks & TABLE:
        node.table = saved.codes(tree.game.codes, node.visits)
    children: list[int] = []
    for _ in range(saved.number(moves)):
        index = saved.number(moves - 1)
        if (children and children[-1] >= index) or not node.tallies[index].visits:
            raise DamagedFile("children out of order, or never visited")
        children.append(index)
    return children


def read_proofs(values: Iterable[int]) -> dict[int, Outcome]:
    """By index of the move, from a byte for each."""
    proofs = {index: OUTCOMES.get(value) for index, value in enumerate(values) if value}
    if None in proofs.values():
        raise DamagedFile("an unknown proof")
    if not proofs:
        raise DamagedFile("proofs of no move")
    return {index: proof for index, proof in proofs.items() if proof is not None}


def write_root(run: Root, out: Writer) -> None:
    """What a root search counts, and what only some of them have."""
    out.number(run.root.visits)
    for tally in (*run.root.tallies, *(amaf for (amaf,) in run.root.amaf)):
        out.tally(tally)
    if isinstance(run, FlatRoot | UcbRoot):
        for value in (*run.weights, *run.sums):
            out.bytes += struct.pack("<d", value)
    if isinstance(run, SequentialHalvingRoot):
        out.number(run.turn)
        for rounds in run.survived:
            out.number(rounds)


def read_root(run: Root, saved: Reader) -> None:
    """Read it back."""
    moves = len(run.root.moves)
    run.root.visits = left = saved.number(MOST)
    for index in range(moves):
        run.root.tallies[index] = saved.tally(left)
        left -= run.root.tallies[index].visits
    for bands in run.root.amaf:
        bands[0] = saved.tally(run.root.visits)
    if isinstance(run, FlatRoot | UcbRoot):
        values = struct.unpack(f"<{2 * moves}d", saved.take(16 * moves))
        run.weights, run.sums = list(values[:moves]), list(values[moves:])
        for weight, total in zip(run.weights, run.sums, strict=True):
            if not isfinite(weight) or not 0.0 <= total <= weight:
                raise DamagedFile("a weight that cannot be")
    if isinstance(run, SequentialHalvingRoot):
        turn = saved.number(MOST_SIMULATIONS)
        run.resume(turn, [saved.number(64) for _ in range(moves)])
        if len(run.left) > 1 and turn > run.round_ends:
            raise DamagedFile("a round is longer than it can be")
