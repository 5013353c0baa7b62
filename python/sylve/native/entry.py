"""`sylve.compiled`, without what it needs: NumPy is loaded by whoever uses it."""

from __future__ import annotations

import sys
from typing import Any


def compiled(cls: type) -> type[Any]:
    """Compile a class by Numba: a game, or a rule, schedule or policy of a search.

    A game is a class whose methods work on a NumPy record.

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

    A part of a search stays the class that it is, and runs in the compiled engine as well:
    docs/own_rules.md.

    >>> @sylve.compiled
    ... class Greedy(sylve.rules.Index):
    ...     c: float = 0.5
    ...     def exploration(self, total, own):
    ...         return self.c / own.visits
    >>> sylve.search("tic_tac_toe", sylve.Uct(1000, rule=Greedy(0.3), seed=1)).engine
    'rust'
    """
    if hasattr(cls, "compiled_method"):
        from sylve.native.part import declare_part

        part: type[Any] = declare_part(cls)
        return part
    from sylve.native.declaration import declare

    return declare(cls)


def is_native(game: object) -> bool:
    """Whether the compiled engine can run the machine code of this game."""
    module = sys.modules.get("sylve.native.game")  # not loaded: there is no such game
    return module is not None and bool(module.is_native(game))


def is_native_part(part: object) -> bool:
    """Whether a rule, schedule or policy of a user's own was declared to be compiled.

    A class derived from such a one was not: it may have other methods.
    """
    return "machine_source" in vars(type(part))


def part_problem() -> str:
    """Why the compiled engine cannot run such parts, if that is so."""
    from sylve.native.part import without_numba

    return without_numba()
