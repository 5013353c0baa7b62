"""Our two engines: the Rust one against the Python reference, also on games written in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from own_games import Domineering, Nim
from table import Section, rate, ratio, reached
from timing import Plan, Work, measure

from sylve import Grave, Position, Rave, Search, Uct, search
from sylve.engine import Engine


@dataclass(frozen=True)
class Row:
    """A position, a search, and what to reach."""

    name: str
    position: Position
    how: Search
    target: float  # the ratio
    least: float | None = None  # simulations per second of the reference
    in_rust: int = 500  # simulations of a search in Rust


SMALL = "breakthrough(columns=5, rows=5)"
ROWS = [
    Row(SMALL, Position.start(SMALL), Uct(), 200, 2_000, in_rust=10_000),
    *(
        Row(f"{type(game).__name__}, five methods in Python", Position.start(game), how, 1)
        for game in (Nim(), Domineering())
        for how in (Uct(solver=False), Rave(solver=False), Grave(solver=False))
    ),
]
IN_PYTHON = 500  # simulations of a search in Python

NOTES = [
    "Simulations per second of `sylve.search`, engine `python` (the reference, written to be read)"
    f" and `rust`; searches of {IN_PYTHON}, but of 10,000 of a compiled game in Rust, where fewer"
    " would time the call. Best of the rounds by CPU time, in turn in every round.",
    "Both engines give the same report: asserted here once a row. No proofs on the games in Python,"
    " which would end a search of Nim at once.",
    "A game with its five methods in Python (own_games.py) costs most of the time in either"
    " engine: the target is that the Rust engine does not make it slower.",
]


def run(plan: Plan) -> Section:
    """Measure every row."""
    data = [measure_row(row, plan) for row in ROWS]
    return Section(
        "The two engines",
        ["game", "search", "python", "target", "reached", "rust", "ratio", "target", "reached"],
        [cells(values) for values in data],
        NOTES,
        data,
    )


def measure_row(row: Row, plan: Plan) -> dict[str, Any]:
    """The speeds of both engines, whose reports have been compared."""
    how = replace(row.how, playouts=200, seed=1)
    assert search(row.position, how, engine="rust") == search(row.position, how, engine="python")
    simulations: dict[Engine, int] = {"python": IN_PYTHON, "rust": row.in_rust}
    speeds = measure(
        {
            engine: Work(searched(row.position, replace(row.how, playouts=number), engine), number)
            for engine, number in simulations.items()
        },
        plan,
    )
    python, rust = speeds["python"].best, speeds["rust"].best
    return {
        "game": row.name,
        "search": row.how.name(),
        "python": python,
        "python_target": row.least,
        "rust": rust,
        "ratio": rust / python,
        "target": row.target,
        "rounds": {name: list(speed.rates) for name, speed in speeds.items()},
    }


def searched(position: Position, how: Search, engine: Engine) -> Callable[[int], None]:
    """Searches as work, with another seed each time."""
    seeds = count(1)

    def run(calls: int) -> None:
        for _ in range(calls):
            report = search(position, replace(how, seed=next(seeds)), engine=engine)
            assert report.playouts == how.playouts

    return run


def cells(values: dict[str, Any]) -> list[str]:
    """The row as text."""
    return [
        values["game"],
        values["search"],
        rate(values["python"]),
        rate(values["python_target"]),
        reached(values["python"], at_least=values["python_target"]),
        rate(values["rust"]),
        ratio(values["ratio"]),
        ratio(values["target"]),
        reached(values["ratio"], at_least=values["target"]),
    ]
