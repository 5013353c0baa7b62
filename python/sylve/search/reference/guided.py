"""Playout policies that are made of others, or reply to the last move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sylve.errors import shown
from sylve.game import AnyGame, FullGame
from sylve.games.hex import Hex
from sylve.rng import Rng
from sylve.search.reference.arithmetic import uniform as uniform_number
from sylve.search.reference.policies import Policy, uniform
from sylve.search.reference.tally import Tally
from sylve.search.values import kind, number


class Wrapping(Policy):
    """A policy that leaves some choices to others."""

    @property
    def coded(self) -> bool:  # type: ignore[override]
        """Whether one of them looks at AMAF codes."""
        return any(policy.coded for policy in self.inner)

    @property
    def learns(self) -> bool:  # type: ignore[override]
        """Whether one of them looks at the results of codes."""
        return any(policy.coded and policy.learns for policy in self.inner)


@dataclass(frozen=True)
class bridge(Wrapping):  # noqa: N801 (values of the grammar have lower-case names)
    """Hex: save a bridge into which the last stone intruded; else choose as `then`.

    Two stones with two empty neighbours in common cannot be parted if each intrusion is answered.
    Random playouts do not know it. Huang, Arneson, Hayward, Mueller and Pawlewicz 2013, "MoHex
    2.0". Only for Hex.

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import bridge
    >>> how = Uct(300, playout=bridge(), seed=1)
    >>> search(Position.start("hex(size=4)"), how).best_name
    'c2'
    """

    then: Policy = field(default_factory=uniform)

    def __post_init__(self) -> None:
        kind(self, "then", (Policy,))
        not_nested(self, "then")

    @property
    def inner(self) -> tuple[Policy, ...]:
        """What chooses elsewhere."""
        return (self.then,)

    def check_game(self, game: AnyGame) -> None:
        """Only Hex has bridges."""
        if type(game) is not Hex:
            raise ValueError(f"bridge: only hex has bridges, not {shown(game)}")
        super().check_game(game)

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """One draw among the cells that save a bridge, if there are any."""
        saving: list[int] = game.bridge_moves(state)
        if saving:
            return saving[rng.below(len(saving))]
        return self.then.choose(game, state, moves, rng, mast)


@dataclass(frozen=True)
class mix(Wrapping):  # noqa: N801
    """With probability `p` as `first`, else as `second`, drawn anew at every ply.

    A policy that always plays the same is a poor judge: some randomness keeps the answers varied.

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import decisive, mix, uniform
    >>> how = Uct(300, playout=mix(0.9, decisive(), uniform()), seed=1)
    >>> print(how)
    uct(playouts=300, seed=1, playout=mix(first=decisive))
    """

    p: float = 0.9
    first: Policy = field(default_factory=uniform)
    second: Policy = field(default_factory=uniform)

    def __post_init__(self) -> None:
        number(self, "p", 0.0, 1.0)
        for argument in ("first", "second"):
            kind(self, argument, (Policy,))
            not_nested(self, argument)

    @property
    def inner(self) -> tuple[Policy, ...]:
        """Both."""
        return self.first, self.second

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """A draw decides which chooses."""
        policy = self.first if uniform_number(rng) < self.p else self.second
        return policy.choose(game, state, moves, rng, mast)


def not_nested(owner: Policy, argument: str) -> None:
    """Refuse a policy of the same kind inside, which says nothing new, and cuts."""
    inner = getattr(owner, argument)
    if inner.real:
        name = owner.name()
        raise ValueError(
            f"{name}: {argument}={inner} is cut: write cut(playout={name}(...)) instead"
        )
    if any(type(policy) is type(owner) for policy in inner.parts):
        raise ValueError(
            f"{owner.name()}: {argument} must be another policy, without {owner.name()} inside,"
            f" not {shown(inner)}"
        )
