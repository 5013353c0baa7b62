"""`sylve table`: complete tables of small Breakthrough boards."""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from sylve.cli.output import (
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    print_json,
    print_table,
    print_text,
    read_position,
)
from sylve.cli.progress import SolveLine
from sylve.files import check_target
from sylve.games import load_game
from sylve.games.breakthrough import Breakthrough
from sylve.screen import Table
from sylve.tables import BreakthroughTable, build_table

app = typer.Typer(
    name="table",
    help="Build and query complete tables of small Breakthrough boards.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file written by sylve table build.")
]


@app.command()
def build(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Output file.")],
    threads: Annotated[
        int | None,
        typer.Option("--threads", metavar="N", help="Number of threads; by default one per core."),
    ] = None,
    json: Json = False,
) -> None:
    """Build the table of a board and write it to a file."""
    rules = load_game(game)
    if not isinstance(rules, Breakthrough):
        raise ValueError(f"tables are of breakthrough, not of {rules}")
    place = check_target(out)  # before minutes of work, not after
    started = perf_counter()
    with SolveLine() as line:
        build_table(
            rules, out, threads=threads or min(os.cpu_count() or 1, 256), progress=line.share
        )
    if place in ("new", "regular"):  # a pipe has swallowed it
        describe(out, {"seconds": perf_counter() - started}, json)


@app.command()
def info(file: FileArgument, json: Json = False) -> None:
    """Check a file and describe its contents."""
    describe(file, {}, json)


def describe(path: Path, more: dict[str, float], json: bool) -> None:
    """The facts of a table."""
    with BreakthroughTable(path) as table:
        facts = {
            "game": str(table.game),
            "positions": table.positions,
            "wins": table.wins,
            "bits": table.bits,
            "bytes": path.stat().st_size,
            "checksum": f"{table.checksum:08x}",
            **more,
        }
    if json:
        print_json(facts)
        return
    facts |= {name: f"{value:.1f}" for name, value in more.items()}
    print_table(Table(["fact", "value"], list(facts.items()), title=str(path)))


@app.command()
def probe(
    file: FileArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    json: Json = False,
) -> None:
    """Look up a position and its moves.

    The value is 1 if the side to move wins, else -1.
    """
    with BreakthroughTable(file) as table:
        here = read_position(str(table.game), position, moves)
        value = table.value(here)
        by_move = {here.name(move): -table.value(here.play(move)) for move in here.moves}
    if json:
        print_json(
            {"game": str(here.game), "position": here.text, "value": value, "moves": by_move}
        )
        return
    print_text(f"{here}\n")
    rows = sorted(by_move.items(), key=lambda row: -row[1])
    if rows:
        shown = [(name, f"{value:+d}") for name, value in rows]
        print_table(Table(["move", "value"], shown))
    print_text(f"value {value:+d} for {'xo'[here.turn]}")
