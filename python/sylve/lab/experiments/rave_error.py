"""The squared error of Q, Q~ and Q*, predicted and measured, for every schedule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from sylve.lab.data import average, random_position, seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, compare, judge, mean_interval, shown
from sylve.position import Position
from sylve.rng import hash_words
from sylve.search import Flat, FlatAmaf, parse_search
from sylve.search.reference.schedules import AtNode, Schedule
from sylve.search.reference.searches import Rave
from sylve.search.reference.tally import Tally
from sylve.search.run import search

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = (
    "breakthrough(columns=5, rows=5)",
    "breakthrough",
    "connect_four",
    "othello",
    "hex(size=7)",
)
HEURISTIC = ("hand", "bias(0.1)", "slides", "course")
"""They count samples."""
STATISTICAL = ("mse", "pooled")
"""They measure variances and the bias."""
SCHEDULES = HEURISTIC + STATISTICAL
PER_MOVE = (1, 3, 10, 30, 100, 300, 1000)
"""Direct samples of a move, on average."""


def cells(size: Size) -> list[Cell]:
    """A position of a game; references and runs are its own."""
    quick = size == "quick"
    return [
        {"game": game, "position": number, "runs": 40 if quick else 200,
         "reference": 20_000 if quick else 400_000,
         "per_move": [n for n in PER_MOVE if n <= (100 if quick else 1000)]}
        for game in GAMES
        for number in range(3 if quick else 10)
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Errors over many runs of flat AMAF, whose playouts give both estimates."""
    number, game = cell["position"], cell["game"]
    position = Position.start(game) if number == 0 else random_position(game, (2, 8), seed, number)
    moves = len(position.moves)
    total = cell["reference"] * moves
    truth = [Tally(m.visits, m.wins, m.draws) for m in
             search(position, Flat(total, seed=hash_words((seed, number, 1)))).moves]  # fmt: skip
    amaf = search(position, FlatAmaf(total, seed=hash_words((seed, number, 2)))).moves
    bias = [(m.amaf_mean or 0.0) - t.mean() for m, t in zip(amaf, truth, strict=True)]
    spread = [(m.amaf_mean or 0.0) * (1 - (m.amaf_mean or 0.0)) for m in amaf]
    rows = []
    for per_move in cell["per_move"]:
        errors = [Errors(t, b, s) for t, b, s in zip(truth, bias, spread, strict=True)]
        for run in range(cell["runs"]):
            how = seeded(f"flat_amaf({per_move * moves})", seed, number, per_move, run)
            entries = search(position, how).moves
            schedules = at_node(per_move * moves, entries)
            for entry, found in zip(entries, errors, strict=True):
                if entry.visits and entry.amaf_visits:
                    found.add(per_move * moves, entry, schedules)
        rows.append(row_of(cell, per_move, [found for found in errors if found.runs > 1]))
    return rows


class Errors:
    """What the runs say about one move."""

    def __init__(self, truth: Tally, bias: float, amaf_spread: float) -> None:
        self.truth, self.bias, self.amaf_spread = truth, bias, amaf_spread
        self.runs = 0
        self.direct = self.amaf = self.mixed = 0.0
        """Sums of squared errors, and of the product of both errors."""
        self.sigma = self.sigma_amaf = 0.0
        self.weighted = dict.fromkeys(SCHEDULES, 0.0)
        self.beta = dict.fromkeys(SCHEDULES, 0.0)

    def add(self, total: int, entry: Any, schedules: dict[str, AtNode]) -> None:
        """Count a run."""
        value = self.truth.mean()
        first, second = entry.mean - value, entry.amaf_mean - value
        self.runs += 1
        self.direct += first * first
        self.amaf += second * second
        self.mixed += first * second
        self.sigma += self.truth.variance() / entry.visits
        self.sigma_amaf += self.amaf_spread / entry.amaf_visits
        own, amaf = tallies(entry)
        for name, schedule in schedules.items():
            beta = schedule.beta(total, own, amaf)
            error = (1 - beta) * first + beta * second
            self.weighted[name] += error * error
            self.beta[name] += beta


@cache
def schedule_of(name: str) -> Schedule:
    """The schedule of that text."""
    how = parse_search(f"rave(schedule={name})")
    assert isinstance(how, Rave)
    return how.schedule


def at_node(total: int, entries: Sequence[Any]) -> dict[str, AtNode]:
    """All schedules, for the moves of a position."""
    own, amaf = zip(*map(tallies, entries), strict=True)
    return {name: schedule_of(name).at_node(total, own, amaf) for name in SCHEDULES}


def tallies(entry: Any) -> tuple[Tally, Tally]:
    """What a move has counted, and what AMAF has."""
    wins = round((entry.amaf_mean or 0.0) * entry.amaf_visits)
    return Tally(entry.visits, entry.wins, entry.draws), Tally(entry.amaf_visits, wins)


def row_of(cell: Cell, per_move: int, errors: list[Errors]) -> dict[str, Any]:
    """Means over the moves."""
    count = len(errors)

    def mean(get: Any) -> float:
        return float(sum(get(found) / found.runs for found in errors) / count)

    row: dict[str, Any] = {
        "game": cell["game"], "position": cell["position"], "per_move": per_move, "moves": count,
        "direct": mean(lambda f: f.direct), "amaf": mean(lambda f: f.amaf),
        "covariance": mean(lambda f: f.mixed), "sigma2": mean(lambda f: f.sigma),
        "sigma2_amaf": mean(lambda f: f.sigma_amaf),
        "bias2": sum(f.bias**2 for f in errors) / count,
    }  # fmt: skip
    for name in SCHEDULES:
        row[f"error {name}"] = mean(lambda f, name=name: f.weighted[name])
        row[f"beta {name}"] = mean(lambda f, name=name: f.beta[name])
    row["best_beta"] = sum(best_beta(f) for f in errors) / count
    row["best_error"] = sum(error_at(f, best_beta(f)) for f in errors) / count
    row["independent_beta"] = sum(independent_beta(f) for f in errors) / count
    row["independent_error"] = sum(error_at(f, independent_beta(f)) for f in errors) / count
    row["predicted_error"] = sum(predicted(f, independent_beta(f)) for f in errors) / count
    useful = [error_at(f, 0.5) < f.direct / f.runs for f in errors]
    course = [f.sigma / f.runs > f.bias**2 for f in errors]
    right = [2 * independent_beta(f) > 0.5 for f in errors]
    row["useful"] = sum(useful)
    row["course_rule_right"] = sum(a == b for a, b in zip(useful, course, strict=True))
    row["right_rule_right"] = sum(a == b for a, b in zip(useful, right, strict=True))
    return row


def error_at(found: Errors, beta: float) -> float:
    """The measured squared error with a constant beta: the runs give all three moments."""
    a, b, c = (value / found.runs for value in (found.direct, found.amaf, found.mixed))
    return (1 - beta) ** 2 * a + beta**2 * b + 2 * beta * (1 - beta) * c


def best_beta(found: Errors) -> float:
    """The constant beta with the least measured error, the covariance included."""
    a, b, c = (value / found.runs for value in (found.direct, found.amaf, found.mixed))
    below = a + b - 2 * c
    return min(1.0, max(0.0, (a - c) / below)) if below > 0 else 0.5


def independent_beta(found: Errors) -> float:
    """Document 002's optimum, from the true variances and bias."""
    first = found.sigma / found.runs
    below = first + found.sigma_amaf / found.runs + found.bias**2
    return first / below if below > 0 else 0.5


def predicted(found: Errors, beta: float) -> float:
    """Document 002's error: (1 - beta)^2 sigma^2 + beta^2 sigma~^2 + beta^2 b~^2."""
    first, second = found.sigma / found.runs, found.sigma_amaf / found.runs
    return (1 - beta) ** 2 * first + beta**2 * (second + found.bias**2)


def ratio(rows: Rows, above: str, below: str, **wanted: Any) -> Interval:
    """A ratio of two columns, over positions."""
    return mean_interval([row[above] / row[below] for row in where(rows, **wanted) if row[below]])


def verdicts(rows: Rows) -> list[Verdict]:
    """The four claims."""
    return [verdict_formula(rows), verdict_optimal(rows), verdict_better(rows), verdict_rule(rows)]


def verdict_formula(rows: Rows) -> Verdict:
    """Is the measured error what the formula says?"""
    sizes = values(rows, "per_move")
    found = {n: ratio(rows, "independent_error", "predicted_error", per_move=n) for n in sizes}
    told = "; ".join(f"n = {n}: measured / predicted {value}" for n, value in found.items())
    shared = mean_interval(
        [sum(row["covariance"] / row["sigma2_amaf"] for row in where(rows, game=game, position=p))
         / len(where(rows, game=game, position=p))
         for game in values(rows, "game")
         for p in values(where(rows, game=game), "position")]
    )  # fmt: skip
    near = all(value.low > 0.9 and value.high < 1.1 for value in found.values())
    far = any(value.low > 1.1 or value.high < 0.9 for value in found.values())
    return Verdict(
        "holds" if near else "does not hold" if far else "undecided",
        f"Within a tenth is called equal. {told}. The derivation takes both errors for "
        f"independent; the covariance is {shared} times sigma~^2.",
    )


def verdict_optimal(rows: Rows) -> Verdict:
    """How much is lost with document 002's beta, beside the best constant one?"""
    sizes = values(rows, "per_move")
    found = {n: ratio(rows, "independent_error", "best_error", per_move=n) for n in sizes}
    told = "; ".join(f"n = {n}: x{value}" for n, value in found.items())
    sides = {compare(value, 1.1) for value in found.values()}
    return Verdict(
        "holds" if sides == {"below"} else "does not hold" if "above" in sides else "undecided",
        f"Its error over that of the best beta, which knows the covariance (within a tenth is "
        f"called optimal): {told}.",
    )


def verdict_better(rows: Rows) -> Verdict:
    """Do the measured betas beat the heuristics?"""
    told, sides = [], []
    for measured in STATISTICAL:
        parts = []
        for n in values(rows, "per_move"):
            gains = {name: ratio(rows, f"error {name}", f"error {measured}", per_move=n)
                     for name in HEURISTIC}  # fmt: skip
            sides += [compare(gain, 1.0) for gain in gains.values()]
            parts.append(f"n = {n}: " + ", ".join(f"{name} {shown(gain.value)}"
                                                  for name, gain in gains.items()))  # fmt: skip
        told.append(f"Error of each over that of {measured} (above 1: {measured} is better): "
                    f"{'; '.join(parts)}.")  # fmt: skip
    wins, losses, open_ones = (sides.count(side) for side in ("above", "below", "straddles"))
    counted = f"Surely better {wins} times, surely worse {losses}, open {open_ones}."
    return Verdict(judge(sides), " ".join([*told, counted]))


def verdict_rule(rows: Rows) -> Verdict:
    """Is sigma^2 > b~^2 the right question?"""
    course, right = (
        mean_interval([row[f"{rule}_rule_right"] / row["moves"] for row in rows])
        for rule in ("course", "right")
    )
    gap = mean_interval(
        [(row["right_rule_right"] - row["course_rule_right"]) / row["moves"] for row in rows]
    )
    return Verdict(
        judge({compare(gap, 0.0)}, "below"),
        "Does averaging both (beta = 1/2) help? sigma^2 > b~^2 is right for "
        f"{100 * course.value:.1f} % of moves and sizes, the condition that follows from the same "
        f"formula, beta < 2 sigma^2 / (sigma^2 + sigma~^2 + b~^2), for {100 * right.value:.1f} %: "
        f"{100 * gap.value:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}] points.",
    )  # fmt: skip


def tables(rows: Rows) -> list[Table]:
    """The errors by sample size."""
    sizes = values(rows, "per_move")
    names = ["direct", "amaf", *(f"error {name}" for name in SCHEDULES), "independent_error",
             "best_error"]  # fmt: skip
    labels = ["Q alone", "Q~ alone", *(f"Q*, {name}" for name in SCHEDULES),
              "Q*, document 002's beta (true values)", "Q*, best constant beta"]  # fmt: skip
    lines = [
        [label, *(shown(average(where(rows, per_move=n), name)) for n in sizes)]
        for label, name in zip(labels, names, strict=True)
    ]
    betas = [
        [label, *(shown(average(where(rows, per_move=n), name)) for n in sizes)]
        for label, name in [*((n, f"beta {n}") for n in SCHEDULES),
                            ("document 002's, true values", "independent_beta"),
                            ("best", "best_beta")]
    ]  # fmt: skip
    head = [f"n = {n}" for n in sizes]
    return [
        Table("Mean squared error, over all positions", ["estimate", *head], lines),
        Table("beta", ["schedule", *head], betas),
    ]


def figure(rows: Rows) -> Figure:
    """Errors by sample size; the parts of the error; the betas."""
    from sylve.lab.style import line, panels

    sizes = values(rows, "per_move")

    def mean(name: str) -> list[float]:
        return [average(where(rows, per_move=n), name) for n in sizes]

    drawing, axes = panels(1, 3)
    curves = [("direct", "Q"), ("amaf", "Q~"), *((f"error {s}", f"Q*, {s}") for s in SCHEDULES),
              ("best_error", "Q*, best beta")]  # fmt: skip
    for index, (name, label) in enumerate(curves):
        found = [mean_interval([r[name] for r in where(rows, per_move=n)]) for n in sizes]
        band = name in ("direct", "amaf")
        ends = {"low": [max(1e-7, f.low) for f in found], "high": [f.high for f in found]}
        line(axes[0], index, sizes, [f.value for f in found], label, **(ends if band else {}))
    axes[0].set(xscale="log", yscale="log", xlabel="direct samples of a move, n",
                ylabel="mean squared error", title="error")  # fmt: skip
    parts = [("sigma2", "sigma²"), ("sigma2_amaf", "sigma~²"), ("bias2", "b~²"),
             ("covariance", "covariance (measured)")]  # fmt: skip
    for index, (name, label) in enumerate(parts):
        line(axes[1], index, sizes, mean(name), label)
    axes[1].set(xscale="log", yscale="log", xlabel="n", ylabel="part of the error",
                title="what it is made of")  # fmt: skip
    betas = [*((f"beta {s}", s) for s in SCHEDULES), ("independent_beta", "document 002's, true"),
             ("best_beta", "best")]  # fmt: skip
    for index, (name, label) in enumerate(betas):
        line(axes[2], index, sizes, mean(name), label)
    axes[2].set(xscale="log", ylim=(-0.03, 1.03), xlabel="n", ylabel="beta", title="weight of AMAF")
    for axis in axes:
        axis.legend(fontsize=6.5)
    return drawing


EXPERIMENT = Experiment(
    name="rave-error",
    claims=(
        Claim(
            "The squared error of the combined value is (1 - beta)^2 sigma^2 + beta^2 sigma~^2 + "
            "beta^2 b~^2.",
            "document 002, Dérivation de l'erreur quadratique",
        ),
        Claim(
            "beta = sigma^2 / (sigma^2 + sigma~^2 + b~^2) minimises the mean squared error.",
            "document 002, Optimisation du paramètre beta",
        ),
        Claim(
            "The statistical formula does better than heuristics that only count samples.",
            "document 002, Comparaison avec les approches heuristiques",
        ),
        Claim("RAVE is useful if sigma^2 > b~^2.", "document 002, Robustesse au biais"),
    ),
    method="""From positions of five games (the start, and others two to eight random plies from
    it) flat AMAF plays n simulations for each legal move, on average: the first moves are drawn
    at random, so that the same playouts give each move n direct samples and many more AMAF
    samples, as in a search. This is run many times. Q is the mean of the direct samples, Q~ that
    of the AMAF samples, Q* = (1 - beta) Q + beta Q~ with each schedule's beta.

    The truth, Q of random play, is taken from many playouts of each move (20,000 in the quick
    configuration, 400,000 in the full one), the true bias b~ from as many AMAF playouts. Errors
    are squared differences from that truth, averaged over runs and moves; sigma^2 and sigma~^2
    are the true variances divided by the samples. The product of both errors, averaged, is the
    covariance that the derivation sets to 0. With it the best constant beta is known for each
    move.

    Intervals are over positions. In the last claim a move counts as helped if the error of the
    average of Q and Q~ (beta = 1/2) is below that of Q. Document 002's own formula gives another
    condition than its rule: some weight beta helps if beta < 2 sigma^2 / (sigma^2 + sigma~^2 +
    b~^2). Both are held against the measured errors.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Mean squared error of Q, Q~ and Q* by direct samples; its parts; and the weights. "
    "Means over all positions and moves.",
    notes=(
        "The direct samples of a move are among its AMAF samples: both means share playouts, and "
        "the covariance should be sigma~^2, not 0. The best weight is then (sigma^2 - sigma~^2) / "
        "(sigma^2 - sigma~^2 + b~^2), larger than document 002's.",
        "The truth has an error of its own: its variance is 1/4 divided by the reference playouts.",
        "This is estimation at a root without a tree. In a tree Q itself drifts.",
        "Where a game has draws, the AMAF variance is taken as mean (1 - mean), a little too "
        "large.",
    ),
)
