"""The errors. Most are of the type `ValueError`: they quote the input and say what was allowed."""

import reprlib

__all__ = [
    "DamagedFile",
    "EndlessGame",
    "IllegalMove",
    "InvalidGame",
    "InvalidMove",
    "InvalidPosition",
]

SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxlong = SHORT.maxother = 100


class InvalidGame(ValueError):
    """A game string that cannot be read, names no game, or asks for a size that it has not.

    >>> from sylve import load_game
    >>> load_game("hex(size=99)")
    Traceback (most recent call last):
    sylve.errors.InvalidGame: hex: size must be a whole number from 2 to 19, not 99
    """


class InvalidPosition(ValueError):
    """A position text that cannot be read, or describes no position of the game.

    >>> from sylve import Position
    >>> Position.parse("tic_tac_toe", "...")
    Traceback (most recent call last):
    sylve.errors.InvalidPosition: invalid position '...': expected 3 rows joined by '/', found 1
    """


class InvalidMove(ValueError):
    """A move text that cannot be read.

    >>> from sylve import Position
    >>> Position.start("tic_tac_toe").play("d4")
    Traceback (most recent call last):
    sylve.errors.InvalidMove: invalid move 'd4': expected a cell from "a1" (top left) to "c3"
    """


class IllegalMove(ValueError):
    """A move that the rules do not allow here.

    >>> from sylve import Position
    >>> Position.start("othello").play("a1")
    Traceback (most recent call last):
    sylve.errors.IllegalMove: illegal move 'a1': legal here: d3 c4 f5 e6
    """


class DamagedFile(ValueError):
    """A file that is no saved search, or not all of one, or changed since it was written.

    >>> from pathlib import Path
    >>> from sylve import Searcher
    >>> _ = Path("no.search").write_bytes(b"anything else")
    >>> Searcher.load("no.search")
    Traceback (most recent call last):
    sylve.errors.DamagedFile: 'no.search' is no saved search
    """


class SourceChanged(UserWarning):
    """The source of a game of your own is not what it was when a record was written.

    The record is read nevertheless: by the rules as they are now.

    >>> import warnings
    >>> from sylve.records import SourceChanged
    >>> warnings.simplefilter("error", SourceChanged)  # refuse such records
    """


class PlayerFailure(Exception):
    """A player could not go on: it loses the game, and the reason is kept."""

    def __init__(self, player: str, reason: str) -> None:
        super().__init__(f"{player}: {reason}")
        self.player = player
        self.reason = reason


class PlayerResigns(PlayerFailure):
    """A player gave up the game. It is well otherwise."""


def shown(value: object) -> str:
    """A value of any kind, cut to what fits in a message: also one that is nested deep."""
    try:
        return SHORT.repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return "a number of too many digits"


def quote_value(value: object) -> str:
    """The same in quotes."""
    return quote(shown(value))


def quote(text: str) -> str:
    """The text in quotes, cut to what fits in a message."""
    return repr(text) if len(text) <= 100 else repr(text[:100]) + "..."


def cut(text: str, most: int = 100) -> str:
    """A text that fits in a message; three dots stand for what is left out."""
    return text if len(text) <= most else f"{text[:most]}..."


class EndlessGame(ValueError):
    """A game that does not end.

    >>> from sylve import Player, Position, Rng
    >>> class Walk:  # nobody ever wins
    ...     def __repr__(self):
    ...         return "Walk()"
    ...     def max_plies(self):
    ...         return 10
    ...     def start(self):
    ...         return 0
    ...     def turn(self, state):
    ...         return Player(state % 2)
    ...     def outcome(self, state):
    ...         return None
    ...     def moves(self, state):
    ...         return [0, 1]
    ...     def play(self, state, move):
    ...         return state + 1
    >>> Position.start(Walk()).playout(Rng.stream(1, 0))
    Traceback (most recent call last):
    sylve.errors.EndlessGame: the game has not ended after 10 plies: Walk()
    """
