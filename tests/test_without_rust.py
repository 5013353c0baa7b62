"""Without the compiled half: the Python engine answers, and what needs the other says so."""

import shutil
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


@pytest.mark.long
def test_make_without_a_toolchain(tmp_path: Path) -> None:
    """From a copy of the sources with no cargo in sight: the demo, then the tests that can run."""
    copy = tmp_path / "sylve"
    subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("make", "sh", "awk", "cat", "cut", "env", "find", "git", "rm", "touch", "uname"):
        (tools / tool).symlink_to(Path(shutil.which(tool) or tool))
    (tools / "python3").symlink_to(sys.executable)
    hidden = {"PATH": str(tools), "HOME": str(tmp_path), "LANG": "C.UTF-8"}

    def make(target: str) -> subprocess.CompletedProcess[str]:
        command = [tools / "make", target, f"PYTHON={sys.base_prefix}/bin/python3"]
        return subprocess.run(command, cwd=copy, env=hidden, capture_output=True, text=True)

    ran = make("run")
    assert ran.returncode == 0, ran.stderr
    assert "without a Rust toolchain, searches are some 200 times slower" in ran.stdout
    assert ran.stderr.count("https://rustup.rs") == 1
    tested = make("test")
    assert tested.returncode == 0, tested.stdout
    assert "left out, since they need the compiled half" in tested.stdout
    assert "Left out, for want of a Rust toolchain: cargo test" in tested.stdout
