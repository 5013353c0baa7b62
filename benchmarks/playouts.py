"""Random playouts per second: ours, OpenSpiel's C++, plain C; one thread."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import peers
import plain_c
from table import Section, rate, ratio, reached
from timing import Plan, Speed, Work, measure

from sylve import _core

Playouts = Callable[[int, int], tuple[int, int, int]]
"""From a seed and a number of games to: won by the first player, drawn, won by the second."""


@dataclass(frozen=True)
class Row:
    """A game, what to compare it with, and the ratio to OpenSpiel to reach."""

    ours: str
    theirs: str | None = None
    c: str | None = None
    target: float | None = None
    same_law: bool = True  # of the result, here and there


ROWS = [
    Row("tic_tac_toe", "tic_tac_toe"),
    Row("breakthrough(columns=5, rows=5)", None, "breakthrough_5x5"),
    Row("breakthrough(columns=6, rows=6)", "breakthrough(rows=6,columns=6)"),
    Row("breakthrough(columns=8, rows=8)", "breakthrough", "breakthrough_8x8", 80),
    Row("othello", "othello", "othello", 150),
    Row("connect_four", "connect_four", "connect_four", 60),
    Row("hex(size=11)", "hex(board_size=11)", None, 40),
    Row("go(size=9, komi=7.5)", "go(board_size=9,komi=7.5)", None, 12, same_law=False),
]

NOTES = [
    "Best of the rounds by CPU time, one thread, ours, OpenSpiel and C in turn in every round.",
    "OpenSpiel: its MCTSBot, 20 simulations of 200 rollouts each, through Python once a search.",
    "Plain C: c/playouts.c, bitboards with popcount and pdep, not tuned, same rules. The target is"
    " to be at least as fast.",
    "Tic-tac-toe, Breakthrough, Othello, Connect Four: uniform over the legal moves on both sides.",
    "Breakthrough below 6 rows has one row of pawns a side in OpenSpiel: another game, no figure.",
    "Hex: theirs tests for a win at every ply and stops at the connecting move; ours fills the"
    " board and decides once. The law of the winner is the same.",
    "Go: theirs is uniform over all legal moves, pass and own eyes included, and ends on two passes"
    " or at 162 plies; ours fills no own eye, passes only if nothing is left, and ends on two"
    " passes or at 243 plies. The games differ, and so do their results.",
    "Steady: the median round over the best, of the least steady side; far below 1, run it again.",
]


def run(plan: Plan) -> Section:
    """Measure every row."""
    results = [(row, measure_row(row, plan)) for row in ROWS]
    notes = NOTES if peers.openspiel() else [*NOTES, f"OpenSpiel: {peers.version()}."]
    return Section(
        "Random playouts per second",
        [
            "game",
            "sylve",
            "OpenSpiel",
            "ratio",
            "target",
            "reached",
            "plain C",
            "ratio to C",
            "steady",
        ],
        [cells(row, speeds) for row, speeds in results],
        notes,
        [data(row, speeds) for row, speeds in results],
    )


def measure_row(row: Row, plan: Plan) -> dict[str, Speed]:
    """The speeds of all contestants, whose results have been checked against each other."""
    position = _core.Position(row.ours)
    contestants = {"sylve": Work(counted(position.playouts))}
    if row.theirs and peers.openspiel():
        contestants["openspiel"] = peers.playouts(row.theirs)
    if row.c and (in_c := plain_c.playouts(row.c)):
        contestants["c"] = Work(counted(in_c))
    check_law(row, 2_000 if plan.quick else 20_000)
    return measure(contestants, plan)


def counted(playouts: Playouts) -> Callable[[int], None]:
    """Playouts as work, with another seed at every call; every game must have ended somehow."""
    seeds = count(1)

    def run(number: int) -> None:
        results = playouts(next(seeds), number)
        assert sum(results) == number, results

    return run


def check_law(row: Row, number: int) -> None:
    """The mean results agree within the noise of random play, where the rules are the same."""
    first, _, second = _core.Position(row.ours).playouts(0, 100_000)
    mean = (first - second) / 100_000
    if row.c and (in_c := plain_c.playouts(row.c)):
        first, _, second = in_c(0, 100_000)
        assert_close(row.ours, mean, (first - second) / 100_000, 100_000)
    if row.same_law and row.theirs and peers.openspiel():
        assert_close(row.ours, mean, peers.mean_result(row.theirs, number), number)


def assert_close(game: str, ours: float, other: float, number: int) -> None:
    """Results lie between -1 and 1: their variance is at most 1. Five sigma: one in two million."""
    noise = math.sqrt(1 / 100_000 + 1 / number)
    assert abs(ours - other) <= 5 * noise, f"{game}: mean result {ours}, other side {other}"


def cells(row: Row, speeds: dict[str, Speed]) -> list[str]:
    """The row as text."""
    values = data(row, speeds)
    return [
        row.ours,
        rate(values["sylve"]),
        rate(values["openspiel"]),
        ratio(values["ratio"]),
        ratio(row.target),
        reached(values["ratio"], at_least=row.target),
        rate(values["c"]),
        ratio(values["ratio_to_c"]),
        f"{min(speed.steadiness for speed in speeds.values()):.2f}",
    ]


def data(row: Row, speeds: dict[str, Speed]) -> dict[str, Any]:
    """The row as data: best rates, ratios, and the rates of all rounds."""
    best = {name: speed.best for name, speed in speeds.items()}
    ours, theirs, in_c = best["sylve"], best.get("openspiel"), best.get("c")
    return {
        "game": row.ours,
        "sylve": ours,
        "openspiel": theirs,
        "ratio": ours / theirs if theirs else None,
        "target": row.target,
        "c": in_c,
        "ratio_to_c": ours / in_c if in_c else None,
        "rounds": {name: list(speed.rates) for name, speed in speeds.items()},
    }
