"""The two forms that every game has: a plain list of moves, and JSON with everything."""

from __future__ import annotations

import json
import re
from typing import Any

from sylve.errors import IllegalMove, InvalidMove, InvalidPosition, quote, quote_value
from sylve.game import AnyGame
from sylve.inputs import shown_size
from sylve.own import game_text, sources
from sylve.position import Position
from sylve.records.analysis import read_json, read_report
from sylve.records.record import MOST_MOVES, InvalidRecord, Record, check_length
from sylve.records.rules import check_sources, rules_of
from sylve.records.sgf_tree import LARGEST

SCHEMA = 1
WIDTH = 76
MOST_NOTES = 10_000
# Blanks other than ends of lines, then `#`; every line is looked at once.
NOTE_LINE = re.compile(r"^[^\S\n]*#[^\n]*$", re.MULTILINE)
NOTE = re.compile(r"^[^\S\n]*#+(?P<key>[^\n:]*)(?::[^\S\n]*+(?P<value>[^\n]*))?$", re.MULTILINE)
HEAD = ("first", "second", "result", "date", "event", "comment")


def write_moves(record: Record) -> str:
    """Lines `# key: value`, then the names of the moves. It has no place for an analysis."""
    lines = [f"# game: {game_text(record.opening.game)}"]
    for module, digest in sources(record.opening.game).items():
        lines.append(f"# source: {module} {digest}")
    if not record.from_start:
        lines.append(f"# position: {record.opening.text}")
    values = (*record.players, record.result, record.date, record.event, record.comment)
    for key, value in zip(HEAD, values, strict=True):
        if value:
            lines.append(f"# {key}: {' '.join(value.split())}")
    row = ""
    for name in record.names:
        if len(row) + len(name) >= WIDTH:
            lines.append(row)
            row = ""
        row += f" {name}" if row else name
    return "\n".join([*lines, *([row] if row else [])]) + "\n"


def read_moves(text: str, told: AnyGame | None = None) -> Record:
    """A list of moves. The game is in the file, or told; one of the user's own must be told."""
    if len(text) > LARGEST:
        raise InvalidRecord(f"moves: the text is larger than {shown_size(LARGEST)}")
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    head: dict[str, str] = {}
    stored: dict[str, str] = {}
    for number, line in enumerate(NOTE.finditer(lines)):
        if number == MOST_NOTES:
            raise InvalidRecord(f"moves: more than {MOST_NOTES} lines begin with '#'")
        key, value = line["key"].strip(), line["value"]
        if value is not None and key in ("game", "position", *HEAD):
            head[key] = value.strip()
        elif value is not None and key == "source":
            module, _, digest = value.strip().rpartition(" ")
            stored[module] = digest
    if "game" not in head and told is None:
        raise InvalidRecord(
            f"moves: no line '# game: NAME' in {quote(text)}, and no game was given"
        )
    rules = told if "game" not in head else rules_of(head["game"], told, "moves")
    assert rules is not None
    check_sources(rules, stored, "moves")
    opening = open_position(rules, head.get("position"), "moves")
    try:
        final = opening.play_line(NOTE_LINE.sub("", lines), most=MOST_MOVES)
    except (IllegalMove, InvalidMove) as error:
        raise InvalidRecord(f"moves: {error}") from None
    return Record(
        opening,
        final.played,
        players=(head.get("first", ""), head.get("second", "")),
        result=head.get("result", ""),
        date=head.get("date", ""),
        event=head.get("event", ""),
        comment=head.get("comment", ""),
    )


def write_json(record: Record) -> str:
    """One JSON object with the game and its analysis."""
    return (
        json.dumps(
            {
                "schema": SCHEMA,
                "kind": "sylve record",
                "game": game_text(record.opening.game),
                **({"sources": hashes} if (hashes := sources(record.opening.game)) else {}),
                "position": None if record.from_start else record.opening.text,
                "players": list(record.players),
                "result": record.result,
                "date": record.date,
                "event": record.event,
                "comment": record.comment,
                "moves": list(record.names),
                "analysis": {str(ply): report.to_dict() for ply, report in record.analysis.items()},
            },
            indent=1,
        )
        + "\n"
    )


def read_json_record(text: str, told: AnyGame | None = None) -> Record:
    """What `write_json` writes; `told`: the game, which must be given if it is the user's own."""
    if len(text) > LARGEST:
        raise InvalidRecord(f"JSON: the text is larger than {shown_size(LARGEST)}")
    content = read_json(text, "JSON")
    if not isinstance(content, dict) or content.get("kind") != "sylve record":
        raise InvalidRecord(f"JSON: expected an object of kind 'sylve record' in {quote(text)}")
    if content.get("schema") != SCHEMA:
        raise InvalidRecord(f"JSON: schema {quote_value(content.get('schema'))}, expected {SCHEMA}")
    place = content.get("position")
    rules = rules_of(text_of(content, "game"), told, "JSON")
    check_sources(rules, content.get("sources", {}), "JSON")
    opening = open_position(rules, None if place is None else text_of(content, "position"), "JSON")
    names, players = content.get("moves", []), content.get("players", ["", ""])
    analysis = content.get("analysis", {})
    if not all_texts(names) or not all_texts(players) or len(players) != 2:
        raise InvalidRecord("JSON: moves and players must be lists of texts, players of two")
    if not isinstance(analysis, dict) or not all(ply.isdecimal() for ply in analysis):
        raise InvalidRecord("JSON: analysis must be an object with a number of a ply for each key")
    position = opening
    check_length(len(names))
    for number, name in enumerate(names, 1):
        try:
            position = position.play(name)
        except (IllegalMove, InvalidMove) as error:
            raise InvalidRecord(f"JSON: move {number}: {error}") from None
    positions = Record(opening, position.played).positions
    reports = {}
    for ply, report in analysis.items():
        if len(ply) > 6 or int(ply) >= len(positions):
            raise InvalidRecord(f"JSON: analysis of ply {ply[:20]}, but there are {len(names)}")
        reports[int(ply)] = read_report(positions[int(ply)], report)
    return Record(
        opening,
        position.played,
        players=(players[0], players[1]),
        result=text_of(content, "result", ""),
        date=text_of(content, "date", ""),
        event=text_of(content, "event", ""),
        comment=text_of(content, "comment", ""),
        analysis=reports,
    )


def all_texts(value: object) -> bool:
    """Whether a value of JSON is a list of texts."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def text_of(content: dict[str, Any], key: str, otherwise: str | None = None) -> str:
    """A text of a JSON object."""
    value = content.get(key, otherwise)
    if not isinstance(value, str):
        raise InvalidRecord(f"JSON: {key} must be a text, not {quote_value(value)}")
    return value


def open_position(game: AnyGame, text: str | None, form: str) -> Position:
    """Where a record begins."""
    try:
        return Position.start(game) if text is None else Position.parse(game, text)
    except InvalidPosition as error:
        raise InvalidRecord(f"{form}: {error}") from None
