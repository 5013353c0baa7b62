"""A learned evaluation: each pattern is some cells, and each way to fill them has a weight.

An edge of Othello with its two neighbours inside is ten cells. Each is empty, own or the other
side's, so that there are 3^10 = 59,049 ways to fill them. A game that is over says by how many
discs it was won; the weight of a way is what positions that have it add to that, on average and
beside all other patterns. The evaluation of a position is the sum of the weights of all its
patterns: it knows nothing else.

- A pattern lies on the board in up to eight ways, turned and mirrored: its instances, which share
  the weights. A pattern that is its own mirror image has one weight for both ways to read it. So
  positions that are turned or mirrored evaluate alike.
- A filled pattern is a number in base three, a digit for each cell, the first cell lowest: 0 empty,
  1 of the side to move, 2 of the other side.
- The game is cut into stages by the number of discs, and each has weights of its own.
- Weights are small integers, in a unit, so that sums are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from sylve.evaluations.arithmetic import Terms
from sylve.games.board import EMPTY, STONES, square_symmetries

Cells = tuple[int, ...]
Numbers = npt.NDArray[np.intp]

MOST_CELLS = 10
"""Of a pattern."""
MOST_INSTANCES = 48
"""Of all patterns together."""


@dataclass(frozen=True)
class Family:
    """A pattern on a board of some size, in all places where it lies."""

    name: str
    cells: Cells
    """Of the first instance."""
    size: int

    @cached_property
    def instances(self) -> tuple[Cells, ...]:
        """The cells of each, in the order of those of the first."""
        places: dict[frozenset[int], Cells] = {}
        for image in self.images():
            places.setdefault(frozenset(image), image)
        return tuple(places.values())

    def images(self) -> Iterator[Cells]:
        """The cells under each symmetry of the board; the first is the identity."""
        for way in square_symmetries(self.size):
            yield tuple(way[cell] for cell in self.cells)

    @cached_property
    def weight_of(self) -> Numbers:
        """Which weight each number has: ways to fill the cells that are mirror images share it."""
        numbers = np.arange(3 ** len(self.cells))
        lowest = numbers
        for image in self.images():
            if set(image) == set(self.cells):
                turned = np.zeros_like(numbers)
                for place, cell in enumerate(image):
                    turned += numbers // 3 ** self.cells.index(cell) % 3 * 3**place
                lowest = np.minimum(lowest, turned)
        of: Numbers = np.unique(lowest, return_inverse=True)[1].reshape(-1).astype(np.intp)
        return of

    @cached_property
    def count(self) -> int:
        """How many weights it has."""
        return int(self.weight_of.max()) + 1


@lru_cache
def families_of(size: int, patterns: tuple[tuple[str, str], ...]) -> tuple[Family, ...]:
    """Patterns by the names of their cells: `("edge", "a1 b1 c1")`. ValueError if one is none."""
    found = []
    for name, text in patterns:
        cells = tuple(cell_of(name, cell, size) for cell in text.split())
        if len(cells) > MOST_CELLS or len(set(cells)) < len(cells):
            raise ValueError(f"pattern {name!r}: expected at most {MOST_CELLS} cells, each once")
        found.append(Family(name, cells, size))
    if not 0 < sum(len(family.instances) for family in found) <= MOST_INSTANCES:
        raise ValueError(f"expected patterns with at most {MOST_INSTANCES} instances together")
    if len({family.name for family in found}) < len(found):
        raise ValueError("two patterns have the same name")
    return tuple(found)


def cell_of(pattern: str, text: str, size: int) -> int:
    """The number of a cell such as `b2`."""
    column, row = "abcdefgh".find(text[:1]), "12345678".find(text[1:])
    if len(text) != 2 or not (0 <= column < size and 0 <= row < size):
        raise ValueError(f"pattern {pattern!r}: {text!r} is no cell of a board of size {size}")
    return row * size + column


@dataclass(frozen=True)
class Patterns:
    """Patterns with their weights: an evaluation of Othello, in thousandths of a disc."""

    size: int
    """The side of the board."""
    first: int
    """The first stage begins with so many discs; positions with fewer belong to it too."""
    width: int
    """How many numbers of discs are one stage."""
    unit: int
    """What a weight of 1 is worth, in thousandths of a disc."""
    families: tuple[Family, ...]
    weights: npt.NDArray[np.int16]
    """By stage; in it by family, each weight once."""
    about: Mapping[str, object]
    """How they were found: nothing here depends on it."""

    @property
    def stages(self) -> int:
        """How many there are."""
        return len(self.weights)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where the weights of each family begin within a stage, and where the last ones end."""
        return tuple(np.cumsum([0, *(family.count for family in self.families)]).tolist())

    def stage(self, discs: int) -> int:
        """The stage of positions with so many discs."""
        return min(max(discs - self.first, 0) // self.width, self.stages - 1)

    def evaluate(self, board: str, own: str) -> tuple[int, Terms]:
        """The score for the side to move, whose discs are `own`, and that of each pattern."""
        digits = {EMPTY: 0, **{stone: 1 if stone == own else 2 for stone in STONES}}
        filled = [digits[cell] for cell in board]
        weights = self.weights[self.stage(len(board) - board.count(EMPTY))]
        terms = {}
        for family, start in zip(self.families, self.starts, strict=False):
            total = 0
            for cells in family.instances:
                number = sum(filled[cell] * 3**place for place, cell in enumerate(cells))
                total += int(weights[start + family.weight_of[number]])
            terms[family.name] = total * self.unit
        most = 1000 * len(board)  # nobody wins by more than the whole board
        return max(-most, min(most, sum(terms.values()))), terms

    def largest(self, count: int) -> list[tuple[float, int, str]]:
        """The ways to fill a pattern with the largest weights, each at the stage of its largest.

        For each: the weight in discs, the discs at which the stage begins, and the first place on
        the board, x to move; cells that are not of the pattern are blank.
        """
        best = np.abs(self.weights.astype(int)).max(axis=0)
        found = []
        for index in np.argsort(-best, kind="stable")[:count].tolist():
            stage = int(np.abs(self.weights[:, index].astype(int)).argmax())
            weight = int(self.weights[stage, index]) * self.unit / 1000
            found.append((weight, self.first + stage * self.width, self.drawn(index)))
        return found

    def drawn(self, index: int) -> str:
        """A board with the way to fill a pattern that has this weight of a stage."""
        family, start = next(
            (family, start)
            for family, start, end in zip(self.families, self.starts, self.starts[1:], strict=False)
            if start <= index < end
        )
        number = int(np.flatnonzero(family.weight_of == index - start)[0])
        cells = [" "] * self.size**2
        for place, cell in enumerate(family.cells):
            cells[cell] = f"{EMPTY}{STONES}"[number // 3**place % 3]
        rows = ("".join(cells[at : at + self.size]) for at in range(0, len(cells), self.size))
        return "\n".join(row.rstrip() for row in rows).rstrip("\n")

    def for_engine(self) -> tuple[int, int, int, int, list[tuple[str, list[bytes]]], bytes]:
        """What `sylve._core.Patterns` is made of: a weight for every number."""
        of = [
            start + family.weight_of
            for family, start in zip(self.families, self.starts, strict=False)
        ]
        every = self.weights[:, np.concatenate(of)].astype("<i2")
        places = [
            (family.name, [bytes(cells) for cells in family.instances]) for family in self.families
        ]
        return self.size, self.first, self.width, self.unit, places, every.tobytes()
