"""The rules of the game that a record is of. What a record says imports nothing."""

from __future__ import annotations

import warnings
from typing import Any

from sylve import own
from sylve.errors import InvalidGame, SourceChanged, quote, quote_value
from sylve.game import AnyGame
from sylve.games import GAMES, known_game
from sylve.own import game_text
from sylve.records.record import InvalidRecord

GIVE = "a game of your own must be given: --game mygame:Dots(size=3), or game= in Python"


def rules_of(name: str, told: AnyGame | None, form: str) -> AnyGame:
    """The rules that a file names; `told`: those that the reader was given."""
    if told is not None and is_called(told, name):
        return told
    if told is not None:
        raise InvalidRecord(
            f"{form}: the file is of {quote(name)}, not of {quote(game_text(told))}"
        )
    try:
        return known_game(name)
    except InvalidGame as error:
        unknown = name.partition("(")[0].strip() not in GAMES and not own.is_own(name)
        raise InvalidRecord(f"{form}: {error}" + (f"; {GIVE}" if unknown else "")) from None


def is_called(game: AnyGame, name: str) -> bool:
    """Whether a text names this game.

    An object that was not loaded by a name has that of its class; its arguments are not known.
    """
    if name == game_text(game):
        return True
    if own.is_own(name):
        kind = type(game)
        named = own.text_of(game) is not None
        return not named and name.partition("(")[0] == f"{kind.__module__}:{kind.__qualname__}"
    try:
        return bool(known_game(name) == game)
    except InvalidGame:
        return False


def check_sources(game: AnyGame, stored: Any, form: str) -> None:
    """Warn if the source of a game is another one than that which a record was written with."""
    if not isinstance(stored, dict) or not all(isinstance(value, str) for value in stored.values()):
        raise InvalidRecord(
            f"{form}: sources must be an object of hashes by module, not {quote_value(stored)}"
        )
    for module, now in own.sources(game).items():
        if stored.get(module, now) != now:
            warnings.warn(
                f"the source of {module} has changed since this record was written: the rules may"
                " be others",
                SourceChanged,
                stacklevel=2,
            )
