"""Small helpers: searches with seeds, random positions, rows taken apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sylve.lab.experiment import Row, Rows
from sylve.position import Position
from sylve.rng import Rng, hash_words
from sylve.search import Flat, Search, parse_search
from sylve.search.run import search


def seeded(text: str, *words: int) -> Search:
    """A search with a seed that is a hash of these numbers."""
    how = parse_search(text)
    assert isinstance(how, Search)
    return replace(how, seed=hash_words(words))


def random_position(game: str, plies: tuple[int, int], seed: int, number: int) -> Position:
    """A position with a choice, so many random plies from the start; a stream for each number."""
    rng = Rng.stream(hash_words((seed, number)), 0)
    low, high = plies
    while True:
        position = Position.start(game)
        for _ in range(low + rng.below(high - low + 1)):
            if position.outcome is None:
                position = position.play(position.moves[rng.below(len(position.moves))])
        if position.outcome is None and len(position.moves) > 1:
            return position


def playout_means(position: Position, per_move: int, *words: int) -> dict[int, float]:
    """What each move is worth in random play: its mean over so many playouts."""
    how = Flat(per_move * len(position.moves), seed=hash_words(words))
    return {entry.move: entry.mean or 0.0 for entry in search(position, how).moves}


def where(rows: Rows, **wanted: Any) -> list[Row]:
    """The rows with these values."""
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def values(rows: Iterable[Row], name: str) -> list[Any]:
    """The different values of a column, in the order in which they appear."""
    return list(dict.fromkeys(row[name] for row in rows if name in row))


def average(rows: Rows, name: str) -> float:
    """The mean of a column."""
    return float(sum(row[name] for row in rows) / len(rows))


def column(rows: Iterable[Row], name: str) -> list[Any]:
    """A column."""
    return [row[name] for row in rows]
