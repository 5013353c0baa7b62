"""Evaluations: identical integers in both languages, one number for both sides, and the terms."""

import itertools
import json
import random

import pytest
from typer.testing import CliRunner

from helpers import random_game
from sylve import Player, Position, evaluate
from sylve.cli import app
from sylve.engine import to_core
from sylve.evaluations import EVALUATIONS, LARGEST, evaluations_of
from sylve.evaluations.othello import table
from sylve.evaluations.othello_stability import put, stable_discs, stable_on_edge
from sylve.games.board import EMPTY, STONES

# Enough random games for some hundred positions each; the larger boards are slow in Python.
GAMES = {
    "tic_tac_toe": 30,
    "breakthrough": 8,
    "breakthrough(columns=2, rows=4)": 30,
    "breakthrough(columns=5, rows=5)": 20,
    "othello(size=4)": 60,
    "othello(size=6)": 25,
    "othello": 15,
    "connect_four": 15,
    "connect_four(columns=4, rows=4)": 30,
    "connect_four(columns=12, rows=4)": 10,
    "hex(size=2)": 30,
    "hex(size=4, swap=true)": 30,
    "hex(size=5)": 20,
    "hex(size=9)": 2,
    "hex(size=13)": 1,
    "go(size=2)": 30,
    "go(size=5)": 15,
    "go(size=9)": 2,
    "go(size=13, komi=0.5)": 1,
}


def positions(game: str, games: int, seed: int = 21) -> list[Position]:
    return [position for index in range(games) for position in random_game(game, seed, index)]


@pytest.mark.parametrize(("game", "games"), GAMES.items())
def test_the_engines_agree(game: str, games: int) -> None:
    names = list(evaluations_of(Position.start(game).game))
    assert to_core(Position.start(game)).evaluations() == names
    for position in positions(game, games):
        for name in names:
            reference = evaluate(position, name, engine="python")
            assert evaluate(position, name, engine="rust") == reference
            assert abs(reference.score) <= LARGEST


@pytest.mark.parametrize(
    "game", ["othello", "othello(size=6)", "breakthrough", "hex(size=5)", "go(size=5)"]
)
def test_the_other_side_sees_the_negation(game: str) -> None:
    for position in positions(game, 4, seed=22):
        state = position.state
        turned = (
            state._replace(turn=state.turn.other)
            if hasattr(state, "_replace")
            else type(state)(state.board, state.turn.other, state.ko, state.passes, state.earlier)
        )
        other = Position(position.game, turned)
        for name in evaluations_of(position.game):
            if name == "learned":  # it knows whose move it is
                continue
            mine = evaluate(position, name, engine="python")
            theirs = evaluate(other, name, engine="python")
            assert theirs.score == -mine.score
            assert theirs.terms == {term: -value for term, value in mine.terms.items()}


@pytest.mark.parametrize(
    "game", ["othello", "breakthrough", "connect_four", "go(size=5)", "hex(size=5)"]
)
def test_turned_and_mirrored_boards_look_the_same(game: str) -> None:
    for position in positions(game, 2, seed=23):
        for name in EVALUATIONS[position.game.name]:  # type: ignore[attr-defined]
            scores = {evaluate(way, name).score for way in position.symmetries()}
            assert len(scores) == 1


def test_othello_by_hand() -> None:
    # Four discs of x, one of o, who is to move; three places for each.
    position = Position.start("othello").play("d3")
    found = evaluate(position, "composite")
    assert found.terms == {"coin_parity": -60_000, "mobility": 0, "corners": 0}
    assert found.score == -20_000
    four = evaluate(position, "composite_stability")
    assert four.terms == {**found.terms, "stability": 0}
    assert four.score == -15_000
    # Weights of o less those of x: 3 - (3 + 3 + 3 + 3).
    assert evaluate(position, "weights").score == -9_000
    corner = Position.parse("othello", "xo....../......../" + "/".join(["." * 8] * 6) + " x")
    assert evaluate(corner, "weights").score == 1000 * (120 + 20)
    assert evaluate(corner, "stability").score == 100_000
    assert evaluate(corner, "composite").terms["corners"] == 100_000
    assert evaluate(corner, "composite_stability").terms["stability"] == 100_000


@pytest.mark.parametrize("name", EVALUATIONS["othello"])
def test_many_at_once_are_the_same_one_by_one(name: str) -> None:
    start = Position.start("othello")
    after = [start.play(a).play(b) for a in start.moves for b in start.play(a).moves]
    wanted = sum(evaluate(position, name, engine="python").score for position in after)
    assert to_core(start).evaluate_all(name, 2, 3) == (3 * len(after), 3 * wanted)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_table_is_symmetric(size: int) -> None:
    weights = table(size)
    rows = [weights[at : at + size] for at in range(0, size * size, size)]
    assert rows == rows[::-1] == [row[::-1] for row in rows] == list(zip(*rows, strict=True))
    assert rows[0][0] == 120
    assert rows[1][1] == -40


def survives(edge: str, place: int) -> bool:
    """Whether a disc keeps its colour in every way to fill an edge, by trying all of them."""
    return all(
        after[place] == edge[place] and survives(after, place)
        for at, disc in enumerate(edge)
        if disc == EMPTY
        for after in (put(edge, at, stone) for stone in STONES)
    )


def test_edges_are_exact() -> None:
    for cells in itertools.product("xo.", repeat=5):
        edge = "".join(cells)
        expected = {at for at, disc in enumerate(edge) if disc != EMPTY and survives(edge, at)}
        assert stable_on_edge(edge) == expected
    assert stable_on_edge(".xxxxxx.") == set()
    assert stable_on_edge(".xxxxxxx") == set(range(1, 8))
    assert stable_on_edge("xxo.....") == {0, 1}


def test_stable_discs_of_4x4_survive_every_continuation() -> None:
    """Brute force: no line of play ever turns a disc that was called stable."""
    checked = 0
    for index in range(60):
        for position in random_game("othello(size=4)", 24, index):
            if position.text.count(".") > 5:
                continue
            board = position.state.board
            stable = stable_discs(position.game, board)  # type: ignore[arg-type]
            checked += len(stable)
            todo, seen = [position], {position}
            while todo:
                here = todo.pop()
                assert all(here.state.board[cell] == board[cell] for cell in stable)
                for move in here.moves:
                    after = here.play(move)
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)
    assert checked > 500


def test_every_disc_of_a_full_board_is_stable() -> None:
    numbers = random.Random(1)
    board = "".join(numbers.choice("xo") for _ in range(64))
    game = Position.start("othello").game
    assert stable_discs(game, board) == set(range(64))  # type: ignore[arg-type]


def test_a_runner_is_a_pawn_that_nobody_can_stop() -> None:
    def runners(text: str) -> int:
        return evaluate(Position.parse("breakthrough(columns=5, rows=6)", text)).terms["runners"]

    # An o on c5 can come into the way of x on a3, and x into the way of o.
    assert runners("...../..o../...../x..../...../..... x") == 0
    # e5 cannot reach a4 in time, nor a4 e5: x is on its row 3, o on its row 1.
    assert runners("...../....o/x..../...../...../..... x") == 13_000 - 11_000
    # A pawn at home is no runner yet.
    assert runners("....o/...../x..../...../...../..... x") == 13_000


def test_hex_two_distance() -> None:
    found = evaluate(Position.start("hex(size=3)"), engine="python")
    assert found.score == 0
    # A stone in the middle: x is nearer than o.
    position = Position.start("hex(size=3)").play("b2")
    assert evaluate(position).terms["distance"] < 0


def test_hex_two_distance_of_a_long_way() -> None:
    # From x's chain at the bottom a way winds down that o's stones leave free. The sums at its end
    # are beyond 255: as bytes, they looked nearest once.
    walls = {2: "o" * 15 + "..", 5: ".." + "o" * 15}
    winding = ["xo" + walls.get(row % 6, "." * 17) for row in range(2, 17)]
    rows = ["." * 19, "x" + "." * 18, *winding, *["x" + "o" * 18] * 2]
    position = Position.parse("hex(size=19)", "/".join(rows) + " x")
    found = [evaluate(position, engine=engine) for engine in ("python", "rust")]
    assert [one.terms for one in found] == [{"distance": 55_000, "mobility": 20}] * 2


def test_go_counts_the_area_that_is_nearer() -> None:
    position = Position.parse("go(size=5, komi=0.5)", "...../.x.o./.x.o./.x.o./..... x - 0")
    # The column between is nobody's; two columns for each, stones included.
    assert evaluate(position).terms == {"area": 0, "liberties": 0, "komi": -500}
    alone = Position.parse("go(size=3, komi=0)", ".../.x./... o - 0")
    assert evaluate(alone).terms == {"area": -9000, "liberties": -400, "komi": 0}


def test_connect_four_counts_open_lines() -> None:
    position = Position.start("connect_four").play_line("112233")
    terms = evaluate(position).terms
    # x has a1 b1 c1, o the cells above: each one open three; for x it is d1, for o d2.
    assert terms["threes"] == 0
    assert position.turn == Player.FIRST


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown evaluation 'weight' of othello: did you mean"):
        evaluate(Position.start("othello"), "weight")


def test_the_command_line() -> None:
    run = CliRunner().invoke(app, ["evaluate", "othello", "--moves", "d3", "--json"])
    content = json.loads(run.stdout)
    assert [one["name"] for one in content["evaluations"]] == list(EVALUATIONS["othello"])
    (composite,) = (one for one in content["evaluations"] if one["name"] == "composite")
    assert composite["score"] == -20_000
    shown = CliRunner().invoke(app, ["evaluate", "othello", "--evaluation", "composite"])
    assert "coin_parity" in shown.stdout
    assert "positional" not in shown.stdout
