"""Without the compiled half: the Python engine answers, and what needs the other says so."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sylve
from sylve import _core

ROOT = Path(__file__).parents[1]
HIDDEN = """
import sys
sys.modules["sylve._core"] = None  # as if it were not there
sys.argv[0] = "sylve"
from sylve.cli import main
main()
"""


def without(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", HIDDEN, *words]
    return subprocess.run(command, input=said, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "--playouts", "50"],
        ["analyze", "tic_tac_toe", "--playouts", "50"],
        ["solve", "tic_tac_toe", "--moves", "b2a1"],
        ["perft", "tic_tac_toe", "3"],
        ["compare", "tic_tac_toe", "--playouts", "20"],
    ],
    ids=lambda words: words[0],
)
def test_auto_falls_back_with_one_line(words: list[str]) -> None:
    ran = without(*words)
    assert ran.returncode == 0, ran.stderr
    (said,) = ran.stderr.splitlines()
    assert "the compiled engine is not installed" in said
    assert "https://rustup.rs" in said


@pytest.mark.parametrize(
    "words",
    [
        ["bench", "tic_tac_toe"],
        ["perft", "tic_tac_toe", "3", "--engine", "rust"],
        ["analyze", "tic_tac_toe", "--engine", "rust"],
        ["solve", "tic_tac_toe", "--engine", "rust"],
        ["table", "build", "breakthrough(columns=2, rows=4)", "--out", "never.table"],
        ["serve", "--no-browser"],
    ],
    ids=lambda words: words[0],
)
def test_what_needs_it_says_so(words: list[str]) -> None:
    ran = without(*words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "needs the compiled engine, which is not installed: install Rust" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_gtp_answers_in_python() -> None:
    ran = without("gtp", "--game", "tic_tac_toe", "--how", "uct(50)", said="genmove b\nquit\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("= ")


def test_the_version_is_said_once_and_the_same_everywhere() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    assert sylve.__version__ == cargo == _core.__version__
    assert without("--version").stdout == f"sylve {cargo}\n"
