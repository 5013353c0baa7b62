"""Published match results, played again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sylve.arena.sprt import Sprt
from sylve.arena.statistics import elo_of_score
from sylve.lab.data import values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.match import counts_of, percent, play_block, side, statistics_of
from sylve.lab.statistics import judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GO, BREAKTHROUGH = "go(size=9, komi=7.5)", "breakthrough"
RAVE, GRAVE, UCT = "rave({n}, solver=false)", "grave({n}, solver=false)", "uct({n}, solver=false)"
MATCHES = {
    "RAVE v UCT, Go 9x9": (GO, RAVE, UCT, 0.732),
    "GRAVE v RAVE, Go 9x9": (GO, GRAVE, RAVE, 0.544),
    "RAVE v UCT, Breakthrough 8x8": (BREAKTHROUGH, RAVE, UCT, None),
    "GRAVE v RAVE, Breakthrough 8x8": (BREAKTHROUGH, GRAVE, RAVE, None),
}
"""Game, both players, and the published score of the first."""
PLAYOUTS = 1000
"""Of the publication, as far as is known."""
BETTER = 30.0
"""The Elo points that a sequential test asks for where nothing is published."""


def cells(size: Size) -> list[Cell]:
    """Some pairs of a match."""
    quick = size == "quick"
    per_block, blocks = (2, 4) if quick else (5, 50)
    return [
        {"match": match, "playouts": 100 if quick else PLAYOUTS, "block": block, "pairs": per_block}
        for block in range(blocks)
        for match in MATCHES
    ]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Play the pairs of the block."""
    game, first, second, _ = MATCHES[cell["match"]]
    one, two = (text.format(n=cell["playouts"]) for text in (first, second))
    counts = play_block(cell, game, one, two, 2, seed)
    return [
        {"match": cell["match"], "playouts": cell["playouts"], "block": cell["block"], **counts}
    ]


def sequential(rows: Rows, match: str) -> str:
    """What a sequential test says: even, or as published? It looks after every block."""
    published = MATCHES[match][3]
    test = Sprt(0.0, elo_of_score(published) if published else BETTER)
    more = "published or more" if published else f"{BETTER:g} Elo or more"
    total = [0] * 5
    for row in sorted(where(rows, match=match), key=lambda row: row["block"]):
        total = [a + b for a, b in zip(total, counts_of(row), strict=True)]
        verdict = test.verdict(test.ratio(total))
        if verdict is not None:
            return f"{more if verdict == 'H1' else 'even'} after {sum(total)} pairs"
    return f"no decision after {sum(total)} pairs"


def verdicts(rows: Rows) -> list[Verdict]:
    """One for each match."""
    return [verdict_of(rows, match) for match in MATCHES]


def verdict_of(rows: Rows, match: str) -> Verdict:
    """Reproduced, not reproduced, or other conditions."""
    found = statistics_of(where(rows, match=match))
    published = MATCHES[match][3]
    playouts = values(where(rows, match=match), "playouts")[0]
    reason = f"{percent(found)} in {found.games} games with {playouts:,} playouts; "
    better = side(found)
    if published is None:
        return Verdict(judge({better}), reason + "no figure is published for this game.")
    reason += f"published {100 * published:.1f} %. Sequential test, even against published: "
    reason += f"{sequential(rows, match)}. "
    low, high = found.interval
    inside = low <= published <= high
    if playouts != PLAYOUTS:
        reason += f"Conditions differ: published with {PLAYOUTS:,} playouts. "
    if better == "below":
        return Verdict("does not hold", f"Not reproduced: the other one wins. {reason}".strip())
    if better == "straddles":
        return Verdict("undecided", reason.strip())
    if inside:
        return Verdict("holds", f"Reproduced. {reason}".strip())
    return Verdict("holds in part", f"The same winner, another score. {reason}".strip())


def tables(rows: Rows) -> list[Table]:
    """The scores."""
    lines = []
    for match in values(rows, "match"):
        found = statistics_of(where(rows, match=match))
        low, high = found.elo_interval
        published = MATCHES[match][3]
        elo = f"{found.elo:+.0f} [{low:+.0f}, {high:+.0f}]"
        there = f"{100 * published:.1f} %" if published else "-"
        lines.append([match, found.games, percent(found), elo, there, sequential(rows, match)])
    head = ["match", "games", "score of the first", "Elo", "published", "sequential test"]
    return [Table("Paired games, colours swapped, two random plies", head, lines)]


def figure(rows: Rows) -> Figure:
    """Scores with intervals beside the published ones."""
    from sylve.lab.style import COLOURS, panels, score

    drawing, (axis,) = panels(1, 1, width=7.5, height=3)
    names = values(rows, "match")
    for place, match in enumerate(names):
        found = statistics_of(where(rows, match=match))
        score(axis, place, found, label="here, 95 %" if place == 0 else None)
        published = MATCHES[match][3]
        if published:
            axis.plot([100 * published], [place], "D", color=COLOURS[1],
                      label="published" if place == 0 else None)  # fmt: skip
    axis.axvline(50, color="#555555", linestyle="--", linewidth=0.8)
    axis.set_yticks(range(len(names)), names)
    axis.set(
        ylim=(len(names) - 0.5, -0.5),
        xlim=(-2, 102),
        xlabel="score of the first, %",
        title="published and played here",
    )
    axis.legend(loc="lower left")
    return drawing


SOURCE = "Cazenave, course slides and IJCAI 2015"
EXPERIMENT = Experiment(
    name="papers",
    claims=(
        Claim("RAVE beats UCT on Go 9x9 with 73.2 %.", SOURCE),
        Claim("GRAVE beats RAVE on Go 9x9 with 54.4 %.", SOURCE),
        Claim("RAVE is better than UCT (Breakthrough 8x8).", "document 002, Conclusion"),
        Claim("GRAVE is better than RAVE (Breakthrough 8x8).", SOURCE),
    ),
    method="""Paired games: each opening of two random plies is played twice, colours swapped,
    with the same number of playouts a move for both. Intervals are over pairs (Wilson's, by the
    measured spread). A result is reproduced if the published score is inside the interval, and
    the winner surely the same. The sequential test (GSPRT over pairs, errors of 5 %) asks whether
    the difference is 0 or as published (30 Elo where nothing is), after every block.

    Conditions that are known to differ: komi 7.5, uniform playouts that fill no own eyes, no
    proofs, the schedule of the slides (1e-5), c = 0 in RAVE and GRAVE, 0.4 in UCT; the number of
    playouts is that of the configuration.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Score of the first player with its 95 % interval, and the published score.",
    notes=(
        "The published matches had 500 games: their own interval is about 4.4 points either way.",
        "How many playouts the publication used is known from memory only (1,000).",
    ),
)
