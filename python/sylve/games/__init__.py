"""The games in plain Python, one file each: the reference, written to be read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sylve.errors import InvalidGame, quote
from sylve.games.board import BoardGame
from sylve.games.go import Go
from sylve.games.tic_tac_toe import TicTacToe
from sylve.grammar import Unreadable, read_call, suggestion

GAMES: Mapping[str, type[BoardGame]] = {game.name: game for game in (Go, TicTacToe)}


@lru_cache
def load_game(text: str) -> BoardGame:
    """The rules of the game that a string such as `hex(size=5)` names."""
    try:
        call = read_call(text)
    except Unreadable as error:
        raise InvalidGame(str(error)) from None
    if call.name not in GAMES:
        raise InvalidGame(f"unknown game {quote(call.name)}: {suggestion(call.name, GAMES)}")
    try:
        return GAMES[call.name](*call.arguments, **call.keywords)
    except TypeError as error:
        # Only the arguments can be wrong: the constructors do nothing but check them.
        known = ", ".join(getattr(GAMES[call.name], "__dataclass_fields__", {})) or "none"
        raise InvalidGame(f"{quote(text)}: {error}; its arguments: {known}") from None
