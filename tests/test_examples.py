"""The programs in examples/ run, and say what they should."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SAID = {
    "chess_game.py": "8902 ways to play three plies.\nUCT plays Rd8#: proven win.\n"
    "Alpha-beta with material plays Nc7+.",
    "more_simulations.py": "rule=ucb1(c=0.8))           2          2          2",
    "own_game.py": "no broken rule in 1,000 games",
    "recommendation.py": "novelty: newest shown",
    "watch_a_search.py": "visits are kept",
    "why_this_move.py": "a2xb3",
}


def test_all_are_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_example(name: str) -> None:
    command = [sys.executable, str(EXAMPLES / name)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert SAID[name] in result.stdout
