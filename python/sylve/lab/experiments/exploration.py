"""How UCB explores: in its first simulations, with few of them, and for ever."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from sylve.lab.data import playout_means, random_position, seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, compare, grouped_share, judge, mean_interval
from sylve.search import Searcher

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = ("breakthrough(columns=5, rows=5)", "breakthrough", "connect_four", "othello",
         "hex(size=5)")  # fmt: skip
RULES = {"c = 0.4": "ucb", "c = sqrt 2": "ucb(rule=ucb1(c=sqrt2))"}
LOOKS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
DECADE = 10
"""Growth is looked at between the last look and the one with a tenth of its simulations."""
UCB, HALVING, FLAT = "ucb", "sequential_halving", "flat"
PER_MOVE = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SMALL = 16
"""What we call a small n: up to so many simulations for each move."""
SURE = 0.99
"""What we call purely exploratory: so many of the first rounds try every move once."""


def cells(size: Size) -> list[Cell]:
    """Long searches of a position; short ones of it."""
    quick = size == "quick"
    looks = [n for n in LOOKS if n <= (30_000 if quick else 1_000_000)]
    long = [
        {"kind": "least", "game": game, "position": number, "rule": rule, "looks": looks}
        for game in GAMES
        for number in range(5 if quick else 12)
        for rule in RULES
    ]
    short = [
        {"kind": "short", "game": game, "position": number, "runs": 10 if quick else 40,
         "per_move": [n for n in PER_MOVE if n <= (64 if quick else 256)],
         "reference": 5000 if quick else 50_000}
        for game in GAMES
        for number in range(6 if quick else 40)
    ]  # fmt: skip
    return [*long, *short]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """The visits of the least visited move at each look; or what short searches choose."""
    number = cell["position"]
    root = random_position(cell["game"], (4, 10), seed, number)
    if cell["kind"] == "short":
        return short_searches(cell, root, seed)
    searcher = Searcher(root, seeded(RULES[cell["rule"]], seed, number))
    rows, done = [], 0
    for look in cell["looks"]:
        report = searcher.run(look - done)
        done = look
        rows.append({"kind": "least", "game": cell["game"], "position": number,
                     "rule": cell["rule"], "simulations": look,
                     "least": min(entry.visits for entry in report.moves)})  # fmt: skip
    return rows


def short_searches(cell: Cell, root: Any, seed: int) -> list[dict[str, Any]]:
    """What each way to share few simulations loses, and whether the first ones try all moves."""
    number, count = cell["position"], len(root.moves)
    truth = playout_means(root, cell["reference"], seed, number, 1)
    best = max(truth.values())
    rows = []
    for n in cell["per_move"]:
        for text in (UCB, HALVING, FLAT):
            lost, once = 0.0, 0
            for run in range(cell["runs"]):
                # Halving must know its simulations beforehand; the others get the same.
                how = seeded(f"{text}({n * count})", seed, number, run)
                report = Searcher(root, how).run()
                lost += best - truth[report.best]
                once += all(entry.visits == 1 for entry in report.moves)
            rows.append({"kind": "short", "game": cell["game"], "position": number, "search": text,
                         "per_move": n, "runs": cell["runs"], "once": once,
                         "lost": 100 * lost / cell["runs"]})  # fmt: skip
    return rows


def growth(rows: Rows, game: str, rule: str) -> tuple[Interval, Interval]:
    """How the visits of the least visited move grow at the end, over positions.

    The exponent of n: 1 would be a fixed share, 0 none at all. And how many more there are for each
    factor e of the simulations, which is steady if they grow like ln n.
    """
    chosen = where(rows, kind="least", game=game, rule=rule)
    last = max(row["simulations"] for row in chosen)
    before, after = (
        {row["position"]: row["least"] for row in where(chosen, simulations=n)}
        for n in (last // DECADE, last)
    )
    factor = log(DECADE)
    return (
        mean_interval([log(after[at] / before[at]) / factor for at in after]),
        mean_interval([(after[at] - before[at]) / factor for at in after]),
    )


def worse(rows: Rows, game: str, per_move: int, rival: str = HALVING) -> Interval:
    """How much more UCB loses than a rival, in points of a hundred, position by position."""
    lost = [{row["position"]: row["lost"] for row in
             where(rows, kind="short", game=game, search=text, per_move=per_move)}
            for text in (UCB, rival)]  # fmt: skip
    return mean_interval([lost[0][at] - lost[1][at] for at in lost[0]])


def loss(rows: Rows, game: str, search: str, per_move: int) -> Interval:
    """What the choice loses to the best move, in points of a hundred."""
    chosen = where(rows, kind="short", game=game, search=search, per_move=per_move)
    return mean_interval([row["lost"] for row in chosen])


def verdicts(rows: Rows) -> list[Verdict]:
    """The three claims."""
    return [verdict_for_ever(rows), verdict_cold(rows), verdict_horizon(rows)]


def verdict_for_ever(rows: Rows) -> Verdict:
    """Does the least visited move get ever more visits?"""
    told, sides = [], []
    chosen = where(rows, kind="least")
    for game in values(chosen, "game"):
        for rule in values(chosen, "rule"):
            power, more = growth(rows, game, rule)
            sides.append(compare(power, 0.0))
            told.append(f"{game}, {rule}: as n to the {power}, {more.value:.1f} more")
    last = max(row["simulations"] for row in chosen)
    return Verdict(
        judge(sides),
        f"Visits of the least visited move from {last // DECADE:,} to {last:,} simulations, and "
        f"how many more for each factor e: {'; '.join(told)}.",
    )


def verdict_cold(rows: Rows) -> Verdict:
    """Does UCB try every move once before it prefers any?"""
    told, sides = [], []
    chosen = where(rows, kind="short", search=UCB, per_move=1)
    for game in values(chosen, "game"):
        here = where(chosen, game=game)
        share = grouped_share([(row["once"], row["runs"]) for row in here],
                              sum(row["runs"] for row in here))  # fmt: skip
        sides.append(compare(share, SURE))
        first, later = (loss(rows, game, UCB, n).value for n in (1, SMALL))
        told.append(f"{game}: {share}, losing {first:.1f} points, {later:.1f} with {SMALL} each")
    return Verdict(
        judge(sides),
        "Searches with as many simulations as moves in which each move was tried once: "
        f"{'; '.join(told)}.",
    )


def verdict_horizon(rows: Rows) -> Verdict:
    """With few simulations, does UCB lose more than a rule made for a known number of them?"""
    told, sides = [], []
    chosen = where(rows, kind="short")
    for game in values(chosen, "game"):
        for n in values(chosen, "per_move"):
            if 1 < n <= SMALL:
                found = worse(rows, game, n)
                sides.append(compare(found, 0.0))
                told.append(f"{game}, {n}: {found}")
    return Verdict(
        judge(sides),
        "Points of a hundred that UCB loses beyond sequential halving, by simulations for each "
        f"move: {'; '.join(told)}.",
    )


def tables(rows: Rows) -> list[Table]:
    """The least visited move by simulations; what short searches lose."""
    chosen = where(rows, kind="least")
    looks = values(chosen, "simulations")
    first = [
        [game, rule, *(mean_interval([row["least"] for row in where(
            chosen, game=game, rule=rule, simulations=n)]).short for n in looks)]
        for game in values(chosen, "game")
        for rule in values(chosen, "rule")
    ]  # fmt: skip
    brief = where(rows, kind="short")
    amounts = values(brief, "per_move")
    second = [
        [game, text, *(loss(rows, game, text, n).short for n in amounts)]
        for game in values(brief, "game")
        for text in values(brief, "search")
    ]
    return [
        Table("Visits of the least visited move, by simulations",
              ["game", "rule", *(f"{n:,}" for n in looks)], first),
        Table("What the choice loses, in points of a hundred, by simulations for each move",
              ["game", "search", *map(str, amounts)], second),
    ]  # fmt: skip


def figure(rows: Rows) -> Figure:
    """Least visits by simulations; UCB beside halving and flat by simulations for each move."""
    from sylve.lab.style import curve, line, panels

    drawing, axes = panels(1, 3, width=14, height=4)
    chosen, brief = where(rows, kind="least"), where(rows, kind="short")
    for index, game in enumerate(values(chosen, "game")):
        name = game.replace("columns=5, rows=5", "5x5")
        for rule, dashes in zip(RULES, ("-", "--"), strict=True):
            here = where(chosen, game=game, rule=rule)
            looks = values(here, "simulations")
            means = [mean_interval([r["least"] for r in where(here, simulations=n)]).value
                     for n in looks]  # fmt: skip
            line(axes[0], index, looks, means, name if dashes == "-" else None, linestyle=dashes)
        amounts = [n for n in values(where(brief, game=game), "per_move") if n > 1]
        for axis, rival in zip(axes[1:], (HALVING, FLAT), strict=True):
            curve(axis, index, amounts, [worse(rows, game, n, rival) for n in amounts], name)
    axes[0].set(yscale="log", xlabel="simulations", ylabel="visits of the least visited move",
                title="c = 0.4 (solid), c = √2 (dashed)")  # fmt: skip
    for axis, rival in zip(axes[1:], ("sequential halving", "flat"), strict=True):
        axis.axhline(0, color="#555555", linewidth=0.8, linestyle="--")
        axis.axvline(SMALL, color="#555555", linewidth=0.8, linestyle=":")
        axis.set(xlabel="simulations for each move", ylabel="UCB loses more, points of a hundred",
                 title=f"UCB beside {rival}")  # fmt: skip
    for axis in axes:
        axis.set_xscale("log")
    axes[0].legend(fontsize=7)
    return drawing


EXPERIMENT = Experiment(
    name="exploration",
    claims=(
        Claim(
            "With UCB all moves are explored infinitely often.",
            "document 003, Convergence garantie",
        ),
        Claim(
            "Cold start: the first tries of UCB are purely exploratory.",
            "document 003, Problèmes pratiques",
        ),
        Claim(
            "Finite horizon: the performance of UCB is suboptimal if n is small.",
            "document 003, Problèmes pratiques",
        ),
    ),
    method="""Positions four to ten random plies from the start. No run is infinite: what can be
    seen is whether the least visited move is tried ever again. Long searches with UCB1 (c = 0.4 as
    in the course, c = sqrt 2 as in the theory) count its visits at each look. Theory has them grow
    like ln n: their exponent in n is then above 0 and tends to it (0.08 from 100,000 to 1,000,000).
    Claim 1 holds if the exponent between the last look and the one with a tenth of its simulations
    is surely above 0, on every game and with both constants.

    Short searches: 1, 2, 4, ... simulations for each move of the position, with UCB (c = 0.4), with
    flat Monte Carlo and with sequential halving, which is told the number beforehand and is made
    for it (Karnin, Koren and Somekh 2013). What the choice loses is the difference of its mean in
    random play to that of the best move, both from many playouts. Claim 2 holds if, with as many
    simulations as moves, surely more than 99 % of the searches try each move exactly once. Claim 3
    calls up to 16 simulations for each move small, and UCB suboptimal where it surely loses more
    than sequential halving. With one simulation for each move all three do the same. Intervals are
    over positions, and over searches in claim 2.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Left: visits of the least visited move along a search, mean over positions. Middle "
    "and right: how much more UCB's choice loses than that of sequential halving, and of flat, "
    "with 95 % intervals; left of the dotted line n is small.",
    notes=(
        "Sequential halving is one rule made for a known number of simulations, not the best "
        "possible one: UCB may be suboptimal where it is no worse than this rival.",
    ),
)
