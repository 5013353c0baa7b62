"""The plain C yardstick: c/playouts.c, compiled here and now for this machine."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent / "c" / "playouts.c"
FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]


def compiler() -> str:
    """The compiler and its flags, or that there is none."""
    if shutil.which("cc") is None:
        return "no compiler cc: not measured"
    answer = subprocess.run(["cc", "--version"], check=True, capture_output=True, text=True)
    return f"{answer.stdout.splitlines()[0]}, {' '.join(FLAGS[:2])}"


@cache
def library() -> ctypes.CDLL | None:
    """The compiled code, or None without a compiler."""
    if shutil.which("cc") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "playouts.so"
        subprocess.run(["cc", *FLAGS, "-o", str(target), str(SOURCE)], check=True)
        return ctypes.CDLL(str(target))  # stays loaded when the file is gone


def playouts(name: str) -> Callable[[int, int], tuple[int, int, int]] | None:
    """Like `Position.playouts(seed, count)`: won by the first player, drawn, won by the second."""
    code = library()
    if code is None:
        return None
    function = getattr(code, name)
    function.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64 * 3]
    function.restype = None

    def play(seed: int, count: int) -> tuple[int, int, int]:
        results = (ctypes.c_uint64 * 3)()
        function(seed, count, results)
        return results[0], results[1], results[2]

    return play
