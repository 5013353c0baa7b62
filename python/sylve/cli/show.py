"""`sylve show`: a position, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sylve.cli.output import (
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    print_json,
    print_prose,
    print_text,
    read_position,
)
from sylve.files import write_whole
from sylve.own import game_text
from sylve.position import position_text
from sylve.screen import plural


def show(
    game: GameArgument,
    moves: MovesOption = "",
    position: PositionOption = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write the board to this SVG file.")
    ] = None,
    json: Json = False,
) -> None:
    """Draw a position and list its legal moves."""
    here = read_position(game, position, moves)
    if svg is not None:
        write_whole(svg, here.svg().encode())
    if json:
        print_json(
            {
                "game": game_text(here.game),
                "position": position_text(here),
                "turn": "xo"[here.turn],
                "outcome": here.outcome
                and ("draw" if here.outcome.winner is None else "xo"[here.outcome.winner]),
                "hash": f"{here.key:016x}" if hasattr(here.game, "hash") else None,
                "moves": [
                    {"move": move, "name": here.name(move), "code": here.code(move)}
                    for move in here.moves
                ],
            }
        )
        return
    print_text(str(here))
    if here.moves:
        print_prose(f"{plural(len(here.moves), 'move')}: {' '.join(here.names)}")
    text = position_text(here)
    if text is not None:
        print_prose(f"position: {text}")
