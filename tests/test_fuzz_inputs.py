"""Inputs that broke something once, and those that the fuzzer begins with: all pass its checks."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "fuzz/python"))
from checks import CHECKS  # noqa: E402
from seeds import SEEDS, WORDS  # noqa: E402

KEPT = sorted((ROOT / "tests/data/fuzz").glob("*/*"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_kept_inputs(path: Path) -> None:
    CHECKS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("target", CHECKS)
def test_seeds(target: str) -> None:
    seeds = SEEDS[target]()
    assert seeds
    for seed in seeds:
        CHECKS[target](seed)


def test_every_target_is_run() -> None:
    sys.path.insert(0, str(ROOT / "fuzz"))
    from run import PYTHON_TARGETS, targets

    assert set(PYTHON_TARGETS) == CHECKS.keys() == SEEDS.keys()
    assert WORDS.keys() <= CHECKS.keys()
    assert len(targets()) == len(set(targets()))
