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
NEWTON, HALVINGS = 100, 40


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
    (best,), proper = fit(games[None])
    drawn, _ = fit(by_colour(count, pairings, resampled(tables, resamples, seed)), best)
    elo = ELO * (best[:count] - centre(best[None], count, anchor))
    spread = ELO * (drawn[:, :count] - centre(drawn, count, anchor)[:, None])
    players = []
    for index in range(count):
        stderr, low, high = summarised(spread[:, index])
        own = games[index].sum(axis=0) + games[:, index].sum(axis=0)[::-1]
        points = float(own[2] + own[1] / 2)
        players.append(Rating(float(elo[index]), stderr, low, high, round(own.sum()), points))
    tie = float(np.exp(best[count + 1]))
    return Ratings(
        tuple(players),
        float(ELO * best[count]),
        summarised(ELO * drawn[:, count])[0],
        tie / (2 + tie),
        bool(proper[0]),
        resamples,
    )


def summarised(sample: Floats) -> tuple[float, float, float]:
    """The standard error and the 95 % interval that resampling gives; unknown without any."""
    if len(sample) < 2:
        return float("nan"), float("nan"), float("nan")
    low, high = np.quantile(sample, [0.025, 0.975])
    return float(sample.std(ddof=1)), float(low), float(high)


def by_colour(count: int, pairings: Sequence[tuple[int, int]], tables: Floats) -> Floats:
    """games[..., i, j, h]: how often i, as first player against j, got h half points."""
    games = np.zeros((*tables.shape[:-2], count, count, 3))
    for index, (i, j) in enumerate(pairings):
        square = tables[..., index, :].reshape(*tables.shape[:-2], 3, 3)
        games[..., i, j, :] += square.sum(axis=-1)
        games[..., j, i, :] += square.sum(axis=-2)[..., ::-1]
    return games


def centre(parameters: Floats, count: int, anchor: int | None) -> Floats:
    """The rating that is called 0, of each row."""
    shift: Floats = parameters[:, :count].mean(axis=1) if anchor is None else parameters[:, anchor]
    return shift


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


# From here on everything is done for many tables of games at once: the first axis counts them.


def fit(games: Floats, near: Floats | None = None) -> tuple[Floats, NDArray[np.bool_]]:
    """The likeliest ratings, advantage and log v; and whether they exist without help.

    `near` is where to begin.
    """
    proper = connected(games)
    # One game with each colour; no draw, which would say something about draws.
    help_needed = VIRTUAL / 4 * ~proper[:, None, None] * (1 - np.eye(games.shape[1]))
    helped = games.copy()
    helped[..., ::2] += help_needed[..., None]
    return newton(helped, near), proper


def connected(games: Floats) -> NDArray[np.bool_]:
    """Whether each player is above each other along some chain of points (Ford 1957)."""
    count = games.shape[1]
    scored = games[..., 1:].sum(axis=3) + games[..., :2].sum(axis=3).swapaxes(1, 2) > 0
    reach = scored | np.eye(count, dtype=bool)
    for _ in range(count.bit_length()):
        reach = reach @ reach
    return np.asarray(reach.all(axis=(1, 2)))


def newton(games: Floats, near: Floats | None = None) -> Floats:
    """Newton's method, halved where it overshoots; the likelihood is concave.

    The first rating is held at 0: only differences count. Without draws, log v is -infinity; where
    one colour won everything, the advantage is held at 0.
    """
    count = games.shape[1]
    x = np.zeros((len(games), count + 2))
    if not len(games):
        return x
    if near is not None:
        x[:, :-1] = near[:-1] - near[0] * (np.arange(count + 1) < count)
    losses, draws, wins = games.sum(axis=(1, 2)).T
    x[:, -1] = np.log(2 * np.maximum(draws, 1e-12) / np.maximum(wins + losses, 0.5))
    x[draws == 0, -1] = -np.inf
    free = np.ones_like(x, dtype=bool)
    free[:, 0] = False
    free[:, count] = np.minimum(wins, losses) + draws > 0
    x[~free[:, count], count] = 0
    free[:, -1] = (draws > 0) & (wins + losses > 0)
    both = free[:, :, None] & free[:, None, :]
    value, slope, curve = likelihood(x, games)
    for _ in range(NEWTON):
        # What is held has a slope of 0; a trace of ridge for what the games say nothing about.
        hill = np.where(both, curve, 0.0) + np.eye(count + 2) * np.where(free, 1e-9, 1.0)[:, None]
        step = np.linalg.solve(hill, np.where(free, slope, 0.0)[..., None])[..., 0]
        step *= np.minimum(1.0, 5.0 / np.maximum(np.abs(step).max(axis=1), 1e-300))[:, None]
        for _ in range(HALVINGS):
            found = likelihood(x + step, games)
            worse = found[0] < value - 1e-12 * np.abs(value)
            if not worse.any():
                break
            step[worse] /= 2
        x = x + step
        value, slope, curve = found
        if np.abs(step).max() < 1e-8:  # in Elo 2e-6
            break
    return x


def likelihood(x: Floats, games: Floats) -> tuple[Floats, Floats, Floats]:
    """The log-likelihoods, their gradients, and minus their second derivatives."""
    count = games.shape[1]
    rating, advantage, tie = x[:, :count], x[:, count, None, None], x[:, count + 1, None, None]
    d = rating[:, :, None] + advantage - rating[:, None, :]
    logits = np.stack([-d / 2, np.broadcast_to(tie, d.shape), d / 2], axis=3)
    top = logits.max(axis=3, keepdims=True)
    logs = logits - top - np.log(np.exp(logits - top).sum(axis=3, keepdims=True))
    chance = np.exp(logs)
    value = (games * np.where(games > 0, logs, 0.0)).sum(axis=(1, 2, 3))
    total = games.sum(axis=3)
    # What a game shows of d (plus or minus a half) and of the draw, less what was expected.
    mean = (chance[..., 2] - chance[..., 0]) / 2
    lead = (games[..., 2] - games[..., 0]) / 2 - total * mean
    even = games[..., 1] - total * chance[..., 1]
    lead_lead = total * ((chance[..., 2] + chance[..., 0]) / 4 - mean * mean)
    even_even = total * chance[..., 1] * (1 - chance[..., 1])
    lead_even = -total * mean * chance[..., 1]

    def net(table: Floats) -> Floats:
        """d grows by 1 with the rating of the first player and falls with that of the second."""
        difference: Floats = table.sum(axis=2) - table.sum(axis=1)
        return difference

    slope = np.zeros_like(x)
    slope[:, :count] = net(lead)
    slope[:, count], slope[:, count + 1] = lead.sum(axis=(1, 2)), even.sum(axis=(1, 2))
    curve = np.zeros((len(x), count + 2, count + 2))
    sums = lead_lead.sum(axis=2) + lead_lead.sum(axis=1)
    curve[:, :count, :count] = sums[:, :, None] * np.eye(count)
    curve[:, :count, :count] -= lead_lead + lead_lead.swapaxes(1, 2)
    curve[:, :count, count] = curve[:, count, :count] = net(lead_lead)
    curve[:, :count, count + 1] = curve[:, count + 1, :count] = net(lead_even)
    curve[:, count, count] = lead_lead.sum(axis=(1, 2))
    cross = lead_even.sum(axis=(1, 2))
    curve[:, count, count + 1] = curve[:, count + 1, count] = cross
    curve[:, count + 1, count + 1] = even_even.sum(axis=(1, 2))
    return value, slope, curve
