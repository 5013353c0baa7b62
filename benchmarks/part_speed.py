"""Rules and schedules by `sylve.compiled`: the time of a simulation beside those of the engine."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from math import sqrt
from time import process_time
from typing import Any

import sylve
from sylve import Position, Rave, Search, Searcher, Uct
from sylve.rules import Index, ln_of
from sylve.schedules import Schedule, slides

SIMULATIONS, ROUNDS = 30_000, 8


@sylve.compiled
class Ucb1(Index):
    """`ucb1`, written by a user."""

    c: float = 0.4

    def exploration(self, total: int, own: Any) -> float:
        """c sqrt(ln N / n)."""
        return self.c * sqrt(ln_of(total) / own.visits)


@sylve.compiled
class Slides(Schedule):
    """`slides`, written by a user."""

    b: float = 1e-5

    def beta(self, total: int, own: Any, amaf: Any) -> float:  # noqa: ARG002
        """n~ / (n + n~ + b n n~)."""
        n, m = own.visits, amaf.visits
        return float(m / (n + m + self.b * n * m))


PAIRS: tuple[tuple[str, Search, Search], ...] = (
    ("UCT, UCB1", Uct(rule=Ucb1()), Uct()),
    ("RAVE, slides", Rave(schedule=Slides()), Rave(schedule=slides())),
)


def part_report() -> str:
    """The table."""
    lines = ["| game | search | own, ns | ours, ns | times |", "| --- | --- | --: | --: | --: |"]
    games = {
        "Breakthrough of the package": Position.start("breakthrough"),
        "Breakthrough, compiled": Position.start(import_module("breakthrough").Breakthrough()),
    }
    for game, start in games.items():
        for name, own, ours in PAIRS:
            taken = [nanoseconds(start, own, ours, round_) for round_ in range(ROUNDS)]
            best = [min(each) for each in zip(*taken, strict=True)]
            times = f"{best[0] / best[1]:.2f}"
            lines.append(f"| {game} | {name} | {best[0]:.0f} | {best[1]:.0f} | {times} |")
    return "\n".join(lines)


def nanoseconds(start: Position, own: Search, ours: Search, seed: int) -> list[float]:
    """Processor time a simulation of both, in turn, so that both meet the same noise."""
    found = []
    for how in (own, ours):
        searcher = Searcher(start, replace(how, playouts=SIMULATIONS, seed=seed))
        before = process_time()
        searcher.run()
        found.append((process_time() - before) * 1e9 / SIMULATIONS)
    return found
