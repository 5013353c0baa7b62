"""Text for people: safe to print, wrapped, in tables that never cut a name or a number.

The width is `COLUMNS` if that is set, else the terminal's; a pipe or a file has none, and there
nothing is folded or left out. What a stream cannot write is replaced, `±` by `+-`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

NARROWEST = 20  # columns; whoever says less gets this
USUAL = 80  # columns of a caption where nobody knows better
GAP = "  "  # between two columns
PROSE = 20  # columns that a cell of prose gets at least
ALWAYS_UNSAFE = (
    "\x00-\x09\x0b-\x1f\x7f-\x9f"  # control characters, the line feed excepted
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # what turns the direction of writing round
    "\ud800-\udfff\ufeff"  # halves of characters, which no encoding can write
)
UNSAFE = re.compile(f"[{ALWAYS_UNSAFE}]")
UNSAFE_IN_A_LINE = re.compile(f"[\n{ALWAYS_UNSAFE}]")
IN_ASCII: dict[str, str | int | None] = {
    "±": "+-", "…": "...", "─": "-", "│": "|", "├": "|", "└": "`",
    **dict(zip("▁▂▃▄▅▆▇█", "._-~=+*#", strict=True)),
}  # fmt: skip


def visible(text: str) -> str:
    r"""The text with control characters shown, not sent: they could move the cursor and lie.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return UNSAFE.sub(show_character, text)


def one_line(text: str) -> str:
    """`visible`, and line feeds too: for names."""
    return UNSAFE_IN_A_LINE.sub(show_character, text)


def show_character(found: re.Match[str]) -> str:
    r"""A character as Python writes it: `\x1b`."""
    return found[0].encode("unicode_escape").decode("ascii")


def printable(text: str, stream: TextIO | None = None) -> str:
    """The text in characters that the stream (stdout) can write."""
    stream = stream or sys.stdout
    stream = getattr(stream, "rich_proxied_file", stream)  # while a bar of Rich is shown
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        simple = text.translate(str.maketrans(IN_ASCII))
        return simple.encode(encoding, "backslashreplace").decode(encoding)
    return text


def is_terminal(stream: TextIO) -> bool:
    """Whether somebody looks at it."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # no stream at all, or a closed one
        return False


def width_of(stream: TextIO | None = None) -> int | None:
    """How many columns the stream (stdout) has; None: no limit."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return max(NARROWEST, int(said))
    stream = stream or sys.stdout
    if not is_terminal(stream):
        return None
    try:
        return max(NARROWEST, os.get_terminal_size(stream.fileno()).columns or USUAL)
    except (OSError, ValueError):
        return USUAL


def plural(count: int, noun: str, several: str | None = None) -> str:
    """A number with its noun.

    >>> plural(1, "game"), plural(2000, "game"), plural(2, "ply", "plies")
    ('1 game', '2,000 games', '2 plies')
    """
    return f"{count:,} {noun if count == 1 else several or noun + 's'}"


def cells(text: str) -> int:
    """The columns that a line takes: some characters take two, some none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(text: str, width: int | None, indent: str = "") -> str:
    """The text in lines of at most `width` columns; `indent` begins all lines but the first.

    Words stay whole, also one that is longer than a line; lines keep what they begin with.
    """
    if width is None:
        return text
    lines = []
    for paragraph in text.split("\n"):
        if cells(paragraph) <= width:
            lines.append(paragraph)
            continue
        begin = paragraph[: len(paragraph) - len(paragraph.lstrip(" "))]
        line, empty = begin, True
        for word in paragraph.strip(" ").split(" "):
            if not empty and cells(line) + 1 + cells(word) > width:
                lines.append(line)
                line, empty = begin + indent, True
            line, empty = line + ("" if empty else " ") + word, False
        lines.append(line)
    return "\n".join(lines)


Align = Literal["left", "right", "prose"]


@dataclass(frozen=True)
class Table:
    """Headings and rows. The first columns matter most; `keys` of them say what a row is about.

    Where not all columns fit, those on the right are left out, with a line that names them, or
    follow below with the keys again (`folds`).
    """

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""
    caption: str = ""
    keys: int = 1
    folds: bool = True
    align: Sequence[Align] = ()
    """By default the keys are left and the others right. `prose` is for the last: it is wrapped."""
    strong: int | None = None
    """A row that stands out on a terminal."""

    @property
    def sides(self) -> list[Align]:
        """How each column is aligned."""
        return list(self.align) or [
            "left" if number < self.keys else "right" for number in range(len(self.head))
        ]

    def lines(self, width: int | None, stream: TextIO | None = None) -> Iterator[tuple[str, bool]]:
        """Line after line, and whether it stands out."""
        body = list(Layout(self, width, stream).lines())
        room = width or max(USUAL, *(cells(line) for line, _ in body))
        if self.title:
            yield wrapped(printable(one_line(self.title), stream), room), False
        yield from body
        if self.caption:
            yield wrapped(printable(one_line(self.caption), stream), room), False

    def text(self, width: int | None, stream: TextIO | None = None) -> str:
        """The whole table, without colours."""
        return "\n".join(line for line, _ in self.lines(width, stream))

    def __str__(self) -> str:
        return self.text(width_of())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        for line, strong in self.lines(options.max_width, console.file):  # type: ignore[arg-type]
            yield Text(line, "bold" if strong else "", no_wrap=True, overflow="ignore")


class Layout:
    """A table in a number of columns."""

    def __init__(self, table: Table, width: int | None, stream: TextIO | None) -> None:
        self.table = table
        self.width = width
        self.stream = stream
        self.head = [printable(one_line(text), stream) for text in table.head]
        self.rows = [[self.cell(value) for value in row] for row in table.rows]
        count = len(self.head)
        self.align = table.sides
        inside = [max((cells(row[i]) for row in self.rows), default=0) for i in range(count)]
        self.wide = [max(inside[i], cells(self.head[i])) for i in range(count)]
        """The columns with their headings in one line, and with headings in several lines:"""
        self.narrow = [
            max(inside[i], *map(cells, self.head[i].split() or [""])) for i in range(count)
        ]

    def cell(self, value: object) -> str:
        """The text of a cell."""
        text = f"{value:,}" if type(value) is int else str(value)
        return printable(one_line(text), self.stream)

    def lines(self) -> Iterator[tuple[str, bool]]:
        """The tables that it takes, one below the other."""
        every = list(range(len(self.head)))
        if self.fits(self.wide, every):
            yield from self.block(every, self.wide)
            return
        if every and self.align[-1] == "prose":
            rest = self.total(self.narrow, every[:-1]) + len(GAP)
            assert self.width is not None
            self.narrow[-1] = min(self.narrow[-1], max(PROSE, self.width - rest))
        if self.fits(self.narrow, every):
            yield from self.block(every, self.narrow)
            return
        yield from self.several(every[: self.table.keys], every[self.table.keys :])

    def several(self, keys: list[int], others: list[int]) -> Iterator[tuple[str, bool]]:
        """As many columns as fit, then the next ones, or their names."""
        if not others:
            yield from self.block(keys, self.narrow)
        begin, above = keys, list[int]()
        if any(not self.fits(self.narrow, [*keys, column]) for column in others):
            begin, above = above, begin  # the keys get lines of their own
        indent = len(GAP) if above else 0
        first = True
        while others:
            shown = [*begin, others.pop(0)]
            while others and self.fits(self.narrow, [*shown, others[0]], indent):
                shown.append(others.pop(0))
            if not first:
                yield "", False
            first = False
            yield from self.block(shown, self.narrow, above)
            if others and not self.table.folds:
                names = ", ".join(self.head[column] for column in others)
                yield wrapped(f"(no room for: {names})", self.width), False
                return

    def fits(self, widths: list[int], columns: list[int], indent: int = 0) -> bool:
        """Whether the columns fit beside each other."""
        return self.width is None or indent + self.total(widths, columns) <= self.width

    def total(self, widths: list[int], columns: list[int]) -> int:
        """What the columns take, with the gaps."""
        return sum(widths[i] for i in columns) + len(GAP) * (len(columns) - 1)

    def block(
        self, columns: list[int], widths: list[int], above: Sequence[int] = ()
    ) -> Iterator[tuple[str, bool]]:
        """A table of some of the columns; `above`: columns that stand in a line before each row."""
        indent = GAP if above else ""
        if above:
            yield wrapped(GAP.join(self.head[i] for i in above).strip(), self.width), True
        heads = [self.in_lines(self.head[i], widths[i]) for i in columns]
        for line in self.beside(heads, columns, widths, bottom=True):
            yield indent + line, True
        yield indent + printable("─" * self.total(widths, columns), self.stream), False
        for number, row in enumerate(self.rows):
            strong = number == self.table.strong
            if above:
                label = GAP.join(row[i] for i in above)
                yield wrapped(label, self.width), strong
            parts = [self.in_lines(row[i], widths[i]) for i in columns]
            for line in self.beside(parts, columns, widths, bottom=False):
                yield indent + line, strong

    def in_lines(self, text: str, width: int) -> list[str]:
        """A heading or prose that is too wide, in several lines."""
        return [text] if cells(text) <= width else wrapped(text, width).split("\n")

    def beside(
        self, parts: list[list[str]], columns: list[int], widths: list[int], *, bottom: bool
    ) -> Iterable[str]:
        """Cells of several lines beside each other."""
        height = max(map(len, parts), default=0)
        for number in range(height):
            line = []
            for column, texts in zip(columns, parts, strict=True):
                at = number - (height - len(texts) if bottom else 0)
                text = texts[at] if 0 <= at < len(texts) else ""
                room = " " * max(0, widths[column] - cells(text))
                line.append(room + text if self.align[column] == "right" else text + room)
            yield GAP.join(line).rstrip()


def tree_lines(label: str, children: Sequence[list[str]]) -> list[str]:
    """A drawing of a tree from the drawings of its branches."""
    lines = [label]
    for number, child in enumerate(children, 1):
        last = number == len(children)
        lines.append(("└── " if last else "├── ") + child[0])
        lines += [("    " if last else "│   ") + line for line in child[1:]]
    return lines
