"""Ratings of many players, by penalised maximum likelihood, with profile-likelihood intervals.

The model is that of Elo: with d = rating of the first player + advantage of the first move - rating
of the second, in units of log odds, the first player is expected to score 1 / (1 + exp(-d)) points.
A draw counts as half a win and half a loss. So a rating means what the Elo of a match means.

Where a player scores nothing at all the likelihood has no maximum. So everybody is given one
virtual game against the average of all players, half won and half lost, and so is the first move (a
log-F(1, 1) prior: Greenland and Mansournia 2015). Then a maximum always exists, is finite and is
unique.

An interval holds the ratings at which the data are not much less likely than at the best ones, with
everything else refitted ("profile likelihood"). Unlike a standard error it is right also where the
likelihood is lopsided: for players who hardly ever lose, and after few games. Draws, and openings
that are shared by the two games of a pair, make points vary less or more than independent wins and
losses would: by how much is measured (`dispersion`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sylve.arena.statistics import ELO
from sylve.search.confidence import Z95

Floats = NDArray[np.float64]
Kinds = Mapping[tuple[int, int], Sequence[Sequence[int]]]
"""For players i < j, how often a pair of games gave [half points of i as first player in one game]
[half points of i as second player in the other]: 3 x 3 counts."""

FEWEST = 5  # pairs of a player below which no interval is told
VIRTUAL = 1.0  # games, half won and half lost, of each player against the average
EXPECTED = 30.0  # pairs by which the dispersion is held near that of independent games
EXPECTED_GAMES = 5.0  # games by which that of games is held near that of games without draws
NEWTON, HALVINGS, BISECTIONS = 100, 40, 24
TRACE = 1e-6  # of a virtual game, so that Newton's method has somewhere to go
FAR = 16.0  # log odds, 2,780 Elo: nothing ends beyond


@dataclass(frozen=True)
class Rating:
    """What is known of one player."""

    elo: float
    """Relative to the mean of all, or to the anchor."""
    stderr: float
    low: float
    high: float
    """The 95 % interval; with the standard error nan where there are too few pairs."""
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
    """The share of drawn games."""


def rate(count: int, kinds: Kinds, *, anchor: int | None = None) -> Ratings:
    """The ratings of `count` players from their pairs of games."""
    pairings = sorted(kinds)
    tables = np.array([kinds[key] for key in pairings], dtype=float).reshape(-1, 9)
    games = by_colour(count, pairings, tables)
    (best,) = newton(games[None])
    contrasts = differences(count, anchor)
    factor, freedom = dispersion(best, pairings, tables)
    errors = np.sqrt(factor * variances(best, games, contrasts))
    pairs = [tables[[index in key for key in pairings]].sum() for index in range(count)]
    enough = np.array([*pairs, tables.sum()]) >= FEWEST
    ends = profile(games, contrasts, factor * student(freedom) ** 2)
    numbers = ELO * np.stack([contrasts @ best, errors, *ends], axis=1)
    numbers[~enough, 1:] = math.nan
    players = []
    for index in range(count):
        own = games[index].sum(axis=0) + games[:, index].sum(axis=0)[::-1]
        points = float(own[2] + own[1] / 2)
        elo, stderr, low, high = numbers[index].tolist()
        players.append(Rating(elo, stderr, low, high, round(own.sum()), points))
    first_move, stderr, *_ = numbers[-1].tolist()
    drawn = float(games[..., 1].sum() / max(games.sum(), 1))
    return Ratings(tuple(players), first_move, stderr, drawn)


def differences(count: int, anchor: int | None) -> Floats:
    """A row for each player: its rating less the one that is called 0; the advantage comes last."""
    rows = np.eye(count + 1)
    if anchor is None:
        rows[:count, :count] -= 1 / count
    else:
        rows[:count, anchor] -= 1
    return rows


def by_colour(count: int, pairings: Sequence[tuple[int, int]], tables: Floats) -> Floats:
    """games[..., i, j, h]: how often i, as first player against j, got h half points."""
    games = np.zeros((*tables.shape[:-2], count, count, 3))
    for index, (i, j) in enumerate(pairings):
        square = tables[..., index, :].reshape(*tables.shape[:-2], 3, 3)
        games[..., i, j, :] += square.sum(axis=-1)
        games[..., j, i, :] += square.sum(axis=-2)[..., ::-1]
    return games


def dispersion(
    best: Floats, pairings: Sequence[tuple[int, int]], tables: Floats
) -> tuple[float, float]:
    """How much the points of a pair vary, two independent games without draws = 1; and how surely.

    Measured at the best ratings, and held near what single games show by `EXPECTED` more pairs of
    which that is true. The second number are the degrees of freedom: so many fair pairs.
    """
    points = np.arange(3.0) / 2
    by_game = by_pair = expected = 0.0
    for (i, j), table in zip(pairings, tables, strict=True):
        first = expected_score(best[i] + best[-1] - best[j])
        second = 1 - expected_score(best[j] + best[-1] - best[i])
        square = table.reshape(3, 3)
        away = (points[:, None] - first, points[None, :] - second)
        by_game += float((square * (away[0] ** 2 + away[1] ** 2)).sum())
        by_pair += float((square * (away[0] + away[1]) ** 2).sum())
        expected += float(table.sum() * (first * (1 - first) + second * (1 - second)))
    total, fitted = float(tables.sum()), len(best) - 1
    known = max(0.0, min(total - fitted, 2 * expected))  # a fair pair varies by 1/2
    if known == 0:
        return 1.0, EXPECTED
    scale = total / (total - fitted) / expected
    games = (4 * known * by_game * scale + EXPECTED_GAMES) / (4 * known + EXPECTED_GAMES)
    pairs = (known * by_pair * scale + EXPECTED * games) / (known + EXPECTED)
    return pairs, known + EXPECTED


def expected_score(d: float) -> float:
    """Of a player whose rating is higher by d, in log odds."""
    return 1 / (1 + math.exp(-d))


def student(freedom: float) -> float:
    """The quantile of Student's distribution at 0.975, by its expansion (Fisher and Cornish)."""
    z = Z95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def variances(best: Floats, games: Floats, contrasts: Floats) -> Floats:
    """The variance of each contrast by the curvature of the likelihood at its maximum."""
    *_, curve = likelihood(best[None], games[None], VIRTUAL)
    size = len(best)
    inverse = np.linalg.inv(bordered(curve, gauge(games[None])))[0, :size, :size]
    return np.asarray(np.einsum("ci,ij,cj->c", contrasts, inverse, contrasts))


def profile(games: Floats, contrasts: Floats, cutoff: float) -> Floats:
    """The lowest and the highest value of each contrast that the games allow, as two rows.

    There twice the fall of the likelihood from its supremum reaches `cutoff`, without any virtual
    games: a player who won everything has no upper end.
    """
    fixed = ~contrasts.any(axis=1)  # the anchor, which is 0 by definition
    rows = np.vstack([contrasts[~fixed]] * 2)
    many = np.broadcast_to(games, (len(rows), *games.shape))
    best = newton(games[None], virtual=TRACE)
    (top,), *_ = likelihood(best, games[None], TRACE)
    x = np.repeat(best, len(rows), axis=0)
    lengths = (rows**2).sum(axis=1)
    inside = (rows * x).sum(axis=1)
    outside = inside + np.repeat([-FAR, FAR], len(rows) // 2)
    for _ in range(BISECTIONS):
        middle = (inside + outside) / 2
        x = x + rows * ((middle - (rows * x).sum(axis=1)) / lengths)[:, None]
        x = newton(many, x, rows, TRACE)
        fallen = 2 * (top - likelihood(x, many, TRACE)[0]) > cutoff
        inside, outside = np.where(fallen, inside, middle), np.where(fallen, middle, outside)
    ends = np.zeros((2, len(contrasts)))
    ends[:, ~fixed] = np.where(np.abs(inside) > FAR, np.copysign(np.inf, inside), inside).reshape(
        2, -1
    )
    return ends


# From here on everything is done for many tables of games at once: the first axis counts them.


def gauge(games: Floats) -> Floats:
    """Only differences of ratings count: their sum is held at 0."""
    rows = np.ones((len(games), 1, games.shape[1] + 1))
    rows[:, :, -1] = 0
    return rows


def bordered(curve: Floats, rows: Floats) -> Floats:
    """The matrix of a Newton step that does not move along `rows`."""
    size, extra = curve.shape[1], rows.shape[1]
    full = np.zeros((len(curve), size + extra, size + extra))
    # A trace of ridge for what the games say nothing about.
    full[:, :size, :size] = curve + 1e-9 * np.eye(size)
    full[:, size:, :size] = rows
    full[:, :size, size:] = rows.swapaxes(1, 2)
    return full


def newton(
    games: Floats, start: Floats | None = None, row: Floats | None = None, virtual: float = VIRTUAL
) -> Floats:
    """The best ratings and advantage, by Newton's method, halved where it overshoots.

    `row`: a combination of the parameters that keeps its value at `start`.
    """
    size = games.shape[1] + 1
    x = np.zeros((len(games), size)) if start is None else start.copy()
    rows = gauge(games)
    if row is not None:
        rows = np.concatenate([rows, row[:, None, :]], axis=1)
    value, slope, curve = likelihood(x, games, virtual)
    right = np.zeros((len(x), size + rows.shape[1], 1))
    for _ in range(NEWTON):
        right[:, :size, 0] = slope
        step = np.linalg.solve(bordered(curve, rows), right)[:, :size, 0]
        step *= np.minimum(1.0, 5.0 / np.maximum(np.abs(step).max(axis=1), 1e-300))[:, None]
        for _ in range(HALVINGS):
            found = likelihood(x + step, games, virtual)
            worse = found[0] < value - 1e-12 * np.abs(value)
            if not worse.any():
                break
            step[worse] /= 2
        gained = (slope * step).sum(axis=1)
        x = x + step
        value, slope, curve = found
        if gained.max(initial=0.0) < 1e-12:
            break
    return x


def likelihood(x: Floats, games: Floats, virtual: float) -> tuple[Floats, Floats, Floats]:
    """The log-likelihoods, their gradients, and minus their second derivatives."""
    count = games.shape[1]
    rating, advantage = x[:, :count], x[:, count, None, None]
    d = rating[:, :, None] + advantage - rating[:, None, :]
    won, total = games[..., 2] + games[..., 1] / 2, games.sum(axis=3)
    value = (won * d - total * np.logaddexp(0, d)).sum(axis=(1, 2))
    chance = 1 / (1 + np.exp(-d))
    lead = won - total * chance
    bend = total * chance * (1 - chance)

    def net(table: Floats) -> Floats:
        """d grows by 1 with the rating of the first player and falls with that of the second."""
        difference: Floats = table.sum(axis=2) - table.sum(axis=1)
        return difference

    slope = np.zeros_like(x)
    slope[:, :count], slope[:, count] = net(lead), lead.sum(axis=(1, 2))
    curve = np.zeros((len(x), count + 1, count + 1))
    sums = bend.sum(axis=2) + bend.sum(axis=1)
    curve[:, :count, :count] = sums[:, :, None] * np.eye(count)
    curve[:, :count, :count] -= bend + bend.swapaxes(1, 2)
    curve[:, :count, count] = curve[:, count, :count] = net(bend)
    curve[:, count, count] = bend.sum(axis=(1, 2))
    # The virtual games: of each rating against 0, the mean of all, and of the advantage.
    chance = 1 / (1 + np.exp(-x))
    value = value - virtual / 2 * (np.logaddexp(0, x) + np.logaddexp(0, -x)).sum(axis=1)
    slope += virtual * (0.5 - chance)
    curve += (virtual * chance * (1 - chance))[:, None, :] * np.eye(count + 1)
    return value, slope, curve
