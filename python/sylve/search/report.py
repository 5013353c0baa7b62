"""`Report`: what a search found, for each move and in all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sylve.position import Position
from sylve.search.alpha_beta_search import AlphaBeta
from sylve.search.searches import Search

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

SCHEMA = 1

Counts = tuple[int, int, int]
"""Visits, wins, draws, for the side to move at the root."""


@dataclass(frozen=True)
class MoveReport:
    """What is known of one move. Means are 0 to 1, for the side to move; None: does not apply."""

    move: int
    name: str
    visits: int
    wins: int
    draws: int
    mean: float | None
    stderr: float | None
    """The standard error of the mean."""
    amaf_visits: int | None
    amaf_mean: float | None
    beta: float | None
    """The weight of AMAF in the value."""
    score: float | None
    """What the next choice would go by: value + exploration; None: not tried yet."""
    exploration: float | None
    rank: int
    """1 is the best move."""
    proven: str | None = None
    """win, draw or loss, where it is known for certain."""


@dataclass(frozen=True)
class Report:
    """The result of a search. Reports of both engines are equal."""

    position: Position
    search: Search | AlphaBeta
    playouts: int
    nodes: int
    best: int
    """The move to play."""
    line: tuple[int, ...]
    """The principal variation: the best move, the best reply, and so on."""
    moves: tuple[MoveReport, ...]
    """In the order of the position's moves."""
    stopped: str
    """Why the search ended."""
    engine: str = field(compare=False)
    seconds: float = field(compare=False)
    bytes: int | None = field(compare=False)
    """The memory of the tree, where the engine knows it."""

    @property
    def best_name(self) -> str:
        """The name of the best move."""
        return self.position.name(self.best)

    @property
    def line_names(self) -> tuple[str, ...]:
        """The names of the moves of the line."""
        # Not by `Position.play`: below the root a search of Go forgets the history, so that a line
        # may repeat a board that the game has seen.
        game, state, names = self.position.game, self.position.state, []
        for move in self.line:
            names.append(Position(game, state).name(move))
            state = game.play(state, move)
        return tuple(names)

    def __getitem__(self, move: int | str) -> MoveReport:
        """The report of one move, by number or name."""
        number = self.position.move(move) if isinstance(move, str) else move
        for entry in self.moves:
            if entry.move == number:
                return entry
        raise KeyError(move)

    @property
    def ranked(self) -> tuple[MoveReport, ...]:
        """The moves from best to worst."""
        return tuple(sorted(self.moves, key=lambda entry: entry.rank))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text, for JSON. docs/report.md explains each field."""
        text = self.position.text if hasattr(self.position.game, "write") else None
        return {
            "schema": SCHEMA,
            "game": str(self.position.game),
            "position": text,
            "search": str(self.search),
            "seed": self.search.seed if isinstance(self.search, Search) else None,
            "engine": self.engine,
            "playouts": self.playouts,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "bytes": self.bytes,
            "best": self.best_name,
            "line": list(self.line_names),
            "stopped": self.stopped,
            "moves": [asdict(entry) for entry in self.moves],
        }

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row per move, best first."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_frame() needs pandas: pip install pandas") from None
        return pandas.DataFrame([asdict(entry) for entry in self.ranked]).set_index("name")

    def explain(self) -> str:
        """Why the best move was chosen, and how sure that is, in a few sentences."""
        from sylve.search.explain import explain

        return explain(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from sylve.search.show import report_table

        yield report_table(self)

    def _repr_html_(self) -> str:
        from sylve.search.show import report_html

        return report_html(self)


def make_moves(
    position: Position,
    tallies: Sequence[Counts],
    amaf: Sequence[Counts] | None,
    parts: Sequence[tuple[float, float, float | None]],
    means: Sequence[float] | None,
    order: Sequence[int],
) -> tuple[MoveReport, ...]:
    """The entries of a report, from the numbers of either engine; `order`: indices, best first."""
    from sylve.search.tally import Tally

    ranks = {index: rank for rank, index in enumerate(order, 1)}
    entries = []
    for index, move in enumerate(position.moves):
        own = Tally(*tallies[index])
        other = Tally(*amaf[index]) if amaf is not None else None
        value, exploration, beta = parts[index]
        mean = own.mean() if own.visits else None
        if means is not None and own.visits:
            mean = means[index]
        entries.append(
            MoveReport(
                move=move,
                name=position.name(move),
                visits=own.visits,
                wins=own.wins,
                draws=own.draws,
                mean=mean,
                stderr=own.stderr(),
                amaf_visits=None if other is None else other.visits,
                amaf_mean=other.mean() if other is not None and other.visits else None,
                beta=beta,
                score=value + exploration if math.isfinite(value + exploration) else None,
                exploration=exploration if math.isfinite(exploration) else None,
                rank=ranks[index],
            )
        )
    return tuple(entries)
