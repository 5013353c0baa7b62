"""Breakthrough: two rows of pawns a side race to the far row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sylve.game import Outcome, Player
from sylve.games.board import (
    EMPTY,
    NO_SUCH_MOVE,
    STONES,
    BoardGame,
    State,
    Symmetry,
    mirror_columns,
    size_between,
)

# The directions of a step, in the order of the moves. Right is the higher column for both players.
STRAIGHT, RIGHT, LEFT = range(3)
SIDEWAYS = (0, 1, -1)  # columns that a step goes to the right, by direction
FORWARD = (1, -1)  # rows that a step goes up, by player

# The gestures of the AMAF codes, by direction; a capture adds 1.
GESTURE = (0, 1, 3)
GESTURES = 5

# From-square, then to-square or direction: a2-a3, a2xb3, a2a3, a2b3*, a2F.
MOVE = r"([a-h][1-8])(?:([-x]?)([a-h][1-8])(\*?)|([flr]))"


@dataclass(frozen=True)
class Breakthrough(BoardGame):
    """The rules. A move is direction * cells + the cell of the pawn."""

    columns: int = 8
    rows: int = 8

    name: ClassVar[str] = "breakthrough"
    move_text: ClassVar[re.Pattern[str]] = re.compile(MOVE, re.ASCII | re.IGNORECASE)
    a1_on_top: ClassVar[bool] = False
    features: ClassVar[tuple[str, ...]] = ("capture", "run")

    def __post_init__(self) -> None:
        size_between(self.name, "columns", self.columns, 2, 8)
        size_between(self.name, "rows", self.rows, 4, 8)

    def start(self) -> State:
        """Two full rows a side, x below and to move."""
        home, between = 2 * self.columns, (self.rows - 4) * self.columns
        return State("x" * home + EMPTY * between + "o" * home, Player.FIRST)

    def outcome(self, state: State) -> Outcome | None:
        """A pawn on the far row wins, and so does capturing every pawn."""
        last = state.turn.other  # only the one who moved last can have won
        if self.on_far_row(state.board, last) or STONES[state.turn] not in state.board:
            return Outcome(last)
        return None

    def on_far_row(self, board: str, player: Player) -> int:
        """How many pawns have reached the row that a player wants to reach."""
        far_row = board[-self.columns :] if player == Player.FIRST else board[: self.columns]
        return far_row.count(STONES[player])

    @cached_property
    def targets(self) -> tuple[tuple[tuple[int | None, ...], ...], ...]:
        """The cell one step from each cell, by player, direction and cell; None off the board."""

        def target(forward: int, sideways: int, cell: int) -> int | None:
            row, column = cell // self.columns + forward, cell % self.columns + sideways
            inside = 0 <= row < self.rows and 0 <= column < self.columns
            return row * self.columns + column if inside else None

        cells = range(self.columns * self.rows)
        return tuple(
            tuple(tuple(target(forward, sideways, cell) for cell in cells) for sideways in SIDEWAYS)
            for forward in FORWARD
        )

    def moves(self, state: State) -> list[int]:
        """Straight onto an empty cell, diagonally onto any cell without an own pawn."""
        if self.outcome(state):
            return []
        board, own = state.board, STONES[state.turn]
        pawns = [cell for cell, stone in enumerate(board) if stone == own]
        moves = []
        for direction, targets in enumerate(self.targets[state.turn]):
            for cell in pawns:
                to = targets[cell]
                if to is None or board[to] == own:
                    continue
                if board[to] == EMPTY or direction != STRAIGHT:
                    moves.append(direction * len(board) + cell)
        return moves

    def step(self, state: State, move: int) -> tuple[int, int | None]:
        """The from-cell and the to-cell of a move by the side to move; None off the board."""
        direction, cell = divmod(move, len(state.board))
        return cell, self.targets[state.turn][direction][cell]

    def captures(self, state: State, move: int) -> bool:
        """Whether the to-cell of a move holds a pawn of the opponent."""
        to = self.step(state, move)[1]
        return to is not None and state.board[to] == STONES[state.turn.other]

    def features_of(self, state: State, move: int) -> list[str]:
        """It takes a pawn; no pawn of the opponent can stop it on its way to the far row."""
        found = ["capture"] if self.captures(state, move) else []
        to = self.step(state, move)[1]
        assert to is not None
        row, column = divmod(to, self.columns)
        for cell, stone in enumerate(state.board):
            ahead = (cell // self.columns - row) * FORWARD[state.turn]
            aside = abs(cell % self.columns - column)
            if stone == STONES[state.turn.other] and ahead > 0 and aside <= ahead:
                return found
        return [*found, "run"]

    def play(self, state: State, move: int) -> State:
        """Move a pawn; what stood there is captured."""
        cell, to = self.step(state, move)
        assert to is not None
        board = list(state.board)
        board[cell], board[to] = EMPTY, STONES[state.turn]
        return State("".join(board), state.turn.other)

    def codes(self) -> int:
        """A from-cell, one of five gestures, and a player."""
        return 2 * GESTURES * self.columns * self.rows

    def code(self, state: State, move: int) -> int:
        """The gestures are straight, right, right with capture, left, left with capture."""
        direction, cell = divmod(move, len(state.board))
        gesture = GESTURE[direction] + self.captures(state, move)
        return GESTURES * (len(state.board) * state.turn + cell) + gesture

    def code_name(self, code: int) -> str:
        """The name of the step; none where it would leave the board."""
        owner, gesture = divmod(code, GESTURES)
        player, cell = divmod(owner, self.columns * self.rows)
        direction = (gesture + 1) // 2
        to = self.targets[player][direction][cell]
        sign = "x" if gesture > GESTURE[direction] else "-"
        return "" if to is None else f"{self.cell_name(cell)}{sign}{self.cell_name(to)}"

    def kinds(self) -> int:
        """The five gestures."""
        return GESTURES

    def kind(self, code: int) -> int:
        """The gesture of a code."""
        return code % GESTURES

    def max_plies(self) -> int:
        """A move is one row forward, so that pawns run out of steps.

        Without reaching the far row a pawn can make rows - 2 steps from its home row and rows - 3
        from the row before it; the winning step is one more.
        """
        return 2 * self.columns * (2 * self.rows - 5) + 1

    def move_cells(self, state: State, move: int) -> tuple[int | None, int | None]:
        """The from-cell and the to-cell of a move, for drawings; None if it leaves the board."""
        if not 0 <= move < 3 * len(state.board):
            return None, None
        cell, to = self.step(state, move)
        return (None, None) if to is None else (cell, to)

    # Text.

    def read(self, text: str) -> State:
        """Read a position, for example `ooo/ooo/.../.x./xxx/x.x o` on 3 x 6 cells."""
        board, turn, _ = self.read_board(text)
        most = 2 * self.columns
        for stone in STONES:
            if (count := board.count(stone)) > most:
                self.refuse(text, f"{count} {stone}, but a side has at most {most} pawns")
        if not board.strip(EMPTY):
            self.refuse(text, "there is no pawn")
        there = [self.on_far_row(board, player) for player in Player]
        if all(there):
            self.refuse(text, "both sides have a pawn on their far row")
        if there[turn]:
            self.refuse(text, "the side to move has a pawn on its far row: it has won already")
        if STONES[turn.other] not in board:
            self.refuse(text, "the side to move has captured every pawn: it has won already")
        if there[turn.other] > 1:
            self.refuse(text, f"{max(there)} pawns on the far row, but the first one wins")
        # The first player has made as many moves as the second, or one more.
        (low, high), (low2, high2) = (self.made(board, player) for player in Player)
        if max(low, low2 + turn) > min(high, high2 + turn):
            self.refuse(
                text,
                f"x must have made {low} to {high} moves and o {low2} to {high2}: "
                "they have not taken turns",
            )
        return State(board, turn)

    def made(self, board: str, player: Player) -> tuple[int, int]:
        """The fewest and the most moves that a player can have made."""
        lines = [board[at : at + self.columns] for at in range(0, len(board), self.columns)]
        from_home = lines if player == Player.FIRST else lines[::-1]
        # A move is a step of one row, and at the start the rows of all pawns, counted from home,
        # sum up to `columns`.
        steps = sum(row * line.count(STONES[player]) for row, line in enumerate(from_home))
        steps -= self.columns
        lost = 2 * self.columns - board.count(STONES[player])
        taken = 2 * self.columns - board.count(STONES[player.other])
        # Each lost pawn was captured on any row but the far one; each capture was a move.
        return max(steps, taken), steps + lost * (self.rows - 2)

    @property
    def move_syntax(self) -> str:
        """For messages."""
        return 'a move such as "a2-a3", "a2xb3" or "a2F" (F, L or R)'

    def find_move(self, state: State, text: str) -> int | None:
        """`a2-a3`, `a2xb3`, and the variants of docs/games/breakthrough.md."""
        match = self.move_text.fullmatch(text)
        cell = self.find_cell(match[1]) if match else None
        if not match or cell is None:
            return None
        _, sign, to_text, star, side = match.groups(default="")
        if side:
            # As the mover sees it: the second player looks down the board.
            seen = "frl" if state.turn == Player.FIRST else "flr"
            return seen.index(side.lower()) * len(state.board) + cell
        to = self.find_cell(to_text)
        if to is None:
            return None
        for direction, targets in enumerate(self.targets[state.turn]):
            if targets[cell] == to:
                move = direction * len(state.board) + cell
                # A name that says "capture" where there is none is no name of the quiet move.
                says_capture = sign in ("x", "X") or star == "*"
                return NO_SUCH_MOVE if says_capture and not self.captures(state, move) else move
        return NO_SUCH_MOVE

    def write_move(self, state: State, move: int) -> str:
        """`a2-a3`, or `a2xb3` for a capture."""
        cell, to = self.step(state, move)
        assert to is not None
        sign = "x" if self.captures(state, move) else "-"
        return f"{self.cell_name(cell)}{sign}{self.cell_name(to)}"

    # Symmetries.

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Left and right can be exchanged."""
        return (*super().symmetries, mirror_columns(self.columns, self.rows))

    def transform_move(self, move: int, symmetry: Symmetry) -> int:
        """The pawn's cell is mirrored, and right becomes left."""
        direction, cell = divmod(move, len(symmetry))
        mirrored = symmetry[0] != 0
        if mirrored and direction != STRAIGHT:
            direction = LEFT if direction == RIGHT else RIGHT
        return direction * len(symmetry) + symmetry.index(cell)
