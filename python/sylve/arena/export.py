"""The games of a store in other forms. The store stays the only truth."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from sylve.arena.config import Config
from sylve.arena.game import BY_RULES, OUT_OF_TIME, RESIGNED
from sylve.arena.store import Played, Store, settle


def export_games(store: Store, target: Path) -> int:
    """Write all games in the form that the name of the file asks for; how many there are."""
    form = FORMS.get(target.suffix.lower())
    if form is None:
        raise ValueError(f"unknown form {target.name!r}: expected one of: {', '.join(FORMS)}")
    games = list(store.played())
    write_whole(target, form(store.config, games))
    return len(games)


def write_whole(target: Path, content: bytes) -> None:
    """Write a file so that it is never seen half written."""
    partial = target.with_name(target.name + ".partial")
    partial.write_bytes(content)
    settle(partial, target)


def rows(config: Config, games: list[Played]) -> Iterator[dict[str, Any]]:
    """One row a game; moves by name."""
    for game in games:
        slot, record = game.slot, game.record
        position = slot.opening.begin(config.game)
        names = []
        for move in record.moves:
            names.append(position.name(move))
            position = position.play(move)
        opening = position.played[: len(position.played) - len(record.moves)]
        yield {
            "number": slot.number,
            "id": slot.id,
            "pair": slot.pair,
            "game": config.game,
            "first": config.names[slot.first],
            "second": config.names[slot.second],
            "result": record.result,
            "reason": record.reason,
            "position": slot.opening.position,
            "opening": " ".join(opening_names(config, game, opening)),
            "moves": " ".join(names),
            "plies": len(record.moves),
            "first_seconds": record.seconds[0],
            "second_seconds": record.seconds[1],
            "by": record.by,
            "after_decision": game.after_decision,
        }


def opening_names(config: Config, game: Played, moves: tuple[int, ...]) -> list[str]:
    """The moves of an opening by name."""
    position = type(game.slot.opening)((), game.slot.opening.position).begin(config.game)
    names = []
    for move in moves:
        names.append(position.name(move))
        position = position.play(move)
    return names


def as_csv(config: Config, games: list[Played]) -> bytes:
    """Comma-separated values, with a header."""
    table = list(rows(config, games))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(table[0]) if table else ["number"])
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue().encode()


def as_json_lines(config: Config, games: list[Played]) -> bytes:
    """One JSON object a line."""
    return "".join(json.dumps(row) + "\n" for row in rows(config, games)).encode()


def as_parquet(config: Config, games: list[Played]) -> bytes:
    """Parquet, if pyarrow is there."""
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise ValueError("Parquet needs pyarrow: pip install pyarrow") from None
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows(config, games))), sink)
    return sink.getvalue()


def as_sgf(config: Config, games: list[Played]) -> bytes:
    """SGF, a collection of all games, if the game has such records."""
    try:
        records = import_module("sylve.records")
    except ImportError:
        raise ValueError("this build writes no SGF: export to .jsonl or .csv") from None
    texts = []
    for game in games:
        opening = game.slot.opening.begin(config.game)
        names = (config.names[game.slot.first], config.names[game.slot.second])
        before = type(opening)(opening.game, opening.origin)
        moves = (*opening.played, *game.record.moves)
        final = opening.play_line(game.record.moves)
        result = sgf_result(game.record.result, game.record.reason, records.result_of(final))
        record = records.Record(before, moves, names, result, event=game.slot.id)
        texts.append(records.write_record(record, "sgf").strip())
    return "\n".join([*texts, ""]).encode()


def sgf_result(result: str, reason: str, by_rules: str) -> str:
    """The result as records write it: `x+3.5`, `o+R`."""
    if reason == BY_RULES:
        return by_rules
    if result not in ("1-0", "0-1"):
        return "void" if result == "*" else "draw"
    how = {RESIGNED: "R", OUT_OF_TIME: "T"}.get(reason.partition(":")[0], "F")
    return f"{'x' if result == '1-0' else 'o'}+{how}"


FORMS: dict[str, Callable[[Config, list[Played]], bytes]] = {
    ".csv": as_csv,
    ".jsonl": as_json_lines,
    ".parquet": as_parquet,
    ".sgf": as_sgf,
}
