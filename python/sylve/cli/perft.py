"""`sylve perft`: count the paths of a number of plies."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated, Literal

import typer

from sylve.cli.output import (
    EngineOption,
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    print_json,
    print_table,
    print_text,
    read_position,
)
from sylve.cli.progress import progress
from sylve.engine import choose, is_compiled
from sylve.own import game_text
from sylve.perft import perft as count_paths
from sylve.position import position_text
from sylve.screen import Table


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(min=0, max=1000, help="Number of plies.")],
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count of each first move.")
    ] = False,
    engine: EngineOption = "auto",
    finished: Annotated[
        Literal["zero", "leaf"],
        typer.Option(help="How to count games that end earlier: as nothing, or as one leaf."),
    ] = "zero",
    position: PositionOption = None,
    moves: MovesOption = "",
    json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    here = read_position(game, position, moves)
    started = perf_counter()
    if depth == 0 or not here.moves:
        by_move = {}
        nodes = count_paths(here, depth, finished, engine=engine)
    else:
        by_move = {
            here.name(move): count_paths(here.play(move), depth - 1, finished, engine=engine)
            for move in progress(here.moves, f"perft {depth}")
        }
        nodes = sum(by_move.values())
    seconds = perf_counter() - started
    if json:
        print_json(
            {
                "game": game_text(here.game),
                "position": position_text(here),
                "depth": depth,
                "finished": finished,
                "engine": choose(engine) if is_compiled(here) else "python",
                "nodes": nodes,
                "seconds": seconds,
                **({"divide": by_move} if divide else {}),
            }
        )
        return
    if divide:
        print_table(Table(["move", "nodes"], list(by_move.items())))
    print_text(str(nodes))
