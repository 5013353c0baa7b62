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


def choose(position: Position, engine: Engine) -> Literal["rust", "python"]:
    """The engine to use: `auto` is the compiled one, except for a game written in Python."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}: expected one of: {', '.join(ENGINES)}")
    compiled = isinstance(position.game, BoardGame)
    if engine == "rust" and not compiled:
        raise InvalidGame(f"{position.game!r} is written in Python: the engine 'rust' has it not")
    if engine == "auto":
        return "rust" if compiled else "python"
    return engine


def to_core(position: Position) -> _core.Position:
    """The same position in the compiled engine. It goes there as text."""
    from sylve import _core

    return _core.Position(str(position.game), position.text)
