"""CPU time, the best of several rounds, the contestants in turn.

Other work on the machine only ever makes a round slower, so that the best round is the steadiest
figure; CPU time leaves out the time in which others had the core; and since every round runs all
contestants one after the other, a slow spell of the machine hits all of them. What is left is
noise of a few per cent (README.md).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """How long to measure."""

    rounds: int
    seconds: float  # of one contestant in one round
    quick: bool


QUICK = Plan(rounds=2, seconds=0.1, quick=True)
FULL = Plan(rounds=7, seconds=0.5, quick=False)


@dataclass(frozen=True)
class Work:
    """Something to measure: `run(calls)` does `calls * unit` things."""

    run: Callable[[int], object]
    unit: int = 1


@dataclass(frozen=True)
class Speed:
    """The rates of the rounds, in things per second of CPU time."""

    rates: tuple[float, ...]

    @property
    def best(self) -> float:
        """The figure to quote."""
        return max(self.rates)

    @property
    def steadiness(self) -> float:
        """The median round over the best: 1 on a quiet machine."""
        return statistics.median(self.rates) / self.best


def measure(contestants: Mapping[str, Work], plan: Plan) -> dict[str, Speed]:
    """The speed of each contestant, measured in turn, round after round."""
    calls = {name: enough_calls(work, plan.seconds) for name, work in contestants.items()}
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(plan.rounds):
        for name, work in contestants.items():
            seconds = cpu_seconds(work, calls[name])
            rates[name].append(calls[name] * work.unit / seconds)
    return {name: Speed(tuple(values)) for name, values in rates.items()}


def enough_calls(work: Work, seconds: float) -> int:
    """The number of calls that takes about `seconds`. Finding it also warms everything up."""
    calls = 1
    while (taken := cpu_seconds(work, calls)) < seconds / 4:
        calls *= 4
    return max(1, round(calls * seconds / taken))


def cpu_seconds(work: Work, calls: int) -> float:
    """The CPU time of all threads of the process: the engine works on a thread of its own."""
    start = time.process_time()
    work.run(calls)
    return max(time.process_time() - start, 1e-9)
