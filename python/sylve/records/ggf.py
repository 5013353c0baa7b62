"""GGF, what Othello programs exchange: `(;GM[Othello]PB[..]PW[..]TY[8]BO[8 ...]B[F5]W[D6]...;)`."""

from __future__ import annotations

import re

from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition, quote
from sylve.games import package_game
from sylve.games.othello import Othello
from sylve.position import Position
from sylve.records.record import InvalidRecord, Record, check_length
from sylve.records.sgf_tree import VALUE, Budget, Node, escape, keep

PROPERTY = re.compile(r"\s*([A-Za-z]+)\s*\[")
HEAD = ("GM", "PB", "PW", "RE", "DT", "EV", "CO", "TY", "BO")
END = re.compile(r"\s*;?\s*\)")
CELLS = str.maketrans("xo.", "*O-")
BOARD = 1000  # characters of BO; the largest board has 64 cells
REASONS = {"r": "R", "t": "T", "s": "", "l": "T"}


def write_ggf(record: Record) -> str:
    """The record as GGF. It has no place for an analysis."""
    position = record.opening
    game = position.game
    if not isinstance(game, Othello):
        raise InvalidRecord(f"GGF: only Othello, not {game}")
    size, board = game.size, position.state.board.translate(CELLS)
    rows = " ".join(board[at : at + size] for at in range(0, len(board), size))
    head = {
        "GM": "Othello",
        "PC": "sylve",
        "DT": record.date,
        "EV": record.event,
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": write_result(record.result),
        "CO": record.comment,
        "TY": str(size),
        "BO": f"{size} {rows} {'*O'[position.turn]}",
    }
    properties = [f"{name}[{escape(value)}]" for name, value in head.items() if value]
    moves = [
        f"{'BW'[here.turn]}[{'PA' if name == 'pass' else name.upper()}]"
        for here, name in zip(record.positions, record.names, strict=False)
    ]
    return f"(;{''.join(properties)}{''.join(moves)};)\n"


def write_result(result: str) -> str:
    """Black's lead in discs; `:r` for a resignation, `:t` for time."""
    if result == "draw":
        return "0.000"
    if result[:1] not in ("x", "o"):
        return "?"
    sign = "+" if result[0] == "x" else "-"
    by = result[2:]
    if by in ("R", "T", "F", ""):
        return f"{sign}64.000" + {"R": ":r", "T": ":t", "F": ":t", "": ":s"}[by]
    return f"{sign}{float(by):.3f}"


def read_result(text: str) -> str:
    """The result in our form; nothing if it is not known."""
    match = re.fullmatch(r"\s*([+-]?)([0-9]{1,3}(?:\.[0-9]{1,3})?)(?::([a-z]))?\s*", text, re.ASCII)
    if not match:
        return ""
    if match[3] in REASONS:
        return f"{'o' if match[1] == '-' else 'x'}+{REASONS[match[3]]}"
    points = float(match[2])
    return f"{'o' if match[1] == '-' else 'x'}+{points:g}" if points else "draw"


def read_ggf(text: str) -> Record:
    """The first game of a file."""
    budget = Budget("GGF", text)
    at = text.find("(;")
    if at < 0:
        raise InvalidRecord(f"GGF: expected '(;' in {quote(text)}")
    at += 2
    found = Node()
    played: list[tuple[str, str]] = []
    while match := PROPERTY.match(text, at):
        budget.spend()
        value = VALUE.match(text, match.end())
        if value is None:
            raise InvalidRecord(f"GGF: unclosed '[' at {quote(text[at : at + 200].strip())}")
        name, content = match[1].upper(), text[match.end() : value.end() - 1]
        at = value.end()
        if name in ("B", "W"):
            check_length(len(played) + 1)
            keep(node := Node(), name, False, content, budget)
            played.append((name, node.first(name).partition("/")[0].strip()))
        elif name in HEAD:
            found.properties.pop(name, None)  # the last one counts
            keep(found, name, False, content, budget)
    if not END.match(text, at):
        raise InvalidRecord(f"GGF: expected ';)' at {quote(text[at : at + 200])}")
    head = {name: found.first(name) for name in found.properties}
    if head.get("GM", "").strip().lower() != "othello":
        raise InvalidRecord(f"GGF: GM[{head.get('GM', '')[:100]}], expected GM[Othello]")
    opening = read_board(head.get("BO", ""), head.get("TY", "8"))
    position, moves = opening, []
    for number, (colour, word) in enumerate(played, 1):
        try:
            if "BW"[position.turn] != colour:  # a pass that is left out
                moves.append(position.move("pass"))
                position = position.play("pass")
            move = position.move("pass" if word.lower().startswith("pa") else word)
        except (IllegalMove, InvalidMove) as error:
            raise InvalidRecord(f"GGF: move {number}, {colour}[{word[:100]}]: {error}") from None
        moves.append(move)
        position = position.play(move)
    return Record(
        opening,
        tuple(moves),
        players=(head.get("PB", ""), head.get("PW", "")),
        result=read_result(head.get("RE", "")),
        date=head.get("DT", ""),
        event=head.get("EV", ""),
        comment=head.get("CO", ""),
    )


def read_board(board: str, kind: str) -> Position:
    """The position of BO: the size, the cells, the side to move; TY gives the size without it."""
    words = board[:BOARD].split()
    size = words[0] if words else re.match("[0-9]*", kind.strip())[0]  # type: ignore[index]
    try:
        game = package_game(f"othello(size={size[:3]})")
    except InvalidGame as error:
        raise InvalidRecord(f"GGF: {error}") from None
    if not words:
        return Position.start(game)
    cells = "".join(words[1:])
    count = game.columns * game.rows + 1
    if len(cells) != count or not set(cells) <= set("*xXOo-.") or board[BOARD:]:
        raise InvalidRecord(f"GGF: cannot read the board {quote(board)}")
    cells = cells.replace("*", "x").replace("-", ".").lower()
    rows = [cells[at : at + game.columns] for at in range(0, len(cells) - 1, game.columns)]
    try:
        return Position.parse(game, f"{'/'.join(rows)} {cells[-1]}")
    except InvalidPosition as error:
        raise InvalidRecord(f"GGF: {error}") from None
