"""What `match`, `sprt` and `tournament` share: options, the run itself, its bar, messages."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sylve.cli import completion
from sylve.cli.output import fail, say
from sylve.files import data_folder
from sylve.screen import is_terminal

if TYPE_CHECKING:
    from sylve.arena.config import Config
    from sylve.arena.runner import Ending
    from sylve.arena.standings import Standings
    from sylve.arena.store import Played, Store

GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="GAME",
        help='A game such as "othello"; see sylve games.',
        autocompletion=completion.games,
    ),
]
OpeningsOption = Annotated[
    str,
    typer.Option(
        "--openings", metavar="TEXT", help="Openings: random(plies=N), start, or a file name."
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", help="Number of worker processes.", show_default="one per core"
    ),
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Save the games in this file.",
        show_default="named after the settings",
    ),
]
NoStoreOption = Annotated[bool, typer.Option("--no-store", help="Do not save the games.")]
MatchSeedOption = Annotated[
    int, typer.Option("--seed", metavar="S", help="Seed; the same seed gives the same games.")
]
ClockOption = Annotated[
    str | None,
    typer.Option(
        "--clock", metavar="SECONDS", help="Time per player and game, such as 60 or 60+0.5."
    ),
]
ResignOption = Annotated[
    float,
    typer.Option("--resign", metavar="P", help="Resign after three moves in a row valued below P."),
]
AdjudicateOption = Annotated[
    int,
    typer.Option(
        "--adjudicate",
        metavar="NODES",
        help="End a game once the solver decides it within NODES nodes.",
    ),
]
PliesOption = Annotated[
    int | None, typer.Option("--max-plies", metavar="N", help="Score longer games as draws.")
]
ExecutorOption = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="WHERE",
        help="Where to run: local, dask, or dask:ADDRESS.",
        autocompletion=completion.executors,
    ),
]


def openings_text(text: str) -> str:
    """The openings; a file may be given by its bare name."""
    return f'file("{text}")' if Path(text).is_file() and '"' not in text else text


def default_store(config: Config) -> Path:
    """Where a run is kept that was given no store: named by its configuration."""
    return data_folder() / "runs" / f"{config.hash[:16]}.sqlite"


def open_store(path: Path | None, config: Config) -> Store:
    """The store of a run, with what speaks against its place."""
    from sylve.arena.connection import DiskTrouble
    from sylve.arena.lock import Busy, doubts
    from sylve.arena.store import Store

    try:
        store = Store.create(path, config)
    except (Busy, DiskTrouble) as error:
        fail(str(error), 1)
    for doubt in doubts(path) if path is not None else []:
        say(f"warning: {doubt}")
    return store


def run(
    config: Config, path: Path | None, where: str, workers: int | None
) -> tuple[Store, Standings, Ending]:
    """Run what is left, with a bar, and say what is done and what is left."""
    from sylve.arena.connection import DiskTrouble
    from sylve.arena.human import is_human
    from sylve.arena.runner import Hooks, Run
    from sylve.arena.store import check_place
    from sylve.workers import make_pool
    from sylve.workers.pool import WorkersFail

    people = any(is_human(text) for _, text in config.players)
    if people:
        where = check_terminal(where, workers)
    if path is not None:
        check_place(path)  # before workers are started
    try:
        pool = make_pool(where, workers)
    except WorkersFail as error:
        fail(str(error), 1)
    try:
        store = open_store(path, config)
    except BaseException:
        pool.close(now=True)
        raise
    done, total = store.count()
    if path is not None:
        state = f"{done} of {total} games done, {total - done} left" if done else f"{total} games"
        say(f"store {path}: {state}")
    bar = MatchBar(config, done, total, people=people)
    try:
        play = Run(store, pool, Hooks(bar.kept, say))
        # `go` takes Ctrl-C itself. One that comes when it has just returned must not cut off the
        # word on how to go on: after an interruption, none counts any more.
        before, ending = signal.signal(signal.SIGINT, signal.SIG_IGN), None
        try:
            ending = play.go()
        finally:
            if ending != "interrupted":
                signal.signal(signal.SIGINT, before)
    except (DiskTrouble, WorkersFail) as error:
        bar.stop()
        done, total = store.count()
        store.close()
        fail(f"{error}; {done} of {total} games are saved; run the same command to resume", 1)
    except BaseException:
        store.close()
        raise
    finally:
        bar.stop()
    return store, play.standings, ending


def check_terminal(where: str, workers: int | None) -> str:
    """Where games with a person are played: in this process, which has the terminal."""
    from sylve.arena.human import at_terminal

    if where != "local":
        raise ValueError(f"human plays in this terminal only: not with --executor {where}")
    if workers not in (None, 1):
        raise ValueError(f"human plays one game at a time: --workers must be 1, not {workers}")
    if not at_terminal():
        raise ValueError("human needs a terminal: stdin is none, or nothing is shown in one")
    return "here"


def leave(store: Store, ending: Ending) -> None:
    """Close the store; say how to go on, if something is left."""
    done, total = store.count()
    kept = store.path is not None
    store.close()
    if ending == "interrupted":
        if kept:
            command = shlex.join(["sylve", *sys.argv[1:]])
            say(f"{done} of {total} games done; resume with:", command)
        else:
            say(f"{done} of {total} games done; nothing is saved (--no-store)")
        raise SystemExit(130)


class MatchBar:
    """Games done, and for a match the running score, Elo and interval; on a terminal only.

    Where people play there is no bar: they are told how each game ended.
    """

    def __init__(self, config: Config, done: int, total: int, *, people: bool) -> None:
        self.config = config
        self.bar = None
        self.people = people
        if not people and is_terminal(sys.stderr):
            from sylve.cli.progress import make_bar

            self.bar = make_bar()
            self.task = self.bar.add_task("games", total=total, completed=done, speed="")
            self.bar.start()

    def kept(self, game: Played, standings: Standings) -> None:
        """One more game is on the disk."""
        if self.people:
            record = game.record
            say(f"game over: {record.result} ({record.why})")
        if self.bar is None:
            return
        text = ""
        if len(self.config.players) == 2:
            found = standings.between(0, 1)
            low, high = found.elo_interval
            text = f"{100 * found.score:.1f} %  Elo {found.elo:+.0f} [{low:+.0f}, {high:+.0f}]"
            if self.config.sprt is not None:
                ratio = self.config.sprt.ratio(standings.prefix()[1])
                text += f"  LLR {ratio:.2f}"
        self.bar.update(self.task, completed=standings.games, speed=text)

    def stop(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
