"""`sylve play` and `human` in matches: a scripted person at a pseudo-terminal; nothing is lost."""

from __future__ import annotations

import ctypes
import random
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer, get_ident

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
from sylve.records import Record, load_record, read_record, result_of, save_record
from sylve.records.record import MOST_MOVES
from sylve.screen import cells
from sylve.search.text import parse_search
from sylve.terminal import LEAVING, signals_heard
from sylve.typed import find_move

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from own_game import Chomp

OWN = str(Path(__file__).parent.parent / "examples" / "own_game.py") + ":Chomp"
SMALL = ["tic_tac_toe", "breakthrough(columns=4, rows=5)", "othello(size=4)", "hex(size=3)",
         "connect_four(columns=4, rows=4)", "go(size=3)", OWN]  # fmt: skip
WHOLE = ["tic_tac_toe", "breakthrough", "othello", "hex", "connect_four", "go(size=7)", OWN]
MOST = 60  # moves of a scripted game, which then resigns: Go may go on for long


CHOMP = Chomp()


def rules_of(game: str) -> Chomp | None:
    return CHOMP if game == OWN else None


def load(place: Path, game: str) -> Record:
    return load_record(place, rules_of(game))


# A person at a pseudo-terminal.


class Script:
    """Plays at random, makes mistakes, asks for everything; and knows what must be on the disk."""

    def __init__(self, game: str, folder: Path, seed: int, *words: str) -> None:
        self.game, self.folder = game, folder
        self.place = folder / "game.json"
        self.chance = random.Random(f"{game} {seed}")
        side = self.chance.choice(["--first", "--second"])
        self.person = Person(
            *("play", game, "--how", "one_ply", "--hints", "uct(50)", "--seed", str(seed)),
            *(side, "--record", str(self.place), *words),
            cwd=folder,
        )
        self.person.wait()

    def position(self) -> Position:
        """Where the game stands by the record; the board that is shown is the same."""
        record = load(self.place, self.game)
        board = str(record.final).rpartition("\n")[0]
        before, found, after = self.person.shown.rpartition(board)
        assert found, self.person.shown
        assert not re.search(r"^[xo] played", after, re.MULTILINE), "a move that is not on the disk"
        assert not record.moves or before.endswith(f" played {record.names[-1]}\n")
        assert record.players[record.final.turn] == "human"
        return record.final

    def ask_everything(self) -> None:
        """Each command, and each kind of mistake; none changes the game."""
        say, before = self.person.say, self.place.read_bytes()
        assert "undo" in say("help")
        assert self.position().names[-1] in say("moves")
        hint = re.search(r"Hint: (\S+) ", say("HINT"))
        assert hint
        assert hint[1] in self.position().names
        assert hint[1] in say("explain")
        assert "visits" in say("analyze")
        assert "no move" in say("zz9")
        assert "did you mean hint" in say("hnt")
        assert "\\x01" in self.person.type("q\x16\x01q\n")  # Ctrl-V, then a control character
        assert "needs the name" in say("save")
        assert "not saved" in say("save nowhere/game.json")
        assert "not saved" in say("save game.doc")
        assert "saved to" in say("save copy.json")
        assert "saved to" in say("save copy.json")
        assert "exists" in say("save game.json")
        assert load(self.folder / "copy.json", self.game) == load(self.place, self.game)
        self.person.say("")
        assert self.place.read_bytes() == before

    def undo_and_redo(self) -> None:
        """Back to where we were to move, and forward again."""
        before = self.position()
        shown = self.person.say("undo")
        if "no move of yours" in shown:
            assert self.position() == before
            return
        after = self.position()
        assert len(after.played) < len(before.played)
        assert after.turn == before.turn
        self.move(before.played[len(after.played)])

    def move(self, move: int | None = None) -> str:
        """A legal move, typed in one of the ways that are allowed."""
        here = self.position()
        name = here.name(self.chance.choice(here.moves) if move is None else move)
        return self.person.say(self.chance.choice([name, name.upper(), f"  {name} "]))

    def play_on(self) -> int:
        """To the end; how many moves were played."""
        for _ in range(MOST):
            if self.person.closed:
                break
            self.move()
        else:
            self.person.say("resign")
        assert self.person.end() == 0
        return len(load(self.place, self.game).moves)


def check_end(script: Script) -> None:
    """The result that is told is that of the rules, or a resignation; the record says the same."""
    record = load(script.place, script.game)
    shown = script.person.shown
    assert record.result == result_of(record.final) or record.result.endswith("+R")
    assert "Result: draw" in shown if record.result == "draw" else f"{record.result[0]} (" in shown
    assert f"Record: {script.place}" in re.sub(r"\n", " ", shown).replace("Record:  ", "Record: ")


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.rpartition("/")[2])
def test_a_person_plays_a_whole_game(game: str, tmp_path: Path) -> None:
    script = Script(game, tmp_path, 1)
    if game in ("tic_tac_toe", OWN):
        script.ask_everything()
    script.move()
    if not script.person.closed:
        script.undo_and_redo()
    script.play_on()
    check_end(script)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", WHOLE, ids=lambda game: game.rpartition("/")[2])
def test_a_person_plays_whole_games_of_full_size(game: str, seed: int, tmp_path: Path) -> None:
    script = Script(game, tmp_path, seed)
    script.ask_everything()
    for _ in range(MOST):
        if script.person.closed:
            break
        script.move()
        if not script.person.closed and script.chance.random() < 0.2:
            script.person.resize(script.chance.choice([60, 80, 120]))
            script.undo_and_redo()
            if not script.person.closed and script.chance.random() < 0.3:
                script.ask_everything()
    script.play_on()
    check_end(script)


# Leaving: the record is what was shown, and the game goes on from there.

WAYS: dict[str, tuple[Callable[[Person], object], int]] = {
    "Ctrl-C": (lambda person: person.type("\x03"), 130),
    "Ctrl-D": (lambda person: person.type("\x04"), 0),
    "quit": (lambda person: person.say("quit"), 0),
    "SIGTERM": (lambda person: person.send(signal.SIGTERM), 143),
    "SIGHUP": (lambda person: person.send(signal.SIGHUP), 129),
    "SIGKILL": (lambda person: person.send(signal.SIGKILL), -9),
}


@pytest.mark.parametrize("number", LEAVING)
def test_a_signal_is_sent_again_until_it_is_heard(number: int) -> None:
    """It comes while C code waits that does not look for signals, as readline before a key."""

    def send() -> None:  # to the thread itself: the wait of the main thread goes on
        signal.pthread_kill(get_ident(), number)

    class Left(Exception):
        pass

    def leave(*_: object) -> None:
        raise Left

    before, began = signal.signal(number, leave), time.monotonic()
    try:
        Timer(0.5, send).start()
        with pytest.raises(Left), signals_heard():
            ctypes.CDLL(None).poll(None, 0, 20_000)  # milliseconds
        assert time.monotonic() - began < 10
        assert signal.getsignal(number) is leave
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost(way: str, tmp_path: Path) -> None:
    game = OWN if way == "Ctrl-C" else "connect_four(columns=4, rows=4)"
    act, code = WAYS[way]
    script = Script(game, tmp_path, 2)
    script.move()
    before = script.position()
    act(script.person)
    assert script.person.end() == code
    assert load(script.place, game).final == before
    if way == "SIGKILL":
        return
    assert "--continue" in script.person.shown
    assert script.person.shown.count("Result: not finished") == 1
    if way in ("Ctrl-C", "Ctrl-D"):
        own = [OWN] if game == OWN else []
        script.person = Person("play", *own, "--continue", str(script.place), cwd=tmp_path)
        script.person.wait()
        assert script.position() == before
        script.play_on()
        check_end(script)


def test_ctrl_c_while_the_search_thinks(tmp_path: Path) -> None:
    place = tmp_path / "game.sgf"
    words = ("--how", "uct(seconds=1000)", "--record", str(place))
    person = Person("play", "othello", *words, cwd=tmp_path)
    person.wait()
    mark = len(person.shown)
    person.type_only("f5\n")
    while "o to move" not in person.shown[mark:]:
        person.read_on(1.0)
    person.type_only("\x03")
    assert person.end() == 130
    assert load_record(place).names == ("f5",)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30))
def test_signals_at_any_instant(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    place = tmp_path / "game.json"
    person = Person(
        *("play", "othello", "--watch", "one_ply", "uct(20)", "--record", str(place)), cwd=tmp_path
    )
    while not place.exists():
        person.read_on(0.1)
    deadline = time.monotonic() + 0.5 * chance.random()
    while time.monotonic() < deadline:
        person.read_on(0.01)
    number = chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    person.send(number)
    assert person.end() in (0, 130, 143, -9)
    record = load_record(place)
    shown = re.findall(r"^[xo] played (\S+)$", person.shown, re.MULTILINE)
    behind = len(record.names) - len(shown)
    assert record.names[: len(shown)] == tuple(shown)
    assert behind in (0, 1)  # on the disk first, then on the screen
    if not record.result:
        again = Person("play", "--continue", str(place), cwd=tmp_path)
        assert again.end() == 0
        assert load_record(place).result


# The window.


def test_tab_completes(tmp_path: Path) -> None:
    script = Script("breakthrough", tmp_path, 3)
    assert "Hint: " in script.person.type("hin\t\n")
    assert "x played a2-b3" in script.person.type("a2-b\t\n") or script.position().turn == 1
    script.person.say("quit")
    assert script.person.end() == 0


WINDOWS = [(80, {}), (60, {"NO_COLOR": "1"}), (60, {"PYTHONIOENCODING": "ascii"})]


@pytest.mark.parametrize(("columns", "environment"), WINDOWS)
def test_it_fits_and_follows_the_window(
    columns: int, environment: dict[str, str], tmp_path: Path
) -> None:
    how = "careless(0.25, otherwise=uct(50, rule=ucb1(c=0.25)))"
    person = Person(
        *("play", "go", "--how", how, "--hints", "rave(30)", "--record", "game.json"),
        cwd=tmp_path, columns=columns, **environment,
    )  # fmt: skip
    person.wait()
    for words in ("E5", "analyze", "explain", "help", "nonsense", "moves"):
        person.say(words)
    check_width(person.shown, columns)
    assert ("\x1b[36m" in person.raw.decode()) == ("NO_COLOR" not in environment)
    mark = len(person.shown)
    person.resize(40)
    person.say("help")
    person.say("explain")
    check_width(person.shown[mark:], 40)
    person.say("quit")
    assert person.end() == 0


def check_width(shown: str, columns: int) -> None:
    for line in re.split(r"[\n\r]", shown):
        assert cells(line) <= columns or " " not in line.strip(), line


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
