"""Ctrl-C while Python code simulates: not in the middle of an update."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_held(pause: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C calls `pause`, and `KeyboardInterrupt` comes at the end of the block.

    An exception in the middle of an update would leave some nodes with the result and some without.
    A second Ctrl-C comes at once: a user's game may hang. Handlers that are not Python's own, and
    other threads, which get no signals, are left alone.
    """
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    caught = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal caught
        if caught:
            signal.default_int_handler(number, frame)
        caught = True
        pause()

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if caught:
        raise KeyboardInterrupt
