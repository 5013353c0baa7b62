"""What the commands share: options, JSON, tables, progress, failures."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from sylve.position import Position

if TYPE_CHECKING:
    from rich.table import Table

SCHEMA = 1  # of the JSON that every command prints

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help='A game such as "hex" or "hex(size=5)"; see sylve games.'),
]
PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help="Start from this position.")
]
MovesOption = Annotated[
    str, typer.Option("--moves", metavar="TEXT", help="Then play these moves, such as f5d6c3.")
]

T = TypeVar("T")


def read_position(game: str, position: str | None, moves: str) -> Position:
    """The position that the three usual options describe."""
    start = Position.start(game) if position is None else Position.parse(game, position)
    return start.play_line(moves)


def print_json(content: dict[str, Any]) -> None:
    """One JSON object on stdout."""
    typer.echo(json.dumps({"schema": SCHEMA, **content}))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout. Columns after the first are numbers, aligned right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row))
    print_rich(table)


def print_rich(table: Table) -> None:
    """A table of Rich on stdout."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # a file has no edge to wrap at
    console.print(table)


def progress(items: Sequence[T], label: str) -> Iterator[T]:
    """Go through items with a progress bar on stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=label, console=Console(stderr=True), transient=True)


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong on stderr and leave."""
    print(f"sylve: {message}", file=sys.stderr)  # noqa: T201
    raise SystemExit(code)
