"""The commands match, sprt and tournament."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

SYLVE = Path(sys.executable).with_name("sylve")
GAME = "breakthrough(columns=4, rows=4)"


def run(*arguments: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "200"}
    if home is not None:
        environment["XDG_DATA_HOME"] = str(home)
    return subprocess.run(
        [SYLVE, *arguments], capture_output=True, text=True, timeout=120, env=environment
    )


def test_match_and_resume(tmp_path: Path) -> None:
    command = ("match", "uct(50)", "random", "--game", GAME, "--games", "20", "--workers", "1")
    first = run(*command, home=tmp_path)
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert lines[1].startswith(f"Results of uct(playouts=50) vs random ({GAME}")
    assert re.fullmatch(r"Elo: \S+ \+/- \S+, nElo: \S+ \+/- \S+", lines[2])
    assert re.fullmatch(r"LOS: \S+ %, DrawRatio: \S+ %, PairsRatio: \S+", lines[3])
    assert re.fullmatch(r"Games: 20, Wins: \d+, Losses: \d+, Draws: 0, Points: .*", lines[4])
    assert re.fullmatch(r"Ptnml\(0-2\): \[\d+, 0, \d+, 0, \d+\], WL/DD Ratio: \S+", lines[5])
    assert ": 20 games" in first.stderr
    again = run(*command, home=tmp_path)
    assert again.stdout == first.stdout
    assert "20 of 20 games done, 0 left" in again.stderr
    assert len(list((tmp_path / "sylve" / "runs").glob("*.sqlite"))) == 1


def test_match_json(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    command = (
        "match", "uct(50)", "random", "--game", "tic_tac_toe", "--games", "10", "--store",
        str(store), "--openings", "random(plies=1)", "--seed", "5", "--workers", "1", "--json",
    )  # fmt: skip
    result = run(*command)
    found = json.loads(result.stdout)
    assert found["schema"] == 1
    assert found["games"] == 10 == found["wins"] + found["draws"] + found["losses"]
    assert found["score"] == (found["wins"] + found["draws"] / 2) / 10
    assert found["score_low"] <= found["score"] <= found["score_high"]
    assert sum(found["pentanomial"]) == 5
    assert found["store"] == str(store)
    assert store.exists()
    other = run(*command[:-3], "--games", "12")
    assert other.returncode == 2
    nothing = run("match", "random", "random", "--game", "tic_tac_toe", "--games", "2",
                  "--no-store", "--json", home=tmp_path)  # fmt: skip
    assert json.loads(nothing.stdout)["store"] is None
    assert not (tmp_path / "sylve").exists()


def test_openings_from_a_file(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("b2\na1\n")
    result = run("match", "random", "random", "--game", "tic_tac_toe", "--games", "6", "--no-store",
                 "--openings", str(lines), "--json", "--workers", "1")  # fmt: skip
    assert json.loads(result.stdout)["duplicate_openings"] == 1


def test_sprt_stops_by_itself(tmp_path: Path) -> None:
    command = (
        "sprt", "uct(200)", "random", "--game", GAME, "--elo1", "150", "--store",
        str(tmp_path / "a.sqlite"), "--workers", "2", "--games", "400",
    )  # fmt: skip
    result = run(*command, "--exit-code")
    assert result.returncode == 0, result.stderr
    assert re.search(r"LLR: \S+ \(-2.94, 2.94\) \[0.00, 150.00\] H1 accepted", result.stdout)
    found = json.loads(run(*command, "--json").stdout)
    assert found["sprt"]["verdict"] == "H1"
    assert found["sprt"]["model"] == "logistic"
    assert found["games"] < 400
    worse = run("sprt", "random", "uct(200)", "--game", GAME, "--elo1", "150", "--no-store",
                "--games", "400", "--exit-code", "--workers", "1")  # fmt: skip
    assert worse.returncode == 4
    assert "H0 accepted" in worse.stdout
    few = run("sprt", "random", "random", "--game", GAME, "--no-store", "--games", "4",
              "--exit-code", "--workers", "1")  # fmt: skip
    assert few.returncode == 4
    assert "undecided" in few.stdout


TOML = """
game = "tic_tac_toe"
games = 8
openings = "random(plies=1)"
players = ["uct(30)", "random", "flat(30)"]
"""


def test_a_tournament_from_beginning_to_end(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(TOML)
    assert "there is no store" in run("tournament", "status", str(file)).stderr
    result = run("tournament", "run", str(file), "--workers", "2")
    assert result.returncode == 0, result.stderr
    assert "1 uct(playouts=30)" in result.stdout
    assert "Advantage of the first move: " in result.stdout
    status = run("tournament", "status", str(file))
    assert status.stdout == result.stdout
    assert "24 of 24 games done, 0 left" in status.stderr
    found = json.loads(run("tournament", "status", str(tmp_path / "cup.sqlite"), "--json").stdout)
    assert [row["player"] for row in found["ratings"]][2] == "random"
    assert sum(row["points"] for row in found["ratings"]) == 24
    assert len(found["pairings"]) == 3
    assert "all replayed" in run("tournament", "verify", str(file)).stdout
    page = tmp_path / "page.html"
    assert run("tournament", "report", str(file), str(page)).returncode == 0
    text = page.read_text()
    assert text.count("<svg") == 2
    assert "http" not in text, "nothing is loaded"
    assert "<script" not in text
    assert run("tournament", "backup", str(file), str(tmp_path / "copy.sqlite")).returncode == 0
    assert run("tournament", "verify", str(tmp_path / "copy.sqlite")).returncode == 0
    assert run("tournament", "export", str(file), str(tmp_path / "a.csv")).returncode == 0
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 25
    file.write_text(TOML.replace("games = 8", "games = 10"))
    refused = run("tournament", "run", str(file))
    assert refused.returncode == 2
    assert "games: stored 8, asked for 10" in refused.stderr


def test_verify_fails_on_damage(tmp_path: Path) -> None:
    import sqlite3

    store = tmp_path / "a.sqlite"
    run("match", "random", "random", "--game", "tic_tac_toe", "--games", "2", "--store", str(store))
    connection = sqlite3.connect(store)
    connection.execute("UPDATE game SET result = '*'")
    connection.commit()
    connection.close()
    result = run("tournament", "verify", str(store))
    assert result.returncode == 1
    assert "does not fit its checksum" in result.stdout
    assert "2 problems" in result.stderr


def test_names_cannot_inject_markup(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "tic_tac_toe"\ngames = 2\n[players]\n"<script>x" = "random"\n"a&b" = "random"\n'
    )
    run("tournament", "run", str(file), "--workers", "1")
    run("tournament", "report", str(file), str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text()
    assert "<script>" not in text
    assert "&lt;script&gt;x" in text
    assert "a&amp;b" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "uctt", "random", "--game", GAME], "unknown player 'uctt'"),
        (["match", "uct(", "random", "--game", GAME], "invalid 'uct('"),
        (["match", "random", "random", "--game", "chess"], "unknown game 'chess'"),
        (["match", "random", "random"], "--game"),
        (["match", "random", "random", "--game", GAME, "--games", "3"], "games must be even"),
        (["match", "random", "random", "--game", GAME, "--openings", "x.txt"], "expected random"),
        (["match", "random", "random", "--game", GAME, "--workers", "0"], "workers must be"),
        (["match", "random", "random", "--game", GAME, "--executor", "moon"], "unknown executor"),
        (["match", "random", "random", "--game", GAME, "--clock", "x"], "invalid clock"),
        (["match", "a", "b", "--game", GAME, "--no-store", "--store", "x"], "unknown player 'a'"),
        (
            ["match", "random", "random", "--game", GAME, "--no-store", "--store", "x"],
            "cannot be combined",
        ),
        (["sprt", "random", "random", "--game", GAME, "--elo1", "-5"], "elo0 must be below elo1"),
        (["sprt", "random", "random", "--game", GAME, "--alpha", "0.9"], "alpha must be"),
        (["tournament", "status", "none.sqlite"], "there is no store 'none.sqlite'"),
        (["tournament", "nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_a_usage_error(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = run(*arguments, home=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.rglob("*.sqlite")) == []


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    result = run("tournament", "run", str(tmp_path / "none.toml"))
    assert result.returncode == 2
    assert "none.toml" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_bar_where_there_is_a_terminal() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SYLVE, "match", "uct(300)", "random", "--game", GAME, "--games", "20", "--no-store",
         "--workers", "1"],
        stdout=subprocess.PIPE, stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "150"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while data := os.read(ours, 4096):
            shown += data
    except OSError:  # Linux: the other end is closed
        pass
    output, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    assert b"Elo" in shown
    assert b"\x1b" not in output


def test_help_stays_light() -> None:
    code = "import sylve.cli, sys; print([m for m in ('numpy', 'sqlite3') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
