"""The commands that search: analyze, algorithms, compare."""

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sylve import Position, Uct, compare_estimates, parse_search, search
from sylve.search.text import POLICIES, PRIORS, RULES, SCHEDULES, SEARCHES

SYLVE = Path(sys.executable).with_name("sylve")
BREAKTHROUGH = "breakthrough(columns=5, rows=5)"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SYLVE, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "250"},
    )


def run_json(*arguments: str) -> dict:
    result = run(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    content = json.loads(result.stdout)
    assert content["schema"] == 1
    return content


def without_time(content: dict) -> dict:
    return {key: content[key] for key in content if key not in ("engine", "seconds", "bytes")}


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_analyze_json_is_the_report(engine: str) -> None:
    how = "rave(schedule=bias(0.1))"
    content = run_json(
        "analyze", "tic_tac_toe", "--moves", "b2 a1", "--how", how, "--playouts", "300",
        "--seed", "4", "--engine", engine,
    )  # fmt: skip
    position = Position.start("tic_tac_toe").play_line("b2 a1")
    report = search(position, parse_search("rave(300, seed=4, schedule=bias(0.1))"))
    assert content["engine"] == engine
    assert without_time(content) == without_time(json.loads(json.dumps(report.to_dict())))


def test_analyze_prints_the_table() -> None:
    result = run("analyze", "tic_tac_toe", "--position", "x../.o./..x o", "--explain")
    assert result.returncode == 0
    assert result.stderr == ""
    report = search(Position.parse("tic_tac_toe", "x../.o./..x o"), Uct(10_000))
    assert "uct(playouts=10000) on tic_tac_toe" in result.stdout
    assert "seed 0" in result.stdout
    assert all(entry.name in result.stdout for entry in report.moves)
    assert result.stdout.rstrip().endswith(report.explain())
    assert "\x1b" not in result.stdout


def test_top() -> None:
    content = run_json("analyze", BREAKTHROUGH, "--how", "uct(500)", "--top", "3", "--explain")
    assert sorted(move["rank"] for move in content["moves"]) == [1, 2, 3]
    assert "was chosen" in content["explanation"]
    assert len(run("analyze", "tic_tac_toe", "--how", "uct(500)").stdout.splitlines()) == 6 + len(
        run("analyze", "tic_tac_toe", "--how", "uct(500)", "--top", "3").stdout.splitlines()
    )


def test_svg(tmp_path: Path) -> None:
    picture = tmp_path / "heat.svg"
    assert run("analyze", BREAKTHROUGH, "--playouts", "100", "--svg", str(picture)).returncode == 0
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    missing = run("analyze", BREAKTHROUGH, "--svg", str(tmp_path / "missing" / "heat.svg"))
    assert missing.returncode == 2
    assert "Traceback" not in missing.stderr


def test_all() -> None:
    content = run_json("analyze", BREAKTHROUGH, "--all", "--playouts", "200", "--seed", "6")
    assert content["game"] == BREAKTHROUGH
    searches = content["searches"]
    assert [parse_search(row["search"]).name() for row in searches] == list(SEARCHES)
    for row in searches:
        assert (row["playouts"], row["seed"]) == (200, 6)
        assert row["agreement"] == sum(other["best"] == row["best"] for other in searches)
    text = run("analyze", BREAKTHROUGH, "--all", "--playouts", "200", "--explain").stdout
    for name in SEARCHES:
        assert f"\n{name}: " in text
    assert "200 playouts each, seed 0, engine rust" in text


def test_one_legal_move() -> None:
    moves = "a1 b1 c1 a2 c2 b2 a3 c3"
    assert "only legal move" in run("analyze", "tic_tac_toe", "--moves", moves, "--explain").stdout
    assert run("analyze", "tic_tac_toe", "--moves", moves, "--all").returncode == 0


def test_algorithms() -> None:
    content = run_json("algorithms")
    families = {
        "searches": SEARCHES,
        "rules": RULES,
        "schedules": SCHEDULES,
        "policies": POLICIES,
        "priors": PRIORS,
    }
    for family, members in families.items():
        assert [row["name"] for row in content[family]] == list(members)
        for row in content[family]:
            assert row["about"]
    rave = next(row for row in content["searches"] if row["name"] == "rave")
    assert rave["arguments"] == {
        "playouts": 1000, "seconds": None, "nodes": None, "settled": False, "stderr": None,
        "spread": None, "confidence": None,
        "seed": 0, "playout": "uniform", "transpositions": True, "solver": True, "solver_nodes": 0,
        "solver_rate": 0, "expand": 2, "batch": 1, "implicit": 0.0, "prior": None, "evaluation": "",
        "scale": 0.0, "c": 0.0, "update": "course", "schedule": "slides",
    }  # fmt: skip
    text = run("algorithms").stdout
    for members in families.values():
        assert all(f"  {name}" in text for name in members)
    rave_text = "scale=0.0, c=0.0, update=course, schedule=slides)"
    assert "rave(transpositions=true, solver=true, solver_nodes=0, solver_rate=0, expand=2" in text
    assert rave_text in text


def test_what_algorithms_lists_can_be_typed() -> None:
    lines = [line.strip() for line in run("algorithms").stdout.splitlines()]
    for name in SEARCHES:
        (line,) = [line for line in lines if line.split("(")[0] == name]
        assert parse_search(line) == SEARCHES[name]()


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_compare(engine: str) -> None:
    arguments = ("compare", BREAKTHROUGH, "--playouts", "30", "--seed", "2", "--engine", engine)
    content = run_json(*arguments)
    expected = compare_estimates(Position.start(BREAKTHROUGH), 30, seed=2).to_dict()
    assert without_time(content) == without_time(expected)
    text = run(*arguments, "--top", "4").stdout
    assert "Wilson" in text
    assert "seed 2" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--playouts", "0"], "uct: playouts must be a whole number of at least 1, not 0"),
        (["--how", "uct(-3)"], "uct: playouts must be a whole number of at least 1, not -3"),
        (["--how", "uct(1.5)"], "not 1.5"),
        (["--seed", "-1"], "seed must be a whole number from 0 to 18446744073709551615, not -1"),
        (["--how", "uct(rule=ucb1(c=nan))"], "ucb1: c must be a number of at least 0, not nan"),
        (["--how", "uct(rule=ucb1(c=1e999))"], "the number 1e999 is too large"),
        (["--how", f"uct(rule=ucb1(c=1{'0' * 400}))"], "has more than 100 digits"),
        (["--how", "uct(rule=ucb1(c=-1))"], "not -1"),
        (["--how", "ucb(rule=ucb2)"], "unknown rule 'ucb2': did you mean 'ucb1'?"),
        (["--how", "ucb(rule=5)"], "ucb: rule must be one of bayes, decaying_epsilon, discounted"),
        (
            ["--how", "uct(rule=thompson)"],
            "uct: rule must be one of bayes, tuned, ucb1, or your own",
        ),
        (["--how", "rave(schedule=hands)"], "did you mean 'hand'?"),
        (["--how", "uct(playout=decisiv)"], "did you mean 'decisive'?"),
        (["--how", "grav"], "unknown search 'grav': did you mean 'grave'?"),
        (["--how", "uct(chocolate=1)"], "uct: unknown argument 'chocolate'"),
        (["--how", "uct("], "invalid 'uct('"),
        (["--how", "uct(9)", "--playouts", "5"], "twice: --playouts 5 and --how 'uct(9)'"),
        (["--how", "uct(playouts=9)", "--playouts", "9"], "--how 'uct(playouts=9)'"),
        (["--how", "uct(seed=3)", "--seed", "4"], "seed is given twice: --seed 4 and --how"),
        (["--seconds", "0"], "uct: seconds must be a number from 0.001 to 1e+09, not 0.0"),
        (["--seconds", "nan"], "uct: seconds must be a number from 0.001 to 1e+09, not nan"),
        (["--how", "uct(seconds=2)", "--seconds", "1"], "seconds is given twice: --seconds 1.0"),
        (["--how", "alpha_beta(seconds=2)", "--seconds", "1"], "seconds is given twice"),
        (["--how", "alpha_beta", "--seed", "1"], "has no playouts and does not take --seed 1"),
        (["--threads", "0"], "threads must be a whole number from 1 to 256, not 0"),
        (["--parallel", "rot"], "parallel must be one of root"),
        (["--how", "uct(settled=true)"], "uct: settled needs playouts or seconds"),
        (["--how", "flat(nodes=9)"], "flat: nodes cannot end it: it has no tree"),
        (["--all", "--live"], "--all and --live cannot be combined"),
        (["--all", "--how", "uct"], "--all and --how uct cannot be combined"),
        (["--all", "--top", "3"], "--all and --top 3 cannot be combined"),
        (["--moves", "a1b1a2b2a3"], "the game is over: there is nothing to search"),
        (["--moves", "a1b1a2b2a3", "--all"], "the game is over: there is nothing to search"),
        (["--moves", "z9"], "cannot read 'z9'"),
        (["--top", "0"], "--top"),
        (["--engine", "c"], "'c'"),
    ],
)
def test_bad_input_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = run("analyze", "tic_tac_toe", *arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_search_is_kept_and_goes_on(engine: str, tmp_path: Path) -> None:
    file = str(tmp_path / "search.sylve")
    first = run_json(
        "analyze", BREAKTHROUGH, "--how", "rave", "--playouts", "300", "--seed", "3",
        "--save", file, "--engine", engine,
    )  # fmt: skip
    assert first["playouts"] == 300
    for total in (500, 700):
        content = run_json("analyze", BREAKTHROUGH, "--load", file, "--playouts", "200",
                           "--save", file, "--engine", engine)  # fmt: skip
        whole = search(Position.start(BREAKTHROUGH), parse_search(f"rave({total}, seed=3)"))
        assert content["playouts"] == total
        assert content["moves"] == json.loads(json.dumps(whole.to_dict()))["moves"]


def test_files_that_cannot_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "search.sylve"
    assert run("analyze", "tic_tac_toe", "--playouts", "9", "--save", str(file)).returncode == 0
    for arguments, message in (
        (["connect_four"], "is a search of tic_tac_toe, not of connect_four"),
        (["tic_tac_toe", "--how", "uct"], "and --how uct cannot be combined"),
        (["tic_tac_toe", "--moves", "b2"], "and --moves b2 cannot be combined"),
        (["tic_tac_toe", "--all"], "and --all"),
    ):
        result = run("analyze", *arguments, "--load", str(file))
        assert (result.returncode, message in result.stderr) == (2, True), result.stderr
    damaged = bytearray(file.read_bytes())
    damaged[-40] ^= 1
    file.write_bytes(damaged)
    result = run("analyze", "tic_tac_toe", "--load", str(file))
    assert (result.returncode, "checksum is wrong" in result.stderr) == (2, True)
    result = run("analyze", "tic_tac_toe", "--load", str(tmp_path / "missing"))
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    result = run("analyze", "tic_tac_toe", "--how", "alpha_beta", "--save", str(file))
    assert (result.returncode, "--save is for Monte Carlo" in result.stderr) == (2, True)


def test_bad_input_of_compare() -> None:
    for arguments, message in [
        (["--playouts", "0"], "playouts must be a whole number of at least 1, not 0"),
        (["--seed", "-1"], "seed must be"),
        (["--moves", "a1b1a2b2a3"], "the game is over"),
    ]:
        result = run("compare", "tic_tac_toe", *arguments)
        assert (result.returncode, result.stdout) == (2, "")
        assert message in result.stderr
        assert "Traceback" not in result.stderr


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_bar_where_there_is_a_terminal_and_ctrl_c(engine: str) -> None:
    """The bar shows after a second; Ctrl-C is obeyed between slices of a tenth of a second."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SYLVE, "analyze", BREAKTHROUGH, "--how", "flat(10000000000)", "--engine", engine],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "150"},
    )
    os.close(theirs)
    shown = b""
    deadline = time.monotonic() + 60
    while b"playouts/s" not in shown and time.monotonic() < deadline:
        shown += os.read(ours, 4096)
    process.send_signal(signal.SIGINT)
    stopping = time.monotonic()
    while b"interrupted" not in shown and time.monotonic() < stopping + 30:
        shown += os.read(ours, 4096)
    spent = time.monotonic() - stopping
    try:
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        os.close(ours)
    assert b"flat" in shown
    assert b"playouts/s" in shown
    assert b"sylve: interrupted" in shown
    assert b"Traceback" not in shown
    assert spent < 5.0, "asserted many times looser, for machines under load"
    assert (process.returncode, output) == (130, b"")


def test_no_bar_for_what_is_short_or_where_there_is_no_terminal() -> None:
    ours, theirs = pty.openpty()
    subprocess.run(
        [SYLVE, "analyze", "tic_tac_toe", "--how", "uct(100)"],
        stdout=subprocess.PIPE, stderr=theirs, check=True, timeout=60,
    )  # fmt: skip
    os.close(theirs)
    try:
        assert os.read(ours, 100) == b""
    except OSError:  # Linux: the other end is closed, and nothing was written
        pass
    finally:
        os.close(ours)
    long = run("analyze", "tic_tac_toe", "--how", "uct(15000)", "--engine", "python")
    assert (long.returncode, long.stderr) == (0, "")


def test_why_it_stopped() -> None:
    assert "stopped: playouts" in run("analyze", "tic_tac_toe", "--how", "uct(50)").stdout
    assert "stopped: seconds" in run("analyze", BREAKTHROUGH, "--seconds", "0.05").stdout
    limited = run("analyze", BREAKTHROUGH, "--how", "alpha_beta", "--seconds", "0.05", "--json")
    assert json.loads(limited.stdout)["search"] == "alpha_beta(seconds=0.05)"
    content = run_json("analyze", BREAKTHROUGH, "--how", "uct(nodes=100)")
    assert (content["stopped"], content["nodes"]) == ("nodes", 100)


def test_live_shows_the_table_in_a_terminal_and_cleans_up() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SYLVE, "analyze", BREAKTHROUGH, "--how", "uct(seconds=0.8)", "--live"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "150"},
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # Linux: the other end is closed
        while chunk := os.read(ours, 4096):
            shown += chunk
    output, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    text = shown.decode(errors="replace")
    assert "stopped: running" in text
    assert "mean of " in text
    assert any(block in text for block in "▁▂▃▄▅▆▇█")
    assert b"stopped: seconds" in output
    assert "▁" not in output.decode()
    silent = run("analyze", BREAKTHROUGH, "--how", "uct(200)", "--live")
    assert (silent.returncode, silent.stderr) == (0, "")
