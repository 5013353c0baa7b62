"""`@sylve.compiled` on a rule, a schedule or a policy: what it checks, and what it keeps."""

from __future__ import annotations

import dataclasses
import inspect
import warnings
from functools import cache
from types import FunctionType
from typing import Any

from sylve.errors import shown
from sylve.native.declaration import arguments_of, constants_of
from sylve.native.machine_code import Library, library_of
from sylve.native.part_code import PARAMETERS, PartSource, packed
from sylve.optional import missing

WHAT = "a compiled part of a search"


def declare_part(cls: Any) -> Any:
    """The class itself, a frozen dataclass; what is wrong with it is said at once."""
    name, method = cls.__name__, cls.compiled_method
    if not method:
        raise ValueError(
            f"{name} is a prior, which runs in plain Python: leave out @sylve.compiled"
        )
    function = _method(cls, method)
    if "__dataclass_fields__" not in vars(cls):
        if "__init__" in vars(cls):
            raise ValueError(
                f"{name}.__init__: the arguments of {WHAT} are names with an annotation, such as"
                " c: float = 0.5"
            )
        cls = dataclasses.dataclass(frozen=True)(cls)
    arguments = arguments_of(name, cls, constants_of(cls), WHAT, ValueError)
    cls.machine_source = PartSource(
        name,
        {method: function},
        arguments,
        method,
        bool(getattr(cls, "coded", True)),
        bool(getattr(cls, "learns", True)),
    )
    return cls


def _method(cls: Any, method: str) -> FunctionType:
    name, wanted = cls.__name__, PARAMETERS[method]
    family = next(base for base in cls.__mro__ if "compiled_method" in vars(base))
    given = {key for key in family.needed if getattr(cls, key) is not getattr(family, key)}
    if "at_node" in given:
        raise ValueError(
            f"{name}.at_node() sees all moves of a node, and cannot be compiled: a compiled"
            " schedule has beta(self, total, own, amaf)"
        )
    for other in sorted(given - {method}):
        raise ValueError(
            f"{name}.{other}() sees the game in Python, and cannot be compiled: use pick(self,"
            " moves, codes, tallies, rng)"
        )
    function = inspect.getattr_static(cls, method)
    if not isinstance(function, FunctionType):
        raise ValueError(f"{name}.{method} must be a method, not {shown(function)}")
    if method not in given:
        parameters = ", ".join(inspect.signature(function).parameters)
        raise ValueError(f"{name}.{method}({parameters}) is missing")
    if function.__code__.co_argcount != wanted:
        raise ValueError(
            f"{name}.{method} must have {wanted} arguments, self included, not"
            f" {function.__code__.co_argcount}"
        )
    return function


@cache
def without_numba() -> str:
    """Why no part can be compiled, if that is so; said once."""
    problem = missing("numba", WHAT)
    if problem:
        warnings.warn(f"{problem}; until then it runs in plain Python", stacklevel=2)
    return problem


def machine_code_of(part: Any) -> tuple[PartSource, Library, bytes]:
    """What is compiled of a part, its machine code, and its arguments as the code reads them."""
    source: PartSource = type(part).machine_source
    kinds = {"i": (int,), "f": (int, float), "b": (int,)}
    for field in source.arguments.names or ():
        value, kind = getattr(part, field), source.arguments[field].kind
        if not isinstance(value, kinds[kind]):
            wanted = "a number" if kind == "f" else "a whole number"
            raise ValueError(f"{part}: {field} must be {wanted}, not {shown(value)}")
    try:
        data = packed(source, part)
    except OverflowError:
        raise ValueError(f"{part}: its whole numbers must be below 2^63") from None
    return source, library_of(type(part), source), data
