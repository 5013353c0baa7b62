"""What the commands share: options, JSON, tables, progress, failures."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from sylve.cli import completion
from sylve.engine import INSTALL, Engine, choose, problem
from sylve.position import Position
from sylve.screen import Table, is_terminal, printable, visible, width_of, wrapped

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA = 1  # of the JSON that every command prints

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help='A game such as "hex" or "hex(size=5)"; see sylve games.',
        autocompletion=completion.games,
    ),
]
PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help="Start from this position.")
]
MovesOption = Annotated[
    str, typer.Option("--moves", metavar="TEXT", help="Then play these moves, such as f5d6c3.")
]


def chosen_engine(context: typer.Context, engine: Engine) -> Engine:
    """The engine that `auto` stands for here, with a word if it is the slower one."""
    if engine == "auto" and problem() and not context.resilient_parsing:  # not to complete a word
        say(f"the compiled engine {problem()}: the one in Python answers, more slowly; {INSTALL}")
    return choose(engine)


EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help="Engine that does the work; auto is rust where it is installed.",
        callback=chosen_engine,
    ),
]


def read_position(game: str, position: str | None, moves: str) -> Position:
    """The position that the three usual options describe."""
    start = Position.start(game) if position is None else Position.parse(game, position)
    return start.play_line(moves)


def print_json(content: dict[str, Any]) -> None:
    """One JSON object on stdout, in ASCII."""
    text = json.dumps({"schema": SCHEMA, **content})
    write(text.replace("\x7f", "\\u007f"))  # the one control character that JSON leaves as it is


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


def say(text: str, command: str = "") -> None:
    """A message on stderr; `command` follows in a line of its own, to be copied."""
    width = width_of(sys.stderr) if is_terminal(sys.stderr) else None
    write(wrapped(safe(f"sylve: {text}"), width), sys.stderr)
    if command:
        write(f"  {safe(command)}", sys.stderr)


def prompt(text: str) -> None:
    """A part of a line on stderr, such as a question or what is typed for an answer."""
    sys.stderr.write(text)
    sys.stderr.flush()


def safe(text: str) -> str:
    """Text that stderr can write and that changes nothing but the line."""
    return printable(visible(text), sys.stderr)


def console() -> Console:
    """The console of Rich for what moves on stderr: names in it are no markup and no emoji."""
    from rich.console import Console

    return Console(stderr=True, markup=False, emoji=False, highlight=False)


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong on stderr and leave."""
    say(message)
    raise SystemExit(code)
