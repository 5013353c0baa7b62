"""Amounts of memory as people write them, "256MiB"; and blocks that go back to the system."""

from __future__ import annotations

import re
from functools import cache

from sylve.errors import shown

UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 10**3, "MB": 10**6, "GB": 10**9}
LEAST = 1 << 16
"""Bytes: a root and a few nodes of any game."""


def read_memory(memory: str | int) -> int:
    """A number of bytes, from "256MiB" or from a whole number."""
    amount: int | None = None
    if isinstance(memory, int) and not isinstance(memory, bool):
        amount = memory
    elif isinstance(memory, str):
        match = re.fullmatch(r"\s*([0-9]{1,15})\s*([kKMG]i?B)\s*", memory, re.ASCII)
        if match and match[2] in UNITS:
            amount = int(match[1]) * UNITS[match[2]]
    if amount is None or not LEAST <= amount <= 1 << 62:
        raise ValueError(
            f"memory must be at least 64KiB, such as '256MiB' or '2GiB' or a number of bytes,"
            f" not {shown(memory)}"
        )
    return amount


M_MMAP_THRESHOLD = -3  # of glibc's malloc.h
LARGE = 1 << 20


@cache
def map_large_blocks() -> None:
    """Have the C library give large blocks back to the system as soon as they are freed.

    A tree grows by moving to larger blocks. By default glibc keeps freed blocks of up to 32 MiB,
    in a heap for each thread: two threads with a bound of 64 MiB took up to 101 MiB.
    """
    import ctypes

    try:
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
    except (AttributeError, OSError, TypeError):
        return  # another C library, without this default
