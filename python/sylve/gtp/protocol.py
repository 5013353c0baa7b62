"""The frame of GTP 2: `[id] command arguments` in, `=[id] text` or `?[id] message` out."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_LINE = 1 << 20  # bytes; gogui-play_sequence sends a whole game in one


class Refusal(Exception):
    """A command that fails: its text is the answer after the question mark."""


@dataclass(frozen=True)
class Command:
    """One command; `id` is the digits before it, or nothing."""

    id: str
    name: str
    arguments: tuple[str, ...] = ()


def clean(line: bytes) -> str:
    """A line as the protocol wants it read: tabs are blanks, other control characters are not."""
    text = line.decode("utf-8", errors="replace").replace("\t", " ")
    # Also the second set of control characters, and the line ends that only Unicode knows.
    text = re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]", "", text)
    return text.partition("#")[0].strip()


def parse(line: bytes) -> Command | None:
    """The command of a line; None for an empty line or a comment.

    >>> parse(b"7 play b D4 # comment")
    Command(id='7', name='play', arguments=('b', 'D4'))
    """
    words = clean(line).split()
    if not words:
        return None
    number = ""
    if re.fullmatch("[0-9]+", words[0]):
        number = words.pop(0)
    name = words.pop(0) if words else ""
    return Command(number, name, tuple(words))


def frame(command_id: str, good: bool, text: str) -> str:
    """A whole response, with the only empty line at its end. A board begins on its own line.

    >>> frame("7", True, "D4")
    '=7 D4\\n\\n'
    """
    lines = [line.rstrip() for line in text.splitlines()]
    body = "\n".join(line for line in lines if line)
    blank = "" if not body else "\n" if text.startswith("\n") else " "
    return f"{'=' if good else '?'}{command_id}{blank}{body}\n\n"


def words_of(arguments: tuple[str, ...], low: int, high: int | None = None) -> tuple[str, ...]:
    """The arguments, if there are as many as there should be."""
    most = low if high is None else high
    if not low <= len(arguments) <= most:
        wanted = str(low) if low == most else f"{low} to {most}"
        raise Refusal(f"syntax error: {len(arguments)} arguments, expected {wanted}")
    return arguments


def number_of(text: str, kind: type[int] | type[float] = int) -> float:
    """A number among the arguments."""
    pattern = r"[+-]?[0-9]{1,18}" if kind is int else r"[+-]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)"
    if not re.fullmatch(pattern, text, re.ASCII):
        whole = "a whole number" if kind is int else "a number"
        raise Refusal(f"syntax error: expected {whole}, not {text[:40]!r}")
    return kind(text)
