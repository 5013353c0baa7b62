"""`sylve tour`: each game, drawn, counted and timed."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sylve.cli.bench import GAMES, playouts_per_second
from sylve.cli.output import Json, print_json, print_prose, print_text
from sylve.cli.progress import progress
from sylve.perft import perft
from sylve.position import Position

DEPTH = 4


def tour(
    seconds: Annotated[float, typer.Option(min=0.01, max=600, help="Seconds per game.")] = 0.5,
    json: Json = False,
) -> None:
    """Show every game with its board, perft counts and speed."""
    stops = []
    for game in progress(list(GAMES), "tour"):
        start = Position.start(game)
        stop: dict[str, Any] = {
            "game": game,
            "position": start.text,
            "perft": [perft(start, depth) for depth in range(1, DEPTH + 1)],
            "playouts_per_second": round(playouts_per_second(start, seconds)),
        }
        stops.append(stop)
        if not json:
            counts = ", ".join(f"{count:,}" for count in stop["perft"])
            print_text(f"{game}\n\n{start}\n")
            print_prose(f"perft 1 to {DEPTH}: {counts}")
            speed = f"{stop['playouts_per_second']:,}"
            print_prose(f"random playouts per second, one thread: {speed}\n")
    if json:
        print_json({"games": stops})
