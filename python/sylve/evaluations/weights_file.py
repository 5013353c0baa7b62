"""Files of learned weights: a line of JSON that says what they are, then the weights, compressed.

    bytes      what
    8          SYLVEPAT
    2          the version, 1
    2          zeros
    4          the length of the JSON
    32         the SHA-256 of the JSON and of the weights as they are before they are compressed
    so many    the JSON: size, first, width, unit, stages, patterns, about
    the rest   the weights, 16 bits each: first the low bytes of all, then the high bytes; by zlib

Numbers are little-endian. A weight that mirror images share is there once (patterns.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from sylve.errors import quote_value
from sylve.evaluations.patterns import Family, Patterns, families_of
from sylve.files import write_whole
from sylve.inputs import read_bytes, read_json

MAGIC = b"SYLVEPAT"
VERSION = 1
HEADER = struct.Struct("<8sHHI32s")
LARGEST = 16 << 20  # bytes of a file
MOST_STAGES = 64
KEYS = ("size", "first", "width", "unit", "stages", "patterns", "about")
LIMITS = {
    "size": (4, 8),
    "first": (0, 64),
    "width": (1, 64),
    "unit": (1, 1000),
    "stages": (1, MOST_STAGES),
}


class InvalidWeights(ValueError):
    """A file that holds no weights, or a damaged one.

    >>> from pathlib import Path
    >>> from sylve.evaluations.weights_file import read_weights
    >>> _ = Path("no.weights").write_bytes(b"anything else")
    >>> read_weights("no.weights")
    Traceback (most recent call last):
    sylve.evaluations.weights_file.InvalidWeights: no.weights: no weights: it does not begin with \
b'SYLVEPAT'
    """


def write_weights(path: str | os.PathLike[str], patterns: Patterns) -> str:
    """Write a file, whole or not at all; its SHA-256, as `checksum` gives it."""
    text, raw = contents(patterns)
    header = HEADER.pack(MAGIC, VERSION, 0, len(text), hashlib.sha256(text + raw).digest())
    write_whole(path, (header, text, zlib.compress(raw, 9)))
    return checksum(patterns)


def checksum(patterns: Patterns) -> str:
    """The SHA-256 of weights and of what is said about them, however they are compressed."""
    return hashlib.sha256(b"".join(contents(patterns))).hexdigest()


def contents(patterns: Patterns) -> tuple[bytes, bytes]:
    """The JSON and the weights before they are compressed."""
    described = {
        "size": patterns.size,
        "first": patterns.first,
        "width": patterns.width,
        "unit": patterns.unit,
        "stages": patterns.stages,
        "patterns": {family.name: cell_names(family) for family in patterns.families},
        "about": dict(patterns.about),
    }
    words = patterns.weights.astype("<i2")
    planes = words.reshape(-1).view(np.uint8).reshape(-1, 2).T
    return json.dumps(described, allow_nan=False).encode(), planes.tobytes()


def cell_names(family: Family) -> str:
    """The cells of a pattern, as people write them."""
    return " ".join(
        f"{'abcdefgh'[cell % family.size]}{cell // family.size + 1}" for cell in family.cells
    )


def read_weights(path: str | os.PathLike[str]) -> Patterns:
    """The weights of a file, checked."""
    name = Path(path).name
    try:
        data = read_bytes(path, LARGEST)
    except FileNotFoundError:
        raise
    except ValueError as error:
        raise InvalidWeights(str(error)) from None

    def refuse(problem: str) -> NoReturn:
        raise InvalidWeights(f"{name}: {problem}")

    if data[: len(MAGIC)] != MAGIC:
        refuse(f"no weights: it does not begin with {MAGIC!r}")
    if len(data) < HEADER.size:
        refuse("damaged: cut off within its header")
    _, version, _, length, digest = HEADER.unpack(data[: HEADER.size])
    if version != VERSION:
        refuse(f"version {version}; this program reads {VERSION}")
    text, packed = data[HEADER.size : HEADER.size + length], data[HEADER.size + length :]
    try:
        described = read_described(text)
        families = families_of(described["size"], tuple(described["patterns"].items()))
    except ValueError as error:
        refuse(f"damaged: {error}")
    count = sum(family.count for family in families)
    wanted = 2 * described["stages"] * count
    raw = unpacked(packed, wanted)
    if len(raw) != wanted or hashlib.sha256(text + raw).digest() != digest:
        refuse("damaged: the checksum of its weights is wrong")
    planes = np.frombuffer(raw, np.uint8).reshape(2, -1)
    words = np.ascontiguousarray(planes.T).view("<i2").astype(np.int16)
    return Patterns(
        size=described["size"],
        first=described["first"],
        width=described["width"],
        unit=described["unit"],
        families=families,
        weights=words.reshape(described["stages"], count),
        about=described["about"],
    )


def unpacked(packed: bytes, wanted: int) -> bytes:
    """The bytes before they were compressed, or nothing like them; never many more than wanted."""
    reader = zlib.decompressobj()
    try:
        raw = reader.decompress(packed, wanted + 1)
    except zlib.error:
        return b""
    return raw if reader.eof and not reader.unused_data else b""


def read_described(text: bytes) -> dict[str, Any]:
    """What the JSON says, or a ValueError."""
    found = read_json(text.decode())
    if not isinstance(found, dict) or set(found) != set(KEYS):
        raise ValueError(f"expected {', '.join(KEYS)}")
    for key, (low, high) in LIMITS.items():
        number = found[key]
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ValueError(f"{key} must be from {low} to {high}, not {quote_value(number)}")
    patterns, about = found["patterns"], found["about"]
    texts = isinstance(patterns, dict) and all(
        isinstance(cells, str) for cells in patterns.values()
    )
    if not texts or not isinstance(about, dict):
        raise ValueError("patterns must be texts by name")
    return found
