"""RAVE with every schedule: does the beta that is derived play as well as those tuned by hand?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sylve.arena.statistics import Statistics
from sylve.lab.data import values, where
from sylve.lab.experiment import Answer, Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.match import percent, play_block, side, statistics_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = ("breakthrough(columns=6, rows=6)", "connect_four", "othello", "hex(size=7)",
         "go(size=7)")  # fmt: skip
MEASURED = ("pooled", "mse")
"""Document 002's formula: with the bias measured over all moves of a node, and move by move."""
RIVALS = ("slides", "hand", "bias", "course", "fixed")
"""They have a constant, or count samples alone."""
PLAYOUTS = (200, 1000, 5000)
BLOCKS = 1
"""Of ten pairs. More of them narrow the intervals."""


def cells(size: Size) -> list[Cell]:
    """Some pairs of a match: `pooled` against each rival, `mse` against `slides` and `pooled`."""
    quick = size == "quick"
    matches = [("pooled", rival) for rival in (*RIVALS, "mse")] + [("mse", "slides")]
    return [
        {"schedule": schedule, "rival": rival, "game": game, "playouts": playouts, "block": block,
         "pairs": 2 if quick else 10}
        for block in range(1 if quick else BLOCKS)
        for schedule, rival in matches
        for game in GAMES
        for playouts in (PLAYOUTS[:1] if quick else PLAYOUTS)
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Some pairs."""
    one, two = (f"rave({cell['playouts']}, schedule={cell[name]})"
                for name in ("schedule", "rival"))  # fmt: skip
    named = {name: cell[name] for name in ("schedule", "rival", "game", "playouts", "block")}
    return [{**named, **play_block(cell, cell["game"], one, two, 4, seed)}]


def results(rows: Rows, schedule: str, rival: str) -> Iterator[tuple[str, int, Statistics]]:
    """The matches of two schedules: game, simulations, and what they gave."""
    for game in values(rows, "game"):
        for playouts in values(rows, "playouts"):
            here = where(rows, schedule=schedule, rival=rival, game=game, playouts=playouts)
            if here:
                yield game, playouts, statistics_of(here)


def verdicts(rows: Rows) -> list[Verdict]:
    """The two claims."""
    return [verdict_tuned(rows, schedule) for schedule in MEASURED]


def verdict_tuned(rows: Rows, schedule: str) -> Verdict:
    """Is the schedule nowhere surely below those with a constant, and above them on the whole?"""
    told, lost = [], 0
    whole = Statistics()
    for rival in RIVALS:
        found = list(results(rows, schedule, rival))
        if not found:
            continue
        total = statistics_of(where(rows, schedule=schedule, rival=rival))
        whole = whole + total
        below = [f"{game} after {n:,}: {percent(result)}"
                 for game, n, result in found if side(result) == "below"]  # fmt: skip
        lost += len(below)
        told.append(f"{rival} {percent(total)}"
                    + (f" (surely below: {'; '.join(below)})" if below else ""))  # fmt: skip
    reason = (
        f"Score of {schedule} over all games and numbers of simulations, against {'; '.join(told)};"
        f" against all of them together {percent(whole)}."
    )
    answers: dict[str, Answer] = {
        "below": "does not hold",
        "straddles": "holds in part" if not lost else "does not hold",
        "above": "holds" if not lost else "holds in part",
    }
    return Verdict(answers[side(whole)], reason)


def tables(rows: Rows) -> list[Table]:
    """A table for each match of schedules."""
    found = []
    sizes = values(rows, "playouts")
    for schedule in MEASURED:
        for rival in (*RIVALS, *MEASURED):
            matches = {(game, n): result for game, n, result in results(rows, schedule, rival)}
            if not matches:
                continue
            lines = [[game, *(percent(matches[game, n]) for n in sizes)]
                     for game in values(rows, "game")]  # fmt: skip
            games = next(iter(matches.values())).games
            head = ["game", *(f"{n:,} simulations" for n in sizes)]
            title = f"{schedule} against {rival}: score of {schedule}, {games} games each"
            found.append(Table(title, head, lines))
    return found


def figure(rows: Rows) -> Figure:
    """Scores of `pooled` with intervals, a panel for each number of simulations."""
    from sylve.lab.style import COLOURS, MARKERS, panels, score

    sizes = values(rows, "playouts")
    games = values(rows, "game")
    drawing, axes = panels(1, len(sizes), width=4 + 3 * len(sizes), height=4.8)
    for axis, playouts in zip(axes, sizes, strict=True):
        for number, rival in enumerate((*RIVALS, "mse")):
            for game, n, result in results(rows, MEASURED[0], rival):
                if n == playouts:
                    place = games.index(game)
                    score(axis, place + 0.13 * number - 0.33, result, fmt=MARKERS[number],
                          color=COLOURS[number], label=rival if place == 0 else None)  # fmt: skip
        axis.axvline(50, color="#555555", linewidth=0.8, linestyle="--")
        names = [game.replace("columns=6, rows=6", "6x6") for game in games]
        axis.set_yticks(range(len(games)), names, fontsize=7)
        axis.set(xlim=(-2, 102), ylim=(len(games) - 0.4, -1.2), xlabel="score of pooled, %",
                 title=f"{playouts:,} simulations")  # fmt: skip
        axis.grid(visible=False, axis="y")
    axes[0].legend(loc="upper right", ncols=3, fontsize=6.5)
    return drawing


EXPERIMENT = Experiment(
    name="promise",
    claims=(
        Claim(
            "A beta that follows from the variances and the bias needs no constant tuned by hand: "
            "with the bias measured over all moves of a node (pooled), it is nowhere below the "
            "schedules with a constant, and better on the whole.",
            "document 002, Comparaison avec les approches heuristiques, read as a claim about play",
        ),
        Claim(
            "The same with the bias measured for each move alone (mse).",
            "document 002, Optimisation du paramètre beta, read as a claim about play",
        ),
    ),
    method="""Document 002 derives the beta of least squared error, and says that it is better than
    heuristics that only count samples. Two schedules measure what the formula asks for: `mse` for
    each move alone, as the document's code does, and `pooled` over all moves of a node. They play
    against the schedules that have a constant, at its default: `slides`, `hand`, `bias`, `fixed`,
    and `course`, in pairs of games with colours swapped, from four random plies, with equal
    simulations for each move. All are RAVE with c = 0. `mse` plays `slides`, the strongest of
    them, and `pooled`.

    A claim holds if the schedule is surely below none of its rivals on any game with any number
    of simulations, and surely above 50 % over all matches together; in part if one of the two is
    so; not at all if it is surely below 50 % over all. Intervals are of 95 %, over pairs: of so
    many matches, one or two may be surely below by chance alone.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Scores of pooled with 95 % intervals against the other schedules, by simulations a "
    "move.",
    notes=(
        "The constants of the rivals are those of their papers, of the course, and of the slides; "
        "they were not tuned again for these games.",
    ),
)
