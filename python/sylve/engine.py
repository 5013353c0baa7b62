"""The two engines: the compiled one (`rust`) and the reference written to be read (`python`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sylve.errors import InvalidGame, shown
from sylve.games import GAMES
from sylve.position import Position

if TYPE_CHECKING:
    from sylve import _core

Engine = Literal["auto", "rust", "python"]
ENGINES: tuple[Engine, ...] = ("auto", "rust", "python")


def choose(engine: Engine) -> Literal["rust", "python"]:
    """The engine to use: `auto` is the compiled one."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}: expected one of: {', '.join(ENGINES)}")
    return "python" if engine == "python" else "rust"


def is_compiled(position: Position) -> bool:
    """Whether the game is one of the compiled ones, not written in Python by a user.

    One that a user derived from them has rules of its own.
    """
    return type(position.game) in GAMES.values()


def check_compiled(position: Position) -> None:
    """Refuse a game that only Python has."""
    if not is_compiled(position):
        raise InvalidGame(
            f'engine="rust" needs compiled rules: {shown(position.game)} is written in Python;'
            ' use engine="python"'
        )


def to_core(position: Position) -> _core.Position:
    """The same position in the compiled engine. It goes there as text."""
    check_compiled(position)
    from sylve import _core

    return _core.Position(str(position.game), position.text)
