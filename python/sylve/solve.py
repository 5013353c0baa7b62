"""`solve`: exact values, by the compiled solvers or by minimax with memory, written to be read."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from sylve.engine import Engine, choose, compiled_half, core_text, is_compiled, to_core
from sylve.errors import shown
from sylve.game import AnyGame, Outcome
from sylve.markup import escape, html_table
from sylve.own import game_text
from sylve.position import Position, as_position, position_text
from sylve.screen import Table, plural, printable, visible, width_of, wrapped

if TYPE_CHECKING:
    from sylve import _core

Want = Literal["value", "line", "moves"]
"""What to find: the value; also a best move and a line; also the value of every move."""
WANTS: tuple[Want, ...] = ("value", "line", "moves")

Progress = Callable[[int, int, int], object]
"""Called now and then with the values found, the values wanted, and the nodes visited."""


@dataclass(frozen=True, repr=False)
class Solution:
    """What is exact about a position. Values are for its side to move (docs/solving.md).

    >>> from sylve import Position, solve
    >>> solution = solve(Position.start("tic_tac_toe").play("b2"))
    >>> solution
    <Solution of Position.parse('tic_tac_toe', '.../.x./... o'): value 0, best a1>
    >>> solution.per_move
    {0: 0, 1: -1, 2: 0, 3: -1, 5: -1, 6: 0, 7: -1, 8: 0}
    """

    position: Position
    value: int | None
    """None if it was not found in time."""
    exact: bool
    """Whether `value` is known; it is exact then."""
    best: int | None
    """A best move: the first one, if the values of all moves are known. None if not known."""
    per_move: dict[int, int | None]
    """The value of each legal move; None for those that are not known."""
    line: tuple[int, ...]
    """Best play of both sides; to the end, unless time ran out."""
    nodes: int
    """Positions visited."""
    seconds: float
    engine: str

    @property
    def complete(self) -> bool:
        """Whether the value of every move is known too."""
        return self.exact and None not in self.per_move.values()

    @property
    def table(self) -> Table:
        """The moves by name with their values, best first; none if no value is known."""
        known = any(value is not None for value in self.per_move.values())
        rows = sorted(self.per_move.items(), key=lambda row: (row[1] is None, -(row[1] or 0)))
        name = self.position.name
        return Table(
            ["move", "value"],
            [(name(m), "?" if v is None else signed(v)) for m, v in rows] if known else [],
        )

    @property
    def summary(self) -> str:
        """The value, the best move and the line, in words."""
        spent = f"{plural(self.nodes, 'node')}, {self.seconds:.2f} s, engine {self.engine}"
        if self.value is None:
            return f"not solved in time: {spent}"
        content = self.to_dict()
        parts = [f"value {signed(self.value)} for {'xo'[self.position.turn]}"]
        if self.best is not None:
            parts = [*parts, f"best {content['best']}", f"line {' '.join(content['line'])}"]
        if not self.complete and self.table.rows:
            parts.append("not every move was solved in time")
        return "\n".join([*parts, spent])

    def __repr__(self) -> str:
        best = None if self.best is None else self.position.name(self.best)
        return f"<Solution of {self.position!r}: value {self.value}, best {best}>"

    def __str__(self) -> str:
        table = f"{self.table}\n" if self.table.rows else ""
        return f"{table}{wrapped(printable(visible(self.summary)), width_of())}"

    def _repr_html_(self) -> str:
        words = "<br/>".join(map(escape, self.summary.split("\n")))
        return f"<div>{html_table(self.table) if self.table.rows else ''}<p>{words}</p></div>"

    def to_dict(self) -> dict[str, Any]:
        """The solution as JSON has it."""
        here, line = self.position, []
        for move in self.line:
            line.append(here.name(move))
            here = here.play(move)
        return {
            "game": game_text(self.position.game),
            "position": position_text(self.position),
            "value": self.value,
            "exact": self.exact,
            "complete": self.complete,
            "best": None if self.best is None else self.position.name(self.best),
            "line": line,
            "moves": [
                {"move": move, "name": self.position.name(move), "value": value}
                for move, value in self.per_move.items()
            ],
            "nodes": self.nodes,
            "seconds": self.seconds,
            "engine": self.engine,
        }


def solve(
    position: Position | str | AnyGame,
    seconds: float | None = None,
    nodes: int | None = None,
    *,
    want: Want = "moves",
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> Solution:
    """Find the exact value of a position and of its moves.

    Ends after about `seconds` or `nodes`, if given; what is not known then is None. To want less
    takes less time: "line" leaves out the values of the moves, "value" also the line.

    >>> solve(Position.start("tic_tac_toe")).value
    0
    """
    position = as_position(position)
    solver = Solver(position.game, engine=engine)
    return solver.solve(position, seconds, nodes, want=want, progress=progress)


DECIDER_BYTES = 16 << 20  # what the solver of a search remembers at most, in both engines


class Solver:
    """A solver of one game, which remembers what it found from one position to the next.

    `most_bytes` bounds that memory, in the compiled engine.

    >>> from sylve import Position, Solver
    >>> position = Position.start("connect_four(columns=5, rows=4)")
    >>> solver = Solver(position.game)
    >>> [solver.solve(position.play(name)).value for name in ("1", "3")]
    [1, 0]
    """

    def __init__(
        self, game: str | AnyGame, *, engine: Engine = "auto", most_bytes: int | None = None
    ) -> None:
        start = Position.start(game)
        if getattr(start.game, "remembers", False):
            raise ValueError(
                f"{shown(start.game)} cannot be solved: the moves before a position decide what is"
                " legal in it (`remembers`), so it has no value of its own"
            )
        self.game = start.game
        self.compiled: _core.Solver | None = None
        if choose(engine) == "rust" and (is_compiled(start) or engine == "rust"):
            self.compiled = compiled_half("engine=rust").Solver(to_core(start), most_bytes)
        self.memory: dict[Any, int] = {}

    def solve(
        self,
        position: Position,
        seconds: float | None = None,
        nodes: int | None = None,
        *,
        want: Want = "moves",
        progress: Progress | None = None,
    ) -> Solution:
        """Solve a position of the game; see the function `solve`."""
        if position.game != self.game:
            raise ValueError(f"a solver of {self.game}, given a position of {position.game}")
        if want not in WANTS:
            raise ValueError(f"want must be one of {', '.join(WANTS)}, not {want!r}")
        check_budget(seconds, nodes)
        started = perf_counter()
        value, best, per_move, line, visited = (
            minimax(position, self.memory, want, seconds, nodes, progress)
            if self.compiled is None
            else self.compiled.solve(core_text(position), want, seconds, nodes, progress)
        )
        return Solution(
            position=position,
            value=value,
            exact=value is not None,
            best=best,
            per_move=dict(per_move),
            line=tuple(line),
            nodes=visited,
            seconds=perf_counter() - started,
            engine="rust" if self.compiled else "python",
        )

    def winner(
        self, position: Position, nodes: int, ended: Callable[[], bool] | None = None
    ) -> Outcome | None:
        """How the game ends with best play; None if so many nodes do not tell, or it `ended`.

        For searches, which ask about many positions: asked about the same ones in the same order,
        a solver gives the same answers.
        """
        if self.compiled is None:
            value, *_ = minimax(position, self.memory, "value", None, nodes, None)
        else:
            value = self.compiled.winner(core_text(position), nodes, ended)
        if value is None or value == 0:
            return None if value is None else Outcome(None)
        return Outcome(position.turn if value > 0 else position.turn.other)

    def clear(self) -> None:
        """Forget everything."""
        self.memory = {}
        if self.compiled:
            self.compiled.clear()


def signed(value: int) -> str:
    """+3, 0, -3."""
    return f"{value:+d}" if value else "0"


def check_budget(seconds: float | None, nodes: int | None) -> None:
    """Refuse a budget that is none."""
    if seconds is not None:
        number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if not number or not math.isfinite(seconds) or seconds <= 0:
            raise ValueError(f"seconds must be a number above 0, not {seconds!r}")
    if nodes is not None:
        whole = isinstance(nodes, int) and not isinstance(nodes, bool)
        if not whole or not 1 <= nodes < 2**64:
            raise ValueError(f"nodes must be a whole number of at least 1, not {nodes!r}")


# The reference: minimax with memory.

Numbers = tuple[int | None, int | None, list[tuple[int, int | None]], list[int], int]
"""Value, best move, moves with their values, line, nodes."""


class OutOfBudget(Exception):
    """Time or nodes ran out."""


def final_value(game: AnyGame, state: Any) -> int | None:
    """What a finished game is worth to the side to move; None while it goes on.

    A game may say so itself; else a win is worth 1, a draw 0 and a loss -1.
    """
    outcome = game.outcome(state)
    if outcome is None:
        return None
    own = getattr(game, "final_value", None)
    return int(own(state)) if own else outcome.points(game.turn(state)) - 1


class Search:
    """Minimax over a game, remembering every position."""

    def __init__(self, game: AnyGame, memory: dict[Any, int], visit: Callable[[], None]) -> None:
        self.game, self.memory, self.visit = game, memory, visit

    def value(self, state: Any) -> int:
        """The value of a state for its side to move."""
        if state in self.memory:
            return self.memory[state]
        self.visit()
        value = final_value(self.game, state)
        if value is None:
            value = max(self.values(state).values())
        self.memory[state] = value
        return value

    def values(self, state: Any) -> dict[int, int]:
        """Each move with its value for the side to move."""
        turn, values = self.game.turn(state), {}
        for move in self.game.moves(state):
            after = self.game.play(state, move)
            value = self.value(after)
            values[move] = value if self.game.turn(after) == turn else -value
        return values


def minimax(
    position: Position,
    memory: dict[Any, int],
    want: Want,
    seconds: float | None,
    nodes: int | None,
    progress: Progress | None,
) -> Numbers:
    """Solve by minimax: every position below this one is visited once."""
    deadline = None if seconds is None else perf_counter() + seconds
    visited = 0

    def visit() -> None:
        nonlocal visited
        if visited == nodes or (deadline is not None and perf_counter() >= deadline):
            raise OutOfBudget
        if progress and visited % 1024 == 0:
            progress(0, 1, visited)
        visited += 1

    search = Search(position.game, memory, visit)
    unknown: list[tuple[int, int | None]] = [(move, None) for move in position.moves]
    try:
        value = search.value(position.state)
        if want == "value":
            return value, None, unknown, [], visited
        here, line = position, list[int]()
        while here.outcome is None:
            values = search.values(here.state)
            line.append(max(values, key=values.__getitem__))  # the first of the best
            here = here.play(line[-1])
        known = search.values(position.state)
    except (OutOfBudget, RecursionError):  # a game deeper than Python's stack is not solved either
        return None, None, unknown, [], visited
    moves: list[tuple[int, int | None]] = [*known.items()] if want == "moves" else unknown
    return value, (line[0] if line else None), moves, line, visited
