"""The command `sylve` before it is imported: Ctrl-C ends it in a line, not with a traceback.

A package of its own: to import a module of `sylve` is to import the whole package first, and that
takes most of the time in which a command only begins. `python -m sylve` comes here from the first
lines of `sylve`.
"""

from __future__ import annotations

from sylve_command.interrupts import guard, ready


def main() -> None:
    """The command."""
    from sylve.cli import main as run

    try:
        run(ready)
    finally:
        guard()  # all is done but to leave
