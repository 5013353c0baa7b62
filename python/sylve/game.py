"""What a game is: a rules object with its parameters, and small immutable states.

A game of your own needs the five methods of `Game`; everything else has a default here.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import Any, Protocol, TypeVar

from sylve.rng import MASK, Rng

State = TypeVar("State", bound=Hashable)


class Player(IntEnum):
    """One of the two players. The first moves first."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner, or None for a draw."""

    winner: Player | None

    def points(self, player: Player) -> int:
        """Half points for `player`: 2 for a win, 1 for a draw, 0 for a loss."""
        if self.winner is None:
            return 1
        return 2 if self.winner == player else 0


class Game(Protocol[State]):
    """The rules of a game for two players with perfect information: five methods are enough.

    Moves are small integers from 0. States are immutable and hashable, and compare by value.
    """

    def start(self) -> State:
        """The starting position."""

    def turn(self, state: State, /) -> Player:
        """Who is to move: the sides need not alternate. Asked of finished games too."""

    def outcome(self, state: State, /) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def moves(self, state: State, /) -> Sequence[int]:
        """The legal moves in increasing order; none once it is over, at least one before."""

    def play(self, state: State, move: int, /) -> State:
        """The position after a legal move."""


AnyGame = Game[Any]
LARGEST_MOVE = 65_535


def check_moves(moves: Any, method: str = "moves") -> list[int]:
    """The answer of a user's game as plain integers; what the compiled engine refuses is refused.

    >>> check_moves((True, 7))
    [1, 7]
    >>> check_moves([0.5])
    Traceback (most recent call last):
    ValueError: moves() must be a list of integers from 0 to 65535, not [0.5]
    """
    if hasattr(moves, "__getitem__") and not isinstance(moves, (str, dict)):
        try:
            numbers = [index(move) for move in moves]
        except TypeError:
            numbers = [-1]
        if not numbers or (min(numbers) >= 0 and max(numbers) <= LARGEST_MOVE):
            return numbers
    raise ValueError(
        f"{method}() must be a list of integers from 0 to {LARGEST_MOVE}, not {moves!r}"
    )


def code(game: AnyGame, state: Any, move: int) -> int:
    """The AMAF code of a move: the same gesture by the same player, whatever the position."""
    own = getattr(game, "code", None)
    return int(own(state, move)) if own else 2 * move + game.turn(state)


def state_key(state: Hashable) -> int:
    """64 bits for a state of a game without a `hash`: Python's, but -1 is not -2.

    To Python `hash(-1) == hash(-2)`, also inside tuples; the text of the state tells them apart.
    """
    key, text = hash(state), repr(state)
    return (hash((key, text)) if "-1" in text or "-2" in text else key) & MASK


def playout(game: AnyGame, state: Any, rng: Rng, played: list[int] | None = None) -> Outcome:
    """Play uniformly random moves to the end; `played` receives the AMAF code of each.

    One draw a ply, also when there is only one move, indexes the moves in increasing order. A game
    with a `playout` of its own (Hex, Go) is asked for it.
    """
    own = getattr(game, "playout", None)
    if own:
        outcome: Outcome = own(state, rng, played)
        return outcome
    while (result := game.outcome(state)) is None:
        moves = game.moves(state)
        move = moves[rng.below(len(moves))]
        if played is not None:
            played.append(code(game, state, move))
        state = game.play(state, move)
    return result
