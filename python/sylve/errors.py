"""The errors of the package: `ValueError`s that quote the input and say what was allowed."""


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


def quote(text: str) -> str:
    """The text in quotes, cut to what fits in a message."""
    return repr(text) if len(text) <= 100 else repr(text[:100]) + "..."
