"""What false results cost: playouts that report the wrong winner, with AMAF and without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sylve.game import AnyGame, Outcome, Player, playout
from sylve.lab.data import average, seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.ground_truth import puzzle
from sylve.lab.statistics import Interval, bootstrap, compare, judge, mean_interval
from sylve.position import Position
from sylve.rng import Rng
from sylve.search import Searcher
from sylve.search.reference.arithmetic import uniform

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

GAME, PLIES = "breakthrough(columns=5, rows=5)", (6, 10)
PAIRS = (("flat", "flat_amaf"), ("uct(solver=false)", "rave(solver=false)"))
"""Without AMAF, with it."""
SEARCHES = tuple(search for pair in PAIRS for search in pair)
RATES = (0.0, 0.1, 0.2, 0.3)
"""The share of playouts whose result is turned round."""
POSITIONS = 10


@dataclass(frozen=True)
class FalseResults:
    """A game whose playouts report the wrong winner so often. All else is as it was."""

    game: AnyGame
    rate: float

    def start(self) -> Any:
        """The start of the game."""
        return self.game.start()

    def turn(self, state: Any) -> Player:
        """Who is to move."""
        return self.game.turn(state)

    def outcome(self, state: Any) -> Outcome | None:
        """How it ended: always told truly."""
        return self.game.outcome(state)

    def moves(self, state: Any) -> Any:
        """The legal moves."""
        return self.game.moves(state)

    def play(self, state: Any, move: int) -> Any:
        """The position after a move."""
        return self.game.play(state, move)

    def hash(self, state: Any) -> Any:
        """The node of a position."""
        return self.game.hash(state)  # type: ignore[attr-defined]

    def codes(self) -> Any:
        """How many AMAF codes there are."""
        return self.game.codes()  # type: ignore[attr-defined]

    def code(self, state: Any, move: int) -> Any:
        """The AMAF code of a move."""
        return self.game.code(state, move)  # type: ignore[attr-defined]

    def playout(self, state: Any, rng: Rng, played: list[int] | None = None) -> Outcome:
        """A random game; one more draw decides whether its result is told truly."""
        found = playout(self.game, state, rng, played)
        if uniform(rng) >= self.rate or found.winner is None:
            return found
        return Outcome(found.winner.other)


def cells(size: Size) -> list[Cell]:
    """A search on a block of positions with a rate of false results."""
    quick = size == "quick"
    return [
        {"search": search, "rate": rate, "block": block, "budgets": [30, 100, 300]}
        for block in range(4 if quick else 30)
        for rate in (RATES if not quick else (0.0, 0.2))
        for search in SEARCHES
    ]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """How many choices are right at each budget."""
    right = dict.fromkeys(cell["budgets"], 0)
    chance = 0.0
    begin = cell["block"] * POSITIONS
    for index in range(begin, begin + POSITIONS):
        position, winning = puzzle(GAME, PLIES, seed, index)
        chance += len(winning) / len(position.moves) / POSITIONS
        if cell["rate"] > 0:
            position = Position(FalseResults(position.game, cell["rate"]), position.state)
        searcher = Searcher(position, seeded(cell["search"], seed, index))
        done = 0
        for budget in cell["budgets"]:
            report = searcher.run(budget - done)
            done = budget
            right[budget] += report.best in winning
    return [
        {"search": cell["search"], "rate": cell["rate"], "block": cell["block"],
         "simulations": budget, "right": right[budget] / POSITIONS, "chance": chance}
        for budget in cell["budgets"]
    ]  # fmt: skip


def shares(rows: Rows, search: str, rate: float, budget: int) -> list[float]:
    """The shares of right moves, block by block."""
    chosen = where(rows, search=search, rate=rate, simulations=budget)
    return [row["right"] for row in chosen]


def known(rows: Rows, search: str, rate: float, budget: int) -> NDArray[np.float64]:
    """What a search knows beyond a random move, block by block: without false results, with."""
    import numpy as np

    chance = [row["chance"] for row in where(rows, search=search, rate=rate, simulations=budget)]
    both = [shares(rows, search, r, budget) for r in (0.0, rate)]
    found: NDArray[np.float64] = np.array(both) - np.array(chance)
    return found


def kept(both: NDArray[np.float64], drawn: Any) -> float:
    """The part of it that is left with false results."""
    clean, noisy = both[:, drawn].sum(axis=1)
    return float(noisy / clean) if clean > 0 else 0.0


def keeps(rows: Rows, search: str, rate: float, budget: int) -> Interval:
    """The same with its interval over blocks."""
    both = known(rows, search, rate, budget)
    return bootstrap(both.shape[1], lambda drawn: kept(both, drawn))


def more(rows: Rows, plain: str, amaf: str, rate: float, budget: int) -> Interval:
    """How much more the search with AMAF keeps."""
    one, two = (known(rows, search, rate, budget) for search in (plain, amaf))
    return bootstrap(one.shape[1], lambda drawn: kept(two, drawn) - kept(one, drawn))


def short(search: str) -> str:
    """The name of a search for people."""
    return search.split("(")[0]


def verdicts(rows: Rows) -> list[Verdict]:
    """Does AMAF keep more of what it knows?"""
    told, sides = [], []
    for plain, amaf in PAIRS:
        for rate in values(rows, "rate"):
            for budget in values(rows, "simulations") if rate > 0 else ():
                found = more(rows, plain, amaf, rate, budget)
                sides.append(compare(found, 0.0))
                told.append(f"{short(amaf)} beside {short(plain)}, {rate:.0%} false, {budget}: "
                            f"{found}")  # fmt: skip
    return [
        Verdict(
            judge(sides),
            "How much more of what it knows beyond a random move the search with AMAF keeps, by "
            f"the share of false results and simulations: {'; '.join(told)}.",
        )
    ]


def tables(rows: Rows) -> list[Table]:
    """Shares of right moves, and what is kept."""
    budgets, rates = values(rows, "simulations"), sorted(values(rows, "rate"))
    first, second = [], []
    for search in SEARCHES:
        for budget in budgets:
            found = [shares(rows, search, rate, budget) for rate in rates]
            first.append([search, budget, *(f"{sum(f) / len(f):.3f}" for f in found)])
            left = [keeps(rows, search, rate, budget).short for rate in rates if rate > 0]
            second.append([search, budget, *left])
    chance = average(rows, "chance")
    return [
        Table(f"Share of right moves by the share of false results; a random move: {chance:.3f}",
              ["search", "simulations", *(f"{rate:.0%}" for rate in rates)], first),
        Table("Part that is kept of what the search knows beyond a random move",
              ["search", "simulations", *(f"{rate:.0%}" for rate in rates if rate > 0)], second),
    ]  # fmt: skip


def figure(rows: Rows) -> Figure:
    """Share of right moves by the share of false results, a panel for each budget."""
    from sylve.lab.style import curve, panels

    budgets, rates = values(rows, "simulations"), sorted(values(rows, "rate"))
    drawing, axes = panels(1, len(budgets), width=4.2 * len(budgets), height=3.6)
    chance = average(rows, "chance")
    for axis, budget in zip(axes, budgets, strict=True):
        for index, search in enumerate(SEARCHES):
            found = [mean_interval(shares(rows, search, rate, budget)) for rate in rates]
            curve(axis, index, rates, found, short(search))
        axis.axhline(chance, color="#555555", linewidth=0.8, linestyle="--")
        axis.set(ylim=(0, 1), xlabel="share of false results", ylabel="share of right moves",
                 xticks=rates, title=f"{budget} simulations")  # fmt: skip
    axes[0].legend()
    return drawing


EXPERIMENT = Experiment(
    name="noise",
    claims=(
        Claim(
            "AMAF is robust to noise: general patterns emerge quickly despite the variance of the "
            "single simulations.",
            "document 000, Robustesse au bruit",
        ),
    ),
    method="""The positions of `truth` on Breakthrough 5x5: after 6 to 10 random plies, won by the
    side to move with at most a third of its moves, which a solver knows. Noise is put in on
    purpose: a share of the playouts reports the wrong winner. Positions that are over are always
    told truly. Each search runs with the same positions and seeds, with and without false results,
    and its choice is looked at after 30, 100 and 300 simulations.

    A search that is right more often also has more to lose. So what is compared is the part that
    is kept: the share of right moves less that of a random move, with false results over without.
    The claim holds where RAVE surely keeps more than UCT, and flat AMAF more than flat, at every
    rate and number of simulations. Intervals are bootstrapped over blocks of ten positions, which
    both searches share.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Share of right moves by the share of playouts that report the wrong winner, with 95 % "
    "intervals over blocks. Dashed: a random move.",
    notes=(
        "Turning a share p of the results round shrinks all differences between moves by 1 - 2p: "
        "it is as if there were (1 - 2p)^2 times as many simulations.",
    ),
)
