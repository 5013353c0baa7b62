"""sylve play without a terminal of its own: typed lines, sessions, and what is refused."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Printed, call
from person import Person
from sylve import IllegalMove, Position
from sylve.arena.players import parse_player
from sylve.arena.store import Store
from sylve.errors import PlayerFailure
from sylve.files import write_whole
from sylve.play import play
from sylve.play.session import Seat, Session
from sylve.records import Record, load_record, read_record, save_record
from sylve.records.record import MOST_MOVES
from sylve.search.text import parse_search
from sylve.typed import find_move

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from own_game import Chomp

# Without a terminal: what a person types comes from a list.


class Typed:
    """Stands for `input`: one line after the other, then the end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: Iterator[str] = iter(())
        monkeypatch.setattr("builtins.input", self)

    def __call__(self, prompt: str) -> str:
        del prompt
        for line in self.lines:
            return line
        raise EOFError


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Typed:
    return Typed(monkeypatch)


def run(typed: Typed, lines: str, *words: str) -> Printed:
    typed.lines = iter(lines.split(","))
    return call("play", *words)


def test_two_people(typed: Typed, tmp_path: Path) -> None:
    place = tmp_path / "game.json"
    lines = "a1,b1,undo,b2,a2,b1,undo,c1,a3"
    done = run(typed, lines, "tic_tac_toe", "--two", "--record", str(place))
    assert done.code == 0
    assert load_record(place).names == ("a1", "b2", "a2", "c1", "a3")
    assert "Result: x (human) won" in done.out


def test_resigning_and_json(typed: Typed, tmp_path: Path) -> None:
    place = tmp_path / "game.json"
    words = ("othello", "--level", "1", "--moves", "f5d6", "--record", str(place), "--json")
    done = run(typed, "resign", *words)
    assert done.code == 0
    assert '"result": "o+R"' in done.out
    assert "o (level 1) won: x resigned" in done.err
    assert load_record(place).names == ("f5", "d6")


def test_watching(tmp_path: Path) -> None:
    place = tmp_path / "game.ggf"
    words = ("othello(size=4)", "--watch", "one_ply", "random", "--seed", "3")
    done = call("play", *words, "--record", str(place))
    assert done.code == 0
    record = load_record(place)
    assert record.players == ("one_ply", "random")
    assert record.final.outcome is not None
    other = tmp_path / "other.ggf"
    call("play", *words, "--record", str(other))
    assert load_record(other) == record  # the seed decides


def test_names_of_a_record_are_shown_safely(typed: Typed, tmp_path: Path) -> None:
    place = tmp_path / "game.json"
    evil = "\x1b[31m\r\u202eAnn"
    save_record(Record(Position.start("tic_tac_toe"), players=(evil, "Bob")), place)
    done = run(typed, "b2", "--continue", str(place))
    assert done.code == 0
    assert "\\x1b[31m\\r\\u202eAnn" in done.out
    assert load_record(place).names == ("b2",)
    assert load_record(place).players == (evil, "Bob")


def test_from_python(typed: Typed, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed.lines = iter(["11", "hint"])
    record = play(Position.start(Chomp()).play(7), level=1, record=tmp_path / "a.json", seed=1)
    assert record.moves[:2] == (7, 11) or record.moves[0] == 7
    assert read_record((tmp_path / "a.json").read_text(), Chomp()).moves == record.moves
    assert "Hint" in capsys.readouterr().out


def test_the_default_place(typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for _ in range(3):
        assert run(typed, "b2,quit", "tic_tac_toe", "--two").code == 0
    found = sorted((tmp_path / "sylve" / "games").iterdir())
    assert len(found) == 3
    assert {load_record(path).names for path in found} == {("b2",)}


def test_a_disk_that_fails_loses_nothing(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def write(path: Path, data: bytes) -> None:
        calls.append(path)
        if len(calls) > 2:
            raise OSError(28, "No space left on device", str(path))
        write_whole(path, data)

    monkeypatch.setattr("sylve.records.files.write_whole", write)
    place = tmp_path / "game.json"
    done = run(typed, "a1,b2,c3", "tic_tac_toe", "--two", "--record", str(place))
    assert done.out.count("could not be saved") == 3  # two moves, and the last attempt
    assert done.code == 1
    assert done.err == f"sylve: '{place}': No space left on device\n"
    assert "a1 b2 c3" in done.out
    assert load_record(place).names == ("a1",)


REFUSED = [
    ([], "which game"),
    (["chess"], "unknown game 'chess'"),
    (["nowhere.py:Game"], "no such file 'nowhere.py'"),
    (["othello", "--level", "0"], "level must be from 1 to 9"),
    (["othello", "--level", "3", "--how", "uct"], "give one of"),
    (["othello", "--two", "--watch", "uct", "uct"], "give one of"),
    (["othello", "--how", "utc(10)"], "did you mean 'uct'"),
    (["othello", "--hints", "random"], "unknown search 'random'"),
    (["othello", "--record", "game.doc"], "expected a name that ends in"),
    (["othello", "--record", "nowhere/game.sgf"], "no such file or folder"),
    (["tic_tac_toe", "--moves", "a1 b1 a2 b2 a3"], "the game is over: x won"),
    (["othello", "--record", "open.json"], "exists: continue the game in it"),
    (["--continue", "none.json"], "no such file"),
    (["--continue", "over.json"], "is over: x"),
    (["othello", "--continue", "open.json"], "is a game of tic_tac_toe, not of othello"),
    (["--continue", "open.json", "--moves", "b2"], "cannot be combined"),
    (["--continue", "program.json"], "a file starts no program; choose the player"),
    (["--continue", "hidden.json"], "a file starts no program; choose the player"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_refused(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    start = Position.start("tic_tac_toe")
    save_record(Record(start, (0,)), tmp_path / "open.json")
    save_record(Record(start, (0,), result="x+R"), tmp_path / "over.json")
    touch = f'gtp("touch {tmp_path}/touched")'
    for name, player in (("program", touch), ("hidden", f"solver(9, otherwise={touch})")):
        save_record(Record(start, (0,), players=("you", player)), tmp_path / f"{name}.json")
    done = call("play", *words)
    assert done.code in (1, 2)
    assert not (tmp_path / "touched").exists()
    assert message in re.sub(r"\s+", " ", done.err), done.err
    assert not (tmp_path / "data").exists()  # no record of a game that never began


# A session.


def session(*moves: str, seats: tuple[Seat, Seat] | None = None) -> Session:
    position = Position.start("tic_tac_toe").play_line(moves)
    record = Record(Position.start("tic_tac_toe"), position.played)
    person, other = Seat("human"), Seat("random", parse_player("random"))
    return Session(record, seats or (person, other), parse_search("uct(10)"))


def test_undo_goes_back_to_the_person() -> None:
    game = session("a1", "b1", "c1", "a2")
    assert game.undo() == 2
    assert game.undo() == 2
    with pytest.raises(ValueError, match="no move of yours"):
        game.undo()
    watched = session("a1", seats=(game.seats[1], game.seats[1]))
    with pytest.raises(ValueError, match="no move of yours"):
        watched.undo()


def test_advice_is_of_the_position() -> None:
    game = session()
    first = game.advise()
    assert game.advise() is first
    game.play(4)
    assert game.advise().position == game.position


class Wrong:
    """A player that does not play by the rules."""

    name = "wrong"

    def start(self, game: str, opening: Position) -> None: ...

    def choose(self, position: Position, seed: int, clock: object) -> int:
        return 99

    def close(self) -> None: ...


def test_a_wrong_player_is_told() -> None:
    game = session(seats=(Seat("wrong", Wrong()), Seat("human")))
    with pytest.raises(PlayerFailure, match="illegal move 99"):
        game.reply()
    assert not game.over


def test_an_endless_game_ends() -> None:
    start = Position.start("go(size=2)")
    record = Record(start)
    game = Session(record, (Seat("a"), Seat("b")), parse_search("uct(10)"))
    game.positions = [Position(start.game, start.state, played=(0,) * MOST_MOVES)]
    game.save = lambda path=None: None  # type: ignore[method-assign]
    game.change(lambda: None)
    assert game.result == "void"
    assert "no result" in game.ending


MOVES = [
    ("breakthrough", "A2-A3", "a2-a3"),
    ("breakthrough", "a2a3", "a2-a3"),
    ("breakthrough", "h2h", "h2-h3"),
    ("go", "pa", "pass"),
    ("go", "d4", "D4"),
    ("othello", "D", "d3"),
]


@pytest.mark.parametrize(("game", "text", "name"), MOVES)
def test_the_move_that_is_meant(game: str, text: str, name: str) -> None:
    start = Position.start(game)
    assert start.name(find_move(start, text)) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [("a2", "'a2' may be a2-a3 or a2-b3"), ("a2-a4", "did you mean a2-a3"), ("", "no move ''"),
     ("quti", "did you mean quit"), ("\u0661", "no move")],
)  # fmt: skip
def test_what_else_may_be_meant(text: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=re.escape(message)):
        find_move(Position.start("breakthrough"), text, ("quit",))


# A person in a match.

MATCH = ("match", "human", "one_ply", "--game", "tic_tac_toe", "--openings", "start")


def test_a_person_in_a_match(tmp_path: Path) -> None:
    person = Person(*MATCH, "--games", "2", "--store", "match.sqlite", cwd=tmp_path)
    person.wait()
    person.say("b2")
    person.say("nonsense")
    person.say("resign")
    for name in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"):
        if not person.closed:
            person.say(name)
    assert person.end() == 0
    assert "Games: 2" in person.shown
    assert "sylve: game over: 0-1 (resigned)" in person.shown
    store = Store.read(tmp_path / "match.sqlite")
    first, second = (game.record for game in store.played())
    store.connection.close()
    assert (first.result, first.reason.value, first.moves[0]) == ("0-1", "resigned", 4)
    assert second.reason.value == "rules"


@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), ("\x04", 130)])
def test_a_match_that_is_left_goes_on_later(keys: str, code: int, tmp_path: Path) -> None:
    for end in (code, 0):
        person = Person(*MATCH, "--games", "2", "--store", "match.sqlite", cwd=tmp_path)
        person.wait()
        person.say("resign")
        if end:
            person.type(keys)
        assert person.end() == end
    assert "1 of 2 games done, 1 left" in person.shown


@pytest.mark.parametrize(
    ("words", "message"),
    [((), "human needs a terminal"), (("--workers", "2"), "--workers must be 1, not 2"),
     (("--executor", "dask"), "not with --executor dask")],
)  # fmt: skip
def test_where_a_person_cannot_play(words: tuple[str, ...], message: str) -> None:
    done = call(*MATCH, "--games", "2", "--no-store", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_worker_has_no_terminal() -> None:
    with pytest.raises(PlayerFailure, match="no terminal"):
        parse_player("human").start("othello", Position.start("othello"))
