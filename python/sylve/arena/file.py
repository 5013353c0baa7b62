"""A tournament in a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from sylve.arena.config import Config, make_config
from sylve.arena.openings import read_openings
from sylve.errors import quote
from sylve.grammar import suggestion

KINDS: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "players": (list, dict),
    "games": (int,),
    "format": (str,),
    "openings": (str,),
    "seed": (int,),
    "max_plies": (int,),
    "resign": (int, float),
    "adjudicate": (int,),
    "clock": (str, int, float),
    "store": (str,),
}
NEEDED = ("game", "players", "games")


def read_tournament(path: Path) -> tuple[Config, Path]:
    """The configuration in a file, and where its store is: beside it, unless it says otherwise.

    Files that it names are found from its own folder.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None
    try:
        return read_content(content, path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_content(content: dict[str, Any], path: Path) -> tuple[Config, Path]:
    """The same, from what TOML gave."""
    for key, value in content.items():
        if key not in KINDS:
            raise ValueError(f"unknown key {quote(key)}: {suggestion(key, KINDS)}")
        if not isinstance(value, KINDS[key]) or isinstance(value, bool):
            wanted = " or ".join(NAMES[kind] for kind in KINDS[key])
            raise ValueError(f"{key} must be {wanted}, not {quote(repr(value))}")
    missing = [key for key in NEEDED if key not in content]
    if missing:
        raise ValueError(f"{', '.join(missing)} is missing; needed: {', '.join(NEEDED)}")
    store = Path(content.pop("store", path.with_suffix(".sqlite").name))
    content["players"] = read_players(content["players"])
    content.setdefault("format", "round_robin")
    if "clock" in content:
        content["clock"] = str(content["clock"])
    if "openings" in content:
        content["openings"] = from_folder(content["openings"], path.parent)
    return make_config(**content), path.parent / store


NAMES = {str: "text", int: "a whole number", float: "a number", list: "a list", dict: "a table"}


def read_players(content: list[Any] | dict[str, Any]) -> list[tuple[str | None, str]]:
    """Players with names (a table) or without (a list)."""
    pairs: list[tuple[str | None, Any]] = (
        list(content.items()) if isinstance(content, dict) else [(None, text) for text in content]
    )
    for _, text in pairs:
        if not isinstance(text, str):
            raise ValueError(f"a player must be text such as 'uct(1000)', not {quote(repr(text))}")
    return pairs


def from_folder(openings: str, folder: Path) -> str:
    """The openings, with the path of a file made one from here."""
    if (folder / openings).is_file():
        return f'file("{folder / openings}")'
    kind, argument = read_openings(openings)
    return openings if kind == "random" else f'file("{folder / str(argument)}")'
