"""The games of a store in other forms. The store stays the only truth."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from sylve.arena.config import Config
from sylve.arena.game import GameResult, Reason
from sylve.arena.openings import Opening
from sylve.arena.store import Played, Store
from sylve.csv_text import csv_parts
from sylve.files import check_target, write_whole
from sylve.optional import require
from sylve.position import Position


def export_games(store: Store, target: Path) -> int:
    """Write all games in the form that the name of the file asks for; how many there are."""
    form = FORMS.get(target.suffix.lower())
    if form is None:
        raise ValueError(f"unknown form {target.name!r}: expected one of: {', '.join(FORMS)}")
    if form is as_parquet:
        require("pyarrow", "Parquet")
    check_target(target)
    count = 0

    def games() -> Iterator[Played]:
        nonlocal count
        for game in store.played():
            count += 1
            yield game

    write_whole(target, form(store.config, games()))
    return count


def rows(config: Config, games: Iterable[Played]) -> Iterator[dict[str, Any]]:
    """One row a game; moves by name."""
    for game in games:
        slot, record = game.slot, game.record
        opening = slot.opening.begin(config.game)
        start = Opening(position=slot.opening.position).begin(config.game)
        yield {
            "number": slot.number,
            "id": slot.id,
            "pair": slot.pair,
            "game": config.game,
            "first": config.names[slot.first],
            "second": config.names[slot.second],
            "result": record.result,
            "reason": record.why,
            "position": slot.opening.position,
            "opening": names(start, opening.played),
            "moves": names(opening, record.moves),
            "plies": len(record.moves),
            "first_seconds": record.seconds[0],
            "second_seconds": record.seconds[1],
            "by": record.by,
            "after_decision": game.after_decision,
        }


def names(position: Position, moves: Iterable[int]) -> str:
    """The names of moves, one after the other."""
    found = []
    for move in moves:
        found.append(position.name(move))
        position = position.play(move)
    return " ".join(found)


def as_csv(config: Config, games: Iterable[Played]) -> Iterator[bytes]:
    """Comma-separated values, with a header."""
    return csv_parts(COLUMNS, rows(config, games))


def as_json_lines(config: Config, games: Iterable[Played]) -> Iterator[bytes]:
    """One JSON object a line."""
    return (json.dumps(row).encode() + b"\n" for row in rows(config, games))


def as_parquet(config: Config, games: Iterable[Played]) -> Iterator[bytes]:
    """Parquet, if pyarrow is there."""
    pyarrow, parquet = require("pyarrow", "Parquet"), import_module("pyarrow.parquet")
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows(config, games))), sink)
    yield sink.getvalue()


def as_sgf(config: Config, games: Iterable[Played]) -> Iterator[bytes]:
    """SGF, a collection of all games, if the game has such records."""
    from sylve import records

    for game in games:
        opening = game.slot.opening.begin(config.game)
        players = (config.names[game.slot.first], config.names[game.slot.second])
        before = type(opening)(opening.game, opening.origin)
        moves = (*opening.played, *game.record.moves)
        final = opening.play_line(game.record.moves)
        result = sgf_result(game.record, records.result_of(final))
        record = records.Record(before, moves, players, result, event=game.slot.id)
        yield records.write_record(record, "sgf").strip().encode() + b"\n"


def sgf_result(game: GameResult, by_rules: str) -> str:
    """The result as records write it: `x+3.5`, `o+R`."""
    if game.reason is Reason.RULES:
        return by_rules
    if game.result not in ("1-0", "0-1"):
        return "void" if game.result == "*" else "draw"
    how = {Reason.RESIGNED: "R", Reason.OUT_OF_TIME: "T"}.get(game.reason, "F")
    return f"{'x' if game.result == '1-0' else 'o'}+{how}"


COLUMNS = (
    "number", "id", "pair", "game", "first", "second", "result", "reason", "position", "opening",
    "moves", "plies", "first_seconds", "second_seconds", "by", "after_decision",
)  # fmt: skip
FORMS: dict[str, Callable[[Config, Iterable[Played]], Iterator[bytes]]] = {
    ".csv": as_csv,
    ".jsonl": as_json_lines,
    ".parquet": as_parquet,
    ".sgf": as_sgf,
}
