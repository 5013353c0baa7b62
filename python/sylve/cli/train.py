"""`sylve train`: weights for an evaluation, learnt from games of the program against itself."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sylve.cli.arena import ExecutorOption, WorkersOption
from sylve.cli.output import Json, fail, print_json, print_prose, print_table, say
from sylve.screen import Table, is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress

app = typer.Typer(
    help="Learn the weights of an evaluation from games of the program against itself.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
DEFAULT_OUT = Path("train-results")


@app.callback()
def _train() -> None:
    """Learn the weights of an evaluation from games of the program against itself."""


@app.command("othello")
def train_othello(
    small: Annotated[
        bool, typer.Option("--small", help="A small model of the 6 x 6 board: under a minute.")
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the results, in DIR/othello.")
    ] = DEFAULT_OUT,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            min=1,
            help="Games in each round.",
            show_default="as planned",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", metavar="N", min=1, help="Rounds.", show_default="as planned"),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            metavar="N",
            min=2,
            help="Pairs of games against positional after each round.",
            show_default="as planned",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed; the same seed gives the same file.")
    ] = 1,
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    json: Json = False,
) -> None:
    """Train the evaluation learned of Othello, or resume.

    The same command resumes a run that was stopped.
    """
    from sylve.evaluations.weights_file import checksum, read_weights
    from sylve.train.plan import PLANS
    from sylve.train.run import WEIGHTS, train
    from sylve.workers import make_pool
    from sylve.workers.every import JobFails
    from sylve.workers.pool import WorkersFail

    plan = PLANS["small" if small else "full"]
    plan = replace(
        plan,
        games=games or plan.games,
        rounds=rounds or plan.rounds,
        pairs=pairs or plan.pairs,
        seed=seed,
    )
    try:
        pool = make_pool(executor, workers)
    except WorkersFail as error:
        fail(str(error), 1)
    folder = out / "othello"
    bar, now = ChunkBar(), True
    try:
        folder.mkdir(parents=True, exist_ok=True)  # a bad place fails before the work
        with bar:
            found = train(plan, folder, pool, bar)
        now = False
    except KeyboardInterrupt:
        say(f"{bar}; resume with:", shlex.join(["sylve", *sys.argv[1:]]))
        raise SystemExit(130) from None
    except (JobFails, WorkersFail) as error:
        fail(f"{error}; {bar}: run the same command to resume", 1)
    finally:
        pool.close(now=now)
    digest = checksum(read_weights(folder / WEIGHTS))
    if json:
        print_json(
            {
                "folder": str(folder),
                "sha256": digest,
                "rounds": [
                    {
                        "round": one.number,
                        "games": one.games,
                        "positions": one.positions,
                        "won": one.won,
                        "noise": one.noise,
                    }
                    for one in found
                ],
            }
        )
        return
    rows = [(one.number, one.games, one.positions, f"{one.won} ± {one.noise}") for one in found]
    print_table(Table(["round", "games", "positions", "% against positional"], rows))
    print_prose(f"{folder / WEIGHTS}: sha256 {digest}")


class ChunkBar:
    """Chunks of games done: a bar on a terminal, else a line when something new begins."""

    def __init__(self) -> None:
        self.done = self.total = 0
        self.what = ""
        self.bar: Progress | None = None

    def __call__(self, done: int, total: int, what: str) -> None:
        """Tell how many chunks are done, and what is being done."""
        changed = what != self.what
        self.done, self.total, self.what = done, total, what
        if self.bar is not None:
            self.bar.update(self.task, description=what, completed=done, total=total)
        elif changed:
            say(f"{what}: {self}")

    def __str__(self) -> str:
        return f"{self.done} of {self.total} chunks of games are done"

    def __enter__(self) -> ChunkBar:
        if is_terminal(sys.stderr):
            from sylve.cli.progress import make_bar

            self.bar = make_bar()
            self.task = self.bar.add_task("", total=None, speed="")
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
