"""`sylve convert`: a game record in another form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


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
        typer.Option("--game", metavar="GAME", help="For a list of moves that does not say."),
    ] = None,
) -> None:
    """Convert the record of a game; what a search said is kept where the form has a place."""
    from sylve.records import load_record, save_record, write_record

    if to is None and output is None:
        raise ValueError("say what to convert to: --to sgf, or --output game.sgf")
    record = load_record(source, game)
    if output is None:
        assert to is not None
        typer.echo(write_record(record, to), nl=False)
    else:
        save_record(record, output, to)
