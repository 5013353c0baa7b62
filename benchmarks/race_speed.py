"""The game of docs/own_games.md, step by step: what each step makes of the simulations a second."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from compiled_speed import PLAN, searches
from timing import Work, measure

import sylve
from sylve import Outcome, Player, Position, Uct, search

GOAL = 30


@dataclass(frozen=True)
class Race:
    """Ten lines of plain Python."""

    goal: int = GOAL

    def start(self) -> tuple[int, Player]:
        """The number, and who is to move."""
        return (0, Player.FIRST)

    def turn(self, state: tuple[int, Player]) -> Player:
        """Kept in the state."""
        return state[1]

    def outcome(self, state: tuple[int, Player]) -> Outcome | None:
        """Who has reached the goal has won."""
        return Outcome(state[1].other) if state[0] >= self.goal else None

    def moves(self, state: tuple[int, Player]) -> list[int]:
        """Add one or two."""
        return [] if self.outcome(state) else [1, 2]

    def play(self, state: tuple[int, Player], move: int) -> tuple[int, Player]:
        """Add it."""
        return (state[0] + move, state[1].other)


@sylve.compiled
class FastRace:
    """The same on a record."""

    goal: int = GOAL
    state = np.dtype([("number", np.int16), ("turn", np.int8)], align=True)
    max_moves = 2

    def start(self, s: Any) -> None:
        """All zero."""

    def turn(self, s: Any) -> Any:
        """Kept in the state."""
        return s.turn

    def outcome(self, s: Any) -> Any:
        """Who has reached the goal has won."""
        return 2 - s.turn if s.number >= self.goal else 0

    def moves(self, s: Any, out: Any) -> Any:  # noqa: ARG002
        """Add one or two."""
        out[0], out[1] = 1, 2
        return 2

    def play(self, s: Any, move: Any) -> None:
        """Add it."""
        s.number += move
        s.turn = 1 - s.turn


@sylve.compiled
class FastestRace(FastRace.rules_class):  # type: ignore[misc, name-defined]
    """The same without a list of moves in playouts."""

    def count_moves(self, s: Any) -> Any:  # noqa: ARG002
        """Always two."""
        return 2

    def nth_move(self, s: Any, index: Any) -> Any:  # noqa: ARG002
        """One or two."""
        return index + 1


def report() -> str:
    """The table."""
    steps: list[tuple[str, Any, Any, int]] = [
        ("plain Python, `engine=\"python\"`", Race(), "python", 500),
        ("the same in the compiled engine", Race(), "rust", 500),
        ("`@sylve.compiled`", FastRace(), "rust", 20_000),
        ("with `count_moves` and `nth_move`", FastestRace(), "rust", 20_000),
    ]  # fmt: skip
    work = {
        what: Work(searches(Position.start(game), playouts, engine), playouts)
        for what, game, engine, playouts in steps
    }
    speed = {what: found.best for what, found in measure(work, PLAN).items()}
    first = next(iter(speed.values()))
    lines = ["| step | simulations a second | times |", "| --- | --: | --: |"]
    lines += [f"| {what} | {rate:,.0f} | {rate / first:,.1f} |" for what, rate in speed.items()]
    seconds = []
    for threads in (1, 2):
        began = perf_counter()
        search(FastestRace(), Uct(400_000, seed=1, solver=False), threads=threads)
        seconds.append(perf_counter() - began)
    lines.append(f"Two threads by root: {seconds[0] / seconds[1]:.2f} times as fast, by wall time")
    return "\n".join(lines)
