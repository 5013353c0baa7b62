"""A test that stops by itself: is the difference elo0, or is it elo1?

The generalised sequential probability ratio test over pairs of games (Van den Bergh's, as used by
fishtest), in its *logistic* form: elo0 and elo1 are differences in usual Elo. The likelihood of
each hypothesis is the largest that five probabilities with that expected score can give to the
pairs seen (an empirical likelihood; Owen 1988). Wald's bounds end it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sylve.arena.statistics import PER_GAME, score_of_elo

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

Verdict = Literal["H0", "H1"]
ABSENT = 1e-3  # what a count of 0 is taken for, as fishtest does: no outcome is impossible
STEPS = 50  # of Newton's method with bisection, far more than it needs


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two differences in Elo."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """The chance to accept H1 although the difference is elo0."""
    beta: float = 0.05
    """The chance to accept H0 although the difference is elo1."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 < value < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, not {value:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio ends the test: H0 below the first, H1 above the second."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def ratio(self, pairs: ArrayLike) -> float:
        """The log-likelihood ratio of H1 to H0, after these counts of pairs."""
        return float(self.ratios(pairs))

    def ratios(self, pairs: ArrayLike) -> Floats:
        """The same for many matches at once: the last axis holds the five counts."""
        import numpy as np

        counts = np.asarray(pairs, dtype=float)
        none = counts.sum(axis=-1) == 0
        counts = np.where(counts == 0, ABSENT, counts)
        total = log_weights(counts, score_of_elo(self.elo0))
        total -= log_weights(counts, score_of_elo(self.elo1))
        return np.where(none, 0.0, (counts * total).sum(axis=-1))

    def verdict(self, ratio: float) -> Verdict | None:
        """What is accepted at this ratio, or None: go on."""
        low, high = self.bounds
        return "H0" if ratio <= low else "H1" if ratio >= high else None

    def to_dict(self, ratio: float) -> dict[str, Any]:
        """For JSON."""
        low, high = self.bounds
        return {
            "elo0": self.elo0, "elo1": self.elo1, "alpha": self.alpha, "beta": self.beta,
            "llr": ratio, "lower": low, "upper": high, "model": "logistic",
            "verdict": self.verdict(ratio),
        }  # fmt: skip


def log_weights(counts: Floats, score: float) -> Floats:
    """log(1 + t (x - score)): how far the likeliest probabilities of that mean are from the counts.

    They are p / (1 + t (x - score)) for the observed p; t makes their mean the score. The sum that
    must vanish falls with t, from plus to minus infinity between the two poles.
    """
    import numpy as np

    away = np.asarray(PER_GAME) - score
    share = counts / counts.sum(axis=-1, keepdims=True)
    low = np.full(counts.shape[:-1], -1 / away[-1])
    high = np.full(counts.shape[:-1], -1 / away[0])
    tilt = np.zeros(counts.shape[:-1])
    for _ in range(STEPS):
        bent = away / (1 + tilt[..., None] * away)
        value = (share * bent).sum(axis=-1)
        slope = -(share * bent * bent).sum(axis=-1)
        low, high = np.where(value > 0, tilt, low), np.where(value > 0, high, tilt)
        step = tilt - value / slope
        inside = (step > low) & (step < high)
        before, tilt = tilt, np.where(inside, step, (low + high) / 2)
        if np.all(np.abs(tilt - before) <= 1e-10 * (1 + np.abs(tilt))):
            break
    result: Floats = np.log1p(tilt[..., None] * away)
    return result
