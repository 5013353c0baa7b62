"""What a person types: the move that is meant, or what may be meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from sylve.errors import IllegalMove, quote
from sylve.position import Position

LISTED = 40  # moves that a message lists


def find_move(position: Position, text: str, others: Sequence[str] = ()) -> int:
    """The legal move that a person means: its name in any case, or a beginning that no other has.

    `others` are words that may be meant too: the message suggests them. Raises IllegalMove.

    >>> start = Position.start("breakthrough")
    >>> start.name(find_move(start, "A2A3"))
    'a2-a3'
    >>> find_move(start, "a2")
    Traceback (most recent call last):
    sylve.errors.IllegalMove: 'a2' may be a2-a3 or a2-b3
    """
    names = position.names
    found = exact_move(position, names, text)
    if found is not None:
        return found
    for plain in (str.casefold, squeezed):
        typed = plain(text)
        begun = [name for name in names if typed and plain(name).startswith(typed)]
        if len(begun) == 1:
            return position.moves[names.index(begun[0])]
        if begun:
            raise IllegalMove(f"{quote(text)} may be {either(begun)}")
    close = difflib.get_close_matches(text.casefold(), [*names, *others], 3)
    hint = f"; did you mean {either(close)}?" if close else ""
    listed = ""
    if len(names) <= LISTED and not close:
        listed = f"; legal here: {' '.join(names)}"
    raise IllegalMove(f"no move {quote(text)} here{hint}{listed}")


def exact_move(position: Position, names: Sequence[str], text: str) -> int | None:
    """The move of exactly this name, in any case, or in a form that the game itself reads."""
    for plain in (str, str.casefold):
        same = [name for name in names if plain(name) == plain(text)]
        if len(same) == 1:
            return position.moves[names.index(same[0])]
    try:
        move = position.move(text)
    except Exception:  # also whatever the reader of a user's own game raises
        return None
    return move if move in position.moves else None


def squeezed(text: str) -> str:
    """Letters and digits alone: `b2b3` for `b2-b3`."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def either(names: Sequence[str]) -> str:
    """`a, b or c`; of many, the first."""
    if len(names) > LISTED:
        return f"{', '.join(names[:LISTED])} or another of {len(names)}"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
