"""The handle of a run in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sylve.search.report import Report


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
    """

    def __init__(self, searcher: Stoppable, work: Callable[[], None]) -> None:
        self._searcher = searcher
        self._error: BaseException | None = None
        self._done = threading.Event()
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
            self._done.set()

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self._done.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; whether it is over."""
        if not self._done.wait(seconds):
            return False
        self._thread.join()
        return True

    def result(self) -> Report:
        """Wait for the end, and report. If the run failed, its error is raised."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._searcher.report()

    def stop(self) -> None:
        """End it now, and wait until it has ended."""
        if not self.done:
            self._searcher.stop()
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
