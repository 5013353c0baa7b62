"""One cell, run in any process: plain JSON in, plain JSON out."""

from __future__ import annotations

import json
from typing import Any

from sylve.lab.experiment import Experiment, load


def run_job(job: dict[str, Any]) -> dict[str, Any]:
    """Run the cell that a job describes."""
    return {"rows": run_cell(load(job["experiment"]), job["cell"], job["seed"])}


def run_cell(experiment: Experiment, cell: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """The rows of a cell, as JSON gives them back: the same however they travel."""
    rows = experiment.run_cell(cell, seed)
    plain: list[dict[str, Any]] = json.loads(json.dumps(rows, allow_nan=False))
    return plain
