"""Writing SGF FF[4], for every game.

`SBKV` (Black's chances in percent) is what Sabaki draws its graph from; `SYLVE` is ours: JSON with
the game string and the whole analysis.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from sylve.game import AnyGame, Player
from sylve.games import GAMES
from sylve.games.board import EMPTY, BoardGame
from sylve.games.go import Go
from sylve.own import game_text, sources
from sylve.position import Position
from sylve.records.analysis import write_report
from sylve.records.record import Record, colour_letter, first_is_white
from sylve.records.sgf_names import NAMES, NUMBERS, OURS, write_cell, write_vertex
from sylve.records.sgf_tree import write_node
from sylve.version import VERSION

NODES_A_LINE = 10


def write_sgf(record: Record) -> str:
    """The record as SGF FF[4]."""
    position = record.opening
    game = position.game
    lines = [write_node(root_properties(record, game))]
    short: list[str] = []
    for ply, (here, move) in enumerate(zip(record.positions, record.moves, strict=False)):
        mark = colour_letter(here, here.turn)
        properties = [(mark, [write_vertex(game, here, move)])]
        extra = list(analysis_properties(record, ply + 1))
        short.append(write_node([*properties, *extra]))
        if extra or len(short) == NODES_A_LINE:
            lines.append("".join(short))
            short = []
    return "(" + "\n".join([*lines, "".join(short)]).strip() + ")\n"


def root_properties(record: Record, game: AnyGame) -> Iterator[tuple[str, list[str]]]:
    """What stands before the first move."""
    yield "FF", ["4"]
    yield "CA", ["UTF-8"]
    yield "AP", [f"sylve:{VERSION}"]
    ours = game if isinstance(game, BoardGame) and type(game) in GAMES.values() else None
    if ours:
        yield "GM", [NUMBERS.get(ours.name) or NAMES[ours.name]]
        square = ours.columns == ours.rows
        yield "SZ", [str(ours.columns) if square else f"{ours.columns}:{ours.rows}"]
    else:  # nobody else can read it: whatever takes GM for a number refuses the file
        yield "GM", [game_text(game)]
    if isinstance(game, Go):
        yield "KM", [f"{game.komi:g}"]
        yield "RU", ["Chinese"]
    first, second = ("PW", "PB") if first_is_white(record.opening) else ("PB", "PW")
    for name, value in (
        (first, record.players[0]),
        (second, record.players[1]),
        ("DT", record.date),
        ("EV", record.event),
        ("RE", write_result(record)),
        ("C", record.comment),
    ):
        if value:
            yield name, [value]
    if ours and not record.from_start:
        yield from setup_properties(record.opening, ours)
    analysis = dict(analysis_properties(record, 0))
    yield "SBKV", analysis.get("SBKV", [])
    hashes = {"sources": found} if (found := sources(game)) else {}
    head = json.dumps({"game": game_text(game), **hashes, **setup_text(record)})
    yield OURS, [head, *analysis.get(OURS, [])]


def setup_text(record: Record) -> dict[str, str]:
    """What stones and the side to move do not say: ko point and passes of Go."""
    return {} if record.from_start else {"position": record.opening.text}


def setup_properties(position: Position, game: BoardGame) -> Iterator[tuple[str, list[str]]]:
    """The stones of an opening, and who is to move."""
    board: str = position.state.board
    start: str = game.start().board
    for player in Player:
        stone = "xo"[player]
        cells = [cell for cell in range(len(board)) if board[cell] == stone != start[cell]]
        yield f"A{colour_letter(position, player)}", [write_cell(game, cell) for cell in cells]
    gone = [cell for cell in range(len(board)) if board[cell] == EMPTY != start[cell]]
    yield "AE", [write_cell(game, cell) for cell in gone]
    yield "PL", [colour_letter(position, position.turn)]


def analysis_properties(record: Record, ply: int) -> Iterator[tuple[str, list[str]]]:
    """What a search said of the position at a node."""
    report = record.analysis.get(ply)
    if report is None:
        return
    mean = report[report.best].mean
    if mean is not None:
        black = colour_letter(report.position, report.position.turn) == "B"
        yield "SBKV", [f"{100 * (mean if black else 1 - mean):.2f}"]
    yield OURS, ['{"analysis":' + write_report(report) + "}"]


def write_result(record: Record) -> str:
    """`B+3.5`, `W+R`, `Draw`, `Void`, or nothing."""
    if record.result[:1] not in ("x", "o"):
        return {"draw": "Draw", "void": "Void"}.get(record.result, "")
    winner = Player("xo".index(record.result[0]))
    return colour_letter(record.opening, winner) + record.result[1:]
