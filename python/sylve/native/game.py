"""What `@sylve.compiled` makes: a game in plain Python that also has machine code."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, ClassVar

import numpy as np

from sylve.errors import EndlessGame, InvalidGame, cut, shown
from sylve.game import FullGame, Outcome, Player
from sylve.native.machine_code import library_of
from sylve.native.plain import PlainRules
from sylve.native.records import Record, State
from sylve.native.wrapper import OPERATIONS, GameSource
from sylve.optional import missing
from sylve.rng import Rng

RECORD_METHODS = frozenset(
    {
        "start", "turn", "outcome", "moves", "play", "code", "key", "kind", "evaluate",
        "adjudicate", "priority", "count_moves", "nth_move", "read",
    }
)  # fmt: skip
"""Methods that work on a record: the game does not show the user's own."""


class CompiledGame:
    """A game of a class with `@sylve.compiled`. `engine="python"` runs it in plain Python."""

    rules_class: ClassVar[Callable[..., Any]]
    source: ClassVar[GameSource]
    native = True
    """Whether the compiled engine gets the machine code; see `in_python`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        rules = type(self).rules_class(*arguments, **named)
        for field in self.source.arguments.names or ():
            value = getattr(rules, field)
            if not isinstance(value, (int, float)):
                raise InvalidGame(f"{rules}: {field} must be a number, not {shown(value)}")
        self.rules = rules
        self.plain = PlainRules(rules, self.source.state, self.source.max_moves)

    def in_python(self) -> CompiledGame:
        """The same game, which runs in plain Python in both engines: to compare, and to measure."""
        game = type(self).__new__(type(self))
        game.__dict__.update(self.__dict__, native=False)
        return game

    def start(self) -> State:
        """The starting position."""
        return self.plain.start()

    def turn(self, state: State) -> Player:
        """Who is to move."""
        return self.plain.turn(state)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.plain.outcome(state)

    def moves(self, state: State) -> list[int]:
        """The legal moves in increasing order."""
        return self.plain.moves(state)

    def play(self, state: State, move: int) -> State:
        """The position after a legal move."""
        return self.plain.play(state, move)

    def hash(self, state: State) -> int:
        """64 bits for a state."""
        return self.plain.hash(state)

    def __getattr__(self, name: str) -> Any:
        """The arguments, and methods that are not compiled: names, text, drawings."""
        if name in RECORD_METHODS or name.startswith("__") or name in ("rules", "plain"):
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        return getattr(self.rules, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CompiledGame):
            return NotImplemented
        return type(self) is type(other) and bool(self.rules == other.rules)

    def __hash__(self) -> int:
        return hash((type(self), self.rules))

    def __repr__(self) -> str:
        return repr(self.rules)

    def __str__(self) -> str:
        return str(self.rules)

    @cached_property
    def core(self) -> NativeRules:
        """What the compiled engine gets."""
        return NativeRules(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: the class by its name, and the arguments."""
        fields = dataclasses.fields(self.rules)
        arguments = {field.name: getattr(self.rules, field.name) for field in fields}
        return _restored, (type(self), arguments, self.native)


def _restored(cls: type[CompiledGame], arguments: dict[str, Any], native: bool) -> CompiledGame:
    game = cls(**arguments)
    return game if native else game.in_python()


def optional_methods(cls: type) -> dict[str, Callable[..., Any]]:
    """The methods of a game that this class has: a game without them must not show them."""

    def code(game: CompiledGame, state: State, move: int) -> int:
        return game.plain.code(state, move)

    def kind(game: CompiledGame, code: int) -> int:
        return game.plain.kind(code)

    def adjudicate(game: CompiledGame, state: State) -> Outcome | None:
        return game.plain.adjudicate(state)

    def evaluate(game: CompiledGame, state: State) -> int:
        return game.plain.evaluate(state)

    def read(game: CompiledGame, text: str) -> State:
        data = bytearray(game.source.state.itemsize)
        game.rules.read(Record(game.source.state, data), text)
        return State(game.source.state, bytes(data))

    def playout(
        game: CompiledGame, state: State, rng: Rng, played: list[int] | None = None
    ) -> Outcome:
        full = FullGame(game)
        return game.plain.guided_playout(
            state, rng, full.max_plies, full.code, played, full.cut_off
        )

    made: dict[str, Callable[..., Any]] = {
        "code": code,
        "kind": kind,
        "adjudicate": adjudicate,
        "evaluate": evaluate,
        "read": read,
    }
    found = {name: method for name, method in made.items() if hasattr(cls, name)}
    if hasattr(cls, "priority"):
        found["playout"] = playout
    return found


@cache
def without_numba() -> str:
    """Why no game can be compiled, if that is so; said once."""
    problem = missing("numba", "a compiled game")
    if problem:
        warnings.warn(f"{problem}; until then it runs in plain Python", stacklevel=2)
    return problem


def is_native(game: object) -> bool:
    """Whether the compiled engine can run the machine code of a game."""
    return isinstance(game, CompiledGame) and game.native and not without_numba()


class NativeRules:
    """A game as the compiled engine reads it. It keeps the machine code in memory."""

    operations = OPERATIONS

    def __init__(self, game: CompiledGame) -> None:
        source, full = game.source, FullGame(game)
        self.game = game
        self.library = library_of(type(game), source)
        self.address = self.library.address
        self.methods = set(source.methods)
        self.size = source.state.itemsize
        self.max_moves = source.max_moves
        self.codes, self.kinds, self.max_plies = full.codes, full.kinds, full.max_plies
        self.remembers = full.remembers
        names = source.arguments.names or ()
        values = tuple(getattr(game.rules, name) for name in names)
        self.arguments = np.array([values], source.arguments).tobytes()

    def explain(self, method: str, answer: int, data: bytes, given: int) -> Exception:
        """The error for an answer that broke a rule: plain Python is asked the same."""
        game, state = self.game, State(self.game.source.state, bytes(data))
        full, line = FullGame(game), list[int]()
        try:
            if method == "endless":
                full.cut_off(state)
            elif method == "playout":
                self._replay(full, state, Rng(given), line)
            elif method == "look":
                method = "outcome"
                if full.outcome(state) is None:
                    for method in ("turn", "moves"):
                        _ask(game, full, method, state, given)
                method = "outcome(), turn() or moves"
            else:
                _ask(game, full, method, state, given)
        except EndlessGame as error:
            return error
        except Exception as error:
            told = cut(" ".join(str(error).split()), 300)
            raised = type(error) is not ValueError
            problem = f"{method}() raised {type(error).__name__}: {told}" if raised else told
            return ValueError(f"{shown(game)}: {problem} ({_place(state, line)})")
        return ValueError(
            f"{shown(game)}: the compiled {method}() fails ({answer}) where plain Python does not:"
            f" sylve.check_game(game) compares them ({_place(state, line)})"
        )

    def _replay(self, full: FullGame, state: State, rng: Rng, line: list[int]) -> None:
        """The same playout; its errors name the method."""
        if full.own_playout is None:
            full.playout(state, rng, [] if full.coded else None, line)
        else:
            full.playout(state, rng, [])


def _ask(game: CompiledGame, full: FullGame, method: str, state: State, given: int) -> None:
    if method == "start":
        game.start()
    elif method in ("play", "code"):
        getattr(full, method)(state, given)
    elif method == "kind":
        full.kind(given)
    elif method == "key":
        full.hash(state)
    elif method == "moves":
        full.open_moves(state)
    elif method == "evaluate":
        game.plain.evaluate(state)
    else:
        getattr(full, method)(state)


def _place(state: State, line: list[int]) -> str:
    after = f", after the moves {' '.join(map(str, line[-20:]))}" if line else ""
    return f"in {cut(repr(state), 300)}{after}"
