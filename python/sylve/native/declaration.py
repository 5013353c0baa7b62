"""`@sylve.compiled`: from a class whose methods work on a record to a game."""

from __future__ import annotations

import dataclasses
import inspect
from types import FunctionType
from typing import Any

import numpy as np

from sylve.errors import InvalidGame, shown
from sylve.game import LARGEST_MOVE
from sylve.native.game import RECORD_METHODS, CompiledGame, optional_methods
from sylve.native.records import padded
from sylve.native.wrapper import GameSource

REQUIRED = {"start": 1, "turn": 1, "outcome": 1, "moves": 2, "play": 2}
OPTIONAL = {
    "code": 2, "key": 1, "kind": 1, "evaluate": 1, "adjudicate": 1, "priority": 2,
    "count_moves": 1, "nth_move": 2,
}  # fmt: skip
"""The compiled methods, and how many arguments each has besides `self`."""
TOGETHER = (("count_moves", "nth_move"), ("kind", "kinds"), ("read", "write"))
FOREIGN = {
    "hash": "key(self, s)",
    "playout": "priority(self, s, move)",
    "playout_moves": "priority(self, s, move)",
    "final_value": "a plain game, which solve() takes too",
    "forget": "a plain game",
    "symmetries": "a plain game",
}
"""Methods of plain games that a compiled one cannot have, and what there is instead."""
LARGEST_STATE = 1 << 16  # bytes: a state is copied for every node that is looked at


def declare(cls: type) -> type[CompiledGame]:
    """The game of a class; what is wrong with the class is said at once."""
    name = cls.__name__
    dtype = _state(name, getattr(cls, "state", None))
    max_moves = _max_moves(name, getattr(cls, "max_moves", None))
    methods = _methods(cls)
    rules = cls if dataclasses.is_dataclass(cls) else dataclasses.dataclass(frozen=True)(cls)
    constants = constants_of(cls)
    for key in (*constants, *(field.name for field in dataclasses.fields(rules))):
        if key in RECORD_METHODS:
            raise InvalidGame(f"{name}.{key} must be a method")
    arguments = arguments_of(name, rules, constants, "a compiled game", InvalidGame)
    return type(
        name,
        (CompiledGame,),
        {
            **optional_methods(cls),
            "__module__": cls.__module__,
            "__qualname__": cls.__qualname__,
            "__doc__": cls.__doc__,
            "__signature__": inspect.signature(rules),
            "rules_class": rules,
            "source": GameSource(name, methods, arguments, dtype, max_moves),
        },
    )


def _state(name: str, dtype: Any) -> np.dtype[Any]:
    if not isinstance(dtype, np.dtype) or not dtype.names:
        raise InvalidGame(
            f"{name}.state must be a numpy.dtype with named fields, not {shown(dtype)}"
        )
    for field in dtype.names:
        kind = dtype[field].base
        if kind.kind not in "iufb":
            raise InvalidGame(
                f"{name}.state: the field {field!r} is of type {kind}: only numbers and arrays of"
                " numbers can be compiled"
            )
    if not dtype.isalignedstruct:
        raise InvalidGame(f"{name}.state must be aligned: numpy.dtype([...], align=True)")
    whole = padded(dtype)
    if whole.itemsize > LARGEST_STATE:
        raise InvalidGame(
            f"{name}.state has {whole.itemsize} bytes: at most {LARGEST_STATE} are allowed"
        )
    return whole


def _max_moves(name: str, most: Any) -> int:
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= LARGEST_MOVE + 1:
        raise InvalidGame(
            f"{name}.max_moves must be the largest number of legal moves, from 1 to"
            f" {LARGEST_MOVE + 1}, not {shown(most)}"
        )
    return most


def _methods(cls: type) -> dict[str, FunctionType]:
    name, found = cls.__name__, {}
    for method, wanted in {**REQUIRED, **OPTIONAL}.items():
        function = inspect.getattr_static(cls, method, None)
        if function is None and method not in REQUIRED:
            continue
        if not isinstance(function, FunctionType):
            given = "is missing" if function is None else f"must be a method, not {shown(function)}"
            raise InvalidGame(f"{name}.{method}(self, ...) {given}")
        if function.__code__.co_argcount != wanted + 1:
            raise InvalidGame(
                f"{name}.{method} must have {wanted + 1} arguments, self included, not"
                f" {function.__code__.co_argcount}"
            )
        found[method] = function
    for method, instead in FOREIGN.items():
        if hasattr(cls, method):
            raise InvalidGame(f"{name}.{method}: a compiled game cannot have it; use {instead}")
    for one, other in TOGETHER:
        if hasattr(cls, one) != hasattr(cls, other):
            raise InvalidGame(f"{name}: {one}() and {other}() belong together")
    return found


def constants_of(cls: type) -> dict[str, int | float]:
    """Numbers of the class, which methods may read from `self`."""
    return {
        name: value
        for base in reversed(cls.__mro__)
        for name, value in vars(base).items()
        if not name.startswith("_") and isinstance(value, (int, float))
    }


def arguments_of(
    name: str, rules: Any, constants: dict[str, int | float], what: str, error: type[ValueError]
) -> np.dtype[Any]:
    """The record that stands for `self` in compiled methods."""
    types: dict[str, type] = {key: type(value) for key, value in constants.items()}
    known = {"int": int, "float": float, "bool": bool}
    for field in dataclasses.fields(rules):
        kind = known.get(field.type, field.type) if isinstance(field.type, str) else field.type
        if kind not in (int, float, bool):
            raise error(
                f"{name}.{field.name}: an argument of {what} is an int, float or bool, not"
                f" {field.type}"
            )
        types[field.name] = kind
    numpy_types = {int: np.int64, float: np.float64, bool: np.bool_}
    fields = [(key, numpy_types[kind]) for key, kind in sorted(types.items())]
    return padded(np.dtype(fields, align=True))
