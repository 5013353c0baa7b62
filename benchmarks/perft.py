"""Perft: the paths of exactly n plies counted per second, and Othello's against its target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from table import Section, rate, reached
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


# Tic-tac-toe's, Breakthrough's, Connect Four's and Go's count is also what walking the states of
# OpenSpiel 2.0.2 gives; Othello's is the published one; Hex is 121 * 120 * 119 * 118.
ROWS = [
    Row("tic_tac_toe", 9, 127_872),
    Row("breakthrough", 6, 149_264_638),
    Row("othello", 11, 212_258_800, leaf=True, target=0.8),
    Row("connect_four", 9, 39_394_572),
    Row("hex", 4, 203_889_840),
    Row("go", 4, 42_002_809),
]


NOTES = [
    "From the start, one thread, no table of positions. The last ply is counted, not played: where"
    " counting is trivial (Hex) the rate is large and says little.",
    "A game that ended earlier counts 0; in Othello it counts 1, as in the published table.",
]


def run(plan: Plan) -> Section:
    """Measure every row."""
    data = [measure_row(row, plan) for row in ROWS]
    return Section(
        "Perft",
        ["game", "depth", "leaves", "time", "leaves per second", "target", "reached"],
        [cells(values) for values in data],
        NOTES,
        data,
    )


def measure_row(row: Row, plan: Plan) -> dict[str, Any]:
    """The row as data: the best round."""
    best = measure({row.game: Work(counted(row), unit=row.leaves)}, plan)[row.game].best
    return {
        "game": row.game,
        "depth": row.depth,
        "leaves": row.leaves,
        "finished": "leaf" if row.leaf else "zero",
        "seconds": row.leaves / best,
        "rate": best,
        "target": row.target,
    }


def cells(values: dict[str, Any]) -> list[str]:
    """The row as text."""
    target = values["target"]
    return [
        values["game"],
        str(values["depth"]),
        f"{values['leaves']:,}",
        f"{values['seconds']:.3f} s",
        rate(values["rate"]),
        f"{target} s" if target else "-",
        reached(values["seconds"], at_most=target),
    ]


def counted(row: Row) -> Callable[[int], None]:
    """Perft as work, its answer checked."""
    position = _core.Position(row.game)

    def run(calls: int) -> None:
        for _ in range(calls):
            leaves = position.perft(row.depth, row.leaf)
            assert leaves == row.leaves, f"{row.game} perft {row.depth}: {leaves}"

    return run
