"""States of a compiled game in Python: bytes with named fields."""

from __future__ import annotations

from typing import Any

import numpy as np


class State:
    """A state of a compiled game: immutable, hashable, its fields can be read.

    >>> import numpy as np
    >>> from sylve.native.records import State
    >>> heap = np.dtype([("matches", np.int16), ("turn", np.int8)], align=True)
    >>> state = State(heap, np.array([(7, 1)], heap).tobytes())
    >>> state.matches, state
    (7, State(matches=7, turn=1))
    """

    __slots__ = ("data", "dtype")
    data: bytes
    dtype: np.dtype[Any]

    def __init__(self, dtype: np.dtype[Any], data: bytes) -> None:
        object.__setattr__(self, "dtype", dtype)
        object.__setattr__(self, "data", data)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a state is immutable: cannot set {name!r}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(Record(self.dtype, self.data), name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return bool(self.data == other.data and self.dtype == other.dtype)

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        fields = (f"{name}={_plain(getattr(self, name))}" for name in self.dtype.names or ())
        return f"State({', '.join(fields)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.dtype, self.data)


class Record:
    """What a method of a compiled game sees when it runs in plain Python.

    Numbers are read as Python's own: Numba computes with 64 bits, not with those of the field.
    """

    __slots__ = ("_array",)

    def __init__(self, dtype: np.dtype[Any], data: bytes | bytearray) -> None:
        """`data` of bytes can be read only; a bytearray is written to."""
        object.__setattr__(self, "_array", np.frombuffer(data, dtype, 1))

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._array[name][0]
        except ValueError:
            names = ", ".join(self._array.dtype.names)
            raise AttributeError(f"the state has no field {name!r}: it has {names}") from None
        if isinstance(value, (np.ndarray, np.uint64)):
            return value
        return value.item()

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self._array.dtype.names:
            names = ", ".join(self._array.dtype.names)
            raise AttributeError(f"the state has no field {name!r}: it has {names}")
        if not self._array.flags.writeable:
            raise ValueError(f"only start() and play() may change the state, not set {name!r}")
        self._array[name][0] = value


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def padded(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields in whole words of 8 bytes."""
    size = max(8, -(-dtype.itemsize // 8) * 8)
    if dtype.itemsize == size:
        return dtype
    fields: Any = dtype.fields
    names = list(dtype.names or ())
    return np.dtype(
        {
            "names": names,
            "formats": [fields[name][0] for name in names],
            "offsets": [fields[name][1] for name in names],
            "itemsize": size,
            "aligned": True,
        }
    )
