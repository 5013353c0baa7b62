"""Complete tables of small Breakthrough boards: files of one bit a position (docs/solving.md).

A position is quiet if no pawn of either side stands on its second-last row. The table knows who
wins each quiet position; from any other one, a step or two decide or lead to a quiet one.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sylve.engine import compiled_half
from sylve.files import write_whole
from sylve.game import Player
from sylve.games.breakthrough import Breakthrough
from sylve.position import Position

__all__ = ["BreakthroughTable", "InvalidTable", "build_table"]

MAGIC = b"SYLVETBL"
VERSION = 1
# Magic, version, columns, rows, zeros, positions, wins, bits, CRC-32 of the data; then a CRC-32 of
# these 44 bytes. Little-endian.
HEADER = struct.Struct("<8sHBB4xQQQII")
CHECKED = HEADER.size - 4


class InvalidTable(ValueError):
    """A file that is no table, or a damaged one.

    >>> from pathlib import Path
    >>> from sylve.tables import BreakthroughTable
    >>> _ = Path("no.table").write_bytes(b"anything else")
    >>> BreakthroughTable("no.table")
    Traceback (most recent call last):
    sylve.tables.InvalidTable: no.table: not a table: it does not begin with b'SYLVETBL'
    """


class View(NamedTuple):
    """A board seen by the side to move, who goes up: cells from its lower left corner."""

    cells: str
    columns: int
    rows: int

    def row(self, number: int) -> str:
        """The cells of a row."""
        return self.cells[number * self.columns : (number + 1) * self.columns]

    def turned(self) -> View:
        """The board seen by the other side: half a turn, and the pawns change names."""
        swapped = self.cells[::-1].translate(str.maketrans("xo", "ox"))
        return self._replace(cells=swapped)


def view(position: Position) -> View:
    """The position as its side to move sees it: own pawns are x."""
    game = position.game
    assert isinstance(game, Breakthrough)
    seen = View(position.state.board, game.columns, game.rows)
    return seen if position.turn == Player.FIRST else seen.turned()


def is_quiet(board: View) -> bool:
    """Whether no pawn of either side stands on its second-last row, or beyond."""
    above = board.row(board.rows - 2) + board.row(board.rows - 1)
    return "x" not in above and "o" not in board.row(0) + board.row(1)


def index(board: View) -> int:
    """The number of a quiet position: two rows of own pawns, two of theirs, base three between."""
    home = 2 * board.columns
    ours, middle, theirs = board.cells[:home], board.cells[home:-home], board.cells[-home:]
    number = 0
    for cell in reversed(middle):
        number = 3 * number + ".xo".index(cell)
    for cell in reversed(theirs):
        number = 2 * number + (cell == "o")
    for cell in reversed(ours):
        number = 2 * number + (cell == "x")
    return number


class BreakthroughTable:
    """A table file, mapped into memory: `with BreakthroughTable(path) as table: ...`.

    Opening checks the whole file against its checksum, which for 5 x 5 takes a few hundredths of a
    second; then a quiet position costs one access.

    >>> from sylve import Position
    >>> from sylve.tables import BreakthroughTable, build_table
    >>> position = Position.start("breakthrough(columns=3, rows=4)")
    >>> build_table(position.game, "small.table")
    >>> with BreakthroughTable("small.table") as table:
    ...     table.value(position)
    -1
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            start = file.read(HEADER.size)
            self._read_header(start, size)
            self.map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with memoryview(self.map) as whole, whole[HEADER.size :] as data:
            found = zlib.crc32(data)
        if found != self.checksum:
            self.map.close()
            raise InvalidTable(f"{self.path}: damaged: the checksum of its data is wrong")

    def _read_header(self, start: bytes, size: int) -> None:
        if start[: len(MAGIC)] != MAGIC:
            raise InvalidTable(f"{self.path}: not a table: it does not begin with {MAGIC!r}")
        if len(start) < HEADER.size:
            raise InvalidTable(f"{self.path}: damaged: cut off within its header")
        fields = HEADER.unpack(start)
        _, version, columns, rows, self.positions, self.wins, bits, self.checksum, own = fields
        if zlib.crc32(start[:CHECKED]) != own:
            raise InvalidTable(f"{self.path}: damaged: the checksum of its header is wrong")
        if version != VERSION:
            raise InvalidTable(f"{self.path}: version {version}; this program reads {VERSION}")
        self.game = Breakthrough(columns=columns, rows=rows)
        if bits != table_bits(self.game) or size != HEADER.size + -(-bits // 8):
            raise InvalidTable(f"{self.path}: damaged: {size:,} bytes are not what its header says")
        self.bits = bits

    def close(self) -> None:
        """Let go of the file."""
        self.map.close()

    def __enter__(self) -> BreakthroughTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def value(self, position: Position) -> int:
        """1 if the side to move wins, else -1; for every position of the game."""
        if position.game != self.game:
            raise ValueError(f"a table of {self.game}, given a position of {position.game}")
        if position.outcome is not None:
            return -1  # only the side that moved last can have won
        board = view(position)
        if "x" in board.row(board.rows - 2):
            return 1
        threats = board.row(1).count("o")
        if threats == 0:
            return self._quiet(board)
        # A pawn about to win must be captured; after that the position is quiet, or won.
        captures = [] if threats > 1 else captures_on_row_1(board)
        wins = any("x" not in after.cells or self._quiet(after) == -1 for after in captures)
        return 1 if wins else -1

    def _quiet(self, board: View) -> int:
        number = index(board)
        return 1 if self.map[HEADER.size + number // 8] >> (number % 8) & 1 else -1


def captures_on_row_1(board: View) -> list[View]:
    """The positions, for the other side to move, after each capture of the only enemy there."""
    target = board.columns + board.row(1).index("o")
    column = target - board.columns
    after = []
    for pawn in (column - 1, column + 1):
        if 0 <= pawn < board.columns and board.cells[pawn] == "x":
            cells = list(board.cells)
            cells[pawn], cells[target] = ".", "x"
            after.append(board._replace(cells="".join(cells)).turned())
    return after


def table_bits(game: Breakthrough) -> int:
    """The number of bits of the table of a board."""
    return int(4 ** (2 * game.columns) * 3 ** (game.columns * (game.rows - 4)))


def build_table(
    game: Breakthrough,
    path: str | os.PathLike[str],
    *,
    threads: int = 1,
    progress: Callable[[float], object] | None = None,
) -> None:
    """Build the table of a board and write it, whole or not at all.

    >>> from sylve import load_game
    >>> from sylve.tables import BreakthroughTable, build_table
    >>> build_table(load_game("breakthrough(columns=3, rows=4)"), "small.table")
    >>> BreakthroughTable("small.table").positions
    3969
    """
    if not isinstance(game, Breakthrough):
        raise ValueError(f"tables are of breakthrough, not of {game}")
    whole = isinstance(threads, int) and not isinstance(threads, bool)
    if not whole or not 1 <= threads <= 256:
        raise ValueError(f"threads must be a whole number from 1 to 256, not {threads!r}")
    core = compiled_half("building a table")
    data, positions, wins = core.breakthrough_table(game.columns, game.rows, threads, progress)
    header = HEADER.pack(
        MAGIC, VERSION, game.columns, game.rows, positions, wins, table_bits(game),
        zlib.crc32(data), 0,
    )  # fmt: skip
    header = header[:CHECKED] + struct.pack("<I", zlib.crc32(header[:CHECKED]))
    write_whole(path, (header, data))
