"""OpenSpiel agrees: legal moves, side to move, end and result along the same random games."""

import pytest

from openspiel import PAIRS, Comparison, Pair

POSITIONS = 100_000  # of every pair
MANY_POSITIONS = 1_000_000


def compare(pair: Pair, positions: int) -> Comparison:
    comparison = Comparison(pair)
    index = 0
    while positions > 0:
        positions -= comparison.play(index)
        index += 1
    return comparison


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.ours)
def test_random_games(pair: Pair) -> None:
    compare(pair, POSITIONS)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.ours)
def test_many_random_games(pair: Pair) -> None:
    comparison = compare(pair, MANY_POSITIONS)
    # Boards that come back (longer than a simple ko) must be among what was compared.
    assert (comparison.repetitions > 0) == pair.ours.startswith("go")
