"""What is special to Othello: turning discs, passes, the end, transcripts, OBF."""

import json
from functools import cache

import pytest

from helpers import DATA, random_game
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
from sylve.games.board import State

PASS = 64
BLACK_WON, WHITE_WON, DRAW = Outcome(Player.FIRST), Outcome(Player.SECOND), Outcome(None)

# White has no disc left after the ninth move: no game is shorter.
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"
# Perfect play by both sides: Takizawa, "Othello is solved", arXiv:2310.19387, figure 1.
PERFECT = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1"
    "F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
)
# Perfect play on 6 x 6, White wins 20 : 16: Feinstein 1993. White passes before f5.
PERFECT_6 = "c2b4c5d2e4e3d1c1b1d5d6f4b3b2f3f2e2b6a4c6a6a2b5a5e6e5a3a1f5f6e1f1"
# White passes before g7. Another program gives the same final board, 43 : 21.
WITH_A_PASS = (
    "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6f3f6f7e1e2g5e7d7g6g4h4h5h6"
    "e8g3f2c8f1d8b8c7h2d1b1h3h7g2f8a4a3a2h1g1b7a8a7a5b2a1g7g8h8"
)


def discs(position: Position) -> tuple[int, int]:
    board = position.state.board
    return board.count("x"), board.count("o")


def both(text: str, game: str = "othello") -> Position:
    """The position in both engines, which must agree on all that follows from it."""
    position, rust = Position.parse(game, text), _core.Position(game, text)
    assert rust.write() == position.text
    assert tuple(rust.moves()) == position.moves
    for move in position.moves:
        assert rust.play(move).write() == position.play(move).text
    return position


# The rules.


def test_start() -> None:
    """Black (x) has d5 and e4, and moves first."""
    start = Position.start("othello")
    assert str(start) == (
        "   a b c d e f g h\n"
        " 1 . . . . . . . .\n"
        " 2 . . . . . . . .\n"
        " 3 . . . . . . . .\n"
        " 4 . . . o x . . .\n"
        " 5 . . . x o . . .\n"
        " 6 . . . . . . . .\n"
        " 7 . . . . . . . .\n"
        " 8 . . . . . . . .\n"
        "x to move"
    )
    assert start.names == ("d3", "c4", "f5", "e6")
    assert Position.start("othello(size=6)").names == ("c2", "b3", "e4", "d5")
    assert Position.start("othello(size=4)").names == ("b1", "a2", "d3", "c4")
    assert Position.start("othello(size=4)").text == "..../.ox./.xo./.... x"


def test_a_disc_turns_every_line_that_it_closes() -> None:
    """d4 closes seven lines; the eighth, downwards, ends on the edge and stays."""
    position = both(
        "x..x..x./"
        ".o.o.o.o/"
        "..ooo.../"
        "xoo.ooox/"
        "..ooo.../"
        ".o.o.o../"
        "x..o..x./"
        "...o.... x"
    )  # fmt: skip
    assert position.play("d4").text == (
        "x..x..x./"
        ".x.x.x.o/"
        "..xxx.../"
        "xxxxxxxx/"
        "..xox.../"
        ".x.o.x../"
        "x..o..x./"
        "...o.... o"
    )  # fmt: skip


def test_only_up_to_the_nearest_own_disc() -> None:
    """What lies behind it stays."""
    position = both("......../......../.oxoxox./......../......../......../......../........ x")
    assert position.names == ("a3",)
    position = both("x......./o......./o......./......../o......./x......./o......./........ x")
    assert position.play("a4").text == (
        "x......./x......./x......./x......./x......./x......./o......./........ o"
    )


def test_lines_do_not_go_round_the_edge() -> None:
    """d1 and a2 are not neighbours: x cannot turn d1."""
    position = both(
        "..xo/"
        "..../"
        "..../"
        ".... x", "othello(size=4)"
    )  # fmt: skip
    assert position.names == ("pass",)
    assert position.play("pass").names == ("b1",)


@pytest.mark.parametrize("number", [40, 41, 42, 43, 44, 46])
def test_legal_moves_of_the_ffo_suite(number: int) -> None:
    """The moves that the suite lists, in positions of real games."""
    suite = json.loads((DATA / "othello_ffo.json").read_text())["positions"]
    problem = next(entry for entry in suite if entry["id"] == number)
    position = both(problem["board"] + (" X" if problem["to_move"] == "black" else " O"))
    assert sorted(position.names) == sorted(problem["move_scores"])
    assert position.state.board.count(".") == problem["empties"]


# Passes and the end.


def test_a_pass_is_a_move_only_when_it_is_forced() -> None:
    """White has no other move here, Black has."""
    forced = both(Position.start("othello").play_line(WITH_A_PASS[:-6]).text)
    assert forced.turn == Player.SECOND
    assert forced.moves == (PASS,)
    assert forced.names == ("pass",)
    assert forced.play("pass").state.board == forced.state.board
    assert forced.play("pass").names == ("g7", "g8")
    with pytest.raises(IllegalMove, match="illegal move 'pass': legal here: d3 c4 f5 e6"):
        Position.start("othello").play("pass")
    with pytest.raises(IllegalMove, match="illegal move 'pass': the game is over"):
        Position.start("othello").play_line(WIPE_OUT).play("pass")


def test_the_first_passes_and_the_first_ends() -> None:
    """24 of the paths of 8 plies lead to a pass, and 228 of those of 9 to the end."""

    def passes(position: _core.Position, plies: int) -> int:
        moves = position.moves()
        if plies == 0:
            return int(moves == [PASS])
        return sum(passes(position.play(move), plies - 1) for move in moves)

    start = _core.Position("othello")
    after_d3 = start.play(start.read_move("d3"))  # one of four first moves that are all alike
    assert [4 * passes(after_d3, plies - 1) for plies in (6, 7, 8)] == [0, 0, 24]
    for depth, ended in ((9, 0), (10, 228)):
        assert start.perft(depth, True) - start.perft(depth, False) == ended


def test_all_games_of_the_smallest_board() -> None:
    """There are 60060; the longest take 17 plies."""
    start = _core.Position("othello(size=4)")
    assert [start.perft(plies, False) for plies in (16, 17, 18)] == [612, 48, 0]
    assert [start.perft(plies, True) for plies in (14, 15, 17)] == [59980, 60060, 60060]


def test_wipe_out() -> None:
    """Nobody can move, most of the board is empty."""
    end = both(Position.start("othello").play_line(WIPE_OUT).text)
    assert discs(end) == (13, 0)
    assert end.outcome == BLACK_WON
    assert end.moves == ()


def test_an_end_with_empty_cells_and_discs_of_both() -> None:
    """The discs are counted; empty cells count for nobody."""
    for board, outcome in [
        ("x.../..../..../...o", DRAW),
        ("xx../..../..../...o", BLACK_WON),
        ("x.../..../..../.o.o", WHITE_WON),
    ]:
        for side in "xo":
            assert both(f"{board} {side}", "othello(size=4)").outcome == outcome


# Transcripts.


def test_perfect_play_is_a_draw() -> None:
    """A whole game in upper case, without passes."""
    end = both(Position.start("othello").play_line(PERFECT).text)
    assert discs(end) == (32, 32)
    assert end.outcome == DRAW


def test_perfect_play_on_the_smaller_boards() -> None:
    """6 x 6: 16 to 20. 4 x 4, small enough for the plainest search: 3 to 11."""
    end = both(Position.start("othello(size=6)").play_line(PERFECT_6).text, "othello(size=6)")
    assert discs(end) == (16, 20)
    assert end.outcome == WHITE_WON
    game = load_game("othello(size=4)")

    @cache
    def lead(state: State) -> int:
        """Black's discs minus White's at the end."""
        after = [lead(game.play(state, move)) for move in game.moves(state)]
        if not after:
            return state.board.count("x") - state.board.count("o")
        return min(after) if state.turn else max(after)

    assert lead(game.start()) == 3 - 11


def test_transcripts_leave_out_forced_passes() -> None:
    """With and without the pass the game is the same."""
    start = Position.start("othello")
    end = start.play_line(WITH_A_PASS)
    assert discs(end) == (43, 21)
    assert end.outcome == BLACK_WON
    assert [ply for ply, move in enumerate(end.played) if move == PASS] == [57]
    for name in ("pass", "PASS", "pa", "PA", "--"):
        written = WITH_A_PASS[:-6] + name + WITH_A_PASS[-6:]
        assert start.play_line(written).played == end.played
    spaced = " ".join(WITH_A_PASS[i : i + 2] for i in range(0, len(WITH_A_PASS), 2))
    assert start.play_line(spaced).played == end.played
    assert start.play_line([move for move in end.played if move != PASS]).played == end.played


@pytest.mark.parametrize("game", ["othello", "othello(size=4)", "othello(size=6)"])
def test_random_games_without_their_passes(game: str) -> None:
    """The passes come back where they were."""
    passes = 0
    for index in range(20):
        *_, end = random_game(game, seed=7, index=index)
        cells = [move for move in end.played if move != load_game(game).columns ** 2]
        passes += len(end.played) - len(cells)
        assert Position.start(game).play_line(cells).played == end.played
    assert passes > 0


def test_only_forced_passes_are_put_in() -> None:
    """A move that is not legal stays an error, also after a forced pass."""
    start = Position.start("othello")
    with pytest.raises(IllegalMove, match="illegal move 'a1': legal here: d3 c4 f5 e6"):
        start.play_line("a1")
    with pytest.raises(IllegalMove, match="illegal move 'h8': legal here: g7 g8"):
        start.play_line(WITH_A_PASS[:-6] + "h8")
    with pytest.raises(IllegalMove, match="illegal move 'g7': legal here: pass"):
        start.play_line(WITH_A_PASS[:-6]).play("g7")
    with pytest.raises(InvalidMove, match="cannot read 'z'"):
        start.play_line("f5z")


# Names, codes, symmetries, text.


@pytest.mark.parametrize(("text", "move"), [("f5", 37), ("F5", 37), (" d3 ", 19)])
def test_move_names(text: str, move: int) -> None:
    assert Position.start("othello").move(text) == move
    assert _core.Position("othello").read_move(text) == move


@pytest.mark.parametrize("text", ["pass", "Pass", "PASS", "pa", "PA", "--", " -- "])
def test_pass_names(text: str) -> None:
    position = Position.parse("othello(size=6)", "....xo/....../....../....../....../...... x")
    assert position.move(text) == 36
    assert _core.Position("othello(size=6)", position.text).read_move(text) == 36


@pytest.mark.parametrize(
    "text", ["", "f", "5", "f9", "i1", "f0", "f05", "-", "pas", "p", "f5d6", "é1"]
)
def test_bad_move_names(text: str) -> None:
    with pytest.raises(InvalidMove, match='expected a cell from "a1"'):
        Position.start("othello").move(text)
    with pytest.raises(ValueError, match="invalid move"):
        _core.Position("othello").read_move(text)


def test_codes_are_cell_and_player() -> None:
    """The same for the same gesture anywhere, different for the two players."""
    start = Position.start("othello")
    assert load_game("othello").codes() == 2 * 65
    f5, d6 = start.move("f5"), start.play("f5").move("d6")
    assert start.code(f5) == 2 * 37
    assert start.play("f5").code(d6) == 2 * 43 + 1
    assert start.play_line("d3c5").code(f5) == start.code(f5)
    must_pass = Position.parse("othello(size=4)", "..xo/..../..../.... x")
    assert must_pass.code(16) == 32


def test_all_eight_symmetries() -> None:
    """Four of them keep the start as it is, the others exchange the colours of the middle."""
    after = Position.start("othello").play_line("f5d6c3")
    turned = after.symmetries()
    assert len(set(turned)) == 8
    assert {len(position.moves) for position in turned} == {len(after.moves)}
    assert len(set(Position.start("othello").symmetries())) == 2
    game = load_game("othello")
    assert [game.transform_move(PASS, way) for way in game.symmetries] == [PASS] * 8


FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"


@pytest.mark.parametrize(
    "text",
    [
        f"{FFO_40} X",
        f"{FFO_40} X;",
        f"{FFO_40} X; a2:+38; b1:+30;",
        f"{FFO_40}  x % FFO 40",
        f"  {FFO_40.replace('X', '*')} *\n",
        f"{FFO_40.lower().replace('-', '.')} X",
    ],
)
def test_obf(text: str) -> None:
    """64 cells and the side to move, as other programs write them."""
    assert both(text).text == (
        "o..oooox/.oooooox/ooxxooox/ooxoooxx/ooooooxx/...oooox/....o..x/........ x"
    )
    assert both(text.replace(" X", " O").replace(" x", " o").replace(" *", " O")).turn == 1


EMPTY_8 = "/".join(["........"] * 8)


@pytest.mark.parametrize(
    ("game", "text", "problem"),
    [
        ("othello", "", "expected 8 rows"),
        ("othello", f"{EMPTY_8} x", "expected at least one disc, found an empty board"),
        ("othello", "-" * 64 + " X", "expected at least one disc, found an empty board"),
        ("othello", FFO_40, "expected the side to move, 'X' or 'O', after the cells"),
        ("othello", f"{FFO_40} ;X", "expected the side to move, 'X' or 'O', after the cells"),
        ("othello", f"{FFO_40} -", "expected the side to move, 'X' or 'O', found ['\"]-"),
        ("othello", f"{FFO_40} X O", "unexpected ['\"]O['\"] at the end"),
        ("othello", f"{FFO_40[:-1]}? X", "expected cells 'X', 'O' or '-', found '\\?'"),
        ("othello", f"{FFO_40[:-1]} X", "expected 8 rows joined by '/', found 1"),
        ("othello", f"{FFO_40}- X", "expected 8 rows joined by '/', found 1"),
        ("othello(size=6)", f"{FFO_40} X", "expected 6 rows"),
        ("othello(size=6)", "x" * 36 + " X", "expected 6 rows"),
        ("othello(size=4)", "..../.ox./.xo./....", "expected the side to move"),
        ("othello(size=4)", "..../.OX./.XO./.... x", "expected cells 'x', 'o' or '.'"),
    ],
)
def test_bad_positions(game: str, text: str, problem: str) -> None:
    with pytest.raises(InvalidPosition, match=problem):
        Position.parse(game, text)
    with pytest.raises(ValueError, match=problem):
        _core.Position(game, text)


@pytest.mark.parametrize("size", ["5", "7", "2", "10", "0", "-8", "8.5"])
def test_other_sizes_are_refused(size: str) -> None:
    with pytest.raises(InvalidGame, match=f"othello: size must be 4, 6 or 8, not {size}"):
        load_game(f"othello(size={size})")
    with pytest.raises(ValueError, match=f"othello: size must be 4, 6 or 8, not {size}"):
        _core.Position(f"othello(size={size})")
