"""Playouts of Go that look round the last move: `mogo` and `local`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sylve.errors import shown
from sylve.game import AnyGame, FullGame
from sylve.games.board import EMPTY, STONES
from sylve.games.go import Go, State
from sylve.games.go_patterns import around, matches
from sylve.rng import Rng
from sylve.search.reference.arithmetic import uniform as uniform_number
from sylve.search.reference.policies import Policy
from sylve.search.reference.tally import Tally
from sylve.search.values import number


class OfGo(Policy):
    """A policy that only Go has."""

    coded: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    def check_game(self, game: AnyGame) -> None:
        """Only Go has ataris."""
        if type(game) is not Go:
            raise ValueError(f"{self.name()}: a policy for go, not for {shown(game)}")


@dataclass(frozen=True)
class mogo(OfGo):  # noqa: N801 (values of the grammar have lower-case names)
    """Go: reply to the last move, as MoGo did, or else capture, or else play anywhere.

    The first of these that has a move, each move of it alike: save own stones that the last move
    has put in atari; play round the last move by one of eleven patterns of 3 x 3 points; capture;
    play any point but own eyes. Gelly, Wang, Munos and Teytaud 2006, "Modification of UCT with
    patterns in Monte-Carlo Go".

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import mogo
    >>> search(Position.start("go(size=3)"), Uct(200, playout=mogo(), seed=1)).best_name
    'B2'
    """

    def choose(
        self,
        game: FullGame,
        state: State,
        moves: Sequence[int],
        rng: Rng,
        mast: dict[int, Tally],  # noqa: ARG002
    ) -> int:
        """A draw among what the first step finds, if it finds anything; else the next step."""
        go: Any = game.game
        for step in (saving, shapes, captures, empty_points):
            point = draw_until(step(go, state), rng, lambda point: point in moves)
            if point is not None:
                return point
        return int(go.pass_move)


@dataclass(frozen=True)
class local(OfGo):  # noqa: N801
    """Go: `mogo` with some chance in each step, patterns round two moves, and no self-atari.

    The steps `save`, `pattern` and `capture` are taken with these probabilities, if they have a
    move. Patterns are looked for round the last two moves, and none puts the own stone in atari. Of
    the other moves, one that does so is refused with probability `refuse`. A policy that always
    answers in the same way misjudges what it does not see; some chance keeps playouts varied.

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import local
    >>> search(Position.start("go(size=3)"), Uct(200, playout=local(), seed=1)).best_name
    'B2'
    """

    save: float = 0.9
    pattern: float = 0.95
    capture: float = 0.9
    refuse: float = 0.9

    def __post_init__(self) -> None:
        for argument in ("save", "pattern", "capture", "refuse"):
            number(self, argument, 0.0, 1.0)

    def choose(
        self,
        game: FullGame,
        state: State,
        moves: Sequence[int],
        rng: Rng,
        mast: dict[int, Tally],  # noqa: ARG002
    ) -> int:
        """A step with a move draws whether it is taken, a refusal whether it is refused."""
        go: Any = game.game

        def safe(point: int) -> bool:
            return point in moves and not is_self_atari(go, state, point)

        def accepted(point: int) -> bool:
            refused = point not in moves or (
                is_self_atari(go, state, point) and uniform_number(rng) < self.refuse
            )
            return not refused

        for found, probability in (
            (saving(go, state), self.save),
            (shapes(go, state, 2), self.pattern),
            (captures(go, state), self.capture),
        ):
            if found and uniform_number(rng) < probability:
                point = draw_until(found, rng, safe)
                if point is not None:
                    return point
        point = draw_until(empty_points(go, state), rng, accepted)
        return int(go.pass_move) if point is None else point


def draw_until(points: list[int], rng: Rng, fits: Callable[[int], bool]) -> int | None:
    """Draw one of the points, without those already drawn, until one fits."""
    left = list(points)
    while left:
        point = left.pop(rng.below(len(left)))
        if fits(point):
            return point
    return None


# What each step finds, in increasing order.


def saving(go: Go, state: State) -> list[int]:
    """What saves own chains that the last move has put in atari.

    The last liberty of the chain, if a stone there captures or makes a chain with two liberties or
    more; and the last liberty of each enemy chain in atari that touches the chain.
    """
    board, own, found = state.board, STONES[state.turn], set[int]()
    for last in last_stones(go, state, 1):
        for near in go.neighbours[last]:
            if board[near] == own and len(go.liberties(board, near)) == 1:
                (liberty,) = go.liberties(board, near)
                if may_play(go, state, liberty) and not is_self_atari(go, state, liberty):
                    found.add(liberty)
                for stone in go.chain(board, near):
                    for at in go.neighbours[stone]:
                        if board[at] == STONES[state.turn.other]:
                            liberties = go.liberties(board, at)
                            found |= liberties if len(liberties) == 1 else set()
    return sorted(point for point in found if point != state.ko)


def shapes(go: Go, state: State, count: int = 1) -> list[int]:
    """The empty points round the last moves, so many of them, that match a pattern."""
    board, found = state.board, set[int]()
    for last in last_stones(go, state, count):
        for point in go.neighbours[last] + go.diagonals[last]:
            there = around(board, go.size, point)
            if board[point] == EMPTY and matches(there, STONES[state.turn]):
                found.add(point)
    return sorted(found)


def captures(go: Go, state: State) -> list[int]:
    """The last liberties of enemy chains, anywhere."""
    found, seen = set[int](), set[int]()
    for point, stone in enumerate(state.board):
        if stone == STONES[state.turn.other] and point not in seen:
            seen.update(go.chain(state.board, point))
            liberties = go.liberties(state.board, point)
            found |= liberties if len(liberties) == 1 else set()
    return sorted(point for point in found if point != state.ko)


def is_self_atari(go: Go, state: State, point: int) -> bool:
    """Whether a legal stone captures nothing and leaves its chain one liberty."""
    board, taken = go.after(state.board, state.turn, point)
    return not taken and len(go.liberties(board, point)) == 1


def last_stones(go: Go, state: State, count: int) -> list[int]:
    """The points of the last moves that are known, without passes."""
    return [last for last in state.last[:count] if last != go.pass_move]


def empty_points(go: Go, state: State) -> list[int]:  # noqa: ARG001 (a step like the others)
    """Every empty point."""
    return [point for point, stone in enumerate(state.board) if stone == EMPTY]


def may_play(go: Go, state: State, point: int) -> bool:
    """Whether a playout may put a stone on an empty point: it is legal, and no own eye."""
    board, turn = state.board, state.turn
    return not go.is_eye(board, turn, point) and go.is_playable(board, turn, state.ko, point)
