"""Drawings: valid SVG for every game, marks in the right places, errors that quote."""

import itertools
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import Any

import pytest

from helpers import GAMES, random_game
from sylve import IllegalMove, InvalidMove, Outcome, Player, Position
from sylve.drawing.colours import DARK, LIGHT, MARK, SCALE, contrast, heat_colour, ink_on, luminance
from sylve.drawing.draw import find_board
from sylve.drawing.lines import star_points

SVG = "{http://www.w3.org/2000/svg}"
SIX = ["tic_tac_toe", "breakthrough", "othello", "connect_four", "hex(size=5)", "go(size=9)"]
ALLOWED = {"svg", "title", "rect", "circle", "polyline", "polygon", "path", "text"}


def parse(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def texts(drawing: str) -> list[str]:
    return [element.text or "" for element in parse(drawing).iter(f"{SVG}text")]


def circles(drawing: str, **wanted: str) -> list[tuple[float, float]]:
    return [
        (float(element.attrib["cx"]), float(element.attrib["cy"]))
        for element in parse(drawing).iter(f"{SVG}circle")
        if all(element.get(key) == value for key, value in wanted.items())
    ]


def centre(position: Position, name: str, size: int = 400) -> tuple[float, float]:
    """Where a cell should be drawn, in two decimals."""
    x, y = find_board(position)(position, size).centre(position.game.find_cell(name))
    return round(x, 2), round(y, 2)


def points(element: ET.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in element.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


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
    for position in random_game(game, seed=7, index=0):
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


# Boards.


def test_coordinates() -> None:
    assert texts(Position.start("breakthrough").svg()) == [*"abcdefgh", *"12345678"]
    assert texts(Position.start("connect_four").svg()) == [*"1234567"]
    assert texts(Position.start("go(size=9)").svg()) == [*"ABCDEFGHJ", *"123456789"]
    assert sorted(texts(Position.start("hex(size=5)").svg())) == [*"12345", *"abcde"]


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


# Marks.


def test_last_move_is_marked_by_default() -> None:
    position = Position.start("othello").play("f5")
    at = centre(position, "f5")
    assert circles(position.svg(), fill=LIGHT).count(at) == 1  # a light dot on a dark disc
    assert Position.parse("othello", position.text).svg() != position.svg()
    assert Position.parse("othello", position.text).svg(last="f5") == position.svg()
    assert Position.parse("othello", position.text).svg(last=position.played[-1]) == position.svg()


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("tic_tac_toe", "b2 a1"),
        ("breakthrough", "b2-b3 d7-c6"),
        ("connect_four", "4 4 5"),
        ("hex(size=5)", "c3 b4"),
        ("go(size=9)", "E5 pass"),
    ],
)
def test_last_by_name_number_or_history(game: str, moves: str) -> None:
    position = Position.start(game).play_line(moves)
    bare = Position(position.game, position.state)
    assert bare.svg(last=moves.split()[-1]) == position.svg()
    assert bare.svg(last=position.played[-1]) == position.svg()
    assert bare.svg() != position.svg()


def test_last_in_breakthrough_colours_both_squares() -> None:
    plain = Position.start("breakthrough").play("b2-b3")
    marked = parse(plain.svg()).findall(f"{SVG}rect")
    bare = parse(Position(plain.game, plain.state).svg()).findall(f"{SVG}rect")
    assert len(marked) == len(bare) + 2
    corners = {(r.attrib["x"], r.attrib["y"]) for r in marked if r.get("fill-opacity")}
    x, y = centre(plain, "b2")
    side = find_board(plain)(plain, 400.0).cell
    assert len(corners) == 2
    assert {(round(float(a), 1), round(float(b), 1)) for a, b in corners} == {
        (round(x - side / 2, 1), round(y - side / 2, 1)),
        (round(x - side / 2, 1), round(y - 3 * side / 2, 1)),
    }


def test_connect_four_marks_where_stones_land() -> None:
    position = Position.start("connect_four").play_line("4 4")
    dot = circles(position.svg(), fill=DARK)
    assert dot == [centre(position, "d2")]
    heat = circles(position.svg(heat={"4": 1.0}), fill=SCALE[-1])
    assert heat == [centre(position, "d3")]


@pytest.mark.parametrize("game", ["connect_four", "go(size=9)"])
def test_heat_colours_cells(game: str) -> None:
    position = Position.start(game)
    drawing = position.svg(heat={position.moves[0]: 0.0, position.moves[1]: 1.0})
    assert circles(drawing, fill=SCALE[0]) == [centre(position, "a1")]
    assert circles(drawing, fill=SCALE[-1]) == [centre(position, "b1")]
    assert drawing.count('fill-opacity="0.85"') == 2
    assert texts(drawing)[-2:] == ["0", "1"]  # the legend


def test_heat_in_breakthrough_is_arrows_thicker_by_value() -> None:
    position = Position.start("breakthrough")
    drawing = position.svg(heat={"b2-b3": 0.1, "g2-g3": 0.9})
    arrows = parse(drawing).findall(f"{SVG}polygon")
    assert [arrow.attrib["fill"] for arrow in arrows] == [heat_colour(0.1), heat_colour(0.9)]
    thin, thick = (points(arrow)[0][0] - points(arrow)[-1][0] for arrow in arrows)
    assert abs(thick) > 2 * abs(thin)
    tip = points(arrows[0])[3]
    x, y = centre(position, "b3")
    assert tip[0] == pytest.approx(x, abs=0.02)
    assert y < tip[1] < centre(position, "b2")[1]


def test_black_arrows_point_down() -> None:
    position = Position.start("breakthrough").play("a2-a3")
    (arrow,) = parse(position.svg(arrows=["d7-e6"])).findall(f"{SVG}polygon")
    (x1, y1), (x2, y2) = points(arrow)[0], points(arrow)[3]
    assert x2 > x1
    assert y2 > y1
    assert arrow.attrib["fill"] == MARK


def test_arrows_are_rings_where_a_move_is_a_cell() -> None:
    position = Position.start("hex(size=5)")
    assert circles(position.svg(arrows=["b2", 0]), stroke=MARK) == [
        centre(position, "b2"), centre(position, "a1")
    ]  # fmt: skip
    assert position.svg(arrows="b2") == position.svg(arrows=["b2"])


@pytest.mark.parametrize("game", SIX)
def test_labels_are_escaped(game: str) -> None:
    position = Position.start(game)
    evil = '<script>alert("&")</script>\x00\x1b\ud800'
    drawing = position.svg(labels={position.moves[0]: evil})
    assert "<script" not in drawing
    assert '<script>alert("&")</script>\ufffd\ufffd\ufffd' in texts(drawing)


@pytest.mark.parametrize("game", SIX)
def test_names_and_numbers_mean_the_same(game: str) -> None:
    position = Position.start(game)
    move, name = position.moves[1], position.names[1]
    by_number = position.svg(heat={move: 0.5}, arrows=[move], labels={move: "1"})
    assert position.svg(heat={name: 0.5}, arrows=[name], labels={name: "1"}) == by_number


def test_labels_on_breakthrough_moves_do_not_cover_each_other() -> None:
    position = Position.start("breakthrough")
    drawing = position.svg(labels=dict.fromkeys(position.moves, "50"))
    places = [
        (float(text.attrib["x"]), float(text.attrib["y"]))
        for text in parse(drawing).iter(f"{SVG}text")
        if text.text == "50"
    ]
    assert len(places) == 22
    for k, (x, y) in enumerate(places):
        for other_x, other_y in places[:k]:
            assert abs(x - other_x) > 15 or abs(y - other_y) > 11


def test_moves_without_a_cell_stand_below() -> None:
    position = Position.start("go(size=9)")
    drawing = position.svg(heat={"pass": 0.5}, arrows=["pass"], labels={"pass": "why"})
    assert texts(drawing)[-1] == "pass why"
    assert MARK in drawing
    assert heat_colour(0.5) in drawing
    assert texts(position.play("pass").svg())[-1] == "last: pass"
    assert texts(Position.start("go(size=9)").svg(last="pass"))[-1] == "last: pass"


# Mistakes.


@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan, math.inf, -math.inf])
def test_heat_outside_0_to_1_is_refused(value: float) -> None:
    position = Position.start("tic_tac_toe")
    with pytest.raises(ValueError, match=rf"heat of 'b2' .* not {re.escape(repr(value))}"):
        position.svg(heat={"b2": value})


def test_a_move_given_twice_is_refused() -> None:
    twice: dict[int | str, float] = {4: 0.5, "b2": 0.6}
    with pytest.raises(ValueError, match="'b2' is given twice"):
        Position.start("tic_tac_toe").svg(heat=twice)


@pytest.mark.parametrize(
    "marks",
    [
        {"heat": {"a1": 0.5}},
        {"heat": {0: 0.5}},
        {"arrows": ["a1"]},
        {"arrows": [0]},
        {"labels": {0: "x"}},
    ],
)
def test_marks_must_be_legal_moves(marks: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove, match=r"illegal move ('a1'|0): legal here: .*b1"):
        Position.start("tic_tac_toe").play("a1").svg(**marks)


def test_marks_after_the_end_are_refused() -> None:
    over = Position.start("tic_tac_toe").play_line("a1 a2 b1 b2 c1")
    with pytest.raises(IllegalMove, match="game is over"):
        over.svg(arrows=[8])


@pytest.mark.parametrize("last", [-1, 9, 1000])
def test_last_must_be_a_move_of_the_game(last: int) -> None:
    with pytest.raises(IllegalMove, match=f"illegal last={last}"):
        Position.start("tic_tac_toe").svg(last=last)


def test_last_must_be_readable() -> None:
    with pytest.raises(InvalidMove, match="invalid last='z9': expected a cell"):
        Position.start("tic_tac_toe").svg(last="z9")


@pytest.mark.parametrize("size", [49, 0, -400, 400.5, math.nan, "400"])
def test_sizes(size: Any) -> None:
    with pytest.raises(ValueError, match=rf"from 50, not {re.escape(repr(size))}"):
        Position.start("tic_tac_toe").svg(size=size)


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
