"""The nine levels: for each a player, as data. docs/play.md has how they fare against each other.

Weak levels are careless: in a share of their moves they see nothing but a win at once. Strong ones
look deeper. Where an evaluation tells more than playouts do, alpha-beta plays, else UCT and GRAVE
(docs/evaluations.md compares them).
"""

from __future__ import annotations

from collections.abc import Mapping

from sylve.errors import shown
from sylve.game import AnyGame

LEVELS = range(1, 10)
USUAL = 4
"""The level of a game in which nobody asks for another."""

BY_EVALUATION = (
    "careless(0.92, otherwise=alpha_beta(1))",
    "careless(0.72, otherwise=alpha_beta(1))",
    "careless(0.45, otherwise=alpha_beta(1))",
    "careless(0.3, otherwise=alpha_beta(2))",
    "careless(0.12, otherwise=alpha_beta(2))",
    "careless(0.03, otherwise=alpha_beta(4))",
    "careless(0.01, otherwise=alpha_beta(6))",
)
"""Levels 1 to 7."""

BY_PLAYOUTS = (
    "careless(0.92, otherwise=uct(50, seconds=0.05))",
    "careless(0.72, otherwise=uct(100, seconds=0.05))",
    "careless(0.45, otherwise=uct(200, seconds=0.1))",
    "careless(0.25, otherwise=uct(400, seconds=0.1))",
    "careless(0.1, otherwise=uct(800, seconds=0.1))",
    "careless(0.03, otherwise=uct(2000, seconds=0.1))",
    "careless(0.01, otherwise=grave(4000, seconds=0.2))",
    "grave(seconds=0.3)",
    "grave(seconds=1)",
)
"""For Hex, Go and games of your own: a limit in seconds, because their speed is not known."""

TABLE: Mapping[str, tuple[str, ...]] = {
    "othello": (*BY_EVALUATION, "alpha_beta(8)", "alpha_beta(seconds=1, exact=18)"),
    "breakthrough": (
        *BY_EVALUATION[:6],
        "careless(0.005, otherwise=alpha_beta(5))",  # one ply is worth more here than elsewhere
        "alpha_beta(6)",
        "alpha_beta(seconds=1)",
    ),
    "connect_four": (*BY_EVALUATION, "alpha_beta(8)", "alpha_beta(seconds=1, exact=42)"),
    "tic_tac_toe": (*BY_EVALUATION, "alpha_beta(8)", "alpha_beta(seconds=1, exact=9)"),
}
"""By the name of a game; other games play by playouts."""


def level_text(game: AnyGame, level: int) -> str:
    """The player of a level, as the arena reads it.

    >>> from sylve import load_game
    >>> level_text(load_game("othello"), 8)
    'alpha_beta(8)'
    """
    if isinstance(level, bool) or not isinstance(level, int) or level not in LEVELS:
        raise ValueError(f"level must be from {LEVELS[0]} to {LEVELS[-1]}, not {shown(level)}")
    name = str(getattr(game, "name", ""))
    return TABLE.get(name, BY_PLAYOUTS)[level - 1]
