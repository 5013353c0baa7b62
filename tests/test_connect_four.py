"""Connect Four: gravity, lines at the edges, names, impossible boards, known counts."""

import pytest

from sylve import (
    IllegalMove,
    InvalidGame,
    InvalidMove,
    InvalidPosition,
    Outcome,
    Player,
    Position,
    _core,
    load_game,
)


def position(drawing: str, turn: str, game: str = "connect_four") -> Position:
    """A position from its drawing, read by both engines."""
    text = "/".join(drawing.split()) + " " + turn
    assert _core.Position(game, text).write() == text
    return Position.parse(game, text)


def test_stones_fall_to_the_bottom_of_their_column() -> None:
    assert Position.start("connect_four").play_line("44353") == position(
        """
        .......
        .......
        .......
        .......
        ..xo...
        ..xxo..
        """,
        "o",
    )


def test_drawing() -> None:
    assert str(Position.start("connect_four(columns=4, rows=4)").play_line("123")) == (
        ". . . .\n. . . .\n. . . .\nx o x .\n1 2 3 4\no to move"
    )
    wide = str(Position.start("connect_four(columns=12, rows=4)").play("12")).splitlines()
    assert wide[3:5] == [
        " .  .  .  .  .  .  .  .  .  .  .  x",
        " 1  2  3  4  5  6  7  8  9 10 11 12",
    ]


@pytest.mark.parametrize("game", ["connect_four", "connect_four(columns=8, rows=7)"])
def test_every_line_of_four_wins_and_no_other_four_cells_do(game: str) -> None:
    """Stones of one player alone, on a board that gravity does not concern."""
    rules = load_game(game)
    width, height = rules.columns, rules.rows
    lines = {
        tuple((row + i * up) * width + column + i * right for i in range(4))
        for up, right in [(0, 1), (1, 0), (1, 1), (1, -1)]
        for row in range(height)
        for column in range(width)
        if row + 3 * up < height and 0 <= column + 3 * right < width
    }
    # 7 x 6: 24 horizontal, 21 vertical, 2 x 12 diagonal.
    assert len(lines) == {"connect_four": 69}.get(game, 5 * 7 + 8 * 4 + 2 * 5 * 4)
    for step in (1, width - 1, width, width + 1):
        for first in range(width * height - 3 * step):
            cells = tuple(first + i * step for i in range(4))
            board = "".join("x" if c in cells else "." for c in range(width * height))
            assert rules.has_four(board, "x") == (cells in lines)  # type: ignore[attr-defined]


LAST_MOVES = [  # moves that lead to a win at an edge, and who wins
    ("1213141", Player.FIRST),  # vertical, at the left edge
    ("7172737", Player.FIRST),  # vertical, at the right edge
    ("414243", None),  # three are not four
    ("4152637", Player.FIRST),  # horizontal, to the right edge
    ("1726354", Player.FIRST),  # horizontal, from the left edge
    ("12233434474", Player.FIRST),  # diagonal up from a1
    ("76655454414", Player.FIRST),  # diagonal up from g1 to the left
    ("1111112222223", None),  # two full columns
]


@pytest.mark.parametrize(("moves", "winner"), LAST_MOVES)
def test_wins_at_the_edges(moves: str, winner: Player | None) -> None:
    after = Position.start("connect_four").play_line(moves)
    rust = _core.Position("connect_four", after.text)
    assert after.outcome == (None if winner is None else Outcome(winner))
    assert rust.outcome() == (None if winner is None else int(winner))
    assert (not after.moves) == (not rust.moves()) == (winner is not None)


def test_a_full_board_is_a_draw_and_its_last_move_may_win() -> None:
    drawn = position("xoxo xoxo oxox oxox", "x", "connect_four(columns=4, rows=4)")
    assert drawn.outcome == Outcome(None)
    assert _core.Position("connect_four(columns=4, rows=4)", drawn.text).outcome() == -1
    # The sixteenth stone, on a4, completes the diagonal down to d1.
    won = position("ooxo xoxo xoox xxxo", "x", "connect_four(columns=4, rows=4)")
    assert won == Position.start(won.game).play_line("2432433432141211")
    assert won.outcome == Outcome(Player.SECOND)
    assert _core.Position("connect_four(columns=4, rows=4)", won.text).outcome() == 1


def test_a_full_column_is_closed() -> None:
    full = Position.start("connect_four").play_line("444444")
    assert full.moves == (0, 1, 2, 4, 5, 6)
    with pytest.raises(IllegalMove, match="illegal move '4': legal here: 1 2 3 5 6 7"):
        full.play("4")
    rust = _core.Position("connect_four", full.text)
    assert not rust.is_legal(3)
    with pytest.raises(_core.IllegalMove, match='illegal move "d": legal here: 1 2 3 5 6 7'):
        rust.read_move("d")


@pytest.mark.parametrize(
    ("moves", "columns"),
    [
        ("4453", [3, 3, 4, 2]),
        ("4 4 5 3", [3, 3, 4, 2]),
        ("4,4,5,3", [3, 3, 4, 2]),
        ("dDeC", [3, 3, 4, 2]),
        ("d4 5c", [3, 3, 4, 2]),
        ("", []),
    ],
)
def test_lists_of_moves(moves: str, columns: list[int]) -> None:
    assert list(Position.start("connect_four").play_line(moves).played) == columns


def test_lists_of_moves_on_more_than_nine_columns() -> None:
    start = Position.start("connect_four(columns=12, rows=4)")
    assert start.play_line("1 12 10 l").played == (0, 11, 9, 11)
    assert start.names == tuple(str(number) for number in range(1, 13))
    with pytest.raises(InvalidMove, match="'112': expected a column"):
        start.play_line("112")


@pytest.mark.parametrize("name", ["0", "8", "h", "01", "+1", "1.", "", "4a", "٤", "\u212a", "k"])
def test_names_that_are_no_column(name: str) -> None:
    allowed = 'expected a column from "1" to "7" or "a" to "g"'
    with pytest.raises(InvalidMove, match=allowed):
        Position.start("connect_four").play(name)
    with pytest.raises(_core.InvalidMove, match=allowed):
        _core.Position("connect_four").read_move(name)


@pytest.mark.parametrize("name", ["\u212a", "13", "m", "00"])
def test_names_that_are_no_column_of_twelve(name: str) -> None:
    game = "connect_four(columns=12, rows=4)"
    with pytest.raises(InvalidMove, match="expected a column"):
        Position.start(game).play(name)
    with pytest.raises(_core.InvalidMove, match="expected a column"):
        _core.Position(game).read_move(name)


@pytest.mark.parametrize("name", ["4", "d", "D", " 4 "])
def test_names_of_a_column(name: str) -> None:
    assert Position.start("connect_four").move(name) == 3
    assert _core.Position("connect_four").read_move(name) == 3


BAD = [
    ("..../..../..x./.... o", "the stone on c2 has nothing below it"),
    ("x.../..../..../o... x", "the stone on a4 has nothing below it"),
    ("..../..../..../xx.. o", "2 x and 0 o do not fit the side to move"),
    ("..../..../..../x... x", "1 x and 0 o do not fit the side to move"),
    ("..../..../..../o... x", "0 x and 1 o do not fit the side to move"),
    ("..../..../oooo/xxxx x", "both players have four in a row"),
    ("..../oo../oo../xxxx x", "the side to move has four in a row already"),
    ("..../xx../xxx./oooo o", "the side to move has four in a row already"),
    ("..../..../..../.... x x", "unexpected .x. at the end"),
    ("..../..../.... x", "expected 4 rows joined by '/', found 3"),
    ("..../..../..../..... x", "expected 4 cells in each row, found 5 in row 4"),
]


@pytest.mark.parametrize(("text", "problem"), BAD)
def test_impossible_positions(text: str, problem: str) -> None:
    game = "connect_four(columns=4, rows=4)"
    with pytest.raises(InvalidPosition, match=problem):
        Position.parse(game, text)
    with pytest.raises(_core.InvalidPosition, match=problem):
        _core.Position(game, text)


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        ("connect_four(columns=3)", "columns must be a whole number from 4 to 12, not 3"),
        ("connect_four(columns=13)", "columns must be a whole number from 4 to 12, not 13"),
        ("connect_four(rows=3)", "rows must be a whole number from 4 to 13, not 3"),
        ("connect_four(columns=5, rows=12)", "which 5 columns and 12 rows exceed"),
        ("connect_four(columns=10)", "which 10 columns and 6 rows exceed"),
        ("connect_four(columns=7.5)", "columns must be a whole number from 4 to 12, not 7.5"),
    ],
)
def test_sizes_that_do_not_exist(game: str, problem: str) -> None:
    with pytest.raises(InvalidGame, match=problem):
        load_game(game)
    with pytest.raises(ValueError, match=problem):
        _core.Position(game)


@pytest.mark.parametrize("columns", range(4, 13))
def test_the_tallest_board_of_each_width(columns: int) -> None:
    """No stone is lost or doubled where the bits are tightest."""
    rows = min(13, 64 // columns - 1)
    game = f"connect_four(columns={columns}, rows={rows})"
    position, rust = Position.start(game), _core.Position(game)
    for move in [column for column in range(columns) for _ in range(rows)]:
        if position.outcome is not None:
            break
        position, rust = position.play(move), rust.play(move)
        assert rust.write() == position.text
        assert rust.moves() == list(position.moves)
    assert rust.outcome() is not None or not rust.moves()


def test_codes_name_the_landing_cell_and_the_player() -> None:
    start = Position.start("connect_four")
    assert start.code(3) == 2 * 3
    assert start.play("4").code(3) == 2 * (7 + 3) + 1
    # The same cell by the same player, after other moves.
    assert start.play_line("12").code(3) == start.code(3)
    assert start.play_line("41").code(3) == start.play_line("1425").code(3) == 2 * (7 + 3)


# OEIS A212693: positions of n stones, those after the end of a game not counted.
DISTINCT = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]


@pytest.mark.parametrize("plies", [8, pytest.param(9, marks=pytest.mark.long)])
def test_distinct_positions_at_each_ply(plies: int) -> None:
    """Also a test of the hash: as many hashes as positions."""
    start = _core.Position("connect_four")
    layer = {start.hash(): start}
    for expected in DISTINCT[:plies]:
        assert len(layer) == expected
        layer = {
            after.hash(): after
            for before in layer.values()
            for after in map(before.play, before.moves())
        }
    assert len(layer) == DISTINCT[plies]
