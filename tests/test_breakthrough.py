"""What is special to Breakthrough: pawn moves at the edges, names, texts, codes, random play."""

import random

import pytest

from helpers import random_game
from sylve import (
    IllegalMove,
    InvalidGame,
    InvalidMove,
    InvalidPosition,
    Position,
    Rng,
    _core,
    load_game,
)
from sylve.game import playout

FIVE = "breakthrough(columns=5, rows=5)"


def at(board: str, game: str = FIVE) -> Position:
    """The position drawn over several lines, the side to move last, checked on both engines."""
    *rows, turn = board.split()
    text = "/".join(rows) + " " + turn
    assert _core.Position(game, text).write() == text
    return Position.parse(game, text)


MIDDLE = """
    o . o . o
    . . . o .
    . x o . .
    x . . x .
    . x . . x
""".replace(" ", "").strip().replace("\n", "/")  # fmt: skip


def test_start_has_two_rows_a_side_on_every_size() -> None:
    for columns in range(2, 9):
        for rows in range(4, 9):
            position = Position.start(f"breakthrough(columns={columns}, rows={rows})")
            lines = position.text.split()[0].split("/")
            assert lines[:2] == ["o" * columns] * 2
            assert lines[-2:] == ["x" * columns] * 2
            assert set("".join(lines[2:-2])) <= {"."}


@pytest.mark.parametrize("size", ["columns=1", "columns=9", "rows=3", "rows=9", "rows=6.5"])
def test_sizes_that_it_has_not(size: str) -> None:
    with pytest.raises(InvalidGame, match=r"must be a whole number from . to 8"):
        load_game(f"breakthrough({size})")
    with pytest.raises(ValueError, match=r"must be a whole number from . to 8"):
        _core.Position(f"breakthrough({size})")


def test_straight_needs_an_empty_cell_and_diagonals_capture() -> None:
    position = at("""
        .....
        .o...
        .o.o.
        .x.x.
        x...x  x""")
    # b2 and d2 are blocked straight on; b2 may go to a3, c3; d2 to c3, e3; edges stay on the board.
    assert position.names == ("a1-a2", "e1-e2", "b2-c3", "d2-e3", "b2-a3", "d2-c3")
    position = at("""
        .....
        .....
        o.o..
        .x...
        ..x..  x""")
    assert set(position.names) == {"b2-b3", "b2xa3", "b2xc3", "c1-c2", "c1-d2"}


def test_black_goes_down_and_right_is_still_the_higher_column() -> None:
    position = at("""
        .....
        o...o
        .x...
        .....
        .....  o""")
    assert position.names == ("a4-a3", "e4-e3", "a4xb3", "e4-d3")
    assert position.moves == (15, 19, 25 + 15, 50 + 19)


def test_moves_do_not_wrap_around_the_edge() -> None:
    position = at("""
        .....
        o....
        ....x
        .....
        .....  x""")
    assert position.names == ("e3-e4", "e3-d4")


@pytest.mark.parametrize(
    ("before", "move", "winner"),
    [
        ("...../x..../...../....o/..... x", "a4-a5", 0),
        (".o.../x..../...../....o/..... x", "a4xb5", 0),
        ("...../x..../...../....o/..... o", "e2-d1", 1),
        ("...../.o.../..x../...../..... x", "c3xb4", 0),
        ("...../.o.../..x../...../..... o", "b4xc3", 1),
    ],
)
def test_far_row_or_the_last_pawn_wins(before: str, move: str, winner: int) -> None:
    position = Position.parse(FIVE, before).play(move)
    assert position.outcome is not None
    assert position.outcome.winner == winner
    assert position.moves == ()
    rust = _core.Position(FIVE, position.text)
    assert (rust.outcome(), rust.moves()) == (winner, [])
    assert rust.playouts(1, 10) == ((10, 0, 0) if winner == 0 else (0, 0, 10))


def test_straight_names_are_never_captures() -> None:
    position = at("""
        .....
        .....
        .o...
        .x...
        .....  x""")
    for name in ("b2-b3", "b2xb3", "b2b3*", "b2F"):
        with pytest.raises(IllegalMove, match=r"legal here: b2-c3 b2-a3"):
            position.play(name)


VARIANTS = {
    "b3-b4": ("b3b4", "B3-B4", "b3F", "B3f", " b3-b4 "),
    "b3-a4": ("b3a4", "B3L", "b3l"),
    "d2xc3": ("d2c3", "d2-c3", "d2c3*", "d2xc3*", "D2XC3", "D2L"),
    "a2-a3": ("a2a3", "a2F"),
}
# The mover's left and right: Black looks down the board, its right is the lower column.
BLACK_VARIANTS = {
    "c3-c2": ("c3c2", "C3F"),
    "c3-b2": ("c3b2", "C3R"),
    "c3xd2": ("c3d2", "c3-d2", "c3d2*", "C3L"),
    "a5-b4": ("a5b4", "A5L"),
}


@pytest.mark.parametrize(("turn", "variants"), [("x", VARIANTS), ("o", BLACK_VARIANTS)])
def test_other_names(turn: str, variants: dict[str, tuple[str, ...]]) -> None:
    position = Position.parse(FIVE, f"{MIDDLE} {turn}")
    rust = _core.Position(FIVE, position.text)
    for name, others in variants.items():
        move = position.move(name)
        assert position.name(move) == rust.write_move(move) == name
        for other in others:
            assert position.move(other) == rust.read_move(other) == move


@pytest.mark.parametrize("name", ["b3xb4", "b3xa4", "b3a4*", "a2xa3", "b3-b5", "b3-b2", "b3-d4"])
def test_names_that_are_no_legal_move(name: str) -> None:
    """A capture that captures nothing, backwards, two rows or two columns."""
    position = Position.parse(FIVE, f"{MIDDLE} x")
    rust = _core.Position(FIVE, position.text)
    with pytest.raises(IllegalMove, match=name[:2]):
        position.play(name)
    with pytest.raises(_core.IllegalMove, match=name[:2]):
        rust.read_move(name)


@pytest.mark.parametrize(
    "name", ["", "b3", "b3-", "b3x", "b3-b6", "f2-f3", "b3-b4-", "b3G", "b3--b4", "b3-b4**", "é3F"]
)
def test_names_that_cannot_be_read(name: str) -> None:
    position = Position.parse(FIVE, f"{MIDDLE} x")
    rust = _core.Position(FIVE, position.text)
    with pytest.raises(InvalidMove, match="expected a move such as"):
        position.play(name)
    with pytest.raises(_core.InvalidMove, match="expected a move such as"):
        rust.read_move(name)


# The parts of a move's name with wrong ones among them, and how often each part is there at all.
PARTS: list[tuple[list[str], float]] = [
    (list("abcdefAB"), 0.99),
    (list("0123456"), 0.99),
    (["", "-", "x", "X", "y"], 1),
    (list("abcdefABlrFR"), 0.99),
    (list("0123456"), 0.8),
    (list(" *-"), 0.2),
]


def test_both_engines_find_the_same_moves_in_any_text() -> None:
    rng = random.Random(1)
    position = Position.parse(FIVE, f"{MIDDLE} o")
    rust = _core.Position(FIVE, position.text)
    found = set()
    for _ in range(50_000):
        text = "".join(rng.choice(choices) for choices, share in PARTS if rng.random() < share)
        answers: list[int | str] = []
        for read in (position.move, rust.read_move):
            try:
                answers.append(read(text))
            except ValueError as error:
                answers.append(str(error).split()[0])  # "illegal" or "invalid"
        assert answers[0] == answers[1], text
        found.add(answers[0])
    assert found == {*position.moves, "illegal", "invalid"}


@pytest.mark.parametrize(
    "line", ["a2-a3 b4xa3 b2xa3", "a2-a3, b4xa3, b2xa3", "A2F B4R B2L", "a2a3 b4a3* b2-a3"]
)
def test_lists_of_moves(line: str) -> None:
    position = Position.start(FIVE).play_line(line)
    assert position.text == "ooooo/o.ooo/x..../..xxx/xxxxx o"
    with pytest.raises(InvalidMove, match="cannot read"):
        Position.start(FIVE).play_line(line + " hello")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ooooo/ooooo/o..../xxxxx/xxxxx x", "11 o, but a side has at most 10 pawns"),
        ("ooooo/ooooo/x..../xxxxx/xxxxx x", "11 x, but a side has at most 10 pawns"),
        ("...../...../...../...../..... x", "there is no pawn"),
        ("..x../...../...../...../..o.. x", "both sides"),
        ("..x../...../.o.../...../..... x", "the side to move has a pawn on its far row"),
        ("...../...../.o.../...../..o.. o", "the side to move has a pawn on its far row"),
        ("...../...../..x../...../..... x", "the side to move has captured every pawn"),
        ("...../...../..o../...../..... o", "the side to move has captured every pawn"),
        (".xx../...../.o.../...../..... o", "2 pawns on the far row"),
        ("ooooo/ooooo/...../xxxxx/xxxxx o", "0 to 0 moves and o 0 to 0"),
        ("ooooo/ooooo/x..../.xxxx/xxxxx x", "1 to 1 moves and o 0 to 0"),
        ("ooooo/ooo../...../xxxxx/xxxxx x", "they have not taken turns"),
        ("ooooo/ooooo/...../xxxxx x", "expected 5 rows"),
        ("ooooo/ooooo/...../xxxxx/xxxx x", "expected 5 cells"),
        ("ooooo/ooooo/...../xxxxx/xxxxX x", "expected cells"),
        ("ooooo/ooooo/...../xxxxx/xxxxx", "expected the side to move"),
        ("ooooo/ooooo/...../xxxxx/xxxxx x 1", "at the end"),
    ],
)
def test_positions_that_cannot_be(text: str, problem: str) -> None:
    with pytest.raises(InvalidPosition, match=problem):
        Position.parse(FIVE, text)
    with pytest.raises(_core.InvalidPosition, match=problem):
        _core.Position(FIVE, text)


def test_both_engines_read_the_same_positions() -> None:
    """Positions of games with a few cells changed: both accept them or both say the same."""
    rng = random.Random(2)
    answers = set()
    positions = [p for index in range(100) for p in random_game(FIVE, 7, index)]
    for position in positions:
        cells = list(position.text)
        for cell in rng.sample(range(29), rng.randrange(4)):
            if cells[cell] != "/":
                cells[cell] = rng.choice("xo.")
        text = "".join(cells[:-1]) + rng.choice("xo")
        try:
            answer = Position.parse(FIVE, text).text
        except InvalidPosition as error:
            answer = str(error).partition("x':")[2] or str(error).partition("o':")[2]
            assert answer
            with pytest.raises(_core.InvalidPosition) as refused:
                _core.Position(FIVE, text)
            assert str(refused.value).endswith(answer)
            answers.add(answer)
        else:
            assert _core.Position(FIVE, text).write() == answer == text
            answers.add("accepted")
    assert len(answers) > 6  # every branch was seen


def test_codes_are_those_of_the_course() -> None:
    """Cell x 5 gestures: straight 0, right 1, right capture 2, left 3, left capture 4; o + 125."""
    position = at("""
        ....o
        .....
        o.o..
        .x.x.
        .....  x""")
    codes = {name: position.code(position.move(name)) for name in position.names}
    b2, d2 = 5 * 6, 5 * 8
    assert codes == {
        "b2-b3": b2, "b2xc3": b2 + 2, "b2xa3": b2 + 4,
        "d2-d3": d2, "d2-e3": d2 + 1, "d2xc3": d2 + 4,
    }  # fmt: skip
    black = at("""
        .....
        .....
        .o...
        x...x
        .....  o""")
    codes = {name: black.code(black.move(name)) for name in black.names}
    b3 = 125 + 5 * 11
    assert codes == {"b3-b2": b3, "b3-c2": b3 + 1, "b3xa2": b3 + 4}
    assert position.game.codes() == 250


def test_a_gesture_has_one_code_and_a_code_one_gesture() -> None:
    """Over random games: code <-> (player, from, to, capture), whatever the position."""
    by_code: dict[int, tuple[int, str]] = {}
    for index in range(200):
        for position in random_game(FIVE, 8, index):
            for move in position.moves:
                gesture = (int(position.turn), position.name(move))
                assert by_code.setdefault(position.code(move), gesture) == gesture
    assert len(set(by_code.values())) == len(by_code) > 150


def test_mirror_exchanges_left_and_right() -> None:
    position = Position.parse(FIVE, f"{MIDDLE} x")
    itself, mirrored = position.symmetries()
    assert itself == position
    assert mirrored.text == "o.o.o/.o.../..ox./.x..x/x..x. x"
    mirror = position.game.symmetries[1]  # type: ignore[attr-defined]
    move = position.game.transform_move(position.move("d2xc3"), mirror)  # type: ignore[attr-defined]
    assert mirrored.name(move) == "b2xc3"


def test_random_play_on_5x5() -> None:
    """First player 51.6 %, 15.9 plies: figures of an independent program, with its tolerance."""
    start = _core.Position(FIVE)
    games = 200_000
    first, draws, second = start.playouts(1, games)
    assert draws == 0
    assert first + second == games
    assert 100 * first / games == pytest.approx(51.6, abs=0.4)
    plies = sum(len(start.traced_playout(1, index)[1]) for index in range(games))
    # A game's standard deviation is 5.7 plies, that of the mean of 200,000 games 0.013.
    assert plies / games == pytest.approx(15.9, abs=0.1)


def test_playouts_end_when_the_last_pawn_is_taken() -> None:
    """Random games from the start hardly ever end so."""
    position = at("""
        .....
        .....
        .o...
        x.x.x
        .....  x""")
    rust = _core.Position(FIVE, position.text)
    lengths = set()
    for index in range(200):
        codes: list[int] = []
        playout(position.game, position.state, Rng.stream(6, index), codes)
        assert rust.traced_playout(6, index)[1] == codes
        lengths.add(len(codes))
    assert 1 in lengths  # taken at once
