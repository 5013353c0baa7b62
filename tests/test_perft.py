"""Perft counts, from the data files, on both engines."""

import pytest

from helpers import Perft, perft_lines
from sylve import Position, _core
from sylve.perft import perft

RUST_NODES = 50_000_000  # deeper lines are in the long tests
PYTHON_NODES = 200_000


def counts_within(line: Perft, nodes: int) -> list[tuple[int, int]]:
    return [(depth, n) for depth, n in enumerate(line.counts, 1) if n <= nodes]


@pytest.mark.parametrize("line", perft_lines(), ids=lambda line: f"{line.game}-{line.finished}")
def test_rust(line: Perft) -> None:
    position = _core.Position(line.game, line.position)
    for depth, expected in counts_within(line, RUST_NODES):
        assert position.perft(depth, line.finished == "leaf") == expected, depth


@pytest.mark.long
@pytest.mark.parametrize("line", perft_lines(), ids=lambda line: f"{line.game}-{line.finished}")
def test_rust_deep(line: Perft) -> None:
    position = _core.Position(line.game, line.position)
    for depth, expected in enumerate(line.counts, 1):
        assert position.perft(depth, line.finished == "leaf") == expected, depth


@pytest.mark.parametrize("line", perft_lines(), ids=lambda line: f"{line.game}-{line.finished}")
def test_python(line: Perft) -> None:
    position = Position.start(line.game)
    if line.position:
        position = Position.parse(line.game, line.position)
    for depth, expected in counts_within(line, PYTHON_NODES):
        assert perft(position, depth, line.finished, engine="python") == expected, depth
