"""Othello: discs that can never be turned, whatever is played.

A disc is turned along one of four lines: its row, its column, its two diagonals. It is safe along a
line that is full, along one that ends at its own cell, and beside a stable disc of its own colour.
On an edge every way to fill it is tried: there the answer is exact. Elsewhere what is found is
stable, but not all that is stable is found.
"""

from __future__ import annotations

from functools import cache, lru_cache

from sylve.games.board import EMPTY, STONES
from sylve.games.othello import Othello

Line = tuple[int, ...]


def stable_discs(game: Othello, board: str) -> set[int]:
    """The cells with a stable disc, of either colour."""
    stable: set[int] = set()
    for edge in edges(game.size):
        safe = stable_on_edge("".join(board[cell] for cell in edge))
        stable |= {edge[place] for place in safe}
    discs = [cell for cell, disc in enumerate(board) if disc != EMPTY]
    found = True
    while found:
        found = False
        for cell in discs:
            if cell not in stable and all(
                is_safe(board, line, cell, stable) for line in lines(game.size)[cell]
            ):
                stable.add(cell)
                found = True
    return stable


def is_safe(board: str, line: Line, cell: int, stable: set[int]) -> bool:
    """Whether the disc on a cell cannot be turned along one of its lines."""
    if cell in (line[0], line[-1]) or all(board[at] != EMPTY for at in line):
        return True
    place = line.index(cell)
    beside = (line[place - 1], line[place + 1])
    return any(at in stable and board[at] == board[cell] for at in beside)


@cache
def stable_on_edge(edge: str) -> frozenset[int]:
    """The places of an edge whose discs stay as they are however it is filled.

    Either side may put a disc on any empty cell: other lines may allow it.
    """
    stable = {place for place, disc in enumerate(edge) if disc != EMPTY}
    for place, disc in enumerate(edge):
        if disc == EMPTY:
            for stone in STONES:
                after = put(edge, place, stone)
                later = stable_on_edge(after)
                stable = {at for at in stable if at in later and after[at] == edge[at]}
    return frozenset(stable)


def put(edge: str, place: int, stone: str) -> str:
    """The edge after a disc, with what it turns."""
    after = list(edge)
    after[place] = stone
    for beyond in (range(place + 1, len(edge)), range(place - 1, -1, -1)):
        passed: list[int] = []
        for at in beyond:
            if edge[at] == stone:
                for turned in passed:
                    after[turned] = stone
            if edge[at] in (stone, EMPTY):
                break
            passed.append(at)
    return "".join(after)


@lru_cache
def edges(size: int) -> tuple[Line, ...]:
    """The four edges of a board."""
    cells, last = size * size, size - 1
    top, bottom = tuple(range(size)), tuple(range(cells - size, cells))
    return top, bottom, tuple(range(0, cells, size)), tuple(range(last, cells, size))


@lru_cache
def lines(size: int) -> tuple[tuple[Line, ...], ...]:
    """The four lines of each cell."""

    def line(cell: int, down: int, right: int) -> Line:
        row, column = divmod(cell, size)
        both = [(row + steps * down, column + steps * right) for steps in range(1 - size, size)]
        return tuple(r * size + c for r, c in both if 0 <= r < size and 0 <= c < size)

    return tuple(
        tuple(line(cell, down, right) for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)))
        for cell in range(size * size)
    )
