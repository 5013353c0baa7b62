"""`sylve tournament`: many players; run, status, export, verify, backup, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sylve.cli.arena import ExecutorOption, WorkersOption, leave, say
from sylve.cli.arena import run as run_config
from sylve.cli.output import Json, fail, print_json, print_table

if TYPE_CHECKING:
    from sylve.arena.standings import Standings
    from sylve.arena.store import Store

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Tournaments: run, status, export, verify, backup, report.",
)
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="FILE.toml, or a store.")]


def open_to_read(path: Path) -> Store:
    """The store that is meant: itself, or that of a tournament file."""
    from sylve.arena.file import read_tournament
    from sylve.arena.store import Store

    if path.suffix == ".toml":
        _, path = read_tournament(path)
    return Store.read(path)


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="See docs/arena.md.")],
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    json: Json = False,
) -> None:
    """Play a tournament, or what is left of it."""
    from sylve.arena.file import read_tournament

    config, place = read_tournament(file)
    store, standings, ending = run_config(config, place, executor, workers)
    show(standings, json)
    leave(store, ending)


@app.command()
def status(file: FileArgument, json: Json = False) -> None:
    """Show what is done and what is left, also while it runs."""
    from sylve.arena.standings import Standings

    store = open_to_read(file)
    done, total = store.count()
    say(f"{done} of {total} games are done, {total - done} left")
    show(Standings.of(store.config, store.played()), json)
    store.connection.close()


def show(standings: Standings, json: bool) -> None:
    """Ratings, cross table, notes."""
    from sylve.arena.summary import cross_table, rating_rows, summary

    content = summary(standings)
    if json:
        print_json(content)
        return
    columns = ["player", "Elo", "error", "95 %", "games", "points", "score"]
    print_table(columns, rating_rows(content))
    order, rows = cross_table(standings)
    names = standings.config.names
    numbers = [str(rank) for rank in range(1, len(order) + 1)]
    print_table(
        ["points against", *numbers],
        [(f"{rank} {names[index]}", *row) for rank, index, row in zip(numbers, order, rows)],  # noqa: B905
    )
    error = content["first_move_stderr"]
    typer.echo(
        f"Advantage of the first move: {content['first_move_elo']:+.1f} Elo"
        + ("" if error is None else f" +/- {error:.1f}")
        + f"; draws between equals: {100 * content['draw_rate']:.1f} %"
    )
    for note in content["notes"]:
        typer.echo(note)


@app.command()
def verify(file: FileArgument, json: Json = False) -> None:
    """Replay every game by the rules, recompute every total."""
    from sylve.arena.verify import verify as find_problems

    store = open_to_read(file)
    problems = find_problems(store)
    done, total = store.count()
    store.connection.close()
    if json:
        print_json({"games": done, "scheduled": total, "problems": problems})
    elif not problems:
        typer.echo(f"{done} of {total} games: every one replayed, every checksum right")
    else:
        typer.echo("\n".join(problems))
    if problems:
        fail(f"{len(problems)} problems", 1)


@app.command()
def backup(
    file: FileArgument,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="A file that does not exist.")],
) -> None:
    """Copy a store, also while it runs."""
    store = open_to_read(file)
    store.backup(target)
    store.connection.close()


@app.command()
def export(
    file: FileArgument,
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="NAME.csv, .jsonl, .parquet or .sgf.")
    ],
) -> None:
    """Write every game to a file of another form."""
    from sylve.arena.export import export_games

    store = open_to_read(file)
    count = export_games(store, target)
    store.connection.close()
    say(f"{count} games in {target}")


@app.command()
def report(
    file: FileArgument,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="NAME.html.")],
) -> None:
    """Write one page with tables and plots."""
    from sylve.arena.export import write_whole
    from sylve.arena.report import report_page

    store = open_to_read(file)
    write_whole(target, report_page(store).encode())
    store.connection.close()
