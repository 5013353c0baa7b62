"""`sylve demo`: every search on one Breakthrough position. What `make run` shows."""

from __future__ import annotations

from typing import Annotated

import typer

from sylve.cli.analyze import EngineOption, print_all, read_search, run_all, show_all
from sylve.cli.output import Json, print_prose, print_text
from sylve.position import Position
from sylve.search.text import SEARCHES

GAME = "breakthrough(columns=6, rows=6)"
MOVES = "c2-c3 d5-d4 b2-b3 c5-c4"  # the pawns are about to meet


def demo(
    playouts: Annotated[
        int, typer.Option("--playouts", metavar="N", help="Playouts per search.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of every search.")] = 0,
    engine: EngineOption = "rust",
    json: Json = False,
) -> None:
    """Analyse one position with every search and compare."""
    position = Position.start(GAME).play_line(MOVES)
    searches = [read_search(name, playouts, seed) for name in SEARCHES]
    if json:
        show_all(position, run_all(position, searches, engine), explain=False, json=True)
        return
    print_prose(f"{GAME} after {MOVES}\n")
    print_text(f"{position}\n")
    reports = run_all(position, searches, engine)
    print_all(reports)
    last = reports[-1]
    print_prose(f"\nWhy {last.search.name()} chose this move: {last.explanation}")
    print_text(f'\nMore: sylve analyze "{GAME}" \\\n    --moves "{MOVES}" --how grave --explain')
