"""The machine code of compiled games: kept in files, found again by what decides it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compiled_games import ConnectFour, Domineering
from sylve.native import machine_code


def test_kept_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYLVE_CACHE", str(tmp_path))
    source = Domineering.source
    machine_code.build(source)
    (path,) = tmp_path.iterdir()

    def never(*_: Any) -> Any:
        raise AssertionError("compiled again")

    with monkeypatch.context() as patched:
        patched.setattr(machine_code, "_compile", never)
        assert machine_code.build(source).address
    path.write_bytes(path.read_bytes()[:100])
    assert machine_code.build(source).address
    assert path.stat().st_size > 100


def test_kept_code_knows_what_decides_it() -> None:
    import numba

    def mark(cls: Any) -> str:
        return machine_code.fingerprint(cls.source, numba)

    def changed(text: str, other: str) -> Any:
        path = Path(__file__).parents[1] / "examples" / "own" / "connect_four.py"
        source = path.read_text()
        assert text in source
        space: dict[str, Any] = {"__name__": __name__}
        exec(compile(source.replace(text, other), "other", "exec", dont_inherit=True), space)
        return space["ConnectFour"]

    assert mark(changed("result", "result")) == mark(ConnectFour)
    for text, other in [
        ("s.stones += 1", "s.stones += 2"),
        ("length >= 4", "length >= 3"),  # in a helper
        ("SIZE = 0, 8", "SIZE = 0, 9"),  # a constant
        ("max_moves = SIZE", "max_moves = 20"),
    ]:
        assert mark(changed(text, other)) != mark(ConnectFour)


def test_a_class_without_a_file() -> None:
    code = (
        "import numpy as np, sylve\n"
        "@sylve.compiled\n"
        "class Take:\n"
        "    state = np.dtype([('left', np.int8), ('turn', np.int8)], align=True)\n"
        "    max_moves = 2\n"
        "    def start(self, s): s.left = 5\n"
        "    def turn(self, s): return s.turn\n"
        "    def outcome(self, s): return 2 - s.turn if s.left == 0 else 0\n"
        "    def moves(self, s, out):\n"
        "        out[0] = 1\n"
        "        out[1] = 2\n"
        "        return min(2, s.left)\n"
        "    def play(self, s, move):\n"
        "        s.left -= move\n"
        "        s.turn = 1 - s.turn\n"
        "report = sylve.search(Take(), sylve.Uct(500, seed=1))\n"
        "print(report.best, report.engine)\n"
    )
    command = [sys.executable, "-c", code]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (said.stdout, said.stderr) == ("2 rust\n", "")
