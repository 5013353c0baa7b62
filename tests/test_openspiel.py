"""OpenSpiel agrees: legal moves, side to move, end and result along the same random games."""

import pytest

from openspiel import PAIRS, Comparison, Pair, breakthrough, connect_four, go

POSITIONS = 100_000  # of every pair
MANY_POSITIONS = 1_000_000


def compare(comparison: Comparison, positions: int) -> None:
    index = 0
    while positions > 0:
        positions -= comparison.play(index)
        index += 1


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.ours)
def test_random_games(pair: Pair) -> None:
    compare(Comparison(pair), POSITIONS)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.ours)
def test_many_random_games(pair: Pair) -> None:
    comparison = Comparison(pair)
    compare(comparison, MANY_POSITIONS)
    # Boards that come back must be among what was compared.
    assert (comparison.repetitions > 0) == pair.ours.startswith("go")


def transposed(name: str) -> str:
    """Rows for columns: a Hex whose players join each other's sides."""
    return f"{'abcde'[int(name[1]) - 1]}{'abcde'.index(name[0]) + 1}"


@pytest.mark.parametrize(
    "pair",
    [
        # One row of pawns a side there, two here.
        Pair("breakthrough(columns=5, rows=5)", "breakthrough(rows=5,columns=5)", breakthrough(5)),
        Pair("connect_four", "connect_four(x_in_row=5)", connect_four),
        Pair("hex(size=5)", "hex(board_size=5)", transposed),
        Pair("go(size=5, komi=7.5)", "go(board_size=5,komi=0.5)", go),
        Pair("go(size=5, komi=7.5)", "go(board_size=5,komi=7.5,max_game_length=20)", go),
    ],
    ids=lambda pair: pair.theirs,
)
def test_other_games_do_not_pass(pair: Pair) -> None:
    """The comparison finds a difference where there is one."""
    comparison = Comparison(pair)
    with pytest.raises((AssertionError, ValueError)):
        compare(comparison, POSITIONS)
