"""SGF for every game. GM: Go 1, Othello 2, Hex 11; the others have no number and write a name.

Only the main line is read. `SBKV` (Black's chances in percent) is what Sabaki draws its graph from;
`SYLVE` is ours: JSON with the game string and the whole analysis.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition, quote
from sylve.game import Player
from sylve.games import load_game
from sylve.games.board import EMPTY, BoardGame
from sylve.games.go import Go
from sylve.games.hex import Hex
from sylve.games.othello import Othello
from sylve.position import Position
from sylve.records.analysis import read_json, read_report, write_report
from sylve.records.record import RESULT, InvalidRecord, Record, colour_letter, first_is_white
from sylve.records.sgf_tree import Node, read_trees, write_node

NUMBERS = {"go": "1", "othello": "2", "hex": "11"}
NAMES = {
    "breakthrough": "Breakthrough",
    "connect_four": "ConnectFour",
    "tic_tac_toe": "TicTacToe",
}
GAMES = {mark: name for name, mark in {**NUMBERS, **NAMES}.items()}
SIZES = {"go": 19, "othello": 8, "hex": 11, "breakthrough": 8}  # where SZ is missing
OURS = "SYLVE"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NODES_A_LINE = 10


def write_sgf(record: Record) -> str:
    """The record as SGF FF[4]."""
    position = record.opening
    game = rules(position)
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


def rules(position: Position) -> BoardGame:
    """The game, if SGF can hold it."""
    game = position.game
    if not isinstance(game, BoardGame):
        raise InvalidRecord(f"SGF: {game!r} is a game of your own: its records have no form yet")
    return game


def root_properties(record: Record, game: BoardGame) -> Iterator[tuple[str, list[str]]]:
    """What stands before the first move."""
    from sylve import _core

    yield "FF", ["4"]
    yield "CA", ["UTF-8"]
    yield "AP", [f"sylve:{_core.__version__}"]
    yield "GM", [NUMBERS.get(game.name) or NAMES[game.name]]
    square = game.columns == game.rows
    yield "SZ", [str(game.columns) if square else f"{game.columns}:{game.rows}"]
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
    if not record.from_start:
        yield from setup_properties(record.opening, game)
    analysis = dict(analysis_properties(record, 0))
    yield "SBKV", analysis.get("SBKV", [])
    head = json.dumps({"game": str(game), **setup_text(record)})
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


def read_result(opening: Position, text: str) -> str:
    """The result in our form; what is written otherwise counts as unknown."""
    match = re.fullmatch(
        r"([BW])\+(R|Resign|T|Time|F|Forfeit|[0-9.]*)", text.strip(), re.IGNORECASE
    )
    if not match:
        return {"draw": "draw", "0": "draw", "jigo": "draw", "void": "void"}.get(
            text.strip().lower(), ""
        )
    first = (match[1].upper() == "W") == first_is_white(opening)
    by = match[2][:1].upper() if match[2][:1].isalpha() else match[2]
    result = f"{'x' if first else 'o'}+{by}"
    return result if RESULT.fullmatch(result) else ""


# Cells and moves. Go has two letters from the top left; the others their usual names.


def write_cell(game: BoardGame, cell: int) -> str:
    """The name of a cell in SGF."""
    if not isinstance(game, Go):
        return game.cell_name(cell)
    row, column = divmod(cell, game.size)
    return LETTERS[column] + LETTERS[game.size - 1 - row]


def write_vertex(game: BoardGame, position: Position, move: int) -> str:
    """The name of a move in SGF; the pass of Go is empty."""
    if not isinstance(game, Go):
        return position.name(move)
    return "" if move == game.pass_move else write_cell(game, move)


def read_cells(game: BoardGame, texts: list[str]) -> Iterator[int]:
    """The cells of a list such as AB; Go compresses rectangles: `aa:cc`."""
    for text in texts:
        corners = [divmod(read_cell(game, corner), game.columns) for corner in text.split(":")]
        if len(corners) > 2:
            raise InvalidRecord(f"SGF: cannot read the cells {quote(text)}")
        rows, columns = zip(*corners, strict=True)
        for row in range(min(rows), max(rows) + 1):
            for column in range(min(columns), max(columns) + 1):
                yield row * game.columns + column


def read_cell(game: BoardGame, text: str) -> int:
    """The cell of a name."""
    cell = game.find_cell(text.strip())
    if isinstance(game, (Go, Othello)) and re.fullmatch("[a-z]{2}", text.strip()):
        column, row = (LETTERS.index(letter) for letter in text.strip())
        inside = column < game.columns and row < game.rows
        up = row if game.a1_on_top else game.rows - 1 - row
        cell = up * game.columns + column if inside else None
    elif isinstance(game, Go):
        cell = None
    if cell is None:
        raise InvalidRecord(f"SGF: {quote(text)} is no cell of {game}")
    return cell


def read_vertex(game: BoardGame, position: Position, text: str) -> int:
    """The move of a node."""
    word = text.strip()
    if isinstance(game, Go) and (word == "" or (word == "tt" and game.size <= 19)):
        return game.pass_move
    if isinstance(game, (Go, Othello)) and re.fullmatch("[a-z]{2}", word) and word != "pa":
        return read_cell(game, word)
    if isinstance(game, Go):
        raise InvalidRecord(f"SGF: {quote(text)} is no move of {game}")
    return position.move(word or "pass")


# Reading.


def read_sgf(text: str) -> Record:
    """The main line of the first game of a file."""
    root, *line = read_trees(text)[0].main_line()
    ours, reports = read_ours(root)
    game = read_game(root, line, ours)
    opening = read_opening(root, game, ours)
    contents = {0: reports}
    position = opening
    moves: list[int] = []
    result = read_result(opening, root.first("RE"))
    # A root with a move in it is not good style, and common.
    for node in [Node({k: v for k, v in root.properties.items() if k in ("B", "W")}), *line]:
        if node.properties.keys() & {"AB", "AW", "AE"}:
            raise InvalidRecord("SGF: stones are set up after the first node: not supported")
        for colour in "BW":
            if colour not in node.properties:
                continue
            word = node.first(colour)
            if isinstance(game, Hex) and word.strip().lower() == "resign":
                result = read_result(opening, "W+R" if colour == "B" else "B+R")
                continue
            position = to_move(position, colour, len(moves) + 1, moves)
            try:
                move = read_vertex(game, position, word)
                position = position.play(move)
            except (IllegalMove, InvalidMove, InvalidRecord) as error:
                raise InvalidRecord(f"SGF: move {len(moves) + 1}, {colour}: {error}") from None
            moves.append(move)
        if OURS in node.properties:
            contents[len(moves)] = read_ours(node)[1]
    record = Record(opening, tuple(moves))
    analysis = {
        ply: read_report(record.positions[ply], content)
        for ply, content in contents.items()
        if content is not None
    }
    white = first_is_white(opening)
    return Record(
        opening,
        tuple(moves),
        players=(root.first("PW" if white else "PB"), root.first("PB" if white else "PW")),
        result=result,
        date=root.first("DT"),
        event=root.first("EV"),
        comment=root.first("C"),
        analysis=analysis,
    )


def to_move(position: Position, colour: str, number: int, moves: list[int]) -> Position:
    """The position with this colour to move: a pass that a file leaves out is put in."""
    if colour_letter(position, position.turn) == colour:
        return position
    passing = getattr(position.game, "pass_move", None)
    if passing is None or passing not in position.moves:
        other = "W" if colour == "B" else "B"
        raise InvalidRecord(f"SGF: move {number} is {colour}'s, but it is {other}'s turn")
    moves.append(passing)
    return position.play(passing)


def read_ours(node: Node) -> tuple[dict[str, Any], Any]:
    """Our own property: the game string and the opening, and the report."""
    head: dict[str, Any] = {}
    report = None
    for text in node.properties.get(OURS, []):
        content = read_json(text, f"SGF: {OURS}")
        if not isinstance(content, dict):
            raise InvalidRecord(f"SGF: {OURS}: expected an object, found {quote(text)}")
        head.update({key: content[key] for key in ("game", "position") if key in content})
        report = content.get("analysis", report)
    return head, report


def read_game(root: Node, line: list[Node], ours: dict[str, Any]) -> BoardGame:
    """The rules of the game that a file says it is of."""
    mark = root.first("GM", "1").strip()  # a missing GM means Go
    name = GAMES.get(mark) or {k.lower(): v for k, v in GAMES.items()}.get(mark.lower())
    if name is None:
        known = ", ".join(f"{mark} ({name})" for mark, name in GAMES.items())
        raise InvalidRecord(f"SGF: GM[{mark[:100]}] is no game of ours: expected one of: {known}")
    size = read_size(root, name)
    arguments = {"go": "size", "hex": "size", "othello": "size"}
    try:
        if "game" in ours:
            game = load_game(str(ours["game"]))
            if game.name != name or (size and (game.columns, game.rows) != size):
                raise InvalidRecord(f"SGF: GM and SZ do not fit {quote(str(ours['game']))}")
        elif name in arguments and size and size[0] != size[1]:
            raise InvalidRecord(f"SGF: SZ[{root.first('SZ')}]: {name} boards are square")
        elif name in arguments:
            game = load_game(f"{name}(size={size[0] if size else SIZES[name]})")
        elif size and name != "tic_tac_toe":
            game = load_game(f"{name}(columns={size[0]}, rows={size[1]})")
        else:
            game = load_game(name)
        if isinstance(game, Go) and ("KM" in root.properties or "game" not in ours):
            game = dataclasses.replace(game, komi=read_komi(root.first("KM", "0")))
    except InvalidGame as error:
        raise InvalidRecord(f"SGF: {error}") from None
    if isinstance(game, Hex) and "game" not in ours:
        moves = [node.first(colour).strip().lower() for node in line for colour in "BW"]
        if "swap-sides" in moves:
            raise InvalidRecord("SGF: swap-sides is not supported: here the pieces are swapped")
        game = dataclasses.replace(game, swap="swap-pieces" in moves)
    return game


def read_size(root: Node, name: str) -> tuple[int, int] | None:
    """The columns and rows that SZ says."""
    if "SZ" not in root.properties:
        return None
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?::\s*([0-9]{1,3})\s*)?", root.first("SZ"), re.ASCII)
    if not match:
        raise InvalidRecord(f"SGF: cannot read the size {quote(root.first('SZ'))} of {name}")
    return int(match[1]), int(match[2] or match[1])


def read_komi(text: str) -> float:
    """The number of KM."""
    try:
        return float(text or 0)
    except ValueError:
        raise InvalidRecord(f"SGF: cannot read the komi {quote(text)}") from None


def read_opening(root: Node, game: BoardGame, ours: dict[str, Any]) -> Position:
    """The start of the game, or the stones that the root sets up."""
    setup = {name: root.properties[name] for name in ("AB", "AW", "AE") if name in root.properties}
    start = Position.start(game)
    side = root.first("PL").strip().upper()[:1]
    try:
        if "position" in ours:
            return Position.parse(game, str(ours["position"]))
        if not setup and not side:
            return start
        board = list(start.state.board)
        stones = {"AB": "ox" if first_is_white(start) else "xo", "AW": "", "AE": ".."}
        stones["AW"] = stones["AB"][::-1]
        for name, cells in setup.items():
            for cell in read_cells(game, cells):
                board[cell] = stones[name][0]
        # Handicap stones stand for moves of Black, so that White is to move.
        if not side:
            side = "W" if isinstance(game, Go) and "AB" in setup and "AW" not in setup else ""
            side = side or colour_letter(start, Player.FIRST)
        turn = Player((side == "W") ^ first_is_white(start))
        width = game.columns
        rows = ["".join(board[at : at + width]) for at in range(0, len(board), width)]
        text = "/".join(rows if game.a1_on_top else rows[::-1])
        return Position.parse(game, f"{text} {'xo'[turn]}")
    except InvalidPosition as error:
        raise InvalidRecord(f"SGF: the stones of the first node: {error}") from None
