"""The wheel installs into an empty environment and works away from the sources."""

import os
import re
import shlex
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from test_readme import commands

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
def test_runs_on_every_linux_since_2014(wheel: Path) -> None:
    """As auditwheel says, from the symbols that the file asks of the system."""
    assert "manylinux2014_" in wheel.name
    command = [ROOT / ".venv/bin/python", "-m", "auditwheel", "show", wheel]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.search(r'platform tag:\s+"manylinux_2_(5|12|17)_', said), said


def pythons() -> list[str]:
    """Every Python of this machine that the package is for, by its version."""
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 15)]
    return [path for path in found if path and works(path)]


def works(python: str) -> bool:
    """Whether it can make environments: a name may be there without a Python (pyenv)."""
    return subprocess.run([python, "-c", "import venv"], capture_output=True).returncode == 0


@pytest.mark.long
@pytest.mark.parametrize("python", pythons())
def test_installs_and_runs(wheel: Path, python: str, tmp_path: Path) -> None:
    """Without a compiler; then every command of the README runs."""
    home = tmp_path / "a path with blanks"
    own = home / "venv/bin/python"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    clean["PATH"] = f"{home / 'venv/bin'}:/usr/bin:/bin"
    clean["CC"] = "/no/compiler"

    def output(*command: str | Path) -> str:
        done = subprocess.run(
            command, cwd=home, env=clean, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout

    home.mkdir()
    subprocess.run([python, "-m", "venv", home / "venv"], check=True)
    output(own, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel)
    version = wheel.name.split("-")[1]
    assert output(home / "venv/bin/sylve", "--version") == f"sylve {version}\n"
    script = """
import sylve, sylve._core
print(sylve.__file__)
print(sylve.Position.start("tic_tac_toe").play("b2"))
print(sylve._core.Position("tic_tac_toe").perft(9), sylve._core.__version__)
"""
    where, *board, last = output(own, "-c", script).splitlines()
    assert Path(where).is_relative_to(home)
    assert board[2] == " 2 . x ."
    assert last == f"127872 {version}"
    for line in commands():
        assert output(home / "venv/bin/sylve", *shlex.split(line)[1:]), line


@pytest.mark.long
def test_the_sources_build_into_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """The sdist has docs, tests and examples, absolute links if asked for, and all of the wheel."""
    command = ["make", "sdist", f"DIST={tmp_path}", "URL=https://example.org/sylve"]
    subprocess.run(command, cwd=ROOT, check=True)
    (path,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path / "sources", filter="data")
    (sources,) = (tmp_path / "sources").iterdir()
    for wanted in ("docs/searches.md", "docs/site/build.py", "tests/test_wheel.py",
                   "examples/own_game.py", "LICENSE", "Cargo.lock"):  # fmt: skip
        assert (sources / wanted).is_file(), wanted
    assert "](https://example.org/sylve/docs/" in (sources / "README.md").read_text()
    maturin = [ROOT / ".venv/bin/maturin", "build", "--release", "--quiet", "--out", tmp_path]
    subprocess.run(maturin, cwd=sources, check=True)
    (built,) = tmp_path.glob("*.whl")
    assert names_in(built) == names_in(wheel)


def names_in(wheel: Path) -> set[str]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())
