"""`sylve evaluate`: how good a position looks, term by term, without searching."""

from __future__ import annotations

from typing import Annotated

import typer

from sylve.cli import completion
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
from sylve.evaluations import evaluate as evaluate_position
from sylve.evaluations import evaluation_name, evaluations_of
from sylve.own import game_text
from sylve.position import position_text
from sylve.screen import Table


def evaluate(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    evaluation: Annotated[
        str | None,
        typer.Option(
            "--evaluation",
            metavar="NAME",
            help="Show only this evaluation.",
            show_default="all",
            autocompletion=completion.evaluations,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Evaluate a position without searching, term by term.

    Scores are for the side to move.
    """
    here = read_position(game, position, moves)
    first = evaluation_name(here.game, evaluation)
    names = [first] if evaluation else list(evaluations_of(here.game))
    found = [evaluate_position(here, name) for name in names]
    if json:
        print_json(
            {
                "game": game_text(here.game),
                "position": position_text(here),
                "turn": "xo"[here.turn],
                "evaluations": [
                    {"name": one.name, "score": one.score, "terms": one.terms} for one in found
                ],
            }
        )
        return
    print_text(f"{here}\n")
    rows = []
    for one in found:
        rows += [(one.name, term, f"{value / 1000:+.3f}") for term, value in one.terms.items()]
        rows.append((one.name, "score", f"{one.score / 1000:+.3f}"))
    head = ["evaluation", "term", f"for {'xo'[here.turn]}"]
    print_table(Table(head, rows, keys=2))
