"""`Report`: what a search found, for each move and in all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from sylve.game import Outcome, Player
from sylve.optional import require
from sylve.own import game_text
from sylve.position import Position, position_text
from sylve.screen import Table, printable, visible
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.own_parts import only_in_python
from sylve.search.reference.searches import Search
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.reports import show
from sylve.search.reports.explain import explain

SCHEMA = 1

Counts = tuple[int, int, int, int]
"""Visits, wins, draws and parts (`Tally`), for the side to move at the root."""


class HasMove(Protocol):
    """An entry of a report."""

    @property
    def move(self) -> int:
        """The move that it is about."""


Entry = TypeVar("Entry", bound=HasMove)


class PerMove(Generic[Entry]):
    """A report with an entry for each legal move of a position."""

    position: Position
    moves: tuple[Entry, ...]

    def __getitem__(self, move: int | str) -> Entry:
        """The entry of one move, by number or name."""
        number = self.position.move(move) if isinstance(move, str) else move
        for entry in self.moves:
            if entry.move == number:
                return entry
        raise KeyError(move)

    @property
    def heading(self) -> dict[str, Any]:
        """The first fields of `to_dict`."""
        text = position_text(self.position)
        return {"schema": SCHEMA, "game": game_text(self.position.game), "position": text}


@dataclass(frozen=True)
class MoveReport:
    """What is known of one move. Means are 0 to 1, for the side to move; None: does not apply.

    >>> from sylve import Position, Uct, search
    >>> entry = search(Position.start("tic_tac_toe"), Uct(1000, seed=1))["b2"]
    >>> entry.visits, entry.rank, round(entry.mean, 3)
    (597, 1, 0.72)
    """

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
    amaf_wins: int | None = None
    amaf_draws: int | None = None
    parts: int | None = None
    """With `cut` playouts: what the results come to besides `wins`, in 1/65,536 of a win."""
    amaf_parts: int | None = None
    implicit: float | None = None
    """The minimax value of the tree below the move (`implicit`)."""
    prior: float | None = None
    """The value of the virtual visits that the move began with (`prior`); they are not counted."""


@dataclass(frozen=True, repr=False)
class Report(PerMove[MoveReport]):
    """The result of a search. Reports of both engines are equal.

    >>> from sylve import Position, Rave, search
    >>> report = search(Position.start("othello").play_line("f5d6c3"), Rave(1000, seed=1))
    >>> report.best_name, report.playouts, report.stopped
    ('f4', 1000, 'playouts')
    >>> [entry.name for entry in report.moves]
    ['d3', 'f3', 'f4', 'g5']
    """

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
    """Why the search ended; `running` if it has not."""
    threads: int = field(default=1, kw_only=True)
    parallel: str | None = field(default=None, kw_only=True)
    """How the threads shared the work, where there were several."""
    digest: str | None = field(default=None, kw_only=True)
    """64 bits, in hexadecimal, for everything that the tree counts; for searches in batches."""
    full: bool = field(default=False, kw_only=True)
    """Whether the memory did not suffice for the whole tree: it stopped growing."""
    engine: str = field(compare=False)
    seconds: float = field(compare=False)
    bytes: int | None = field(compare=False)
    """The memory of the tree, where the engine knows it."""

    @property
    def best_name(self) -> str:
        """The name of the best move."""
        return self.position.name(self.best)

    @property
    def engine_reason(self) -> str:
        """Why only the engine in Python can run this search; nothing if both can."""
        if self.engine != "python" or not isinstance(self.search, Search):
            return ""
        return only_in_python(self.position, self.search)

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

    @property
    def ranked(self) -> tuple[MoveReport, ...]:
        """The moves from best to worst."""
        return tuple(sorted(self.moves, key=lambda entry: entry.rank))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text, for JSON. docs/report.md explains each field."""
        return {
            **self.heading,
            "search": str(self.search),
            "seed": self.search.seed if isinstance(self.search, Search) else None,
            "engine": self.engine,
            "engine_reason": self.engine_reason,
            "threads": self.threads,
            "parallel": self.parallel,
            "playouts": self.playouts,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "bytes": self.bytes,
            "best": self.best_name,
            "line": list(self.line_names),
            "stopped": self.stopped,
            "digest": self.digest,
            "full": self.full,
            "moves": [asdict(entry) for entry in self.moves],
        }

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row per move, best first."""
        pandas = require("pandas", "to_frame()")
        return pandas.DataFrame([asdict(entry) for entry in self.ranked]).set_index("name")

    def explain(self) -> str:
        """Why the best move was chosen, and how sure that is, in a few sentences.

        In characters that stdout can write: `print(report.explain())` always works.
        """
        return printable(visible(self.explanation))

    @property
    def explanation(self) -> str:
        """The explanation whatever stdout can write."""
        return explain(self)

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        return f"<Report of {self.search} on {self.position!r}: best {self.best_name}>"

    @property
    def table(self) -> Table:
        """What `print(report)` shows."""
        return show.report_table(self)

    def __rich__(self) -> Table:
        return self.table

    def _repr_html_(self) -> str:
        return show.report_html(self)

    @property
    def columns(self) -> list[show.Column]:
        """The columns that apply to the search: heading, and text of a move."""
        return show.columns(self)

    @property
    def caption(self) -> str:
        """Everything that is not about a single move."""
        return show.caption(self)

    @property
    def heat(self) -> tuple[str, dict[int, float]]:
        """What colours the moves of a board, and how much."""
        return show.heat(self)


Part = tuple[float, float, float | None]
"""Value, exploration and beta of a move."""


@dataclass(frozen=True)
class Found:
    """What either engine knows of a search at one moment, as plain numbers."""

    simulations: int
    nodes: int
    bytes: int | None
    order: Sequence[int]
    """The indices of the root moves, best first."""
    line: Sequence[int]
    own: Sequence[Counts]
    """By root move; so are the following."""
    amaf: Sequence[Counts] | None
    parts: Sequence[Part]
    means: Sequence[float] | None
    """Where they are not those of the counts (`flat` with gamma)."""
    proofs: Sequence[Outcome | None]
    """How the game ends after the move, where that is proven."""
    digest: int | None = None
    """Of the whole tree, where batches are made."""
    full: bool = False
    """Whether the memory did not suffice for the whole tree."""
    implicit: Sequence[int] | None = None
    """By move, in 1/65,536: the minimax value, where the search has one."""
    prior: Sequence[int] | None = None
    """The same of the prior."""
    real: bool = False
    """Whether results are real numbers."""

    @property
    def tallies(self) -> list[tuple[Counts, Counts | None]]:
        """For each root move its own counts and those of AMAF, where the search has them."""
        amaf = self.amaf if self.amaf is not None else [None] * len(self.own)
        return list(zip(self.own, amaf, strict=True))


def proven(position: Position, proof: Outcome | None) -> str | None:
    """A proof in a word, for the side to move."""
    return None if proof is None else ("loss", "draw", "win")[proof.points(position.turn)]


def make_report(
    position: Position, how: Search, found: Found, stopped: str, engine: str, seconds: float,
    threads: int = 1, parallel: str | None = None,
) -> Report:  # fmt: skip
    """The report of what was found."""
    return Report(
        position=position,
        search=how,
        playouts=found.simulations,
        nodes=found.nodes,
        best=position.moves[found.order[0]],
        line=tuple(found.line),
        moves=make_moves(position, found),
        stopped=stopped,
        threads=threads,
        parallel=parallel if threads > 1 else None,
        digest=None if found.digest is None else f"{found.digest:016x}",
        full=found.full,
        engine=engine,
        seconds=seconds,
        bytes=found.bytes,
    )


def make_moves(position: Position, found: Found) -> tuple[MoveReport, ...]:
    """The entries of a report."""
    ranks = {index: rank for rank, index in enumerate(found.order, 1)}
    entries = []
    for index, move in enumerate(position.moves):
        own = Tally(*found.own[index])
        other = Tally(*found.amaf[index]) if found.amaf is not None else None
        value, exploration, beta = found.parts[index]
        mean = own.mean() if own.visits else None
        if found.means is not None and own.visits:
            mean = found.means[index]
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
                proven=proven(position, found.proofs[index]),
                amaf_wins=None if other is None else other.wins,
                amaf_draws=None if other is None else other.draws,
                parts=own.parts if found.real else None,
                amaf_parts=other.parts if found.real and other is not None else None,
                implicit=share(found.implicit, index),
                prior=share(found.prior, index),
            )
        )
    return tuple(entries)


def share(units: Sequence[int] | None, index: int) -> float | None:
    """A value in 1/65,536 as a number from 0 to 1, if there is one."""
    return None if units is None else units[index] / UNIT


def rank_moves(
    own: Sequence[Counts], proofs: Sequence[Outcome | None], player: Player
) -> list[int]:
    """Indices, best first: proven wins, then what is open or drawn, then proven losses; among
    these the most visited move, then the best mean, then the first."""

    def key(index: int) -> tuple[int, int, float, int]:
        proof, tally = proofs[index], Tally(*own[index])
        points = 1 if proof is None else proof.points(player)
        mean = tally.mean() if tally.visits else 0.5
        return -points, -tally.visits, -mean, index

    return sorted(range(len(own)), key=key)
