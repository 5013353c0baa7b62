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
        typer.Option("--to", help="The form; by default what the name after --output says."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to this file.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="For a list of moves that does not say.",
            autocompletion=completion.games,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Convert the record of a game; what a search said is kept where the form has a place."""
    from sylve.records import load_record, save_record, write_record
    from sylve.records.files import form_of

    if to is None and output is None:
        raise ValueError("say what to convert to: --to sgf, or --output game.sgf")
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
