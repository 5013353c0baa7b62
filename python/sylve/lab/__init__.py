"""The lab: what the course claims, as experiments (docs/lab/README.md).

experiment.py   what an experiment is, and the list of them; each is one file in experiments/
ground_truth.py positions whose best moves are known for certain
statistics.py   intervals, slopes, and words for them
work.py         one cell, in any process, also as a job of sylve/workers
store.py        finished cells, on the disk
runner.py       all cells, on all cores or a cluster, then the results
output.py       data.csv, data.json, the figure; page.py the page, report.py all pages in one

>>> from sylve.lab import NAMES
>>> NAMES["regret"]
'what bandit rules lose, beside the bound'
"""

from sylve.lab.experiment import NAMES, Claim, Experiment, Result, Table, Verdict, load
from sylve.lab.runner import Interrupted, run

__all__ = [
    "NAMES",
    "Claim",
    "Experiment",
    "Interrupted",
    "Result",
    "Table",
    "Verdict",
    "load",
    "run",
]
