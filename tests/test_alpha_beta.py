"""Alpha-beta: both engines find the value of minimax; budgets, reports, a user's own evaluation."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from helpers import random_game
from sylve import AlphaBeta, AlphaBetaReport, Position, Uct, evaluate, parse_search, search
from sylve.cli import app
from sylve.search.reference.alpha_beta import WIN, alpha_beta, minimax
from sylve.search.reports.alpha_beta_report import meaning
from test_check_game import Nim

# The game, the depth, and how many random games to look into.
GAMES = [
    ("tic_tac_toe", 4, 3),
    ("breakthrough(columns=3, rows=5)", 3, 5),
    ("othello(size=4)", 4, 6),
    ("othello(size=6)", 2, 1),
    ("connect_four(columns=4, rows=4)", 4, 4),
    ("hex(size=3)", 3, 5),
    ("hex(size=3, swap=true)", 2, 5),
    ("go(size=2)", 3, 3),
    ("go(size=3, komi=0)", 2, 2),
]


def open_positions(game: str, games: int) -> list[Position]:
    found = [position for index in range(games) for position in random_game(game, 31, index)]
    return [position for position in found if position.outcome is None]


@pytest.mark.parametrize(("game", "depth", "games"), GAMES)
def test_the_engines_find_the_value_of_minimax(game: str, depth: int, games: int) -> None:
    for position in open_positions(game, games):
        score, line, nodes = minimax(position, depth)
        assert alpha_beta(position, depth)[:2] == (score, line)
        assert alpha_beta(position, depth)[2] <= nodes
        if len(position.moves) == 1:
            continue
        for table in (0, 1, 1000):
            how = AlphaBeta(depth, table=table)
            report = search(position, how, engine="rust")
            assert isinstance(report, AlphaBetaReport)
            assert (report.score, report.best) == (score, line[0])
            assert_leads_to_score(report)
        reference = search(position, AlphaBeta(depth), engine="python")
        assert isinstance(reference, AlphaBetaReport)
        assert_same(report, reference)
        assert_leads_to_score(reference)


@pytest.mark.parametrize(("game", "depth", "games"), GAMES)
def test_every_move_has_its_own_score(game: str, depth: int, games: int) -> None:
    for position in open_positions(game, 1):
        if len(position.moves) == 1:
            continue
        how = AlphaBeta(depth, multi=True)
        report = search(position, how)
        assert_same(report, search(position, how, engine="python"))
        assert report.moves == search(position, dataclasses.replace(how, table=1)).moves
        for entry in report.moves:
            # The value of the position after it, one ply less deep, seen from the other side.
            after = Position(position.game, position.game.play(position.state, entry.move))
            assert entry.score == minimax_after(after, depth - 1)
        ranks = [entry.score for entry in report.ranked]
        assert ranks == sorted(ranks, key=lambda score: -(score or 0))


def minimax_after(after: Position, depth: int) -> int:
    if after.outcome is not None:
        return (WIN - 1) * (after.outcome.points(after.turn.other) - 1)
    if depth == 0:
        return -evaluate(after).score
    score = -minimax(after, depth)[0]
    # A win counted from one ply higher up.
    return score - (score > 500_000) + (score < -500_000)


def assert_same(one: object, other: object) -> None:
    """The two engines visit other positions and may know another line to the same score."""
    assert isinstance(one, AlphaBetaReport)
    assert isinstance(other, AlphaBetaReport)
    assert (one.score, one.depth, one.best) == (other.score, other.depth, other.best)
    assert (one.moves, one.stopped) == (other.moves, other.stopped)


def assert_leads_to_score(report: AlphaBetaReport) -> None:
    position = report.position
    for move in report.line:
        # Below the root Go forgets its history.
        position = Position(position.game, position.game.play(position.state, move))
    plies = len(report.line)
    if position.outcome is not None:
        expected = (WIN - plies) * (position.outcome.points(report.position.turn) - 1)
    else:
        assert plies == report.depth
        score = evaluate(position).score
        expected = score if position.turn == report.position.turn else -score
    assert report.score == expected


# What the document's code gets wrong.


def test_a_forced_pass_is_a_move_and_the_sign_is_right() -> None:
    # x must pass; after it o plays and x too. The score is for x throughout.
    found = 0
    for index in range(40):
        for position in random_game("othello(size=4)", 33, index):
            if position.names == ("pass",):
                found += 1
                after = position.play("pass")
                score, line, _ = minimax(position, 1)
                assert score == -evaluate(after).score
                assert line == (position.game.pass_move,)  # type: ignore[attr-defined]
    assert found > 3


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_the_point_of_view_does_not_depend_on_the_depth(depth: int) -> None:
    # x has three stable corners and nobody is near the end: good for x at every depth.
    text = "xxxxxxxx/x.xxxo../x..xoo../x..ooo../x...o.../x......./x......./x......."
    for side, sign in (("x", 1), ("o", -1)):
        position = Position.parse("othello", f"{text} {side}")
        for evaluation in ("weights", "stability"):
            assert alpha_beta(position, depth, evaluation)[0] * sign > 0
            report = search(position, AlphaBeta(depth, evaluation=evaluation))
            assert isinstance(report, AlphaBetaReport)
            assert report.score == alpha_beta(position, depth, evaluation)[0]


def test_a_finished_game_is_won_whatever_the_evaluation_says() -> None:
    # x to move can fill the board; the composite of a lost ending may look good.
    for position in open_positions("othello(size=4)", 10):
        if position.text.count(".") != 1 or len(position.moves) != 1:
            continue
        after = position.play(position.moves[0])
        if after.outcome is not None:
            score, _, _ = minimax(position, 3)
            assert score == (WIN - 1) * (after.outcome.points(position.turn) - 1)


def test_the_first_of_equal_moves_is_chosen() -> None:
    start = Position.start("othello")
    report = search(start, AlphaBeta(5, multi=True))
    assert len({entry.score for entry in report.moves}) == 1, "the four first moves are symmetric"
    assert report.best == start.moves[0]
    for depth in range(1, 9):
        assert search(start, AlphaBeta(depth)).best == start.moves[0]


def test_a_quick_win_is_preferred_and_a_slow_loss() -> None:
    position = Position.start("connect_four").play_line("112233")
    report = search(position, AlphaBeta(8))
    assert isinstance(report, AlphaBetaReport)
    assert (report.best_name, report.score, report.depth) == ("4", WIN - 1, 1)
    assert (report.stopped, report["4"].proven) == ("proven", "win")
    assert meaning(WIN - 1) == "a win in 1 ply"
    # x threatens both ends of its three, and o cannot stop both.
    lost = search(Position.start("connect_four").play_line("41315"), AlphaBeta(6, multi=True))
    assert isinstance(lost, AlphaBetaReport)
    assert {entry.score for entry in lost.moves} == {-(WIN - 2)}
    assert (lost.depth, lost.stopped, meaning(lost.score or 0)) == (
        2,
        "proven",
        "a loss in 2 plies",
    )


def test_a_finished_position_is_refused() -> None:
    over = Position.start("tic_tac_toe").play_line("a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="the game is over"):
        search(over, AlphaBeta(2))


# Budgets and arguments.


def test_text() -> None:
    how = parse_search("alpha_beta(depth=6, evaluation=positional)")
    assert how == AlphaBeta(6, evaluation="positional")
    assert parse_search(str(how)) == how
    assert parse_search("alpha_beta(4, table=0, multi=true)") == AlphaBeta(4, table=0, multi=True)
    assert parse_search("alpha_beta") == AlphaBeta()
    assert search(Position.start("tic_tac_toe"), AlphaBeta()).depth == 6  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("alpha_beta(0)", "depth must be a whole number from 1 to 100, not 0"),
        ("alpha_beta(depth=101)", "from 1 to 100, not 101"),
        ("alpha_beta(seconds=-1)", "seconds must be a number from 0 to 1e\\+06, not -1"),
        ("alpha_beta(table=-1)", "table must be a whole number from 0"),
        ("alpha_beta(multi=2)", "multi must be true or false, not 2"),
        ("alpha_beta(evaluation=3)", "evaluation must be a name or a function, not 3"),
        ("alpha_beta(playouts=3)", "unknown argument 'playouts'"),
    ],
)
def test_bad_arguments(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_search(text)


def test_seconds_end_the_search() -> None:
    for engine in ("rust", "python"):
        report = search(Position.start("othello"), AlphaBeta(seconds=0.05), engine=engine)  # type: ignore[arg-type]
        assert isinstance(report, AlphaBetaReport)
        assert report.stopped == "seconds"
        assert report.depth >= 1
        assert len(report.line) == report.depth
        again = search(Position.start("othello"), AlphaBeta(report.depth))
        assert isinstance(again, AlphaBetaReport)
        assert (again.score, again.best) == (report.score, report.best)


def test_one_move_is_not_searched() -> None:
    position = Position.start("tic_tac_toe").play_line("a1 b1 c1 a2 c2 b2 a3 c3")
    report = search(position, AlphaBeta(3))
    assert isinstance(report, AlphaBetaReport)
    assert (report.stopped, report.score, report.nodes) == ("only move", None, 0)
    assert "only legal move" in report.explain()
    assert report.to_dict()["score"] is None


# The user's own evaluation and game.


def mobility(position: Position) -> int:
    return 10 * len(position.moves)


@pytest.mark.parametrize("game", ["othello(size=6)", "connect_four", "go(size=3)"])
def test_a_users_evaluation(game: str) -> None:
    position = Position.start(game)
    how = AlphaBeta(3, evaluation=mobility, multi=True)
    report = search(position, how)
    assert report.engine == "rust"
    assert_same(report, search(position, how, engine="python"))
    assert report.best_name in position.names
    assert str(how) == 'alpha_beta(depth=3, evaluation="mobility", multi=true)'


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_users_evaluation_may_fail(engine: str) -> None:
    def broken(position: Position) -> int:
        raise RuntimeError("no idea")

    def strange(position: Position) -> int:
        return 1.5  # type: ignore[return-value]

    start = Position.start("othello")
    with pytest.raises(RuntimeError, match="no idea"):
        search(start, AlphaBeta(3, evaluation=broken), engine=engine)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="whole number from -900000 to 900000, not 1.5"):
        search(start, AlphaBeta(3, evaluation=strange), engine=engine)  # type: ignore[arg-type]


def test_a_users_game() -> None:
    start = Position.start(Nim())
    with pytest.raises(ValueError, match="has no evaluation: give the game a method"):
        search(start, AlphaBeta(3))
    report = search(start, AlphaBeta(30, evaluation=lambda position: 0))
    assert isinstance(report, AlphaBetaReport)
    assert report.engine == "python"
    assert report.stopped == "proven"
    best = search(start, Uct(3000)).best
    assert report[best].proven in (None, report[report.best].proven)


# Reports.


def test_the_lesson_is_visible() -> None:
    position = Position.start("connect_four").play_line("44")
    report = search(position, AlphaBeta(4), engine="python")
    assert isinstance(report, AlphaBetaReport)
    nodes = minimax(position, 4)[2]
    assert report.minimax_nodes == nodes
    assert f"Minimax visits {nodes:,} positions at depth 4" in report.explain()
    assert alpha_beta(position, 4)[2] < nodes / 2
    # Where minimax would take hours, nobody waits for the count.
    deep = dataclasses.replace(search(Position.start("go"), AlphaBeta(1)), depth=6)  # type: ignore[call-arg]
    assert "Minimax" not in deep.explain()


def test_json() -> None:
    report = search(Position.start("othello").play("d3"), AlphaBeta(4, multi=True))
    content = json.loads(json.dumps(report.to_dict()))
    fields = "schema game position search seed engine playouts nodes seconds bytes best line moves"
    assert set(fields.split()) <= set(content)
    assert (content["playouts"], content["seed"]) == (None, None)
    (entry, *_) = content["moves"]
    names = "move name visits wins draws mean stderr amaf_visits amaf_mean beta score rank proven"
    assert set(names.split()) <= set(entry)
    assert (entry["visits"], entry["mean"]) == (None, None)
    assert isinstance(entry["score"], int)
    assert "<svg" in report._repr_html_()


def test_the_command_line() -> None:
    how = "alpha_beta(depth=4, evaluation=composite)"
    run = CliRunner().invoke(app, ["analyze", "othello", "--how", how, "--json"])
    assert json.loads(run.stdout)["depth"] == 4
    shown = CliRunner().invoke(app, ["analyze", "othello", "--how", how, "--explain"])
    assert "depth 4" in shown.stdout
    assert "was chosen for the highest score" in shown.stdout
    listed = CliRunner().invoke(app, ["algorithms"])
    assert "alpha_beta(" in listed.stdout
    for options in (["--playouts", "5"], ["--seed", "1"]):
        refused = CliRunner().invoke(app, ["analyze", "othello", "--how", how, *options])
        assert isinstance(refused.exception, ValueError)
        assert "alpha_beta has no playouts" in str(refused.exception)
    how = "alpha_beta(evaluation=weights)"
    wrong = [str(Path(sys.executable).with_name("sylve")), "analyze", "go", "--how", how]
    done = subprocess.run(wrong, capture_output=True, text=True)
    assert done.returncode == 2
    assert "unknown evaluation 'weights' of go: expected one of: area" in done.stderr


def test_ctrl_c_ends_it() -> None:
    def interrupt() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        search(Position.start("othello"), AlphaBeta(60))
    thread.join()
