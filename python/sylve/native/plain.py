"""A compiled game in plain Python: its methods work on records, the package asks for states.

This is what the machine code is compared with, and what runs where Numba is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sylve.errors import shown
from sylve.game import LARGEST_MOVE, LARGEST_SCORE, Outcome, Player
from sylve.native.records import Record, State
from sylve.native.wrapper import LARGEST_PRIORITY
from sylve.rng import MASK, Rng, hash_block

OUTCOMES = (None, Outcome(Player.FIRST), Outcome(Player.SECOND), Outcome(None))
"""As a compiled game numbers them."""


class PlainRules:
    """The methods of a user's object as those of a `Game`: answers are checked and translated."""

    def __init__(self, rules: Any, dtype: np.dtype[Any], max_moves: int) -> None:
        self.rules = rules
        self.dtype = dtype
        self.max_moves = max_moves

    def start(self) -> State:
        """The first state: `start` fills a record of zeros."""
        data = bytearray(self.dtype.itemsize)
        self.rules.start(Record(self.dtype, data))
        return State(self.dtype, bytes(data))

    def ask(self, method: str, state: State, *given: int) -> Any:
        """What a method says of a state, which it can only read."""
        return getattr(self.rules, method)(Record(self.dtype, state.data), *given)

    def number(self, method: str, least: int, most: int, state: State, *given: int) -> int:
        """The same, if it is a whole number in this range."""
        answer = self.ask(method, state, *given)
        try:
            number = int(answer) if answer == int(answer) else least - 1
        except (TypeError, ValueError):
            number = least - 1
        if not least <= number <= most:
            given_text = ", ".join(map(str, given))
            raise ValueError(
                f"{method}({given_text}) must be a whole number from {least} to {most}, not"
                f" {shown(answer)}"
            )
        return number

    def turn(self, state: State) -> Player:
        """Who is to move."""
        return Player(self.number("turn", 0, 1, state))

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return OUTCOMES[self.number("outcome", 0, 3, state)]

    def adjudicate(self, state: State) -> Outcome | None:
        """The result of a game that is cut off."""
        return OUTCOMES[self.number("adjudicate", 1, 3, state)]

    def moves(self, state: State) -> list[int]:
        """The legal moves; none once the game is over, when the user's method is not asked."""
        if self.outcome(state) is not None:
            return []
        out = np.full(self.max_moves, -1, np.int32)
        answer = self.ask("moves", state, out)  # type: ignore[arg-type]
        try:
            count = int(answer)
        except (TypeError, ValueError):
            count = -1
        if not 1 <= count <= self.max_moves:
            raise ValueError(
                f"moves() must give how many moves it has written, from 1 to max_moves ="
                f" {self.max_moves} while outcome() is 0, not {shown(answer)}"
            )
        moves: list[int] = out[:count].tolist()
        if moves[0] < 0 or moves[-1] > LARGEST_MOVE or moves != sorted(set(moves)):
            raise ValueError(
                f"moves() must write increasing numbers from 0 to {LARGEST_MOVE}, not"
                f" {shown(moves)}"
            )
        return moves

    def play(self, state: State, move: int) -> State:
        """The state after a move: `play` changes a copy."""
        data = bytearray(state.data)
        self.rules.play(Record(self.dtype, data), move)
        return State(self.dtype, bytes(data))

    def code(self, state: State, move: int) -> int:
        """The AMAF code of a move."""
        return self.number("code", 0, 65_535, state, move)

    def kind(self, code: int) -> int:
        """The kind of a code."""
        return int(self.rules.kind(code))

    def hash(self, state: State) -> int:
        """The game's own `key`, or a hash of the bytes."""
        if not hasattr(self.rules, "key"):
            return hash_block(np.frombuffer(state.data, np.uint64).tolist())
        return int(self.ask("key", state)) & MASK

    def evaluate(self, state: State) -> int:
        """How good the position looks to the side to move."""
        return self.number("evaluate", -LARGEST_SCORE, LARGEST_SCORE, state)

    def guided_playout(
        self,
        state: State,
        rng: Rng,
        plies: int,
        code: Callable[[State, int], int],
        played: list[int] | None,
        cut_off: Callable[[State], Outcome],
    ) -> Outcome:
        """A playout that draws each move by its `priority`; where all are 0, any move."""
        for _ in range(plies):
            outcome = self.outcome(state)
            if outcome is not None:
                return outcome
            moves = self.moves(state)
            weights = [self.number("priority", 0, LARGEST_PRIORITY, state, move) for move in moves]
            index = _drawn(weights, rng)
            if played is not None:
                played.append(code(state, moves[index]))
            state = self.play(state, moves[index])
        return self.outcome(state) or cut_off(state)


def _drawn(weights: list[int], rng: Rng) -> int:
    """An index, in proportion to its weight."""
    total = sum(weights)
    draw = rng.below(total or len(weights))
    if not total:
        return draw
    for index, weight in enumerate(weights):
        draw -= weight
        if draw < 0:
            return index
    raise AssertionError("the weights sum to their total")
