"""Records, stores and workers of games of one's own: they are tied to the source of the game."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import call
from own_module import SMALL, forget
from own_module import module as module
from sylve import Position, Uct, load_game, own, search
from sylve.arena.config import make_config
from sylve.arena.file import read_tournament
from sylve.arena.game import play_job
from sylve.arena.runner import Run
from sylve.arena.schedule import job, schedule
from sylve.arena.store import OtherConfiguration, Store
from sylve.arena.verify import verify
from sylve.errors import SourceChanged
from sylve.records import Record, read_record, write_record
from sylve.workers.jobs import CannotRun, answer
from sylve.workers.jobs import call as job_of
from sylve.workers.local import LocalPool
from sylve.workers.pool import Kind, WorkersFail, event_of

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


def test_alpha_beta_plays_where_the_game_has_an_evaluation(module: str, tmp_path: Path) -> None:
    """The module is that of the example, whose boxes count."""
    text = f"{module}:Dots(2, 1)"
    match = ["match", "alpha_beta(4)", "random", "--game", text, "--games", "4"]
    printed = call(*match, "--json", "--store", str(tmp_path / "dots.store"))
    assert printed.code == 0, printed.err
    evaluated = call("evaluate", text, "--moves", "a1-b1", "--json")
    assert json.loads(evaluated.out)["evaluations"] == [
        {"name": "own", "score": 0, "terms": {"own": 0}}
    ]
    with Path(f"{module}.py").open("a") as file:
        file.write("\ndel Dots.evaluate\n")
    forget(module)
    printed = call(*match)
    assert printed.code == 2
    assert f"which '{module}:Dots(rows=1)' does not have" in printed.err


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
