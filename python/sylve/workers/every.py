"""A list of jobs, each run to its end by some worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sylve.workers.jobs import Job
from sylve.workers.pool import Kind, Pool

TRIES = 3  # of a job whose worker dies
TURN = 0.2  # seconds between two looks at the workers


class JobFails(Exception):
    """A job raised an error, or its workers died."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


def run_every(
    pool: Pool,
    jobs: Sequence[Callable[[], Job]],
    finished: Callable[[int, Any], object],
    *,
    at_once: int | None = None,
) -> None:
    """Run jobs, which are made when their turn comes; `finished` gets each number and its answer.

    At most `at_once` of them run at the same time.
    """
    waiting = list(reversed(range(len(jobs))))
    running: set[int] = set()
    tries = dict.fromkeys(waiting, 0)
    most = len(jobs) if at_once is None else at_once
    while waiting or running:
        while waiting and pool.free > 0 and len(running) < most:
            number = waiting.pop()
            running.add(number)
            tries[number] += 1
            pool.submit(number, jobs[number]())
        for event in pool.poll(TURN):
            running.discard(event.lease)
            if event.kind is Kind.DONE:
                finished(event.lease, event.answer)
            elif event.kind is Kind.LOST and tries[event.lease] < TRIES:
                waiting.append(event.lease)
            else:
                raise JobFails(event.lease, event.detail)
