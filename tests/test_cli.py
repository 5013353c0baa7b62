"""The command line: results on stdout, messages on stderr, exit codes 0, 1, 2, 130."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SYLVE = Path(sys.executable).with_name("sylve")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SYLVE, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200", **environment},
    )


def run_json(*arguments: str) -> dict:
    result = run(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    content = json.loads(result.stdout)
    assert content["schema"] == 1
    return content


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("sylve 0.")
    for command in ("games", "show", "perft", "bench", "signature"):
        assert command in run("--help").stdout
        assert run(command, "--help").returncode == 0


def test_games() -> None:
    games = {row["game"]: row for row in run_json("games")["games"]}
    assert list(games) == [
        "tic_tac_toe", "breakthrough", "othello", "connect_four", "hex", "go",
    ]  # fmt: skip
    assert games["go"]["arguments"] == {"size": 9, "komi": 7.5}
    text = run("games").stdout
    assert all(game in text for game in games)


def test_show(tmp_path: Path) -> None:
    content = run_json("show", "othello", "--moves", "f5d6c3")
    assert content["turn"] == "o"
    assert content["position"].endswith(" o")
    assert content["outcome"] is None
    assert {move["name"] for move in content["moves"]} == {"d3", "f3", "f4", "g5"}
    picture = tmp_path / "board.svg"
    text = run("show", "othello", "--moves", "f5d6c3", "--svg", str(picture))
    assert picture.read_text().startswith("<svg")
    assert content["position"] in text.stdout
    over = run_json("show", "tic_tac_toe", "--moves", "a1b1a2b2a3")
    assert (over["outcome"], over["moves"]) == ("x", [])


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_perft(engine: str) -> None:
    assert run("perft", "othello", "5", "--engine", engine).stdout.strip() == "1396"
    content = run_json("perft", "connect_four", "4", "--divide", "--engine", engine)
    assert content["nodes"] == 2401 == sum(content["divide"].values())
    position = ".../.../... x"
    assert run_json("perft", "tic_tac_toe", "0", "--position", position)["nodes"] == 1


def test_bench() -> None:
    content = run_json("bench", "tic_tac_toe", "--seconds", "0.05")
    (row,) = content["rows"]
    assert row["perft_leaves"] == 127_872
    assert row["playouts_per_second"] > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "chess"], "unknown game 'chess'"),
        (["show", "otello"], "did you mean 'othello'"),
        (["show", "hex(size=99)"], "size must be a whole number from 2 to 19, not 99"),
        (["show", "othello", "--moves", "f5a1"], "illegal move 'a1': legal here: f4 d6 f6"),
        (["show", "othello", "--moves", "f5z9"], "cannot read 'z9'"),
        (["show", "othello", "--position", "nonsense"], "invalid position 'nonsense'"),
        (["perft", "othello", "x"], "depth"),
        (["perft", "othello", "3", "--engine", "c"], "rust"),
        (["perft", "othello"], "Missing argument"),
        (["bench", "othello", "--seconds", "0"], "0.01"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_file_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    for path, code in (
        (tmp_path, 1),
        (tmp_path / "missing" / "a.svg", 2),
    ):  # a folder; in no folder
        result = run("show", "othello", "--svg", str(path))
        assert result.returncode == code
        assert str(path) in result.stderr
        assert "Traceback" not in result.stderr


def test_no_colours_where_there_is_no_terminal() -> None:
    assert "\x1b" not in run("games").stdout
    assert "\x1b" not in run("games", NO_COLOR="1", FORCE_COLOR="").stdout


def test_ctrl_c_ends_a_long_count() -> None:
    """Within 100 ms by design; asserted 20 times looser, for machines under load."""
    with subprocess.Popen(
        [SYLVE, "perft", "othello", "16"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            time.sleep(2.0)
            process.send_signal(signal.SIGINT)
            started = time.monotonic()
            assert process.wait(timeout=60) == 130
            assert time.monotonic() - started < 2.0
        finally:
            process.kill()
        assert process.stderr is not None
        assert b"interrupted" in process.stderr.read()


def test_a_closed_pipe_is_no_traceback() -> None:
    result = subprocess.run(
        f'"{SYLVE}" games | head -0', shell=True, capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in result.stderr
