"""Matches on Breakthrough against published win rates: within 3 standard errors.

The rates are of an independent program in C++, 1,000 games (300 on 6x6), colours alternated, UCB1
and UCT with c = 0.4, RAVE with the slides' schedule, c = 0 and the course's update, Flat without
the remainder, no proofs. docs/searches.md prints what these matches gave.
"""

import dataclasses
from math import sqrt

import pytest

from sylve import Flat, FlatAmaf, Position, Rave, Search, Ucb, Uct, search

GAMES = 1000


def play(start: Position, players: tuple[Search, Search], seed: int) -> int:
    """The index of the winner."""
    position = start
    while position.outcome is None:
        ply = len(position.played)
        how = dataclasses.replace(players[ply % 2], seed=1000 * seed + ply)
        position = position.play(search(position, how).best)
    assert position.outcome.winner is not None, "no draws in Breakthrough"
    return int(position.outcome.winner)


def win_rate(game: str, first: Search, second: Search) -> float:
    """What `first` wins of GAMES games, moving first in every other one."""
    start = Position.start(game)
    won = 0
    for index in range(GAMES):
        swapped = index % 2
        players = (second, first) if swapped else (first, second)
        won += play(start, players, index) == swapped
    print(f"{first} beats {second} on {game}: {won} of {GAMES}")  # noqa: T201 (pytest -s)
    return won / GAMES


SMALL, MIDDLE = "breakthrough(columns=5, rows=5)", "breakthrough(columns=6, rows=6)"


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "first", "second", "published", "games"),
    [
        (SMALL, Uct(200, solver=False), Flat(200, remainder="drop"), 0.746, 1000),
        (SMALL, FlatAmaf(30), Flat(30, remainder="drop"), 0.798, 1000),
        (SMALL, Ucb(200), Flat(200, remainder="drop"), 0.633, 1000),
        (MIDDLE, Rave(200, solver=False), Uct(200, solver=False), 0.653, 300),
    ],
    ids=["uct", "flat_amaf", "ucb", "rave"],
)
def test_published_win_rates(
    game: str, first: Search, second: Search, published: float, games: int
) -> None:
    rate = win_rate(game, first, second)
    error = sqrt(rate * (1 - rate) / GAMES + published * (1 - published) / games)
    assert abs(rate - published) <= 3 * error


@pytest.mark.long
def test_rave_does_not_beat_uct_on_a_small_board() -> None:
    """At 1,000 playouts on 5x5; 45.7 % was published."""
    rave, uct = Rave(1000, solver=False), Uct(1000, solver=False)
    assert win_rate(SMALL, rave, uct) <= 0.5
