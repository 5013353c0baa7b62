"""Perft: the paths of exactly n plies counted per second, and Othello's against its target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from table import Section, rate
from timing import Plan, Work, measure

from sylve import _core


@dataclass(frozen=True)
class Row:
    """A count that is known (tests/data/perft), and the seconds to stay under."""

    game: str
    depth: int
    leaves: int
    leaf: bool = False  # a game that ended earlier counts as a leaf
    target: float | None = None  # seconds


ROWS = [
    Row("tic_tac_toe", 9, 127_872),
]


def run(plan: Plan) -> Section:
    """Measure every row."""
    rows, data = [], []
    for row in ROWS:
        best = measure({row.game: Work(counted(row), unit=row.leaves)}, plan)[row.game].best
        seconds = row.leaves / best
        target, verdict = "-", ""
        if row.target:
            target = f"{row.target} s"
            verdict = "yes" if seconds <= row.target else "no"
        rows.append(
            [
                row.game,
                str(row.depth),
                f"{row.leaves:,}",
                f"{seconds:.3f} s",
                rate(best),
                target,
                verdict,
            ]
        )
        data.append(
            {
                "game": row.game,
                "depth": row.depth,
                "leaves": row.leaves,
                "finished": "leaf" if row.leaf else "zero",
                "seconds": seconds,
                "rate": best,
                "target": row.target,
            }
        )
    return Section(
        "Perft",
        ["game", "depth", "leaves", "time", "leaves per second", "target", "reached"],
        rows,
        ["From the start, last ply counted and not played, no table of positions, one thread."],
        data,
    )


def counted(row: Row) -> Callable[[int], None]:
    """Perft as work, its answer checked."""
    position = _core.Position(row.game)

    def run(calls: int) -> None:
        for _ in range(calls):
            leaves = position.perft(row.depth, row.leaf)
            assert leaves == row.leaves, f"{row.game} perft {row.depth}: {leaves}"

    return run
