"""The weight of AMAF along a search, for every schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sylve.lab.data import random_position, seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, mean_interval, shown
from sylve.position import Position
from sylve.search import Searcher
from sylve.search.reference.schedules import optimal_beta, squared_bias
from sylve.search.reference.tally import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = ("breakthrough(columns=5, rows=5)", "breakthrough", "othello", "hex(size=7)", "go(size=9)")
SCHEDULES = ("hand", "bias(0.1)", "bias(0.02)", "slides", "course", "mse")
UNDIVIDED = "document 002's code"
"""sigma^2 as the variance of one sample, not of the mean."""
HIGH, LOW = 0.9, 0.1
"""What we call a weight near 1, and near 0."""
JUDGE = "mse"
"""The schedule that document 002 derives: the first claim is about it."""


def cells(size: Size) -> list[Cell]:
    """A schedule on a position."""
    quick = size == "quick"
    looks = [10, 30, 100, 300, 1000, 3000, 10_000] + ([] if quick else [30_000, 100_000])
    return [
        {"game": game, "position": number, "schedule": schedule,
         "looks": looks if game != "go(size=9)" else [n for n in looks if n <= 30_000]}
        for game in GAMES
        for number in range(3 if quick else 10)
        for schedule in SCHEDULES
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """The weight of AMAF of the best move and over all moves, at each look."""
    number = cell["position"]
    position = (
        Position.start(cell["game"])
        if number == 0
        else random_position(cell["game"], (2, 8), seed, number)
    )
    text = f"rave(schedule={cell['schedule']}, c=0.2, solver=false)"
    searcher = Searcher(position, seeded(text, seed, number))
    rows: list[dict[str, Any]] = []
    done = 0
    for look in cell["looks"]:
        report = searcher.run(look - done)
        done = look
        best = report.ranked[0]
        known = [m.beta for m in report.moves if m.visits and m.beta is not None]
        row = {"game": cell["game"], "position": number, "schedule": cell["schedule"],
               "simulations": look, "visits": best.visits, "amaf_visits": best.amaf_visits,
               "beta": best.beta,
               "mean_beta": sum(known) / len(known) if known else 1.0}  # fmt: skip
        rows.append(row)
        if cell["schedule"] == "mse":
            own = Tally(best.visits, best.wins, best.draws)
            # The report has the AMAF mean, not its wins: draws count as half a win each here.
            samples = best.amaf_visits or 0
            amaf = Tally(samples, round((best.amaf_mean or 0.0) * samples), 0)
            rows.append({**row, "schedule": UNDIVIDED, "beta": undivided(own, amaf),
                         "mean_beta": None})  # fmt: skip
    return rows


def undivided(own: Tally, amaf: Tally) -> float:
    """Beta as document 002's code computes it: sample variances, of one result."""
    first, second = (t.variance() * t.visits / (t.visits - 1) if t.visits > 1 else 1.0
                     for t in (own, amaf))  # fmt: skip
    return optimal_beta(first, first + second + squared_bias(own, amaf))


def at(rows: Rows, schedule: str, look: int) -> Interval:
    """The weight of the best move's AMAF at a look, over all positions."""
    return mean_interval([row["beta"] for row in where(rows, schedule=schedule, simulations=look)])


def half_way(rows: Rows, schedule: str) -> str:
    """Where the mean weight falls below 1/2."""
    for look in values(where(rows, schedule=schedule), "simulations"):
        if at(rows, schedule, look).value < 0.5:
            return f"{look:,}"
    return "not seen"


def verdicts(rows: Rows) -> list[Verdict]:
    """The two claims."""
    looks = [n for n in values(rows, "simulations") if len(where(rows, simulations=n)) > 1]
    first, last = looks[0], looks[-1]
    told = []
    begins: dict[str, str] = {}
    ends: dict[str, str] = {}
    for schedule in values(rows, "schedule"):
        start, end = at(rows, schedule, first), at(rows, schedule, last)
        half = half_way(rows, schedule)
        told.append(
            f"{schedule}: {shown(start.value)} at {first}, below 1/2 at {half}, {end} at {last:,}"
        )
        begins[schedule] = "yes" if start.low >= HIGH else "no" if start.high < HIGH else "open"
        ends[schedule] = "yes" if end.high <= LOW else "no" if end.low > LOW else "open"
    reason = "; ".join(told) + "."
    full = [schedule for schedule in ends if begins[schedule] == ends[schedule] == "yes"]
    both = {begins.get(JUDGE, "open"), ends.get(JUDGE, "open")}
    answer = Verdict(
        "does not hold" if "no" in both else "holds" if both == {"yes"} else "undecided",
        f"With {JUDGE}, at least {HIGH} at the start: {begins.get(JUDGE, 'open')}; at most {LOW} "
        f"at the end: {ends.get(JUDGE, 'open')}. Both, surely, with: "
        f"{', '.join(full) or 'no schedule'}. {reason}",
    )
    gone = [schedule for schedule, found in ends.items() if found == "yes"]
    left = [schedule for schedule, found in ends.items() if found == "no"]
    vanishes = Verdict(
        "holds" if len(gone) == len(ends) else "holds in part" if gone
        else "does not hold" if left else "undecided",
        f"At most {LOW} at {last:,} simulations: {', '.join(gone) or 'none'}; surely more: "
        f"{', '.join(left) or 'none'}. By their formulas all but {UNDIVIDED} tend to 0 (mse unless "
        "the two means agree); how soon is another matter.",
    )  # fmt: skip
    return [answer, vanishes]


def tables(rows: Rows) -> list[Table]:
    """The weight at each look."""
    looks = values(rows, "simulations")
    lines = [
        [schedule, *(at(rows, schedule, look).short for look in looks), half_way(rows, schedule)]
        for schedule in values(rows, "schedule")
    ]
    head = ["schedule", *(f"{look:,}" for look in looks), "below 1/2 at"]
    return [Table("The weight of AMAF for the most visited move, over all positions", head, lines)]


def figure(rows: Rows) -> Figure:
    """A panel for each game."""
    from sylve.lab.style import curve, panels

    games = values(rows, "game")
    drawing, axes = panels(2, 3)
    for axis, game in zip(axes, games, strict=False):
        for index, schedule in enumerate(values(rows, "schedule")):
            here = where(rows, game=game, schedule=schedule)
            looks = values(here, "simulations")
            found = [mean_interval([r["beta"] for r in where(here, simulations=n)]) for n in looks]
            curve(axis, index, looks, found, schedule, least=0.0, most=1.0)
        axis.axhline(0.5, color="#555555", linewidth=0.8, linestyle="--")
        axis.set(xscale="log", ylim=(-0.03, 1.03), xlabel="simulations", title=game,
                 ylabel="beta of the best move")  # fmt: skip
    for axis in axes[len(games) :]:
        axis.axis("off")
    handles, labels = axes[0].get_legend_handles_labels()
    axes[-1].legend(handles, labels, loc="center", fontsize=9)
    return drawing


EXPERIMENT = Experiment(
    name="beta",
    claims=(
        Claim(
            "Along a search beta goes from about 1 (AMAF dominates) through 1/2 to about 0 (Monte "
            "Carlo dominates).",
            "document 002, Comportement dynamique de beta",
        ),
        Claim(
            "beta tends to 0 as n grows, so that RAVE converges to the true value.",
            "document 002, Convergence",
        ),
    ),
    method="""RAVE searches positions of five games (the start, and others two to eight random
    plies from it) with each schedule; at each look the beta of the root's most visited move is
    noted. Exploration c = 0.2, no proofs, so that searches go on. The last row of the table is no
    schedule of ours: it computes beta from the same tallies as `mse`, but as the code of document
    002 does, with the variance of one sample in place of the variance of the mean.

    A weight of at least 0.9 at the first look counts as about 1, one of at most 0.1 at the last
    as about 0. The first claim is judged by `mse` alone, the formula that document 002 derives: it
    holds if both are sure, and does not hold if one of them surely fails. The second is judged by
    all schedules. Intervals are over positions.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="beta of the most visited move along a search, mean over positions and its 95 % "
    "interval. Dashed: 1/2.",
    notes=(
        "How soon beta falls also depends on which moves the search prefers: the best move has "
        "the most visits, and so the smallest beta.",
    ),
)
