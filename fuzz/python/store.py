"""Damaged stores: one of two games is made once, and the bytes say what is changed in it."""

from functools import cache

from sylve.arena import verify as checks
from sylve.arena.config import make_config
from sylve.arena.connection import open_file
from sylve.arena.game import GameResult, play_job
from sylve.arena.schedule import schedule
from sylve.arena.schema import prepare
from sylve.arena.store import Store
from sylve.arena.verify import verify

# Functions of their arguments alone, and most edits leave these as they were: half of the time.
checks.schedule = cache(lambda config: tuple(schedule(config)))
checks.replay = cache(checks.replay)

EDIT = 4  # bytes of an edit: three for the place, one for what is written there


@cache
def whole() -> tuple[bytes, list[tuple[object, GameResult]]]:
    """A store that is well, as bytes; and its games."""
    config = make_config("tic_tac_toe", [("a", "random"), ("b", "random")], 2)
    connection = open_file("file::memory:", "a store")
    connection.execute("PRAGMA page_size = 512")  # small, so that edits meet something
    store = Store(connection, None)
    store._begin(config)
    for slot in schedule(config):
        job = {
            "id": slot.id, "game": config.game, "moves": slot.opening.moves, "position": None,
            "players": [config.players[slot.first], config.players[slot.second]], "clock": None,
            "resign": 0.0, "max_plies": config.max_plies, "adjudicate": 0,
        }  # fmt: skip
        with store.transaction():
            store.finish(store.lease(slot, "here"), play_job(job, {}))
    games = [(game.slot, game.record) for game in store.played()]
    assert verify(store) == []
    content = connection.serialize()
    connection.close()
    return content, games


def damaged(data: bytes) -> bytes:
    """The store with edits; a byte left over cuts the file."""
    content, _ = whole()
    changed = bytearray(content)
    for at in range(0, len(data) - EDIT + 1, EDIT):
        changed[int.from_bytes(data[at : at + 3], "big") % len(changed)] = data[at + 3]
    if len(data) % EDIT == 1:
        del changed[len(changed) * data[-1] // 256 :]
    return bytes(changed)


def check_store(data: bytes) -> None:
    """A damaged store is refused or found out; one that passes has the games that were played."""
    content = damaged(data)
    if not content:  # SQLite says that it has no memory
        return
    connection = open_file("file::memory:", "a store")
    try:
        connection.deserialize(content)
        prepare(connection, None, write=False)
        store = Store(connection, None)
        problems = verify(store)
        found = [(game.slot, game.record) for game in store.played()]
    except ValueError:
        return
    finally:
        connection.close()
    assert problems or found == whole()[1], (problems, found)
