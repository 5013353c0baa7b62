"""`sylve check`: look for broken rules in a game of your own."""

from __future__ import annotations

from typing import Annotated

import typer

from sylve.cli.output import GameArgument, Json, fail, print_json, print_prose
from sylve.games import load_game
from sylve.own import game_text


def check(
    game: GameArgument,
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="Number of random games.")
    ] = 1000,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", min=0, help="Seed of the random games.")
    ] = 0,
    json: Json = False,
) -> None:
    """Play random games and report the first broken rule.

    Exit code 1 if there is one.
    """
    from sylve.check import check_game

    rules = load_game(game)
    found = check_game(rules, games, seed)
    if json:
        print_json(
            {
                "game": game_text(rules),
                "games": found.games,
                "positions": found.positions,
                "problem": found.problem,
                "moves": list(found.moves),
            }
        )
    else:
        print_prose(str(found))
    if not found:
        fail(f"{game_text(rules)} breaks a rule", 1)
