"""Flat Monte Carlo beside UCB and UCT: where the simulations go, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sylve.arena.statistics import Statistics
from sylve.lab.data import playout_means, random_position, seeded, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.match import percent, play_pairs, side, statistics_of
from sylve.lab.statistics import Interval, compare, judge, mean_interval, saving
from sylve.search import Searcher

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = ("breakthrough(columns=5, rows=5)", "breakthrough", "connect_four", "othello",
         "hex(size=7)")  # fmt: skip
FLAT, UCB = "flat", "ucb"
MATCHES = {
    "ucb": ("ucb(playouts={n})", "flat(playouts={n})"),
    "uct": ("uct(playouts={n}, solver=false)", "flat(playouts={n})"),
    "uct, half": ("uct(playouts={half}, solver=false)", "flat(playouts={n})"),
}
"""Against flat; `half`: with half of flat's simulations."""
PLAYOUTS = (100, 1000)
PER_MOVE = (2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Simulations for each move of a position, at which the searches are looked at."""
NEAR = 0.02
"""A move is good if its mean is at most two points of a hundred below the best one's."""
LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9)


def cells(size: Size) -> list[Cell]:
    """All looks at a position; some pairs of a match."""
    quick = size == "quick"
    looks = [n for n in PER_MOVE if n <= (64 if quick else 512)]
    positions = [
        {"kind": "moves", "game": game, "position": number, "runs": 10 if quick else 20,
         "per_move": looks, "reference": 5000 if quick else 50_000}
        for game in GAMES
        for number in range(6 if quick else 40)
    ]  # fmt: skip
    games = [
        {"kind": "match", "match": match, "game": game, "playouts": playouts, "block": block,
         "pairs": 5 if quick else 10}
        for block in range(1 if quick else 6)
        for match in MATCHES
        for game in GAMES
        for playouts in ((100,) if quick else PLAYOUTS)
    ]  # fmt: skip
    return [*positions, *games]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Where the simulations of a position went, and what was chosen; or a match."""
    if cell["kind"] == "match":
        begin = cell["block"] * cell["pairs"]
        one, two = (text.format(n=cell["playouts"], half=cell["playouts"] // 2)
                    for text in MATCHES[cell["match"]])  # fmt: skip
        pairs = range(begin, begin + cell["pairs"])
        counts = play_pairs(cell["game"], one, two, 4, seed, pairs)
        named = {name: cell[name] for name in ("kind", "match", "game", "playouts", "block")}
        return [{**named, **counts}]
    number = cell["position"]
    root = random_position(cell["game"], (4, 10), seed, number)
    truth = playout_means(root, cell["reference"], seed, number, 1)
    best = max(truth.values())
    good = [move for move in truth if truth[move] >= best - NEAR]
    rows = []
    for text in (FLAT, UCB):
        found = {n: [0, 0.0, 0.0] for n in cell["per_move"]}
        for run in range(cell["runs"]):
            searcher = Searcher(root, seeded(text, seed, number, run))
            done = 0
            for n in cell["per_move"]:
                report = searcher.run(n * len(root.moves) - done)
                done = n * len(root.moves)
                found[n][0] += report.best in good
                found[n][1] += sum(report[move].visits for move in good) / done
                found[n][2] += best - truth[report.best]
        rows += [
            {"kind": "moves", "game": cell["game"], "position": number, "search": text,
             "per_move": n, "right": right / cell["runs"],
             "concentration": share / cell["runs"] * len(root.moves) / len(good),
             "lost": 100 * lost / cell["runs"]}
            for n, (right, share, lost) in found.items()
        ]  # fmt: skip
    return rows


def games_of(rows: Rows) -> list[str]:
    """The games of the positions."""
    return values(where(rows, kind="moves"), "game")


def at(rows: Rows, game: str, search: str, per_move: int, name: str) -> Interval:
    """A column at a look, over positions."""
    chosen = where(rows, kind="moves", game=game, search=search, per_move=per_move)
    return mean_interval([row[name] for row in chosen])


def saved(rows: Rows, game: str, level: float) -> Interval | None:
    """How many times fewer simulations UCB needs until so many choices are good."""
    chosen = [where(rows, kind="moves", game=game, search=text) for text in (FLAT, UCB)]
    flat, ucb = (
        [[row["right"] for row in where(part, position=number)]
         for number in values(part, "position")]
        for part in chosen
    )  # fmt: skip
    return saving(values(chosen[0], "per_move"), flat, ucb, level)


def verdicts(rows: Rows) -> list[Verdict]:
    """The four claims."""
    return [
        verdict_match(rows, ("uct", "uct, half")),
        verdict_allocation(rows),
        verdict_match(rows, ("ucb",)),
        verdict_convergence(rows),
    ]


def verdict_match(rows: Rows, matches: tuple[str, ...]) -> Verdict:
    """Does the other search beat flat? Judged by the first match, at equal simulations."""
    told, sides = [], []
    for match, game, playouts, found in results(rows):
        if match in matches:
            told.append(f"{match}, {game}, {playouts:,}: {percent(found)}")
        if match == matches[0]:
            sides.append(side(found))
    return Verdict(judge(sides), f"Score against flat by simulations a move: {'; '.join(told)}.")


def verdict_allocation(rows: Rows) -> Verdict:
    """Does flat share evenly, and does UCB prefer the good moves?"""
    told, sides = [], []
    for game in games_of(rows):
        last = values(where(rows, kind="moves", game=game), "per_move")[-1]
        flat, ucb = (at(rows, game, text, last, "concentration") for text in (FLAT, UCB))
        told.append(f"{game}: flat x{flat.value:.3g}, UCB x{ucb} with {last} for each move")
        sides.append(compare(ucb, 1.0) if abs(flat.value - 1.0) < 0.01 else "below")
    return Verdict(
        judge(sides),
        "The good moves' simulations as a multiple of the even share; flat must have 1, UCB more: "
        f"{'; '.join(told)}.",
    )


def verdict_convergence(rows: Rows) -> Verdict:
    """Does UCB need fewer simulations to find a good move?"""
    told, sides = [], []
    for game in games_of(rows):
        for level in LEVELS:
            factor = saved(rows, game, level)
            if factor is not None:
                told.append(f"{game}, {level:.0%}: x{factor}")
                sides.append(compare(factor, 1.0))
    if not sides:
        return Verdict("undecided", "No share of right choices was reached by both.")
    return Verdict(
        judge(sides),
        "How many times fewer simulations UCB needs until so many of its choices are good: "
        f"{'; '.join(told)}.",
    )


def tables(rows: Rows) -> list[Table]:
    """Shares of good choices, what is lost, allocation, matches."""
    found = []
    looks = values(where(rows, kind="moves"), "per_move")
    for name, title in (
        ("right", "Choices that are good"),
        ("lost", "What the choice loses to the best move, in points of a hundred"),
        ("concentration", "Simulations of the good moves, as a multiple of the even share"),
    ):
        lines = [
            [game, text, *(at(rows, game, text, n, name).short for n in looks)]
            for game in games_of(rows)
            for text in (FLAT, UCB)
        ]
        head = ["game", "search", *map(str, looks)]
        found.append(Table(f"{title}, by simulations for each move", head, lines))
    matches = [
        [f"{match} v flat", game, playouts, percent(result), result.games]
        for match, game, playouts, result in results(rows)
    ]
    head = ["match", "game", "simulations of flat", "score of the first", "games"]
    return [*found, Table("Matches", head, matches)]


def results(rows: Rows) -> Iterator[tuple[str, str, int, Statistics]]:
    """The matches: which, game, simulations, and what they gave."""
    chosen = where(rows, kind="match")
    for match in values(chosen, "match"):
        for game in values(chosen, "game"):
            for playouts in values(chosen, "playouts"):
                here = where(chosen, match=match, game=game, playouts=playouts)
                yield match, game, playouts, statistics_of(here)


def figure(rows: Rows) -> Figure:
    """Right choices and allocation by simulations; the matches."""
    from sylve.lab.style import COLOURS, MARKERS, line, panels

    drawing, axes = panels(1, 3, width=14, height=4)
    names = {game: game.replace("columns=5, rows=5", "5x5") for game in games_of(rows)}
    for index, game in enumerate(names):
        for text, dashes in ((FLAT, "--"), (UCB, "-")):
            looks = values(where(rows, kind="moves", game=game), "per_move")
            for axis, name in ((axes[0], "right"), (axes[1], "concentration")):
                line(axis, index, looks, [at(rows, game, text, n, name).value for n in looks],
                     names[game] if text == UCB else None, linestyle=dashes)  # fmt: skip
    axes[0].set(ylim=(0, 1.02), ylabel="choices that are good", title="UCB (solid), flat (dashed)")
    axes[1].set(ylabel="good moves' simulations / even share", title="allocation")
    for axis in axes[:2]:
        axis.set(xscale="log", xlabel="simulations for each move")
    axes[0].legend(fontsize=7, loc="lower right")
    labels: list[str] = []
    for match, game, playouts, found in results(rows):
        label = f"{names.get(game, game)}, {playouts:,}"
        labels += [label] if label not in labels else []
        low, high = found.interval
        index = list(MATCHES).index(match)
        axes[2].errorbar([100 * found.score], [labels.index(label) + 0.22 * (index - 1)],
                         fmt=MARKERS[index], color=COLOURS[index],
                         label=match if label == labels[0] else None,
                         xerr=[[100 * (found.score - low)],
                               [100 * (high - found.score)]])  # fmt: skip
    axes[2].axvline(50, color="#555555", linewidth=0.8, linestyle="--")
    axes[2].set_yticks(range(len(labels)), labels, fontsize=7)
    axes[2].set(xlim=(-2, 102), ylim=(len(labels) - 0.4, -0.6), xlabel="score against flat, %",
                title="matches, by simulations a move")  # fmt: skip
    axes[2].grid(visible=False, axis="y")
    axes[2].legend(fontsize=7, loc="lower left")
    return drawing


EXPERIMENT = Experiment(
    name="flat",
    claims=(
        Claim(
            "UCT concentrates its simulations on promising branches; flat Monte Carlo treats all "
            "moves alike: simpler, but less efficient.",
            "document 001, Vs UCT",
        ),
        Claim(
            "Flat Monte Carlo allocates its simulations uniformly, UCB adaptively.",
            "document 003, Vs Flat Monte Carlo",
        ),
        Claim(
            "The efficiency of flat Monte Carlo is low, that of UCB high.",
            "document 003, Vs Flat Monte Carlo",
        ),
        Claim(
            "Flat Monte Carlo converges slowly, UCB fast.",
            "document 003, Vs Flat Monte Carlo",
        ),
    ),
    method="""Matches: UCT and UCB (c = 0.4) play flat Monte Carlo with the same number of
    simulations for each move, in pairs with colours swapped, from four random plies; UCT also plays
    with half of flat's simulations, more than its tree can cost in time. UCT runs without proofs,
    as in the course.

    Positions four to ten random plies from the start; the true mean of each move in random play is
    taken from many playouts of it. Flat and UCB search each position several times and are looked
    at after 2, 4, 8, ... simulations for each move. A move is good if its mean is at most two
    points of a hundred below the best one's. How often is the choice good, what does it lose to
    the best move, what share of the simulations have the good moves? Both searches look for the
    move that is best in random play, so this is the question that both are asked; `truth` asks for
    the move that wins.

    Claims 1 and 3 hold if the other search surely beats flat at equal simulations, on every game
    and with every number. Claim 2 holds if the good moves have the even share with flat, and surely
    more than that with UCB at the last look, on every game. Claim 4 compares the simulations until
    50 to 90 % of the choices are good: it holds if flat surely needs more, on every game and at
    every level that is reached. Intervals are over pairs and over positions (the ratio by
    bootstrap).""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Left: share of choices that are good in random play. Middle: the good moves' "
    "simulations over the even share. Right: scores against flat with 95 % intervals; half: UCT "
    "with half of flat's simulations.",
    notes=("What counts as good is our choice; the table of what is lost does not depend on it.",),
)
