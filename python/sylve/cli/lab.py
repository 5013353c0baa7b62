"""`sylve lab`: the claims of the course as experiments."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sylve.cli import completion
from sylve.cli.arena import ExecutorOption, WorkersOption
from sylve.cli.output import Json, fail, print_json, print_prose, print_table, print_text, say
from sylve.screen import Table, is_terminal, plural

if TYPE_CHECKING:
    from rich.progress import Progress

    from sylve.lab.experiment import Result

app = typer.Typer(
    help="Test the claims of the course by experiment.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
OutOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder for the results, in DIR/NAME.")
]
DEFAULT_OUT = Path("lab-results")


@app.command("list")
def list_experiments(json: Json = False) -> None:
    """List the experiments."""
    from sylve.lab.experiment import NAMES

    if json:
        print_json({"experiments": [{"name": n, "title": t} for n, t in NAMES.items()]})
        return
    print_table(Table(["experiment", "title"], list(NAMES.items()), align=("left", "prose")))


@app.command("run")
def run_experiment(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="An experiment; see sylve lab list.",
            autocompletion=completion.experiments,
        ),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Run a small version: under a minute on two cores.")
    ] = False,
    out: OutOption = DEFAULT_OUT,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed; the same seed gives the same data.")
    ] = 1,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="Another game, such as hex(size=5); some experiments take one.",
            autocompletion=completion.games,
            show_default="those of the experiment",
        ),
    ] = None,
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    json: Json = False,
) -> None:
    """Run an experiment, or resume it.

    The same command resumes a run that was stopped.
    """
    from sylve.games import load_game
    from sylve.lab.experiment import load
    from sylve.lab.runner import CellFails, Interrupted, run
    from sylve.workers import make_pool
    from sylve.workers.pool import WorkersFail

    experiment = load(name)
    if game is not None:
        experiment.cells_of("quick", game)  # a refusal comes before anything is written
        load_game(game)
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"--seed must be from 0 to 2^64 - 1, not {seed}")
    try:
        pool = make_pool(executor, 1 if experiment.serial else workers)
    except WorkersFail as error:
        fail(str(error), 1)
    bar = CellBar(name)
    now = True
    try:
        (out / name).mkdir(parents=True, exist_ok=True)  # a bad place fails before the work
        result = run(
            experiment,
            size="quick" if quick else "full",
            seed=seed,
            out=out,
            executor=pool,
            progress=bar,
            game=game,
            tell=say,
        )
        now = False
    except Interrupted as stopped:
        bar.stop()
        say(f"{stopped}; resume with:", shlex.join(["sylve", *sys.argv[1:]]))
        raise SystemExit(130) from None
    except (CellFails, WorkersFail) as error:
        bar.stop()
        fail(
            f"{error}; {bar.done} of {bar.total} cells are saved; run the same command to resume", 1
        )
    finally:
        bar.stop()
        pool.close(now=now)
    show(result, json)


def show(result: Result, json: bool) -> None:
    """Print the verdicts, and where the files are."""
    from sylve.lab.output import FILES

    experiment = result.experiment
    assert result.folder is not None
    files = [name for name in FILES if (result.folder / name).is_file()]
    if json:
        print_json(
            {
                "experiment": experiment.name,
                "configuration": result.size,
                "seed": result.seed,
                "cells": result.cells,
                "resumed": result.resumed,
                "folder": str(result.folder),
                "files": files,
                "claims": [
                    {
                        "claim": claim.text,
                        "source": claim.source,
                        "answer": verdict.answer,
                        "reason": verdict.reason,
                    }
                    for claim, verdict in zip(experiment.claims, result.verdicts, strict=True)
                ],
            }
        )
        return
    for claim, verdict in zip(experiment.claims, result.verdicts, strict=True):
        print_prose(f'"{claim.text}" ({claim.source})')
        print_prose(f"  {verdict.answer.upper()}: {verdict.reason}\n")
    for table in experiment.tables(result.rows):
        from sylve.lab.page import text

        rows = [tuple(map(text, row)) for row in table.rows]
        print_table(Table(table.head, rows, title=table.title))
        print_text("")
    print_prose(f"{result.folder}: {', '.join(files)}")


@app.command("report")
def report(out: OutOption = DEFAULT_OUT, json: Json = False) -> None:
    """Combine all results of a folder in one page, DIR/report.html."""
    from sylve.files import write_whole
    from sylve.lab.report import html_report, read_results

    results = read_results(out)
    path = out / "report.html"
    write_whole(path, html_report(results).encode())
    names = [result["experiment"] for result, _ in results]
    if json:
        print_json({"file": str(path), "experiments": names})
    else:
        print_prose(f"{path}: {', '.join(names)}")


class CellBar:
    """Cells done: a bar on a terminal, else a line at the start."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.done = self.total = 0
        self.bar: Progress | None = None
        self.told = False

    def __call__(self, done: int, total: int) -> None:
        """Tell how many cells are done."""
        self.done, self.total = done, total
        if not self.told:
            self.told = True
            state = f"{done} of {total} cells already done" if done else plural(total, "cell")
            say(f"{self.name}: {state}")
            if is_terminal(sys.stderr):
                from sylve.cli.progress import make_bar

                self.bar = make_bar()
                self.task = self.bar.add_task(self.name, total=total, completed=done, speed="cells")
                self.bar.start()
        if self.bar is not None:
            self.bar.update(self.task, completed=done)

    def stop(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
