"""Go: surround more than the opponent. Area scoring, komi, no suicide, positional superko.

Black is `x` and moves first. A point is a cell, A1 bottom left; the last move number is the pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import ClassVar

from sylve.errors import InvalidGame, quote, shown
from sylve.game import Outcome, Player
from sylve.games.board import (
    EMPTY,
    STONES,
    SquareGame,
    Symmetry,
    size_between,
)
from sylve.rng import Rng

NO_KO = -1

Points = Sequence[str]
"""What is on each point: the board of a state, or the list that a playout changes."""


@dataclass(frozen=True, slots=True)
class State:
    """A position. Its history, `earlier` and `last`, counts neither for equality nor for hashes."""

    board: str
    turn: Player
    ko: int = NO_KO
    """The empty point where the side to move would take back at once, or NO_KO."""
    passes: int = 0
    """The passes in a row just made; the second one ends the game."""
    earlier: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The boards before this one, for superko. A position read from a text has none."""
    last: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The last move and the one before, if known: guided playouts reply to them."""


@dataclass(frozen=True)
class Go(SquareGame):
    """The rules. A move is a point, row * size + column, or size * size for a pass."""

    name: ClassVar[str] = "go"
    move_text: ClassVar[re.Pattern[str]] = re.compile(
        r"pass|[A-HJ-T][1-9][0-9]?", re.ASCII | re.IGNORECASE
    )
    letters: ClassVar[str] = "ABCDEFGHJKLMNOPQRST"  # as in GTP: there is no I
    a1_on_top: ClassVar[bool] = False
    remembers: ClassVar[bool] = True  # the repr of a Position gives its moves, for superko

    size: int = 9
    komi: float = 7.5

    def __post_init__(self) -> None:
        """Check the arguments."""
        size_between("go", "size", self.size, 2, 19)
        komi = self.komi
        number = isinstance(komi, (int, float)) and not isinstance(komi, bool)
        # Written so that a NaN, which no comparison accepts, is refused too.
        if not (number and abs(komi) <= 400 and 2 * komi % 1 == 0):
            raise InvalidGame(
                f"go: komi must be a multiple of 0.5 between -400 and 400, not {shown(komi)}"
            )
        object.__setattr__(self, "komi", float(komi) + 0.0)  # one text for 7 and 7.0, 0 and -0.0

    @cached_property
    def pass_move(self) -> int:
        """The number of the pass: the one after the last point."""
        return self.size * self.size

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The points next to each point."""
        return self._points_at([(-1, 0), (0, -1), (0, 1), (1, 0)])

    @cached_property
    def diagonals(self) -> list[list[int]]:
        """The points diagonally next to each point."""
        return self._points_at([(-1, -1), (-1, 1), (1, -1), (1, 1)])

    def _points_at(self, steps: list[tuple[int, int]]) -> list[list[int]]:
        inside = range(self.size)
        return [
            [
                (row + up) * self.size + column + right
                for up, right in steps
                if row + up in inside and column + right in inside
            ]
            for row in inside
            for column in inside
        ]

    # Chains and liberties.

    def chain(self, board: Points, point: int) -> list[int]:
        """The stones connected to the one on `point`."""
        stone, found, seen = board[point], [point], {point}
        for at in found:  # grows while it is walked through
            for near in self.neighbours[at]:
                if board[near] == stone and near not in seen:
                    seen.add(near)
                    found.append(near)
        return found

    def has_liberty(self, board: Points, point: int, besides: int = -1) -> bool:
        """Whether the chain on `point` has a liberty, other than `besides`."""
        stone, found, seen = board[point], [point], {point}
        for at in found:
            for near in self.neighbours[at]:
                if near not in seen:
                    if board[near] == EMPTY and near != besides:
                        return True
                    if board[near] == stone:
                        seen.add(near)
                        found.append(near)
        return False

    def liberties(self, board: Points, point: int) -> set[int]:
        """The empty points next to the chain on `point`."""
        chain = self.chain(board, point)
        return {near for at in chain for near in self.neighbours[at] if board[near] == EMPTY}

    def captures(self, board: Points, turn: Player, point: int) -> list[int]:
        """The enemy stones that a stone on `point` takes, in increasing order."""
        taken: set[int] = set()
        for near in self.neighbours[point]:
            if board[near] == STONES[1 - turn] and near not in taken:
                alive = self.has_liberty(board, near, besides=point)
                taken.update([] if alive else self.chain(board, near))
        return sorted(taken)

    def is_playable(self, board: Points, turn: Player, ko: int, point: int) -> bool:
        """Whether a stone may be put on an empty point: no suicide, no simple ko."""
        for near in self.neighbours[point]:
            if board[near] == EMPTY:
                return True  # and such a point cannot be the ko point
        if point == ko:
            return False
        for near in self.neighbours[point]:
            # An own chain that lives on, or an enemy chain that does not.
            if self.has_liberty(board, near, besides=point) == (board[near] == STONES[turn]):
                return True
        return False

    def is_eye(self, board: Points, turn: Player, point: int) -> bool:
        """Whether an empty point is an own one-point eye, which playouts do not fill.

        All neighbours are own stones; of the diagonal neighbours at most one is an enemy stone, and
        none if the point is at the edge.
        """
        for near in self.neighbours[point]:
            if board[near] != STONES[turn]:
                return False
        diagonals = self.diagonals[point]
        enemies = sum(board[at] == STONES[turn.other] for at in diagonals)
        return enemies <= (1 if len(diagonals) == 4 else 0)

    def makes_ko(self, board: Points, turn: Player, point: int, taken: list[int]) -> bool:
        """Whether the stone just put on `point`, which took these, could be taken back at once."""
        enemy = STONES[turn.other]
        return len(taken) == 1 and all(
            board[at] == enemy or at in taken for at in self.neighbours[point]
        )

    # The rules.

    def start(self) -> State:
        """An empty board, Black to move."""
        return State(EMPTY * self.pass_move, Player.FIRST)

    def outcome(self, state: State) -> Outcome | None:
        """Two passes in a row end the game; then the areas are counted."""
        return self.count(state.board) if state.passes == 2 else None

    def count(self, board: Points) -> Outcome:
        """Who has more points on the board as it stands."""
        lead = self.lead(board)
        if lead == 0:
            return Outcome(None)
        return Outcome(Player.FIRST if lead > 0 else Player.SECOND)

    def lead(self, board: Points) -> float:
        """Black's lead by area scoring: stones, and empty regions that touch one colour only.

        Komi is White's.
        """
        lead, seen = board.count("x") - board.count("o") - self.komi, set[int]()
        for point in range(self.pass_move):
            if board[point] == EMPTY and point not in seen:
                region = self.chain(board, point)
                seen.update(region)
                touched = {board[at] for one in region for at in self.neighbours[one]} - {EMPTY}
                if touched == {"x"}:
                    lead += len(region)
                elif touched == {"o"}:
                    lead -= len(region)
        return lead

    def moves(self, state: State) -> list[int]:
        """The legal points, and the pass."""
        if state.passes == 2:
            return []
        return [move for move in range(self.pass_move + 1) if self.is_legal(state, move)]

    def is_legal(self, state: State, move: int) -> bool:
        """A pass always is; a stone must not be suicide, take back a ko or repeat a board."""
        if state.passes == 2 or not 0 <= move < self.pass_move:
            return state.passes < 2 and move == self.pass_move
        board, turn = state.board, state.turn
        if board[move] != EMPTY or not self.is_playable(board, turn, state.ko, move):
            return False
        return not state.earlier or self.after(board, turn, move)[0] not in state.earlier

    def after(self, board: str, turn: Player, point: int) -> tuple[str, list[int]]:
        """The board after a stone, and the stones that it took."""
        taken = self.captures(board, turn, point)
        board = board[:point] + STONES[turn] + board[point + 1 :]
        for at in taken:
            board = board[:at] + EMPTY + board[at + 1 :]
        return board, taken

    def play(self, state: State, move: int) -> State:
        """Put a stone and take what has no liberty left, or pass."""
        other, earlier = state.turn.other, state.earlier | {state.board}
        last = (move, *state.last[:1])
        if move == self.pass_move:
            return State(state.board, other, NO_KO, state.passes + 1, earlier, last)
        board, taken = self.after(state.board, state.turn, move)
        ko = taken[0] if self.makes_ko(state.board, state.turn, move, taken) else NO_KO
        return State(board, other, ko, 0, earlier, last)

    def forget(self, state: State) -> State:
        """The state without its history: searches know simple ko only below their root."""
        return replace(state, earlier=frozenset())

    def forget_last(self, state: State) -> State:
        """The same position, without the moves that led to it."""
        return replace(state, last=())

    def adjudicate(self, state: State) -> Outcome:
        """The result of a game that is cut off: the board is scored as it stands."""
        return self.count(state.board)

    # Playouts: docs/games/go.md says draw by draw what both languages do.

    def playout_moves(self, state: State) -> list[int]:
        """The points that a playout draws from, whatever the history; the pass if there is none."""
        if state.passes == 2:
            return []
        board, turn = state.board, state.turn
        points = [
            point
            for point in range(self.pass_move)
            if board[point] == EMPTY
            and not self.is_eye(board, turn, point)
            and self.is_playable(board, turn, state.ko, point)
        ]
        return points or [self.pass_move]

    def playout(self, state: State, rng: Rng, played: list[int] | None = None) -> Outcome:
        """Random moves to the end; `played` receives the AMAF code of each."""
        board, turn, ko, passes = list(state.board), state.turn, state.ko, state.passes
        empty = [point for point in range(self.pass_move) if board[point] == EMPTY]
        for _ in range(self.max_plies()):
            if passes == 2:
                break
            move = self.draw_point(board, turn, ko, empty, rng)
            if played is not None:
                played.append(2 * move + turn)
            ko = NO_KO
            if move == self.pass_move:
                passes += 1
            else:
                passes = 0
                taken = self.captures(board, turn, move)
                if self.makes_ko(board, turn, move, taken):
                    ko = taken[0]
                board[move] = STONES[turn]
                for at in taken:
                    board[at] = EMPTY
                empty += taken
            turn = turn.other
        return self.count(board)

    def draw_point(self, board: Points, turn: Player, ko: int, empty: list[int], rng: Rng) -> int:
        """Draw from the list of empty points until one may be played, and take it off the list.

        The pass if there is none. A rejected point goes behind those that are still to be tried.
        """
        for tried in range(len(empty), 0, -1):
            index = rng.below(tried)
            point = empty[index]
            if not self.is_eye(board, turn, point) and self.is_playable(board, turn, ko, point):
                empty[index] = empty[-1]
                empty.pop()
                return point
            empty[index], empty[tried - 1] = empty[tried - 1], point
        return self.pass_move

    def max_plies(self) -> int:
        """The longest playout. A game by the rules has no useful bound: superko alone ends it."""
        return 3 * self.pass_move

    def codes(self) -> int:
        """A point or the pass, and a player."""
        return 2 * (self.pass_move + 1)

    def hash_extra(self, state: State) -> int:
        """The side to move, the passes and the ko point."""
        return state.turn + 2 * state.passes + 8 * (state.ko + 1)

    # Text.

    def write(self, state: State) -> str:
        """Rows, side to move, ko point or `-`, passes."""
        ko = "-" if state.ko == NO_KO else self.cell_name(state.ko)
        return f"{super().write(state)} {ko} {state.passes}"

    def read(self, text: str) -> State:
        """Read a position, for example `.x./xo./... o - 0`; the last two words may be missing."""
        board, turn, extra = self.read_board(text, extra=2)
        for point in range(self.pass_move):
            if board[point] != EMPTY and not self.has_liberty(board, point):
                self.refuse(text, f"the stone on {self.cell_name(point)} has no liberty")
        word, passes = extra + ["-", "0"][len(extra) :]
        if passes not in ("0", "1", "2"):
            self.refuse(text, f"expected 0, 1 or 2 passes, found {quote(passes)}")
        state = State(board, turn, NO_KO, int(passes))
        if word == "-":
            return state
        ko = self.find_cell(word)
        if ko is None:
            self.refuse(text, f"expected a ko point such as 'D4', or '-', found {quote(word)}")
        if not self.could_be_ko(state, ko):
            self.refuse(text, f"no stone can just have been taken in a ko on {self.cell_name(ko)}")
        if state.passes:
            self.refuse(text, "a pass ends a ko: expected '-' or 0 passes")
        return replace(state, ko=ko)

    def could_be_ko(self, state: State, point: int) -> bool:
        """Whether the side to move could just have lost a stone on `point` to a ko.

        Only enemy stones are around it, and a stone there would take exactly one: the taker.
        """
        board, enemy = state.board, STONES[state.turn.other]
        return (
            board[point] == EMPTY
            and all(board[at] == enemy for at in self.neighbours[point])
            and len(self.captures(board, state.turn, point)) == 1
        )

    @property
    def move_syntax(self) -> str:
        """For messages."""
        last = self.cell_name(self.pass_move - 1)
        return f'a point from "A1" (bottom left) to "{last}" (no I), or "pass"'

    def find_move(self, state: State, text: str) -> int | None:  # noqa: ARG002
        """A point or `pass`, in upper or lower case."""
        return self.pass_move if text.lower() == "pass" else self.find_cell(text)

    def write_move(self, state: State, move: int) -> str:  # noqa: ARG002
        """The name of a point, or `pass`."""
        return "pass" if move == self.pass_move else self.cell_name(move)

    # Symmetries.

    def transform(self, state: State, symmetry: Symmetry) -> State:
        """The state turned or mirrored, its ko point and its history with it."""
        points = itemgetter(*symmetry)  # quick, since a whole history is turned

        def turned(board: str) -> str:
            return "".join(points(board))

        return State(
            turned(state.board),
            state.turn,
            NO_KO if state.ko == NO_KO else symmetry.index(state.ko),
            state.passes,
            frozenset(map(turned, state.earlier)),
        )
