"""Begin a game of OpenSpiel in a process of its own, which may crash: `trial.py NAME PARAMETERS`.

Prints `good`, or what is wrong. It is run as a file, so that it loads nothing else of the package.
"""

import json
import random
import resource
import sys

MEMORY = 4 << 30  # bytes
PLIES = 200


def main() -> str:
    """What is wrong with the game."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import pyspiel  # noqa: PLC0415

    try:
        state = pyspiel.load_game(sys.argv[1], json.loads(sys.argv[2])).new_initial_state()
        if state.is_terminal():
            return "the game is over before it begins"
        chance = random.Random(1)  # noqa: S311
        for _ in range(PLIES):
            if state.is_terminal() or not state.is_player_node():
                break
            actions = state.legal_actions()
            if not actions:
                return "a player who is to move has no legal move"
            state.apply_action(chance.choice(actions))
    except (RuntimeError, MemoryError) as error:
        return f"OpenSpiel refuses it: {error or 'it needs too much memory'}"
    return "good"


if __name__ == "__main__":
    sys.stdout.write(main())
