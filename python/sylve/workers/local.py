"""Worker processes on this machine."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from sylve.workers.jobs import Job
from sylve.workers.pool import Event, Kind, WorkersFail, event_of

LEASE = 30.0  # seconds without a sign of life after which a worker is taken for dead
TRIES = 10  # workers in a row that may die before they say a word
# Seconds for a worker to close what it keeps, all at once: for an engine the sum of what
# gtp/player.py and gtp/process.py give it. Those of a worker that is killed are ended by guards.
GOODBYE = 12.0


class Worker:
    """One process. Its signs of life are timed by the monotonic clock: no clock jump ends it."""

    def __init__(self) -> None:
        package = str(Path(__file__).parents[2])
        path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        # A session of its own: Ctrl-C in the terminal reaches the master only.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sylve.workers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.buffer = b""
        self.ready = False
        self.lease: int | None = None
        self.heard = monotonic()

    def send(self, content: dict[str, Any]) -> None:
        """One message; a dead worker shows itself when it is read."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError, ValueError):
            self.process.stdin.write(json.dumps(content).encode() + b"\n")
            self.process.stdin.flush()

    def receive(self) -> list[dict[str, Any]] | None:
        """The messages that have come; None if there will be no more."""
        assert self.process.stdout is not None
        lines: list[bytes] = []
        while True:
            try:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
            except BlockingIOError:
                break
            if not data:
                return None if not lines else [json.loads(line) for line in lines]
            self.heard = monotonic()
            *whole, self.buffer = (self.buffer + data).split(b"\n")
            lines += whole
        return [json.loads(line) for line in lines]

    def hang_up(self) -> None:
        """No more messages: it closes what it keeps and goes, also in the middle of a job."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def kill(self) -> None:
        """End it for certain and wait until it is gone."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


class LocalPool:
    """So many processes; one that dies is replaced, and its job is reported lost."""

    trusted = True

    def __init__(self, workers: int, lease: float = LEASE) -> None:
        if not 1 <= workers <= 1024:
            raise ValueError(f"workers must be from 1 to 1024, not {workers}")
        self.wanted = workers
        self.lease = lease
        self.workers: list[Worker] = []
        self.selector = selectors.DefaultSelector()
        self.stillborn = 0

    @property
    def free(self) -> int:
        """How many more jobs can be taken now."""
        return self.wanted - sum(worker.lease is not None for worker in self.workers)

    @property
    def pids(self) -> list[int]:
        """The process of each worker."""
        return [worker.process.pid for worker in self.workers]

    def submit(self, lease: int, job: Job) -> None:
        """Give a job to an idle worker; start one if there is none."""
        idle = [worker for worker in self.workers if worker.lease is None]
        worker = idle[0] if idle else self._start()
        worker.lease = lease
        worker.send({"lease": lease, "job": job})

    def _start(self) -> Worker:
        worker = Worker()
        assert worker.process.stdout is not None
        self.workers.append(worker)
        self.selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        return worker

    def poll(self, seconds: float) -> list[Event]:
        """What has ended; waits so long if nothing has."""
        events: list[Event] = []
        for key, _ in self.selector.select(seconds if self.workers else 0):
            worker: Worker = key.data
            messages = worker.receive()
            if messages is None:
                events += self._lost(worker, "the worker died")
                continue
            for message in messages:
                events += self._heard(worker, message)
        for worker in list(self.workers):
            if worker.lease is not None and monotonic() - worker.heard > self.lease:
                reason = f"the worker gave no sign of life for {self.lease:g} seconds"
                events += self._lost(worker, reason)
        return events

    def _heard(self, worker: Worker, message: dict[str, Any]) -> list[Event]:
        if "ready" in message:
            worker.ready, self.stillborn = True, 0
        if "lease" not in message or message["lease"] != worker.lease:
            return []
        lease, worker.lease = message["lease"], None
        return [event_of(lease, message)]

    def _lost(self, worker: Worker, reason: str) -> list[Event]:
        assert worker.process.stdout is not None
        self.selector.unregister(worker.process.stdout)
        self.workers.remove(worker)
        worker.kill()
        self.stillborn += not worker.ready
        if self.stillborn >= TRIES:
            raise WorkersFail(f"{TRIES} workers in a row died at their start")
        return [] if worker.lease is None else [Event(worker.lease, Kind.LOST, detail=reason)]

    def close(self, *, now: bool) -> None:
        """End all workers; `now`: in the middle of their jobs."""
        for worker in self.workers:
            if not now:
                worker.send({"stop": True})
            worker.hang_up()
        deadline = monotonic() + GOODBYE
        for worker in self.workers:
            with suppress(subprocess.TimeoutExpired):
                worker.process.wait(max(0.0, deadline - monotonic()))
        for worker in self.workers:
            worker.kill()
        self.workers.clear()
        self.selector.close()
