"""`sylve compare`: direct Monte Carlo and AMAF, move by move."""

from __future__ import annotations

from typing import Annotated

import typer

from sylve.cli.analyze import SeedOption
from sylve.cli.output import (
    EngineOption,
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    TopOption,
    print_json,
    print_table,
    print_text,
    read_position,
)
from sylve.cli.progress import PlayoutBar
from sylve.search.compare import compare_estimates


def compare(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    playouts: Annotated[
        int,
        typer.Option(
            "--playouts", metavar="N", help="Playouts per move; AMAF gets the same total."
        ),
    ] = 1000,
    seed: SeedOption = 0,
    engine: EngineOption = "auto",
    top: TopOption = None,
    json: Json = False,
) -> None:
    """Compare direct and AMAF estimates of each move."""
    from sylve.search.reports.show import estimates_table

    here = read_position(game, position, moves)
    with PlayoutBar(2 * playouts * len(here.moves)) as bar:
        estimates = compare_estimates(
            here, playouts, seed=seed or 0, engine=engine, progress=bar.begin("compare")
        )
    if json:
        print_json(estimates.to_dict())
        return
    print_text(f"{here}\n")
    print_table(estimates_table(estimates, top))
