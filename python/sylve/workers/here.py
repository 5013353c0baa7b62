"""A pool without processes: jobs run here, one at a time, where the terminal is."""

from __future__ import annotations

from sylve.workers.jobs import Job, Kept, answer, close_all
from sylve.workers.pool import Event, event_of


class HerePool:
    """This process as the only worker. KeyboardInterrupt in a job leaves `poll`."""

    trusted = True

    def __init__(self) -> None:
        self.kept: Kept = {}
        self.waiting: tuple[int, Job] | None = None

    @property
    def free(self) -> int:
        """One, or none while a job waits."""
        return 0 if self.waiting else 1

    def submit(self, lease: int, job: Job) -> None:
        """Keep a job for the next `poll`."""
        assert self.waiting is None
        self.waiting = (lease, job)

    def poll(self, seconds: float) -> list[Event]:
        """Run the job that waits, however long that takes."""
        del seconds
        if self.waiting is None:
            return []
        lease, job = self.waiting
        self.waiting = None
        return [event_of(lease, answer(job, self.kept))]

    def close(self, *, now: bool) -> None:
        """Close what the jobs have kept."""
        del now
        close_all(self.kept.values())
