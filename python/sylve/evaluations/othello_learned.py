"""Othello: `learned`, whose weights come from games that the program played against itself.

What it is: patterns.py. Where the weights come from: `sylve train othello` (sylve/train). They are
read when they are first wanted, and checked.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from sylve.engine import compiled_half, problem
from sylve.evaluations.arithmetic import Terms
from sylve.games.board import STONES, State
from sylve.games.othello import Othello

if TYPE_CHECKING:
    from sylve.evaluations.patterns import Patterns

SIZE = 8
"""The only board that has weights."""
WEIGHTS = Path(__file__).parent / "weights" / "othello.weights"


@cache
def shipped() -> Patterns:
    """The weights of the package."""
    from sylve.evaluations.weights_file import InvalidWeights, read_weights  # NumPy is heavy

    try:
        patterns = read_weights(WEIGHTS)
    except FileNotFoundError:
        raise InvalidWeights(
            f"the weights of 'learned' are missing: {WEIGHTS}: install sylve again"
        ) from None
    if patterns.size != SIZE:
        raise InvalidWeights(f"{WEIGHTS.name}: for a board of size {patterns.size}, not {SIZE}")
    return patterns


PREPARING = Lock()


def prepare() -> None:
    """Read the weights, and give them to the compiled engine if there is one: once."""
    with PREPARING:
        _prepare()


@cache
def _prepare() -> None:
    patterns = shipped()
    if not problem():
        compiled_half("learned").Patterns(*patterns.for_engine()).learn()


def learned(game: Othello, state: State) -> tuple[int, Terms]:
    """The sum of the weights of all patterns."""
    del game
    return shipped().evaluate(state.board, STONES[state.turn])
