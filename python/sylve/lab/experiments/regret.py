"""Regret: what flat search and the bandit rules lose, beside the bound of UCB1."""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, Any

from sylve.lab.data import playout_means, random_position, seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, compare, mean_interval, shown
from sylve.position import Position
from sylve.search import Searcher
from sylve.search.confidence import Z95
from sylve.search.regret import Bandit, ucb1_bound

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ARMS = {
    "2 arms, gap 0.3": (0.9, 0.6),
    "2 arms, gap 0.1": (0.55, 0.45),
    "10 arms, gap 0.3": (0.9, *(0.6,) * 9),
    "10 arms, mixed": (0.9, *(0.8,) * 3, *(0.7,) * 3, *(0.6,) * 3),
}
"""Problems 1, 3, 11 and 12 of Auer, Cesa-Bianchi and Fischer 2002."""
GAMES = (
    "breakthrough(columns=5, rows=5)",
    "breakthrough",
    "connect_four",
    "othello",
    "hex(size=5)",
)
SQRT2 = "ucb(rule=ucb1(c=sqrt2))"
COURSE = "ucb(rule=ucb1(c=0.4))"
TUNED = "ucb(rule=tuned)"
GREEDY = "ucb(rule=epsilon(0.1))"
CONSTANTS = ("0.05", "0.1", "0.2", "0.4", "0.7", "1", "sqrt2")
SEARCHES = (
    "flat",
    GREEDY,
    "ucb(rule=decaying_epsilon)",
    *(f"ucb(rule=ucb1(c={c}))" for c in CONSTANTS),
    TUNED,
    "ucb(rule=bayes)",
    "ucb(rule=thompson)",
)
LOOKS = (30, 100, 300, 1000, 3000, 10_000, 30_000)


def cells(size: Size) -> list[Cell]:
    """A rule on Bernoulli arms; all rules on a position of a game."""
    quick = size == "quick"
    looks = [n for n in LOOKS if n <= (3000 if quick else 30_000)]
    small = [n for n in LOOKS if n <= (3000 if quick else 10_000)]
    arms = [
        {"problem": problem, "search": text, "runs": 20 if quick else 50, "looks": looks}
        for problem in ARMS
        for text in SEARCHES
    ]
    games = [
        {"problem": game, "position": number, "runs": 4 if quick else 20, "looks": small,
         "reference": 20_000 if quick else 200_000}
        for game in GAMES
        for number in range(4 if quick else 20)
    ]  # fmt: skip
    return arms + games


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """The mean regret of some runs at each look, with its standard error."""
    if cell["problem"] in ARMS:
        means = ARMS[cell["problem"]]
        root = Position.start(Bandit(means))
        return measure(cell, root, dict(enumerate(means)), cell["search"], seed, 0)
    number = cell["position"]
    root = random_position(cell["problem"], (4, 10), seed, number)
    truth = playout_means(root, cell["reference"], seed, number, 1)
    rows = []
    for text in SEARCHES:
        rows += measure(cell, root, truth, text, seed, number)
    return rows


def measure(
    cell: Cell, root: Position, truth: dict[int, float], text: str, seed: int, number: int
) -> list[dict[str, Any]]:
    """The regret of a search, run several times."""
    best = max(truth.values())
    found: dict[int, list[float]] = {look: [] for look in cell["looks"]}
    for run in range(cell["runs"]):
        searcher = Searcher(root, seeded(text, seed, number, run))
        done = 0
        for look in cell["looks"]:
            report = searcher.run(look - done)
            done = look
            found[look].append(sum((best - truth[m.move]) * m.visits for m in report.moves))
    rows = []
    for look, regrets in found.items():
        mean = mean_interval(regrets)
        spread = sum((value - mean.value) ** 2 for value in regrets) / max(1, len(regrets) - 1)
        rows.append(
            {"problem": cell["problem"], "position": cell.get("position", 0), "search": text,
             "pulls": look, "runs": len(regrets), "regret": mean.value,
             "stderr": sqrt(spread / len(regrets))}
        )  # fmt: skip
    return rows


def last_of(rows: Rows, problem: str, text: str, pulls: int | None = None) -> Interval:
    """The regret of a search on a problem at the last look, or at another one.

    Arms: over runs. Games: over positions, which differ more than runs do.
    """
    chosen = where(rows, problem=problem, search=text)
    look = pulls or max(row["pulls"] for row in chosen)
    here = where(chosen, pulls=look)
    if len(here) > 1:
        return mean_interval([row["regret"] for row in here])
    half = Z95 * here[0]["stderr"]
    return Interval(here[0]["regret"], here[0]["regret"] - half, here[0]["regret"] + half)


def less(rows: Rows, problem: str, one: str, two: str) -> Interval:
    """How much less the first search loses than the second, at the last look.

    On games position by position, since both search the same ones.
    """
    look = max(row["pulls"] for row in where(rows, problem=problem))
    pair = [where(rows, problem=problem, search=text, pulls=look) for text in (one, two)]
    if len(pair[0]) > 1:
        return mean_interval([b["regret"] - a["regret"] for a, b in zip(*pair, strict=True)])
    a, b = pair[0][0], pair[1][0]
    half = Z95 * sqrt(a["stderr"] ** 2 + b["stderr"] ** 2)
    gain = b["regret"] - a["regret"]
    return Interval(gain, gain - half, gain + half)


def verdicts(rows: Rows) -> list[Verdict]:
    """The four claims."""
    return [
        verdict_bound(rows),
        verdict_better(rows, COURSE, GREEDY, "UCB1 with c = 0.4", "epsilon-greedy (0.1)"),
        verdict_constant(rows),
        verdict_better(rows, TUNED, SQRT2, "UCB1-Tuned", "UCB1 with c = sqrt 2"),
    ]


def verdict_bound(rows: Rows) -> Verdict:
    """Is the regret of UCB1 below its bound, and does it grow like a logarithm?"""
    sides, told = set(), []
    for problem in values(rows, "problem"):
        if problem not in ARMS:
            continue
        chosen = where(rows, problem=problem, search=SQRT2)
        for row in chosen:
            bound = ucb1_bound(ARMS[problem], row["pulls"])
            half = Z95 * row["stderr"]
            here = Interval(row["regret"], row["regret"] - half, row["regret"] + half)
            sides.add(compare(here, bound))
        told.append(
            f"{problem}: {shown(chosen[-1]['regret'])} of at most "
            f"{shown(ucb1_bound(ARMS[problem], chosen[-1]['pulls']))} after "
            f"{chosen[-1]['pulls']:,}, growing as n^{growth(chosen):.2f}"
        )
    reason = "UCB1 with c = sqrt 2, " + "; ".join(told) + "."
    if sides == {"below"}:
        return Verdict("holds", f"Below the bound at every look. {reason}")
    return Verdict("does not hold" if "above" in sides else "undecided", reason)


def growth(chosen: list[Any]) -> float:
    """The exponent of the regret's growth between the last two looks; linear is 1."""
    a, b = chosen[-2], chosen[-1]
    if a["regret"] <= 0 or b["regret"] <= 0:
        return 0.0
    return log(b["regret"] / a["regret"]) / log(b["pulls"] / a["pulls"])


def verdict_better(rows: Rows, one: str, two: str, first: str, second: str) -> Verdict:
    """Does one rule lose less than another, on every problem?"""
    found = {problem: less(rows, problem, one, two) for problem in values(rows, "problem")}
    sides = {problem: compare(gain, 0.0) for problem, gain in found.items()}
    told = "; ".join(f"{problem}: {gain}" for problem, gain in found.items())
    reason = f"How much less {first} loses than {second} at the last look: {told}."
    if set(sides.values()) == {"above"}:
        return Verdict("holds", reason)
    if "above" in sides.values():
        where_so = ", ".join(problem for problem, side in sides.items() if side == "above")
        return Verdict("holds in part", f"Surely on {where_so}. {reason}")
    if "straddles" in sides.values():
        return Verdict("undecided", reason)
    return Verdict("does not hold", reason)


def best_constants(rows: Rows, problem: str) -> tuple[str, list[str]]:
    """The c with the least regret at the last look, and all that are not surely worse."""
    texts = {c: f"ucb(rule=ucb1(c={c}))" for c in CONSTANTS}
    best = min(CONSTANTS, key=lambda c: last_of(rows, problem, texts[c]).value)
    return best, [
        c
        for c in CONSTANTS
        if c == best or compare(less(rows, problem, texts[best], texts[c]), 0.0) != "above"
    ]


def verdict_constant(rows: Rows) -> Verdict:
    """Is c = 0.4 the best for games?"""
    found = {game: best_constants(rows, game) for game in values(rows, "problem") if game in GAMES}
    told = "; ".join(
        f"{game}: least with c = {best}, not surely worse with {', '.join(good)}"
        for game, (best, good) in found.items()
    )
    fine = [game for game, (_, good) in found.items() if "0.4" in good]
    alone = all(good == ["0.4"] for _, good in found.values())
    if not fine:
        return Verdict("does not hold", f"Surely worse than the best c on every game. {told}.")
    if len(fine) < len(found):
        return Verdict("holds in part", f"Not surely worse on {', '.join(fine)}. {told}.")
    return Verdict("holds" if alone else "undecided", f"Nowhere surely worse. {told}.")


def tables(rows: Rows) -> list[Table]:
    """The regret at the last look."""
    found = []
    for title, problems in (("Bernoulli arms", ARMS), ("Positions", GAMES)):
        here = [problem for problem in values(rows, "problem") if problem in problems]
        lines = [
            [text, *(last_of(rows, problem, text).short for problem in here)] for text in SEARCHES
        ]
        look = max(row["pulls"] for row in rows if row["problem"] in here)
        found.append(Table(f"{title}: regret after {look:,} pulls", ["search", *here], lines))
    return found


def figure(rows: Rows) -> Figure:
    """Regret by pulls on arms with the bound; regret by c on games."""
    from sylve.lab.style import COLOURS, line, panels

    drawing, axes = panels(2, 3)
    lines = ("flat", GREEDY, COURSE, SQRT2, TUNED, "ucb(rule=bayes)", "ucb(rule=thompson)")
    for axis, problem in zip(axes, ARMS, strict=False):
        for index, text in enumerate(lines):
            chosen = where(rows, problem=problem, search=text)
            if chosen:
                line(axis, index, [r["pulls"] for r in chosen], [r["regret"] for r in chosen],
                     text.removeprefix("ucb(rule=").removesuffix(")")
                     .replace("sqrt2", "√2"),
                     low=[max(1e-3, r["regret"] - Z95 * r["stderr"]) for r in chosen],
                     high=[r["regret"] + Z95 * r["stderr"] for r in chosen])  # fmt: skip
        pulls = values(where(rows, problem=problem), "pulls")
        if pulls:
            bound = [ucb1_bound(ARMS[problem], n) for n in pulls]
            axis.plot(pulls, bound, color="#000000", linestyle="--", linewidth=1, label="bound")
        axis.set(xscale="log", yscale="log", xlabel="pulls", ylabel="cumulative regret",
                 title=problem)  # fmt: skip
    low, high = axes[0].get_ylim()
    axes[0].set_ylim(low / 30, high)
    axes[0].legend(fontsize=6.5, loc="lower right", ncols=2)
    games = [game for game in GAMES if where(rows, problem=game)]
    for axis, relative in ((axes[4], False), (axes[5], True)):
        for index, game in enumerate(games):
            found = [last_of(rows, game, f"ucb(rule=ucb1(c={c}))") for c in CONSTANTS]
            least = min(value.value for value in found) if relative else 1.0
            line(axis, index, [sqrt(2) if c == "sqrt2" else float(c) for c in CONSTANTS],
                 [value.value / least for value in found], game)  # fmt: skip
        axis.axvline(0.4, color=COLOURS[7], linewidth=0.8, linestyle="--")
        axis.set(xscale="log", xlabel="c of UCB1 (dashed: 0.4)",
                 ylabel="regret / least regret" if relative else "cumulative regret",
                 title="games: beside the best c" if relative else "games: by c")  # fmt: skip
    axes[4].legend(fontsize=6.5)
    return drawing


EXPERIMENT = Experiment(
    name="regret",
    claims=(
        Claim(
            "The regret of UCB1 is bounded logarithmically: R(n) <= 8 sum(ln n / gap) + "
            "(1 + pi^2 / 3) sum(gap).",
            "document 003, Propriétés théoriques",
        ),
        Claim(
            "UCB explores more cleverly than epsilon-greedy, without an epsilon to tune.",
            "document 003, Vs epsilon-greedy",
        ),
        Claim(
            "The exploration constant 0.4 is an empirical value, optimised for games.",
            "document 003, Constante d'exploration",
        ),
        Claim("UCB1-Tuned improves on UCB1 by the empirical variance.", "document 003, UCB1-Tuned"),
    ),
    method="""Regret is what is lost by not pulling the best arm: over the arms, the gap to the
    best mean times the pulls. First on arms with known chances to win (problems 1, 3, 11 and 12
    of Auer, Cesa-Bianchi and Fischer 2002), where the bound can be computed; it is proven for c =
    sqrt 2. Then on positions of games four to ten random plies from the start, whose moves are
    the arms and whose means are taken from many playouts of each move (the column `reference` of
    the cells: 20,000 each in the quick configuration, 200,000 in the full one). The same rules as
    in `Ucb(rule=...)` choose.

    Claim 1 holds if the 95 % interval of the mean regret over runs is below the bound at every
    look. Claims 2 and 4 hold if the first rule surely loses less at the last look on every
    problem; on games the two are compared position by position. Claim 3: for each game, is the
    regret with c = 0.4 surely larger than with the best of seven constants?""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Cumulative regret: on Bernoulli arms by pulls, with the bound for UCB1 (dashed "
    "black); on positions of games by the constant c.",
    notes=(
        "The best of seven constants is chosen by the same data that it is compared on, which "
        "favours it a little.",
        "Small regret at the root is not strength: the means are those of random play.",
    ),
)
