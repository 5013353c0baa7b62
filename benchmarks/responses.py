"""How soon a search answers: overshoot of `seconds`, Ctrl-C, and what reports cost while it runs.

python benchmarks/responses.py [--runs 300] [--rounds 15] [--game breakthrough]

Wall time, because that is what is asked: on a machine that others use the figures say little, so
the load is printed with them. Targets: overshoot p99 at most 5 ms and never above 50 ms; Ctrl-C p99
below 100 ms; reports at 10 Hz cost less than 1 %. What 10 reports a second cost is lost in the
noise of the machine: 200 a second are made, and a twentieth of their cost is told.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import repeat
from math import sqrt

from sylve import Position, Searcher, Uct

WAYS = ((1, "root"), (2, "root"), (2, "tree"))
MORE = 20  # times as many reports as are asked about


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How soon a search answers.")
    parser.add_argument("--runs", type=int, default=300, help="of each way")
    parser.add_argument("--rounds", type=int, default=15, help="of a second, with and without")
    parser.add_argument("--game", default="breakthrough")
    options = parser.parse_args()
    position = Position.start(options.game)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; uct on {options.game}")
    print("| what | threads | median | p99 | most |\n| --- | --: | --: | --: | --: |")
    for threads, parallel in WAYS:
        new = partial(Searcher, position, Uct(), threads=threads, parallel=parallel)  # type: ignore[arg-type]
        late = overshoots(new() for _ in range(options.runs))
        row("overshoot of seconds", threads, parallel, late)
        late = overshoots(repeat(new(), options.runs))
        row("the same, one tree that grows", threads, parallel, late)
    for threads, parallel in WAYS:
        searcher = Searcher(position, Uct(), threads=threads, parallel=parallel)  # type: ignore[arg-type]
        row("Ctrl-C", threads, parallel, interrupts(searcher, options.runs))
    costs = report_costs(position, options.rounds)
    error = 1.96 * statistics.stdev(costs) / sqrt(len(costs))
    print(
        f"reports at 10 Hz cost {100 * statistics.mean(costs):.2f} +- {100 * error:.2f} % of the"
        f" simulations (95 %, {len(costs)} pairs of a second)"
    )
    print(f"load {os.getloadavg()[0]:.1f} at the end")


def row(what: str, threads: int, parallel: str, seconds: Sequence[float]) -> None:
    """A line of the table, in milliseconds."""
    ordered = sorted(1000 * value for value in seconds)
    median, p99 = (ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99))
    name = "1" if threads == 1 else f"{threads}, {parallel}"
    print(
        f"| {what} | {name} | {median:.1f} ms | {p99:.1f} ms | {ordered[-1]:.1f} ms |", flush=True
    )


def overshoots(searchers: Iterable[Searcher]) -> list[float]:
    """By how much runs of 10 to 100 ms are too long."""
    chance, late = random.Random(1), []
    for searcher in searchers:
        seconds = 0.01 + 0.09 * chance.random()
        began = time.perf_counter()
        searcher.run(seconds=seconds)
        late.append(time.perf_counter() - began - seconds)
    return late


def interrupts(searcher: Searcher, runs: int) -> list[float]:
    """How long `KeyboardInterrupt` takes to come."""
    chance, delays = random.Random(2), []
    for _ in range(runs):
        sent, ready = [0.0], threading.Event()

        def send(delay: float, sent: list[float] = sent, ready: threading.Event = ready) -> None:
            ready.wait()
            time.sleep(delay)
            sent[0] = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=send, args=(0.02 + 0.08 * chance.random(),))
        thread.start()
        try:
            ready.set()
            searcher.run(seconds=60)
        except KeyboardInterrupt:
            delays.append(time.perf_counter() - sent[0])
        thread.join()
    assert len(delays) == runs, "every Ctrl-C came"
    return delays


def report_costs(position: Position, rounds: int) -> list[float]:
    """The share of the simulations that reports at 10 Hz cost, from pairs of runs of a second."""
    costs = []
    for seed in range(rounds):
        counts = {}
        # In turn first and second, so that a slow spell hits both.
        for looked_at in (seed % 2 == 0, seed % 2 == 1):
            searcher = Searcher(position, Uct(seed=seed))
            began = time.perf_counter()
            if looked_at:
                for report in searcher.stream(interval=0.1 / MORE, seconds=1):
                    counts[looked_at] = report.playouts
            else:
                counts[looked_at] = searcher.run(seconds=1).playouts
            counts[looked_at] /= time.perf_counter() - began
        costs.append((1 - counts[True] / counts[False]) / MORE)
    return costs


if __name__ == "__main__":
    main()
