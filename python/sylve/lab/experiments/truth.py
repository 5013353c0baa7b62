"""How many simulations until the chosen move is right? Against exact ground truth."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sylve.lab.data import seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.ground_truth import puzzle
from sylve.lab.statistics import (
    Interval,
    compare,
    grouped_share,
    judge,
    mean_interval,
    saving,
    shown,
)
from sylve.search import Searcher

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BREAKTHROUGH, CONNECT_FOUR = "breakthrough(columns=5, rows=5)", "connect_four"
PLIES = {BREAKTHROUGH: (6, 10), CONNECT_FOUR: (14, 20)}
SEARCHES = (
    "flat",
    "flat_amaf",
    "ucb",
    "uct(solver=false)",
    "amaf_uct(solver=false)",
    "rave(solver=false)",
    "rave(schedule=bias(0.1), solver=false)",
    "rave(schedule=mse, solver=false)",
    "grave(solver=false)",
    "uct",
)
POLICIES = tuple(
    f"{search}playout={policy})"
    for search in ("flat(", "uct(solver=false, ")
    for policy in ("decisive", "mast")
)
LEVELS = (0.4, 0.5, 0.6, 0.7, 0.8)
PAIRS = (("uct(solver=false)", "rave(solver=false)"), ("flat", "flat_amaf"))
"""Without AMAF, with it."""
COLOUR = {search: number for number, search in enumerate(SEARCHES)} | dict(
    zip(POLICIES, (2, 4, 1, 5), strict=True)
)
INITIAL = ("flat", "uct(solver=false)", "rave(solver=false)")
"""From low to high, document 000 says."""
FEW = 100
"""What we call initial: up to so many simulations."""
MAJOR = 0.1
"""What we call a major impact: ten points of a hundred."""
GOOD = 0.95


def cells(size: Size) -> list[Cell]:
    """A search on a block of positions; all searches see the same positions and seeds."""
    budgets = [10, 30, 100, 300, 1000, 3000]
    blocks, seeds = {BREAKTHROUGH: 5, CONNECT_FOUR: 5}, 1
    if size == "full":
        budgets += [10_000, 30_000, 100_000]
        blocks, seeds = {BREAKTHROUGH: 50, CONNECT_FOUR: 5}, 3
    return [
        {"game": game, "search": search, "block": block, "positions": 20, "seeds": seeds,
         "budgets": budgets}
        for game in blocks
        for block in range(blocks[game])
        for search in SEARCHES + POLICIES
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Search every position of the block, and look at the best move at each budget."""
    budgets, positions, seeds = cell["budgets"], cell["positions"], cell["seeds"]
    right = dict.fromkeys(budgets, 0)
    chance = 0.0
    for index in range(cell["block"] * positions, (cell["block"] + 1) * positions):
        position, winning = puzzle(cell["game"], PLIES[cell["game"]], seed, index)
        chance += len(winning) / len(position.moves)
        for number in range(seeds):
            searcher = Searcher(position, seeded(cell["search"], seed, index, number))
            for budget in budgets:
                report = searcher.run(budget - searcher.report().playouts)
                right[budget] += report.best in winning
    return [
        {"game": cell["game"], "search": cell["search"], "block": cell["block"],
         "simulations": budget, "positions": positions, "trials": positions * seeds,
         "right": right[budget], "chance": chance / positions}
        for budget in budgets
    ]  # fmt: skip


def curve(rows: Rows, game: str, search: str) -> list[tuple[int, Interval]]:
    """The share that is right at each budget, with its interval over blocks."""
    chosen = where(rows, game=game, search=search)
    found = []
    for budget in values(chosen, "simulations"):
        here = where(chosen, simulations=budget)
        groups = [(row["right"], row["trials"]) for row in here]
        found.append((budget, grouped_share(groups, sum(row["positions"] for row in here))))
    return found


def s95(found: list[tuple[int, Interval]]) -> str:
    """From which budget on 95 % are right, surely; or never, as far as we looked."""
    reached = None
    for budget, share in reversed(found):
        if share.low < GOOD:
            break
        reached = budget
    if reached is not None:
        return f"{reached:,}"
    last, share = found[-1]
    return f"never up to {last:,}" if share.high < GOOD else "undecided"


def saved(rows: Rows, game: str, plain: str, amaf: str, level: float) -> Interval | None:
    """How many times fewer simulations AMAF needs for a level."""
    chosen = [where(rows, game=game, search=search) for search in (plain, amaf)]
    first, second = (
        [[row["right"] / row["trials"] for row in where(part, block=block)]
         for block in values(part, "block")]
        for part in chosen
    )  # fmt: skip
    return saving(values(chosen[0], "simulations"), first, second, level)


def verdicts(rows: Rows) -> list[Verdict]:
    """The four claims."""
    return [
        verdict_saving(rows),
        verdict_initial(rows),
        verdict_converges(rows),
        verdict_policy(rows),
    ]


def verdict_initial(rows: Rows) -> Verdict:
    """With few simulations, is UCT better than flat, and UCT with AMAF better than UCT?"""
    told, sides = [], []
    for n in values(where(rows, game=BREAKTHROUGH), "simulations"):
        for one, two in pairwise(INITIAL) if n <= FEW else ():
            gain = difference(rows, BREAKTHROUGH, one, two, n)
            sides.append(compare(gain, 0.0))
            told.append(f"{two.split('(')[0]} above {one.split('(')[0]} with {n}: "
                        f"{100 * gain.value:+.1f} [{100 * gain.low:+.1f}, {100 * gain.high:+.1f}]"
                        )  # fmt: skip
    return Verdict(judge(sides), f"Points of right moves on Breakthrough 5x5, {'; '.join(told)}.")


def verdict_saving(rows: Rows) -> Verdict:
    """Five to ten times fewer simulations with AMAF?"""
    found = []
    for game in values(rows, "game"):
        for plain, amaf in PAIRS:
            for level in LEVELS:
                factor = saved(rows, game, plain, amaf, level)
                if factor is not None:
                    found.append((compare(factor, 5.0), game, plain, amaf, level, factor))
    told = "; ".join(
        f"{amaf.split('(')[0]} for {level:.0%} right on {game.split('(')[0]}: x{factor}"
        for _, game, _, amaf, level, factor in found
    )
    sides = {side for side, *_ in found}
    if not found:
        return Verdict("undecided", "No level of success was reached by both.")
    if sides == {"above"}:
        return Verdict("holds", f"At every level more than five times fewer. {told}.")
    if "above" in sides:
        return Verdict("holds in part", f"Not at every level. {told}.")
    if "below" in sides:
        sure = sum(side == "below" for side, *_ in found)
        counted = (
            f"Surely less than five times at {sure} of {len(found)} levels, surely more at none."
        )
        return Verdict("does not hold", f"{counted} {told}.")
    return Verdict("undecided", f"All intervals contain 5. {told}.")


def verdict_converges(rows: Rows) -> Verdict:
    """Do flat and UCB find the best move in the end?"""
    told, sides = [], set()
    for game in values(rows, "game"):
        for search in ("flat", "ucb"):
            found = curve(rows, game, search)
            last, share = found[-1]
            sides.add(compare(share, GOOD))
            told.append(f"{search} on {game.split('(')[0]}: {share} right after {last:,}")
        found = curve(rows, game, "uct(solver=false)")
        told.append(f"uct without proofs: {found[-1][1]}")
    reason = "; ".join(told) + ". Root searches look for the best move against random play."
    if "below" in sides:  # one sure counterexample is enough
        return Verdict("does not hold", f"Surely below 95 % at the largest budget. {reason}")
    return Verdict("holds" if sides == {"above"} else "undecided", reason)


def verdict_policy(rows: Rows) -> Verdict:
    """Does the playout policy matter much, and where?"""
    told, sides = [], set()
    budgets = values(rows, "simulations")
    for game in values(rows, "game"):
        for guided in POLICIES:
            plain = "flat" if guided.startswith("flat") else "uct(solver=false)"
            changes = {n: difference(rows, game, plain, guided, n) for n in budgets}
            major = [n for n, change in changes.items() if compare(change, MAJOR) == "above"]
            sides |= {compare(change, MAJOR) for change in changes.values()}
            last = changes[budgets[-1]]
            told.append(
                f"{guided} on {game}: surely with {', '.join(f'{n:,}' for n in major) or 'none'}, "
                f"after {budgets[-1]:,} {100 * last.value:+.1f} [{100 * last.low:+.1f}, "
                f"{100 * last.high:+.1f}] points"
            )
    reason = f"Simulations with which it adds {100 * MAJOR:.0f} points: {'; '.join(told)}."
    return Verdict(judge(sides), reason)


def difference(rows: Rows, game: str, one: str, two: str, simulations: int) -> Interval:
    """How much larger the share of the second search is, block by block."""
    shares = [
        {row["block"]: row["right"] / row["trials"]
         for row in where(rows, game=game, search=search, simulations=simulations)}
        for search in (one, two)
    ]  # fmt: skip
    return mean_interval([shares[1][block] - shares[0][block] for block in shares[0]])


def tables(rows: Rows) -> list[Table]:
    """The share right and S95 of every search."""
    found = []
    for game in values(rows, "game"):
        chosen = where(rows, game=game)
        budgets = values(chosen, "simulations")
        chance = sum(row["chance"] for row in chosen) / len(chosen)
        lines = []
        for search in values(chosen, "search"):
            points = curve(rows, game, search)
            shares = [f"{share.value:.3f} ± {share.error:.3f}" for _, share in points]
            lines.append([search, *shares, s95(points)])
        title = f"{game}: share of right moves by simulations; a random move: {shown(chance)}"
        found.append(Table(title, ["search", *(f"{n:,}" for n in budgets), "S95"], lines))
    return found


def figure(rows: Rows) -> Figure:
    """Share right against simulations: the searches, and the policies."""
    from sylve.lab.style import line, panels

    games = values(rows, "game")
    drawing, axes = panels(len(games), 2, height=3.7 * len(games))
    for number, game in enumerate(games):
        for part, searches in enumerate((SEARCHES, ("flat", "uct(solver=false)", *POLICIES))):
            axis = axes[2 * number + part]
            shown_here = [s for s in values(where(rows, game=game), "search") if s in searches]
            for search in shown_here:
                points = curve(rows, game, search)
                index = COLOUR.get(search, 0)
                # Intervals for some: ten bands over each other would hide everything.
                band = part == 1 or search in ("flat", "flat_amaf", "uct(solver=false)", "grave")
                ends = {"low": [s.low for _, s in points], "high": [s.high for _, s in points]}
                line(axis, index, [n for n, _ in points], [s.value for _, s in points],
                     search.replace("solver=false", "").replace("(, ", "(").replace(", )", ")")
                     .replace("()", "") + (" with proofs" if search == "uct" else ""),
                     **(ends if band else {}))  # fmt: skip
            axis.axhline(GOOD, color="#555555", linewidth=0.8, linestyle="--")
            axis.set(xscale="log", xlabel="simulations", ylabel="share of right moves",
                     ylim=(0, 1.02), title=f"{game.split('(')[0]}: "
                     f"{'searches' if part == 0 else 'playout policies'}")  # fmt: skip
            axis.legend(loc="best", fontsize=6.5)
    return drawing


EXPERIMENT = Experiment(
    name="truth",
    claims=(
        Claim(
            "With AMAF, 5 to 10 times fewer simulations are needed to identify the good moves.",
            "document 000, Gain d'efficacité",
        ),
        Claim(
            "On Breakthrough 5x5 the initial precision of pure Monte Carlo is low, that of UCT "
            "moderate, that of UCT + AMAF high.",
            "document 000, Performance comparative",
        ),
        Claim(
            "With enough iterations, UCB converges to the optimal move; the more simulations, "
            "the more exact is flat Monte Carlo.",
            "document 003, Propriétés théoriques; 001",
        ),
        Claim(
            "The playout policy has a major impact on the quality of the estimates.",
            "document 001, Politique de playout",
        ),
    ),
    method="""Positions of Breakthrough 5x5 after 6 to 10 random plies, and of Connect Four after
    14 to 20, that the side to move wins with at most a third of its moves. An exact solver (or
    the complete table) knows these moves. Every search gets the same positions and seeds; its
    choice is looked at after 10, 30, 100, ... simulations of one and the same search. A move is
    right if it wins against any defence.

    S95 is the number of simulations from which on 95 % of the choices are right, with the lower
    end of the 95 % interval above 0.95; never is an answer. Intervals are over blocks of 20
    positions, which are independent; the simulations needed for a level are read off the curve
    (logarithmic between budgets), their ratio has a bootstrap interval over blocks.

    Claim 1 compares RAVE with UCT, and flat AMAF with flat, at the simulations needed for 40 to
    80 % right moves: it holds where the ratio is above 5. Claim 2 holds if UCT is surely right
    more often than flat, and RAVE more often than UCT, with 10, 30 and 100 simulations. Claim 3
    holds if flat and UCB are right in 95 % at the largest budget. Claim 4 calls an impact major if
    it adds ten points to the share; it is looked at after every number of simulations. Tree
    searches run without proofs, as in the course; `uct` alone is the engine's default, with
    them.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Share of right moves against simulations, with 95 % intervals. The dashed line is "
    "95 %.",
    notes=(
        "Random positions that are won by few moves are not the positions of games between good "
        "players.",
        "Where a search is at one level for all budgets, the simulations for that level are hardly "
        "defined, and the interval of the ratio is wide.",
    ),
)
