"""Who may use a search, and when: whoever runs it, and otherwise one at a time.

Everything here may be called at any moment by a signal handler, a method of the user's game or a
`__del__`, in the middle of anything that the same thread does with the same search. It must not
wait for itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import NoReturn, TypeVar

from sylve.position import Position
from sylve.search.running.interrupts import interrupts_held
from sylve.search.running.run_state import (
    LONGEST_SECONDS,
    PATIENCE_SECONDS,
    UNDER_WAY,
    Look,
    Run,
    Seen,
)
from sylve.search.running.runner import SLICE_SECONDS, Runner

UNREPEATABLE = ("not begun", "seconds", "stop", "interrupted")
"""Ends of a run that no other run need share: a digest, which takes time, would say nothing."""
KEEP_SHARE = 50  # looks that nobody asked for take at most one part in so many of the time

T = TypeVar("T")


class Guarded:
    """A search, and what is needed to use it from anywhere."""

    def __init__(self, position: Position, runner: Runner, batch: int) -> None:
        self.position = position
        self._runner = runner
        self._batch = batch
        self._process = os.getpid()
        self._lock = threading.RLock()
        """Held to use the runner while nobody runs it, and to begin a run. A bare lock: Ctrl-C may
        come between any two steps of Python, but not within `with` and a bare lock."""
        self._busy = ""
        """What uses the runner under the lock: a signal handler or the game may call us in the
        middle of it, in the same thread, and must not use it too."""
        self._run: Run | None = None
        """The run under way. Whoever has set it uses the runner, without the lock."""
        self._latest: Seen | None = None
        """The last numbers."""
        self._stopped = "not begun"
        self._seconds = 0.0
        """Of the runs that are over."""

    def _know(self) -> Seen:
        """What is known now; where nobody may look, what was known a moment ago."""
        while True:
            run = self._under_way()
            if run is None:
                seen = self._see_idle()
            elif run.thread == threading.get_ident():
                seen = self._see_from_within(run)
            else:
                seen = self._ask(run)
            if seen is not None:
                return seen

    def _see_idle(self) -> Seen | None:
        """What is known while nobody runs it; nothing if somebody has begun to."""
        with self._lock:
            if self._busy:
                return self._latest or self._refuse("report()")
            return self._alone("report()", self._see) if self._run is None else None

    def _see_from_within(self, run: Run) -> Seen:
        """What is known, asked by the thread that runs."""
        if not self._runner.in_python:  # other threads simulate, and end the one at hand
            self._runner.pause()
            return self._see()
        if run.resting and not self._busy:
            return self._use("report()", self._see)
        return self._last_numbers() or self._refuse("report()")

    def _ask(self, run: Run) -> Seen | None:
        """What is known, asked by another thread; nothing if the run has ended."""
        look, began = Look(), perf_counter()
        run.looks.append(look)
        self._runner.pause()  # it serves us and goes on
        while not look.wait():
            if self._run is not run:
                return None
            waited = perf_counter() - began
            if waited > PATIENCE_SECONDS and (seen := self._last_numbers()) is not None:
                return seen
            if waited > LONGEST_SECONDS:
                raise RuntimeError(
                    f"the run has not answered for {LONGEST_SECONDS:g} seconds: its game may hang"
                )
        return look.seen

    def _last_numbers(self) -> Seen | None:
        """What was known a moment ago, while it runs."""
        return None if self._latest is None else self._latest._replace(stopped="running")

    def _see(self) -> Seen:
        with interrupts_held(lambda: None):  # it may call the game, as a simulation does
            found, run = self._runner.found(), self._run
            if run is None and self._batch > 1 and self._stopped not in UNREPEATABLE:
                found = replace(found, digest=self._runner.digest())
        stopped, seconds = self._stopped, self._seconds
        if run is not None:
            stopped, seconds = "running", seconds + perf_counter() - run.began
        self._latest = Seen(self.position, found, stopped, seconds)
        return self._latest

    def _under_way(self) -> Run | None:
        """The run under way, in this process."""
        if self._process != os.getpid():  # forked: we are a copy
            gone = self._run is not None and self._run.thread != threading.get_ident()
            if gone or self._busy:
                raise RuntimeError(
                    "the searcher was in use when this process was forked from the one that uses"
                    " it, whose threads are not here: make a new one, or load() a saved one"
                )
            self._lock, self._process = threading.RLock(), os.getpid()
        return self._run

    def _alone(self, what: str, use: Callable[[], T]) -> T:
        """Use the runner while nobody else does."""
        self._under_way()
        with self._lock:
            self._check_idle(what)
            return self._use(what, use)

    def _use(self, what: str, use: Callable[[], T]) -> T:
        try:
            self._busy = what
            return use()
        finally:
            self._busy = ""

    def _check_idle(self, what: str) -> None:
        if self._run is not None:
            raise RuntimeError(f"the searcher is running: stop() it, or wait, before {what}")
        if self._busy:
            self._refuse(what)

    def _refuse(self, what: str) -> NoReturn:
        raise RuntimeError(
            f"{what} was called in the middle of {self._busy or 'a run'} by the same thread,"
            " from a signal handler or from the game"
        )

    def _begin(self, run: Run) -> None:
        """Nobody else runs it from now on. A run in the background has begun before its thread."""
        self._under_way()
        with self._lock:
            if self._run is not run:
                self._check_idle("run()")
                UNDER_WAY.add(run)
                self._run = run

    def _keep(self, when: float) -> float:
        """Look now and then, for those who cannot wait for a look; when to do it next."""
        began = perf_counter()
        if began < when:
            return when
        latest = self._latest
        if latest is None or latest.found.simulations != self._runner.simulations:
            self._see()
        ended = perf_counter()
        return ended + max(SLICE_SECONDS, KEEP_SHARE * (ended - began))
