"""OpenSpiel as a referee: its games beside ours, step by step along the same random games.

A pair says which of its games is which of ours, and how a move name of theirs reads in ours. The
table from their actions to our moves is filled by names, as actions are met; what is compared at
every position is the whole list of legal moves, so that a wrong entry cannot hide.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sylve import Rng, _core
from sylve.adapters.same_rules import breakthrough, connect_four, hex_cell, tic_tac_toe

SEED = 7
NAMED_GAMES = 20  # in this many games of a pair every name is compared, not only the first seen


def load_openspiel() -> Any:
    """The module `pyspiel`. Tests without it fail, unless the user said that it cannot be had."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError as error:
        if os.environ.get("SYLVE_WITHOUT_OPENSPIEL") == "1":
            pytest.skip("SYLVE_WITHOUT_OPENSPIEL=1: not compared with OpenSpiel")
        pytest.fail(
            f"OpenSpiel cannot be imported ({error}): pip install open_spiel; where it has no"
            " wheel, SYLVE_WITHOUT_OPENSPIEL=1 skips these tests",
            pytrace=False,
        )


@dataclass(frozen=True)
class Pair:
    """A game of ours, the same game there, and our name of a move from theirs."""

    ours: str
    theirs: str
    name: Callable[[str], str]


def go(name: str) -> str:
    """`B d4`, `W PASS`."""
    point = name[2:]
    return "pass" if point == "PASS" else point.upper()


def go_pair(size: int) -> Pair:
    # Their games stop after 2 n^2 plies unless told otherwise: here they play on to two passes.
    return Pair(
        f"go(size={size}, komi=7.5)",
        f"go(board_size={size},komi=7.5,max_game_length={100 * size * size})",
        go,
    )


PAIRS = [
    Pair("tic_tac_toe", "tic_tac_toe", tic_tac_toe),
    # From 6 rows up: below, OpenSpiel gives one row of pawns a side, which is another game.
    *(
        Pair(
            f"breakthrough(columns={columns}, rows={rows})",
            f"breakthrough(rows={rows},columns={columns})",
            breakthrough(rows),
        )
        for columns, rows in [(5, 6), (6, 6), (7, 7), (8, 8)]
    ),
    Pair("othello", "othello", str),  # the same names, `pass` included; it has no other size
    *(
        Pair(
            f"connect_four(columns={columns}, rows={rows})",
            f"connect_four(rows={rows},columns={columns})",
            connect_four,
        )
        for columns, rows in [(7, 6), (5, 4), (8, 7)]
    ),
    *(
        Pair(f"hex(size={size})", f"hex(board_size={size})", hex_cell)
        for size in (3, 5, 11, 13, 19)
    ),
    Pair("hex(size=5, swap=true)", "hex(board_size=5,swap=True)", hex_cell),
    *(go_pair(size) for size in (5, 9, 13)),
]


def winner(returns: list[float]) -> int:
    """Their pair of returns as our `outcome`: 0, 1, or -1 for a draw."""
    return {(1.0, -1.0): 0, (-1.0, 1.0): 1, (0.0, 0.0): -1}[tuple(returns)]  # type: ignore[index]


class Comparison:
    """One pair under comparison."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.game = load_openspiel().load_game(pair.theirs)
        self.start = _core.Position(pair.ours)
        self.move_of: dict[int, int] = {}
        self.repetitions = 0

    def play(self, index: int) -> int:
        """Play random game number `index` on both sides; the number of positions compared."""
        rng = Rng.stream(SEED, index)
        ours, theirs = self.start, self.game.new_initial_state()
        boards: set[str] = set()
        plies = 0
        while not theirs.is_terminal():
            if index < NAMED_GAMES:
                self.move_of.clear()
            actions = theirs.legal_actions()
            try:
                translated = [self.move_of[action] for action in actions]
            except KeyError:
                translated = [self.translate(action, ours, theirs) for action in actions]
            moves = ours.moves()
            assert sorted(translated) == moves, self.where(ours, theirs)
            assert ours.turn() == theirs.current_player(), self.where(ours, theirs)
            assert ours.outcome() is None, self.where(ours, theirs)
            if self.pair.name is go:
                boards.add(board(ours))
                if index % 2:  # half of the games as our playouts go: eyes live, boards fill
                    moves = ours.playout_moves()
            move = moves[rng.below(len(moves))]
            theirs.apply_action(actions[translated.index(move)])
            ours = ours.play(move)
            plies += 1
            if self.pair.name is go and move != len(board(ours)) and board(ours) in boards:
                # A stone was placed and the board is an earlier one. Our engine's state has no
                # history and plays on; theirs calls it a draw. So the comparison ends here, with
                # the two sides agreeing on when: before this ply no board has come twice.
                assert theirs.is_terminal(), self.where(ours, theirs)
                assert winner(theirs.returns()) == -1, self.where(ours, theirs)
                self.repetitions += 1
                return plies
        assert ours.outcome() == winner(theirs.returns()), self.where(ours, theirs)
        assert ours.moves() == [], self.where(ours, theirs)
        return plies + 1

    def translate(self, action: int, ours: _core.Position, theirs: Any) -> int:
        """Our move for their action, by name."""
        if action not in self.move_of:
            name = self.pair.name(theirs.action_to_string(theirs.current_player(), action))
            move = ours.read_move(name)
            assert ours.write_move(move) == name, self.where(ours, theirs)
            self.move_of[action] = move
        return self.move_of[action]

    def where(self, ours: _core.Position, theirs: Any) -> str:
        """The position on both sides, for the message of a failure."""
        names = [theirs.action_to_string(action) for action in theirs.legal_actions()]
        own = [ours.write_move(move) for move in ours.moves()]
        return (
            f"{self.pair.ours}: {ours.write()}\nours: {own}\n"
            f"{self.pair.theirs}:\n{theirs}\ntheirs: {names}, history {theirs.history()}"
        )


def board(position: _core.Position) -> str:
    """The stones alone: no side to move, no ko, one character a cell."""
    return position.write().split()[0].replace("/", "")
