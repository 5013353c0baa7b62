"""Who may compute: a few threads that give every search a slice of time in turn.

So the number of threads does not depend on the number of tabs, a search that nobody wants any more
ends with its slice, and the thread that answers the browser is never far from its turn: the threads
here are nice to it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from sylve.errors import shown
from sylve.page import limits
from sylve.page.protocol import Refused

NICE = 10  # less urgent than the server


class Work(Protocol):
    """Something that is done in slices."""

    def slice(self) -> bool:
        """Do a little, about `limits.SLICE_SECONDS`; whether there is more."""

    def failed(self, error: Exception) -> None:
        """A slice has raised this; there will be no other."""


class Turns:
    """The threads, and the works that wait for one."""

    def __init__(self, threads: int | None = None) -> None:
        self.size = threads or max(2, os.cpu_count() or 1)
        self.waiting: deque[Work] = deque()
        self.known: set[Work] = set()
        """What waits or is being done."""
        self.again: set[Work] = set()
        """What was added while it was being done: it has another turn, whatever its slice says."""
        self.changed = threading.Condition()
        self.threads: list[threading.Thread] = []
        self.closed = False

    def add(self, work: Work) -> None:
        """Give the work its turns, until it has no more to do."""
        with self.changed:
            if self.closed:
                return
            if work in self.known:
                self.again.add(work)
                return
            self.known.add(work)
            self.waiting.append(work)
            if len(self.threads) < self.size:
                thread = threading.Thread(target=self._serve, name="sylve page", daemon=True)
                self.threads.append(thread)
                thread.start()
            self.changed.notify()

    def close(self) -> None:
        """No more turns."""
        with self.changed:
            self.closed = True
            self.waiting.clear()
            self.changed.notify_all()

    def _serve(self) -> None:
        with contextlib.suppress(OSError, AttributeError):
            # A thread of Linux has a niceness of its own, and threads that it starts inherit it.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while True:
            with self.changed:
                while not self.waiting and not self.closed:
                    self.changed.wait()
                if self.closed:
                    return
                work = self.waiting.popleft()
            try:
                more = work.slice()
            except Exception as error:
                more = False
                work.failed(error)
            with self.changed:
                more = more or work in self.again
                self.again.discard(work)
                if more and not self.closed:
                    self.waiting.append(work)
                    self.changed.notify()
                else:
                    self.known.discard(work)


class Memory:
    """The memory of all trees together. Each search gets a share of what is free."""

    def __init__(self, total: int) -> None:
        self.total = self.free = total
        self.lock = threading.Lock()

    def take(self, wanted: int) -> Share:
        """At most a quarter of what is free; once half is taken, little, so that many have some."""
        with self.lock:
            if self.free < limits.LEAST_MEMORY:
                raise Refused("busy", "the memory for searches is used up: close a tab")
            part = self.free // (4 if 2 * self.free > self.total else 32)
            size = min(wanted, max(limits.LEAST_MEMORY, part))
            self.free -= size
            return Share(size, self._give_back)

    def _give_back(self, size: int) -> None:
        with self.lock:
            self.free += size


class Share:
    """Memory that was taken, until it is given back."""

    def __init__(self, size: int, give_back: Callable[[int], None]) -> None:
        self.size = size
        self._give_back: Callable[[int], None] | None = give_back

    def end(self) -> None:
        """Give it back, once."""
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back(self.size)


def problem(error: Exception) -> dict[str, str]:
    """An error as a message tells it: what is wrong with the input, or that a game has failed."""
    if isinstance(error, Refused):
        return {"code": error.code, "message": str(error)}
    if isinstance(error, ValueError):
        return {"code": "input", "message": str(error)[:1000]}
    return {"code": "failed", "message": f"{type(error).__name__}: {shown(str(error))}"}
