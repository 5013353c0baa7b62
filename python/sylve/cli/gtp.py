"""`sylve gtp`: an engine for other programs; `sylve gtp check`: what another engine can do."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from sylve.cli import completion
from sylve.cli.analyze import SeedOption, read_search
from sylve.cli.arena import GameOption
from sylve.cli.output import Json, fail, print_json, print_table
from sylve.games import load_game
from sylve.own import game_text
from sylve.screen import Table
from sylve.search.reference.searches import Search
from sylve.search.text import limits_besides

app = typer.Typer(
    help="""Run a GTP engine, or check another one.

    The engine speaks the Go Text Protocol, version 2, on stdin and stdout. Time controls can only
    shorten a search.""",
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def gtp(
    context: typer.Context,
    game: GameOption = "go",
    how: Annotated[
        str,
        typer.Option(
            "--how",
            metavar="SEARCH",
            help="Search that chooses the moves; see sylve algorithms.",
            autocompletion=completion.searches,
        ),
    ] = "uct",
    playouts: Annotated[
        int | None,
        typer.Option("--playouts", metavar="N", help="Playouts per move.", show_default="10000"),
    ] = None,
    seed: SeedOption = None,
    folder: Annotated[
        Path,
        typer.Option("--folder", metavar="DIR", help="Folder that loadsgf and printsgf may use."),
    ] = Path(),
) -> None:
    """Answer GTP commands until quit."""
    if context.invoked_subcommand is not None:
        return
    from sylve.gtp.engine import Engine
    from sylve.gtp.folder import Folder
    from sylve.gtp.session import serve

    chosen = read_search(how, playouts, seed)
    analysis = None
    if isinstance(chosen, Search) and playouts is None:
        # The playouts that nobody has asked for are for moves: live analysis goes on.
        analysis = limits_besides(how, chosen)
    engine = Engine(load_game(game), chosen, analysis=analysis, folder=Folder(folder))
    serve(engine, lambda size: os.read(sys.stdin.fileno(), size), sys.stdout.buffer)


@app.command()
def check(
    command: Annotated[
        str, typer.Argument(metavar="CMD", help='Engine command, such as "gnugo --mode gtp".')
    ],
    game: GameOption = "go",
    timeout: Annotated[
        float,
        typer.Option("--timeout", metavar="S", min=0.1, help="Seconds to wait for each answer."),
    ] = 10.0,
    json: Json = False,
) -> None:
    """Test a GTP engine.

    Exit code 1 if it is not fit to play.
    """
    from sylve.gtp.check import check_engine

    findings = check_engine(command, game, timeout)
    fit = all(finding.good for finding in findings if finding.required)
    if json:
        print_json(
            {
                "command": command,
                "game": game_text(load_game(game)),
                "fit": fit,
                "findings": [finding.to_dict() for finding in findings],
            }
        )
    else:
        rows = [(finding.verdict, finding.what, finding.detail) for finding in findings]
        print_table(Table(["", "what", "found"], rows, keys=2, align=("left", "left", "prose")))
    if not fit:
        fail(f"{command}: not fit to play {game}", 1)
