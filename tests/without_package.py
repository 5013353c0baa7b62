"""Run the command line where a package cannot be imported, and where one experiment is small.

python tests/without_package.py PACKAGE ARGUMENT...
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from typing import Any


class Without(MetaPathFinder):
    """The package is not there, as after a plain install."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> None:
        if name.partition(".")[0] == self.package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def main() -> None:
    package = sys.argv.pop(1)
    sys.meta_path.insert(0, Without(package))
    from sylve.cli import main as run
    from sylve.lab.experiments import regret

    less = {"runs": 2, "looks": [30, 100], "reference": 300}
    small = [
        {name: less.get(name, value) for name, value in cell.items()}
        for cell in regret.cells("quick")
    ]
    regret.EXPERIMENT = dataclasses.replace(regret.EXPERIMENT, cells=lambda size: small)
    if sys.argv[1] == "frame":
        from sylve import Flat, Position, search

        search(Position.start("tic_tac_toe"), Flat(10)).to_frame()
    elif sys.argv[1] == "env":
        from sylve.adapters.pettingzoo import env

        env("tic_tac_toe")
    elif sys.argv[1] == "make":
        from sylve.adapters.gymnasium import make

        make("tic_tac_toe")
    run()


if __name__ == "__main__":
    main()
