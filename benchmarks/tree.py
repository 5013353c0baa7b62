"""What the tree costs at 100,000 simulations: time beside our own raw playouts, and memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import peers
from table import Section, reached
from timing import Plan, Work, measure

from sylve import Grave, Position, Rave, Search, Uct, _core
from sylve.search.running.compiled import Compiled

SIMULATIONS = 100_000
QUICK_SIMULATIONS = 20_000
SEARCHES: dict[str, Search] = {"uct": Uct(), "rave": Rave(), "grave": Grave()}


@dataclass(frozen=True)
class Row:
    """A game, and by search: the least share of raw playouts, and the most bytes a simulation."""

    game: str
    shares: dict[str, float] = field(default_factory=dict)
    bytes: dict[str, float] = field(default_factory=dict)
    theirs: str | None = None  # OpenSpiel's name, where a quarter of its memory is the target


SMALL = {"uct": 40, "rave": 80, "grave": 150}
ROWS = [
    Row(
        "breakthrough(columns=8, rows=8)",
        {"uct": 0.6, "rave": 0.35, "grave": 0.22},
        SMALL,
    ),
    Row("othello", {"uct": 0.65, "rave": 0.5, "grave": 0.4}, SMALL),
    Row("connect_four", {}, SMALL),
    Row("hex(size=11)", theirs="hex(board_size=11)"),
    Row(
        "go(size=9, komi=7.5)",
        {"uct": 0.7, "rave": 0.5, "grave": 0.4},
        theirs="go(board_size=9,komi=7.5)",
    ),
]

NOTES = [
    "Share of raw: simulations per second over random playouts per second from the start, best of"
    " the rounds of each, measured in turn. 1 would be a tree that costs nothing; the playouts of"
    " a simulation start deeper and are shorter, so that even that is no bound.",
    "Levels: choices made in the tree, a simulation. ns a level: what a simulation takes more than"
    " a raw playout, divided by its levels.",
    "Bytes: of the whole tree, tables and spare room included, by simulation. OpenSpiel's: the"
    " growth of its process during one search; the target is a quarter of it.",
    "Steady: the median round over the best, of the least steady side; far below 1, run it again.",
]

COLUMNS = [
    "game",
    "search",
    "simulations/s",
    "share of raw",
    "target",
    "reached",
    "levels",
    "ns a level",
    "bytes",
    "target",
    "reached",
    "steady",
]


def run(plan: Plan) -> Section:
    """Measure every row."""
    simulations = QUICK_SIMULATIONS if plan.quick else SIMULATIONS
    data = [values for row in ROWS for values in measure_row(row, simulations, plan)]
    notes = NOTES if peers.openspiel() else [*NOTES, f"OpenSpiel: {peers.version()}."]
    if plan.quick:
        notes = [*notes, "Quick: the targets are meant for searches of 100,000."]
    title = f"The cost of the tree, searches of {simulations:,}"
    return Section(title, COLUMNS, [cells(values) for values in data], notes, data)


def measure_row(row: Row, simulations: int, plan: Plan) -> list[dict[str, Any]]:
    """The searches of one game, measured together with its raw playouts."""
    position = Position.start(row.game)
    contestants = {"raw": Work(playouts(row.game))}
    for name, how in SEARCHES.items():
        contestants[name] = Work(searched(position, how, simulations), unit=simulations)
    speeds = measure(contestants, plan)
    most = dict(row.bytes)
    theirs = None
    if row.theirs and peers.openspiel():
        theirs = peers.bytes_per_simulation(row.theirs, simulations)
        most = dict.fromkeys(SEARCHES, theirs / 4)
    raw = speeds["raw"].best
    result = []
    for name, how in SEARCHES.items():
        best = speeds[name].best
        tree = finished(position, how, simulations)
        levels = tree.steps / simulations
        result.append(
            {
                "game": row.game,
                "search": name,
                "simulations": simulations,
                "rate": best,
                "raw": raw,
                "share": best / raw,
                "share_target": row.shares.get(name),
                "levels": levels,
                "ns_per_level": (1e9 / best - 1e9 / raw) / levels,
                "bytes": (tree.found().bytes or 0) / simulations,
                "bytes_target": most.get(name),
                "openspiel_bytes": theirs,
                "steady": min(speeds["raw"].steadiness, speeds[name].steadiness),
                "rounds": list(speeds[name].rates),
            }
        )
    return result


def playouts(game: str) -> Callable[[int], None]:
    """Raw playouts as work, with another seed at every call."""
    position, seeds = _core.Position(game), count(1)

    def run(number: int) -> None:
        results = position.playouts(next(seeds), number)
        assert sum(results) == number, results

    return run


def searched(position: Position, how: Search, simulations: int) -> Callable[[int], None]:
    """Searches as work."""

    def run(calls: int) -> None:
        for _ in range(calls):
            finished(position, how, simulations)

    return run


def finished(position: Position, how: Search, simulations: int) -> Compiled:
    """A search that has been run; no simulation may be missing."""
    tree = Compiled(position, how)
    tree.run(simulations)
    assert sum(own[0] for own, _ in tree.found().tallies) == simulations
    return tree


def cells(values: dict[str, Any]) -> list[str]:
    """The row as text."""
    share_target, bytes_target = values["share_target"], values["bytes_target"]
    return [
        values["game"],
        values["search"],
        f"{values['rate']:,.0f}",
        f"{values['share']:.2f}",
        f"{share_target:.2f}" if share_target else "-",
        reached(values["share"], at_least=share_target),
        f"{values['levels']:.1f}",
        f"{values['ns_per_level']:.0f}",
        f"{values['bytes']:.0f}",
        f"{bytes_target:.0f}" if bytes_target else "-",
        reached(values["bytes"], at_most=bytes_target),
        f"{values['steady']:.2f}",
    ]
