"""Check a store: replay its games by the rules, recompute all that it claims."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from sylve.arena.config import Config, digest
from sylve.arena.game import Record, replay
from sylve.arena.schedule import schedule
from sylve.arena.standings import Standings
from sylve.arena.store import Store, checksum, hash_of_games, row_slot

SAMPLE = 20  # games that are replayed when a run is resumed


def verify(store: Store) -> list[str]:
    """Everything that is wrong, in words; nothing if all is well."""
    problems = [
        f"the file is damaged: {row[0]}"
        for row in store.connection.execute("PRAGMA integrity_check(20)")
        if row[0] != "ok"
    ]
    if problems:
        return problems
    try:
        config = store.config
    except (ValueError, TypeError, KeyError) as error:
        return [f"the configuration cannot be read: {error}"]
    return [
        *check_run(store, config),
        *check_slots(store, config),
        *(problem for row in game_rows(store) for problem in check_game(row, config)),
        *check_strays(store),
        *check_decision(store, config),
    ]


def check_run(store: Store, config: Config) -> Iterator[str]:
    """The configuration against its hash."""
    text, stored = store.connection.execute("SELECT config, hash FROM run").fetchone()
    if digest(json.loads(text)) != stored or config.hash != stored:
        yield "the configuration does not fit its hash"


def check_slots(store: Store, config: Config) -> Iterator[str]:
    """The slots against the schedule that the configuration gives."""
    try:
        expected = list(schedule(config))
    except (ValueError, OSError) as error:
        yield f"the schedule cannot be made again: {error}"
        return
    for stored, planned in zip_longest(store.slots(), expected):
        if stored != planned:
            number = planned.number if stored is None else stored.number
            yield f"slot {number} is not the one of the schedule"
            return


def game_rows(store: Store) -> Iterator[tuple[Any, ...]]:
    """Every game with its slot, as stored."""
    yield from store.connection.execute(
        "SELECT slot.*, game.moves, result, reason, first_seconds, second_seconds, version,"
        " checksum, after_decision FROM game JOIN slot USING (id) ORDER BY number"
    )


def check_game(row: tuple[Any, ...], config: Config) -> Iterator[str]:
    """One game: its checksum, then its moves by the rules."""
    number = row[0]
    try:
        slot = row_slot(row[:7])
        moves, result, reason, first, second, by, stored, _ = row[7:]
        record = Record.of_dict(
            {
                "id": slot.id,
                "moves": json.loads(moves),
                "result": result,
                "reason": reason,
                "seconds": [first, second],
                "by": by,
            }
        )
    except (ValueError, TypeError) as error:
        yield f"game {number} cannot be read: {error}"
        return
    if checksum(record) != stored:
        yield f"game {number} ({slot.id}) does not fit its checksum"
    if record.result == "*":
        return
    problem = replay(config.game, slot.opening, record, config.max_plies, config.adjudicate)
    if problem is not None:
        yield f"game {number} ({slot.id}): {problem}"


def check_strays(store: Store) -> Iterator[str]:
    """Games without a slot or without the attempt that they came from."""
    query = "SELECT id FROM game WHERE id NOT IN (SELECT id FROM slot)"
    for (identity,) in store.connection.execute(query):
        yield f"game {identity} is not in the schedule"
    query = (
        "SELECT game.id FROM game LEFT JOIN attempt USING (lease)"
        " LEFT JOIN slot ON slot.number = attempt.slot"
        " WHERE slot.id IS NOT game.id"
    )
    for (identity,) in store.connection.execute(query):
        yield f"game {identity} comes from no attempt at it"


def check_decision(store: Store, config: Config) -> Iterator[str]:
    """The decision of a sequential test, from the games that it used."""
    row = store.connection.execute("SELECT verdict, pairs, ratio, games FROM decision").fetchone()
    if row is None:
        return
    verdict, pairs, ratio, games = row
    if config.sprt is None:
        yield "there is a decision, but the run is no sequential test"
        return
    used = (game for game in store.played() if game.slot.pair < pairs)
    whole, counts = Standings.of(config, used).prefix()
    again = config.sprt.ratio(counts)
    if hash_of_games(store.connection, pairs) != games or whole != pairs:
        yield "the decision was made from other games"
    elif abs(again - ratio) > 1e-6 or config.sprt.verdict(again) != verdict:
        yield f"the decision does not follow from its games: their ratio is {again:.3f}"


def check_sample(store: Store) -> list[str]:
    """A few games, evenly spread, as a run is resumed."""
    config = store.config
    rows = list(game_rows(store))
    step = max(1, len(rows) // SAMPLE)
    return [problem for row in rows[::step] for problem in check_game(row, config)]
