"""The wheel installs into an empty environment and works away from the sources."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds."""
    folder = tmp_path_factory.mktemp("a wheel")
    subprocess.run(["make", "wheel", f"DIST={folder}"], cwd=ROOT, check=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.mark.long
def test_name_and_contents(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        contents = {name: archive.read(name) for name in names}
    for wanted in ("py.typed", "_core.pyi", "_core.abi3.so", "__init__.py"):
        assert f"sylve/{wanted}" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"sylve"}
    assert not [name for name in names if "test" in name or name.endswith((".rs", ".pyc"))]
    # Nothing in it says on which machine it was built.
    cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    for folder in (str(ROOT), cargo):
        assert not [name for name in names if folder.encode() in contents[name]]


@pytest.mark.long
def test_installs_and_runs(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "a path with blanks"
    python = home / "venv/bin/python"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def output(*command: str | Path) -> str:
        done = subprocess.run(
            command, cwd=home, env=clean, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    home.mkdir()
    subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True)
    output(python, "-m", "pip", "install", "--quiet", wheel)
    version = wheel.name.split("-")[1]
    assert output(home / "venv/bin/sylve", "--version") == f"sylve {version}\n"
    script = """
import sylve, sylve._core
print(sylve.__file__)
print(sylve.Position.start("tic_tac_toe").play("b2"))
print(sylve._core.Position("tic_tac_toe").perft(9), sylve._core.__version__)
"""
    where, *board, last = output(python, "-c", script).splitlines()
    assert Path(where).is_relative_to(home)
    assert board[2] == " 2 . x ."
    assert last == f"127872 {version}"
