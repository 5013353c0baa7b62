"""Run the cells of an experiment that are not done yet, then write what they show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from warnings import warn

from sylve.games import load_game
from sylve.lab.experiment import Cell, Experiment, Result, Size, load
from sylve.lab.output import FIGURE, write_result
from sylve.lab.store import CellStore
from sylve.lab.work import run_cell, run_in_worker
from sylve.optional import missing
from sylve.own import game_text, loaded_sources
from sylve.workers.every import JobFails, run_every
from sylve.workers.jobs import Job, call
from sylve.workers.own_sources import own_part
from sylve.workers.pool import Pool

Progress = Callable[[int, int], object]
"""Called with the cells that are done and their number."""


class Interrupted(Exception):
    """Ctrl-C: what was finished is kept.

    >>> from sylve.lab import Interrupted
    >>> print(Interrupted(3, 8))
    3 of 8 cells are done
    """

    def __init__(self, done: int, total: int) -> None:
        super().__init__(f"{done} of {total} cells are done")
        self.done, self.total = done, total


class CellFails(Exception):
    """A cell raised an error, or its workers died."""


def run(
    name: str | Experiment,
    *,
    size: Size = "full",
    seed: int = 1,
    out: Path | None = None,
    executor: Pool | None = None,
    progress: Progress | None = None,
    cells: list[Cell] | None = None,
    game: str | None = None,
    tell: Callable[[str], object] = warn,
) -> Result:
    """Run an experiment; cells of an earlier run in the same folder are not run again.

    `out` gets a folder with the experiment's name; without it nothing is written. Without an
    executor the cells run here, one after the other. `cells` replaces those of the size; `game` is
    another game for them, such as `mygame:Dots`. `tell` is called before the first cell if
    something will be left out.

    >>> from sylve.lab import load, run
    >>> result = run("regret", cells=load("regret").cells("quick")[:1])
    >>> result.folder is None, result.cells
    (True, 1)
    """
    experiment = load(name) if isinstance(name, str) else name
    label: str = size
    if game is not None:
        game = game_text(load_game(game))
        cells = experiment.cells_of(size, game)
        sources = loaded_sources([game])
        cells = [cell | {"sources": sources} for cell in cells] if sources else cells
    elif cells is None:
        cells = experiment.cells(size)
    else:
        label = "own"
    folder = None if out is None else out / experiment.name
    store = CellStore(experiment, seed, None if folder is None else folder / "cells")
    left = [cell for cell in cells if store.get(cell) is None]
    done = len(cells) - len(left)
    resumed = done

    def finished(cell: Cell, rows: list[dict[str, Any]]) -> None:
        nonlocal done
        store.put(cell, rows)
        done += 1
        if progress:
            progress(done, len(cells))

    if folder is not None and (reason := missing("matplotlib", FIGURE)):
        tell(f"no figure will be drawn, all else is written: {reason}")
    if progress:
        progress(done, len(cells))
    try:
        if executor is None:
            for cell in left:
                finished(cell, run_cell(experiment, cell, seed))
        else:
            run_with(executor, experiment, left, seed, finished)
    except KeyboardInterrupt:
        # Asked of the store: the last cell may be written and not yet counted.
        raise Interrupted(sum(map(bool, map(store.get, cells))), len(cells)) from None
    stored = [store.get(cell) for cell in cells]
    rows = [rounded(row) for content in stored if content for row in content["rows"]]
    by = tuple(sorted({content["by"] for content in stored if content}))
    result = Result(experiment, label, seed, len(cells), resumed, by, rows, folder, game)
    if folder is not None:
        write_result(result, folder)
    return result


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    """A row with eight digits of each number: all that follows is computed from these."""
    return {
        name: float(f"{value:.8g}") if isinstance(value, float) else value
        for name, value in row.items()
    }


def run_with(
    pool: Pool,
    experiment: Experiment,
    cells: list[Cell],
    seed: int,
    finished: Callable[[Cell, list[dict[str, Any]]], None],
) -> None:
    """Run cells on workers; each is given to `finished` as soon as it has ended."""

    def job_of(cell: Cell) -> Job:
        content = {"experiment": experiment.name, "cell": cell, "seed": seed}
        if "sources" in cell:
            content |= own_part([cell["game"]], cell["sources"])
        return call(run_in_worker, content)

    try:
        run_every(
            pool,
            [partial(job_of, cell) for cell in cells],
            lambda number, answer: finished(cells[number], answer["rows"]),
            at_once=1 if experiment.serial else None,
        )
    except JobFails as error:
        raise CellFails(f"{error} in cell {cells[error.number]}") from None
