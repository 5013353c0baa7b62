"""Alpha-beta and its evaluations on Othello; minimax against flat Monte Carlo by branching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sylve.arena.statistics import Statistics
from sylve.lab.data import random_position, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.match import percent, play_pairs, side, statistics_of
from sylve.lab.statistics import mean_interval
from sylve.perft import perft
from sylve.search import AlphaBeta, AlphaBetaReport
from sylve.search.alpha_beta import INFINITY, Tree
from sylve.search.run import search

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAIRS = (("composite", "weights"), ("stability", "composite"), ("positional", "stability"))
"""Evaluations, the one that knows more first."""
MONTE_CARLO = ("flat", "uct", "rave")
GAMES = {
    "connect_four": 7,
    "othello": 10,
    "breakthrough(columns=5, rows=5)": 12,
    "breakthrough": 25,
    "go(size=9)": 80,
    "hex(size=11)": 120,
}
"""With about so many moves in a position: those of random play (Breakthrough), or of the board."""
WIDE = 20
MINIMAX, ORDERED, TABLED = "alpha-beta, moves in order", "engine, no table", "engine"


def cells(size: Size) -> list[Cell]:
    """Node counts on positions; matches in blocks of pairs."""
    quick = size == "quick"
    nodes = [
        {"kind": "nodes", "position": number, "depth": depth}
        for number in range(4 if quick else 10)
        for depth in range(1, 5 if quick else 7)
    ]
    blocks, pairs = (2, 2) if quick else (20, 5)
    seconds = 0.02 if quick else 0.1
    matches = [
        {"kind": "evaluations", "first": one, "second": two, "depth": depth, "block": block,
         "pairs": pairs}
        for block in range(blocks)
        for one, two in PAIRS
        for depth in ((3,) if quick else (2, 4, 6))
    ] + [
        {"kind": "time", "first": one, "second": "alpha_beta", "game": "othello",
         "seconds": seconds, "block": block, "pairs": pairs}
        for block in range(blocks)
        for one in ("uct", "rave")
    ] + [
        {"kind": "time", "first": "flat", "second": "alpha_beta", "game": game,
         "seconds": seconds, "block": block, "pairs": pairs}
        for block in range(blocks)
        for game in GAMES
    ]  # fmt: skip
    return [*nodes, *matches]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Nodes at a depth, or some pairs."""
    if cell["kind"] == "nodes":
        return [{"kind": "nodes", "position": cell["position"], "depth": cell["depth"],
                 **count_nodes(cell, seed)}]  # fmt: skip
    begin = cell["block"] * cell["pairs"]
    pairs = range(begin, begin + cell["pairs"])
    if cell["kind"] == "evaluations":
        first, second = (
            f'alpha_beta(depth={cell["depth"]}, evaluation="{cell[who]}")'
            for who in ("first", "second")
        )
        counts = play_pairs("othello", first, second, 4, seed, pairs)
        named = {"first": cell["first"], "second": cell["second"], "depth": cell["depth"]}
        return [{"kind": "evaluations", **named, "block": cell["block"], **counts}]
    first, second = (f"{cell[who]}(seconds={cell['seconds']})" for who in ("first", "second"))
    counts = play_pairs(cell["game"], first, second, 4, seed, pairs)
    named = {"first": cell["first"], "game": cell["game"], "seconds": cell["seconds"]}
    return [{"kind": "time", **named, "block": cell["block"], **counts}]


def count_nodes(cell: Cell, seed: int) -> dict[str, int]:
    """Positions that minimax and three alpha-betas visit."""
    position = random_position("othello", (10, 30), seed, cell["position"])
    depth = cell["depth"]
    tree = Tree(position, None)
    tree.alpha_beta(position, depth, -INFINITY, INFINITY, True)
    found = {"minimax": sum(perft(position, d) for d in range(depth + 1)), MINIMAX: tree.nodes}
    for name, table in ((ORDERED, 0), (TABLED, 1 << 20)):
        report = search(position, AlphaBeta(depth, table=table))
        assert isinstance(report, AlphaBetaReport)
        found[name] = report.nodes
    return found


def verdicts(rows: Rows) -> list[Verdict]:
    """The four claims."""
    return [
        verdict_pruning(rows),
        verdict_evaluation(rows, "composite", "weights"),
        verdict_evaluation(rows, "stability", "composite"),
        verdict_branching(rows),
    ]


def exponent(rows: Rows, name: str) -> Any:
    """log nodes over log minimax nodes at the greatest depth: 1/2 is the best there is."""
    from math import log

    last = max(row["depth"] for row in where(rows, kind="nodes"))
    chosen = where(rows, kind="nodes", depth=last)
    return last, mean_interval([log(max(2, row[name])) / log(row["minimax"]) for row in chosen])


def verdict_pruning(rows: Rows) -> Verdict:
    """How much smaller than minimax's is the tree?"""
    told = []
    for name in (MINIMAX, ORDERED, TABLED):
        last, found = exponent(rows, name)
        told.append(f"{name}: {found}")
    answer = (
        "holds"
        if all(exponent(rows, n)[1].high < 1 for n in (MINIMAX, ORDERED, TABLED))
        else ("undecided")
    )
    return Verdict(
        answer,  # type: ignore[arg-type]
        f"Exponent of minimax's nodes at depth {last} (1: nothing saved, 1/2: the best possible "
        f"for "
        f"one depth; the engine adds up all depths): {'; '.join(told)}.",
    )


def verdict_evaluation(rows: Rows, first: str, second: str) -> Verdict:
    """Does the evaluation that knows more win, at every depth?"""
    chosen = where(rows, kind="evaluations", first=first, second=second)
    found = {depth: statistics_of(where(chosen, depth=depth)) for depth in values(chosen, "depth")}
    told = "; ".join(f"depth {d}: {percent(s)}, {s.games} games" for d, s in found.items())
    sides = {side(result) for result in found.values()}
    answer = (
        "holds" if sides == {"above"} else "does not hold" if sides == {"below"}
        else "holds in part" if "above" in sides else "undecided"
    )  # fmt: skip
    return Verdict(answer, f"{first} against {second}: {told}.")  # type: ignore[arg-type]


def branching(rows: Rows) -> dict[str, Statistics]:
    """Flat against alpha-beta by game."""
    chosen = where(rows, kind="time", first="flat")
    return {game: statistics_of(where(chosen, game=game)) for game in values(chosen, "game")}


def verdict_branching(rows: Rows) -> Verdict:
    """Is flat Monte Carlo better than minimax where there are many moves?"""
    found = branching(rows)
    told = "; ".join(
        f"{game} (about {GAMES[game]} moves): {percent(s)}, {s.games} games"
        for game, s in found.items()
    )
    wide = {side(s) for game, s in found.items() if GAMES[game] > WIDE}
    answer = (
        "holds" if wide == {"above"} else "does not hold" if wide == {"below"}
        else "holds in part" if "above" in wide else "undecided"
    )  # fmt: skip
    return Verdict(answer, f"Flat against alpha-beta, equal time a move: {told}.")  # type: ignore[arg-type]


def tables(rows: Rows) -> list[Table]:
    """Nodes, evaluations, Monte Carlo."""
    nodes = where(rows, kind="nodes")
    names = ("minimax", MINIMAX, ORDERED, TABLED)
    first = [
        [depth, *(round(sum(row[name] for row in where(nodes, depth=depth))
                        / len(where(nodes, depth=depth))) for name in names)]
        for depth in sorted(values(nodes, "depth"))
    ]  # fmt: skip
    second = []
    for one, two in PAIRS:
        chosen = where(rows, kind="evaluations", first=one, second=two)
        for depth in values(chosen, "depth"):
            found = statistics_of(where(chosen, depth=depth))
            second.append([f"{one} v {two}", depth, percent(found), found.games])
    timed = where(rows, kind="time")
    lines = []
    for one in values(timed, "first"):
        for game in values(where(timed, first=one), "game"):
            here = where(timed, first=one, game=game)
            found = statistics_of(here)
            name = f"{one} v alpha-beta, {game}"
            lines.append([name, f"{here[0]['seconds']:g} s", percent(found), found.games])
    return [
        Table("Positions visited on Othello, means over positions", ["depth", *names], first),
        Table("Evaluations on Othello at equal depth",
              ["match", "depth", "score of the first", "games"], second),
        Table("Monte Carlo against alpha-beta at equal time a move",
              ["match", "time", "score of the first", "games"], lines),
    ]  # fmt: skip


def figure(rows: Rows) -> Figure:
    """Nodes by depth; flat against alpha-beta by branching; evaluations."""
    from sylve.lab.style import COLOURS, line, panels

    drawing, axes = panels(1, 3)
    nodes = where(rows, kind="nodes")
    depths = sorted(values(nodes, "depth"))
    for index, name in enumerate(("minimax", MINIMAX, ORDERED, TABLED)):
        mean = [sum(row[name] for row in where(nodes, depth=d)) / len(where(nodes, depth=d))
                for d in depths]  # fmt: skip
        line(axes[0], index, depths, mean, name)
    axes[0].set(yscale="log", xlabel="depth", ylabel="positions visited", title="Othello: nodes",
                xticks=depths)  # fmt: skip
    axes[0].legend(fontsize=6.5)
    labels = []
    for place, ((one, two), depth) in enumerate(
        (pair, depth) for pair in PAIRS
        for depth in values(where(rows, kind="evaluations", first=pair[0]), "depth")
    ):  # fmt: skip
        point(axes[1], place, statistics_of(
            where(rows, kind="evaluations", first=one, second=two, depth=depth)
        ), COLOURS[1])  # fmt: skip
        labels.append(f"{one} v {two}, depth {depth}")
    axes[1].set_yticks(range(len(labels)), labels, fontsize=7)
    axes[1].set(xlabel="score of the first, %", title="Othello: evaluations")
    found = branching(rows)
    for place, result in enumerate(found.values()):
        point(axes[2], place, result, COLOURS[0])
    names = [f"{game.replace('columns=5, rows=5', '5x5')}, ~{GAMES[game]}" for game in found]
    axes[2].set_yticks(range(len(names)), names, fontsize=7)
    axes[2].set(xlabel="score of flat, %", title="flat v alpha-beta, by moves")
    for axis, count in ((axes[1], len(labels)), (axes[2], len(names))):
        axis.axvline(50, color="#555555", linewidth=0.8, linestyle="--")
        axis.set(xlim=(-2, 102), ylim=(count - 0.5, -0.5))
        axis.grid(visible=False, axis="y")
    return drawing


def point(axis: Any, place: int, found: Statistics, colour: str) -> None:
    """A score with its interval."""
    low, high = found.interval
    axis.errorbar([100 * found.score], [place], fmt="o", color=colour,
                  xerr=[[100 * (found.score - low)], [100 * (high - found.score)]])  # fmt: skip


EXPERIMENT = Experiment(
    name="othello",
    claims=(
        Claim(
            "Alpha-beta cuts branches off: it need not visit all that minimax visits.",
            "document 004, Fonction alpha_beta",
        ),
        Claim(
            "The evaluation of parity, mobility and corners takes in more information than the "
            "table of weights.",
            "document 004, Version moins simple",
        ),
        Claim(
            "Stability, which document 004 leaves out (its author did not know how), would add "
            "to "
            "it.",
            "document 004 and the report it cites",
        ),
        Claim(
            "Flat Monte Carlo is better than minimax for games with large branching factors.",
            "document 001, Vs Minimax",
        ),
    ),
    method="""Nodes: Othello positions 10 to 30 random plies from the start. Minimax visits every
    position down to the depth (counted by perft); `alpha-beta, moves in order` is the course's,
    in plain Python, without ordering; the engine deepens ply by ply and orders moves, without and
    with a transposition table, and its nodes are those of all depths together.

    Evaluations play each other with alpha-beta of equal depth. Monte Carlo searches play
    alpha-beta (with the default evaluation of each game) with equal time for each move, also on
    games with ever more moves; a game counts as wide with more than 20. All matches are in pairs
    with colours swapped, from four random plies; intervals are over pairs.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Left: positions visited by depth. Middle: evaluations against each other at equal "
    "depth. "
    "Right: flat Monte Carlo against alpha-beta at equal time; games by their number of moves.",
    notes=(
        "Matches at equal time depend on the machine; counts of nodes and matches at equal depth "
        "do "
        "not.",
        "Alpha-beta is as good as its evaluation: those of Hex and Go are simple.",
    ),
    exact=False,
)
