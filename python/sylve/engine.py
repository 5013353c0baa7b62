"""The two engines: the compiled one (`rust`) and the reference written to be read (`python`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sylve.errors import InvalidGame
from sylve.games.board import BoardGame
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
    """Whether the game is one of the compiled ones, not written in Python by a user."""
    return isinstance(position.game, BoardGame)


def to_core(position: Position) -> _core.Position:
    """The same position in the compiled engine. It goes there as text."""
    if not is_compiled(position):
        raise InvalidGame(f"{position.game!r} is written in Python: the compiled rules lack it")
    from sylve import _core

    return _core.Position(str(position.game), position.text)
