"""Exact results that others have published: Connect Four, Breakthrough, Hex, Othello."""

import json

import pytest

from helpers import DATA
from sylve import Position, Solver, solve

CONNECT_FOUR = [
    line.split("\t")
    for line in (DATA / "connect4_positions.tsv").read_text().splitlines()
    if not line.startswith("#")
]
FFO = {
    entry["id"]: entry for entry in json.loads((DATA / "othello_ffo.json").read_text())["positions"]
}
EASY = [row for row in CONNECT_FOUR if row[0] in ("L3_R1", "L2_R1", "L2_R2")]


def check(solver: Solver, moves: str, value: str, columns: str) -> None:
    """One line of the set: the value, and that of every column."""
    solution = solver.solve(Position.start("connect_four").play_line(moves))
    assert solution.value == int(value), moves
    found = [solution.per_move.get(column, "") for column in range(7)]
    assert ",".join(map(str, found)) == columns, moves
    assert solution.per_move[solution.best] == solution.value


def test_connect_four_positions() -> None:
    """300 positions with 15 stones or more: every column."""
    solver = Solver("connect_four")
    assert len(EASY) == 300
    for _, *row in EASY:
        check(solver, *row)


def test_connect_four_begin_easy() -> None:
    """100 positions with up to 14 stones: the value alone."""
    solver = Solver("connect_four")
    for _, moves, value, _ in [row for row in CONNECT_FOUR if row[0] == "L1_R1"]:
        position = Position.start("connect_four").play_line(moves)
        assert solver.solve(position, want="value").value == int(value)


@pytest.mark.long
def test_all_connect_four_positions() -> None:
    solver = Solver("connect_four")
    assert len(CONNECT_FOUR) == 600
    for _, *row in CONNECT_FOUR:
        check(solver, *row)


@pytest.mark.long
def test_the_start_of_connect_four() -> None:
    solution = solve(Position.start("connect_four"))
    assert list(solution.per_move.values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert (solution.best, len(solution.line)) == (3, 41)


@pytest.mark.parametrize(
    ("columns", "rows", "winner"),
    [(4, 4, 0), (5, 4, 0), (4, 5, 0), (6, 4, -1), (5, 5, 0), (8, 4, -1), (4, 8, 0)],
)
def test_boards_of_connect_four(columns: int, rows: int, winner: int) -> None:
    """Who wins (Steininger, after Tromp): 0 is a draw, -1 the second player."""
    position = Position.start(f"connect_four(columns={columns}, rows={rows})")
    value = solve(position, want="value").value
    assert (value > 0) - (value < 0) == winner


def test_breakthrough_5x5_is_lost_by_every_first_move() -> None:
    solution = solve(Position.start("breakthrough(columns=5, rows=5)"))
    assert (solution.value, solution.complete) == (-1, True)
    assert list(solution.per_move.values()) == [-1] * 13


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows", "value"), [(3, 7, -1), (4, 6, 1)])
def test_larger_boards_of_breakthrough(columns: int, rows: int, value: int) -> None:
    position = Position.start(f"breakthrough(columns={columns}, rows={rows})")
    assert solve(position, want="value").value == value


@pytest.mark.parametrize(
    ("size", "winning"),
    [
        (2, "a2 b1"),
        (3, "a2 a3 b2 c1 c2"),
        (4, "a4 b3 c2 d1"),
    ],
)
def test_hex_openings(size: int, winning: str) -> None:
    """The first cells that win; alpha-beta over the rules finds the same."""
    solution = solve(Position.start(f"hex(size={size})"))
    names = {solution.position.name(move) for move, value in solution.per_move.items() if value > 0}
    assert names == set(winning.split())
    # Half a turn and the exchange of the two axes with the colours leave the board as it is.
    rest = solution.position
    assert {
        rest.name(rest.moves[-1 - rest.moves.index(rest.move(name))]) for name in names
    } == names


def test_hex_with_the_swap() -> None:
    """The second player wins: he takes over every first stone that is good enough."""
    for size in (2, 3, 4):
        solution = solve(Position.start(f"hex(size={size}, swap=true)"))
        assert set(solution.per_move.values()) == {-1}
        assert solution.value == -1


def check_ffo(number: int) -> int:
    """An ending of the FFO set: the score of every move; the nodes of the score alone."""
    entry = FFO[number]
    position = Position.parse("othello", f"{entry['board']} {'XO'[entry['to_move'] == 'white']}")
    alone = solve(position, want="value")
    assert alone.value == entry["score"]
    solution = solve(position)
    assert solution.value == entry["score"]
    found = {position.name(move): value for move, value in solution.per_move.items()}
    assert found == entry["move_scores"]
    end = position.play_line(solution.line)
    score = end.game.final_value(end.state)
    assert score == (entry["score"] if end.turn == position.turn else -entry["score"])
    return alone.nodes


def test_an_ffo_ending() -> None:
    """20 empty cells, every move."""
    check_ffo(40)


@pytest.mark.long
def test_ffo_endings() -> None:
    """20 to 25 empty cells. 243 M nodes is what Edax takes with a hand-written evaluation."""
    assert sum(check_ffo(number) for number in (40, 41, 42, 43, 44)) <= 240_000_000


def test_othello_4x4() -> None:
    """11-3 for the second player, whatever the first move is; all are mirror images."""
    solution = solve(Position.start("othello(size=4)"))
    assert (solution.value, set(solution.per_move.values())) == (-10, {-10})
    end = solution.position.play_line(solution.line)
    board = end.text.split()[0]
    assert (board.count("x"), board.count("o")) == (3, 11)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_othello_6x6() -> None:
    """20-16 for the second player (Feinstein 1993)."""
    solution = solve(Position.start("othello(size=6)"), want="value")
    assert (solution.value, solution.exact) == (-4, True)


def test_othello_budgets_are_kept() -> None:
    """Also by the shallow searches that order moves."""
    for nodes in (1, 100, 10_000, 300_000):
        for position in (Position.start("othello"), Position.start("othello").play_line("f5d6c3")):
            solution = solve(position, nodes=nodes)
            assert not solution.exact
            assert solution.nodes <= nodes + 200
