"""Ctrl-C before the command runs and after it: one line, exit code 130.

Other programs may import this: it leaves their signals alone.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
from time import sleep
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


def leave(number: int, frame: FrameType | None) -> None:
    """Ctrl-C when there is nothing to be cleaned up: `KeyboardInterrupt` may come anywhere."""
    del number, frame
    os.write(2, b"sylve: interrupted\n")
    os._exit(130)


def is_the_command() -> bool:
    """Whether this process is the command, not a program that imports it."""
    if sys.argv[:1] == ["-m"]:  # Python looks for the module: -m sylve, -msylve, -Im sylve
        return any(word == "sylve" or word.endswith("msylve") for word in sys.orig_argv[1:])
    program = os.path.basename("".join(sys.argv[:1]))  # noqa: PTH119 (pathlib is slow)
    return program in ("sylve", "sylve.exe")


def guard() -> None:
    """From now on, and until `ready`, Ctrl-C ends the command at once."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody ignores it
        signal.signal(signal.SIGINT, leave)


def ready() -> None:
    """The command is about to run: Ctrl-C is `KeyboardInterrupt`, and it cleans up."""
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def not_raised(error: UnraisableHookArgs) -> None:
    """Ctrl-C in a callback that cannot raise, such as one of an import: it comes again later."""
    if error.exc_type is KeyboardInterrupt:
        _thread.start_new_thread(come_again, ())
    else:
        sys.__unraisablehook__(error)


def come_again() -> None:
    """The callback has ended by then."""
    sleep(0.005)
    _thread.interrupt_main()


def over() -> None:
    """All is done, and the exit code stands: Python is about to give Ctrl-C back to the system."""
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if is_the_command():
    guard()
    atexit.register(over)
    sys.unraisablehook = not_raised
