"""Playouts by what a move does: a capture, a corner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from sylve.errors import quote, shown
from sylve.game import AnyGame, FullGame
from sylve.games import GAMES
from sylve.grammar import suggestion
from sylve.rng import Rng
from sylve.search.reference.policies import Policy, draw_by_weight, read_weight
from sylve.search.reference.tally import Tally

LARGEST = 100
"""The product of all weights of a move stays small."""


@dataclass(frozen=True)
class featured(Policy):  # noqa: N801 (values of the grammar have lower-case names)
    """A draw in proportion to the product of the weights of what a move does.

    `weights` is a mapping from features to whole numbers, or the same as text: `{"capture": 4}`,
    `"capture=4 run=9"`. A feature without a weight weighs 1. Breakthrough has the features
    `capture` and `run` (no pawn of the opponent can stop it any more), Othello `corner`, `beside`
    (an empty corner) and `tight` (it leaves the opponent at most two moves). The idea is that of
    Coulom 2007, "Computing Elo ratings of move patterns in the game of Go".

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import featured
    >>> how = Uct(300, playout=featured({"capture": 4, "run": 9}), seed=1)
    >>> print(how)
    uct(playouts=300, seed=1, playout=featured(weights="capture=4 run=9"))
    >>> search(Position.start("breakthrough(columns=5, rows=5)"), how).best_name
    'd2-c3'
    """

    weights: str | Mapping[str, int] = ""
    coded: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if isinstance(self.weights, Mapping):
            pairs = [f"{name}={weight}" for name, weight in self.weights.items()]
            object.__setattr__(self, "weights", " ".join(pairs))
        elif not isinstance(self.weights, str):
            raise ValueError(
                f"featured: weights must be text or a mapping, not {shown(self.weights)}"
            )
        _ = self.table

    @cached_property
    def table(self) -> dict[str, int]:
        """The weight of each feature that has one."""
        assert isinstance(self.weights, str)
        return dict(map(read_feature, self.weights.split()))

    def check_game(self, game: AnyGame) -> None:
        """Refuse a game without features, and features that it does not know."""
        known = features_of(game)
        if not known:
            having = " and ".join(name for name, kind in GAMES.items() if kind.features)
            raise ValueError(f"featured: only {having} have features, not {shown(game)}")
        for name in self.table:
            if name not in known:
                raise ValueError(
                    f"featured: {shown(game)} has no feature {quote(name)}:"
                    f" {suggestion(name, known)}"
                )

    def by_feature(self, game: AnyGame) -> list[int]:
        """The weights in the order of the game's features."""
        return [self.table.get(name, 1) for name in features_of(game)]

    def weigh(self, game: FullGame, state: Any, move: int) -> int:
        """The product of the weights of a move's features."""
        product = 1
        for name in game.game.features_of(state, move):  # type: ignore[attr-defined]
            product *= self.table.get(name, 1)
        return product

    def choose(
        self,
        game: FullGame,
        state: Any,
        moves: Sequence[int],
        rng: Rng,
        mast: dict[int, Tally],  # noqa: ARG002
    ) -> int:
        """One draw below the sum of the weights; uniform if all weigh nothing."""
        return draw_by_weight(moves, [self.weigh(game, state, move) for move in moves], rng)


def features_of(game: AnyGame) -> tuple[str, ...]:
    """The features that a game of the package knows."""
    return game.features if type(game) in GAMES.values() else ()  # type: ignore[attr-defined]


def read_feature(pair: str) -> tuple[str, int]:
    """A feature and its weight.

    >>> read_feature("capture=4")
    ('capture', 4)
    """
    try:
        name, weight = read_weight(pair)
    except ValueError:
        name, weight = 0, 0
    if not isinstance(name, str) or weight > LARGEST:
        raise ValueError(
            "featured: weights must be feature=weight pairs such as 'capture=4 run=9', with weights"
            f" up to {LARGEST}, not {quote(pair)}"
        )
    return name, weight
