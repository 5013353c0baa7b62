"""Stores with flipped, lost and old pages, or cut off: told, never shown as if they were whole."""

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from places import call
from sylve.arena.config import make_config
from sylve.arena.runner import Run
from sylve.arena.sprt import Sprt
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.errors import DamagedFile
from sylve.workers.jobs import answer
from sylve.workers.pool import Event, event_of

CUP = """
game = "tic_tac_toe"
games = 40
openings = "random(plies=2)"
format = "round_robin"
players = ["uct(4)", "flat(5)", "random"]
"""


class Here:
    """Plays in this process, so many games."""

    trusted = True

    def __init__(self, games: int) -> None:
        self.games = games
        self.jobs: list[tuple[int, dict]] = []
        self.players: dict = {}

    @property
    def free(self) -> int:
        return min(2 - len(self.jobs), self.games)

    def submit(self, lease: int, job: dict) -> None:
        self.games -= 1
        self.jobs.append((lease, job))

    def poll(self, seconds: float) -> list[Event]:
        if not self.jobs:
            return []
        lease, job = self.jobs.pop()
        return [event_of(lease, answer(job, self.players))]

    def close(self, *, now: bool) -> None:
        self.jobs.clear()


class Cup:
    """A tournament of which three quarters are played, and the store as it was at half that."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "cup.toml"
        self.file.write_text(CUP)
        self.path = folder / "cup.sqlite"
        self.play(45)
        self.old = self.path.read_bytes()
        self.play(45)
        self.whole = self.path.read_bytes()
        (self.size,) = sqlite3.connect(self.path).execute("PRAGMA page_size").fetchone()
        self.shown = self.look()
        self.left = self.slots()
        self.path.with_name("cup.sqlite.lock").unlink()

    def play(self, games: int) -> None:
        from sylve.arena.file import read_tournament

        config, path = read_tournament(self.file)
        store = Store.create(path, config)
        Run(store, Here(games)).go()
        store.close()

    def look(self) -> tuple:
        """All that the commands show."""
        store = Store.read(self.path)
        standings = Standings.of(store.config, store.played())
        found = standings.table(), standings.seconds, standings.reasons, store.count()
        store.connection.close()
        return found

    def slots(self) -> list[str]:
        """The games that are left."""
        store = Store.read(self.path)
        left = [slot.id for slot in store.slots(left=True)]
        store.connection.close()
        return left

    def put(self, content: bytes) -> None:
        for name in ("cup.sqlite-wal", "cup.sqlite-shm", "copy.sqlite", "games.jsonl", "page.html"):
            (self.folder / name).unlink(missing_ok=True)
        self.path.write_bytes(content)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    return Cup(tmp_path_factory.mktemp("cup"))


def flip_bits(cup: Cup, content: bytearray, rng: random.Random) -> None:
    page = rng.randrange(len(content) // cup.size) * cup.size
    for _ in range(rng.choice((1, 1, 2, 20))):
        content[page + rng.randrange(cup.size)] ^= 1 << rng.randrange(8)


def flip_header(cup: Cup, content: bytearray, rng: random.Random) -> None:
    page = rng.randrange(len(content) // cup.size) * cup.size
    content[page + rng.randrange(108 if page == 0 else 24)] ^= 1 << rng.randrange(8)


def flip_page(cup: Cup, content: bytearray, rng: random.Random) -> None:
    page = rng.randrange(len(content) // cup.size) * cup.size
    content[page : page + cup.size] = bytes(255 - byte for byte in content[page : page + cup.size])


def zero_page(cup: Cup, content: bytearray, rng: random.Random) -> None:
    page = rng.randrange(len(content) // cup.size) * cup.size
    content[page : page + cup.size] = bytes(cup.size)


def swap_pages(cup: Cup, content: bytearray, rng: random.Random) -> None:
    pages = len(content) // cup.size
    one, two = (page * cup.size for page in rng.sample(range(pages), 2))
    first, second = content[one : one + cup.size], content[two : two + cup.size]
    content[one : one + cup.size], content[two : two + cup.size] = second, first


def old_page(cup: Cup, content: bytearray, rng: random.Random) -> None:
    """A write that the disk has forgotten: what is there is sound, and was once right."""
    changed = [
        at
        for at in range(0, len(cup.old), cup.size)
        if cup.old[at : at + cup.size] != content[at : at + cup.size]
    ]
    at = rng.choice(changed)
    content[at : at + cup.size] = cup.old[at : at + cup.size]


def cut(cup: Cup, content: bytearray, rng: random.Random) -> None:
    where = rng.randrange(1, len(content))
    del content[where - where % cup.size if rng.random() < 0.5 and where > cup.size else where :]


def lengthen(cup: Cup, content: bytearray, rng: random.Random) -> None:
    content += rng.randbytes(rng.randrange(1, 3 * cup.size))


DAMAGES: list[Callable[[Cup, bytearray, random.Random], None]] = [
    flip_bits, flip_header, flip_page, zero_page, swap_pages, old_page, cut, lengthen,
]  # fmt: skip


def damaged(cup: Cup, number: int) -> bytes:
    content = bytearray(cup.whole)
    DAMAGES[number % len(DAMAGES)](cup, content, random.Random(number))
    return bytes(content)


def try_all(cup: Cup, number: int, capsys: pytest.CaptureFixture[str]) -> int:
    """Every command on one damaged store; how many of them refused it."""
    content = damaged(cup, number)
    refused = 0
    for command in ("verify", "status", "report", "export", "backup"):
        cup.put(content)
        target = {
            "report": [cup.folder / "page.html"],
            "export": [cup.folder / "games.jsonl"],
            "backup": [cup.folder / "copy.sqlite"],
        }.get(command, [])
        capsys.readouterr()
        code = call("tournament", command, cup.path, *target, *jsonable(command))
        out, said = capsys.readouterr()
        note = f"damage {number}, {command}: {said}"
        if code:
            assert code in (1, 2), note
            assert said.startswith("sylve: "), note
            assert "Traceback" not in said, note
            assert not any(path.exists() for path in target), note
            refused += 1
        else:
            check_shown(cup, command, out, note)
    refused += not resumed(cup, content, number)
    return refused


def jsonable(command: str) -> list[str]:
    return ["--json"] if command in ("verify", "status") else []


def check_shown(cup: Cup, command: str, out: str, note: str) -> None:
    """What a command says without complaint is what the whole store says."""
    if command == "verify":
        assert json.loads(out)["games"] == cup.shown[3][0], note
        assert cup.look() == cup.shown, note
        assert cup.slots() == cup.left, note
    elif command == "status":
        games = [row["games"] for row in json.loads(out)["ratings"]]
        assert sum(games) == 2 * cup.shown[3][0], note
        assert cup.look() == cup.shown, note
    elif command == "export":
        lines = (cup.folder / "games.jsonl").read_text().splitlines()
        assert len(lines) == cup.shown[3][0], note
        assert cup.look() == cup.shown, note
    elif command == "report":
        assert (
            f"{cup.shown[3][0]} of {cup.shown[3][1]} games"
            in (cup.folder / "page.html").read_text()
        ), note
    else:
        shutil.copy(cup.folder / "copy.sqlite", cup.path)
        assert cup.look() == cup.shown, note
        assert cup.slots() == cup.left, note


def resumed(cup: Cup, content: bytes, number: int) -> bool:
    """Whether the run goes on; if it does, it goes on from the right games."""
    from sylve.arena.file import read_tournament

    cup.put(content)
    config, path = read_tournament(cup.file)
    try:
        store = Store.create(path, config)
    except ValueError as error:
        assert str(path) in str(error)
        return False
    try:
        run = Run(store, Here(4))
        if store.count()[0]:  # a file cut to nothing is begun anew
            assert run.standings.table() == cup.shown[0], number
            assert [slot.id for slot in run.left] == cup.left, number
        run.go()
        assert store.count()[0] == cup.shown[3][0] + 4, number
    except DamagedFile:
        return False
    finally:
        store.close()
    return True


def test_a_whole_store_passes(cup: Cup, capsys: pytest.CaptureFixture[str]) -> None:
    """The tests below can see a difference."""
    cup.put(cup.whole)
    for command in ("verify", "status"):
        assert call("tournament", command, cup.path, "--json") == 0
        check_shown(cup, command, capsys.readouterr().out, command)
    assert resumed(cup, cup.whole, -1)


@pytest.mark.parametrize("number", range(24))
def test_damaged_stores(cup: Cup, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    try_all(cup, number, capsys)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_thousand_damaged_stores(cup: Cup, capsys: pytest.CaptureFixture[str]) -> None:
    refused = [try_all(cup, number, capsys) for number in range(1000)]
    assert sum(count > 0 for count in refused) > 500, "most damage is seen"


def test_the_command(cup: Cup) -> None:
    """The same, as users see it: one line, no traceback."""
    content = bytearray(cup.whole)
    flip_page(cup, content, random.Random(7))
    sylve = Path(sys.executable).with_name("sylve")
    cup.put(bytes(content))
    command = [sylve, "tournament", "run", cup.file, "--workers", "1"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert found.returncode == 2, found.stderr
    assert found.stderr.startswith(f"sylve: {cup.path} is damaged: ")
    assert "go on from a backup" in found.stderr
    assert len(found.stderr.splitlines()) == 1


CHANGES = {
    "UPDATE game SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END WHERE id = :id":
        "checksum",
    "UPDATE game SET first_seconds = 5 WHERE id = :id": "checksum",
    "UPDATE game SET first_seconds = 9e999 WHERE id = :id": "game 0",
    "UPDATE game SET first_seconds = 'soon' WHERE id = :id": "game 0",
    "UPDATE game SET result = 'x' WHERE id = :id": "unknown result",
    "UPDATE game SET moves = CAST(x'ff' AS TEXT) WHERE id = :id": "decode",
    "UPDATE game SET moves = x'ff' WHERE id = :id": "game 0",
    "UPDATE game SET moves = replace(printf('%0100000d', 0), '0', '[') WHERE id = :id": "game 0",
    "UPDATE game SET moves = '[1e5]' WHERE id = :id": "game 0",
    "UPDATE game SET moves = '{}' WHERE id = :id": "checksum",
    "UPDATE game SET after_decision = 'x' WHERE id = :id": "after_decision",
    "DELETE FROM game WHERE id = :id": "90 games were finished, 89 kept",
    "UPDATE slot SET first = 1 - first, second = 1 - second WHERE id = :id": "does not fit its id",
    "UPDATE slot SET moves = '[5, 6]' WHERE id = :id": "does not fit its id",
    "UPDATE slot SET position = 'x' WHERE id = :id": "does not fit its id",
    "UPDATE slot SET pair = 7 WHERE id = :id": "does not fit its id",
    "UPDATE slot SET first = 99 WHERE id = :id": "does not fit its id",
    "UPDATE slot SET pair = 'x' WHERE id = :id": "game 0",
    "DELETE FROM slot WHERE id = :id": "89 found",
    "DELETE FROM run": "0 configurations",
    "INSERT INTO run SELECT * FROM run": "2 configurations",
    "UPDATE run SET config = '{}'": "does not fit its hash",
    "UPDATE run SET config = 'x'": "configuration cannot be read",
    "UPDATE run SET hash = 'x'": "does not fit its hash",
    "PRAGMA user_version = 0": "schema 0 was never in use",
    "DROP TABLE game": "no such table",
    "ALTER TABLE game DROP COLUMN checksum": "no such column",
    "ALTER TABLE slot DROP COLUMN position": "damaged",
}  # fmt: skip


@pytest.mark.parametrize("statement", CHANGES)
def test_what_is_not_what_was_written_is_told(
    cup: Cup, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cup.put(cup.whole)
    changed = sqlite3.connect(cup.path)
    ids = [row[0] for row in changed.execute("SELECT id FROM slot ORDER BY number")]
    changed.execute("PRAGMA journal_mode = DELETE")
    changed.execute(statement, {"id": ids[0]} if ":id" in statement else {})
    changed.commit()
    changed.close()
    content = cup.path.read_bytes()
    for command in ("status", "verify"):
        assert call("tournament", command, cup.path) in (1, 2)
        out, said = capsys.readouterr()
        assert said.startswith("sylve: ")
        if command == "status":
            assert CHANGES[statement] in said
            assert "is damaged" in said
            assert out == ""
    assert not resumed(cup, content, -2)


def test_a_decision_is_checked_before_it_is_told(tmp_path: Path) -> None:
    config = make_config(
        "tic_tac_toe", [(None, "uct(30)"), (None, "random")], 400, openings="random(plies=2)",
        sprt=Sprt(0, 200),
    )  # fmt: skip
    store = Store.create(tmp_path / "a.sqlite", config)
    assert Run(store, Here(400)).go() == "decided"
    store.close()
    for change in ("verdict = 'H0'", "verdict = 'x'", "pairs = pairs - 1", "ratio = 9.5",
                   "games = 'x'", "ratio = 'x'"):  # fmt: skip
        copy = tmp_path / "b.sqlite"
        shutil.copy(tmp_path / "a.sqlite", copy)
        changed = sqlite3.connect(copy)
        changed.execute(f"UPDATE decision SET {change}")
        changed.commit()
        changed.close()
        store = Store.create(copy, config)
        with pytest.raises(DamagedFile):
            Run(store, Here(0))
        store.close()
