"""A tournament in a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from sylve.arena.config import Config, make_config
from sylve.arena.openings import RandomOpenings, read_openings
from sylve.errors import quote, quote_value
from sylve.grammar import suggestion
from sylve.inputs import read_text
from sylve.own import settled

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
LARGEST = 64 << 10  # bytes; five hundred players
MOST_DOTS = 500  # in a line
NEEDED = ("game", "players", "games")


def read_tournament(path: Path) -> tuple[Config, Path]:
    """The configuration in a file, and where its store is: beside it, unless it says otherwise.

    Files that it names are found from its own folder.
    """
    try:
        return read_content(read_toml(read_text(path, LARGEST)), path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text of TOML."""
    for number, line in enumerate(text.split("\n"), 1):
        # A name of n parts, a.b.c, takes tomllib n * n steps.
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"line {number}: more than {MOST_DOTS} dots in {quote(line)}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def read_content(content: dict[str, Any], path: Path) -> tuple[Config, Path]:
    """The same, from what TOML gave."""
    for key, value in content.items():
        if key not in KINDS:
            raise ValueError(f"unknown key {quote(key)}: {suggestion(key, KINDS)}")
        if not isinstance(value, KINDS[key]) or isinstance(value, bool):
            wanted = " or ".join(NAMES[kind] for kind in KINDS[key])
            raise ValueError(f"{key} must be {wanted}, not {quote_value(value)}")
    missing = [key for key in NEEDED if key not in content]
    if missing:
        raise ValueError(f"{', '.join(missing)} is missing; needed: {', '.join(NEEDED)}")
    store = Path(content.pop("store", path.with_suffix(".sqlite").name))
    content["players"] = [
        (name, settled(text, path.parent)) for name, text in read_players(content["players"])
    ]
    content["game"] = settled(content["game"], path.parent)
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
            raise ValueError(f"a player must be text such as 'uct(1000)', not {quote_value(text)}")
    return pairs


def from_folder(openings: str, folder: Path) -> str:
    """The openings, with the path of a file made one from here."""
    try:
        beside = (folder / openings).is_file()
    except OSError:  # too long for the name of a file
        beside = False
    if beside:
        return f'file("{folder / openings}")'
    kind = read_openings(openings)
    return openings if isinstance(kind, RandomOpenings) else f'file("{folder / kind.path}")'
