"""Marks on drawings: in the right places, checked, escaped."""

import math
import re
from typing import Any

import pytest

from drawings import SIX, SVG, centre, circles, parse, points, texts
from sylve import IllegalMove, InvalidMove, Position
from sylve.drawing.colours import DARK, LIGHT, MARK, SCALE, heat_colour
from sylve.drawing.draw import find_board


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
    full = Position.start("connect_four").play_line("4 4 4 4 4 4")
    assert Position(full.game, full.state).svg(last=3) == full.svg()
    assert circles(full.svg(), fill=DARK) == [centre(full, "d6")]
    heat = circles(position.svg(heat={"4": 1.0}), fill=SCALE[-1])
    assert heat == [centre(position, "d3")]


@pytest.mark.parametrize("game", ["connect_four", "go(size=9)"])
def test_heat_colours_cells(game: str) -> None:
    position = Position.start(game)
    drawing = position.svg(heat={position.moves[0]: 0.0, position.moves[1]: 1.0}, turn=False)
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
    assert '<script>alert("&")</script>\\x00\\x1b\\ud800' in texts(drawing)


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
    assert texts(drawing)[-2:] == ["pass why", "Black (x) to move"]
    assert MARK in drawing
    assert heat_colour(0.5) in drawing
    assert texts(position.play("pass").svg())[-2] == "last: pass"
    assert texts(Position.start("go(size=9)").svg(last="pass"))[-2] == "last: pass"


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
