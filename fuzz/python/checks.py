"""What must hold for any bytes, one function for each reader in Python.

A check returns if the bytes are read well or refused in words. Whatever else it raises is a fault.
"""

import json
import re
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from sylve import Position
from sylve.arena import config, file, openings
from sylve.games import known_game, load_game
from sylve.grammar import Unreadable, read_call
from sylve.gtp.commands import BoardCommands
from sylve.gtp.folder import Folder
from sylve.gtp.process import EngineFault, GtpProcess
from sylve.gtp.protocol import Refusal, frame, parse
from sylve.own import check_known
from sylve.records import InvalidRecord, Record
from sylve.records.files import decode, read_record
from sylve.records.ggf import read_ggf, write_ggf
from sylve.records.plain import read_json_record, read_moves, write_json, write_moves
from sylve.records.sgf_read import read_sgf
from sylve.records.sgf_write import write_sgf
from sylve.search import Uct, parse_search
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search
from sylve.search.running.compiled import Compiled
from sylve.search.running.in_python import Reference
from sylve.search.running.search_file import DamagedFile, read_header

from store import check_store  # isort: skip  (beside this file)

LONGEST_MESSAGE = 1500


def refused(error: Exception) -> None:
    """A refusal is short, whatever was refused."""
    assert len(str(error)) < LONGEST_MESSAGE, str(error)[:3000]


def read_back(text: str, read: Callable[[str], Record], write: Callable[[Record], str]) -> None:
    """What was read is written, and that is read as the same."""
    try:
        record = read(text)
    except InvalidRecord as error:
        return refused(error)
    written = write(record)
    again = read(written)
    assert again == record, (record, again)
    assert write(again) == written
    return None


def check_sgf(data: bytes) -> None:
    """SGF of any game."""
    read_back(decode(data), read_sgf, write_sgf)


def check_ggf(data: bytes) -> None:
    """GGF of Othello."""
    read_back(decode(data), read_ggf, write_ggf)


def check_json(data: bytes) -> None:
    """Records in JSON, with their analysis."""
    read_back(decode(data), read_json_record, write_json)


def check_moves(data: bytes) -> None:
    """Lists of moves; the notes lose what a line cannot hold."""
    try:
        record = read_moves(decode(data), None)
    except InvalidRecord as error:
        return refused(error)
    again = read_record(write_moves(record))
    assert (again.opening, again.moves, again.result) == (
        record.opening,
        record.moves,
        record.result,
    )
    return None


def check_grammar(data: bytes) -> None:
    """Names with arguments, and the games, searches and openings that they name."""
    text = data.decode("utf-8", errors="replace")
    try:
        call = read_call(text)
    except Unreadable as error:
        return refused(error)
    assert read_call(call.text()) == call
    for read in (game_again, search_again, openings.read_openings):
        try:
            read(text)
        except ValueError as error:
            refused(error)
    return None


def game_again(text: str) -> None:
    """A game is written as it is read."""
    game = known_game(text)  # a text of the fuzzer imports nothing
    assert load_game(str(game)) == game
    Position.start(game)


def search_again(text: str) -> None:
    """So is a search."""
    check_known(text)
    how = parse_search(text)
    assert isinstance(how, (Search, AlphaBeta))
    assert parse_search(str(how)) == how


def check_toml(data: bytes) -> None:
    """Tournaments in TOML. No engine is started, no other file is read."""
    own, openings.read_bytes = openings.read_bytes, lambda path, largest: b""  # noqa: ARG005
    try:
        text = data.decode()
        if re.search(r"[^\s'\"]:[A-Za-z_]", text):  # nor is a module imported
            return None
        found, _ = file.read_content(file.read_toml(text), Path("tournament.toml"))
    except ValueError as error:
        return refused(error)
    finally:
        openings.read_bytes = own
    assert config.Config.of_dict(json.loads(json.dumps(found.to_dict()))) == found
    return None


class Fed(GtpProcess):
    """The reading half of an engine, without a process: what it would write is given."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces
        self.command, self.number, self.seconds = "engine", 0, 1.0
        self.fault, self.closed, self.ended, self.silent = "", False, False, True
        self.lines, self.waiting, self.part = deque(), 0, b""
        self.output, self.line, self.answer, self.begun = bytearray(), 0, None, False
        self.stderr, self.stderr_size = bytearray(), 0
        self.changed, self.talking = threading.Condition(), threading.Lock()

    def _write(self, *_: object) -> None:
        for piece in self.pieces:
            self._take(piece)
        self._take(b"")

    def _fail(self, reason: str) -> None:
        raise EngineFault(reason)

    def _give_up(self, fault: str) -> None:
        self.fault = fault


def check_engine(data: bytes) -> None:
    """An engine's answer: the first byte says in what pieces it comes."""
    if not data:
        return
    size, text = data[0] + 1, data[1:]
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    at_once, in_pieces = answer([text] if text else []), answer(pieces)
    assert at_once == in_pieces, (at_once, in_pieces)
    assert len(at_once[1]) < LONGEST_MESSAGE + len(text) * 3


def answer(pieces: list[bytes]) -> tuple[str, str]:
    """What comes of an answer."""
    try:
        text = Fed(pieces).send("name")
    except Refusal as error:
        return "?", str(error)
    except EngineFault as error:
        refused(error)
        return "fault", str(error)
    assert "\0" not in text
    return "=", text


HOW = Uct(40, seed=5)
START = Position.start("tic_tac_toe")


def check_saved(data: bytes) -> None:
    """Saved searches: the header, then what both engines make of the body."""
    head, mark, body = data.partition(b"\xff\xff")
    try:
        header = read_header(head)
        header.position(None)
        header.how()
    except ValueError as error:
        refused(error)
    if not mark:
        return
    found = []
    for runner in (Reference, Compiled):
        search = runner(START, HOW)
        try:
            search.load(body)
        except (DamagedFile, ValueError) as error:
            refused(error)
            found.append(None)
        else:
            found.append(search.save())
    assert found[0] == found[1], found


def check_gtp(data: bytes) -> None:
    """A session of GTP about the board; the commands that search or touch files are left out."""
    session = BoardCommands(load_game("tic_tac_toe"), Folder("."))
    commands = session.table()
    for line in data.split(b"\n")[:50]:
        command = parse(line)
        if command is None or command.name not in commands or command.name in LEFT_OUT:
            continue
        try:
            said = commands[command.name](command.arguments)
            good = True
        except Refusal as error:
            said, good = str(error), False
        if isinstance(said, str):
            response = frame(command.id, good, said)
            assert response.endswith("\n\n")
            assert "\n\n" not in response[:-2]
        position = session.board.position
        assert Position.parse(position.game, position.text) == position


LEFT_OUT = ("loadsgf", "printsgf", "cputime")

CHECKS: dict[str, Callable[[bytes], None]] = {
    "sgf": check_sgf,
    "ggf": check_ggf,
    "json": check_json,
    "moves": check_moves,
    "grammar": check_grammar,
    "toml": check_toml,
    "store": check_store,
    "engine": check_engine,
    "saved": check_saved,
    "gtp": check_gtp,
}
