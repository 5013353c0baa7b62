"""Reading SGF: the main line of the first game of a file."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition, quote
from sylve.game import AnyGame, Player
from sylve.games import package_game
from sylve.games.board import BoardGame
from sylve.games.go import Go
from sylve.games.hex import Hex
from sylve.inputs import read_number
from sylve.own import game_text
from sylve.position import Position
from sylve.records.analysis import read_json, read_report
from sylve.records.record import (
    RESULT,
    InvalidRecord,
    Record,
    check_length,
    colour_letter,
    first_is_white,
    read_player,
)
from sylve.records.rules import check_sources, rules_of
from sylve.records.sgf_names import GAMES, OURS, SIZES, read_cells, read_vertex
from sylve.records.sgf_tree import Node, read_main_line

HEAD = ("GM", "SZ", "KM", "PL", "RE", "PW", "PB", "DT", "EV", "C")
STONES = ("AB", "AW", "AE")


def read_sgf(text: str, told: AnyGame | None = None) -> Record:
    """The main line of the first game of a file; `told`: its game, if it is the user's own."""
    root, *line = read_main_line(text, HEAD, ("B", "W"), (*STONES, OURS))
    ours, reports = read_ours(root)
    game = read_game(root, line, ours, told)
    opening = read_opening(root, game, ours)
    contents: dict[int, Node] = {}
    position = opening
    moves: list[int] = []
    result = read_result(opening, root.first("RE"))
    # A root with a move in it is not good style, and common.
    for node in [Node({k: v for k, v in root.properties.items() if k in ("B", "W")}), *line]:
        if node.properties.keys() & set(STONES):
            raise InvalidRecord("SGF: stones are set up after the first node: not supported")
        for colour in "BW":
            if colour not in node.properties:
                continue
            word = node.first(colour)
            if isinstance(game, Hex) and word.strip().lower() == "resign":
                result = read_result(opening, "W+R" if colour == "B" else "B+R")
                continue
            position = to_move(position, colour, len(moves) + 1, moves)
            check_length(len(moves) + 1)
            try:
                move = read_vertex(game, position, word)
                position = position.play(move)
            except (IllegalMove, InvalidMove, InvalidRecord) as error:
                raise InvalidRecord(f"SGF: move {len(moves) + 1}, {colour}: {error}") from None
            moves.append(move)
        if OURS in node.properties:
            contents[len(moves)] = node
    record = Record(opening, tuple(moves))
    analysis = {} if reports is None else {0: read_report(record.positions[0], reports)}
    # One after the other: JSON is larger in memory than in the file.
    for ply, node in contents.items():
        content = read_ours(node)[1]
        if content is not None:
            analysis[ply] = read_report(record.positions[ply], content)
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
        head.update(
            {key: content[key] for key in ("game", "position", "sources") if key in content}
        )
        report = content.get("analysis", report)
    return head, report


def read_game(root: Node, line: list[Node], ours: dict[str, Any], told: AnyGame | None) -> AnyGame:
    """The rules of the game that a file says it is of."""
    mark = root.first("GM", "1").strip()  # a missing GM means Go
    name = GAMES.get(mark) or {k.lower(): v for k, v in GAMES.items()}.get(mark.lower())
    if name is None and "game" in ours:
        rules = rules_of(str(ours["game"]), told, "SGF")
        check_sources(rules, ours.get("sources", {}), "SGF")
        return rules
    if name is None:
        known = ", ".join(f"{mark} ({name})" for mark, name in GAMES.items())
        raise InvalidRecord(f"SGF: GM[{mark[:100]}] is no game of ours: expected one of: {known}")
    size = read_size(root, name)
    arguments = {"go": "size", "hex": "size", "othello": "size"}
    try:
        if "game" in ours:
            game = package_game(str(ours["game"]))
            if game.name != name or (size and (game.columns, game.rows) != size):
                raise InvalidRecord(f"SGF: GM and SZ do not fit {quote(str(ours['game']))}")
        elif name in arguments and size and size[0] != size[1]:
            raise InvalidRecord(f"SGF: SZ[{root.first('SZ')[:100]}]: {name} boards are square")
        elif name in arguments:
            game = package_game(f"{name}(size={size[0] if size else SIZES[name]})")
        elif size and name != "tic_tac_toe":
            game = package_game(f"{name}(columns={size[0]}, rows={size[1]})")
        else:
            game = package_game(name)
        if isinstance(game, Go) and ("KM" in root.properties or "game" not in ours):
            game = dataclasses.replace(game, komi=read_komi(root.first("KM", "0")))
    except InvalidGame as error:
        raise InvalidRecord(f"SGF: {error}") from None
    if isinstance(game, Hex) and "game" not in ours:
        moves = [node.first(colour).strip().lower() for node in line for colour in "BW"]
        if "swap-sides" in moves:
            raise InvalidRecord("SGF: swap-sides is not supported: here the pieces are swapped")
        game = dataclasses.replace(game, swap="swap-pieces" in moves)
    if told is not None and told != game:
        raise InvalidRecord(
            f"SGF: the file is of {quote(str(game))}, not of {quote(game_text(told))}"
        )
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
        return read_number(text.strip() or "0")
    except ValueError:
        raise InvalidRecord(f"SGF: cannot read the komi {quote(text)}") from None


def read_opening(root: Node, game: AnyGame, ours: dict[str, Any]) -> Position:
    """The start of the game, or the stones that the root sets up."""
    setup = {name: root.properties[name] for name in STONES if name in root.properties}
    start = Position.start(game)
    side = root.first("PL").strip()
    turn = read_player(start, side)
    if side and turn is None:
        raise InvalidRecord(f"SGF: PL[{side[:100]}] is no player: expected B or W, x or o")
    try:
        if "position" in ours:
            return Position.parse(game, str(ours["position"]))
        if (not setup and turn is None) or not isinstance(game, BoardGame):
            return start
        board = list(start.state.board)
        stones = {"AB": "ox" if first_is_white(start) else "xo", "AW": "", "AE": ".."}
        stones["AW"] = stones["AB"][::-1]
        for name, cells in setup.items():
            for cell in read_cells(game, cells):
                board[cell] = stones[name][0]
        # Handicap stones stand for moves of Black, so that White is to move.
        if turn is None:
            handicap = isinstance(game, Go) and "AB" in setup and "AW" not in setup
            turn = Player.SECOND if handicap else Player.FIRST
        width = game.columns
        rows = ["".join(board[at : at + width]) for at in range(0, len(board), width)]
        text = "/".join(rows if game.a1_on_top else rows[::-1])
        return Position.parse(game, f"{text} {'xo'[turn]}")
    except InvalidPosition as error:
        raise InvalidRecord(f"SGF: the stones of the first node: {error}") from None


def read_result(opening: Position, text: str) -> str:
    """The result in our form; what is written otherwise counts as unknown."""
    match = re.fullmatch(
        r"([a-z]+)\+(R|Resign|T|Time|F|Forfeit|[0-9.]*)", text.strip()[:100], re.IGNORECASE
    )
    winner = read_player(opening, match[1]) if match else None
    if match is None or winner is None:
        return {"draw": "draw", "0": "draw", "jigo": "draw", "void": "void"}.get(
            text.strip().lower(), ""
        )
    by = match[2][:1].upper() if match[2][:1].isalpha() else match[2]
    result = f"{'xo'[winner]}+{by}"
    return result if RESULT.fullmatch(result) else ""
