"""A small configuration."""

from sylve.arena.config import Config, make_config

SMALL = "breakthrough(columns=4, rows=4)"


def config(**changes: object) -> Config:
    arguments: dict = {
        "game": SMALL, "players": [(None, "uct(50)"), (None, "random")], "games": 6,
    }  # fmt: skip
    return make_config(**(arguments | changes))
