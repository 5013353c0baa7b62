"""`solve`: both engines find the same values, budgets are kept, bad input is refused."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers import random_game
from sylve import Outcome, Position, Solver, solve
from test_check_game import Nim

SYLVE = Path(sys.executable).with_name("sylve")
SMALL = [
    "tic_tac_toe",
    "hex(size=2)",
    "hex(size=3)",
    "hex(size=3, swap=true)",
    "hex(size=4)",
    "breakthrough(columns=2, rows=4)",
    "breakthrough(columns=2, rows=6)",
    "breakthrough(columns=3, rows=4)",
    "breakthrough(columns=3, rows=5)",
    "breakthrough(columns=4, rows=4)",
    "othello(size=4)",
    "othello(size=6)",
    "othello",
    "connect_four(columns=4, rows=4)",
    "connect_four(columns=5, rows=5)",
    "connect_four",
]


@pytest.mark.parametrize("game", SMALL)
def test_both_engines_find_the_same_values(game: str) -> None:
    """From the end of random games backwards, as long as minimax in Python keeps up."""
    reference, compiled = Solver(game, engine="python"), Solver(game)
    seen = 0
    for index in range(12):
        for position in reversed(list(random_game(game, 5, index))):
            expected = reference.solve(position, nodes=2_000)
            if not expected.exact:
                break
            found = compiled.solve(position)
            assert (found.value, found.per_move) == (expected.value, expected.per_move)
            assert found.best == expected.best
            assert found.complete
            assert found.engine == "rust"
            check_line(position, found.value, found.line)
            check_line(position, expected.value, expected.line)
            seen += 1
    assert seen > 12, "more than the ends"


def check_line(position: Position, value: int, line: tuple[int, ...]) -> None:
    """The line leads to an end of that value."""
    end = position.play_line(line)
    own = getattr(end.game, "final_value", None)
    final = own(end.state) if own else end.outcome.points(end.turn) - 1
    assert final == (value if end.turn == position.turn else -value)


def test_values_of_the_start() -> None:
    assert solve(Position.start("tic_tac_toe")).value == 0
    assert solve(Position.start("othello(size=4)"), want="value").value == -10  # 11-3
    assert solve(Position.start("breakthrough(columns=4, rows=4)"), want="value").value == -1


def test_hex_openings() -> None:
    """Which first cells win: a1 and its neighbour never do, the short diagonal does."""
    three = solve(Position.start("hex(size=3)"))
    names = {three.position.name(move): value for move, value in three.per_move.items()}
    assert {name for name, value in names.items() if value == 1} == {"c1", "a2", "b2", "c2", "a3"}


def test_a_game_of_the_users_own() -> None:
    solution = solve(Position.start(Nim()))
    assert (solution.value, solution.best, solution.engine) == (1, 3, "python")
    assert solution.per_move == {1: -1, 2: -1, 3: 1}
    assert sum(solution.line) == 7
    assert solution.to_dict()["position"] is None
    with pytest.raises(ValueError, match="written in Python"):
        solve(Position.start(Nim()), engine="rust")


def test_a_position_of_an_own_game_that_has_a_text() -> None:
    class Written(Nim):
        def write(self, state: object) -> str:
            return f"state {state}"

    position = Position.start(Written())
    assert solve(position).to_dict()["position"] == position.text == f"state {position.state}"


def test_a_game_that_remembers_is_refused() -> None:
    class Remembering(Nim):
        remembers = True

    with pytest.raises(ValueError, match=r"Remembering.* cannot be solved: the moves before"):
        solve(Position.start(Remembering()))


def test_a_finished_game() -> None:
    won = Position.start("tic_tac_toe").play_line("a1b1a2b2a3")
    for engine in ("rust", "python"):
        solution = solve(won, engine=engine)
        assert (solution.value, solution.best, solution.per_move) == (-1, None, {})
        assert solution.exact
        assert solution.complete
        assert solution.line == ()


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("budget", [{"nodes": 5000}, {"seconds": 0.05}])
def test_not_solved_in_time_is_an_answer(engine: str, budget: dict) -> None:
    for game in ("othello", "hex(size=7)", "breakthrough"):
        solution = solve(Position.start(game), engine=engine, **budget)
        assert (solution.value, solution.exact, solution.best) == (None, False, None)
        assert solution.line == ()
        assert set(solution.per_move) == set(solution.position.moves)
        assert set(solution.per_move.values()) == {None}
        assert not solution.complete
        if "nodes" in budget:
            assert solution.nodes <= 10_000


def test_to_want_less() -> None:
    for engine in ("rust", "python"):
        solution = solve(Position.start("hex(size=3)"), want="value", engine=engine)
        assert (solution.value, solution.exact, solution.complete) == (1, True, False)
        assert (solution.best, solution.line) == (None, ())
        solution = solve(Position.start("hex(size=3)"), want="line", engine=engine)
        assert (solution.value, solution.exact, solution.complete) == (1, True, False)
        assert set(solution.per_move.values()) == {None}
        assert solution.position.play(solution.best)
        check_line(solution.position, 1, solution.line)


def test_a_solver_remembers() -> None:
    solver, position = Solver("hex(size=3)"), Position.start("hex(size=3)")
    first, second = solver.solve(position), solver.solve(position)
    assert second.nodes < first.nodes / 5
    assert (first.value, first.per_move) == (second.value, second.per_move)
    solver.clear()
    assert solver.solve(position).nodes == first.nodes
    with pytest.raises(ValueError, match=r"a solver of hex\(size=3.*given a position of tic"):
        solver.solve(Position.start("tic_tac_toe"))


def test_who_wins() -> None:
    """What searches ask: the sign of the value, or nothing."""
    drawn, won = (
        Position.parse("tic_tac_toe", text) for text in (".../.../... x", "xx./oo./... x")
    )
    for engine in ("rust", "python"):
        solver = Solver("tic_tac_toe", engine=engine)
        assert solver.winner(drawn, 20) is None
        assert solver.winner(drawn, 10_000) == Outcome(None)
        assert solver.winner(won, 1000) == Outcome(won.turn)
        assert solver.winner(won.play("a3"), 1000) == Outcome(won.turn.other)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({"seconds": 0}, "seconds must be a number above 0, not 0"),
        ({"seconds": -1.5}, "not -1.5"),
        ({"seconds": float("nan")}, "not nan"),
        ({"seconds": "1"}, "not '1'"),
        ({"nodes": 0}, "nodes must be a whole number of at least 1, not 0"),
        ({"nodes": 1.5}, "not 1.5"),
        ({"nodes": 2**64}, "not 18446744073709551616"),
        ({"engine": "c"}, "unknown engine 'c'"),
        ({"want": "all"}, "want must be one of value, line, moves, not 'all'"),
    ],
)
def test_bad_budgets(budget: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(Position.start("tic_tac_toe"), **budget)


def test_progress_is_told_and_may_stop_the_work() -> None:
    def stop(found: int, wanted: int, nodes: int) -> None:
        assert (found, wanted, nodes) == (0, 5, 0)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        solve(Position.start("othello"), progress=stop)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.run(
        [SYLVE, "solve", *arguments], capture_output=True, text=True, timeout=120, env=environment
    )


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_the_command(engine: str) -> None:
    result = run("tic_tac_toe", "--moves", "b2 a2", "--engine", engine, "--json")
    assert (result.returncode, result.stderr) == (0, "")
    content = json.loads(result.stdout)
    expected = solve(Position.start("tic_tac_toe").play_line("b2 a2"), engine=engine).to_dict()
    assert content.pop("schema") == 1
    assert content.pop("seconds") > 0
    expected.pop("seconds")
    assert content == expected
    text = run("tic_tac_toe", "--moves", "b2 a2", "--engine", engine).stdout
    assert f"value +1 for x\nbest {expected['best']}\nline {' '.join(expected['line'])}" in text
    assert all(move["name"] in text for move in expected["moves"])


def test_the_command_says_what_is_not_solved() -> None:
    result = run("othello", "--nodes", "5000")
    assert (result.returncode, result.stderr) == (0, "")
    assert "not solved in time: " in result.stdout
    assert json.loads(run("othello", "--nodes", "5000", "--json").stdout)["exact"] is False
    value = run("tic_tac_toe", "--want", "value").stdout
    assert "value 0 for x" in value
    assert "best" not in value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["go"], "cannot be solved"),
        (["tic_tac_toe", "--seconds", "0"], "seconds must be a number above 0, not 0"),
        (["tic_tac_toe", "--nodes", "-1"], "not -1"),
        (["tic_tac_toe", "--moves", "z9"], "cannot read 'z9'"),
        (["tic_tac_toe", "--want", "all"], "'all'"),
        (["chess"], "unknown game 'chess'"),
    ],
)
def test_bad_input_at_the_command_line(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_ctrl_c() -> None:
    """The solver looks for a signal fifty times a second."""
    process = subprocess.Popen(
        [SYLVE, "solve", "othello"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, b"")
    assert b"interrupted" in error
    assert b"Traceback" not in error
