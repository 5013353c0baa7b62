"""The games in plain Python, one file each: the reference, written to be read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sylve.errors import InvalidGame, quote
from sylve.games.board import BoardGame
from sylve.games.breakthrough import Breakthrough
from sylve.games.connect_four import ConnectFour
from sylve.games.go import Go
from sylve.games.hex import Hex
from sylve.games.othello import Othello
from sylve.games.tic_tac_toe import TicTacToe
from sylve.grammar import Unreadable, build, read_call, suggestion
from sylve.open_spiel import PREFIX

GAMES: Mapping[str, type[BoardGame]] = {
    game.name: game
    for game in (
        TicTacToe,
        Breakthrough,
        Othello,
        ConnectFour,
        Hex,
        Go,
    )
}


@lru_cache
def load_game(text: str) -> BoardGame:
    """The rules of the game that a string such as `hex(size=5)` names.

    >>> from sylve import load_game
    >>> game = load_game("hex(size=5)")
    >>> game.size, str(game)
    (5, 'hex(size=5)')
    """
    if text.startswith(PREFIX):
        from sylve.open_spiel.load import load  # loads OpenSpiel: only who asks for it

        return load(text.removeprefix(PREFIX))  # type: ignore[return-value]
    try:
        call = read_call(text)
    except Unreadable as error:
        raise InvalidGame(str(error)) from None
    if call.name not in GAMES:
        raise InvalidGame(f"unknown game {quote(call.name)}: {suggestion(call.name, GAMES)}")
    try:
        return build(GAMES[call.name], call)
    except ValueError as error:
        raise InvalidGame(str(error)) from None
