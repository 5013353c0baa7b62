"""Games of one's own by name: every command takes them, and only the user's own texts import."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands import call
from sylve import Position, Searcher, Uct, load_game, own, parse_search, search
from sylve.arena.config import make_config
from sylve.arena.file import read_tournament
from sylve.arena.game import play_job
from sylve.arena.runner import Run
from sylve.arena.schedule import job, schedule
from sylve.arena.store import OtherConfiguration, Store
from sylve.arena.verify import verify
from sylve.bandit import Bandit
from sylve.errors import SourceChanged
from sylve.grammar import read_call
from sylve.gtp.board import Board
from sylve.gtp.protocol import Refusal
from sylve.page.live import read_how
from sylve.page.offers import Offers
from sylve.play.start import seats_again
from sylve.records import Record, read_record, write_record
from sylve.search.running.search_file import Header
from sylve.workers.jobs import CannotRun, answer
from sylve.workers.jobs import call as job_of
from sylve.workers.local import LocalPool
from sylve.workers.pool import Kind, WorkersFail, event_of

ROOT = Path(__file__).parent.parent
DOTS = ROOT / "examples" / "own" / "dots.py"
SMALL = "(columns=1, rows=1)"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A new module with the game in the current folder, and nothing of it left afterwards."""
    name = f"game_{tmp_path.name}".replace("-", "_")
    shutil.copy(DOTS, tmp_path / f"{name}.py")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    yield name
    sys.path[:] = before
    forget(name)


def forget(name: str) -> None:
    """As in a new process."""
    sys.modules.pop(name, None)
    own.SOURCES.pop(name, None)
    for text, named in list(own.BY_TEXT.items()):
        if name in named.modules:
            del own.BY_TEXT[text]
            own.BY_IDENTITY.pop(id(named.made), None)


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
    board = Board(game)
    board.play("B", "a1-b1")
    with pytest.raises(Refusal, match="has no board of cells"):
        board.resize(3, 3)


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


# Records.


@pytest.mark.parametrize("form", ["json", "moves", "sgf"])
def test_a_record_is_read_where_its_game_is_given(module: str, form: str) -> None:
    text = f"{module}:Dots{SMALL}"
    start = Position.start(text)
    report = search(start, Uct(20, seed=1))
    kept = {} if form == "moves" else {0: report}
    record = Record(start, (0, 2, 1, 3), ("Ann", "Bob"), "o+", analysis=kept)
    written = write_record(record, form)
    assert own.source(module) in written
    assert read_record(written) == record  # it was loaded here
    forget(module)
    with pytest.raises(ValueError, match="name it yourself, as GAME or --game"):
        read_record(written)
    assert read_record(written, f"./{module}.py:Dots(1, 1)").moves == record.moves
    with pytest.raises(ValueError, match="the file is of"):
        read_record(written, f"{module}:Dots")
    game = sys.modules[module].Dots(1, 1)  # an object of the same class, not loaded by name
    assert read_record(written, game).opening.game == game
    # A changed source is told, and the record is read by the rules as they are now.
    forget(module)
    with Path(f"{module}.py").open("a") as file:
        file.write("\n# changed\n")
    with pytest.warns(SourceChanged, match=f"the source of {module} has changed"):
        assert read_record(written, text).moves == record.moves
    Path(f"game.{form}").write_text(written)
    forget(module)
    printed = call("convert", f"game.{form}", "--to", "json", "--game", text)
    assert printed.code == 0
    assert f"the source of {module} has changed" in printed.err
    forget(module)
    printed = call("convert", f"game.{form}", "--to", "json")
    assert printed.code == 2
    assert "--game" in printed.err


# The arena.


def small_config(module: str, game: str = "") -> object:
    players = [(None, "uct(5)"), (None, "random")]
    text = game or f"{module}:Dots(columns=2, rows=1)"
    return make_config(text, players, 4, openings="random(plies=1)", seed=3)


def test_a_run_is_tied_to_the_source(module: str) -> None:
    config = small_config(module)
    assert config == small_config(module, f"./{module}.py:Dots(rows=1)")
    assert config.sources == ((module, own.source(module)),)
    store = Store.create(Path("run.sqlite"), config)
    assert Run(store, LocalPool(1)).go() == "complete"
    here = [play_job(job(config, slot), {}).moves for slot in schedule(config)]
    assert [game.record.moves for game in store.played()] == here
    assert verify(store) == []
    store.close()
    forget(module)
    with pytest.raises(ValueError, match="name it yourself"):
        _ = Store.read(Path("run.sqlite")).config
    with Path(f"{module}.py").open("a") as file:
        file.write("\n# changed\n")
    other = small_config(module)
    assert {slot.id for slot in schedule(other)}.isdisjoint(slot.id for slot in schedule(config))
    with pytest.raises(OtherConfiguration, match=f"the source of {module} has changed since"):
        Store.create(Path("run.sqlite"), other)
    assert any(f"the source of {module} has changed" in said for said in
               verify(Store.read(Path("run.sqlite"))))  # fmt: skip
    forget(module)
    printed = call("tournament", "verify", "run.sqlite", "--game", f"{module}:Dots")
    assert printed.code == 2  # of another size: that is not the game of the store
    printed = call("tournament", "verify", "run.sqlite", "--game", f"{module}:Dots(rows=1)")
    assert printed.code == 1
    assert f"the source of {module} has changed" in printed.out
    # What needs no rules works without them.
    forget(module)
    assert call("tournament", "backup", "run.sqlite", "copy.sqlite").code == 0


def test_configurations_without_own_games_are_as_before() -> None:
    config = make_config("tic_tac_toe", [(None, "random"), (None, "uct(5)")], 2)
    assert "sources" not in config.to_dict()
    assert "sources" not in job(config, next(schedule(config)))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda text: text | {"homes": [], "game": "no_such_module:Dots"}, "'no_such_module'"),
        (lambda text: text | {"sources": {"MODULE": "0" * 64}}, "MODULE has another source"),
    ],
    ids=["missing", "other source"],
)
def test_a_worker_that_cannot_play_the_game_ends_the_run(
    module: str, spoil: Callable[[dict], dict], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = small_config(module)

    def spoiled(config: object, slot: object) -> dict:
        text = json.dumps(spoil(job(config, slot)))
        return json.loads(text.replace("MODULE", module))

    from sylve.arena.game import play

    first = next(schedule(config))
    said = answer(job_of(play, spoiled(config, first)), {})
    assert event_of(1, said).kind is Kind.UNABLE
    with pytest.raises(CannotRun):
        play_job(spoiled(config, first), {})
    store = Store.create(Path("run.sqlite"), config)
    message = f"worker .*, process .*{told}".replace("MODULE", module)
    with monkeypatch.context() as patch:
        patch.setattr("sylve.arena.runner.job", spoiled)
        with pytest.raises(WorkersFail, match=message):
            Run(store, LocalPool(1)).go()
    assert store.count() == (0, 4)  # nothing is void: it can be resumed
    store.close()
    again = Store.create(Path("run.sqlite"), config)
    assert Run(again, LocalPool(1)).go() == "complete"
    assert verify(again) == []
    again.close()


def test_a_tournament_file_finds_what_lies_beside_it(module: str) -> None:
    folder = Path("below")
    folder.mkdir()
    shutil.move(f"{module}.py", folder)
    for text in (f"{module}.py:Dots", f"{module}:Dots"):
        forget(module)
        (folder / "cup.toml").write_text(
            f'game = "{text}"\ngames = 2\nplayers = ["random", "random"]'
        )
        config, _ = read_tournament(folder / "cup.toml")
        assert config.game == f"{module}:Dots"
    forget(module)
    sys.path.remove(str(folder.resolve()))
    with pytest.raises(ValueError, match="cannot import module"):
        load_game(f"{module}:Dots")
