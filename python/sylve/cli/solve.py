"""`sylve solve`: the exact value of a position and of its moves."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from sylve.cli.output import (
    EngineOption,
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    print_json,
    print_prose,
    print_table,
    print_text,
    read_position,
)
from sylve.cli.progress import SolveLine
from sylve.solve import solve as solve_position


def solve(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="Give up after S seconds.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="Give up after N positions.")
    ] = None,
    want: Annotated[
        Literal["value", "line", "moves"],
        typer.Option("--want", help="What to find; asking for less is faster."),
    ] = "moves",
    engine: EngineOption = "auto",
    json: Json = False,
) -> None:
    """Find the exact value of a position and of every move.

    Values are for the side to move. If the position is not solved within the limits, the output
    says so.
    """
    here = read_position(game, position, moves)
    with SolveLine() as line:
        solution = solve_position(here, seconds, nodes, want=want, engine=engine, progress=line)
    if json:
        print_json(solution.to_dict())
        return
    print_text(f"{here}\n")
    if solution.table.rows:
        print_table(solution.table)
    print_prose(solution.summary)
