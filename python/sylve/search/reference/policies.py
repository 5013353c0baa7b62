"""Playout policies: how a simulation goes on once it has left the tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sylve.errors import EndlessGame, quote, shown
from sylve.game import AnyGame, Outcome, Player, check_moves, code, playout
from sylve.games.board import BoardGame
from sylve.rng import Rng
from sylve.search.reference.arithmetic import uniform as uniform_number
from sylve.search.reference.tally import Tally
from sylve.search.values import Value, number, whole

WEIGHT = re.compile("[0-9]{1,9}")
PLY_LIMIT = 10_000  # of a game that does not say how long it can last


class Policy(Value):
    """A playout policy."""

    def choose(
        self, game: AnyGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """The move to play. `mast` holds the results of every code so far, for the first player."""
        raise NotImplementedError(f"{type(self).__name__} has no rule")

    def playout(
        self, game: AnyGame, state: Any, rng: Rng, played: list[int], mast: dict[int, Tally]
    ) -> Outcome:
        """Play to the end; `played` receives the codes."""
        limit = ply_limit(game)
        plies = 0
        while (outcome := game.outcome(state)) is None and plies < limit:
            move = self.choose(game, state, playout_moves(game, state), rng, mast)
            played.append(code(game, state, move))
            state = game.play(state, move)
            plies += 1
        outcome = outcome or adjudicate(game, state)
        if outcome is None:
            raise EndlessGame(f"the game has not ended after {limit} plies: {shown(game)}")
        return outcome


@dataclass(frozen=True)
class uniform(Policy):  # noqa: N801 (values of the grammar have lower-case names)
    """Every legal move alike: fast, unbiased between moves, and blind.

    Hex and Go play it by ways of their own (docs/spec.md).
    """

    def playout(
        self, game: AnyGame, state: Any, rng: Rng, played: list[int], mast: dict[int, Tally]
    ) -> Outcome:
        """Play to the end, by the game's own way where it has one."""
        if hasattr(game, "playout"):
            return playout(game, state, rng, played)
        return super().playout(game, state, rng, played, mast)

    def choose(
        self, game: AnyGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """One draw, also when there is one move."""
        return moves[rng.below(len(moves))]


@dataclass(frozen=True)
class decisive(Policy):  # noqa: N801
    """Take a win in one; else leave the opponent none, if possible; else uniform.

    Teytaud and Teytaud 2010, "decisive and anti-decisive moves". Many times slower a playout, and
    worth it where games end suddenly (Breakthrough, Connect Four).
    """

    def choose(
        self, game: AnyGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """The first winning move without a draw; else one draw among the safe moves, or all."""
        player = game.turn(state)
        for move in moves:
            if wins(game, game.play(state, move), player):
                return move
        safe = [move for move in moves if not can_win(game, game.play(state, move), player)]
        among = safe or moves
        return among[rng.below(len(among))]


@dataclass(frozen=True)
class mast(Policy):  # noqa: N801
    """Epsilon-greedy on the mean result of each code over the whole search; unseen codes are 1/2.

    Move-Average Sampling Technique, Finnsson and Bjornsson 2008 (they draw by a softmax). Good
    where a move is good in most positions; repeats itself and misleads where timing matters.
    """

    epsilon: float = 0.4

    def __post_init__(self) -> None:
        number(self, "epsilon", 0.0, 1.0)

    def choose(
        self, game: AnyGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """A draw decides between random (one more draw) and best (the first maximum)."""
        if uniform_number(rng) < self.epsilon:
            return moves[rng.below(len(moves))]
        player = game.turn(state)
        best, best_mean = moves[0], -1.0
        for move in moves:
            tally = mast.get(code(game, state, move))
            mean = 0.5
            if tally is not None:
                mean = (tally if player == Player.FIRST else tally.of_second()).mean()
            if mean > best_mean:
                best, best_mean = move, mean
        return best


@dataclass(frozen=True)
class weighted(Policy):  # noqa: N801
    """A draw in proportion to a whole weight per code: the course's "guided playout".

    `weights` is text, `code:weight` separated by blanks; other codes weigh `otherwise`. As good as
    the weights: a wrong one misleads every simulation.
    """

    weights: str = ""
    otherwise: int = 1

    def __post_init__(self) -> None:
        whole(self, "otherwise", 0, 1_000_000)
        _ = self.table

    @cached_property
    def table(self) -> dict[int, int]:
        """The weight of each code that has one of its own."""
        table = {}
        if not isinstance(self.weights, str):
            raise ValueError(f"weighted: weights must be text, not {shown(self.weights)}")
        for pair in self.weights.split():
            left, colon, right = pair.partition(":")
            good = colon and WEIGHT.fullmatch(left) and WEIGHT.fullmatch(right)
            if not good or int(right) > 1_000_000:
                raise ValueError(
                    f"weighted: weights must be code:weight pairs such as '3:10 7:0' with weights"
                    f" up to 1000000, not {quote(pair)}"
                )
            table[int(left)] = int(right)
        return table

    def choose(
        self, game: AnyGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """One draw below the sum of the weights; uniform if all weigh nothing."""
        weights = [self.table.get(code(game, state, move), self.otherwise) for move in moves]
        total = 0
        for weight in weights:
            total += weight
        if total == 0:
            return moves[rng.below(len(moves))]
        left = rng.below(total)
        for move, weight in zip(moves, weights, strict=True):
            if left < weight:
                return move
            left -= weight
        raise AssertionError("the weights do not sum to their total")


def playout_moves(game: AnyGame, state: Any) -> Sequence[int]:
    """The moves that a playout chooses from: the legal ones, except in Go."""
    return some_moves(game, state, "playout_moves" if hasattr(game, "playout_moves") else "moves")


def some_moves(game: AnyGame, state: Any, method: str = "moves") -> Sequence[int]:
    """The moves of a game that goes on: there must be some, and a user's game may be wrong."""
    moves: Sequence[int] = getattr(game, method)(state)
    if not isinstance(game, BoardGame):
        moves = check_moves(moves, method)
    if len(moves) == 0:
        raise ValueError(f"outcome() is None but {method}() is {moves!r}")
    return moves


def ply_limit(game: AnyGame) -> int:
    """No playout is longer than this."""
    own = getattr(game, "max_plies", None)
    if not own:
        return PLY_LIMIT
    limit: int = own()
    if not isinstance(limit, int) or limit < 1:
        raise ValueError(f"max_plies() must be a whole number of at least 1, not {shown(limit)}")
    return limit


def adjudicate(game: AnyGame, state: Any) -> Outcome | None:
    """The result of a game that is cut off: Go scores the board; others have no answer."""
    own = getattr(game, "adjudicate", None)
    result: Outcome | None = own(state) if own else None
    return result


def check_outcome(outcome: object) -> None:
    """Refuse what a user's game gives for an outcome and is none."""
    if not isinstance(outcome, Outcome):
        raise ValueError(f"outcome() must be None or an Outcome, not {shown(outcome)}")


def wins(game: AnyGame, state: Any, player: Player) -> bool:
    """Whether the game is over and won by `player`."""
    outcome = game.outcome(state)
    if outcome is None:
        return False
    check_outcome(outcome)
    return outcome.winner == player


def can_win(game: AnyGame, state: Any, player: Player) -> bool:
    """Whether the opponent of `player`, to move, has a win in one."""
    if game.outcome(state) is not None or game.turn(state) == player:
        return False
    other = Player(player).other
    return any(wins(game, game.play(state, move), other) for move in playout_moves(game, state))
