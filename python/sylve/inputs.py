"""Reading what others wrote: files are refused by their size, JSON by what it would cost.

The limits are in docs/records.md. Up to them, reading takes time in proportion to the text, and at
most ten bytes of memory for each byte of it.
"""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Any

from sylve.errors import quote

# A value costs up to 85 bytes, with its place in a list: a short text that is not Latin-1.
FREE_VALUES = 50_000  # values that a text of JSON may hold in any case
BYTES_A_VALUE = 10  # and one more for each so many characters
CHUNK = 1 << 20
DIGITS = 100  # of a number; a 64-bit word has 20, the longest double that Python writes 24
NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
SURROGATE = re.compile("[\ud800-\udfff]")
ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
# What may be no number of ours: too many digits, or an exponent beyond any double.
UNUSUAL_NUMBER = re.compile(rf"(?<![0-9])[0-9]{{{DIGITS + 1}}}|[eE]\+?[0-9]{{3}}")


def read_bytes(path: str | os.PathLike[str], largest: int) -> bytes:
    """The content of a file that is not larger than it may be; else nothing of it is read."""
    with Path(path).open("rb") as file:
        left = -1 if os.fstat(file.fileno()).st_size > largest else largest
        parts = []
        # A pipe has no size, and a file may grow.
        while left >= 0 and (part := file.read(min(left + 1, CHUNK))):
            parts.append(part)
            left -= len(part)
    if left < 0:
        raise ValueError(f"{Path(path).name} is larger than {shown_size(largest)}")
    return b"".join(parts)


def read_text(path: str | os.PathLike[str], largest: int) -> str:
    """The text of a file in UTF-8 that is not larger than it may be."""
    return read_bytes(path, largest).decode("utf-8")


def shown_size(size: int) -> str:
    """A limit as people write it: `32 MiB`."""
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def read_json(text: str) -> Any:
    """The value of a text of JSON: every number finite, and not much more memory than text."""
    check_unicode(text)
    count_values(text)
    unusual = UNUSUAL_NUMBER.search(text)
    try:
        value = json.loads(
            text,
            parse_constant=refuse_number,
            # The hooks are slow, and nearly never needed.
            parse_int=whole_number if unusual else None,
            parse_float=finite_number if unusual else None,
        )
        if ESCAPED_SURROGATE.search(text):  # two of them are a character, one is none
            check_unicode(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return value


def check_unicode(text: str) -> None:
    """Refuse a text that cannot be written to a file."""
    if strange := SURROGATE.search(text):
        raise ValueError(f"{strange[0]!r} is half of a character")


def count_values(text: str) -> None:
    """Refuse a text that would be many times as large in memory as it is long."""
    most = FREE_VALUES + len(text) // BYTES_A_VALUE
    # One by one: a text without what is quoted would be made of millions of pieces.
    if marks(text) > most and marks(text) - sum(marks(m[0]) for m in QUOTED.finditer(text)) > most:
        raise ValueError(f"more than {most} values are too many for {len(text)} characters")


def marks(text: str) -> int:
    """The characters before which or after which a value stands, in texts too."""
    return text.count(",") + text.count("[") + text.count("{")


def whole_number(digits: str) -> int:
    """A whole number of JSON."""
    return int(digits) if len(digits) <= DIGITS + 1 else refuse_number(digits)


def finite_number(digits: str) -> float:
    """Another number of JSON."""
    value = float(digits) if len(digits) <= 10 * DIGITS else math.inf
    return value if math.isfinite(value) else refuse_number(digits)


def read_number(text: str) -> float:
    """A number as people write it: ASCII digits, finite, without the `_` of programs."""
    if not NUMBER.fullmatch(text):
        raise ValueError(f"expected a number, found {quote(text)}")
    return finite_number(text)


def refuse_number(digits: str) -> Any:
    """Raise the error for NaN, Infinity and what is too long or too large."""
    shown = digits if len(digits) <= 40 else f"{digits[:40]}..."
    raise ValueError(f"expected a finite number of at most {DIGITS} digits, found {shown}")
