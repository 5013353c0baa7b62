"""Games by `sylve.compiled`: their speed beside the same class in plain Python and our Rust."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from importlib import import_module
from itertools import count
from time import perf_counter, process_time
from typing import Any

from timing import Plan, Work, measure

from sylve import Position, Uct, search

GAMES = (
    ("breakthrough", "Breakthrough", "breakthrough"),
    ("connect_four", "ConnectFour", "connect_four"),
    ("domineering", "Domineering", None),
)
PLAN = Plan(rounds=3, seconds=0.3, quick=True)
IN_PYTHON, COMPILED = 20, 20_000  # simulations of a search

START = """
import sys, time
wall, cpu = time.perf_counter(), time.process_time()
sys.path.insert(0, {folder!r})
import sylve, {module}
before = time.perf_counter(), time.process_time()
sylve.search({module}.{name}(), sylve.Uct(1, seed=1))
print(time.perf_counter() - before[0], time.process_time() - before[1])
"""


def report() -> str:
    """The table."""
    lines = ["| game | plain Python | compiled | times | our Rust | share | first use | kept |"]
    lines.append("| --- | --: | --: | --: | --: | --: | --: | --: |")
    for module, name, ours in GAMES:
        game = getattr(import_module(module), name)()
        starts = [Position.start(game.in_python()), Position.start(game)]
        work = {
            "python": Work(searches(starts[0], IN_PYTHON, "python"), IN_PYTHON),
            "compiled": Work(searches(starts[1], COMPILED, "rust"), COMPILED),
        }
        if ours:
            work["rust"] = Work(searches(Position.start(ours), COMPILED, "rust"), COMPILED)
        speed = {who: found.best for who, found in measure(work, PLAN).items()}
        first, kept = start_seconds(module, name)
        rust = speed.get("rust")
        cells = [
            name,
            f"{speed['python']:,.0f}",
            f"{speed['compiled']:,.0f}",
            f"{speed['compiled'] / speed['python']:,.0f}",
            f"{rust:,.0f}" if rust else "",
            f"{speed['compiled'] / rust:.2f}" if rust else "",
            f"{first:.1f} s",
            f"{kept:.2f} s",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, threads()])


def searches(position: Position, playouts: int, engine: Any) -> Any:
    """Searches as work, with another seed each time."""
    seeds = count(1)

    def run(calls: int) -> None:
        for _ in range(calls):
            how = replace(Uct(playouts, solver=False), seed=next(seeds))
            assert search(position, how, engine=engine).playouts == playouts

    return run


def start_seconds(module: str, name: str) -> tuple[float, float]:
    """CPU time of the first search of a process: without kept machine code, and with it."""
    folder = str(import_module(module).__file__).rpartition(os.sep)[0]
    code = START.format(folder=folder, module=module, name=name)
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"SYLVE_CACHE": cache}
        seconds = []
        for _ in range(2):
            said = subprocess.run(
                [sys.executable, "-c", code],
                env=environment, capture_output=True, text=True, check=True,
            )  # fmt: skip
            seconds.append(float(said.stdout.split()[1]))
    return seconds[0], seconds[1]


def threads() -> str:
    """Two threads by root: wall time over one thread, which says little on a busy machine."""
    lines = []
    for module, name, _ in GAMES:
        game = getattr(import_module(module), name)()
        taken = []
        for number in (1, 2):
            began, used = perf_counter(), process_time()
            search(game, Uct(200_000, seed=1, solver=False), threads=number)
            taken.append((perf_counter() - began, process_time() - used))
        lines.append(
            f"{name}: two threads by root {taken[0][0] / taken[1][0]:.2f} times as fast by wall"
            f" time; CPU time {taken[1][1] / taken[0][1]:.2f} times that of one"
        )
    return "\n".join(lines)
