"""The two engines: the compiled one (`rust`) and the reference written to be read (`python`).

The package works without its compiled half, as on a machine without a Rust toolchain: all that
imports `sylve._core` does so here, and says how to get it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from sylve.errors import InvalidGame, shown
from sylve.game import AnyGame
from sylve.games import GAMES
from sylve.native.entry import is_native
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
    """Whether the game is one of the compiled ones: of the package, or by `sylve.compiled`.

    One that a user derived from those of the package has rules of its own.
    """
    return is_of_package(position) or is_native(position.game)


def is_of_package(position: Position) -> bool:
    """Whether the game is one of the package."""
    return type(position.game) in GAMES.values()


def check_compiled(position: Position) -> None:
    """Refuse a game that only Python has."""
    if not is_compiled(position):
        raise InvalidGame(
            f'engine="rust" needs compiled rules: {shown(position.game)} is written in Python;'
            ' use engine="python"'
        )


def to_core(position: Position, *, coded: bool = True) -> _core.Position:
    """The same position in the compiled engine. It goes there as text, or as bytes.

    Without `coded` nobody wants AMAF codes, and a game of a user's own need not have them.
    """
    check_compiled(position)
    half = compiled_half("engine=rust")
    core: _core.Position
    if is_of_package(position):
        core = half.Position(str(position.game), position.text)
    else:
        game: Any = position.game
        core = half.Position.of_functions(game.core, position.state.data, coded)
    return core


def core_text(position: Position) -> str:
    """The text by which the compiled engine knows a position."""
    return position.text if is_of_package(position) else position.state.data.hex()


def from_core_text(game: AnyGame, text: str) -> Position:
    """The position of such a text."""
    if is_native(game):
        start: Any = game.start()
        return Position(game, type(start)(start.dtype, bytes.fromhex(text)))
    return Position.parse(game, text)
