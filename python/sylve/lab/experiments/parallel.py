"""What a second thread is worth: simulations per second, and strength at equal time."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sylve.arena.statistics import Statistics
from sylve.lab.data import where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.match import ThreadPlayer, percent, play_block, side, statistics_of
from sylve.lab.statistics import Interval, compare, judge, mean_interval, quotient
from sylve.position import Position
from sylve.search import Searcher, Uct

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAME = "breakthrough"
WAYS = ("root", "batch", "tree")
EASY = 1.6
"""A speed-up with two threads that we call easy parallelism."""


def cells(size: Size) -> list[Cell]:
    """Speeds of each way and number of threads; pairs of games against one thread."""
    quick = size == "quick"
    speeds = [
        {"kind": "speed", "way": way, "threads": threads, "rounds": 5 if quick else 20,
         "simulations": 50_000 if quick else 300_000}
        for way in WAYS
        for threads in (1, 2)
    ]  # fmt: skip
    games = [
        {"kind": "match", "way": way, "block": block, "pairs": 1 if quick else 5,
         "seconds": 0.01 if quick else 0.03}
        for block in range(3 if quick else 20)
        for way in WAYS
    ]  # fmt: skip
    return [*speeds, *games]


def search_for(way: str) -> Uct:
    """The search that each way runs."""
    how = Uct(seed=1, solver=False)
    return replace(how, batch=32) if way == "batch" else how


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Rounds of a search by the clock, or some pairs."""
    way = cell["way"]
    if cell["kind"] == "match":
        two = ThreadPlayer(search_for(way), cell["seconds"], 2, way)
        one = ThreadPlayer(Uct(seed=1, solver=False), cell["seconds"], 1, "root")
        counts = play_block(cell, GAME, two, one, 4, seed)
        return [{"kind": "match", "way": way, "block": cell["block"], "seconds": cell["seconds"],
                 **counts}]  # fmt: skip
    rows = []
    for number in range(cell["rounds"]):
        parallel: Any = way
        threads = cell["threads"]
        searcher = Searcher(Position.start(GAME), search_for(way), threads=threads,
                            **({"parallel": parallel} if threads > 1 else {}))  # fmt: skip
        began = perf_counter()
        searcher.run(cell["simulations"])
        rows.append({"kind": "speed", "way": way, "threads": threads, "round": number,
                     "per_second": cell["simulations"] / (perf_counter() - began)})  # fmt: skip
    return rows


def speed(rows: Rows, way: str, threads: int) -> Interval:
    """Simulations per second."""
    chosen = where(rows, kind="speed", way=way, threads=threads)
    return mean_interval([row["per_second"] for row in chosen])


def gain(rows: Rows, way: str) -> Interval:
    """Two threads over one, with the errors of both."""
    return quotient(speed(rows, way, 2), speed(rows, way, 1))


def strength(rows: Rows, way: str) -> Statistics:
    """Two threads against one, at equal time."""
    return statistics_of(where(rows, kind="match", way=way))


def verdicts(rows: Rows) -> list[Verdict]:
    """The two claims."""
    gains = {way: gain(rows, way) for way in WAYS}
    sides = {compare(value, EASY) for value in gains.values()}
    told = "; ".join(f"{way}: x{value}" for way, value in gains.items())
    first = Verdict(
        judge(sides),
        f"Simulations per second with two threads over one (easy: above {EASY}): {told}.",
    )  # fmt: skip
    games, plain = {way: strength(rows, way) for way in WAYS}, speed(rows, "root", 1)
    told = "; ".join(
        f"{way}: {percent(found)}, {found.games} games" for way, found in games.items()
    )
    more = [way for way in WAYS if compare(quotient(speed(rows, way, 2), plain), 1.0) == "above"]
    second = Verdict(
        judge({side(games[way]) for way in more}),
        f"Two threads against one at equal time: {told}. Surely more simulations than one plain "
        f"thread, so that they count: {', '.join(more) or 'none'}.",
    )
    return [first, second]


def tables(rows: Rows) -> list[Table]:
    """Speeds and scores."""
    lines = [
        [way, speed(rows, way, 1).short, speed(rows, way, 2).short, gain(rows, way).short,
         percent(strength(rows, way)), strength(rows, way).games]
        for way in WAYS
    ]  # fmt: skip
    head = [
        "way",
        "simulations/s, 1 thread",
        "2 threads",
        "gain",
        "score against 1 thread",
        "games",
    ]
    return [Table(f"UCT on {GAME}", head, lines)]


def figure(rows: Rows) -> Figure:
    """Gains in speed, and scores."""
    from sylve.lab.style import COLOURS, panels, score

    drawing, axes = panels(1, 2, height=3)
    places = list(range(len(WAYS)))
    found = [gain(rows, way) for way in WAYS]
    axes[0].bar(places, [v.value for v in found], color=COLOURS[0], width=0.5,
                yerr=[[max(0.0, v.value - v.low) for v in found],
                      [max(0.0, v.high - v.value) for v in found]])  # fmt: skip
    axes[0].axhline(1, color="#555555", linewidth=0.8)
    axes[0].axhline(2, color="#555555", linewidth=0.8, linestyle="--")
    axes[0].set(ylabel="simulations/s, 2 threads over 1", title="speed")
    for place, way in zip(places, WAYS, strict=True):
        score(axes[1], place, strength(rows, way), upright=True, color=COLOURS[1])
    axes[1].axhline(50, color="#555555", linewidth=0.8, linestyle="--")
    axes[1].set(
        ylabel="score of 2 threads against 1, %", ylim=(0, 100), title="strength, equal time"
    )
    for axis in axes:
        axis.set_xticks(places, WAYS)
        axis.set_xlim(-0.6, len(WAYS) - 0.4)
        axis.grid(visible=False, axis="x")
    return drawing


EXPERIMENT = Experiment(
    name="parallel",
    claims=(
        Claim(
            "Parallelisation is easy: simulations are independent.",
            "document 001, Parallélisation facile",
        ),
        Claim(
            "More simulations in the same time play better.", "document 001, Nombre de simulations"
        ),
    ),
    method="""UCT on Breakthrough 8x8. `root`: searches apart, added up; `batch`: one tree, the
    playouts of 32 descents shared among the threads; `tree`: one tree, changed by all threads
    without locks. Speed is by the clock, the rounds one after the other; the gain is over the same
    way with one thread. Then two threads play against one, the plain search, with the same time for
    each move, in paired games. For the second claim those ways count that make more simulations
    than the plain search.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Left: simulations per second with two threads over one (dashed: twice). Right: score "
    "of two threads against one at equal time, with 95 % intervals.",
    notes=("It needs a machine with two free cores: other work counts against two threads.",),
    exact=False,
    serial=True,
)
