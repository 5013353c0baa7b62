"""Multi-scale RAVE: a weight of AMAF for each distance or kind of move, against one weight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sylve.arena.statistics import Statistics
from sylve.lab.data import values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.match import percent, play_block, side, statistics_of
from sylve.lab.statistics import judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = ("breakthrough(columns=5, rows=5)", "breakthrough", "connect_four", "othello",
         "hex(size=7)")  # fmt: skip
SCALES = {
    "by distance": "multi_scale_rave(playouts={n})",
    "by kind": "multi_scale_rave(playouts={n}, by=kind)",
}
PLAIN = {
    "one scale": 'multi_scale_rave(playouts={n}, bands="0")',
    "plain RAVE": "rave(playouts={n})",
}
"""The same search with a single scale; RAVE as it is used."""
KINDS = ("breakthrough(columns=5, rows=5)", "breakthrough")
"""The games that know kinds of moves: in others `by kind` has a single scale."""
PLAYOUTS = (100, 1000)


def cells(size: Size) -> list[Cell]:
    """Some pairs of a match."""
    quick = size == "quick"
    return [
        {"scales": scales, "rival": rival, "game": game, "playouts": playouts, "block": block,
         "pairs": 3 if quick else 10}
        for block in range(1 if quick else 6)
        for scales in SCALES
        for rival in PLAIN
        for game in (GAMES if scales == "by distance" else KINDS)
        for playouts in (PLAYOUTS[:1] if quick else PLAYOUTS)
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Some pairs."""
    one, two = (text.format(n=cell["playouts"])
                for text in (SCALES[cell["scales"]], PLAIN[cell["rival"]]))  # fmt: skip
    named = {name: cell[name] for name in ("scales", "rival", "game", "playouts", "block")}
    return [{**named, **play_block(cell, cell["game"], one, two, 4, seed)}]


def results(rows: Rows, rival: str) -> Iterator[tuple[str, str, int, Statistics]]:
    """The matches against a rival: scales, game, simulations, and what they gave."""
    for scales in values(rows, "scales"):
        for game in values(where(rows, scales=scales), "game"):
            for playouts in values(rows, "playouts"):
                here = where(rows, scales=scales, rival=rival, game=game, playouts=playouts)
                yield scales, game, playouts, statistics_of(here)


def verdicts(rows: Rows) -> list[Verdict]:
    """Are several weights better than one, by the same formula and at all?"""
    found = []
    for rival in PLAIN:
        told, sides = [], []
        for scales, game, playouts, result in results(rows, rival):
            sides.append(side(result))
            told.append(f"{scales}, {game}, {playouts:,}: {percent(result)}")
        reason = f"Score against {rival} by simulations a move: {'; '.join(told)}."
        found.append(Verdict(judge(sides), reason))
    return found


def tables(rows: Rows) -> list[Table]:
    """All matches."""
    lines = [
        [f"{scales} v {rival}", game, playouts, percent(result), result.games]
        for rival in values(rows, "rival")
        for scales, game, playouts, result in results(rows, rival)
    ]
    head = ["match", "game", "simulations", "score of the first", "games"]
    return [Table("Multi-scale RAVE against RAVE with one weight", head, lines)]


def figure(rows: Rows) -> Figure:
    """Scores with intervals, a panel for each rival."""
    from sylve.lab.style import COLOURS, MARKERS, panels, score

    drawing, axes = panels(1, 2, width=11, height=4.2)
    for axis, (rival, text) in zip(axes, PLAIN.items(), strict=True):
        labels: list[str] = []
        for scales, game, playouts, result in results(rows, rival):
            label = f"{game.replace('columns=5, rows=5', '5x5')}, {playouts:,}"
            labels += [label] if label not in labels else []
            number = list(SCALES).index(scales)
            score(axis, labels.index(label) + 0.24 * number - 0.12, result, fmt=MARKERS[number],
                  color=COLOURS[number], label=scales if label == labels[0] else None)  # fmt: skip
        axis.axvline(50, color="#555555", linewidth=0.8, linestyle="--")
        axis.set_yticks(range(len(labels)), labels, fontsize=7)
        name = text.replace("playouts={n}, ", "").replace("(playouts={n})", "")
        axis.set(xlim=(-2, 102), ylim=(len(labels) - 0.4, -1.4), xlabel="score, %",
                 title=f"against {rival}: {name}")  # fmt: skip
        axis.grid(visible=False, axis="y")
    axes[0].legend(loc="upper right", ncols=2)
    return drawing


EXPERIMENT = Experiment(
    name="multi-scale",
    claims=(
        Claim(
            "Different betas for different horizons or kinds of moves are better than one, by the "
            "same formula.",
            "document 002, RAVE multi-échelle, read as a claim",
        ),
        Claim(
            "Multi-scale RAVE is better than plain RAVE.",
            "document 002, RAVE multi-échelle, read as a claim",
        ),
    ),
    method="""Document 002 proposes different betas for different horizons or kinds of moves, and
    says nothing of what they gain. `multi_scale_rave` keeps several AMAF tallies for each move: by
    how many plies after the node it was played (0-1, 2-7, 8 and more), or with a bias measured for
    each kind of move (the five gestures of Breakthrough; the other games know no kinds). Each
    estimate is weighted by the inverse of its squared error.

    The first rival is the same search with a single scale (`bands="0"`), so that only the scales
    differ. The second is RAVE as it is used by default. All play with equal
    simulations for each move, in pairs with colours swapped, from four random plies. A claim holds
    if multi-scale RAVE surely wins, on every game, with both numbers of simulations and both ways
    to make scales. Intervals are over pairs.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Scores of multi-scale RAVE with 95 % intervals, against the same formula with one "
    "scale (left) and against RAVE by default (right).",
    notes=(
        "A simulation of multi-scale RAVE costs more time than one of RAVE: at equal time it would "
        "do worse than here.",
    ),
)
