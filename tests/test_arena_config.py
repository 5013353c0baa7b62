"""Tournaments as data: configurations, their files, standings."""

import re
from pathlib import Path

import pytest

from arena_config import config
from sylve.arena.block import block
from sylve.arena.config import Config, difference
from sylve.arena.file import read_tournament
from sylve.arena.game import GameResult, Reason, play_job
from sylve.arena.schedule import job, schedule
from sylve.arena.standings import Standings
from sylve.arena.store import Played

# Configurations.


def test_a_configuration_is_data() -> None:
    setup = config()
    assert Config.of_dict(setup.to_dict()) == setup
    assert setup.hash == config().hash
    assert setup.hash != config(seed=1).hash
    assert "seed: stored 0, asked for 1" in difference(setup, config(seed=1))
    assert config(players=[(None, "random"), (None, "random")]).names == ("random", "random #2")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"games": 7}, "games must be even"),
        ({"games": 0}, "games must be even"),
        ({"seed": -1}, "seed must be"),
        ({"resign": 0.6}, "resign must be"),
        ({"max_plies": 0}, "max_plies must be"),
        ({"clock": "soon"}, "invalid clock"),
        ({"players": [(None, "random")]}, "a match needs two players, not 1"),
        ({"players": [("", "random"), ("b", "random")]}, "invalid name of a player"),
        ({"format": "swiss"}, "unknown format 'swiss'"),
    ],
)
def test_bad_configurations(changes: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        config(**changes)


TOML = """
game = "breakthrough(columns=4, rows=4)"
games = 4
openings = "lines.txt"
resign = 0.1
clock = "9+1"

[players]
Ann = "uct(20)"
Bob = "random"
"""


def test_a_tournament_file(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("a2-a3\nb2-b3\n")
    file = tmp_path / "cup.toml"
    file.write_text(TOML)
    found, store = read_tournament(file)
    assert found.players == (("Ann", "uct(20)"), ("Bob", "random"))
    assert (found.format, found.resign, found.clock) == ("round_robin", 0.1, "9+1")
    assert store == tmp_path / "cup.sqlite"
    assert found.openings_hash is not None
    (tmp_path / "lines.txt").write_text("a2-a3\nb2-b3\n\n")
    assert read_tournament(file)[0].openings_hash != found.openings_hash


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("games = 4", "games = 'four'", "games must be a whole number, not"),
        ("games = 4", "games = true", "games must be a whole number"),
        ("games = 4", "", "games is missing; needed: game, players, games"),
        ("games = 4", "opening = 4", "unknown key 'opening': did you mean 'openings'?"),
        ("games = 4", "games = ", "Invalid value"),
        ('"random"', "3", "a player must be text"),
        ('"random"', '"ranbom"', "unknown player 'ranbom': did you mean 'random'"),
        ("lines.txt", "other.txt", "expected random"),
        ("(columns=4, rows=4)", "(columns=99)", "columns must be"),
    ],
)
def test_bad_tournament_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    (tmp_path / "lines.txt").write_text("a2-a3\n")
    file = tmp_path / "cup.toml"
    file.write_text(TOML.replace(old, new))
    with pytest.raises(ValueError, match=f"cup.toml: .*{re.escape(message)}"):
        read_tournament(file)


# What is told.


def test_standings_do_not_depend_on_the_order() -> None:
    setup = config(games=20)
    games = [Played(s, play_job(job(setup, s), {}), False) for s in schedule(setup)]
    one, two = Standings.of(setup, games), Standings.of(setup, reversed(games))
    assert one.table() == two.table()
    assert one.prefix() == two.prefix()
    assert one.prefix()[0] == 10
    half = Standings.of(setup, games[:7])
    assert (half.between(0, 1).games, half.between(0, 1).odd) == (6, 1)
    late = Standings.of(setup, games[1:])
    assert late.prefix()[0] == 0, "the first pair is not whole"
    points = sum({"1-0": 2, "0-1": 0, "1/2-1/2": 1}[g.record.result] for g in games)
    assert one.first_points == points


def test_the_block() -> None:
    setup = config(games=4, openings="start")
    moves = ((1, 2), (3,), (1, 2), (3,))
    games = [
        Played(slot, GameResult(slot.id, line, result, Reason.RULES, (0.0, 0.0)), False)
        for slot, line, result in zip(
            schedule(setup), moves, ["1-0", "0-1", "1-0", "1/2-1/2"], strict=True
        )
    ]
    assert block(Standings.of(setup, games)).splitlines() == [
        "-" * 50,
        "Results of uct(playouts=50) vs random (breakthrough(columns=4, rows=4), start, seed 0):",
        "Elo: 338.04 +/- 391.64, nElo: 521.15 +/- 420.01",
        "LOS: 94.61 %, DrawRatio: 0.00 %, PairsRatio: inf",
        "Games: 4, Wins: 3, Losses: 0, Draws: 1, Points: 3.5 (87.50 %)",
        "Ptnml(0-2): [0, 0, 0, 1, 1], WL/DD Ratio: nan",
        "95 % interval of the score: 42.35 .. 98.52 %",
        "Note: games that repeat an earlier one move for move: 2.",
        "Note: openings that repeat an earlier one: 1.",
        "-" * 50,
    ]
