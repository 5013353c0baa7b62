"""The players that are weak on purpose, and the nine levels made of them."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

import pytest

from sylve import Position, load_game
from sylve.arena.file import read_tournament
from sylve.arena.players import parse_player
from sylve.arena.store import Store
from sylve.games import GAMES
from sylve.play import LEVELS, level_text

DOCS = Path(__file__).parent.parent / "docs"
RESULTS, PAGE = DOCS / "results" / "levels", DOCS / "play.md"
TABLE = runpy.run_path(str(RESULTS / "table.py"))
WON = Position.start("tic_tac_toe").play_line("a1 b1 a2 b2")  # a3 wins at once


@pytest.mark.parametrize("text", ["one_ply", "careless(1, otherwise=random)"])
def test_a_win_at_once_is_seen(text: str) -> None:
    player = parse_player(text)
    assert {WON.name(player.choose(WON, seed, None)) for seed in range(50)} == {"a3"}


def test_the_share_is_that_of_the_careless_moves() -> None:
    start = Position.start("othello")
    first = "careless({}, otherwise=alpha_beta(1))"
    usual = parse_player("alpha_beta(1)").choose(start, 0, None)
    for share in (0.0, 0.4, 1.0):
        player = parse_player(first.format(share))
        same = sum(player.choose(start, seed, None) == usual for seed in range(1000)) / 1000
        assert abs(same - (1 - 0.75 * share)) < 0.05  # one of four random moves is the same


@pytest.mark.parametrize(
    "text",
    ["one_ply(1)", "careless", "careless(2, otherwise=random)", "careless(0.5)",
     "careless(0.5, 1, otherwise=random)", "careless(true, otherwise=random)"],
)  # fmt: skip
def test_other_arguments_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected|no arguments"):
        parse_player(text)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS[:-2])
def test_every_level_plays_every_game(game: str, level: int) -> None:
    start = Position.start(game)
    assert parse_player(level_text(start.game, level)).choose(start, 1, None) in start.moves


@pytest.mark.parametrize("level", [0, 10, True, "3"])
def test_there_are_nine_levels(level: object) -> None:
    with pytest.raises(ValueError, match="level must be from 1 to 9"):
        level_text(load_game("othello"), level)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.toml")), ids=lambda path: path.stem)
def test_what_is_measured_are_the_levels(path: Path) -> None:
    content = tomllib.loads(path.read_text())
    for name, text in content["players"].items():
        if name.startswith("level "):
            assert text == level_text(load_game(content["game"]), int(name[6:]))


MEASURED = TABLE["rows"]()


def test_the_table_is_what_the_stores_say() -> None:
    lines = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines()]
    shown = [tuple(row) for row in lines if len(row) == 5 and row[0] in GAMES]
    assert shown == MEASURED


def test_every_level_is_measured() -> None:
    games = {str(level): "60" if level > 7 else "200" for level in LEVELS}
    wanted = {(game, *row) for game in TABLE["GAMES"] for row in games.items()}
    assert {row[:3] for row in MEASURED} == wanted


@pytest.mark.parametrize("row", MEASURED, ids=" ".join)
def test_a_level_beats_the_one_below(row: tuple[str, str, str, str, str]) -> None:
    score = float(row[3])
    if row[1] == "1":
        assert score <= 75  # of a level that one_ply beats at least a quarter of the time
    else:
        assert score >= 60


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.sqlite")), ids=lambda path: path.stem)
def test_the_stores_are_of_the_files(path: Path) -> None:
    config, place = read_tournament(path.with_suffix(".toml"))
    assert place == path
    store = Store.read(path)
    assert store.config.hash == config.hash
    store.connection.close()
