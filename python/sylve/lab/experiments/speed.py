"""Simulations per second, from the course's style of Python to the engine."""

from __future__ import annotations

import random
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from sylve.lab.data import values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, compare, judge, mean_interval, quotient, shown
from sylve.position import Position
from sylve.search import Search, Searcher, parse_search

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAME = "breakthrough(columns=5, rows=5)"
SEARCHES = {"Monte Carlo": "flat", "UCT": "uct(solver=false)", "UCT + AMAF": "rave(solver=false)"}
CLAIMED = {"Monte Carlo": 5000, "UCT": 3000, "UCT + AMAF": 2800}
COURSE, REFERENCE, ONE, TWO = "course style", "reference", "engine, 1 thread", "engine, 2 threads"
AMOUNT = {COURSE: 400, REFERENCE: 1000, ONE: 100_000, TWO: 200_000}
"""Simulations of a round."""


def cells(size: Size) -> list[Cell]:
    """An implementation of a search; rounds follow each other."""
    return [
        {"by": by, "search": search, "rounds": 5 if size == "quick" else 20, "amount": amount}
        for search in SEARCHES
        for by, amount in AMOUNT.items()
    ]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """The speed of each round: by processor time, with two threads by the clock."""
    rows = []
    for number in range(cell["rounds"]):
        cpu, wall = process_time(), perf_counter()
        one_round(cell["by"], cell["search"], cell["amount"], seed + number)
        cpu, wall = process_time() - cpu, perf_counter() - wall
        spent = wall if cell["by"] == TWO else cpu
        rows.append({"by": cell["by"], "search": cell["search"], "round": number,
                     "simulations": cell["amount"], "seconds": spent,
                     "per_second": cell["amount"] / spent})  # fmt: skip
    return rows


def one_round(by: str, name: str, amount: int, seed: int) -> None:
    """One search from the start."""
    if by == COURSE:
        from sylve.course.board import Board
        from sylve.course.flat import flat
        from sylve.course.uct import RAVE, UCT

        random.seed(seed)  # the course's own generator
        search = {"Monte Carlo": flat, "UCT": UCT, "UCT + AMAF": RAVE}[name]
        search(Board(), amount)
        return
    how = parse_search(SEARCHES[name])
    assert isinstance(how, Search)
    position = Position.start(GAME)
    engine: Any = "python" if by == REFERENCE else "rust"
    Searcher(position, how, engine=engine, threads=2 if by == TWO else 1).run(amount)


def speed(rows: Rows, by: str, name: str) -> Interval:
    """Simulations per second, over rounds."""
    return mean_interval([row["per_second"] for row in where(rows, by=by, search=name)])


def verdicts(rows: Rows) -> list[Verdict]:
    """The two claims."""
    found = {name: speed(rows, COURSE, name) for name in SEARCHES}
    told = "; ".join(f"{name}: {found[name]}, claimed {CLAIMED[name]:,}" for name in SEARCHES)
    inside = [v.low > CLAIMED[n] / 2 and v.high < CLAIMED[n] * 2 for n, v in found.items()]
    outside = [v.high < CLAIMED[n] / 2 or v.low > CLAIMED[n] * 2 for n, v in found.items()]
    first = Verdict(
        "holds" if all(inside) else "does not hold" if all(outside)
        else "holds in part" if any(inside) else "undecided",
        f"In the course's style, on this machine (a factor of two is allowed for it): {told}.",
    )  # fmt: skip
    parts, sides = [], set()
    for by in values(rows, "by"):
        share = quotient(speed(rows, by, "UCT + AMAF"), speed(rows, by, "UCT"))
        parts.append(f"{by}: {share}")
        sides.add(compare(share, 0.8))
    second = Verdict(
        judge(sides),
        "Speed of UCT + AMAF over that of UCT; claimed 0.93, above 0.8 counts: "
        + "; ".join(parts) + ".",
    )  # fmt: skip
    return [first, second]


def tables(rows: Rows) -> list[Table]:
    """Speeds, and how many times the course style's."""
    lines = []
    for by in values(rows, "by"):
        found = [speed(rows, by, name) for name in SEARCHES]
        base = [speed(rows, COURSE, name).value for name in SEARCHES]
        times = [f"x{shown(v.value / b)}" for v, b in zip(found, base, strict=True)]
        lines.append([by, *(v.short for v in found), *times])
    lines.append(["document 000", *(f"{n:,}" for n in CLAIMED.values()), "", "", ""])
    return [Table(f"Simulations per second, {GAME} from the start",
                  ["by", *SEARCHES, *(f"{n}: times the course style" for n in SEARCHES)],
                  lines)]  # fmt: skip


def figure(rows: Rows) -> Figure:
    """Bars on a logarithmic scale."""
    from sylve.lab.style import COLOURS, panels

    drawing, (axis,) = panels(1, 1, width=7, height=3.8)
    makers = values(rows, "by")
    for index, name in enumerate(SEARCHES):
        found = [speed(rows, by, name) for by in makers]
        places = [n + (index - 1) * 0.26 for n in range(len(makers))]
        axis.bar(places, [v.value for v in found], width=0.24, color=COLOURS[index], label=name,
                 yerr=[[v.value - max(v.low, 1.0) for v in found],
                       [v.high - v.value for v in found]],
                 error_kw={"linewidth": 0.8, "capsize": 2})  # fmt: skip
        axis.bar(len(makers) + (index - 1) * 0.26, CLAIMED[name], width=0.24,
                 color=COLOURS[index], alpha=0.5, hatch="//")  # fmt: skip
    axis.set_xticks(range(len(makers) + 1), [*makers, "document 000"])
    axis.set(yscale="log", ylabel="simulations per second",
             title="Breakthrough 5x5 from the start")  # fmt: skip
    axis.set_ylim(bottom=100)
    axis.grid(visible=False, axis="x")
    axis.legend(loc="upper left")
    return drawing


EXPERIMENT = Experiment(
    name="speed",
    claims=(
        Claim(
            "On Breakthrough 5x5 pure Monte Carlo runs 5,000 simulations per second, UCT 3,000, "
            "UCT + AMAF 2,800.",
            "document 000, Performance comparative",
        ),
        Claim(
            "AMAF costs little speed: 2,800 instead of 3,000 simulations per second.",
            "document 000, Performance comparative",
        ),
    ),
    method="""Searches of Breakthrough 5x5 from the start, several rounds each, one after the
    other. `course style` is `sylve/course/`, written anew in the way of the course's
    code: lists of lists, a deep copy for each simulation, a list of move objects at every ply.
    `reference` is the package's plain Python, `engine` its Rust core; two threads search apart
    and add up (`parallel="root"`). UCT + AMAF is `rave`. Speed is by processor time; with two
    threads it is by the clock, and other work on the machine counts against it.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Simulations per second (logarithmic scale) with 95 % intervals over rounds; hatched: "
    "what document 000 says.",
    notes=("Speeds belong to a machine and its load; ratios tell more than numbers.",),
    exact=False,
    serial=True,
)
