"""The games in plain Python, one file each: the reference, written to be read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sylve import own
from sylve.errors import InvalidGame, cut, quote, shown
from sylve.game import AnyGame
from sylve.games.board import BoardGame
from sylve.games.breakthrough import Breakthrough
from sylve.games.connect_four import ConnectFour
from sylve.games.go import Go
from sylve.games.hex import Hex
from sylve.games.othello import Othello
from sylve.games.tic_tac_toe import TicTacToe
from sylve.grammar import Call, Unreadable, build, read_call, suggestion

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


def open_spiel_game(text: str) -> AnyGame:
    """The game of OpenSpiel that stands after `open_spiel:`."""
    from sylve.open_spiel.load import load  # loads OpenSpiel: only who asks for it

    return load(text)


own.LOADERS["open_spiel"] = open_spiel_game

METHODS = ("start", "turn", "outcome", "moves", "play")
BEGUN: set[int] = set()
"""The games of the user's own that were seen to begin, by `id`."""


def load_game(text: str) -> AnyGame:
    """The rules of the game that a string such as `hex(size=5)` names.

    A game of your own is named by its module or file: `mygame:Dots(size=3)`. That imports the
    module: give it no text that comes from somebody else.

    >>> from sylve import load_game
    >>> game = load_game("hex(size=5)")
    >>> game.size, str(game)
    (5, 'hex(size=5)')
    """
    call = read_game(text) if own.is_own(text) else None
    if call is None or not own.is_own(call.name):
        return package_game(text)
    try:
        game: AnyGame = own.load(call).made
    except own.CannotLoad as error:
        raise InvalidGame(str(error)) from None
    check_methods(call, game)
    if id(game) not in BEGUN:
        check_start(call, game)
        BEGUN.add(id(game))  # what was loaded by name is never freed
    return game


def known_game(text: str) -> AnyGame:
    """The same for a text from elsewhere: nothing is imported."""
    try:
        own.check_known(text)
    except own.CannotLoad as error:
        raise InvalidGame(str(error)) from None
    return load_game(text)


@lru_cache
def package_game(text: str) -> BoardGame:
    """The rules of a game of the package."""
    call = read_game(text)
    if call.name not in GAMES:
        raise InvalidGame(f"unknown game {quote(call.name)}: {suggestion(call.name, GAMES)}")
    try:
        return build(GAMES[call.name], call)
    except ValueError as error:
        raise InvalidGame(str(error)) from None


def read_game(text: str) -> Call:
    """The call that names a game."""
    try:
        return own.read_own(text) if own.is_own(text) else read_call(text)
    except Unreadable as error:
        raise InvalidGame(str(error)) from None


def check_methods(call: Call, game: object) -> None:
    """Refuse what is no game."""
    missing = [name for name in METHODS if not callable(getattr(game, name, None))]
    if isinstance(game, type) or missing:
        raise InvalidGame(
            f"{quote(call.text())} is no game: {shown(game)} has no method"
            f" {', '.join(missing or METHODS)}"
        )


def check_start(call: Call, game: AnyGame) -> None:
    """Refuse a game that cannot begin."""
    try:
        state = game.start()
        game.moves(state)
        game.turn(state)
    except Exception as error:
        told = cut(" ".join(str(error).split()), 300)
        raise InvalidGame(
            f"{quote(call.text())} cannot begin: {type(error).__name__}: {told}"
        ) from error
