"""The two engines: the compiled one (`rust`) and the reference written to be read (`python`).

The package works without its compiled half, as on a machine without a Rust toolchain: all that
imports `sylve._core` does so here, and says how to get it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from sylve.errors import InvalidGame, shown
from sylve.games import GAMES
from sylve.optional import MissingPackage
from sylve.position import Position

if TYPE_CHECKING:
    from sylve import _core

INSTALL = "install Rust (https://rustup.rs) and run make develop, or install a wheel of sylve"
"""How to get the compiled engine."""

Engine = Literal["auto", "rust", "python"]
ENGINES: tuple[Engine, ...] = ("auto", "rust", "python")


def choose(engine: Engine) -> Literal["rust", "python"]:
    """The engine to use: `auto` is the compiled one where it is installed."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}: expected one of: {', '.join(ENGINES)}")
    if engine == "auto":
        return "python" if problem() else "rust"
    return engine


@cache
def problem() -> str:
    """Why the compiled engine cannot be used; nothing if it can."""
    try:
        import_module("sylve._core")
    except ModuleNotFoundError:
        return "is not installed"
    except ImportError as error:  # of another system, or a file that is damaged
        return f"does not load ({error})"
    return ""


def compiled_half(what: str) -> Any:
    """The module `sylve._core`, for `what`."""
    if problem():
        raise MissingPackage(f"{what} needs the compiled engine, which {problem()}: {INSTALL}")
    return import_module("sylve._core")


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
    core: _core.Position = compiled_half("engine=rust").Position(str(position.game), position.text)
    return core
