"""Try a game of OpenSpiel in a process of its own, which may crash: `trial.py NAME PARAMETERS`.

Prints `good`, or what is wrong. It is run as a file, so that it loads nothing else of the package.
"""

import json
import random
import resource
import sys
from importlib import import_module
from time import process_time
from typing import Any

MEMORY = 4 << 30  # bytes
GAMES = 100  # random ones: some crashes come with a rare move
PLIES = 5_000  # of all of them together
SECONDS = 1.0  # of the processor: boards may be large


def main() -> str:
    """What is wrong with the game."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    pyspiel = import_module("pyspiel")  # within the limit
    try:
        game = pyspiel.load_game(sys.argv[1], json.loads(sys.argv[2]))
        if game.new_initial_state().is_terminal():
            return "the game is over before it begins"
        return play(game, random.Random(1))  # noqa: S311
    except (RuntimeError, MemoryError) as error:
        return f"OpenSpiel refuses it: {error or 'it needs too much memory'}"


def play(game: Any, chance: random.Random) -> str:
    """What is wrong with some random games; those with chance are refused elsewhere."""
    plies, began = 0, process_time()
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal() and state.is_player_node():
            if plies == PLIES or process_time() - began > SECONDS:
                return "good"
            actions = state.legal_actions()
            if not actions:
                return "a player who is to move has no legal move"
            state.apply_action(chance.choice(actions))
            plies += 1
        str(state)
    return "good"


if __name__ == "__main__":
    sys.stdout.write(main())
