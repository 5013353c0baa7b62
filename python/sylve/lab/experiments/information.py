"""How many samples AMAF gets from the same simulations, and what they are worth."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from sylve.engine import is_compiled, to_core
from sylve.lab.data import average, random_position, seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, compare, judge, mean_interval, shown, slope_interval
from sylve.position import Position
from sylve.rng import Rng, hash_words
from sylve.search.run import search

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = (
    "breakthrough(columns=5, rows=5)",
    "breakthrough",
    "connect_four",
    "othello",
    "hex(size=11)",
    "go(size=9)",
)
CLAIMED = 20.0
NEAR = 0.1
"""How far a slope may be from -1 to be called 1/N."""


def cells(size: Size) -> list[Cell]:
    """A position and a number of simulations."""
    quick = size == "quick"
    budgets = [100, 300, 1000] if quick else [100, 300, 1000, 3000, 10_000]
    return [
        {"game": game, "position": number, "simulations": budget, "runs": 40 if quick else 100}
        for game in GAMES
        for number in range(3 if quick else 10)
        for budget in budgets
        if game != "go(size=9)" or number < (2 if quick else 5)  # slow
    ]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Both estimates of every move, many times; the variance of each over the runs."""
    number, budget, runs = cell["position"], cell["simulations"], cell["runs"]
    position = position_of(cell["game"], seed, number)
    moves = len(position.moves)
    direct: list[list[float]] = [[] for _ in range(moves)]
    amaf: list[list[float]] = [[] for _ in range(moves)]
    direct_samples = amaf_samples = 0
    for run in range(runs):
        words = (seed, number, budget, run)
        for index, entry in enumerate(search(position, flat(budget, *words)).moves):
            if entry.mean is not None:
                direct[index].append(entry.mean)
                direct_samples += entry.visits
        found = search(position, seeded(f"flat_amaf({budget})", *words, 2))
        for index, entry in enumerate(found.moves):
            if entry.amaf_mean is not None:
                amaf[index].append(entry.amaf_mean)
                amaf_samples += entry.amaf_visits or 0
    return [
        {"game": cell["game"], "position": number, "simulations": budget, "runs": runs,
         "moves": moves, "plies": playout_length(position, seed),
         "direct_samples": direct_samples / runs / moves,
         "amaf_samples": amaf_samples / runs / moves,
         "direct_variance": mean_variance(direct), "amaf_variance": mean_variance(amaf)}
    ]  # fmt: skip


def flat(budget: int, *words: int) -> Any:
    """Flat search with as many simulations."""
    return seeded(f"flat({budget})", *words, 1)


def position_of(game: str, seed: int, number: int) -> Position:
    """The start, then positions two to eight random plies from it."""
    return Position.start(game) if number == 0 else random_position(game, (2, 8), seed, number)


def playout_length(position: Position, seed: int) -> float:
    """The mean number of plies of a random game from here."""
    stream = hash_words((seed, 3))
    if is_compiled(position):
        core = to_core(position)
        lengths = [len(core.traced_playout(stream, n)[1]) for n in range(100)]
    else:
        lengths = [len(position.playout(Rng.stream(stream, n)).codes) for n in range(100)]
    return sum(lengths) / len(lengths)


def mean_variance(values_by_move: list[list[float]]) -> float:
    """The variance over the runs, averaged over the moves."""
    found = []
    for sample in values_by_move:
        if len(sample) > 1:
            mean = sum(sample) / len(sample)
            found.append(sum((value - mean) ** 2 for value in sample) / (len(sample) - 1))
    return sum(found) / len(found) if found else 0.0


def ratios(rows: Rows, game: str, kind: str) -> list[float]:
    """AMAF over direct for each position, averaged over budgets: `samples` or `variance`."""
    found = []
    for number in values(where(rows, game=game), "position"):
        here = where(rows, game=game, position=number)
        parts = [
            row["amaf_samples"] / row["direct_samples"]
            if kind == "samples"
            else row["direct_variance"] / row["amaf_variance"]
            for row in here
            if row["direct_samples"] > 0 and row["amaf_variance"] > 0
        ]
        found.append(sum(parts) / len(parts))
    return found


def slope(rows: Rows, game: str, kind: str) -> Interval:
    """The slope of log variance against log samples, each position freed of its own level."""
    x, y = [], []
    for number in values(where(rows, game=game), "position"):
        here = [
            row for row in where(rows, game=game, position=number) if row[f"{kind}_variance"] > 0
        ]
        a = [log(row[f"{kind}_samples"]) for row in here]
        b = [log(row[f"{kind}_variance"]) for row in here]
        x += [value - sum(a) / len(a) for value in a]
        y += [value - sum(b) / len(b) for value in b]
    return slope_interval(x, y)


def verdicts(rows: Rows) -> list[Verdict]:
    """The three claims."""
    games = values(rows, "game")
    slopes = {
        (game, kind): slope(rows, game, kind) for game in games for kind in ("direct", "amaf")
    }
    told = "; ".join(f"{kind} on {game}: {value}" for (game, kind), value in slopes.items())
    near = [abs(value.low + 1) < NEAR and abs(value.high + 1) < NEAR for value in slopes.values()]
    far = [value.low > NEAR - 1 or value.high < -NEAR - 1 for value in slopes.values()]
    answers = [
        Verdict(
            "holds" if all(near) else "does not hold" if any(far) else "undecided",
            f"Slopes of log variance against log samples, -1 expected, {NEAR} allowed: {told}.",
        )
    ]
    sizes = {game: mean_interval(ratios(rows, game, "samples")) for game in games}
    told = "; ".join(f"{game}: x{value}" for game, value in sizes.items())
    sides = {compare(value, 2.0) for value in sizes.values()}
    answers.append(
        Verdict(
            judge(sides),
            f"AMAF samples over direct samples (much larger: more than twice): {told}.",
        )
    )  # fmt: skip
    worth = {game: mean_interval(ratios(rows, game, "variance")) for game in games}
    told = "; ".join(
        f"{game}: x{shown(sizes[game].value)} samples, worth x{worth[game]}" for game in games
    )
    sides = {compare(value, CLAIMED) for value in worth.values()}
    answers.append(
        Verdict(
            judge(sides),
            f"Worth: variance of the direct mean over that of the AMAF mean, at equal simulations; "
            f"it says nothing of the bias. {told}.",
        )
    )  # fmt: skip
    return answers


def tables(rows: Rows) -> list[Table]:
    """Samples and their worth by game."""
    lines = []
    for game in values(rows, "game"):
        here = where(rows, game=game)
        lines.append(
            [game, f"{average(here, 'plies'):.1f}", f"{average(here, 'moves'):.1f}",
             mean_interval(ratios(rows, game, "samples")).short,
             mean_interval(ratios(rows, game, "variance")).short,
             slope(rows, game, "direct").short, slope(rows, game, "amaf").short]
        )  # fmt: skip
    head = ["game", "plies of a playout", "moves", "AMAF samples per direct one",
            "worth (variance ratio)", "slope direct", "slope AMAF"]  # fmt: skip
    return [Table("Samples from the same simulations, and what they are worth", head, lines)]


def figure(rows: Rows) -> Figure:
    """Samples by simulations; variance by samples."""
    from sylve.lab.style import COLOURS, MARKERS, line, panels

    drawing, axes = panels(1, 3)
    for index, game in enumerate(values(rows, "game")):
        here = where(rows, game=game)
        budgets = sorted(set(values(here, "simulations")))
        for kind, style in (("amaf", "-"), ("direct", "--")):
            mean = [average(where(here, simulations=n), f"{kind}_samples") for n in budgets]
            line(axes[0], index, budgets, mean, linestyle=style)
        for axis, kind in ((axes[1], "direct"), (axes[2], "amaf")):
            axis.scatter(
                [row[f"{kind}_samples"] for row in here], [row[f"{kind}_variance"] for row in here],
                color=COLOURS[index], marker=MARKERS[index], s=12,
                label=game if kind == "amaf" else None,
            )  # fmt: skip
    for axis, kind, name in ((axes[1], "direct", "direct"), (axes[2], "amaf", "AMAF")):
        ends = [min(row[f"{kind}_samples"] for row in rows),
                max(row[f"{kind}_samples"] for row in rows)]  # fmt: skip
        axis.plot(ends, [0.25 / n for n in ends], color="#555555", linestyle=":",
                  label="1/(4n): a fair coin" if kind == "direct" else None)  # fmt: skip
        axis.set(xscale="log", yscale="log", xlabel=f"{name} samples of a move",
                 ylabel="variance of the mean", title=f"{name} estimator")  # fmt: skip
        axis.legend(fontsize=6.5)
    axes[0].set(xscale="log", yscale="log", xlabel="simulations", ylabel="samples of a move",
                title="samples: AMAF (solid), direct (dashed)")  # fmt: skip
    return drawing


EXPERIMENT = Experiment(
    name="information",
    claims=(
        Claim(
            "The variance of the Monte Carlo estimate falls as 1 / N(s,a), that of AMAF as 1 / "
            "N~(s,a).",
            "document 000, Avantage statistique d'AMAF",
        ),
        Claim(
            "N~(s,a) is much larger than N(s,a), since many moves appear in each simulation.",
            "document 000, Avantage statistique d'AMAF",
        ),
        Claim(
            "10 simulations of 20 moves are 200 observations instead of 10: 20 times more "
            "information.",
            "document 000, Exemple numérique",
        ),
    ),
    method="""From a position, `Flat` plays N simulations, equally many for each move; `FlatAmaf`
    plays as many from the position itself and counts a simulation for every legal move whose code
    its player made in it. Both are run many times with other seeds: the variance of an estimate
    over these runs is measured, not computed from its formula, and averaged over the moves.

    Direct samples are N / moves for each move in both methods. The worth of AMAF is the variance
    of the direct mean over the variance of the AMAF mean after equally many simulations: with w
    times as many direct simulations one would know as much, if there were no bias. Positions: the
    start, and others two to eight random plies from it. Intervals are over positions.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Left: samples of a move by simulations, AMAF solid, direct dashed. Middle and right: "
    "the variance of each estimator against its samples, one point for a position and a budget.",
    notes=(
        "A playout of 20 plies holds 10 moves of the player, of which only those count that are "
        "legal now; a move counts once. So the factor is far from the number of plies.",
        "The bias of AMAF is no part of this; see bias and rave-error.",
    ),
)
