"""`sylve bench`: how fast the engine is on this machine."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import Annotated

import typer

from sylve.cli import completion
from sylve.cli.output import Json, print_json, print_prose, print_table
from sylve.cli.progress import progress
from sylve.engine import compiled_half, to_core
from sylve.own import game_text
from sylve.position import Position
from sylve.screen import Table

# Perft depths that take from a few milliseconds to a second.
GAMES = {
    "tic_tac_toe": 9,
    "breakthrough(columns=5, rows=5)": 6,
    "breakthrough": 5,
    "othello": 9,
    "connect_four": 8,
    "hex": 3,
    "go": 3,
}
ROUNDS = 5


def playouts_per_second(position: Position, seconds: float) -> float:
    """The best of several rounds: other work on the machine only ever makes a round slower.

    By the processor's time, of which the playouts use one core.
    """
    core = to_core(position)
    best, count = 0.0, 100
    deadline = perf_counter() + seconds
    for seed in range(1000):
        started = process_time()
        core.playouts(seed, count)
        spent = process_time() - started
        if spent > 0.001:
            best = max(best, count / spent)
        if seed >= ROUNDS and perf_counter() > deadline:
            break
        wanted = best * seconds / ROUNDS / 2 if best else 10 * count
        count = max(100, int(wanted))
    return best


def bench(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...", help="Measure only these games.", autocompletion=completion.games
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, max=600, help="Seconds per game.")] = 1.0,
    json: Json = False,
) -> None:
    """Measure random playouts and perft leaves per second."""
    core = compiled_half("sylve bench")
    rows = []
    for game in progress(games or list(GAMES), "bench"):
        start = Position.start(game)
        depth = GAMES.get(game_text(start.game), 3)
        began = perf_counter()
        leaves = to_core(start).perft(depth)
        spent = perf_counter() - began
        rows.append(
            {
                "game": game_text(start.game),
                "playouts_per_second": round(playouts_per_second(start, seconds)),
                "perft_depth": depth,
                "perft_leaves": leaves,
                "perft_leaves_per_second": round(leaves / spent),
            }
        )
    if json:
        print_json({"cpu": core.cpu(), "rows": rows})
        return
    head = ["game", "playouts/s", "perft depth", "leaves", "leaves/s"]
    print_table(Table(head, [tuple(row.values()) for row in rows]))
    print_prose(f"processor level: {core.cpu()}; best of at least {ROUNDS} rounds, one thread")
