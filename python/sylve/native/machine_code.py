"""Compiles the methods of a game by Numba, and keeps the machine code in a file.

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
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any

import numpy as np

from sylve.errors import InvalidGame, cut
from sylve.files import write_whole
from sylve.native.bit_code import substitutes
from sylve.native.wrapper import SIGNATURE, make_function
from sylve.optional import require
from sylve.version import VERSION

Method = Callable[..., Any]


@dataclass(frozen=True)
class Source:
    """What is compiled: the methods of a class, and the types that they work on."""

    name: str
    methods: Mapping[str, FunctionType]
    state: np.dtype[Any]
    arguments: np.dtype[Any]
    max_moves: int


@dataclass(frozen=True)
class Library:
    """Machine code in memory. The address is good as long as this object lives."""

    address: int
    code: Any
    """What Numba wants to be kept."""


def build(source: Source) -> Library:
    """The machine code of a game: from its file, or compiled now."""
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
    types = _types(source, numba)
    made = substitutes(numba)
    methods = {name: _native(method, numba, made) for name, method in source.methods.items()}
    run = make_function(methods, numba, source.max_moves)
    signature = numba.int64(*(types[kind] for kind in SIGNATURE))
    try:
        function = numba.cfunc(signature, boundscheck=True)(run)
    except Exception as error:  # Numba's own, and a KeyError for an unknown field
        raise InvalidGame(f"{source.name} cannot be compiled: {_told(error)}") from error
    kept = function.native_name, function._library.serialize_using_object_code()
    return kept, Library(function.address, function)


def _types(source: Source, numba: Any) -> dict[str, Any]:
    pointer, record = numba.types.CPointer, numba.from_dtype
    return {
        "arguments": pointer(record(source.arguments)),
        "state": pointer(record(source.state)),
        "numbers": pointer(numba.int32),
        "words": pointer(numba.uint64),
        "number": numba.int64,
    }


def _native(function: FunctionType, numba: Any, made: dict[int, Any]) -> Any:
    """A function for Numba, and with it the plain functions that it calls."""
    if id(function) in made:
        return made[id(function)]
    known = dict(function.__globals__)
    cells = tuple(CellType(cell.cell_contents) for cell in function.__closure__ or ())
    copy = FunctionType(
        function.__code__, known, function.__name__, function.__defaults__, cells or None
    )
    copy.__qualname__ = function.__qualname__
    native = made[id(function)] = numba.njit(boundscheck=True)(copy)
    for name, value in _used(function):
        if isinstance(value, FunctionType) and name in known:
            known[name] = _native(value, numba, made)
    for cell in cells:
        if isinstance(cell.cell_contents, FunctionType):
            cell.cell_contents = _native(cell.cell_contents, numba, made)
    return native


def _told(error: Exception) -> str:
    """The lines of Numba's message that say what is wrong, not where inside Numba."""
    if isinstance(error, KeyError):
        return f"there is no field {error} in the state or among the arguments"
    lines = [line.strip() for line in str(error).splitlines()]
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
        source.name, source.state.descr, source.arguments.descr, source.max_moves,
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
        if isinstance(value, FunctionType):
            yield from _written(value, seen)
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
