"""Exact solvers: Othello, Breakthrough and its complete table, Connect Four; one thread."""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from table import Section, rate, reached
from timing import Plan

from sylve import Position, Solver, perft
from sylve.games.breakthrough import Breakthrough
from sylve.tables import BreakthroughTable, build_table

DATA = Path(__file__).parents[1] / "tests/data"
POSITIONS = DATA / "connect4_positions.tsv"
FFO = DATA / "othello_ffo.json"
# Seconds; for the sets, of one position on average.
TARGETS = {
    "L3_R1": 0.0001,
    "L2_R1": 0.0001,
    "L2_R2": 0.002,
    "L1_R1": 0.02,
    "L1_R2": 0.2,
    "L1_R3": 4.0,
}
QUICK_SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1")

NOTES = [
    "Seconds are CPU time, the best of the rounds. The table: wall time, and CPU of all threads.",
    "Connect Four sets: the mean time of one score, a table cleared between sets; all scores are"
    " checked. The time of a call from Python is part of it.",
    "Othello: a fresh solver for each ending. For all five, other targets are at most 240 million"
    " nodes and at least 30 million nodes/s.",
    "Nodes: positions visited, leaves too; for a set, of one position on average.",
]


def run(plan: Plan) -> Section:
    """Measure every row."""
    endings = othello(plan)
    rows = [*endings, breakthrough(plan), *connect_four_sets(plan)]
    if not plan.quick:
        rows += [connect_four_start(), breakthrough_table()]
    return Section(
        "Exact solvers",
        ["what", "seconds", "target", "reached", "nodes", "nodes/s"],
        [cells(row) for row in rows],
        [*NOTES, yardstick(endings[-1])],
        rows,
    )


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """CPU seconds of `work`, and the nodes that it returns."""
    started = time.process_time()
    nodes = work()
    return time.process_time() - started, nodes


def row(
    what: str, seconds: float, target: float | None, nodes: int | None, **more: Any
) -> dict[str, Any]:
    """A row as data."""
    return {"what": what, "seconds": seconds, "target": target, "nodes": nodes, **more}


def othello(plan: Plan) -> list[dict[str, Any]]:
    """The FFO endings, and all of them together; the scores are checked."""
    found = []
    for entry in json.loads(FFO.read_text())["positions"]:
        if entry["id"] > (40 if plan.quick else 44):
            continue
        side = "X" if entry["to_move"] == "black" else "O"
        position = Position.parse("othello", f"{entry['board']} {side}")

        def work(position: Position = position, score: int = entry["score"]) -> int:
            solution = Solver("othello").solve(position, want="value")
            assert solution.value == score
            return solution.nodes

        seconds, nodes = min(timed(work) for _ in range(1 if plan.quick else 3))
        what = f"Othello FFO {entry['id']}, {entry['empties']} empty cells"
        found.append(row(what, seconds, None, nodes))
    seconds, nodes = (sum(one[key] for one in found) for key in ("seconds", "nodes"))
    leaves, perft_seconds = 212_258_800, []
    for _ in range(1 if plan.quick else 3):
        taken, counted = timed(lambda: perft(Position.start("othello"), 11, finished="leaf"))
        assert counted == leaves
        perft_seconds.append(taken)
    ratio = nodes / seconds / (leaves / min(perft_seconds))
    what = "Othello FFO, all of these"
    return [*found, row(what, seconds, 8.0, nodes, perft_11=min(perft_seconds), ratio=ratio)]


def yardstick(endings: dict[str, Any]) -> str:
    """The speed of the Othello solver as a ratio."""
    return (
        f"Othello: nodes/s over the leaves/s of perft 11, the yardstick, is {endings['ratio']:.3f};"
        f" perft took {endings['perft_11']:.2f} s."
    )


def breakthrough(plan: Plan) -> dict[str, Any]:
    """The start of 5 x 5: lost, by every first move."""
    game = "breakthrough(columns=5, rows=5)"

    def work() -> int:
        solution = Solver(game).solve(Position.start(game))
        assert set(solution.per_move.values()) == {-1}
        return solution.nodes

    seconds, nodes = min(timed(work) for _ in range(1 if plan.quick else 3))
    return row("Breakthrough 5x5, the start and all moves", seconds, 5.0, nodes)


def connect_four_start() -> dict[str, Any]:
    """The start of 7 x 6: won with the last stone."""

    def work() -> int:
        start = Position.start("connect_four")
        solution = Solver("connect_four").solve(start, want="value")
        assert solution.value == 1
        return solution.nodes

    seconds, nodes = timed(work)
    return row("Connect Four, the start", seconds, 5.0, nodes)


def connect_four_sets(plan: Plan) -> list[dict[str, Any]]:
    """The six sets, one score a position."""
    lines = [line.split("\t") for line in POSITIONS.read_text().splitlines() if line[0] != "#"]
    found = []
    for name, target in TARGETS.items():
        if plan.quick and name not in QUICK_SETS:
            continue
        start = Position.start("connect_four")
        rows = [
            (start.play_line(moves), int(value)) for set_, moves, value, _ in lines if set_ == name
        ]
        solver = Solver("connect_four")

        def work(rows: list[tuple[Position, int]] = rows, solver: Solver = solver) -> int:
            solver.clear()
            nodes = 0
            for position, value in rows:
                solution = solver.solve(position, want="value")
                assert solution.value == value
                nodes += solution.nodes
            return nodes

        repeat = 1 if name in ("L1_R2", "L1_R3") or plan.quick else 5
        seconds, nodes = min(timed(work) for _ in range(repeat))
        found.append(row(f"Connect Four {name}", seconds / len(rows), target, nodes // len(rows)))
    return found


def breakthrough_table() -> dict[str, Any]:
    """The complete table of 5 x 5 on two threads."""
    with tempfile.TemporaryDirectory() as folder:
        path, wall = Path(folder) / "5x5.table", time.perf_counter()
        cpu = time.process_time()
        build_table(Breakthrough(columns=5, rows=5), path, threads=2)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        with BreakthroughTable(path) as table:
            assert (table.positions, table.wins) == (243_814_337, 180_996_357)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    what = f"Breakthrough 5x5, the complete table, 2 threads ({cpu:.1f} s CPU)"
    return row(what, wall, 60.0, None, cpu=cpu, peak_megabytes=peak)


def cells(row: dict[str, Any]) -> list[str]:
    """The row as text."""
    nodes = row["nodes"]
    return [
        row["what"],
        f"{row['seconds']:.3g}",
        "" if row["target"] is None else f"{row['target']:g}",
        reached(row["seconds"], at_most=row["target"]),
        f"{nodes:,}" if nodes else "",
        rate(nodes / row["seconds"]) if nodes else "",
    ]
