"""`sylve play` and `human` in matches: a scripted person at a pseudo-terminal; nothing is lost."""

from __future__ import annotations

import ctypes
import random
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer, get_ident

import pytest

from person import Person
from sylve import Position
from sylve.records import Record, load_record, result_of
from sylve.screen import cells
from sylve.terminal import LEAVING, signals_heard

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
        self.chance = random.Random(f"{Path(game).name} {seed}")  # not where it lies
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
    script.move(script.position().moves[-1])  # none that could end the game
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
