"""Stores that meet full disks, other settings, old versions and damage."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from arena_here import Here, complete, finished_run, make, table
from sylve.arena import export, schema, verify
from sylve.arena.connection import DiskTrouble
from sylve.arena.game import GameResult, play_job
from sylve.arena.runner import Hooks, Run
from sylve.arena.schedule import job
from sylve.arena.sprt import Sprt
from sylve.arena.standings import Standings
from sylve.arena.store import OtherConfiguration, Played, Store
from sylve.errors import DamagedFile

finished = pytest.fixture(finished_run)


def test_d10_a_full_disk_stops_the_run_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sylve.arena.runner.RETRIES", (0.0, 0.0))
    path, said = tmp_path / "a.sqlite", []
    store = Store.create(path, make(games=200))
    (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
    store.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(DiskTrouble, match="full"):
        Run(store, Here(), Hooks(tell=said.append)).go()
    assert len(said) == 2
    assert "trying again" in said[0]
    kept, _ = store.count()
    store.close()
    assert 0 < kept < 200
    again = Store.create(path, make(games=200))
    assert again.count()[0] == kept
    assert Run(again, Here()).go() == "complete"
    assert verify.verify(again) == []
    assert table(again) == table(complete(None, make(games=200)))
    again.close()


def test_d10_no_game_is_begun_when_space_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.create(tmp_path / "a.sqlite", make())
    monkeypatch.setattr("sylve.arena.store.RESERVE", 1 << 80)
    with pytest.raises(DiskTrouble, match="are free beside"):
        Run(store, Here()).go()
    store.close()


def test_d11_other_settings_are_refused_with_a_difference(finished: Path) -> None:
    with pytest.raises(OtherConfiguration) as error:
        Store.create(finished, make(seed=4, games=14))
    assert "games: stored 12, asked for 14" in str(error.value)
    assert "seed: stored 0, asked for 4" in str(error.value)
    Store.create(finished, make()).close()


def test_d12_games_of_different_versions_are_told() -> None:
    store = complete(
        None, make(), change=lambda r: r | {"by": "sylve 9"} if r["moves"][0] % 2 else r
    )
    standings = Standings.of(store.config, store.played())
    assert len(standings.versions) == 2


def test_d13_an_old_file_is_copied_and_brought_up_to_date(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "VERSION", 2)
    monkeypatch.setitem(schema.MIGRATIONS, 1, "ALTER TABLE run ADD COLUMN remark TEXT;\n")
    with pytest.raises(ValueError, match="old schema 1: run it once"):
        Store.read(finished)
    store = Store.create(finished, make())
    assert store.connection.execute("SELECT remark FROM run").fetchone() == (None,)
    assert store.connection.execute("PRAGMA user_version").fetchone() == (2,)
    store.close()
    monkeypatch.undo()
    with pytest.raises(ValueError, match="has schema 2; this sylve knows up to 1"):
        Store.read(finished)
    old = Store.read(finished.with_name("run.sqlite.schema1"))
    assert verify.verify(old) == []
    old.connection.close()


def test_d13_a_migration_that_fails_changes_nothing(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "VERSION", 2)
    monkeypatch.setitem(schema.MIGRATIONS, 1, "ALTER TABLE run ADD COLUMN a TEXT;\nnonsense;\n")
    with pytest.raises(DamagedFile, match="nonsense"):
        Store.create(finished, make())
    monkeypatch.undo()
    store = Store.create(finished, make())
    assert verify.verify(store) == []
    store.close()


DAMAGE = {
    "UPDATE game SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END WHERE id = :id":
        ["does not fit its checksum", "the rules say"],
    "UPDATE game SET moves = '[0]' WHERE id = :id": ["checksum", "not over"],
    "UPDATE game SET moves = 'x' WHERE id = :id": ["cannot be read"],
    "UPDATE game SET first_seconds = 5 WHERE id = :id": ["checksum"],
    "UPDATE game SET lease = 3 WHERE id = :id": ["comes from no attempt at it"],
    "UPDATE slot SET moves = '[5, 6]' WHERE id = :id": ["is not the one of the schedule"],
    "UPDATE slot SET first = 1 - first WHERE id = :id": ["is not the one of the schedule"],
    "UPDATE run SET config = replace(config, '\"seed\": 0', '\"seed\": 1')": ["fit its hash"],
    "INSERT INTO game SELECT 'x', lease, result, reason, moves, 0, 0, version, 0, checksum"
    " FROM game WHERE id = :id": ["is not in the schedule"],
    "INSERT INTO decision VALUES ('H1', 3, 3.5, 'x', 'now')": ["no sequential test"],
}  # fmt: skip


@pytest.mark.parametrize("statement", DAMAGE)
def test_d14_verify_finds_damage(finished: Path, statement: str) -> None:
    damaged = sqlite3.connect(finished)
    ids = [row[0] for row in damaged.execute("SELECT id FROM slot ORDER BY number")]
    damaged.execute(statement, {"id": ids[0]} if ":id" in statement else {})
    damaged.commit()
    damaged.close()
    store = Store.read(finished)
    found = "\n".join(verify.verify(store))
    store.connection.close()
    for message in DAMAGE[statement]:
        assert message in found


def test_d14_a_damaged_store_is_not_resumed(finished: Path) -> None:
    damaged = sqlite3.connect(finished)
    damaged.execute("UPDATE game SET moves = '[]'")
    damaged.commit()
    damaged.close()
    store = Store.create(finished, make())
    with pytest.raises(ValueError, match="is damaged: game 0"):
        Run(store, Here())
    store.close()


def test_d14_a_flipped_bit_and_a_torn_file_are_told(finished: Path) -> None:
    store = Store.read(finished)
    (checksum,) = store.connection.execute("SELECT checksum FROM game LIMIT 1").fetchone()
    store.connection.close()
    content = bytearray(finished.read_bytes())
    content[content.index(checksum.encode())] ^= 1
    finished.write_bytes(content)
    store = Store.read(finished)
    assert "does not fit its checksum" in verify.verify(store)[0]
    store.connection.close()
    finished.write_bytes(content[: len(content) // 2])
    with pytest.raises(DamagedFile, match="is damaged"):
        Store.read(finished)


def test_d16_a_decision_is_kept_with_its_games() -> None:
    config = make(games=400, sprt=Sprt(0, 200))
    decisions = []
    for room in (1, 2, 4):
        store = Store.create(None, config)
        run = Run(store, Here(room))
        assert run.go() == "decided"
        decisions.append(store.decision())
        assert verify.verify(store) == []
        later = [game for game in store.played() if game.after_decision]
        assert all(game.slot.pair >= decisions[-1]["pairs"] - 1 for game in later)
        assert store.count()[0] < 400
        assert Run(store, Here(room)).go() == "decided", "nothing more is played"
    assert decisions[0] == decisions[1] == decisions[2], "whatever the number of workers"
    assert decisions[0]["verdict"] == "H1"
    store.connection.execute("UPDATE decision SET ratio = 9")
    assert "does not follow" in verify.verify(store)[0]
    store.connection.execute("UPDATE decision SET pairs = 2")
    assert "other games" in verify.verify(store)[0]


def test_d19_an_export_is_whole_or_not_there(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, target = Store.read(finished), tmp_path / "games.csv"
    assert export.export_games(store, target) == 12
    before = target.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda file: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError, match="no space"):
        export.export_games(store, target)
    assert target.read_bytes() == before
    store.connection.close()


def test_exports_have_every_game(finished: Path, tmp_path: Path) -> None:
    import csv

    import pyarrow.parquet

    store = Store.read(finished)
    games = list(store.played())
    for name in ("games.csv", "games.jsonl", "games.parquet"):
        assert export.export_games(store, tmp_path / name) == 12
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [game.slot.id for game in games]
    for line, game in zip(lines, games, strict=True):
        position = game.slot.opening.begin("tic_tac_toe").play_line(line["moves"])
        assert position.played == (*game.slot.opening.moves, *game.record.moves)
        assert len(line["opening"].split()) == 2
    with (tmp_path / "games.csv").open(newline="") as file:
        assert [row["moves"] for row in csv.DictReader(file)] == [line["moves"] for line in lines]
    assert pyarrow.parquet.read_table(tmp_path / "games.parquet").to_pylist() == lines
    with pytest.raises(ValueError, match=r"expected one of: .csv, .jsonl, .parquet, .sgf"):
        export.export_games(store, tmp_path / "games.xls")
    store.connection.close()


def test_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no store"):
        Store.read(tmp_path / "none.sqlite")
    text = tmp_path / "text"
    text.write_text("hello " * 1000)
    with pytest.raises(ValueError, match="cannot be read as a store"):
        Store.read(text)
    with pytest.raises(DamagedFile, match="cannot be read as a store"):
        Store.create(text, make())
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(ValueError, match="no store of sylve"):
        Store.create(other, make())
    (tmp_path / "empty").touch()
    with pytest.raises(ValueError, match="is empty"):
        Store.read(tmp_path / "empty")


def test_a_record_that_was_written_is_read_back() -> None:
    store = complete(None, make())
    for game in store.played():
        again = play_job(job(store.config, game.slot), {})
        assert (again.moves, again.result) == (game.record.moves, game.record.result)
        assert GameResult.of_dict(game.record.to_dict()) == game.record


def test_a_game_is_acknowledged_after_its_commit(tmp_path: Path) -> None:
    """D1: when the runner says that a game is kept, another process already sees it."""
    path = tmp_path / "a.sqlite"
    store = Store.create(path, make())
    seen: list[bool] = []

    def kept(game: Played, _: Standings) -> None:
        reader = sqlite3.connect(path)
        found = reader.execute("SELECT 1 FROM game WHERE id = ?", (game.slot.id,)).fetchone()
        reader.close()
        seen.append(found is not None)

    Run(store, Here(), Hooks(kept=kept)).go()
    store.close()
    assert seen == [True] * 12
