"""Workers of a Dask cluster: one that is given by its address, or a local one on loopback.

Jobs and answers are plain JSON. What comes back is not trusted: a run replays each game by its own
rules before it is kept.
"""

from __future__ import annotations

import queue
from time import monotonic
from typing import Any

from sylve.optional import require
from sylve.workers.jobs import Job, run_chunk
from sylve.workers.pool import Event, Kind, WorkersFail, event_of

CHUNK_SECONDS = 1.0  # work for a task; Dask needs some milliseconds for each
LARGEST_CHUNK = 256
PATIENCE = 60.0  # seconds without any worker after which we give up
CONNECT = 20.0  # seconds for the scheduler to answer
HOME = "127.0.0.1"


class DaskPool:
    """Jobs in chunks of about a second of work, two chunks for each worker under way."""

    trusted = False

    def __init__(self, address: str | None, workers: int) -> None:
        distributed = require("distributed", "the executor dask")
        self.cluster: Any = None
        if address is None:
            # Nothing listens beyond this machine; without an address, Dask would on a fixed port.
            self.cluster = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, host=HOME, dashboard_address=f"{HOME}:0",
                worker_dashboard_address=None, protocol="tcp://",
            )  # fmt: skip
            address = self.cluster.scheduler_address
        try:
            self.client: Any = distributed.Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            self._close_cluster()
            raise WorkersFail(f"no Dask scheduler at {address}: {error}") from None
        self.waiting: list[tuple[int, Job]] = []
        self.futures: dict[Any, tuple[list[int], float]] = {}
        self.size = 1
        """Jobs in a chunk."""
        self.ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        """Futures that are done, from Dask's own thread."""
        self.alone_since: float | None = None

    def _workers(self) -> int:
        return len(self.client.scheduler_info(n_workers=-1)["workers"])

    @property
    def free(self) -> int:
        """How many more jobs can be taken now."""
        chunks = 2 * max(1, self._workers()) - len(self.futures)
        return max(0, chunks * self.size - len(self.waiting))

    def submit(self, lease: int, job: Job) -> None:
        """Take a job; it goes out with the next chunk."""
        self.waiting.append((lease, job))

    def _send(self) -> None:
        while self.waiting:
            chunk, self.waiting = self.waiting[: self.size], self.waiting[self.size :]
            # pure=False: a job that is given out again is run again.
            future = self.client.submit(run_chunk, [job for _, job in chunk], pure=False)
            self.futures[future] = ([lease for lease, _ in chunk], monotonic())
            future.add_done_callback(self.ended.put)

    def poll(self, seconds: float) -> list[Event]:
        """What has ended; waits so long if nothing has."""
        self._send()
        self._give_up_alone()
        events: list[Event] = []
        try:
            done = self.ended.get(timeout=max(seconds, 0.01))
            while True:
                leases, began = self.futures.pop(done)
                events += self._collect(done, leases, monotonic() - began)
                done = self.ended.get_nowait()
        except queue.Empty:
            return events

    def _collect(self, future: Any, leases: list[int], spent: float) -> list[Event]:
        if future.status != "finished":
            detail = "the cluster lost the job"
            if future.status == "error":
                detail = f"the cluster failed: {type(future.exception()).__name__}"
            return [Event(lease, Kind.LOST, detail=detail) for lease in leases]
        answers = future.result()
        if not isinstance(answers, list) or len(answers) != len(leases):
            answers = [None] * len(leases)
        elif spent < CHUNK_SECONDS and len(leases) == self.size:
            self.size = min(LARGEST_CHUNK, 2 * self.size)
        elif spent > 4 * CHUNK_SECONDS:
            self.size = max(1, self.size // 2)
        return [event_of(lease, answer) for lease, answer in zip(leases, answers, strict=True)]

    def _give_up_alone(self) -> None:
        if self._workers():
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = monotonic()
        elif monotonic() - self.alone_since > PATIENCE:
            raise WorkersFail(f"the cluster has had no worker for {PATIENCE:g} seconds")

    def close(self, *, now: bool) -> None:
        """Cancel what is under way and leave; a cluster that we started ends with us."""
        if now:
            self.client.cancel(list(self.futures), force=True)
        self.client.close()
        self._close_cluster()

    def _close_cluster(self) -> None:
        if self.cluster is not None:
            self.cluster.close()
