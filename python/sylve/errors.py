"""The errors. Most are `ValueError`s that quote the input and say what was allowed."""

import reprlib

SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxlong = SHORT.maxother = 100


class InvalidGame(ValueError):
    """A game string that cannot be read, names no game, or asks for a size that it has not."""


class InvalidPosition(ValueError):
    """A position text that cannot be read, or describes no position of the game."""


class InvalidMove(ValueError):
    """A move text that cannot be read."""


class IllegalMove(ValueError):
    """A move that the rules do not allow here."""


class DamagedFile(ValueError):
    """A file that is no saved search, or not all of one, or changed since it was written."""


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
    """A game that does not end."""
