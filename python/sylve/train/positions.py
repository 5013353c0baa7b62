"""From games to positions: what the fit learns from, and what it is checked with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sylve.engine import compiled_half
from sylve.games.board import square_symmetries
from sylve.train.games import Game

ONES = 0x0101_0101_0101_0101
"""A one in each byte."""
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Positions:
    """Boards as two sets of cells, seen by the side to move, and how their games ended for it."""

    own: Words
    other: Words
    result: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.own)

    @property
    def discs(self) -> npt.NDArray[np.int64]:
        """The number of discs on each board."""
        return count_bits(self.own | self.other)

    def where(self, wanted: npt.NDArray[np.bool_]) -> Positions:
        """Some of them."""
        return Positions(self.own[wanted], self.other[wanted], self.result[wanted])

    def keys(self, size: int) -> Words:
        """A number for each board, the same for all its turned and mirrored images."""
        lowest = np.full(len(self), np.iinfo(np.uint64).max, np.uint64)
        for way in square_symmetries(size):
            own, other = (moved(words, way) for words in (self.own, self.other))
            lowest = np.minimum(lowest, mixed(mixed(own) ^ other))
        return lowest


def count_bits(words: Words) -> npt.NDArray[np.int64]:
    """How many bits are set: pairs are counted at once, then fours, then bytes."""
    pairs, fours, bytes_ = (np.uint64(ONES * pattern) for pattern in (0x55, 0x33, 0x0F))
    words = words - (words >> np.uint64(1) & pairs)
    words = (words & fours) + (words >> np.uint64(2) & fours)
    words = words + (words >> np.uint64(4)) & bytes_
    return (words * np.uint64(ONES) >> np.uint64(56)).astype(np.int64)


def moved(words: Words, way: tuple[int, ...]) -> Words:
    """Sets of cells, turned or mirrored."""
    out = np.zeros_like(words)
    for to, cell in enumerate(way):
        out |= (words >> np.uint64(cell) & np.uint64(1)) << np.uint64(to)
    return out


def mixed(words: Words) -> Words:
    """Numbers well stirred, as in splitmix64: different ones stay different."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def split(games: Iterable[Game], spare: int) -> tuple[list[Game], list[Game]]:
    """The games to learn from, and those that are held out: one in `spare`, by a hash of its moves.

    A game that was played twice is there once.
    """
    once = {game[1]: game for game in games}
    learnt: list[Game] = []
    held: list[Game] = []
    for moves, game in once.items():
        number = int.from_bytes(hashlib.sha256(moves.encode()).digest()[:8], "little")
        (held if number % spare == 0 else learnt).append(game)
    return learnt, held


def positions_of(games: list[Game], size: int) -> Positions:
    """The positions from the last random move on, without the end of the game.

    Before it, the moves to come say little about the position.
    """
    boards = compiled_half("training").othello_boards
    found, results = [], []
    for random, moves, result in games:
        data = np.frombuffer(boards(size, bytes.fromhex(moves)), "<u8").reshape(-1, 2)
        turn = sides(data)
        found.append(data[random:-1])
        results.append((result * turn)[random:-1])
    both = np.concatenate([*found, np.zeros((0, 2), np.uint64)])
    result = np.concatenate([*results, np.zeros(0, np.int64)]).astype(np.int8)
    own, other = (np.ascontiguousarray(both[:, side]).astype(np.uint64) for side in (0, 1))
    return Positions(own, other, result)


def sides(data: Words) -> npt.NDArray[np.int64]:
    """1 where x is to move, -1 where o is: a pass is a move too, so that they alternate."""
    return 1 - 2 * (np.arange(len(data)) % 2)


def without(positions: Positions, known: Positions, size: int) -> Positions:
    """The positions that are not among the known ones, nor their images; each once."""
    keys = positions.keys(size)
    first = np.zeros(len(keys), bool)
    first[np.unique(keys, return_index=True)[1]] = True
    return positions.where(first & ~np.isin(keys, known.keys(size)))
