"""`sylve bench`: how fast the engine is on this machine."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Annotated

import typer

from sylve.cli import completion
from sylve.cli.output import Json, print_json, print_prose, print_table
from sylve.cli.progress import progress
from sylve.engine import compiled_half, is_compiled, to_core
from sylve.game import FullGame
from sylve.own import game_text
from sylve.perft import perft
from sylve.position import Position
from sylve.rng import Rng
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
    play, least = playouts_of(position)
    best, count = 0.0, least
    deadline = perf_counter() + seconds
    for seed in range(1000):
        started = process_time()
        play(seed, count)
        spent = process_time() - started
        if spent > 0.001:
            best = max(best, count / spent)
        if seed >= ROUNDS and perf_counter() > deadline:
            break
        wanted = best * seconds / ROUNDS / 2 if best else 10 * count
        count = max(least, int(wanted))
    return best


def playouts_of(position: Position) -> tuple[Callable[[int, int], object], int]:
    """What makes so many playouts with a seed, and how many are worth timing at least."""
    if is_compiled(position):
        return to_core(position).playouts, 100
    game = FullGame(position.game)

    def play(seed: int, count: int) -> None:
        for number in range(count):
            game.playout(position.state, Rng.stream(seed, number))

    return play, 1


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
    """Measure random playouts and perft leaves per second.

    Games of your own run in Python, the others in the compiled engine.
    """
    core = compiled_half("sylve bench")
    rows = []
    for game in progress(games or list(GAMES), "bench"):
        start = Position.start(game)
        depth = GAMES.get(game_text(start.game), 3)
        began = perf_counter()
        leaves = perft(start, depth)
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
