"""Who plays the games of a run: the interface between the runner and its workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Event:
    """A job has ended: with a record, or with the reason why there is none."""

    lease: int
    record: dict[str, Any] | None
    reason: str = ""


class WorkersFail(Exception):
    """No worker can be started."""


class Executor(Protocol):
    """Workers somewhere. Only plain JSON goes to them and comes back."""

    trusted: bool
    """Whether records come from our own processes; others are replayed before they are kept."""

    @property
    def free(self) -> int:
        """How many more jobs can be taken now."""

    def submit(self, lease: int, job: dict[str, Any]) -> None:
        """Give out a job."""

    def poll(self, seconds: float) -> list[Event]:
        """What has ended; waits so long if nothing has."""

    def close(self, *, now: bool) -> None:
        """End all workers; `now`: in the middle of their games."""
