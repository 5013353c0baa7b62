"""The signature: equal for both engines, every processor level, and the number in the repo."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import DATA

SYLVE = Path(sys.executable).with_name("sylve")
EXPECTED = (DATA / "signature.txt").read_text().strip()


def signature(*arguments: str, **environment: str) -> str:
    return subprocess.run(
        [SYLVE, "signature", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    ).stdout.strip()


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_rust(hash_seed: str) -> None:
    assert signature(PYTHONHASHSEED=hash_seed) == EXPECTED


def test_rust_without_newer_instructions() -> None:
    assert signature(SYLVE_CPU="portable") == EXPECTED


def test_python() -> None:
    assert signature("--engine", "python") == EXPECTED
