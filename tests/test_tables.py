"""Complete tables of Breakthrough: their counts, their values, and damaged files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import random_game
from sylve import Position, Solver
from sylve.games.breakthrough import Breakthrough
from sylve.tables import (
    HEADER,
    BreakthroughTable,
    InvalidTable,
    build_table,
    index,
    is_quiet,
    table_bits,
    view,
)

SYLVE = Path(sys.executable).with_name("sylve")
COUNTS = {(3, 6): (1_920_717, 1_360_015), (4, 5): (4_975_689, 3_525_338)}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], Path]:
    folder = tmp_path_factory.mktemp("tables")
    paths = {}
    for columns, rows in [*COUNTS, (2, 4)]:
        paths[columns, rows] = folder / f"{columns}x{rows}.table"
        build_table(Breakthrough(columns=columns, rows=rows), paths[columns, rows], threads=2)
    return paths


@pytest.mark.parametrize("size", COUNTS)
def test_counts(files: dict, size: tuple[int, int]) -> None:
    with BreakthroughTable(files[size]) as table:
        assert (table.positions, table.wins) == COUNTS[size]
        assert (table.game.columns, table.game.rows) == size
        assert sum(byte.bit_count() for byte in table.map[HEADER.size :]) == table.wins


@pytest.mark.parametrize("size", [*COUNTS, (2, 4)])
def test_every_position_of_random_games_is_what_the_solver_says(files: dict, size) -> None:
    game = str(Breakthrough(columns=size[0], rows=size[1]))
    solver, quiet, other = Solver(game), 0, 0
    with BreakthroughTable(files[size]) as table:
        for number in range(60):
            for position in random_game(game, 11, number):
                expected = solver.solve(position, want="value").value
                assert table.value(position) == expected, position
                quiet += is_quiet(view(position))
                other += not is_quiet(view(position))
    assert quiet >= 60
    assert other >= 60


def test_the_numbering() -> None:
    """Own pawns below, theirs above, the middle in base three; the same for either side to move."""
    game = "breakthrough(columns=3, rows=5)"
    first = Position.parse(game, "oo./..o/x.o/.x./x.x x")
    second = Position.parse(game, "o.o/.o./x.o/x../.xx o")
    ours, theirs, middle = 0b010_101, 0b011_100, 1 + 2 * 9
    assert index(view(first)) == (middle * 64 + theirs) * 64 + ours
    assert index(view(second)) == index(view(first)._replace(cells=view(second).cells))
    assert view(second).cells == "".join(
        {"x": "o", "o": "x", ".": "."}[cell] for cell in reversed(second.state.board)
    )
    assert index(view(first)) < table_bits(first.game)
    assert is_quiet(view(first))
    assert not is_quiet(view(Position.parse(game, "oo./x.o/..o/.x./x.x x")))
    assert not is_quiet(view(Position.parse(game, "oo./..o/x../.xo/x.x x")))


def test_damage_is_seen(files: dict, tmp_path: Path) -> None:
    whole = files[2, 4].read_bytes()
    damaged = tmp_path / "damaged.table"
    for place in [0, 7, 8, 10, 11, 12, 20, 30, 38, 41, 47, 48, 60, len(whole) - 1]:
        broken = bytearray(whole)
        broken[place] ^= 1
        damaged.write_bytes(broken)
        with pytest.raises(InvalidTable, match=r"damaged\.table: (damaged|not a table)"):
            BreakthroughTable(damaged)
    for size in [0, 5, 30, len(whole) - 1]:
        damaged.write_bytes(whole[:size])
        with pytest.raises(InvalidTable):
            BreakthroughTable(damaged)
    damaged.write_bytes(whole + b"\0")
    with pytest.raises(InvalidTable, match="bytes are not what its header says"):
        BreakthroughTable(damaged)
    damaged.write_bytes(whole)
    BreakthroughTable(damaged).close()


def test_bad_input(files: dict, tmp_path: Path) -> None:
    with BreakthroughTable(files[3, 6]) as table, pytest.raises(ValueError, match="a table of bre"):
        table.value(Position.start("breakthrough"))
    with pytest.raises(ValueError, match="more than 2 GB"):
        build_table(Breakthrough(), tmp_path / "large.table")
    with pytest.raises(ValueError, match="threads must be a whole number from 1 to 256, not 0"):
        build_table(Breakthrough(columns=2, rows=4), tmp_path / "none.table", threads=0)
    with pytest.raises(ValueError, match="tables are of breakthrough, not of hex"):
        build_table(Position.start("hex").game, tmp_path / "hex.table")
    assert list(tmp_path.iterdir()) == []


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.run(
        [SYLVE, "table", *arguments], capture_output=True, text=True, timeout=200, env=environment
    )


def test_the_command(files: dict, tmp_path: Path) -> None:
    path = tmp_path / "new.table"
    built = run("build", "breakthrough(columns=3, rows=4)", "--out", path, "--json")
    assert (built.returncode, built.stderr) == (0, "")
    described = run("info", path, "--json")
    facts = json.loads(described.stdout)
    assert facts == {key: json.loads(built.stdout)[key] for key in facts}
    assert facts["game"] == "breakthrough(columns=3, rows=4)"
    assert facts["bytes"] == path.stat().st_size == HEADER.size + 4**6 // 8
    assert f"{facts['positions']:,}" in run("info", path).stdout
    probed = json.loads(run("probe", files[4, 5], "--moves", "a2-a3", "--json").stdout)
    assert probed["value"] == 1
    assert max(probed["moves"].values()) == 1
    assert "value -1 for x" in run("probe", files[4, 5]).stdout
    path.write_bytes(path.read_bytes()[:-3])
    for arguments, code, message in [
        (("info", path), 2, "damaged"),
        (("probe", tmp_path / "missing"), 2, "missing"),
        (("build", "hex", "--out", path), 2, "tables are of breakthrough, not of hex"),
        (("build", "breakthrough", "--out", path), 2, "more than 2 GB"),
        (("build", "breakthrough(rows=4)", "--out", tmp_path / "no" / "x"), 2, "no such file"),
        (("probe", files[4, 5], "--moves", "z9"), 2, "z9"),
    ]:
        result = run(*arguments)
        assert (result.returncode, result.stdout) == (code, ""), result
        assert message in result.stderr
        assert "Traceback" not in result.stderr


@pytest.mark.long
def test_five_by_five(tmp_path: Path) -> None:
    path, game = tmp_path / "5x5.table", "breakthrough(columns=5, rows=5)"
    build_table(Breakthrough(columns=5, rows=5), path, threads=2)
    with BreakthroughTable(path) as table:
        assert (table.positions, table.wins) == (243_814_337, 180_996_357)
        start, solver = Position.start(game), Solver(game)
        assert table.value(start) == -1
        assert {table.value(start.play(move)) for move in start.moves} == {1}
        for number in range(200):
            for position in random_game(game, 12, number):
                expected = solver.solve(position, want="value").value
                assert table.value(position) == expected
