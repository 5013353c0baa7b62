"""The report of an alpha-beta search: scores instead of visits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sylve.perft import perft
from sylve.position import Position
from sylve.screen import plural
from sylve.search.reference.alpha_beta import WIN, AlphaBeta, is_proven
from sylve.search.reports.report import MoveReport, Report

if TYPE_CHECKING:
    from sylve.search.reports.show import Column

MONTE_CARLO = ("visits", "wins", "draws")
COMPARABLE = {"rust": 10_000_000, "python": 50_000}
"""Up to about so many positions the explanation counts those of minimax: it takes no second."""


class Answer(NamedTuple):
    """What either engine finds."""

    depth: int
    score: int
    best: int
    line: tuple[int, ...]
    scores: tuple[int | None, ...]
    """Of each move, as far as it is known."""
    nodes: int
    bytes: int | None
    solved: bool = False
    """Whether the exact solver found it."""


@dataclass(frozen=True, repr=False)
class AlphaBetaReport(Report):
    """A report whose moves have scores in thousandths and no visits.

    `nodes` and `line` are the engine's own: both engines find the same scores in different ways.

    >>> from sylve import AlphaBeta, Position, search
    >>> report = search(Position.start("othello").play("f5"), AlphaBeta(4))
    >>> report.best_name, report.score, report.depth, report.minimax_nodes
    ('d6', 2166, 4, 428)
    """

    search: AlphaBeta
    score: int | None
    """Of the best move, in thousandths, for the side to move; None: one move, not searched."""
    depth: int
    """The depth that was completed."""

    @cached_property
    def minimax_nodes(self) -> int:
        """The positions that plain minimax visits at the same depth, by counting them."""
        total = 1
        for move in self.position.moves:
            after = self.position.searched(move)
            for depth in range(self.depth):
                # A game that ended earlier has no paths of the full length: it was counted before.
                total += perft(after, depth, engine="python" if self.engine == "python" else "auto")
        return total

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text, for JSON; what belongs to simulations is null."""
        content = super().to_dict() | {"playouts": None, "score": self.score, "depth": self.depth}
        content["moves"] = content.pop("moves")  # the long part at the end
        for entry in content["moves"]:
            entry.update(dict.fromkeys(MONTE_CARLO))
        return content

    @property
    def columns(self) -> list[Column]:
        """Scores instead of visits."""
        return [
            ("rank", lambda entry: str(entry.rank)),
            ("move", lambda entry: entry.name),
            ("score", lambda entry: "" if entry.score is None else meaning(int(entry.score))),
        ]

    @property
    def caption(self) -> str:
        """Depth and positions instead of playouts."""
        parts = [f"depth {self.depth}", plural(self.nodes, "node"), f"{self.seconds:.3f} s"]
        if self.seconds > 0:
            parts.append(f"{self.nodes / self.seconds:,.0f} nodes/s")
        if self.bytes:
            parts.append(f"table {plural(self.bytes, 'byte')}")
        return ", ".join([*parts, f"engine {self.engine}", f"line {' '.join(self.line_names)}"])

    @property
    def heat(self) -> tuple[str, dict[int, float]]:
        """Scores, from the worst to the best."""
        worst, best = (pick(e.score or 0 for e in self.moves) for pick in (min, max))
        span = max(1, best - worst)
        scores = {e.move: e.score for e in self.moves if e.score is not None}
        return "score", {move: (score - worst) / span for move, score in scores.items()}

    @property
    def explanation(self) -> str:
        """What the score says, and how many positions it took."""
        if self.score is None:
            return f"{self.best_name} is the only legal move: nothing was searched."
        told = [f"{self.best_name} was chosen for the highest score, {meaning(self.score)}."]
        if self.search.multi and len(self.moves) > 1:
            second = self.ranked[1]
            assert second.score is not None
            told.append(f"The runner-up is {second.name} with {meaning(int(second.score))}.")
        told.append(f"The expected line is {' '.join(self.line_names)}.")
        solved = self.stopped == "solved"
        if not solved and len(self.moves) ** self.depth <= COMPARABLE[self.engine]:
            told.append(
                f"Minimax visits {plural(self.minimax_nodes, 'position')} at depth {self.depth},"
                f" this search visited {self.nodes:,}."
            )
        else:
            told.append(f"The search visited {plural(self.nodes, 'position')}.")
        if not is_proven(self.score) and not solved:
            plies = plural(self.depth, "ply", "plies")
            told.append(f"What lies beyond {plies} was judged by the evaluation alone.")
        return " ".join(told)


def meaning(score: int) -> str:
    """A score in words: wins and losses are certain."""
    if is_proven(score):
        plies = WIN - abs(score)
        return f"a {'win' if score > 0 else 'loss'} in {plural(plies, 'ply', 'plies')}"
    return f"{score / 1000:+.3f}"


def make_report(
    position: Position, how: AlphaBeta, found: Answer, engine: str, seconds: float
) -> AlphaBetaReport:
    """The report, from the numbers of either engine."""
    scores = dict(zip(position.moves, found.scores, strict=True))
    known = sorted(
        range(len(position.moves)),
        key=lambda index: (
            position.moves[index] != found.best,
            2 * WIN if (score := found.scores[index]) is None else -score,
        ),
    )
    ranks = {position.moves[index]: rank for rank, index in enumerate(known, 1)}
    if len(position.moves) == 1:
        stopped = "only move"
    elif found.solved:
        stopped = "solved"
    elif all(score is None or is_proven(score) for score in found.scores):
        stopped = "proven"
    else:
        stopped = "depth" if found.depth == how.limit else "seconds"
    return AlphaBetaReport(
        position=position,
        search=how,
        playouts=0,
        nodes=found.nodes,
        best=found.best,
        line=found.line,
        moves=tuple(
            MoveReport(
                move=move, name=position.name(move), visits=0, wins=0, draws=0, mean=None,
                stderr=None, amaf_visits=None, amaf_mean=None, beta=None, score=scores[move],
                exploration=None, rank=ranks[move], proven=proven(scores[move], found.solved),
            )
            for move in position.moves
        ),
        stopped=stopped,
        engine=engine,
        seconds=seconds,
        bytes=found.bytes,
        score=None if stopped == "only move" else found.score,
        depth=found.depth,
    )  # fmt: skip


def proven(score: int | None, solved: bool) -> str | None:
    """A score that is certain, in a word."""
    if solved and score == 0:
        return "draw"
    if score is None or not is_proven(score):
        return None
    return "win" if score > 0 else "loss"
