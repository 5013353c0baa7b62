"""`explain`: why a move was chosen, and how sure that is, in plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from sylve.screen import plural
from sylve.search.confidence import FEW, careful_error, largest_error, verdict
from sylve.search.reference.searches import (
    AmafUct,
    Flat,
    FlatAmaf,
    Search,
    SequentialHalving,
    TreeSearch,
)

if TYPE_CHECKING:
    from sylve.search.reports.report import MoveReport, Report


PROVEN = {
    "win": "it wins",
    "draw": "it draws, and no move wins",
    "loss": "every move loses",
    None: "",
}


def explain(report: Report) -> str:
    """Two or three sentences: the reason for the best move, how sure it is, what it does not tell.

    "Clear" is a difference of the means of three standard errors or more, "likely" of two, and less
    is "not settled". docs/report.md says what these errors leave out.
    """
    best, *others = report.ranked
    if not others:
        return f"{best.name} is the only legal move: nothing was searched."
    if report.stopped == "proven":
        return f"{best.name} was chosen because it is proven: {PROVEN[best.proven]} with best play."
    told = [reason(report, best, others[0]), *guided(report, best, others[0])]
    return " ".join([*told, *certainty(report, best, others[0])])


def reason(report: Report, best: MoveReport, second: MoveReport) -> str:
    """What the search goes by, for the best move and the runner-up."""
    match report.search:
        case Flat():
            return by_mean("mean", best, second, best.mean, second.mean)
        case FlatAmaf():
            # A move that was never seen stands at 1/2.
            first, other = best.amaf_mean, second.amaf_mean
            return by_mean(
                "AMAF mean", best, second,
                0.5 if first is None else first, 0.5 if other is None else other,
            )  # fmt: skip
        case SequentialHalving():
            return by_halving(report, best, second)
    return by_visits(report, best, second)


def guided(report: Report, best: MoveReport, second: MoveReport) -> list[str]:
    """What an evaluation says of both, where the search goes by it too."""
    how = report.search
    if not isinstance(how, TreeSearch) or best.implicit is None or second.implicit is None:
        return []
    return [
        f"The minimax values of the tree below them, {how.implicit:.0%} of the score, are"
        f" {best.implicit:.3f} and {second.implicit:.3f}."
    ]


def by_mean(
    what: str, best: MoveReport, second: MoveReport, first: float | None, other: float | None
) -> str:
    """The highest mean wins, then the first move; a move without playouts has none."""
    if first is None or other is None:
        untried = "either" if first is None else second.name
        return f"{best.name} was chosen by the {what}, but there were no playouts of {untried}."
    if first == other:
        return (
            f"{best.name} and {second.name} have the same {what}, {first:.3f}:"
            f" {best.name} was chosen because it comes first."
        )
    return (
        f"{best.name} was chosen for the highest {what}, {first:.3f}, against {other:.3f} for the"
        f" runner-up {second.name}."
    )


def by_visits(report: Report, best: MoveReport, second: MoveReport) -> str:
    """The most visits win, then the higher mean, then the first move."""
    share = f"{best.visits:,} of {report.playouts:,}"
    if best.visits == second.visits:
        why = "it comes first" if best.mean == second.mean else "its mean is higher"
        return (
            f"{best.name} and {second.name} have the most visits, {share} each: {best.name} was"
            f" chosen because {why}."
        )
    return (
        f"{best.name} was chosen for the most visits, {share}, against {second.visits:,} for the"
        f" runner-up {second.name}."
    )


def by_halving(report: Report, best: MoveReport, second: MoveReport) -> str:
    """The rounds survived decide, then the mean."""
    rounds, complete = halvings(len(report.moves), report.playouts)
    if not complete:
        return (
            f"{best.name} was chosen because it survived the most rounds of halving and has the"
            f" best mean of those that did, but all {rounds} rounds need more than"
            f" {plural(report.playouts, 'playout')}."
        )
    times = "the one round" if rounds == 1 else f"all {rounds} rounds"
    return (
        f"{best.name} was chosen because it survived {times} of halving; the runner-up"
        f" {second.name} was the last to be dropped."
    )


def halvings(moves: int, playouts: int) -> tuple[int, bool]:
    """The rounds that leave one of so many moves, and whether the playouts suffice for them."""
    rounds = (moves - 1).bit_length()
    needed, left = 0, moves
    while left > 1:
        needed += max(1, playouts // (left * rounds)) * left
        left = (left + 1) // 2
    return rounds, playouts >= needed


@dataclass(frozen=True)
class Measured:
    """The mean that counts for a move."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.error:.3f}"


def certainty(report: Report, best: MoveReport, second: MoveReport) -> list[str]:
    """How the means compare, in standard errors, and what these do not tell."""
    amaf = isinstance(report.search, FlatAmaf)
    for entry in (best, second):
        samples = (entry.amaf_visits if amaf else entry.visits) or 0
        if samples < FEW:
            times = "once" if samples == 1 else f"{samples} times"
            seen = f"seen {times} in the playouts" if amaf else f"tried {times}"
            alone = f"This is not settled: {entry.name} was {seen}, too few to compare means."
            return [alone] if isinstance(report.search, TreeSearch) else [alone, caveat(report)]
    first, other = measure(report, best), measure(report, second)
    difference = first.mean - other.mean
    errors = difference / sqrt(first.error * first.error + other.error * other.error)
    units = "AMAF mean ± standard error" if amaf else "mean ± standard error"
    if difference < 0:
        told = (
            f"The mean of the runner-up is higher, {other} against {first} ({units}), by"
            f" {-difference:.3f} or {-errors:.1f} standard errors: not settled."
        )
    else:
        told = (
            f"Their means are {first} and {other} ({units}), a difference of {difference:.3f} or"
            f" {errors:.1f} standard errors: {verdict(errors)}."
        )
    return [told, caveat(report)]


def measure(report: Report, entry: MoveReport) -> Measured:
    """The mean that the search goes by, with its standard error; at least `FEW` samples."""
    how = report.search
    if isinstance(how, FlatAmaf):
        assert entry.amaf_mean is not None
        assert entry.amaf_visits is not None
        return Measured(entry.amaf_mean, largest_error(entry.amaf_mean, entry.amaf_visits))
    assert entry.mean is not None
    assert entry.stderr is not None
    samples, error = float(entry.visits), entry.stderr
    if isinstance(how, Flat) and how.gamma < 1:
        samples = effective_samples(how.gamma, entry.visits)
        error = error * sqrt(entry.visits / samples)
    return Measured(entry.mean, careful_error(error, int(samples)))


def effective_samples(gamma: float, samples: int) -> float:
    """How many equal samples are as sure as these with weights 1, gamma, gamma^2, ...

    (sum of weights)^2 / (sum of squared weights), Kish 1965; at most (1 + gamma) / (1 - gamma).
    """
    last = gamma**samples
    return (1 - last) * (1 + gamma) / ((1 + last) * (1 - gamma))


def caveat(report: Report) -> str:
    """What the errors do not tell."""
    how = report.search
    if isinstance(how, Search) and how.real:
        return "Playouts are cut: these are means of an evaluation, and as good as it is."
    if isinstance(how, TreeSearch):
        drift = "In a tree the means drift as replies are learnt, so the real uncertainty is larger"
        if isinstance(how, AmafUct) and how.alpha > 0:
            return f"{drift}; and {how.name()} never outgrows the bias of AMAF."
        return f"{drift}."
    assert isinstance(how, Search)
    limits = (
        f"{how.name()} never looks at replies: it looks for the best move against"
        f" {how.playout.name()} playouts"
    )
    if isinstance(how, FlatAmaf):
        return f"{limits}; and the bias of AMAF is not part of these errors."
    return f"{limits}."
