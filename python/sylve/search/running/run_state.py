"""A run under way: who runs it, who waits for a look at it, and what becomes of it at exit."""

from __future__ import annotations

import atexit
import sys
import threading
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sylve.position import Position
    from sylve.search.reports.report import Found

LOOK_SECONDS = 0.05  # how often whoever waits for a look makes sure that the run is not over
PATIENCE_SECONDS = 2.0  # then the last numbers will do: the game may hang
LONGEST_SECONDS = 60.0  # then there is nothing to be had
GRACE_SECONDS = 1.0  # for runs to end when the interpreter does


class Seen(NamedTuple):
    """What was known at one moment."""

    position: Position
    found: Found
    stopped: str
    seconds: float


class Look:
    """Somebody waits for what is known.

    A bare lock, because a signal handler may interrupt the one who waits, and wait itself.
    """

    def __init__(self) -> None:
        self.seen: Seen | None = None
        self._pending = threading.Lock()
        self._pending.acquire()

    def serve(self, seen: Seen | None) -> None:
        """Here it is; or nothing, if the run is over."""
        self.seen = seen
        self._pending.release()

    def wait(self) -> bool:
        """Wait for a moment; whether it was served."""
        return self._pending.acquire(timeout=LOOK_SECONDS)


class Run:
    """One run of a searcher: from `run()`, in the thread that called it, or in the background."""

    def __init__(self, thread: int) -> None:
        self.thread = thread
        """The thread that runs it; 0 until that has begun."""
        self.began = perf_counter()
        self.reason = "interrupted"
        """Why it ended."""
        self.told_to_stop = False
        self.resting = False
        """Whether the thread that runs it has called somebody between two simulations."""
        self.looks: list[Look] = []

    def serve(self, seen: Seen | None) -> None:
        """Answer all who wait."""
        while self.looks:
            self.looks.pop().serve(seen)


UNDER_WAY: set[Run] = set()


def leave() -> None:
    """End all runs before the interpreter ends.

    Python ends threads that come back to it later than that, in the middle of the engine, and the
    whole process is aborted. A game that hangs gets an exception; one that hangs in C code is left
    behind, where it does no harm unless it comes back this very moment.
    """
    for run in list(UNDER_WAY):
        run.told_to_stop = True
    core = sys.modules.get("sylve._core")
    if core is None or core.leave(GRACE_SECONDS):
        return
    import ctypes

    for run in list(UNDER_WAY):
        if run.thread not in (0, threading.get_ident()):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(run.thread), ctypes.py_object(SystemExit)
            )
    core.leave(GRACE_SECONDS)


atexit.register(leave)
