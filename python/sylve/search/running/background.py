"""The handle of a run in the background."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from math import inf
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from sylve.search.running.run_state import LOOK_SECONDS

if TYPE_CHECKING:
    from sylve.search.reports.report import Report


class Stoppable(Protocol):
    """What is run."""

    def stop(self) -> None:
        """End the run under way."""

    def report(self) -> Report:
        """What is known now."""


class Background:
    """A run in a thread of its own. Leaving a `with` block stops it:

    with searcher.ponder():
        wait_for_the_opponent()

    >>> from sylve import Position, Searcher, Uct
    >>> with Searcher(Position.start("othello"), Uct(seed=1)).start(2000) as handle:
    ...     report = handle.result()
    >>> report.playouts
    2000
    """

    def __init__(self, searcher: Stoppable, work: Callable[[], None]) -> None:
        self._searcher = searcher
        self._process = os.getpid()
        self._error: BaseException | None = None
        self._over = False
        self._open = threading.Lock()
        """Held until it is over. Neither an event nor `join`: a signal handler may interrupt who
        waits, and wait itself; and Ctrl-C during `join` makes Python 3.11 forget the thread."""
        self._open.acquire()
        self._thread = threading.Thread(
            target=self._run, args=(work,), name="sylve search", daemon=True
        )
        self._thread.start()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # told to whoever asks for the result
            self._error = error
        finally:
            self._over = True
            self._open.release()

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self._over or self._process != os.getpid()  # threads are not forked

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; whether it is over."""
        if self._thread is threading.current_thread():
            raise RuntimeError("the run cannot wait for its own end: it was asked to by its game")
        until = inf if seconds is None else perf_counter() + seconds
        while not self.done and (left := until - perf_counter()) > 0.0:
            # Not longer: a signal that comes just before we wait is seen only afterwards.
            if self._open.acquire(timeout=min(left, LOOK_SECONDS)):
                self._open.release()
        return self.done

    def result(self) -> Report:
        """Wait for the end, and report. If the run failed, its error is raised."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._searcher.report()

    def stop(self) -> None:
        """End it now, and wait until it has ended (not from within: its game may call it)."""
        if not self.done:
            self._searcher.stop()
        if self._thread is not threading.current_thread():
            self.wait()

    def __enter__(self) -> Background:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
