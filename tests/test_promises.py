"""Every promise of docs/promises.md names tests and planted faults that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in (ROOT / "docs/promises.md").read_text().splitlines()
    if re.match(r"\| R\d+", line)
]


def test_there_are_promises() -> None:
    numbers = [row[0] for row in ROWS]
    assert numbers == sorted(set(numbers), key=lambda number: int(number[1:]))
    assert len(numbers) >= 19


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_promise_is_held(row: list[str]) -> None:
    _, promise, measured, tests, faults = row
    assert promise
    assert measured
    named = re.findall(r"`(\w+)\.py`: ([\w`, ]+)", tests)
    assert named, tests
    for file, functions in named:
        source = (ROOT / f"tests/{file}.py").read_text()
        for function in re.findall(r"`(\w+)`", functions):
            assert f"def {function}(" in source, f"{file}.py has no {function}"
    planted = re.findall(r"`(\w+)`", faults)
    assert planted
    for fault in planted:
        assert (ROOT / f"tests/faults/{fault}.patch").is_file(), fault
