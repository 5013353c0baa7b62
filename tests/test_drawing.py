"""Drawings: valid SVG for every game, the boards, games of the user's own, colours."""

import itertools
import math
from dataclasses import dataclass

import pytest

from drawings import SIX, SVG, centre, circles, parse, points, texts
from helpers import GAMES, random_game, spread
from sylve import IllegalMove, InvalidMove, Outcome, Player, Position
from sylve.drawing.colours import DARK, LIGHT, SCALE, contrast, heat_colour, ink_on, luminance
from sylve.drawing.lines import star_points

ALLOWED = {"svg", "title", "rect", "circle", "polyline", "polygon", "path", "text"}

Heap = tuple[int, Player]


@dataclass(frozen=True)
class Nim:
    """A game without a board: take one to three; who takes the last one wins."""

    def start(self) -> Heap:
        return 5, Player.FIRST

    def turn(self, state: Heap) -> Player:
        return state[1]

    def outcome(self, state: Heap) -> Outcome | None:
        return None if state[0] else Outcome(state[1].other)

    def moves(self, state: Heap) -> list[int]:
        return [count for count in (1, 2, 3) if count <= state[0]]

    def play(self, state: Heap, move: int) -> Heap:
        return state[0] - move, state[1].other

    def draw(self, state: Heap) -> str:
        return f"heap: {state[0]}"


# Every drawing.


@pytest.mark.parametrize("game", GAMES)
def test_every_position_draws_as_clean_svg(game: str) -> None:
    for position in spread(random_game(game, seed=7, index=0), 40):
        moves = position.moves
        heat = {move: place / len(moves) for place, move in enumerate(moves)}
        drawing = position.svg(
            heat=heat, arrows=moves[:2], labels={move: str(move) for move in moves[-3:]}, size=150
        )
        root = parse(drawing)
        assert root.attrib["role"] == "img"
        assert root.attrib["width"] == "150"
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
        names = {name for element in root.iter() for name in element.attrib}
        assert not names & {"id", "class", "href", "style"}
        assert not any(name.startswith("on") for name in names)
        assert "nan" not in drawing
        assert "inf" not in drawing
        assert "url(" not in drawing


@pytest.mark.parametrize("game", SIX)
@pytest.mark.parametrize("size", [50, 150, 400, 1001])
def test_all_shapes_lie_inside(game: str, size: int) -> None:
    *_, position = itertools.islice(random_game(game, seed=8, index=0), 10)
    root = parse(position.svg(heat=dict.fromkeys(position.moves, 0.5), size=size))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    for element in root.iter(f"{SVG}circle"):
        x, y, r = (float(element.attrib[key]) for key in ("cx", "cy", "r"))
        assert r <= x <= width - r
        assert r <= y <= height - r
    for element in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(element.attrib[key]) for key in ("x", "y", "width", "height"))
        assert -0.01 <= x <= x + w <= width + 0.01
        assert -0.01 <= y <= y + h <= height + 0.01
    for tag in ("polygon", "polyline"):
        for element in root.iter(SVG + tag):
            assert all(0 <= x <= width and 0 <= y <= height for x, y in points(element))
    for element in root.iter(f"{SVG}text"):
        half = 0.3 * float(element.attrib["font-size"]) * len(element.text or "")
        assert half <= float(element.attrib["x"]) + 0.5 <= width - half + 1


@pytest.mark.parametrize("game", SIX)
def test_the_same_position_gives_the_same_text(game: str) -> None:
    position = Position.start(game)
    heat = {move: move % 7 / 7 for move in position.moves}
    backwards = dict(reversed(heat.items()))
    assert position.svg(heat=heat) == Position.start(game).svg(heat=backwards)
    assert position._repr_svg_() == position.svg()


def test_the_title_says_whose_turn_it_is() -> None:
    def title(position: Position) -> str | None:
        return parse(position.svg()).findtext(f"{SVG}title")

    assert title(Position.start("tic_tac_toe")) == "tic_tac_toe: X to move"
    assert title(Position.start("breakthrough")) == "breakthrough: White to move"
    assert title(Position.start("othello").play("f5")) == "othello: White to move"
    assert title(Position.start("connect_four")) == "connect_four: Red to move"
    assert title(Position.start("hex(size=5)")) == "hex(size=5): Black to move"
    assert title(Position.start("tic_tac_toe").play_line("a1 a2 b1 b2 c1")) == "tic_tac_toe: X won"
    full = Position.parse("tic_tac_toe", "xox/xxo/oxo o")
    assert title(full) == "tic_tac_toe: draw"


def test_the_last_line_says_whose_turn_it_is() -> None:
    start = Position.start
    for position, words in (
        (start("tic_tac_toe"), "X to move"),
        (start("breakthrough"), "White (x) to move"),
        (start("othello").play("f5"), "White (o) to move"),
        (start("connect_four"), "Red (x) to move"),
        (start("hex(size=5)").play("a1"), "White (o) to move"),
        (start("go(size=5)").play("pass"), "White (o) to move"),
        (start("tic_tac_toe").play_line("a1 a2 b1 b2 c1"), "X won"),
        (start("breakthrough(columns=2, rows=4)").play_line("a2xb3 a3-a2 b3xa4"), "White (x) won"),
        (Position.parse("tic_tac_toe", "xox/xxo/oxo o"), "draw"),
    ):
        assert texts(position.svg())[-1] == words
        with_heat = position.svg(heat=dict.fromkeys(position.moves, 0.5), labels={})
        assert texts(with_heat)[-1] == words
        assert words not in texts(position.svg(turn=False))


# Boards.


def test_coordinates() -> None:
    def names(game: str) -> list[str]:
        return texts(Position.start(game).svg(turn=False))

    assert names("breakthrough") == [*"abcdefgh", *"12345678"]
    assert names("connect_four") == [*"1234567"]
    assert names("go(size=9)") == [*"ABCDEFGHJ", *"123456789"]
    assert sorted(names("hex(size=5)")) == [*"12345", *"abcde"]


def test_small_drawings_leave_out_names_that_would_touch() -> None:
    root = parse(Position.start("go(size=19)").svg(size=150))
    rows = sorted(
        (float(element.attrib["y"]), float(element.attrib["font-size"]))
        for element in root.iter(f"{SVG}text")
        if (element.text or "").isdigit()
    )
    assert 5 <= len(rows) < 19
    for (y, height), (below, _) in itertools.pairwise(rows):
        assert height == 8
        assert below - y >= height


def test_row_1_is_where_the_game_has_it() -> None:
    for game, below in (("othello", False), ("breakthrough", True), ("go(size=9)", True)):
        position = Position.start(game)
        assert (centre(position, "a1")[1] > centre(position, "a2")[1]) == below
        assert centre(position, "a1")[0] < centre(position, "b1")[0]


def test_white_pawns_are_below() -> None:
    drawn = [
        (element.attrib["fill"], float(element.attrib["transform"].split("(")[1].split()[1][:-1]))
        for element in parse(Position.start("breakthrough").svg()).iter(f"{SVG}path")
    ]
    fills = {fill for fill, _ in drawn}
    assert len(drawn) == 32
    assert len(fills) == 2
    white = max(fills, key=luminance)
    assert min(y for fill, y in drawn if fill == white) > 200
    assert max(y for fill, y in drawn if fill != white) < 200


def test_crosses_and_noughts() -> None:
    position = Position.start("tic_tac_toe").play_line("b2 a1")
    noughts = [element.attrib for element in parse(position.svg()).iter(f"{SVG}circle")]
    assert [(float(n["cx"]), float(n["cy"])) for n in noughts] == [centre(position, "a1")]
    lines = [points(line) for line in parse(position.svg()).iter(f"{SVG}polyline")]
    x, y = centre(position, "b2")
    assert sum(all(math.hypot(a - x, b - y) < 60 for a, b in line) for line in lines) == 2


def test_othello_discs() -> None:
    position = Position.start("othello")
    assert set(circles(position.svg(), fill=DARK)) == {
        centre(position, "d5"), centre(position, "e4")
    }  # fmt: skip
    assert set(circles(position.svg(), fill=LIGHT)) == {
        centre(position, "d4"), centre(position, "e5")
    }  # fmt: skip


def test_hex_borders() -> None:
    """Black has the top and the bottom, White the left and the right."""
    position = Position.start("hex(size=5)")
    top, bottom, left, right = (
        (line.attrib["stroke"], points(line))
        for line in parse(position.svg()).iter(f"{SVG}polyline")
    )
    assert [side[0] for side in (top, bottom, left, right)] == [DARK, DARK, LIGHT, LIGHT]
    assert max(y for _, y in top[1]) < centre(position, "a1")[1]
    assert min(y for _, y in bottom[1]) > centre(position, "a5")[1]
    assert left[1][0] == top[1][0]
    assert right[1][-1] == bottom[1][-1]
    assert left[1][-1] == bottom[1][0]
    assert right[1][0] == top[1][-1]


def test_hex_neighbours_touch() -> None:
    """A cell is equally far from its six neighbours, and from no other cell."""
    position = Position.start("hex(size=5)")
    x, y = centre(position, "c3")
    cells = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
    away = {
        cell: math.hypot(centre(position, cell)[0] - x, centre(position, cell)[1] - y)
        for cell in cells
    }
    near = sorted(away, key=away.__getitem__)[1:8]
    assert set(near[:6]) == {"b3", "d3", "c2", "c4", "d2", "b4"}
    assert away[near[5]] - away[near[0]] < 0.05
    assert away[near[6]] > 1.5 * away[near[0]]


def test_star_points() -> None:
    assert star_points(5) == []
    assert set(star_points(9)) == {(2, 2), (2, 6), (6, 2), (6, 6), (4, 4)}
    assert len(star_points(13)) == 5
    assert {(3, 3), (3, 9), (9, 9), (15, 9)} < set(star_points(19))
    assert len(star_points(19)) == 9
    assert len(star_points(8)) == 4


def test_high_boards_stay_in_their_width() -> None:
    root = parse(Position.start("breakthrough(columns=2, rows=8)").svg())
    assert float(root.attrib["height"]) <= 420


# A game of the user's own.


def test_a_game_of_your_own_is_its_text() -> None:
    position = Position.start(Nim())
    assert texts(position.svg()) == ["heap:\u00a05", "x\u00a0to\u00a0move"]
    notes = ["last: 2", "1", "2", "3 <all>"]
    drawing = position.play(2).svg(heat={1: 0.0, 2: 1.0}, labels={3: "<all>"})
    assert texts(drawing) == ["heap:\u00a03", "o\u00a0to\u00a0move", "0", "1", *notes]
    assert parse(drawing).findtext(f"{SVG}title") == "a game: o to move"
    with pytest.raises(IllegalMove, match="illegal move 4"):
        position.svg(heat={4: 0.5})
    with pytest.raises(InvalidMove, match=r"invalid last='2'.*give its number"):
        position.svg(last="2")


def test_long_text_is_broken_and_stays_inside() -> None:
    class Wordy(Nim):
        def draw(self, state: Heap) -> str:
            return "w" * 200 + f"\n\n<&>\t{state[0]}\x07"

    root = parse(Position.start(Wordy()).svg())
    for element in root.iter(f"{SVG}text"):
        wide = 0.602 * float(element.attrib["font-size"]) * len(element.text or "")
        assert float(element.attrib["x"]) + wide <= 400
    assert len(list(root.iter(f"{SVG}text"))) == 6


# Colours.


def test_the_scale_gets_lighter_all_the_way() -> None:
    light = [luminance(heat_colour(k / 100)) for k in range(101)]
    assert light == sorted(light)
    assert heat_colour(0) == SCALE[0]
    assert heat_colour(1) == SCALE[-1]


def test_text_reads_on_every_colour_of_the_scale() -> None:
    """4.5 is what WCAG 2 asks of text; 4.0 is the worst that two inks can leave."""
    for k in range(101):
        colour = heat_colour(k / 100)
        assert contrast(ink_on(colour), colour) >= 4.0
