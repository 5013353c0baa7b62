"""OpenSpiel's C++, driven from Python: its MCTSBot.

It has no call for playouts, and an evaluator cannot be called from Python, so they too are timed
through the bot: few simulations with many rollouts at each leaf, where the tree costs next to
nothing.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
import subprocess
import sys
from functools import cache
from pathlib import Path
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


def searches(text: str, simulations: int) -> Work:
    """Searches from the start, one rollout at each leaf."""
    game = openspiel().load_game(text)
    player = bot(game, simulations, rollouts=1, seed=1)
    start = game.new_initial_state()

    def run(calls: int) -> None:
        for _ in range(calls):
            root = player.mcts_search(start)
            assert root.explore_count == simulations

    return Work(run, unit=simulations)


# RSS before and after a search whose tree is still held.
GROWTH = """
import peers, resource
from pathlib import Path
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
game = peers.openspiel().load_game({text!r})
start = game.new_initial_state()
peers.bot(game, 100, rollouts=1, seed=2).mcts_search(start)
before = resident()
root = peers.bot(game, {simulations}, rollouts=1, seed=1).mcts_search(start)
print(resident() - before)
"""


def bytes_per_simulation(text: str, simulations: int) -> float | None:
    """The growth of a fresh process during one search; None where the system does not tell."""
    if not Path("/proc/self/statm").exists():
        return None
    script = GROWTH.format(text=text, simulations=simulations)
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parent,
        check=True,
        capture_output=True,
        text=True,
    )
    return int(answer.stdout) / simulations
