"""Do more simulations give better moves? The same search, looked at while it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from sylve.lab.data import seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Row, Rows, Size, Table, Verdict
from sylve.lab.ground_truth import Puzzle, puzzle, winning_moves
from sylve.lab.statistics import (
    Interval,
    compare,
    grouped_share,
    judge,
    mean_interval,
    share_interval,
)
from sylve.position import Position
from sylve.search import Report, Searcher

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BREAKTHROUGH, CONNECT_FOUR = "breakthrough(columns=5, rows=5)", "connect_four"
PLIES = {BREAKTHROUGH: (6, 10), CONNECT_FOUR: (8, 16)}
START_RUNS = {BREAKTHROUGH: 13, CONNECT_FOUR: 10}
"""Breakthrough 5x5 has 13 first moves; Connect Four gets 10 seeds."""
MIDDLE = 3
"""The only first move that wins Connect Four (Allen 1988; Allis 1988; the tests solve it)."""
LOOKS = (100, 316, 1000, 3162, 10_000, 31_623, 100_000, 316_228, 1_000_000, 3_162_278, 10_000_000)
"""Two for each power of ten."""
DECADES = (100, 1000, 10_000, 100_000, 1_000_000, 10_000_000)
BLOCK = 5
"""Positions of a cell."""
LONG = 12
"""So many blocks are searched to the largest number of simulations."""
KINDS = ("positions", "start")


class Contender(NamedTuple):
    """A search, and how far it is taken at the starts: slow ones not so far."""

    text: str
    start: int = 10_000_000
    reply: int = 10_000_000
    """The same in Breakthrough 5x5."""
    tree: bool = True


RECOMMENDED = "uct(playout=decisive, rule=ucb1(c=0.8))"
"""What docs/searches.md recommends for Connect Four."""
CONTENDERS = (
    Contender("flat", 1_000_000, 1_000_000, tree=False),
    Contender("ucb", 1_000_000, 1_000_000, tree=False),
    Contender("uct"),
    Contender("rave"),
    Contender("grave"),
    Contender(RECOMMENDED, reply=1_000_000),
    Contender("uct(solver_nodes=100)", 1_000_000, 1_000_000),
    Contender("uct(solver_rate=4)", 1_000_000, 1_000_000),
    Contender("uct(implicit=0.4, prior=heuristic, playout=cut(4))", 1_000_000, 1_000_000),
)
EARLIEST = 10_000
"""From here on the recommended search must be right at the start."""
GOOD = 0.95
STRICT = 3.29 / 1.96
"""Many steps are looked at: a step is sure beyond an interval of about 99.9 %."""


def cells(size: Size) -> list[Cell]:
    """A search on a block of positions, and one run of it from the start."""
    quick = size == "quick"
    blocks, largest = (8, 3162) if quick else (60, 100_000)
    found: list[Cell] = [
        {"kind": "positions", "game": game, "search": contender.text, "block": block,
         "positions": BLOCK,
         "largest": 1_000_000 if block < LONG and not quick else largest}
        for game in PLIES
        for block in range(blocks)
        for contender in CONTENDERS
    ]  # fmt: skip
    return found + [
        {"kind": "start", "game": game, "search": contender.text, "block": number,
         "positions": 1, "largest": 100_000 if quick else
         contender.start if game == CONNECT_FOUR else contender.reply}
        for game in PLIES
        for number in range(3 if quick else START_RUNS[game])
        for contender in CONTENDERS
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """One run for each position goes on through the looks."""
    looks = [look for look in LOOKS if look <= cell["largest"]]
    right, mean, proven = ([0.0] * len(looks) for _ in range(3))
    for index in range(cell["block"] * cell["positions"], (cell["block"] + 1) * cell["positions"]):
        position, winning = start(cell, index) if cell["kind"] == "start" else puzzle(
            cell["game"], PLIES[cell["game"]], seed, index)  # fmt: skip
        searcher = Searcher(position, seeded(cell["search"], seed, index))
        for place, look in enumerate(looks):
            # After a proof this returns at once, with the same move.
            report = searcher.run(look - searcher.report().playouts)
            right[place] += report.best in winning
            mean[place] += value_of(report)
            proven[place] += report.stopped == "proven"
    named = {name: cell[name] for name in ("kind", "game", "search", "block")}
    return [
        {**named, "simulations": look, "positions": cell["positions"], "right": int(right[place]),
         "proven": int(proven[place]), "mean": mean[place] / cell["positions"]}
        for place, look in enumerate(looks)
    ]  # fmt: skip


def start(cell: Cell, number: int) -> Puzzle:
    """The start of Connect Four; in Breakthrough 5x5 a reply: every first move loses."""
    begin = Position.start(cell["game"])
    if cell["game"] == CONNECT_FOUR:
        return Puzzle(begin, frozenset({MIDDLE}))
    position = begin.play(begin.moves[number])
    return Puzzle(position, winning_moves(position))


def value_of(report: Report) -> float:
    """What the search says of the move that it chooses; all of them are won."""
    entry = report[report.best]
    return 1.0 if entry.proven == "win" else entry.mean or 0.0


def share(rows: Rows, look: int) -> Interval:
    """The share that is right at a look."""
    here = where(rows, simulations=look)
    groups = [(row["right"], row["positions"]) for row in here]
    if here[0]["kind"] == "start":
        return share_interval(sum(right for right, _ in groups), len(groups))
    return grouped_share(groups, sum(row["positions"] for row in here))


def step(rows: Rows, one: int, two: int) -> Interval:
    """How much larger the share is at the second look, over those that reached both."""
    shares = [
        {row["block"]: row["right"] / row["positions"] for row in where(rows, simulations=look)}
        for look in (one, two)
    ]
    found = mean_interval([shares[1][block] - shares[0][block] for block in shares[1]])
    half = STRICT * found.error
    return Interval(found.value, found.value - half, found.value + half)


def lines(rows: Rows) -> Iterator[tuple[str, str, str, list[Row]]]:
    """Each kind, game and search with its rows."""
    for kind in KINDS:
        for game in values(rows, "game"):
            for search in values(where(rows, kind=kind, game=game), "search"):
                yield kind, game, search, where(rows, kind=kind, game=game, search=search)


def decades(rows: Rows) -> list[int]:
    """The powers of ten among the looks."""
    return [look for look in values(rows, "simulations") if look in DECADES]


def falls(rows: Rows) -> list[str]:
    """From which power of ten to which a search surely gets worse."""
    told = []
    for one, two in combinations(decades(rows), 2):
        change = step(rows, one, two)
        if compare(change, 0.0) == "below":
            told.append(f"{100 * change.value:+.0f} points from {one:,} to {two:,}")
    return told


def direction(rows: Rows) -> str:
    """`below` if it surely gets worse somewhere, `above` if it only gets better."""
    if falls(rows):
        return "below"
    looks = decades(rows)
    return compare(step(rows, looks[0], looks[-1]), 0.0)


def name_of(kind: str, game: str, search: str) -> str:
    """A line in words."""
    return f"{search} on {game.split('(')[0]}, {kind}"


def verdicts(rows: Rows) -> list[Verdict]:
    """The three claims."""
    return [verdict_exact(rows), verdict_converges(rows), verdict_recommended(rows)]


def verdict_exact(rows: Rows) -> Verdict:
    """The more simulations, the more often right?"""
    sides, worse = [], []
    for kind, game, search, here in lines(rows):
        sides.append(direction(here))
        worse += [f"{name_of(kind, game, search)}: {told}" for told in falls(here)[-1:]]
    better = sum(side == "above" for side in sides)
    return Verdict(
        judge(sides),
        f"{better} of {len(sides)} surely get better from first to last and worse nowhere; surely "
        f"worse somewhere: {'; '.join(worse) or 'none'}.",
    )


def verdict_converges(rows: Rows) -> Verdict:
    """Do tree searches find the best move in the end?"""
    sides, told = [], []
    roots = [contender.text for contender in CONTENDERS if not contender.tree]
    for kind, game, search, here in lines(rows):
        if search not in roots:
            last = values(here, "simulations")[-1]
            found = share(here, last)
            side = compare(found, GOOD)
            # Ten runs can refute it; even if all are right, they do not show 95 %.
            sides += [side] if kind == "positions" or side == "below" else []
            told.append(f"{name_of(kind, game, search)}: {found} after {last:,}")
    return Verdict(judge(sides), f"Right {'; '.join(told)}.")


def verdict_recommended(rows: Rows) -> Verdict:
    """Does the search that we recommend for Connect Four keep what it finds?"""
    here = where(rows, kind="start", game=CONNECT_FOUR, search=RECOMMENDED)
    sides, told = [], []
    for look in decades(here):
        if look >= EARLIEST:
            row = where(here, simulations=look)
            right = sum(r["right"] for r in row)
            surely = compare(share(here, look), GOOD) == "below"
            sides.append("above" if right == len(row) else "below" if surely else "straddles")
            told.append(f"{right} of {len(row)} after {look:,}")
    placed = where(rows, kind="positions", game=CONNECT_FOUR, search=RECOMMENDED)
    worse = falls(placed)
    if placed:
        sides.append("below" if worse else "above")
    return Verdict(
        judge(sides),
        f"{RECOMMENDED} chooses the middle column {', '.join(told)}; on positions it surely gets "
        f"worse {'; '.join(worse) or 'nowhere'}.",
    )


def tables(rows: Rows) -> list[Table]:
    """The share right at each look, and the value that the search believes."""
    found = []
    for kind in KINDS:
        for game in values(rows, "game"):
            chosen = where(rows, kind=kind, game=game)
            looks = values(sorted(chosen, key=lambda row: row["simulations"]), "simulations")
            runs = {n: max(sum(row["positions"] for row in where(
                chosen, search=search, simulations=n)) for search in values(chosen, "search"))
                for n in looks}  # fmt: skip
            head = ["search", *(f"{n:,} ({runs[n]})" for n in looks)]
            right, mean = [], []
            for search in values(chosen, "search"):
                here = where(chosen, search=search)
                there = values(here, "simulations")
                right.append([search, *(told(here, n) if n in there else "" for n in looks)])
                mean.append([search, *(f"{believed(here, n):.3f}" if n in there else ""
                                       for n in looks)])  # fmt: skip
            what = "the start" if kind == "start" else "positions"
            found.append(Table(f"{game}, {what}: right moves by simulations (and runs)",
                               head, right))  # fmt: skip
            found.append(Table(f"{game}, {what}: the mean of the chosen move; the truth is 1",
                               head, mean))  # fmt: skip
    return found


def told(rows: Rows, look: int) -> str:
    """A share for a table; of few runs as a count."""
    here = where(rows, simulations=look)
    if here[0]["kind"] == "start":
        return f"{sum(row['right'] for row in here)} of {len(here)}"
    found = share(rows, look)
    return f"{found.value:.3f} ± {found.error:.3f}"


def believed(rows: Rows, look: int) -> float:
    """The mean of the chosen moves."""
    here = where(rows, simulations=look)
    return float(sum(row["mean"] for row in here) / len(here))


def figure(rows: Rows) -> Figure:
    """Share right against simulations: positions and starts of both games."""
    from sylve.lab.style import line, panels

    games, searches = values(rows, "game"), values(rows, "search")
    drawing, axes = panels(len(games), 2, height=3.7 * len(games))
    for number, game in enumerate(games):
        for part, kind in enumerate(KINDS):
            axis = axes[2 * number + part]
            for search in values(where(rows, kind=kind, game=game), "search"):
                here = where(rows, kind=kind, game=game, search=search)
                looks = values(here, "simulations")
                points = [share(here, look) for look in looks]
                # Intervals of ten runs would hide everything; those of positions are narrow.
                ends = {"low": [p.low for p in points], "high": [p.high for p in points]}
                line(axis, searches.index(search), looks, [p.value for p in points], search,
                     **(ends if kind == "positions" else {}))  # fmt: skip
            axis.set(xscale="log", xlabel="simulations", ylabel="share of right moves",
                     ylim=(0.3 if kind == "positions" else -0.03, 1.02),
                     title=f"{game.split('(')[0]}: {kind}")  # fmt: skip
        axes[2 * number].legend(loc="best", fontsize=6.5)
    return drawing


EXPERIMENT = Experiment(
    name="budget",
    claims=(
        Claim(
            "The larger n, the more exact is the estimate.",
            "document 001, Nombre de simulations",
        ),
        Claim(
            "Tree search converges to the optimal move with enough iterations.",
            "document 003, Convergence garantie, read as a claim about UCT",
        ),
        Claim(
            "The search recommended for Connect Four chooses the middle column at its start with "
            "10,000 simulations and with any larger number, and gets worse nowhere.",
            "docs/searches.md, Which one",
        ),
    ),
    method="""Positions of Breakthrough 5x5 after 6 to 10 random plies, and of Connect Four after 8
    to 16, that the side to move wins with at most a third of its moves; a solver knows which.
    The starts: in Connect Four only the middle column wins, and each search gets ten seeds; in
    Breakthrough 5x5 every first move loses, so the search answers each of the 13. One run for each
    position goes on through all looks, so that only the number of simulations differs between
    them. A proof ends a run early; its move stays.

    All 300 positions of a game are searched to 100,000 simulations, 60 of them to 1,000,000; the
    starts to 10,000,000, with slow searches to 1,000,000. The tables say how many runs are behind
    each column.

    Claim 1: every power of ten is compared with every larger one, on the runs that reached both. A
    search gets worse if the share of right moves surely falls between any two; it gets better if
    it surely rises from the first to the last and falls nowhere. The claim holds if every search
    gets better on every game, at positions and starts. As many steps are looked at, sure means
    here an interval of about 99.9 %. Claim 2 holds if every tree search is surely right in more
    than 95 % of positions with the most simulations, and surely below that at no start. Claim 3
    holds if the recommended search is right with every seed at 10,000, 100,000, ... simulations,
    and its share of right moves at positions of Connect Four surely falls nowhere. Other intervals
    are of 95 %, over blocks of five positions, or over seeds.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Share of right moves along searches, with 95 % intervals at positions. Right: the "
    "start of Connect Four, and the replies to the 13 first moves of Breakthrough 5x5.",
    notes=(
        "A proof ends a search: from then on it cannot get worse, and costs nothing.",
        "Simulations of different searches take different times: with decisive playouts or a "
        "solver several times as long.",
        "Random positions that are won by few moves are easier than the start of Connect Four, "
        "whose win takes 41 plies.",
    ),
)
