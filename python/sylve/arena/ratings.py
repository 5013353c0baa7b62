"""Ratings of many players, by maximum likelihood, with errors by resampling pairs.

The model is Davidson's (1970) with an advantage of the first move (Davidson and Beaver 1977): with
d = rating of the first player + advantage - rating of the second, in units of log odds,

    win : draw : loss of the first player  =  exp(d / 2) : v : exp(-d / 2).

Without draws v is 0 and this is the usual logistic model of Elo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sylve.arena.statistics import ELO
from sylve.rng import GAMMA, mix

Floats = NDArray[np.float64]
Kinds = Mapping[tuple[int, int], Sequence[Sequence[int]]]
"""For players i < j, how often a pair of games gave [half points of i as first player in one game]
[half points of i as second player in the other]: 3 x 3 counts."""

RESAMPLES = 400
VIRTUAL = 0.5  # games, half won, between each two players; only where no maximum exists
NEWTON = 100


@dataclass(frozen=True)
class Rating:
    """What is known of one player."""

    elo: float
    """Relative to the mean of all, or to the anchor."""
    stderr: float
    low: float
    high: float
    """The 95 % interval."""
    games: int
    points: float


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players, in their order."""

    players: tuple[Rating, ...]
    first_move: float
    """The advantage of the first move, in Elo."""
    first_move_stderr: float
    draw_rate: float
    """The chance of a draw between equals, without that advantage."""
    proper: bool
    """False if somebody won or lost everything, so that no maximum exists without a little help:
    half a game, half won, between each two players."""
    resamples: int


def rate(
    count: int,
    kinds: Kinds,
    *,
    anchor: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Ratings:
    """The ratings of `count` players from their pairs of games."""
    pairings = sorted(kinds)
    tables = np.array([kinds[key] for key in pairings], dtype=float).reshape(-1, 9)
    games = by_colour(count, pairings, tables)
    best, proper = fit(games)
    drawn = np.array(
        [
            fit(by_colour(count, pairings, table), best)[0]
            for table in resampled(tables, resamples, seed)
        ]
    ).reshape(resamples, count + 2)
    shift = centre(best, count, anchor)
    shifts = np.array([centre(row, count, anchor) for row in drawn])
    elo = ELO * (best[:count] - shift)
    spread = ELO * (drawn[:, :count] - shifts[:, None]) if resamples else np.zeros((0, count))
    players = []
    for index in range(count):
        sample = spread[:, index]
        stderr = float(sample.std(ddof=1)) if resamples > 1 else float("nan")
        low, high = np.quantile(sample, [0.025, 0.975]) if resamples > 1 else (np.nan, np.nan)
        own = games[index].sum(axis=0) + games[:, index].sum(axis=0)[::-1]
        players.append(
            Rating(
                float(elo[index]), stderr, float(low), float(high),
                round(own.sum()), float(own[2] + own[1] / 2),
            )
        )  # fmt: skip
    advantage = ELO * drawn[:, count]
    tie = float(np.exp(best[count + 1]))
    return Ratings(
        tuple(players),
        float(ELO * best[count]),
        float(advantage.std(ddof=1)) if resamples > 1 else float("nan"),
        tie / (2 + tie),
        proper,
        resamples,
    )


def by_colour(count: int, pairings: Sequence[tuple[int, int]], tables: Floats) -> Floats:
    """games[i, j, h]: how often i, as first player against j, got h half points."""
    games = np.zeros((count, count, 3))
    for (i, j), table in zip(pairings, tables, strict=True):
        square = table.reshape(3, 3)
        games[i, j] += square.sum(axis=1)
        games[j, i] += square.sum(axis=0)[::-1]
    return games


def centre(parameters: Floats, count: int, anchor: int | None) -> float:
    """The rating that is called 0."""
    return float(parameters[:count].mean() if anchor is None else parameters[anchor])


def resampled(tables: Floats, times: int, seed: int) -> Floats:
    """Each pairing's pairs, drawn again with replacement, so many times."""
    result = np.zeros((times, *tables.shape))
    for row, table in enumerate(tables):
        total = int(table.sum())
        ends = np.cumsum(table)
        for time in range(times):
            draws = uniform(seed, row * times + time, total) * total
            kinds = np.searchsorted(ends, draws, side="right")
            result[time, row] = np.bincount(kinds, minlength=9)[:9]
    return result


def uniform(seed: int, stream: int, count: int) -> Floats:
    """Numbers from 0 to 1 of the package's own generator (docs/spec.md), many at once."""
    state = np.uint64(mix((mix(seed) + stream) % 2**64))
    with np.errstate(over="ignore"):
        z = state + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GAMMA)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.asarray((z >> np.uint64(11)).astype(float) * 2.0**-53)


def fit(games: Floats, near: Floats | None = None) -> tuple[Floats, bool]:
    """The likeliest ratings, advantage and log v; and whether they exist without help.

    `near` is where to begin.
    """
    proper = connected(games)
    if not proper:
        games = games.copy()
        # One game with each colour; no draw, which would say something about draws.
        games[:, :, ::2] += VIRTUAL / 4 * (1 - np.eye(len(games)))[:, :, None]
    return newton(games, near), proper


def connected(games: Floats) -> bool:
    """Whether each player is above each other along some chain of points (Ford 1957)."""
    count = len(games)
    scored = games[:, :, 1:].sum(axis=2) + games[:, :, :2].sum(axis=2).T > 0
    reach = scored | np.eye(count, dtype=bool)
    for _ in range(count.bit_length()):
        reach = reach @ reach
    return bool(reach.all())


def newton(games: Floats, near: Floats | None = None) -> Floats:
    """Newton's method, halved where it overshoots; the likelihood is concave.

    The first rating is held at 0: only differences count. Without draws, log v is -infinity; where
    one colour won everything the advantage is held at what half a game would give.
    """
    count = len(games)
    x = np.zeros(count + 2)
    if near is not None:
        x[:-1] = near[:-1] - near[0] * (np.arange(count + 1) < count)
    draws, total = games[:, :, 1].sum(), games.sum()
    x[count + 1] = np.log(2 * max(draws, 1e-12) / max(total - draws, 0.5))
    free = [*range(1, count)]
    one_colour = min(games[:, :, 0].sum(), games[:, :, 2].sum()) + draws == 0
    if not one_colour:
        free.append(count)
    if 0 < draws < total:
        free.append(count + 1)
    if draws == 0:
        x[count + 1] = -np.inf
    value, slope, curve = likelihood(x, games)
    for _ in range(NEWTON):
        ridge = curve[np.ix_(free, free)] + 1e-9 * np.eye(len(free))
        step = np.zeros(count + 2)
        step[free] = np.linalg.solve(ridge, slope[free])
        step *= min(1.0, 5.0 / max(np.abs(step).max(), 1e-300))
        while True:
            found = likelihood(x + step, games)
            if found[0] >= value - 1e-12 * abs(value) or np.abs(step).max() < 1e-12:
                break
            step /= 2
        x = x + step
        value, slope, curve = found
        if np.abs(step).max() < 1e-8:  # in Elo 2e-6
            break
    return x


def likelihood(x: Floats, games: Floats) -> tuple[float, Floats, Floats]:
    """The log-likelihood, its gradient, and minus its second derivative."""
    count = len(games)
    rating, advantage, tie = x[:count], x[count], x[count + 1]
    d = rating[:, None] + advantage - rating[None, :]
    logits = np.stack([-d / 2, np.full_like(d, tie), d / 2], axis=2)
    top = logits.max(axis=2, keepdims=True)
    norm = top + np.log(np.exp(logits - top).sum(axis=2, keepdims=True))
    logs = logits - norm
    chance = np.exp(logs)
    value = float((games * np.where(games > 0, logs, 0.0)).sum())
    total = games.sum(axis=2)
    # What the game shows of d (plus or minus a half) and of the draw, and what was expected.
    lead = (games[:, :, 2] - games[:, :, 0]) / 2 - total * (chance[:, :, 2] - chance[:, :, 0]) / 2
    even = games[:, :, 1] - total * chance[:, :, 1]
    mean = (chance[:, :, 2] - chance[:, :, 0]) / 2
    lead_lead = total * ((chance[:, :, 2] + chance[:, :, 0]) / 4 - mean * mean)
    even_even = total * chance[:, :, 1] * (1 - chance[:, :, 1])
    lead_even = -total * mean * chance[:, :, 1]
    # d depends on x by +1 for the first player, -1 for the second, +1 for the advantage.
    slope = np.zeros(count + 2)
    slope[:count] = lead.sum(axis=1) - lead.sum(axis=0)
    slope[count], slope[count + 1] = lead.sum(), even.sum()
    curve = np.zeros((count + 2, count + 2))
    curve[:count, :count] = np.diag(lead_lead.sum(axis=1) + lead_lead.sum(axis=0))
    curve[:count, :count] -= lead_lead + lead_lead.T
    curve[:count, count] = curve[count, :count] = lead_lead.sum(axis=1) - lead_lead.sum(axis=0)
    curve[:count, count + 1] = curve[count + 1, :count] = lead_even.sum(axis=1) - lead_even.sum(
        axis=0
    )
    curve[count, count] = lead_lead.sum()
    curve[count, count + 1] = curve[count + 1, count] = lead_even.sum()
    curve[count + 1, count + 1] = even_even.sum()
    return value, slope, curve
