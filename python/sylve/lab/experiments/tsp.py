"""The travelling salesman: what AMAF is worth beyond games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sylve.lab.data import values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, compare, judge, mean_interval
from sylve.rng import Rng, hash_words
from sylve.tsp import METHODS, Tsp, exact, find_tour, nearest_neighbour, two_opt
from sylve.tsp.heuristics import EXACT_CITIES
from sylve.tsp.search import Walker

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NEAREST, OPTIMISED, RESTARTS = "nearest neighbour", "2-opt", "2-opt, restarts"
SIZES = (10, 20, 40)


def cells(size: Size) -> list[Cell]:
    """An instance; all methods at all budgets."""
    quick = size == "quick"
    return [
        {"cities": cities, "instance": number, "seeds": 1,
         "playouts": [300, 1000, 3000] if quick else [300, 1000, 3000, 10_000, 30_000],
         "restarts": 20 if quick else 200}
        for cities in SIZES
        for number in range(6 if quick else 20)
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Lengths over the best known: the optimum where it is small, else the best of everything."""
    tsp = Tsp.random(cell["cities"], seed=hash_words((seed, cell["instance"])))
    nearest = nearest_neighbour(tsp)
    random_tours = Walker(tsp, cell["restarts"], hash_words((seed, cell["instance"], 1)))
    restarts = [
        tsp.length(two_opt(tsp, tuple(random_tours.playout([0], Rng.stream(seed, n)))))
        for n in range(cell["restarts"])
    ]
    lengths: list[tuple[str, int, float]] = [
        (NEAREST, 0, tsp.length(nearest)),
        (OPTIMISED, 0, tsp.length(two_opt(tsp, nearest))),
        (RESTARTS, 0, min(restarts)),
    ]
    for method in METHODS:
        for playouts in cell["playouts"]:
            for number in range(cell["seeds"]):
                words = (seed, cell["instance"], number, playouts)
                found = find_tour(tsp, method, playouts, seed=hash_words(words))
                lengths.append((method, playouts, found.length))
    best = min(length for _, _, length in lengths)
    if cell["cities"] <= EXACT_CITIES:
        best = exact(tsp)
    rows: dict[tuple[str, int], list[float]] = {}
    for method, playouts, length in lengths:
        rows.setdefault((method, playouts), []).append(length / best)
    return [
        {"cities": cell["cities"], "instance": cell["instance"], "method": method,
         "playouts": playouts, "over_best": sum(found) / len(found)}
        for (method, playouts), found in rows.items()
    ]  # fmt: skip


def over_best(rows: Rows, cities: int, method: str, playouts: int) -> Interval:
    """Length over the best known, over instances."""
    chosen = where(rows, cities=cities, method=method, playouts=playouts)
    return mean_interval([row["over_best"] for row in chosen])


def shorter(rows: Rows, cities: int, one: str, two: str, playouts: int) -> Interval:
    """How much shorter the first method's tours are, in parts of the best, by instance."""
    pair = [where(rows, cities=cities, method=m, playouts=playouts) for m in (one, two)]
    return mean_interval([b["over_best"] - a["over_best"] for a, b in zip(*pair, strict=True)])


def verdicts(rows: Rows) -> list[Verdict]:
    """The two claims."""
    return [
        verdict_shorter(rows, "rave, city codes", "uct"),
        verdict_shorter(rows, "grave, edge codes", "uct"),
    ]


def verdict_shorter(rows: Rows, one: str, two: str) -> Verdict:
    """Are the tours of one method shorter than the other's at the largest budget?"""
    last = max(values(rows, "playouts"))
    found = {c: shorter(rows, c, one, two, last) for c in values(rows, "cities")}
    sides = {cities: compare(value, 0.0) for cities, value in found.items()}
    told = "; ".join(
        f"{cities} cities: {100 * v.value:+.1f} [{100 * v.low:+.1f}, {100 * v.high:+.1f}] %"
        for cities, v in found.items()
    )
    reason = f"Tours of {one} are shorter than those of {two} by (in % of the best known, {last:,} "
    reason += f"playouts): {told}."
    where_so = [str(cities) for cities, side in sides.items() if side == "above"]
    answer = judge(sides.values())
    if answer == "holds in part":
        reason = f"Surely with {', '.join(where_so)} cities. {reason}"
    return Verdict(answer, reason)


def tables(rows: Rows) -> list[Table]:
    """Length over the best known."""
    budgets = [n for n in values(rows, "playouts") if n]
    found = []
    for cities in values(rows, "cities"):
        lines = [[method, *(over_best(rows, cities, method, n).short for n in budgets)]
                 for method in METHODS]  # fmt: skip
        for method in (NEAREST, OPTIMISED, RESTARTS):
            value = over_best(rows, cities, method, 0).short
            lines.append([method, *([value] * len(budgets))])
        found.append(Table(f"{cities} cities: length over the best known, by playouts",
                           ["method", *(f"{n:,}" for n in budgets)], lines))  # fmt: skip
    return found


def figure(rows: Rows) -> Figure:
    """Length over the best known by playouts, a panel for each size."""
    from sylve.lab.style import curve, panels

    sizes = values(rows, "cities")
    budgets = [n for n in values(rows, "playouts") if n]
    drawing, axes = panels(1, len(sizes))
    for axis, cities in zip(axes, sizes, strict=True):
        for index, method in enumerate(METHODS):
            found = [over_best(rows, cities, method, n) for n in budgets]
            curve(axis, index, budgets, found, method)
        for method, style in ((NEAREST, "--"), (OPTIMISED, ":")):
            axis.axhline(over_best(rows, cities, method, 0).value, color="#444444", linestyle=style,
                         linewidth=1, label=method)  # fmt: skip
        axis.set(xscale="log", xlabel="playouts", ylabel="length / best known",
                 title=f"{cities} cities")  # fmt: skip
        axis.set_xticks(budgets, [f"{n:,}" for n in budgets])
    axes[0].legend(fontsize=6.5)
    return drawing


EXPERIMENT = Experiment(
    name="tsp",
    claims=(
        Claim(
            "In the travelling salesman's problem AMAF learns that visiting city X is generally "
            "profitable, independently of the order.",
            "document 000, Optimisation combinatoire",
        ),
        Claim(
            "AMAF helps beyond games, with codes that mean something: going from one city to "
            "another.",
            "document 000, Applications au-delà des jeux",
        ),
    ),
    method="""Random cities in the unit square. A state is the tour so far, a move the next city,
    a playout visits the others at random. Flat, UCT, RAVE and GRAVE go from city to city with an
    equal share of the playouts for each choice, rewards scaled between the longest and the
    shortest tour seen; nested search (level 1, repeated) and NRPA (level 2) are made for one
    player. All get the same number of playouts, and the best tour that was seen counts.

    RAVE has two kinds of codes: the city alone, as document 000 says, and the pair of cities.
    GRAVE takes the AMAF table of the closest ancestor with at least 20 playouts. Lengths are
    divided by the best known: the exact optimum for ten cities, else the shortest tour of all
    methods and of 2-opt from many random tours. Intervals are over instances; differences are by
    instance.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Tour length over the best known, by playouts, with 95 % intervals over instances.",
    notes=(
        "Every playout visits every city: with city codes the AMAF values of all moves are those "
        "of the same playouts, and tell nothing about the moves. What changes is how moves are "
        "explored.",
        "A pair of cities can only be joined from where the tour is, so that at the node itself "
        "edge codes add nothing to RAVE; an ancestor's table (GRAVE) knows the pair from other "
        "orders.",
        "2-opt takes milliseconds: look at its line before using any of these.",
    ),
)
