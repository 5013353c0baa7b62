"""OpenSpiel's C++, driven from Python.

It has no call for playouts, and an evaluator cannot be called from Python, so they are timed
through its MCTSBot: few simulations with many rollouts at each leaf, where the tree costs next to
nothing.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
from functools import cache
from typing import Any

from timing import Work

SIMULATIONS = 20
ROLLOUTS = 200  # at each leaf


@cache
def openspiel() -> Any:
    """The module `pyspiel`, or None where it cannot be imported."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def version() -> str:
    """Its version, or that it is not there."""
    if openspiel() is None:
        return "not importable (pip install open_spiel): not measured"
    return importlib.metadata.version("open_spiel")


def bot(game: Any, simulations: int, rollouts: int, seed: int) -> Any:
    """UCT with c = sqrt 2, no solver."""
    evaluator = openspiel().RandomRolloutEvaluator(rollouts, seed)
    return openspiel().MCTSBot(
        game, evaluator, math.sqrt(2), simulations, 1000, solve=False, seed=seed, verbose=False
    )


def playouts(text: str) -> Work:
    """Random playouts from the start (and, 19 in 20, from a ply or two after it)."""
    game = openspiel().load_game(text)
    player = bot(game, SIMULATIONS, ROLLOUTS, seed=1)
    start = game.new_initial_state()

    def run(calls: int) -> None:
        for _ in range(calls):
            root = player.mcts_search(start)
            assert root.explore_count == SIMULATIONS

    return Work(run, unit=SIMULATIONS * ROLLOUTS)


def mean_result(text: str, count: int) -> float:
    """The mean over `count` playouts from the start: 1 if the first player wins, -1 if he loses."""
    game = openspiel().load_game(text)
    root = bot(game, 1, count, seed=2).mcts_search(game.new_initial_state())
    assert root.explore_count == 1
    return float(root.total_reward)
