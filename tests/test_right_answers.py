"""Every tree search finds the win in positions that are won within three plies.

`AmafUct` is left out: its weight of AMAF never falls, so that its bias stays and it may settle on a
wrong move however long it runs. The searches with AMAF are run with exploration: with their default
c = 0 they may never try the winning move (`test_without_exploration_the_win_may_not_be_tried`).
"""

import dataclasses

import pytest

from searches import converging
from sylve import AmafUct, Grave, MultiScaleRave, Position, Rave, Uct, search
from sylve.schedules import mse, pooled
from sylve.search.reference.searches import TreeSearch
from wins import is_winning, won_positions

GAMES = [
    "tic_tac_toe",
    "breakthrough(columns=5, rows=5)",
    "connect_four",
    "hex(size=4)",
    "othello(size=6)",
    "go(size=3, komi=0.5)",
]
C = 0.4  # UCT's
PLAYOUTS = 10_000


def misses(positions: list[Position], how: TreeSearch, solver: bool = False) -> list[str]:
    """The positions where the search does not choose a winning move."""
    how = dataclasses.replace(how, playouts=PLAYOUTS, solver=solver)
    chosen = [(position, search(position, how)) for position in positions]
    return [
        f"{position!r}: {report.best_name}"
        for position, report in chosen
        if not is_winning(position, report.best)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_win_is_found(game: str) -> None:
    positions = won_positions(game, 20, seed=2)
    for how in (Uct(), Rave(c=C), MultiScaleRave(c=C), Grave(c=C)):
        assert misses(positions, how) == []


@pytest.mark.parametrize("game", GAMES[:-1])  # nothing is proven in Go
def test_with_proofs_every_win_is_found(game: str) -> None:
    positions = won_positions(game, 20, seed=3)
    for how in (*converging(C), AmafUct()):
        assert misses(positions, how, solver=True) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES[:-1])
def test_with_proofs_every_win_is_found_in_200_positions(game: str) -> None:
    positions = won_positions(game, 200, seed=4)
    for how in (*converging(C), AmafUct(), Uct(transpositions=False), Uct(batch=16)):
        assert misses(positions, how, solver=True) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_win_is_found_in_200_positions(game: str) -> None:
    positions = won_positions(game, 200)
    found = {str(how): misses(positions, how) for how in converging(C)}
    # At least 99 %: at most 2 of 200.
    assert {how: missed for how, missed in found.items() if len(missed) > 2} == {}


@pytest.mark.parametrize(
    "how",
    [Rave(), Rave(schedule=mse()), Rave(schedule=pooled()), Grave(), MultiScaleRave()],
    ids=str,
)
def test_without_exploration_the_win_may_not_be_tried(how: TreeSearch) -> None:
    """c = 0: every move looks lost by AMAF, ties go to the first, and a6 wins untried."""
    text = "x.xxxx/oooxx./ooxxxx/ooooox/xxxxxx/.xxxox o"
    position = Position.parse("othello(size=6)", text)
    report = search(position, dataclasses.replace(how, playouts=PLAYOUTS, solver=False))
    assert is_winning(position, position.move("a6"))
    assert not is_winning(position, report.best)
    assert report[position.move("a6")].visits == 0
    explores = dataclasses.replace(how, playouts=PLAYOUTS, c=C)
    assert search(position, explores).best_name == "a6"
