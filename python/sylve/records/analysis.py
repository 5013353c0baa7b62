"""Reports of searches as JSON, and back: an analysis is saved with the game, never made again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from sylve import inputs
from sylve.errors import IllegalMove, InvalidMove, quote, quote_value
from sylve.own import check_known
from sylve.position import Position, position_text
from sylve.records.record import InvalidRecord
from sylve.records.rules import is_called
from sylve.search.reports.report import SCHEMA, MoveReport, Report
from sylve.search.text import parse_search
from sylve.version import VERSION

WHOLE = {"move", "visits", "wins", "draws", "rank"}
TEXT = {"name", "proven"}
MAY_BE_WHOLE_OR_NONE = {"amaf_visits", "amaf_wins", "amaf_draws", "parts", "amaf_parts"}


def write_report(report: Report) -> str:
    """One line of JSON: the fields of docs/report.md, and the version that wrote it."""
    return json.dumps({"version": VERSION, **report.to_dict()}, separators=(",", ":"))


def read_report(position: Position, content: object) -> Report:
    """The report that a file holds for a position. Keys that are not known are left alone."""
    if not isinstance(content, Mapping):
        raise InvalidRecord(f"analysis: expected an object, found {quote_value(content)}")
    if content.get("schema") != SCHEMA:
        raise InvalidRecord(
            f"analysis: schema {quote_value(content.get('schema'))}, expected {SCHEMA}"
        )
    text = position_text(position)
    if not is_called(position.game, str(content.get("game"))) or content.get("position") != text:
        raise InvalidRecord(
            f"analysis: it is of {quote_value(content.get('position'))}, not of {text!r}"
        )
    try:
        check_known(content["search"])
        given: dict[str, Any] = {
            "position": position,
            "search": parse_search(content["search"]),
            "playouts": whole(content["playouts"]),
            "nodes": whole(content["nodes"]),
            "best": position.move(content["best"]),
            "line": read_line(position, content["line"]),
            "moves": tuple(read_move(position, entry) for entry in content["moves"]),
            "stopped": word(content["stopped"]),
            "engine": word(content["engine"]),
            "seconds": number(content["seconds"]),
            "bytes": None if content["bytes"] is None else whole(content["bytes"]),
        }
        for field in dataclasses.fields(Report):  # those with a default, which a file may lack
            if field.name not in given and isinstance(content.get(field.name), (int, str)):
                given[field.name] = content[field.name]
        report = Report(**given)
        check_moves(report)
        return report
    except KeyError as error:
        raise InvalidRecord(f"analysis: {error} is missing") from None
    except (TypeError, AttributeError, IllegalMove, InvalidMove, ValueError) as error:
        raise InvalidRecord(f"analysis: {error}") from None


def check_moves(report: Report) -> None:
    """The moves are those of a search: each once, in order, ranked, the best one among them."""
    moves = [entry.move for entry in report.moves]
    ranks = sorted(entry.rank for entry in report.moves)
    if moves != sorted(set(moves)) or ranks != list(range(1, len(moves) + 1)):
        raise InvalidRecord("moves: expected each move once, in order, with ranks from 1 on")
    if report.best not in moves or report.line[:1] not in ((), (report.best,)):
        raise InvalidRecord(f"best: {report.best_name!r} is not among the moves, or not the line's")


def read_line(position: Position, names: list[str]) -> tuple[int, ...]:
    """The principal variation. Below the root a search of Go knows no superko."""
    line: list[int] = []
    for name in names:
        move = position.move(name)
        line.append(move)
        position = position.searched(move)
    return tuple(line)


def read_move(position: Position, entry: Mapping[str, Any]) -> MoveReport:
    """The report of one move."""
    given: dict[str, Any] = {}
    for field in dataclasses.fields(MoveReport):
        if field.name not in entry and field.default is not dataclasses.MISSING:
            continue
        value = entry[field.name]
        if value is None and field.name not in WHOLE | {"name"}:
            given[field.name] = None
        elif field.name in WHOLE | MAY_BE_WHOLE_OR_NONE:
            given[field.name] = whole(value)
        elif field.name in TEXT:
            given[field.name] = word(value)
        else:
            given[field.name] = number(value)
    if given["move"] not in position.moves or position.name(given["move"]) != given["name"]:
        raise InvalidRecord(f"{given['name']!r} is not move {given['move']} of {position!r}")
    return MoveReport(**given)


def whole(value: object) -> int:
    """A whole number of a file."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidRecord(f"expected a whole number, found {quote_value(value)}")
    return value


def number(value: object) -> float:
    """A number of a file. `read_json` has none that is not finite."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise InvalidRecord(f"expected a number, found {quote_value(value)}")
    return float(value)


def word(value: object) -> str:
    """A text of a file."""
    if not isinstance(value, str):
        raise InvalidRecord(f"expected a text, found {quote_value(value)}")
    return value


def read_json(text: str, what: str) -> Any:
    """JSON, or a clear error."""
    try:
        return inputs.read_json(text)
    except ValueError as error:
        raise InvalidRecord(f"{what}: no JSON: {error} in {quote(text)}") from None
