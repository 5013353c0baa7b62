"""`sylve.compiled`, without what it needs: NumPy is loaded by whoever uses it."""

from __future__ import annotations

import sys
from typing import Any


def compiled(cls: type) -> type[Any]:
    """Make a game of a class whose methods work on a NumPy record; Numba compiles it.

    `state` is the record, a `numpy.dtype`; `max_moves` bounds the number of legal moves. Names
    with an annotation are the arguments of the game. docs/own_games.md lists the methods.

    >>> import numpy as np
    >>> import sylve
    >>> @sylve.compiled
    ... class Nim:
    ...     '''Take one to three; who takes the last one wins.'''
    ...     heap: int = 10
    ...     state = np.dtype([("matches", np.int16), ("turn", np.int8)], align=True)
    ...     max_moves = 3
    ...     def start(self, s):
    ...         s.matches = self.heap
    ...     def turn(self, s):
    ...         return s.turn
    ...     def outcome(self, s):  # 0 goes on; 1 and 2: that player has won; 3 a draw
    ...         return 2 - s.turn if s.matches == 0 else 0
    ...     def moves(self, s, out):  # writes the moves, gives their number
    ...         count = min(3, s.matches)
    ...         for index in range(count):
    ...             out[index] = index + 1
    ...         return count
    ...     def play(self, s, move):
    ...         s.matches -= move
    ...         s.turn = 1 - s.turn
    >>> sylve.search(Nim(heap=6), sylve.Uct(1000, seed=1)).best
    2
    """
    from sylve.native.declaration import declare

    return declare(cls)


def is_native(game: object) -> bool:
    """Whether the compiled engine can run the machine code of this game."""
    module = sys.modules.get("sylve.native.game")  # not loaded: there is no such game
    return module is not None and bool(module.is_native(game))
