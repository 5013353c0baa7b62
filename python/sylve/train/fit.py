"""The fit: weights whose sums come nearest to the results of games, by least squares.

For each stage, the sum of (sum of weights - result)^2 over its positions, and of ridge x weight^2,
is made as small as can be: weights that few positions have stay near 0. The equations have as many
unknowns as weights, and are solved by conjugate gradients, each unknown scaled by how often it
occurs. Positions of the neighbouring half stages are used too: they are much alike.

The same positions in the same order give the same bits on every machine: sums are added in a fixed
order, or exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum

import numpy as np
import numpy.typing as npt

from sylve.evaluations.patterns import Patterns
from sylve.train.plan import Plan
from sylve.train.positions import Positions

Floats = npt.NDArray[np.float64]
Indices = list[npt.NDArray[np.int32]]
"""For each instance of each pattern, which weight each position has."""


def indices(plan: Plan, positions: Positions) -> Indices:
    """Which weights the positions have, as numbers within a stage."""
    start, found = 0, []
    for family in plan.families:
        of = (start + family.weight_of).astype(np.int32)
        for cells in family.instances:
            number = np.zeros(len(positions), np.int32)
            for place, cell in enumerate(cells):
                bit = np.uint64(cell)
                own, other = (
                    (words >> bit & np.uint64(1)).astype(np.int32)
                    for words in (positions.own, positions.other)
                )
                number += (own + 2 * other) * 3**place
            found.append(of[number])
        start += family.count
    return found


def sums(weights: Floats, rows: Indices) -> Floats:
    """The sum of the weights of each position, added in the order of the instances."""
    total = np.zeros(len(rows[0]))
    for row in rows:
        total += weights[row]
    return total


def spread(values: Floats, rows: Indices, count: int) -> Floats:
    """For each weight, the sum of the values of the positions that have it, as often as they do."""
    total = np.zeros(count)
    for row in rows:
        total += np.bincount(row, values, count)
    return total


def dot(one: Floats, two: Floats) -> float:
    """A sum of products, rounded once: it does not depend on the order."""
    return fsum((one * two).tolist())


def least_squares(rows: Indices, results: Floats, count: int, ridge: float, steps: int) -> Floats:
    """The weights of one stage."""
    weights = np.zeros(count)
    if not len(results):
        return weights
    often = spread(np.ones(len(results)), rows, count) + ridge
    left = spread(results, rows, count)  # the gradient, downhill
    scaled = left / often
    direction, length = scaled, dot(left, scaled)
    for _ in range(steps):
        if length == 0.0:
            break
        image = spread(sums(direction, rows), rows, count) + ridge * direction
        step = length / dot(direction, image)
        weights = weights + step * direction
        left = left - step * image
        scaled = left / often
        before, length = length, dot(left, scaled)
        direction = scaled + length / before * direction
    return weights


def fit(plan: Plan, positions: Positions, about: Mapping[str, object]) -> Patterns:
    """The weights of all stages."""
    count = sum(family.count for family in plan.families)
    discs = positions.discs
    stages = []
    for stage in range(plan.stages):
        low = plan.first + stage * plan.width
        beside = plan.width // 2
        near = (low - beside <= discs) & (discs < low + plan.width + beside)
        if stage == 0:
            near |= discs < low
        here = positions.where(near)
        found = least_squares(
            indices(plan, here), here.result.astype(float), count, plan.ridge, plan.steps
        )
        stages.append(found * 1000 / plan.unit)
    limits = np.iinfo(np.int16)
    weights = np.clip(np.rint(np.array(stages)), limits.min, limits.max).astype(np.int16)
    return Patterns(
        plan.size, plan.first, plan.width, plan.unit, plan.families, weights, dict(about)
    )


def predict(plan: Plan, patterns: Patterns, positions: Positions) -> Floats:
    """What the evaluation says of positions, in discs; as `Patterns.evaluate` does."""
    rows = indices(plan, positions)
    stages = np.clip((positions.discs - plan.first) // plan.width, 0, patterns.stages - 1)
    total = np.zeros(len(positions), np.int64)
    for row in rows:
        total += patterns.weights[stages, row]
    most = 1000 * plan.size**2
    return np.clip(total * plan.unit, -most, most) / 1000
