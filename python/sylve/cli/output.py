"""What the commands share: options, JSON, tables, progress, failures."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from sylve.cli import completion
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


def print_prose(text: str, indent: str = "") -> None:
    """Sentences on stdout, wrapped; `indent` begins all lines of a paragraph but the first."""
    write(wrapped(printable(visible(text)), width_of(), indent))


def print_table(table: Table) -> None:
    """A table on stdout."""
    bold = is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
    bold = bold and os.environ.get("TERM") != "dumb"
    for line, strong in table.lines(width_of(), sys.stdout):
        write(f"\x1b[1m{line}\x1b[0m" if strong and bold else line)


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
