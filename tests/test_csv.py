"""Comma-separated values: what came from elsewhere is no formula in a spreadsheet."""

import csv
import io
from pathlib import Path

import pytest

from sylve.arena.config import make_config
from sylve.arena.export import COLUMNS, export_games, rows
from sylve.arena.game import play_job
from sylve.arena.schedule import job
from sylve.arena.store import Store
from sylve.csv_text import csv_parts
from sylve.lab.output import csv_of

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", '=HYPERLINK("http://x","y")']
PLAIN = ["", "a=b", "1-0", "'x", "x\n=1", "a, b", 'say "x"', "é", " =1"]


def read(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.parametrize("text", FORMULAS)
def test_text_is_no_formula(text: str) -> None:
    (row,) = read(b"".join(csv_parts(["a", text], [{"a": text, text: -1}])))
    assert row == {"a": f"'{text}", f"'{text}": "-1"}
    (row,) = read(csv_of([{"a": text, "b": -0.5, "c": [text], "d": None, "e": True}]))
    assert row == {"a": f"'{text}", "b": "-0.5", "c": row["c"], "d": "", "e": "true"}
    assert row["c"].startswith("[")


@pytest.mark.parametrize("text", PLAIN)
def test_other_text_stays_as_it_is(text: str) -> None:
    (row,) = read(b"".join(csv_parts(["a"], [{"a": text}, {}][:1])))
    assert row == {"a": text}


def test_numbers_stay_numbers() -> None:
    (row,) = read(b"".join(csv_parts(list("abcd"), [{"a": -1, "b": -0.25, "c": 1e-9}])))
    assert row == {"a": "-1", "b": "-0.25", "c": "1e-09", "d": ""}


def test_an_export_with_names_from_anybody(tmp_path: Path) -> None:
    config = make_config("tic_tac_toe", [("=cmd|' /C calc'!A0", "random"), ("-x", "random")], 2)
    store = Store.create(tmp_path / "a.sqlite", config)
    assert export_games(store, tmp_path / "none.csv") == 0
    assert (tmp_path / "none.csv").read_bytes() == (",".join(COLUMNS) + "\r\n").encode()
    for slot in list(store.slots()):
        with store.transaction():
            store.finish(store.lease(slot, "here"), play_job(job(config, slot), {}))
    assert [tuple(row) for row in rows(config, store.played())] == [COLUMNS, COLUMNS]
    assert export_games(store, tmp_path / "games.csv") == 2
    store.close()
    one, two = read((tmp_path / "games.csv").read_bytes())
    assert (one["first"], one["second"]) == ("'=cmd|' /C calc'!A0", "'-x")
    assert (two["first"], two["second"]) == ("'-x", "'=cmd|' /C calc'!A0")
    assert float(one["first_seconds"]) >= 0
