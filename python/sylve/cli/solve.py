"""`sylve solve`: the exact value of a position and of its moves."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from sylve.cli.analyze import EngineOption
from sylve.cli.output import (
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    print_json,
    print_table,
    read_position,
)
from sylve.cli.progress import SolveLine
from sylve.solve import Solution
from sylve.solve import solve as solve_position


def solve(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="Give up after that long.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="Give up after so many positions.")
    ] = None,
    want: Annotated[
        Literal["value", "line", "moves"],
        typer.Option("--want", help="The less, the faster: the value of every move is the most."),
    ] = "moves",
    engine: EngineOption = "rust",
    json: Json = False,
) -> None:
    """Solve a position: its exact value, that of every move, and best play.

    Values are for the side to move. Not solved in time is an answer too.
    """
    here = read_position(game, position, moves)
    with SolveLine() as line:
        solution = solve_position(here, seconds, nodes, want=want, engine=engine, progress=line)
    if json:
        print_json(solution.to_dict())
        return
    typer.echo(f"{here}\n")
    if any(value is not None for value in solution.per_move.values()):
        rows = sorted(solution.per_move.items(), key=lambda row: (row[1] is None, -(row[1] or 0)))
        shown = [(here.name(move), "?" if value is None else signed(value)) for move, value in rows]
        print_table(["move", "value"], shown)
    typer.echo(summary(solution))


def signed(value: int) -> str:
    """+3, 0, -3."""
    return f"{value:+d}" if value else "0"


def summary(solution: Solution) -> str:
    """The value, the best move and the line, in words."""
    spent = f"{solution.nodes:,} nodes, {solution.seconds:.2f} s, engine {solution.engine}"
    if solution.value is None:
        return f"not solved in time: {spent}"
    content = solution.to_dict()
    parts = [f"value {signed(solution.value)} for {'xo'[solution.position.turn]}"]
    if solution.best is not None:
        parts = [*parts, f"best {content['best']}", f"line {' '.join(content['line'])}"]
    if not solution.complete and any(value is not None for value in solution.per_move.values()):
        parts.append("not every move was solved in time")
    return "\n".join([*parts, spent])
