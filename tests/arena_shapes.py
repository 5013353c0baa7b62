"""Shapes of paired results."""

import numpy as np
from scipy import optimize

from sylve.arena.statistics import PER_GAME, Statistics

SCORES = np.array(PER_GAME)
# The five chances of a pair: fair games, a first move that decides, many draws, a strong player.
SHAPES = {
    "even": [0.25, 0.0, 0.5, 0.0, 0.25],
    "first": [0.1, 0.0, 0.8, 0.0, 0.1],
    "draws": [0.05, 0.2, 0.5, 0.2, 0.05],
    "strong": [0.02, 0.03, 0.2, 0.15, 0.6],
}


def intervals(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    kinds, which = np.unique(counts, axis=0, return_inverse=True)
    ends = np.array([Statistics(tuple(row)).interval for row in kinds.tolist()])
    low, high = ends[which.ravel()].T
    return low, high


def with_mean(shape: str, score: float) -> np.ndarray:
    """The shape, bent so that it has this mean."""

    def bent(tilt: float) -> np.ndarray:
        chances = np.array(SHAPES[shape]) * np.exp(tilt * SCORES)
        return chances / chances.sum()

    return bent(optimize.brentq(lambda tilt: bent(tilt) @ SCORES - score, -50, 50))
