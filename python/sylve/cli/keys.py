"""One key at a time, from a terminal."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable

from sylve.screen import is_terminal

BACK, ENTER, ESCAPE, LEFT, RIGHT, END = "backspace", "enter", "escape", "left", "right", "end"
NAMES = {b"\x7f": BACK, b"\x08": BACK, b"\r": ENTER, b"\n": ENTER, b"": END, b"\x04": END}
ARROWS = {b"C": RIGHT, b"D": LEFT}
PATIENCE = 0.1  # seconds until the rest of an arrow key; Escape alone has none
LONGEST = 15  # digits of a number


def read_keys(act: Callable[[], None]) -> None:
    """Call `act`, which may ask for keys; afterwards, whatever happens, stdin is as it was."""
    if not is_terminal(sys.stdin):
        raise ValueError("--step reads keys, and stdin is not a terminal: use --simulation 1..3")
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)  # Ctrl-C stays what it is
        act()
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def read_key() -> str:
    """The next key: a character, or one of the names above; empty for any other key."""
    terminal = sys.stdin.fileno()
    byte = os.read(terminal, 1)
    if byte == b"\x1b":
        return read_arrow(terminal)
    return NAMES.get(byte) or (byte.decode("ascii") if byte.isascii() else "")


def read_arrow(terminal: int) -> str:
    """What follows the escape character: `[C`, `OC`, with numbers in between, or nothing."""
    read = b""
    while select.select([terminal], [], [], PATIENCE)[0]:
        byte = os.read(terminal, 1)
        if not byte or (read and byte.isalpha()) or byte == b"~":
            return ARROWS.get(byte, "")
        if byte not in b"[O" and not read:
            return ""
        read += byte
    return "" if read else ESCAPE


def read_number(typed: str, show: Callable[[str], None]) -> int | None:
    """A number that ends with Enter; `typed` is its beginning. None: something else was typed.

    `show` gets what is to be seen: digits as they come, and what takes one back.
    """
    show(typed)
    while (key := read_key()) != ENTER:
        if key == BACK and typed:
            typed = typed[:-1]
            show("\b \b")
        elif key.isdecimal() and len(typed) < LONGEST:
            typed += key
            show(key)
        elif key == END or not key.isdecimal():
            return None
    return int(typed) if typed else None
