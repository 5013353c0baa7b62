"""Every fault can still be planted and names a test that exists; `make test-faults` runs them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

from conftest import COLLECTED
from faults.run import PATCHES, ROOT, read_header


@pytest.fixture(scope="module")
def python_tests(request: pytest.FixtureRequest) -> list[str]:
    """The name of every test."""
    here = request.config.stash[COLLECTED]
    files = {Path(name.partition("::")[0]).name for name in here}
    if files >= {path.name for path in (ROOT / "tests").glob("test_*.py")}:
        return here
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if "::" in line]


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES.keys())
def test_the_patch_applies(patch: Path) -> None:
    command = ["git", "apply", "--check", str(patch)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"make it again (CONTRIBUTING.md): {done.stderr}"


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES.keys())
def test_it_names_an_existing_test(patch: Path, python_tests: list[str]) -> None:
    words = shlex.split(read_header(patch)[1])
    if words[0] == "fuzz":
        assert words[1] in run_path(str(ROOT / "fuzz/run.py"))["targets"]()
    elif words[:2] == ["cargo", "test"]:
        sources = "".join(path.read_text() for path in (ROOT / "crates").rglob("*.rs"))
        name = words[-1].split("::")[-1]
        assert re.search(rf"fn \w*{name}", sources)
    else:
        test, *option = words
        assert option[:1] in ([], ["-k"])
        wanted = option[1].split(" and ") if option else []  # of -k only this form
        assert any(t.startswith(test) and all(w in t for w in wanted) for t in python_tests)


def test_there_are_faults() -> None:
    assert len(PATCHES) > 10
