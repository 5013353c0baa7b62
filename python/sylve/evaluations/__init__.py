"""How good a position looks to the side to move, without searching. One file for each game.

Scores are integers, in thousandths of the unit of each evaluation, the same in both languages:
docs/evaluations.md has the formulas.

>>> from sylve.evaluations import EVALUATIONS
>>> list(EVALUATIONS["othello"])
['positional', 'weights', 'composite', 'stability', 'composite_stability', 'learned']

One scale makes a score a number between lost and won:

>>> from sylve.evaluations import SCALES, value
>>> value(9600, SCALES["othello"]["positional"]) / 65536  # 1 / (1 + 1 / e)
0.7310638427734375
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sylve.engine import Engine, choose, is_compiled, to_core
from sylve.errors import cut, quote
from sylve.evaluations import (
    breakthrough,
    connect_four,
    go,
    hex,  # noqa: A004
    othello,
    othello_learned,
    tic_tac_toe,
)
from sylve.evaluations.arithmetic import Terms
from sylve.exponential import exp
from sylve.game import LARGEST_SCORE, AnyGame, check_score
from sylve.games.board import BoardGame
from sylve.games.othello import Othello
from sylve.grammar import suggestion
from sylve.own import game_text
from sylve.position import Position, as_position

__all__ = ["EVALUATIONS", "SCALES", "Evaluation", "evaluate", "value"]

Named = Callable[[Any, Any], tuple[int, Terms]]
"""From the rules and a state to the score and its terms."""
Custom = Callable[[Position], int]
"""A user's own evaluation: thousandths, for the side to move."""

LEARNED = "learned"
"""The evaluation of Othello whose weights are in a file."""

EVALUATIONS: Mapping[str, Mapping[str, Named]] = {
    "tic_tac_toe": tic_tac_toe.EVALUATIONS,
    "breakthrough": breakthrough.EVALUATIONS,
    "othello": {**othello.EVALUATIONS, LEARNED: othello_learned.learned},
    "connect_four": connect_four.EVALUATIONS,
    "hex": hex.EVALUATIONS,
    "go": go.EVALUATIONS,
}
"""By game and name; the first of each game is its default."""

SCALES: Mapping[str, Mapping[str, float]] = {
    "tic_tac_toe": {"lines": 3000.0},
    "breakthrough": {"advancement": 4000.0},
    "othello": {
        "positional": 9600.0,
        "weights": 180_000.0,
        "composite": 20_000.0,
        "stability": 22_000.0,
        "composite_stability": 23_000.0,
        "learned": 13_000.0,
    },
    "connect_four": {"threes": 2200.0},
    "hex": {"two_distance": 2500.0},
    "go": {"area": 9000.0},
}
"""By game and evaluation: the score at which the side to move wins 73 of 100 games (`value`), in
thousandths. Fitted by benchmarks/fit_scale.py."""
OWN_SCALE = 1000.0
"""Of the `evaluate` of a game of the user's own."""
WHOLE = 65_536
"""A certain win in `value`."""

LARGEST = LARGEST_SCORE
"""No evaluation goes beyond this: wins and losses do."""


@dataclass(frozen=True)
class Evaluation:
    """An evaluation of a position, for the side to move.

    >>> from sylve import Position, evaluate
    >>> evaluate(Position.start("tic_tac_toe").play("b2"))
    Evaluation(name='lines', score=-4000, terms={'lines': -4000})
    """

    name: str
    score: int
    """In thousandths."""
    terms: Terms
    """What it is made of, in thousandths; docs/evaluations.md says how."""


def evaluate(
    position: Position | str | AnyGame,
    evaluation: str | None = None,
    *,
    engine: Engine = "auto",
) -> Evaluation:
    """Evaluate a position: `evaluate(position, "composite").terms["mobility"]`.

    >>> from sylve import Position, evaluate
    >>> position = Position.start("othello").play_line("f5d6")
    >>> evaluate(position, "composite").terms
    {'coin_parity': 0, 'mobility': 11111, 'corners': 0}
    """
    position = as_position(position)
    name = evaluation_name(position.game, evaluation)
    # As in a search: a game written in Python is evaluated in Python.
    if choose(engine) == "rust" and (is_compiled(position) or engine == "rust"):
        score, terms = to_core(position).evaluate(name)
        return Evaluation(name, score, dict(terms))
    return Evaluation(name, *named(position.game, name)(position.game, position.state))


def evaluation_name(game: AnyGame, name: str | None) -> str:
    """The name of an evaluation that the game has; None is its default."""
    known = evaluations_of(game)
    if not known:
        raise ValueError(
            f"{cut(game_text(game))} has no evaluation: give the game a method evaluate(state), or"
            " AlphaBeta a function, as in AlphaBeta(4, evaluation=f)"
        )
    if name is None:
        return next(iter(known))
    if name not in known:
        if name == LEARNED and isinstance(game, Othello):
            raise ValueError(
                f"{game} has no evaluation 'learned': only size {othello_learned.SIZE} has weights"
            )
        of = game.name if isinstance(game, BoardGame) else cut(game_text(game))
        raise ValueError(f"unknown evaluation {quote(name)} of {of}: {suggestion(name, known)}")
    if name == LEARNED and isinstance(game, Othello):
        othello_learned.prepare()  # a file that is missing or damaged says so here
    return name


def evaluations_of(game: AnyGame) -> Mapping[str, Named]:
    """Those of a game of the package, or the `evaluate` of a game of the user's own."""
    if isinstance(game, Othello) and game.size != othello_learned.SIZE:
        return othello.EVALUATIONS  # no weights
    if isinstance(game, BoardGame):
        return EVALUATIONS.get(game.name, {})
    return {"own": _own} if hasattr(game, "evaluate") else {}


def scale_of(game: AnyGame, name: str) -> float:
    """The scale of an evaluation that the game has, where nobody gives another."""
    known = SCALES.get(game.name, {}) if isinstance(game, BoardGame) else {}
    return known.get(name, OWN_SCALE)


def value(score: int, scale: float) -> int:
    """What a score is worth: the chance to win, 1 / (1 + e^(-score / scale)), in 1/65,536.

    From 1 to 65,535: an evaluation is never certain. Both sides together have 65,536.

    >>> from sylve.evaluations import value
    >>> [value(score, 2000) for score in (0, 2000, -2000, 900_000)]
    [32768, 47911, 17625, 65535]
    """
    chance = 1.0 / (1.0 + exp(-(abs(score) / scale)))
    units = min(int(chance * WHOLE + 0.5), WHOLE - 1)
    return units if score >= 0 else WHOLE - units


def _own(game: Any, state: Any) -> tuple[int, Terms]:
    score = check_score("evaluate()", game.evaluate(state))
    return score, {"own": score}


def named(game: AnyGame, name: str) -> Named:
    """The evaluation of this name, which the game has."""
    return evaluations_of(game)[name]


def checked(custom: Custom, position: Position) -> int:
    """What a user's evaluation says of a position, if it is a score at all."""
    return check_score("the evaluation", custom(position))
