"""UCT simulations per second at 10,000 simulations from the start: ours and OpenSpiel's C++."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import peers
from table import Section, rate, ratio, reached
from timing import Plan, Speed, Work, measure

from sylve import Position, Uct, search

SIMULATIONS = 10_000


@dataclass(frozen=True)
class Row:
    """A game here and there, and the ratio to reach."""

    ours: str
    theirs: str
    target: float


ROWS = [
    Row("breakthrough(columns=8, rows=8)", "breakthrough", 60),
    Row("breakthrough(columns=6, rows=6)", "breakthrough(rows=6,columns=6)", 30),
    Row("othello", "othello", 120),
    Row("connect_four", "connect_four", 15),
    Row("hex(size=11)", "hex(board_size=11)", 20),
    Row("go(size=9, komi=7.5)", "go(board_size=9,komi=7.5)", 10),
]

NOTES = [
    "One call of `sylve.search(position, Uct(10_000))`, report included, with our c = 0.4; one call"
    " of their MCTSBot's `mcts_search`: UCT with c = sqrt 2, 10,000 simulations of one uniform"
    " rollout, no solver. Their results lie between -1 and 1: on our scale their c is 0.71. Theirs"
    " has no transpositions.",
    "Best of the rounds by CPU time, one thread, in turn in every round.",
    "The playouts of Hex and Go differ as said under the table of playouts.",
    "Steady: the median round over the best, of the least steady side; far below 1, run it again.",
]


def run(plan: Plan) -> Section:
    """Measure every row."""
    results = [(row, measure_row(row, plan)) for row in ROWS]
    notes = NOTES if peers.openspiel() else [*NOTES, f"OpenSpiel: {peers.version()}."]
    return Section(
        "UCT simulations per second, searches of 10,000",
        ["game", "sylve", "OpenSpiel", "ratio", "target", "reached", "steady"],
        [cells(row, speeds) for row, speeds in results],
        notes,
        [data(row, speeds) for row, speeds in results],
    )


def measure_row(row: Row, plan: Plan) -> dict[str, Speed]:
    """The speeds of both sides."""
    contestants = {"sylve": Work(searched(Position.start(row.ours)), unit=SIMULATIONS)}
    if peers.openspiel():
        contestants["openspiel"] = peers.searches(row.theirs, SIMULATIONS)
    return measure(contestants, plan)


def searched(position: Position) -> Callable[[int], None]:
    """Searches as work, with another seed each time; no simulation may be missing."""
    seeds = count(1)

    def run(calls: int) -> None:
        for _ in range(calls):
            report = search(position, Uct(SIMULATIONS, seed=next(seeds)), engine="rust")
            assert sum(entry.visits for entry in report.moves) == SIMULATIONS

    return run


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
        f"{min(speed.steadiness for speed in speeds.values()):.2f}",
    ]


def data(row: Row, speeds: dict[str, Speed]) -> dict[str, Any]:
    """The row as data: best rates, their ratio, and the rates of all rounds."""
    ours = speeds["sylve"].best
    theirs = speeds["openspiel"].best if "openspiel" in speeds else None
    return {
        "game": row.ours,
        "sylve": ours,
        "openspiel": theirs,
        "ratio": ours / theirs if theirs else None,
        "target": row.target,
        "rounds": {name: list(speed.rates) for name, speed in speeds.items()},
    }
