"""`sylve convert`: a game record in another form."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from sylve.cli import completion
from sylve.cli.output import Json, print_json, print_text
from sylve.screen import is_terminal


def convert(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="SGF, GGF, JSON or a list of moves.")
    ],
    to: Annotated[
        Literal["sgf", "ggf", "json", "moves"] | None,
        typer.Option("--to", help="Output format; by default taken from the --output name."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game, if a list of moves does not name it, or if it is your own.",
            autocompletion=completion.games,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Convert a game record to another format.

    Analysis is kept if the format can store it.
    """
    from sylve.records import load_record, save_record, write_record
    from sylve.records.files import form_of

    if to is None and output is None:
        raise ValueError("choose an output format: --to sgf, or --output game.sgf")
    record = load_record(source, game)
    if output is not None:
        save_record(record, output, to)
        if json:
            print_json({"file": str(output), "form": to or form_of(output)})
        return
    assert to is not None
    text = write_record(record, to)
    if json:
        print_json({"form": to, "record": text})
    elif is_terminal(sys.stdout):
        print_text(text.removesuffix("\n"))
    else:  # the bytes that a file would have
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
