"""Toy games with known values: which move each formula chooses, and what its values tend to."""

import dataclasses

import pytest

from searches import converging
from sylve import (
    AmafUct,
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Position,
    Rave,
    Search,
    SequentialHalving,
    Ucb,
    Uct,
    check_game,
    search,
)
from sylve.rules import tuned, ucb1
from sylve.schedules import bias, course, fixed, hand, mse, pooled, slides
from sylve.search.reference.searches import TreeSearch
from toys import DRAW, FIRST_WINS, SECOND_WINS, SumOfSwitches, TreeGame

# Move 0 looks best at random (3/4) and loses to one reply; move 1 is a draw whatever happens; move
# 2 wins once in three and loses to the other replies. The value is a draw, by move 1.
TRAP = TreeGame(
    {
        0: {3: FIRST_WINS, 4: SECOND_WINS, 5: FIRST_WINS, 6: FIRST_WINS},
        1: {3: DRAW, 4: {7: DRAW, 8: {9: DRAW}}},
        2: {3: SECOND_WINS, 4: FIRST_WINS, 5: SECOND_WINS},
    }
)
TREE_SEARCHES: list[Search] = [
    *converging(c=0.0),
    AmafUct(),
    Uct(rule=ucb1(cp=1)),
    Uct(rule=tuned(simple=True)),
    Rave(schedule=fixed()),
    Rave(c=0.4, update="suffix"),
    MultiScaleRave(by="kind", update="suffix"),
    Grave(reference=0, c=0.4),
]


def unproven(how):
    """The formula alone: proofs would end such small games at once."""
    return dataclasses.replace(how, solver=False) if isinstance(how, TreeSearch) else how


def both(game, how: Search, playouts: int):
    """The report, the same in both engines."""
    how = dataclasses.replace(how, playouts=playouts)
    reference = search(Position.start(game), unproven(how), engine="python")
    engine = search(Position.start(game), unproven(how), engine="rust")
    assert engine == reference
    return engine


@pytest.mark.parametrize("how", TREE_SEARCHES, ids=str)
def test_tree_searches_see_the_trap(how: Search) -> None:
    report = both(TRAP, how, 1000)
    assert report.best == 1
    assert report[1].mean == 0.5  # every game after move 1 is a draw
    assert report[0].mean is None or report[0].mean < 0.5


@pytest.mark.parametrize("how", [Flat(), Ucb(), SequentialHalving(), FlatAmaf()], ids=str)
def test_root_searches_fall_into_it(how: Search) -> None:
    """They converge to the value of random play: 3/4 for move 0."""
    report = both(TRAP, how, 1200)
    assert report.best == 0
    mean = report[0].amaf_mean if isinstance(how, FlatAmaf) else report[0].mean
    assert mean == pytest.approx(0.75, abs=0.06)


def test_the_values_of_a_tree_converge() -> None:
    """UCT: the mean of every move tends to its minimax value."""
    truth = {0: 0.0, 1: 0.5, 2: 0.0}
    largest = []
    for playouts in (100, 1000, 10_000):
        report = search(Position.start(TRAP), Uct(playouts, rule=ucb1(cp=1), solver=False))
        largest.append(max(abs(report[move].mean - value) for move, value in truth.items()))
    assert 0.5 > largest[0] > largest[1] > largest[2]
    assert largest[2] < 0.16


# Sum of Switches.

LARGEST = 7
SIZE = LARGEST + 1


def test_the_game_is_one() -> None:
    assert check_game(SumOfSwitches(SIZE), games=50)
    assert check_game(SumOfSwitches(SIZE, false=True), games=50)


def test_only_the_largest_switch_wins() -> None:
    def wins(game, state) -> bool:
        """Whether the player to move wins."""
        player = game.turn(state)
        for move in game.moves(state):
            after = game.play(state, move)
            end = game.outcome(after)
            if end.winner == player if end else not wins(game, after):
                return True
        return False

    game = SumOfSwitches(6)
    winning = [move for move in range(6) if not wins(game, game.play(game.start(), move))]
    assert winning == [5]


@pytest.mark.parametrize(
    "how",
    [Uct(), AmafUct(), Rave(c=0.4), Rave(c=0.4, schedule=mse()), MultiScaleRave(c=0.4), Grave()],
    ids=str,
)
def test_amaf_is_right_in_sum_of_switches(how: Search) -> None:
    report = both(SumOfSwitches(SIZE), how, 1000)
    assert report.best == LARGEST
    if isinstance(how, (AmafUct, Rave)):  # and its values grow with the worth of the switch
        assert report[0].amaf_mean < report[3].amaf_mean < report[6].amaf_mean


@pytest.mark.parametrize(
    "how",
    [AmafUct(alpha=0.9), Rave(), Rave(update="suffix"), Rave(c=0.4), Grave(), Grave(c=0.4)],
    ids=str,
)
def test_false_updates_mislead_amaf(how: Search) -> None:
    """UCT finds the largest switch, searches that trust AMAF for long do not."""
    game = SumOfSwitches(SIZE, false=True)
    assert search(Position.start(game), Uct(1000, solver=False)).best == LARGEST
    report = both(game, how, 1000)
    assert report.best != LARGEST
    assert report[LARGEST].amaf_mean < report[0].amaf_mean


@pytest.mark.parametrize("schedule", [hand(), bias(), course(), mse(), pooled()], ids=str)
def test_a_falling_beta_recovers(schedule) -> None:
    """With exploration, RAVE converges once beta has fallen."""
    position = Position.start(SumOfSwitches(SIZE, false=True))
    report = search(position, Rave(6000, schedule=schedule, c=0.4, solver=False))
    assert report.best == LARGEST
    assert report[LARGEST].mean > 0.85


def test_a_beta_that_does_not_fall_does_not() -> None:
    """`slides` trusts AMAF beyond 6,000 playouts."""
    position = Position.start(SumOfSwitches(SIZE, false=True))
    assert search(position, Rave(6000, schedule=slides(), c=0.4, solver=False)).best != LARGEST
