"""Positions as values for the searches: their evaluation, or how the game ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sylve.errors import cut
from sylve.evaluations import evaluation_name, evaluations_of, named, scale_of, value
from sylve.game import AnyGame, FullGame
from sylve.own import game_text
from sylve.search.reference.results import CERTAIN, check_outcome
from sylve.search.reference.tally import UNIT
from sylve.search.values import number, shown

LARGEST_SCALE = 1e9


def check_evaluation(owner: Any) -> None:
    """The arguments `evaluation` and `scale`. Which evaluations there are, only the game knows."""
    if not isinstance(owner.evaluation, str):
        raise ValueError(
            f"{owner.name()}: evaluation must be the name of an evaluation, not"
            f" {shown(owner.evaluation)}"
        )
    number(owner, "scale", 0.0, LARGEST_SCALE)


class Evaluating:
    """An evaluation of a game with its scale: `""` and 0 are the game's first and its scale."""

    def __init__(self, game: AnyGame, evaluation: str, scale: float, what: str) -> None:
        known = evaluations_of(game)
        if not known:
            raise ValueError(
                f"{cut(game_text(game))} has no evaluation, which {what} needs: give the game a"
                " method evaluate(state)"
            )
        self.name = evaluation_name(game, evaluation or None)
        self.place = list(known).index(self.name)
        """Among the evaluations of the game."""
        self.scale = scale or scale_of(game, self.name)
        self.game = game
        self.evaluate = named(game, self.name)

    def value(self, state: Any) -> int:
        """The value of a position for the side to move, in units."""
        score, _ = self.evaluate(self.game, state)
        return value(score, self.scale)

    def after(self, game: FullGame, state: Any, moves: Sequence[int]) -> list[int]:
        """By move: the value of the position after it, for the player who makes it."""
        player, values = game.turn(state), []
        for move in moves:
            after = game.play(state, move)
            outcome = game.outcome(after)
            if outcome is not None:
                check_outcome(outcome)
                values.append(CERTAIN[outcome.points(player)])
            elif game.turn(after) == player:
                values.append(self.value(after))
            else:
                values.append(UNIT - self.value(after))
        return values
