"""`sylve demo`: every search on one Breakthrough position. What `make run` shows."""

from __future__ import annotations

from typing import Annotated

import typer

from sylve.cli.analyze import EngineOption, print_all, read_search, run_all
from sylve.position import Position
from sylve.search.text import SEARCHES

GAME = "breakthrough(columns=6, rows=6)"
MOVES = "c2-c3 d5-d4 b2-b3 c5-c4"  # the pawns are about to meet


def demo(
    playouts: Annotated[
        int, typer.Option("--playouts", metavar="N", help="Of each search.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same for all.")] = 0,
    engine: EngineOption = "rust",
) -> None:
    """Analyse one position with every search, side by side."""
    position = Position.start(GAME).play_line(MOVES)
    typer.echo(f"{GAME} after {MOVES}\n\n{position}\n")
    searches = [read_search(name, playouts, seed) for name in SEARCHES]
    reports = run_all(position, searches, engine)
    print_all(reports)
    last = reports[-1]
    typer.echo(f"\nThe last word, {last.search.name()}: {last.explain()}")
    typer.echo(f'\nMore: sylve analyze "{GAME}" --moves "{MOVES}" --how grave --explain')
