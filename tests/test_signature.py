"""The signature: equal for both engines, every processor level, and the number in the repo."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import DATA
from sylve.search.text import ALPHA_BETA, SEARCHES

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


def test_every_search_counts() -> None:
    signed = json.loads(signature("--json"))
    assert signed["signature"] == EXPECTED
    assert {text.partition("(")[0] for text in signed["searches"]} == {*SEARCHES, *ALPHA_BETA}
    numbers = [*signed["games"].values(), *signed["searches"].values()]
    assert len(numbers) == len(set(numbers))


def test_as_a_module() -> None:
    command = [sys.executable, "-m", "sylve", "signature"]
    assert subprocess.check_output(command, text=True).strip() == EXPECTED
