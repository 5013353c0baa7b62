"""A pool of workers, as those who have work for them see it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol

from sylve.workers.jobs import Job


class Kind(Enum):
    """How a job has ended."""

    DONE = auto()
    """There is an answer."""
    FAILED = auto()
    """Its function raised an error, and would raise it again."""
    UNABLE = auto()
    """Its worker can do no such job, now or later: there is no point in going on."""
    LOST = auto()
    """Its worker is gone: another one may do it."""


@dataclass(frozen=True)
class Event:
    """A job has ended."""

    lease: int
    """The number that it was submitted with."""
    kind: Kind
    answer: Any = None
    """What its function returned."""
    detail: str = ""
    """Why there is no answer."""


def event_of(lease: int, message: object) -> Event:
    """What a worker says of a job, as `jobs.answer` gives it; a cluster may send anything."""
    match message:
        case {"answer": dict(found)}:
            return Event(lease, Kind.DONE, found)
        case {"unable": str(detail)}:
            return Event(lease, Kind.UNABLE, detail=detail)
        case {"error": str(detail)}:
            return Event(lease, Kind.FAILED, detail=detail)
    return Event(lease, Kind.LOST, detail="the worker sent nonsense")


class WorkersFail(Exception):
    """No worker can be started, or one cannot do what it is asked to."""


class Pool(Protocol):
    """Workers somewhere. Only plain JSON goes to them and comes back."""

    trusted: bool
    """Whether answers come from our own processes; others are checked before they are kept."""

    @property
    def free(self) -> int:
        """How many more jobs can be taken now."""

    def submit(self, lease: int, job: Job) -> None:
        """Give out a job, made by `jobs.call`."""

    def poll(self, seconds: float) -> list[Event]:
        """What has ended; waits so long if nothing has."""

    def close(self, *, now: bool) -> None:
        """End all workers; `now`: in the middle of their jobs."""
