"""What a game is: a rules object with its parameters, and small immutable states.

A game of your own needs the five methods of `Game`; everything else has a default here, in
`FullGame`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import Any, Protocol, SupportsIndex, TypeVar, cast

from sylve.errors import EndlessGame, shown
from sylve.rng import MASK, Rng

State = TypeVar("State", bound=Hashable)


class Player(IntEnum):
    """One of the two players. The first moves first.

    >>> from sylve import Player, Position
    >>> Position.start("tic_tac_toe").turn
    <Player.FIRST: 0>
    >>> Player.FIRST.other
    <Player.SECOND: 1>
    """

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner, or None for a draw.

    >>> from sylve import Outcome, Player
    >>> outcome = Outcome(Player.FIRST)
    >>> [outcome.points(player) for player in Player]
    [2, 0]
    >>> Outcome(None).points(Player.FIRST)
    1
    """

    winner: Player | None

    def points(self, player: Player) -> int:
        """Half points for `player`: 2 for a win, 1 for a draw, 0 for a loss."""
        if self.winner is None:
            return 1
        return 2 if self.winner == player else 0


class Game(Protocol[State]):
    """The rules of a game for two players with perfect information: five methods are enough.

    Moves are small integers from 0. States are immutable and hashable, and compare by value.

    >>> from sylve import Outcome, Player, Position, solve
    >>> class Nim:  # take one or two; who takes the last one wins
    ...     def start(self):
    ...         return (4, Player.FIRST)
    ...     def turn(self, state):
    ...         return state[1]
    ...     def outcome(self, state):
    ...         return Outcome(state[1].other) if state[0] == 0 else None
    ...     def moves(self, state):
    ...         return [taken for taken in (1, 2) if taken <= state[0]]
    ...     def play(self, state, move):
    ...         return (state[0] - move, state[1].other)
    >>> solve(Position.start(Nim())).best
    1
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
LARGEST_SCORE = 900_000  # of an evaluation: wins and losses go beyond
CODES = 8192  # AMAF codes of a game that does not say how many it has: moves up to 4095
MOST_CODES = 1 << 16
PLY_LIMIT = 10_000  # of a playout of a game that does not say how long it can last


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


def check_score(what: str, score: object) -> int:
    """What a user's evaluation says of a position, if it is a score at all."""
    if isinstance(score, bool) or not isinstance(score, int) or abs(score) > LARGEST_SCORE:
        raise ValueError(
            f"{what} must be a whole number from {-LARGEST_SCORE} to {LARGEST_SCORE}, not"
            f" {shown(score)}"
        )
    return score


def state_key(state: Hashable) -> int:
    """64 bits for a state of a game without a `hash`: Python's, but -1 is not -2.

    To Python `hash(-1) == hash(-2)`, also inside tuples; the text of the state tells them apart.
    """
    key, text = hash(state), repr(state)
    return (hash((key, text)) if "-1" in text or "-2" in text else key) & MASK


class FullGame:
    """A game with every method that a search asks for: its own, or what stands in for it.

    The one place where the optional methods of a game are looked up and their answers checked, for
    both engines. Without `coded` nobody wants AMAF codes, and a game need not have them.
    """

    def __init__(self, game: AnyGame, *, coded: bool = True) -> None:
        self.game = game
        self.coded = coded
        self.start, self.turn, self.outcome = game.start, game.turn, game.outcome
        own_forget = getattr(game, "forget", None)
        self.forget: Callable[[Any], Any] = own_forget or (lambda state: state)
        """A search knows no history: it is taken from the root and from whatever follows."""
        self.play: Callable[[Any, int], Any] = game.play
        if own_forget:
            self.play = lambda state, move: own_forget(game.play(state, move))
        self.forget_last: Callable[[Any], Any] = getattr(game, "forget_last", lambda state: state)
        """A text does not tell which move led to a position: where playouts begin at a root."""
        self.remembers = bool(getattr(game, "remembers", False))
        self.codes = self._number("codes", CODES, MOST_CODES)
        self.max_plies = self._number("max_plies", PLY_LIMIT)
        self.kinds = self._number("kinds", 1)
        self.playout_method = "playout_moves" if hasattr(game, "playout_moves") else "moves"
        """The method that lists the moves of a playout."""
        self.own_playout = getattr(game, "playout", None)
        self._code = getattr(game, "code", None)
        self._hash = getattr(game, "hash", None)
        self._adjudicate = getattr(game, "adjudicate", None)
        self._kind = getattr(game, "kind", None)
        if (self._kind is None) != (not hasattr(game, "kinds")):
            raise ValueError(f"kinds() and kind() belong together: {shown(game)} has only one")

    def __getattr__(self, name: str) -> Any:
        """What else the game has: a playout policy of a user may want it."""
        if name == "game":  # not yet there, as in a copy
            raise AttributeError(name)
        return getattr(self.game, name)

    def _number(self, method: str, default: int, most: int | None = None) -> int:
        own = getattr(self.game, method, None)
        if own is None:
            return default
        answer = own() if callable(own) else own  # an attribute says it as well
        allowed = "of at least 1" if most is None else f"from 1 to {most}"
        try:
            number = index(answer)
        except TypeError:
            number = 0
        if number < 1 or (most is not None and number > most):
            raise ValueError(f"{method}() must be a whole number {allowed}, not {shown(answer)}")
        return number

    def moves(self, state: Any) -> list[int]:
        """The legal moves."""
        return check_moves(self.game.moves(state))

    def open_moves(self, state: Any, method: str = "moves") -> list[int]:
        """The moves of a game that goes on: there must be some."""
        moves = check_moves(getattr(self.game, method)(state), method)
        if not moves:
            raise ValueError(f"outcome() is None but {method}() is {moves!r}")
        return moves

    def playout_moves(self, state: Any) -> list[int]:
        """The moves that a playout chooses from: the legal ones, except in Hex and Go."""
        return self.open_moves(state, self.playout_method)

    def hash(self, state: Any) -> int:
        """64 bits: the game's own hash, or that of the state."""
        if self._hash is None:
            return state_key(state)
        key = self._hash(state)
        if not isinstance(key, SupportsIndex) or not 0 <= index(key) <= MASK:
            raise ValueError(f"hash() must be an integer of 64 bits, not {shown(key)}")
        return index(key)

    def code(self, state: Any, move: int) -> int:
        """The AMAF code of a move: the same gesture by the same player, whatever the position."""
        if not self.coded:
            return 0
        number = self.own_code(state, move)
        if number >= self.codes:
            raise ValueError(
                f"the AMAF code {number} of move {move} is not below {self.codes}: give the game"
                " codes()"
            )
        return number

    def own_code(self, state: Any, move: int) -> int:
        """The code of a move, also where no search wants it and it may be too large for one."""
        if self._code is None:
            return 2 * move + int(self.turn(state))
        answer = self._code(state, move)
        number = index(answer) if isinstance(answer, SupportsIndex) else -1
        if number < 0:
            raise ValueError(f"code() must be an integer from 0, not {shown(answer)}")
        return number

    def kind(self, code: int) -> int:
        """The kind of the moves that have this code."""
        if self._kind is None:
            return 0
        answer = self._kind(code)
        if not isinstance(answer, SupportsIndex) or not 0 <= index(answer) < self.kinds:
            raise ValueError(f"kind() must be from 0 to {self.kinds - 1}, not {shown(answer)}")
        return index(answer)

    def evaluate(self, state: Any) -> int:
        """The `evaluate` of a game that has one: thousandths, for the side to move."""
        return check_score("evaluate()", self.game.evaluate(state))  # type: ignore[attr-defined]

    def playout(
        self,
        state: Any,
        rng: Rng,
        played: list[int] | None = None,
        line: list[int] | None = None,
    ) -> Outcome:
        """Play uniformly random moves to the end; `played` receives the AMAF code of each.

        One draw a ply, also when there is only one move, indexes the moves in increasing order. A
        game with a `playout` of its own (Hex, Go) is asked for it; else `line` receives the moves.
        """
        if self.own_playout is not None:
            return self._ask_playout(state, rng, played)
        for _ in range(self.max_plies):
            result = self.outcome(state)
            if result is not None:
                return result
            moves = self.playout_moves(state)
            move = moves[rng.below(len(moves))]
            if played is not None:
                played.append(self.code(state, move))
            if line is not None:
                line.append(move)
            state = self.play(state, move)
        return self.outcome(state) or self.cut_off(state)

    def _ask_playout(self, state: Any, rng: Rng, played: list[int] | None) -> Outcome:
        before = len(played or ())
        outcome = self.own_playout(state, rng, played)  # type: ignore[misc]
        if not hasattr(outcome, "winner"):
            raise ValueError(f"playout() must give an Outcome, not {shown(outcome)}")
        for code in played[before:] if self.coded and played else ():
            if not isinstance(code, SupportsIndex) or not 0 <= index(code) < self.codes:
                allowed = f"AMAF codes from 0 to {self.codes - 1}"
                raise ValueError(f"playout() must append {allowed}, not {shown(code)}")
        return cast(Outcome, outcome)

    def adjudicate(self, state: Any) -> Outcome | None:
        """The result of a game that is cut off: Go scores the board; others have no answer."""
        return self._adjudicate(state) if self._adjudicate is not None else None

    def cut_off(self, state: Any) -> Outcome:
        """The result of a playout that has reached `max_plies`."""
        outcome = self.adjudicate(state)
        if outcome is None:
            raise EndlessGame(
                f"the game has not ended after {self.max_plies} plies: {shown(self.game)}"
            )
        return outcome


def full_game(game: AnyGame | FullGame) -> FullGame:
    """The game with all its methods."""
    return game if isinstance(game, FullGame) else FullGame(game)


def code(game: AnyGame, state: Any, move: int) -> int:
    """The AMAF code of a move: the same gesture by the same player, whatever the position."""
    return full_game(game).code(state, move)


def playout(game: AnyGame, state: Any, rng: Rng, played: list[int] | None = None) -> Outcome:
    """Play uniformly random moves to the end, as `FullGame.playout` does."""
    return full_game(game).playout(state, rng, played)
