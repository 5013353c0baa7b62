"""Games of one's own by name: every command takes them, and only the user's own texts import."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import call
from gtp_session import converse, split
from own_module import ROOT, SMALL, forget
from own_module import module as module
from sylve import Position, Searcher, Uct, load_game, own, parse_search, search
from sylve.arena.config import make_config
from sylve.arena.file import read_tournament
from sylve.arena.game import play_job
from sylve.arena.store import Store
from sylve.arena.verify import verify
from sylve.bandit import Bandit
from sylve.engine import problem
from sylve.grammar import read_call
from sylve.gtp.board import Board
from sylve.gtp.protocol import Refusal
from sylve.page.live import read_how
from sylve.page.offers import Offers
from sylve.play.start import seats_again
from sylve.records import Record, read_record, write_record
from sylve.search.running.search_file import Header

# Every command.

COMMANDS = {
    "show": ["show", "GAME", "--moves", "a1-b1"],
    "analyze": ["analyze", "GAME", "--playouts", "30", "--explain"],
    "analyze all": ["analyze", "GAME", "--playouts", "10", "--all"],
    "trace": ["trace", "GAME", "--how", "rave", "--simulation", "3"],
    "compare": ["compare", "GAME", "--playouts", "5"],
    "solve": ["solve", "GAME"],
    "perft": ["perft", "GAME", "2", "--divide"],
    "bench": ["bench", "GAME", "--seconds", "0.01"],
    "check": ["check", "GAME", "--games", "3"],
    "play": ["play", "GAME", "--watch", "random", "one_ply", "--record", "new.json"],
    "match": ["match", "uct(5)", "random", "--game", "GAME", "--games", "2", "--workers", "1",
              "--openings", "random(plies=1)", "--store", "match.sqlite"],
    "sprt": ["sprt", "uct(5)", "random", "--game", "GAME", "--games", "2", "--workers", "1",
             "--openings", "random(plies=1)", "--store", "sprt.sqlite"],
    "tournament run": ["tournament", "run", "cup.toml", "--workers", "1"],
    "tournament status": ["tournament", "status", "cup.toml"],
    "tournament verify": ["tournament", "verify", "cup.toml"],
    "tournament report": ["tournament", "report", "cup.toml", "new.html"],
    "tournament export": ["tournament", "export", "cup.toml", "new.sgf"],
    "verify a store": ["tournament", "verify", "cup.sqlite", "--game", "GAME"],
    "convert": ["convert", "game.json", "--to", "sgf", "--game", "GAME"],
}  # fmt: skip
FORMS = {"module": "{name}:Dots(columns=1, rows=1)", "file": "./{name}.py:Dots(1, 1)"}


def stage(name: str, text: str) -> None:
    """The files that the commands read."""
    forget(name)
    Path("cup.toml").write_text(
        f'game = "{text}"\ngames = 2\nopenings = "random(plies=1)"\nplayers = ["uct(3)", "random"]'
    )
    record = Record(Position.start(text), (0, 1))
    Path("game.json").write_text(write_record(record, "json"))
    forget(name)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_every_command_takes_a_game_of_ones_own(module: str, form: str, as_json: bool) -> None:
    text = FORMS[form].format(name=module)
    stage(module, text)
    for command, words in COMMANDS.items():
        if command == "bench" and problem():
            continue  # it measures the compiled engine
        Path("new.json").unlink(missing_ok=True)
        typed = [text if word == "GAME" else word for word in words]
        forget(module)
        printed = call(*typed, *(["--json"] if as_json else []))
        assert printed.code == 0, (command, printed)
        assert "Traceback" not in printed.err
        if as_json:
            content = json.loads(printed.out)
            named = content.get("game", f"{module}:Dots{SMALL}")
            assert named == f"{module}:Dots{SMALL}", command


def test_gtp_and_the_page_offer_it(module: str) -> None:
    from sylve.cli.gtp import load_game as loader
    from sylve.page.offers import load_own

    name, game = load_own(f"{module}:Dots(columns=1, rows=1)")
    assert name == f"{module}:Dots{SMALL}"
    assert loader(name) is game
    lines = b"showboard\nplay b a1-b1\ngenmove w\nsylve-position\nget_game\nprintsgf\nboardsize 3\n"
    lines += b"query_boardsize\nsylve-visits\nset_game os:getcwd\nlegal_moves\nquit\n"
    answers = split(converse(lines, name, "uct(10)"))
    refused = {number: one.text for number, one in enumerate(answers) if one.mark == "?"}
    assert refused.keys() == {6, 7, 8, 9}
    assert all("has no board of cells" in refused[number] for number in (6, 7, 8))
    assert "may import nothing" in refused[9]
    assert answers[4].text == name


# Which texts import: those of the user. A text from elsewhere names what was loaded, or nothing.

OWN_RULE = "uct(5, rule={name}:Greedy)"


def in_a_job(name: str) -> object:
    slot_job = {
        "id": "0", "game": f"{name}:Dots{SMALL}", "position": None, "moves": [], "max_plies": 99,
        "players": [["a", "random"], ["b", "random"]], "resign": 0.0, "adjudicate": 0,
        "clock": None, "sources": {}, "homes": [],
    }  # fmt: skip
    return play_job(slot_job, {})


def in_a_tournament(name: str) -> object:
    Path("cup.toml").write_text(
        f'game = "{name}:Dots{SMALL}"\ngames = 2\nplayers = ["random", "random"]'
    )
    return read_tournament(Path("cup.toml"))


def in_a_store(name: str) -> object:
    config = make_config("tic_tac_toe", [(None, "random"), (None, "random")], 2)
    store = Store.create(None, config)
    content = store.config.to_dict() | {"game": f"{name}:Dots{SMALL}"}
    from sylve.arena.config import digest

    store.connection.execute("UPDATE run SET config = ?, hash = ?",
                             (json.dumps(content), digest(content)))  # fmt: skip
    return verify(store)


def in_a_record(form: str) -> Callable[[str], object]:
    texts = {
        "moves": "# game: {game}\na1-b1",
        "json": '{{"schema": 1, "kind": "sylve record", "game": "{game}", "moves": []}}',
        "sgf": '(;GM[{game}]SYLVE[{{"game": "{game}"}}];B[a1-b1])',
    }
    return lambda name: read_record(texts[form].format(game=f"{name}:Dots{SMALL}"))


def saved(name: str) -> Header:
    return Header(f"{name}:Dots{SMALL}", None, [], [], OWN_RULE.format(name=name), 1, "root", None,
                  0.0, "playouts", "python")  # fmt: skip


def continued(name: str) -> object:
    start = Position.start("tic_tac_toe")
    seats = seats_again(Record(start, players=(OWN_RULE.format(name=name), "random")))
    assert seats[0].player is not None, "taken for the name of a person"
    return seats


def bandit_of(name: str) -> object:
    state = json.loads(Bandit(["a", "b"]).to_json())
    return Bandit.from_json(json.dumps(state | {"rule": f"{name}:Greedy"}))


def analysis(name: str) -> object:
    start = Position.start("tic_tac_toe")
    record = Record(start, analysis={0: search(start, Uct(5))})
    text = write_record(record, "json").replace('"uct(playouts=5)"', f'"{OWN_RULE}"')
    return read_record(
        text.format(name=name) if "{name}" not in text else text.replace("{name}", name)
    )


USERS = {
    "Position.start": lambda name: Position.start(f"{name}:Dots{SMALL}"),
    "load_game": lambda name: load_game(f"{name}:Dots{SMALL}"),
    "search": lambda name: search(f"{name}:Dots{SMALL}", "uct(5)"),
    "parse_search": lambda name: parse_search(OWN_RULE.format(name=name)),
    "Searcher": lambda name: Searcher("tic_tac_toe", OWN_RULE.format(name=name)),
    "make_config": lambda name: make_config(
        "tic_tac_toe", [(None, OWN_RULE.format(name=name)), (None, "random")], 2),
    "read_record with game=": lambda name: read_record("a1-b1", f"{name}:Dots{SMALL}"),
    "a tournament file": in_a_tournament,
    "a job of the master": in_a_job,
}  # fmt: skip
STRANGERS = {
    "a request of the page: game": lambda name: Offers().rules(f"{name}:Dots{SMALL}"),
    "a request of the page: search": lambda name: read_how(OWN_RULE.format(name=name), 1),
    "a line of GTP": lambda name: Board(load_game("go")).set_game(f"{name}:Dots{SMALL}"),
    "a list of moves": in_a_record("moves"),
    "a record in JSON": in_a_record("json"),
    "a record in SGF": in_a_record("sgf"),
    "the analysis in a record": analysis,
    "the players of a record": continued,
    "a store": in_a_store,
    "a saved search: game": lambda name: saved(name).position(None),
    "a saved search: search": lambda name: saved(name).how(),
    "a saved bandit": bandit_of,
}


@pytest.mark.parametrize("place", [*USERS, *STRANGERS])
def test_only_the_texts_of_the_user_import(module: str, place: str) -> None:
    rules = (ROOT / "examples" / "own" / "rules.py").read_text()
    file = Path(f"{module}.py")
    file.write_text(f"{rules}\n{file.read_text()}")
    if place in USERS:
        assert USERS[place](module) is not None
        assert module in sys.modules
        return
    with pytest.raises((ValueError, Refusal, AssertionError)) as raised:
        STRANGERS[place](module)
    assert module not in sys.modules
    if not isinstance(raised.value, AssertionError):
        assert "import" in str(raised.value)
    # What the user has named may be meant.
    load_game(f"{module}:Dots{SMALL}")
    parse_search(OWN_RULE.format(name=module))
    if place not in ("a store", "a saved search: game", "the analysis in a record"):
        STRANGERS[place](module)


# What is said of a wrong text.


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "{name}:Dots(colums=3)",
            r"unexpected keyword argument 'colums'; its parameters: columns=",
        ),
        (
            "{name}:Dots(1, 2, 3)",
            r"too many positional arguments; its parameters: columns=2, rows=",
        ),
        ("{name}:Dots(columns=9)", r"Dots\(columns=9\)': columns must be from 1 to 5, not 9"),
        ("{name}:Dots(big)", r"columns must be from 1 to 5, not 'big'"),
        (
            "{name}:Dots(hex(size=3))",
            r"cannot read the argument 'hex\(size=3\)': expected a number",
        ),
        ("{name}:Dogs", r"there is no Dogs in {name}; it has: Dots, State"),
        ("{name}:State(0, a, 1)", r"is no game: .* has no method start"),
        ("{name}:LETTERS(3)", r"it is an object already, without arguments"),
        ("{name}:LETTERS", r"is no game: 'abcdef' has no method start"),
        ("no_such_module:Dots", r"cannot import module 'no_such_module': No module named"),
        ("no/such/file.py:Dots", r"no such file 'no/such/file.py'"),
        ("{name}:", r"invalid '{name}:'"),
        (":Dots", r"invalid ':Dots'"),
        ("broken:Dots", r"cannot import module 'broken': SyntaxError"),
        ("leaves:Dots", r"cannot import module 'leaves': SystemExit: 3"),
        ("a.b.py:Dots", r"the name of a module has no dots"),
        ("json.py:Dots", r"json is another module already"),
        ("stuck:Stuck", r"cannot begin: ZeroDivisionError"),
    ],
)
def test_wrong_texts(module: str, text: str, told: str) -> None:
    Path("broken.py").write_text("def (")
    Path("leaves.py").write_text("raise SystemExit(3)")
    Path("a.b.py").write_text("")
    Path("json.py").write_text("Dots = None")
    methods = "\n".join(f"    def {name}(self, *_): return 1 // 0" for name in
                        ("start", "turn", "outcome", "moves", "play"))  # fmt: skip
    Path("stuck.py").write_text(f"class Stuck:\n{methods}")
    with pytest.raises(ValueError, match=told.replace("{name}", module)):
        load_game(text.replace("{name}", module))
    for command in (["show"], ["analyze", "--playouts", "5"], ["check"]):
        printed = call(command[0], text.replace("{name}", module), *command[1:])
        assert (printed.code, printed.out) == (2, "")
        assert "Traceback" not in printed.err
    forget("stuck")


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("Dots", "Dots"),
        ("Dots()", "Dots"),
        ("Dots(2)", "Dots"),
        ("Dots(3)", "Dots(columns=3)"),
        ("Dots(rows=1, columns=3)", "Dots(columns=3, rows=1)"),
        ("Dots(3, 1)", "Dots(columns=3, rows=1)"),
        ("made(4)", "made(columns=4)"),
        ("made(4, 1, big=true)", "made(4, 1, big=true)"),
        ("HERE", "HERE"),
        ("named(word)", 'named(word="word")'),
        ('named("two words", on=false)', 'named(word="two words", on=false)'),
    ],
)
def test_the_same_game_has_the_same_text(module: str, written: str, usual: str) -> None:
    """Classes, functions and objects; the text can be read again."""
    with Path(f"{module}.py").open("a") as file:
        file.write(
            "\nHERE = Dots(1, 1)\n"
            "def made(columns, *more, big=False):\n    return Dots(columns, *more)\n"
            "def named(word, on=True):\n    return Dots(len(word) % 5 + 1)\n"
        )
    text = f"{module}:{usual}"
    for way in (f"{module}:{written}", f"./{module}.py:{written}", f'"{module}.py":{written}'):
        game = load_game(way)
        assert own.game_text(game) == text
        assert load_game(text) is game
    assert read_call(text).text() == text
    position = Position.start(text)
    assert eval(repr(position), {"Position": Position}) == position


def test_what_a_module_prints_does_not_disturb_json(module: str) -> None:
    with Path(f"{module}.py").open("a") as file:
        file.write('\nprint("hello")\n')
    printed = call("show", f"{module}:Dots", "--json")
    assert json.loads(printed.out)["turn"] == "x"
    assert "hello" in printed.err


def test_a_path_with_blanks_needs_no_quotes(tmp_path: Path) -> None:
    place = tmp_path / "my games" / "blank_chomp.py"
    place.parent.mkdir()
    place.write_text((ROOT / "examples" / "own_game.py").read_text())
    assert own.game_text(load_game(f"{place}:Chomp")) == "blank_chomp:Chomp"
    assert own.settled(f"{place}:Chomp") == "blank_chomp:Chomp"
