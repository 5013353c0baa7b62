"""The searches and games that are traced."""

import dataclasses

from searches import EXPLORING, C
from sylve import (
    Grave,
    MultiScaleRave,
    Position,
    Rave,
    Search,
    Ucb,
    Uct,
)
from sylve.policies import mast
from sylve.rules import bayes
from test_check_game import Nim
from turns import DotsAndBoxes

MORE: list[
    Search
] = [  # what test_engines leaves to other files: proofs, batches, no transpositions
    *EXPLORING,
    Uct(),
    Rave(),
    Grave(reference=5),
    Uct(batch=8),
    Rave(batch=5, c=C),
    Grave(batch=4, reference=3, playout=mast()),
    Rave(transpositions=False),
    MultiScaleRave(batch=3),
    Ucb(rule=bayes()),
]
LONGEST = 300  # simulations; the budget, which the rounds of sequential halving divide


def sized(how: Search, seed: int) -> Search:
    return dataclasses.replace(how, playouts=LONGEST, seed=seed)


OWN = {"nim": Nim(), "dots_and_boxes": DotsAndBoxes(2, 1)}
"""Games in Python, which trace in the reference; in the second a player may move twice."""


def position_of(game: str, moves: str) -> Position:
    return Position.start(OWN.get(game, game)).play_line(moves)
