"""`sylve signature`: one number for the behaviour of everything."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from sylve.cli.output import Json, print_json
from sylve.signature import Reference, Walker
from sylve.signature import signature as compute


def signature(
    engine: Annotated[
        Literal["rust", "python"], typer.Option(help="Which implementation to sign.")
    ] = "rust",
    json: Json = False,
) -> None:
    """Print one number for the behaviour of everything.

    It is equal on every machine.
    """
    numbers = compute(_compiled if engine == "rust" else Reference)
    if json:
        texts = {game: f"{number:016x}" for game, number in numbers.items()}
        print_json({"engine": engine, "signature": texts.pop("all"), "games": texts})
        return
    typer.echo(f"{numbers['all']:016x}")


def _compiled(game: str) -> Walker:
    from sylve import _core

    return _core.Position(game)
