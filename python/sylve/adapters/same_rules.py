"""Games of OpenSpiel whose rules are those of a compiled game of ours, position by position.

Only what `tests/test_openspiel.py` compares along random games is here. Go is not: there, a
repeated board is a draw in OpenSpiel and illegal here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sylve.errors import InvalidGame
from sylve.games import load_game

Translate = Callable[[str], str]
"""From OpenSpiel's name of a move to ours."""


@dataclass(frozen=True)
class SameRules:
    """A game string of ours, and how to read their moves in it."""

    game: str
    translate: Translate


def same_rules(native: Any) -> SameRules | None:
    """Our game that is the same as a game of OpenSpiel, if there is one."""
    found = candidate(native.get_type().short_name, native.get_parameters())
    try:
        if found is not None:
            load_game(found.game)
    except InvalidGame:  # a size that we do not have
        return None
    return found


def candidate(name: str, values: dict[str, Any]) -> SameRules | None:
    """By its name and its parameters; our game may not have the size."""
    if name == "tic_tac_toe":
        return SameRules(name, tic_tac_toe)
    if name == "othello":
        return SameRules(name, str)  # the same names
    if name == "breakthrough" and values["rows"] >= 6:  # below: one row of pawns a side there
        size = f"columns={values['columns']}, rows={values['rows']}"
        return SameRules(f"{name}({size})", breakthrough(values["rows"]))
    if name == "connect_four" and values["x_in_row"] == 4:
        size = f"columns={values['columns']}, rows={values['rows']}"
        return SameRules(f"{name}({size})", connect_four)
    if name == "hex" and values["num_cols"] == values["num_rows"]:
        swap = "true" if values["swap"] else "false"
        return SameRules(f"{name}(size={values['num_cols']}, swap={swap})", hex_cell)
    return None


def tic_tac_toe(name: str) -> str:
    """`x(0,2)`, row and column from the top left, is our `c1`."""
    row, column = map(int, name[2:-1].split(","))
    return f"{'abc'[column]}{row + 1}"


def breakthrough(rows: int) -> Translate:
    """`a7b6*`: their first player comes from the top, so that the rows are mirrored."""

    def translate(name: str) -> str:
        start, from_row, end, to_row = list(name[:4])
        mark = "x" if name.endswith("*") else "-"
        return f"{start}{rows + 1 - int(from_row)}{mark}{end}{rows + 1 - int(to_row)}"

    return translate


def connect_four(name: str) -> str:
    """`x0` and `o0` are our column `1`."""
    return str(int(name[1:]) + 1)


def hex_cell(name: str) -> str:
    """The same names; their first player, too, joins top and bottom."""
    return {"swap": "swap-pieces"}.get(name, name)
