"""The terminal: what is printed there for people, and a line that a person types."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from typing import TextIO

from sylve.position import Position
from sylve.screen import Table, is_terminal, printable, visible, width_of, wrapped


def print_text(text: str) -> None:
    """Lines on stdout as they are, such as a board."""
    write(printable(visible(text)))


def print_prose(text: str, indent: str = "", most: int | None = None, style: str = "") -> None:
    """Sentences on stdout, wrapped; `indent` begins all lines of a paragraph but the first.

    `most`: so many columns at most, in a pipe too. `style` is that of the first word.
    """
    widths = [width for width in (width_of(), most) if width is not None]
    told = wrapped(printable(visible(text)), min(widths, default=None), indent)
    first, blank, rest = told.partition(" ")
    write((paint(first, style) if style else first) + blank + rest)


def print_table(table: Table) -> None:
    """A table on stdout."""
    for line, strong in table.lines(width_of(), sys.stdout):
        write(paint(line, "bold") if strong else line)


STYLES = {"bold": 1, "red": 31, "green": 32, "yellow": 33, "cyan": 36}
"""Codes of ANSI terminals."""


def paint(text: str, style: str) -> str:
    """The text in a style where stdout shows styles, else as it is."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain or not is_terminal(sys.stdout):
        return text
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def heading(text: str) -> None:
    """A heading on stdout, with empty lines around it."""
    shown = wrapped(printable(visible(text)), width_of())
    write(f"\n{paint(shown, 'bold')}\n")


def paint_board(position: Position, *, turn: bool = True) -> None:
    """The board of a position on stdout, the players in their colours; `turn`: who moves, too."""
    *rows, last = printable(visible(str(position))).split("\n")
    for row in rows:
        pieces = re.sub(r"\bx\b", lambda _: paint("x", "cyan"), row)
        write(re.sub(r"\bo\b", lambda _: paint("o", "yellow"), pieces))
    if turn:
        write(last)


def write(text: str, stream: TextIO | None = None) -> None:
    """Write lines. All output of the commands passes here."""
    stream = stream or sys.stdout
    stream.write(f"{text}\n")
    stream.flush()


def ask(prompt: str, words: Sequence[str] = ()) -> str:
    """One line that a person types; Tab completes the words. EOFError: there will be no more.

    What is no text in the terminal's encoding counts as a strange character.
    """
    here = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    if not here:
        sys.stdout.write(prompt)
        sys.stdout.flush()
    try:
        with completion(words if here else ()), signals_heard():
            return input(prompt if here else "").strip()
    except UnicodeDecodeError:
        return "\ufffd"


@contextmanager
def signals_heard() -> Iterator[None]:
    """For the time of a question, send a signal again until its handler has run.

    One that comes just before readline waits for a key would itself wait for that key.
    """
    if current_thread() is not main_thread():  # others get no signals
        yield
        return
    heard = Event()
    handlers = {number: signal.getsignal(number) for number in LEAVING}

    def hear(number: int, frame: FrameType | None) -> None:
        handler = handlers[number]
        if not heard.is_set() and callable(handler):
            heard.set()
            handler(number, frame)

    told, teller = os.pipe()
    os.set_blocking(teller, False)

    def repeat() -> None:
        while numbers := os.read(told, 1):
            while numbers[0] in LEAVING and not heard.wait(0.1):
                signal.pthread_kill(main_thread().ident or 0, numbers[0])

    mine = [number for number, handler in handlers.items() if callable(handler)]
    before, watcher = signal.set_wakeup_fd(-1), Thread(target=repeat, daemon=True)
    try:
        try:
            for number in mine:
                signal.signal(number, hear)
            signal.set_wakeup_fd(teller, warn_on_full_buffer=False)
            watcher.start()
            yield
        finally:
            heard.set()
    finally:  # no handler interrupts this: a signal is heard once
        signal.set_wakeup_fd(before)
        os.close(teller)
        if watcher.ident:
            watcher.join()
        os.close(told)
        for number in mine:
            signal.signal(number, handlers[number])


LEAVING = [
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
]


@contextmanager
def completion(words: Sequence[str]) -> Iterator[None]:
    """For the time of a question, Tab completes these words; without readline, it does not."""
    try:
        import readline
    except ImportError:  # Windows
        words = ()
    if not words:
        yield
        return
    before, between = readline.get_completer(), readline.get_completer_delims()
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    readline.set_completer_delims(" ")
    readline.set_completer(completer(words))
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(between)


def completer(words: Sequence[str]) -> Callable[[str, int], str | None]:
    """What readline asks: the word number `index` of those that begin with what was typed."""

    def complete(typed: str, index: int) -> str | None:
        found = [word for word in words if word.lower().startswith(typed.lower())]
        return found[index] if index < len(found) else None

    return complete
