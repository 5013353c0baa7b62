"""`sylve games`: the games and their arguments."""

from __future__ import annotations

import dataclasses
from typing import Any

from sylve.cli.output import Json, print_json, print_table
from sylve.games import GAMES, package_game
from sylve.screen import Align, Table


def games(json: Json = False) -> None:
    """List the games with their arguments and defaults."""
    rows: list[dict[str, Any]] = []
    for name in GAMES:
        game = package_game(name)
        arguments = {
            field.name: field.default
            for field in dataclasses.fields(game)  # type: ignore[arg-type]
        }
        start = game.start()
        example = game.write_move(start, game.moves(start)[0])
        rows.append(
            {
                "game": name,
                "arguments": arguments,
                "columns": game.columns,
                "rows": game.rows,
                "first_moves": len(game.moves(start)),
                "codes": game.codes(),
                "max_plies": game.max_plies(),
                "example_move": example,
            }
        )
    if json:
        print_json({"games": rows})
        return
    shown = [
        (
            row["game"],
            ", ".join(f"{key}={value}".lower() for key, value in row["arguments"].items()),
            f"{row['columns']} x {row['rows']}",
            *(row[key] for key in ("first_moves", "codes", "max_plies", "example_move")),
        )
        for row in rows
    ]
    head = ["game", "arguments", "board", "first moves", "AMAF codes", "longest game", "a move"]
    sides: list[Align] = ["left" if name in ("game", "arguments") else "right" for name in head]
    print_table(Table(head, shown, align=sides))
