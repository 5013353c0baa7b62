"""Check a store: replay its games by the rules, recompute all that it claims."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from sylve.arena.config import Config, changed_sources
from sylve.arena.game import replay
from sylve.arena.schedule import schedule
from sylve.arena.standings import Standings
from sylve.arena.store import (
    GAMES,
    UNREADABLE,
    Store,
    checksum,
    hash_of_games,
    row_game,
    slot_row,
)
from sylve.errors import DamagedFile
from sylve.own import loaded_sources

SAMPLE = 20  # games that are replayed when a run is resumed


def verify(store: Store) -> list[str]:
    """Everything that is wrong, in words; nothing if all is well."""
    problems: list[str] = []
    try:
        with store.snapshot():
            problems.extend(check_pages(store))
            if not problems:
                problems.extend(check_rows(store, store.config))
    except DamagedFile as error:  # so badly that the rest cannot be looked at
        problems.append(str(error))
    return problems


def check_pages(store: Store) -> Iterator[str]:
    """The file as SQLite sees it."""
    for (found,) in store.connection.execute("PRAGMA integrity_check(20)"):
        if found != "ok":
            yield f"the file is damaged: {found}"


def check_rows(store: Store, config: Config) -> Iterator[str]:
    """What the file says."""
    texts = [config.game, *(text for _, text in config.players)]
    yield from changed_sources(config, loaded_sources(texts))
    yield from check_slots(store, config)
    for row in store.connection.execute(GAMES):
        yield from check_game(row, config)
    yield from check_strays(store)
    yield from check_decision(store, config)


def check_slots(store: Store, config: Config) -> Iterator[str]:
    """The slots against the schedule that the configuration gives."""
    try:
        expected = list(schedule(config))
    except (ValueError, OSError) as error:
        yield f"the schedule cannot be made again: {error}"
        return
    rows = store.connection.execute("SELECT * FROM slot ORDER BY number")
    for number, (stored, planned) in enumerate(zip_longest(rows, expected)):
        if stored is None or planned is None or tuple(stored) != slot_row(planned):
            yield f"slot {number} is not the one of the schedule"
            return


def check_game(row: tuple[Any, ...], config: Config) -> Iterator[str]:
    """One game: its checksum, then its moves by the rules."""
    number = row[0]
    try:
        game = row_game(row)
        slot, record = game.slot, game.record
        fits = checksum(record) == row[-1]
    except UNREADABLE as error:
        yield f"game {number} cannot be read: {error}"
        return
    if not fits:
        yield f"game {number} ({slot.id}) does not fit its checksum"
    if record.result == "*":
        return
    try:
        problem = replay(config.game, slot.opening, record, config.max_plies, config.adjudicate)
    except UNREADABLE as error:
        problem = f"its opening cannot be played: {error}"
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
    query = (
        "SELECT slot FROM attempt WHERE outcome = 'done' AND lease NOT IN (SELECT lease FROM game)"
    )
    for (number,) in store.connection.execute(query):
        yield f"game {number} was finished, and is missing"


def check_decision(store: Store, config: Config) -> Iterator[str]:
    """The decision of a sequential test, from the games that it used."""
    decision = store.decision()
    if decision is None:
        if store.connection.execute("SELECT 1 FROM game WHERE after_decision").fetchone():
            yield "games were played after a decision that is missing"
        return
    verdict, pairs, ratio = decision["verdict"], decision["pairs"], decision["llr"]
    (games,) = store.connection.execute("SELECT games FROM decision").fetchone()
    if config.sprt is None:
        yield "there is a decision, but the run is no sequential test"
        return
    used = [game for game in store.played() if game.slot.pair < pairs]
    whole, counts = Standings.of(config, used).prefix()
    again = config.sprt.ratio(counts)
    if hash_of_games(store.connection, pairs) != games or whole != pairs:
        yield "the decision was made from other games"
    elif any(game.after_decision for game in used):
        yield "a game of the decision is marked as played after it"
    elif abs(again - ratio) > 1e-6 or config.sprt.verdict(again) != verdict:
        yield f"the decision does not follow from its games: their ratio is {again:.3f}"


def check_sample(store: Store) -> list[str]:
    """A few games, evenly spread, and the decision, as a run is resumed."""
    config = store.config
    rows = store.connection.execute(GAMES).fetchall()
    step = max(1, len(rows) // SAMPLE)
    sample = (problem for row in rows[::step] for problem in check_game(row, config))
    return [*sample, *check_decision(store, config)]
