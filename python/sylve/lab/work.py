"""One cell, run in any process: plain JSON in, plain JSON out."""

from __future__ import annotations

import json
from typing import Any

from sylve.lab.experiment import Experiment, load
from sylve.workers.jobs import Content, Kept, job
from sylve.workers.own_sources import prepare_own


@job
def run_in_worker(content: Content, kept: Kept) -> Content:
    """Run the cell that a job describes. Nothing is kept for the next one."""
    del kept
    if "homes" in content:  # a game of the user's own
        prepare_own([content["cell"]["game"]], content)
    return {"rows": run_cell(load(content["experiment"]), content["cell"], content["seed"])}


def run_cell(experiment: Experiment, cell: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """The rows of a cell, as JSON gives them back: the same however they travel."""
    rows = experiment.run_cell(cell, seed)
    plain: list[dict[str, Any]] = json.loads(json.dumps(rows, allow_nan=False))
    return plain
