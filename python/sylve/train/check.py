"""How good weights are: errors over games that they were not learnt from, and matches."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np

from sylve.engine import compiled_half
from sylve.evaluations.patterns import Patterns
from sylve.train.fit import Floats, predict
from sylve.train.games import POSITIONAL, Game
from sylve.train.plan import Plan
from sylve.train.positions import Positions

STEP = 2
"""Plies between two rows of the table of errors."""
FEWEST = 20
"""Positions without which an error is not shown."""


@dataclass(frozen=True)
class Error:
    """How far evaluations are from the results, after so many discs were put."""

    ply: int
    positions: int
    learned: float
    """The root of the mean squared difference, in discs."""
    positional: float


def errors(plan: Plan, patterns: Patterns, held: Positions) -> list[Error]:
    """The errors by ply; passes count none."""
    plies = held.discs - 4
    rows = []
    for ply in range(0, plan.size**2 - 4, STEP):
        here = held.where(plies == ply)
        if len(here) >= FEWEST:
            result = here.result.astype(float)
            learned = spread_of(predict(plan, patterns, here) - result)
            rows.append(Error(ply, len(here), learned, spread_of(positional(plan, here) - result)))
    return rows


def spread_of(differences: Floats) -> float:
    """The root of the mean square, of two decimals."""
    return round(sqrt(fsum((differences * differences).tolist()) / len(differences)), 2)


def positional(plan: Plan, positions: Positions) -> Floats:
    """What `positional` says, in discs."""
    core, size = compiled_half("training"), plan.size
    scores = []
    for own, other in zip(positions.own.tolist(), positions.other.tolist(), strict=True):
        cells = "".join(
            "x" if own >> cell & 1 else "o" if other >> cell & 1 else "."
            for cell in range(size * size)
        )
        rows = "/".join(cells[at : at + size] for at in range(0, len(cells), size))
        scores.append(core.Position(f"othello(size={size})", f"{rows} x").evaluate(POSITIONAL)[0])
    return np.array(scores) / 1000


def strength(games: list[Game]) -> tuple[float, float]:
    """Percent of the points that the first player won, and one standard error, by pairs.

    Game 2n has it as x, game 2n + 1 as o.
    """
    points = [
        (1 + (result > 0) - (result < 0) if place % 2 == 0 else 1 + (result < 0) - (result > 0)) / 2
        for place, (_, _, result) in enumerate(games)
    ]
    pairs = [(one + two) / 2 for one, two in zip(points[::2], points[1::2], strict=True)]
    mean = fsum(pairs) / len(pairs)
    spread = fsum((pair - mean) ** 2 for pair in pairs) / max(1, len(pairs) - 1)
    return round(100 * mean, 1), round(100 * sqrt(spread / len(pairs)), 1)
