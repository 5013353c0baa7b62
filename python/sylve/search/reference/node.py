"""Nodes of a tree, and the way down to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sylve.game import FullGame, Outcome, Player
from sylve.rng import hash_words
from sylve.search.reference.results import Result
from sylve.search.reference.tally import Tally


class Node:
    """A position in the tree: its legal moves and what is known of each."""

    __slots__ = (
        "amaf", "codes", "implicit", "moves", "player", "prior", "proof", "proofs", "table",
        "tallies", "visits", "waiting",
    )  # fmt: skip

    def __init__(self, game: FullGame, state: Any, moves: Sequence[int], bands: int) -> None:
        self.player = Player(game.turn(state))
        self.visits = 0
        self.moves = tuple(moves)
        self.codes = [game.code(state, move) for move in moves]
        self.tallies = [Tally() for _ in moves]
        self.amaf = [[Tally() for _ in range(bands)] for _ in moves]
        """By move, then by band (`MultiScaleRave`; the others have one)."""
        self.waiting: dict[int, int] = {}
        """By index of the move: descents through it that wait in a batch, for `Formula.amaf`."""
        self.table: dict[int, Tally] | None = None
        """Results of every code, for the first player (`Grave`)."""
        self.proofs: dict[int, Outcome] = {}
        """By index of the move: how the game ends after it with best play, where that is known."""
        self.proof: Outcome | None = None
        """How the game ends from here with best play, if that is known."""
        self.prior: list[int] = []
        """By move: the value of its virtual visits, in 1/65,536, if there is a prior."""
        self.implicit: list[int] = []
        """By move: its minimax value so far, with `implicit`; both for the player to move."""


class Step(NamedTuple):
    """A choice made on the way down: at this node, the move with this index."""

    node: Node
    chosen: int
    key: int


@dataclass
class Descent:
    """A way down the tree: the choices, the position where it ended, and what is known there."""

    path: list[Step]
    played: list[int]
    """The AMAF codes of the moves; those of the playout follow."""
    state: Any
    result: Result | None = None
    certain: bool = False
    """Whether the result is how the game ends, for sure or with best play."""


def node_digest(key: int, node: Node, real: bool) -> int:
    """The hash of everything that a node counts."""
    words = [key, node.visits, 0 if node.proof is None else 1 + node.proof.points(Player.FIRST)]

    def count(tally: Tally) -> tuple[int, int, int]:
        return tally.visits, tally.wins, tally.parts if real else tally.draws

    for index, own in enumerate(node.tallies):
        proof = node.proofs.get(index)
        words.append(0 if proof is None else 1 + proof.points(Player.FIRST))
        for tally in (own, *node.amaf[index]):
            words += count(tally)
        words += node.implicit[index : index + 1]
    for played_code, tally in sorted((node.table or {}).items()):
        words += (played_code, *count(tally))
    return hash_words(words)
