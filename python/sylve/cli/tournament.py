"""`sylve tournament`: many players; run, status, export, verify, backup, report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sylve.cli import completion
from sylve.cli.arena import ExecutorOption, WorkersOption, leave
from sylve.cli.arena import run as run_config
from sylve.cli.output import Json, fail, print_json, print_prose, print_table, print_text, say
from sylve.errors import DamagedFile
from sylve.screen import plural

if TYPE_CHECKING:
    from sylve.arena.standings import Standings
    from sylve.arena.store import Store

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Run, inspect and export tournaments.",
)
FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="A tournament file (.toml) or a store.")
]


OwnGameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The game of a store, if it is your own; a tournament file names it itself.",
        autocompletion=completion.games,
    ),
]


@contextmanager
def open_to_read(path: Path, game: str | None = None) -> Iterator[Store]:
    """The store that is meant: itself, or that of a tournament file.

    A store imports nothing: a game of the user's own is named by the file, or by `game`.
    """
    from sylve.arena.file import read_tournament
    from sylve.arena.store import Store
    from sylve.games import load_game

    if game is not None:
        load_game(game)
    if path.suffix == ".toml":
        _, path = read_tournament(path)
    store = Store.read(path)
    try:
        yield store
    finally:
        store.connection.close()


@app.command()
def run(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="A tournament file; see docs/arena.md.")
    ],
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    json: Json = False,
) -> None:
    """Play a tournament, or resume it."""
    from sylve.arena.file import read_tournament

    config, place = read_tournament(file)
    store, standings, ending = run_config(config, place, executor, workers)
    show(standings, json)
    leave(store, ending)


@app.command()
def status(file: FileArgument, game: OwnGameOption = None, json: Json = False) -> None:
    """Show progress and standings, also while it runs."""
    from sylve.arena.standings import Standings

    with open_to_read(file, game) as store, store.snapshot():
        standings = Standings.of(store.config, store.played())
        done, total = store.count()
    say(f"{done} of {total} games done, {total - done} left")
    show(standings, json)


def show(standings: Standings, json: bool) -> None:
    """Ratings, cross table, notes."""
    from sylve.arena.show import crosses, ratings, words
    from sylve.arena.summary import summary

    content = summary(standings)
    if json:
        print_json(content)
        return
    for table in (ratings(content), crosses(standings)):
        print_table(table)
        print_text("")
    for text in words(content):
        print_prose(text)


@app.command()
def verify(file: FileArgument, game: OwnGameOption = None, json: Json = False) -> None:
    """Replay every game by the rules and recompute every total."""
    from sylve.arena.verify import verify as find_problems

    done = total = None
    with open_to_read(file, game) as store:
        problems = find_problems(store)
        with suppress(DamagedFile):
            done, total = store.count()
    if json:
        print_json({"games": done, "scheduled": total, "problems": problems})
    elif not problems:
        print_prose(f"{done} of {total} games: all replayed, all checksums correct")
    else:
        print_prose("\n".join(problems))
    if problems:
        fail(plural(len(problems), "problem"), 1)


@app.command()
def backup(
    file: FileArgument,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="A new file.")],
    json: Json = False,
) -> None:
    """Copy the store, also while it runs."""
    with open_to_read(file) as store:
        store.backup(target)
    if json:
        print_json({"file": str(target)})


@app.command()
def export(
    file: FileArgument,
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="NAME.csv, .jsonl, .parquet or .sgf.")
    ],
    game: OwnGameOption = None,
    json: Json = False,
) -> None:
    """Export all games to a file."""
    from sylve.arena.export import export_games

    with open_to_read(file, game) as store:
        count = export_games(store, target)
    if json:
        print_json({"file": str(target), "games": count})
    else:
        say(f"{plural(count, 'game')} in {target}")


@app.command()
def report(
    file: FileArgument,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="NAME.html.")],
    game: OwnGameOption = None,
    json: Json = False,
) -> None:
    """Write an HTML page with tables and plots."""
    from sylve.arena.report import report_page
    from sylve.files import check_target, write_whole

    check_target(target)
    with open_to_read(file, game) as store:
        page = report_page(store)
        done, _ = store.count()
    write_whole(target, page.encode())
    if json:
        print_json({"file": str(target), "games": done})
