"""Compiles the methods of a class by Numba, and keeps the machine code in a file.

Numba's own cache does not serve here: it needs a source file, and does not keep functions that call
others which were given to them. What is kept is found again by a hash of all that decides the
code: the methods, the helpers that they call, the constants, the types, the versions, the
processor.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any, ClassVar

import numpy as np

from sylve.errors import InvalidGame, cut
from sylve.files import write_whole
from sylve.native import arithmetic_code
from sylve.native.bit_code import substitutes
from sylve.optional import require
from sylve.version import VERSION

Method = Callable[..., Any]


@dataclass(frozen=True)
class Source:
    """What is compiled: the methods of a class, and the record that stands for `self`."""

    name: str
    methods: Mapping[str, FunctionType]
    arguments: np.dtype[Any]
    error: ClassVar[type[ValueError]] = InvalidGame
    """Raised if it cannot be compiled."""

    def deciding(self) -> tuple[object, ...]:
        """What else decides the machine code."""
        return ()

    def function(self, natives: Mapping[str, Any], numba: Any) -> tuple[Callable[..., Any], Any]:
        """The one function that the engine calls, and its type; `natives`: the methods."""
        raise NotImplementedError


@dataclass(frozen=True)
class Library:
    """Machine code in memory. The address is good as long as this object lives."""

    address: int
    code: Any
    """What Numba wants to be kept."""


_LIBRARIES: dict[type, Library] = {}
"""One for each class, kept for good."""


def library_of(cls: type, source: Source) -> Library:
    """The machine code of a class."""
    if cls not in _LIBRARIES:
        _LIBRARIES[cls] = build(source)
    return _LIBRARIES[cls]


def build(source: Source) -> Library:
    """The machine code of a class: from its file, or compiled now."""
    numba = require("numba", f"compiling {source.name}")
    path = folder() / f"{fingerprint(source, numba)}.code"
    with suppress(Exception):  # whatever is wrong with a kept file, it can be made again
        return _load(path)
    kept, library = _compile(source, numba)
    with suppress(OSError):  # a full disk or a folder that cannot be written to: next time again
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, pickle.dumps(kept))
    return library


def folder() -> Path:
    """Where machine code is kept: `SYLVE_CACHE`, or the user's folder for such files."""
    own = os.environ.get("SYLVE_CACHE")
    return Path(own) if own else Path.home() / ".cache" / "sylve"


# Compiling.

Kept = tuple[str, Any]
"""The name of the function's symbol, and the library as Numba writes it."""


def _compile(source: Source, numba: Any) -> tuple[Kept, Library]:
    made = substitutes(numba) | arithmetic_code.substitutes(numba)
    methods = {name: _native(method, numba, made) for name, method in source.methods.items()}
    run, signature = source.function(methods, numba)
    try:
        function = numba.cfunc(signature, boundscheck=True)(run)
    except Exception as error:  # Numba's own, and a KeyError for an unknown field
        raise source.error(f"{source.name} cannot be compiled: {_told(error)}") from error
    kept = function.native_name, function._library.serialize_using_object_code()
    return kept, Library(function.address, function)


def _native(function: FunctionType, numba: Any, made: dict[int, Any]) -> Any:
    """A function for Numba, and with it the plain functions that it calls."""
    if id(function) in made:
        return made[id(function)]
    function = _plain(function)
    known = dict(function.__globals__)
    cells = tuple(CellType(cell.cell_contents) for cell in function.__closure__ or ())
    copy = FunctionType(
        function.__code__, known, function.__name__, function.__defaults__, cells or None
    )
    copy.__qualname__ = function.__qualname__
    native = made[id(function)] = numba.njit(boundscheck=True)(copy)
    for name, value in _used(function):
        if name in known and _is_function(value):
            known[name] = _native(value, numba, made)
    for cell in cells:
        if _is_function(cell.cell_contents):
            cell.cell_contents = _native(cell.cell_contents, numba, made)
    return native


def _is_function(value: object) -> bool:
    """Whether it is a function in Python; a cache around it is left out in compiled code."""
    return isinstance(_plain(value), FunctionType)


def _plain(value: Any) -> Any:
    return value.__wrapped__ if isinstance(value, _lru_cache_wrapper) else value


def _told(error: Exception) -> str:
    """The lines of Numba's message that say what is wrong, not where inside Numba."""
    if isinstance(error, KeyError):
        return f"there is no field {error}"
    lines = [line.strip() for line in str(error).splitlines()]
    ours = [line for line in lines if line.startswith("TypingError: ")]  # of `part_types.py`
    if ours:
        return cut(ours[0].removeprefix("TypingError: "), 400)
    useful = [line for line in lines if line and not line.startswith(("Failed in", "During:"))]
    return cut(" ".join(useful), 400)


# Keeping.


def _load(path: Path) -> Library:
    kept: Kept = pickle.loads(path.read_bytes())  # noqa: S301 - the user's own folder
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    context = cpu_target.target_context
    rtsys.initialize(context)  # what memory management in compiled code calls
    symbol, written = kept
    library = context.codegen().unserialize_library(written)
    address = library.get_pointer_to_function(symbol)
    if not address:
        raise KeyError(symbol)
    return Library(address, library)


def fingerprint(source: Source, numba: Any) -> str:
    """A hash of all that decides the machine code."""
    from numba.core.registry import cpu_target

    codegen = cpu_target.target_context.codegen()
    here = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    parts: list[object] = [
        VERSION, numba.__version__, np.__version__, codegen.magic_tuple(),
        source.name, source.arguments.descr, source.deciding(),
        hashlib.sha256(b"".join(here)).hexdigest(),
    ]  # fmt: skip
    seen: set[int] = set()
    for name, method in sorted(source.methods.items()):
        parts += [name, *_written(method, seen)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _written(function: FunctionType, seen: set[int]) -> Iterator[object]:
    """A function and what it uses, as values whose text tells any change."""
    if id(function) in seen:
        return
    seen.add(id(function))
    yield marshal.dumps(_nowhere(function.__code__), 2)  # later forms depend on who else refers
    yield function.__defaults__
    for name, value in _used(function):
        if _is_function(value):
            yield from _written(_plain(value), seen)
        elif isinstance(value, np.ndarray):
            yield name, value.dtype.descr, value.tobytes()
        else:
            yield name, repr(value)


def _used(function: FunctionType) -> list[tuple[str, Any]]:
    """The global and enclosing values that a function uses."""
    names = sorted(_names(function.__code__))
    values = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    free = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return [*values, *((name, cell.cell_contents) for name, cell in free)]


def _names(code: CodeType) -> set[str]:
    inside = [_names(part) for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*inside)


def _nowhere(code: CodeType) -> CodeType:
    """The same code without its place in a file."""
    consts = tuple(
        _nowhere(part) if isinstance(part, CodeType) else part for part in code.co_consts
    )
    return code.replace(
        co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=consts, co_qualname=""
    )
