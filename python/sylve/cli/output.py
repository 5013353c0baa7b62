"""What the commands share: options, JSON, progress, failures; what they print is in terminal.py."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from sylve.cli import completion
from sylve.engine import INSTALL, Engine, problem
from sylve.position import Position
from sylve.screen import is_terminal, printable, visible, width_of, wrapped
from sylve.terminal import heading as heading
from sylve.terminal import paint as paint
from sylve.terminal import paint_board as paint_board
from sylve.terminal import print_prose as print_prose
from sylve.terminal import print_table as print_table
from sylve.terminal import print_text as print_text
from sylve.terminal import write

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA = 1  # of the JSON that every command prints

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help='A game such as "hex(size=5)", see sylve games; or your own: "mygame:Dots(size=3)".',
        autocompletion=completion.games,
    ),
]
PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help="Start from this position.")
]
MovesOption = Annotated[
    str, typer.Option("--moves", metavar="TEXT", help="Then play these moves, such as f5d6c3.")
]

TopOption = Annotated[
    int | None, typer.Option("--top", metavar="K", min=1, help="Show only the best K moves.")
]


def chosen_engine(context: typer.Context, engine: Engine) -> Engine:
    """The engine, with a word if `auto` is the slower one here."""
    if engine == "auto" and problem() and not context.resilient_parsing:  # not to complete a word
        say(f"the compiled engine {problem()}: the one in Python answers, more slowly; {INSTALL}")
    return engine


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
