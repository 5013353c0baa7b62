"""Alpha-beta and its evaluations on Othello; minimax against flat Monte Carlo by branching."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from sylve.arena.player import Player
from sylve.arena.statistics import Statistics
from sylve.lab.data import average, random_position, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.match import SameTimePlayer, percent, play_block, side, statistics_of
from sylve.lab.statistics import Interval, compare, judge, mean_interval
from sylve.perft import perft
from sylve.search import AlphaBeta, AlphaBetaReport, Rave, Search, Uct
from sylve.search.reference.alpha_beta import INFINITY, Tree
from sylve.search.run import search

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAIRS = (("composite", "weights"), ("stability", "composite"), ("positional", "stability"))
"""Evaluations, the one that knows more first."""
EVALUATIONS = ("weights", "composite", "stability", "positional")
MONTE_CARLO: dict[str, Search] = {"uct": Uct(), "rave": Rave()}
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
    blocks, pairs = (2, 2) if quick else (10, 5)
    matches = [
        {"kind": "evaluations", "first": one, "second": two, "depth": depth, "block": block,
         "pairs": pairs if quick else 10}
        for block in range(blocks)
        for one, two in PAIRS
        for depth in ((3,) if quick else (2, 4, 6))
    ] + [
        {"kind": "same time", "first": one, "second": two, "depth": depth, "block": block,
         "pairs": pairs}
        for block in range(blocks)
        for one in MONTE_CARLO
        for two in EVALUATIONS
        for depth in ((4,) if quick else (4, 6, 8))
    ] + [
        {"kind": "branching", "game": game, "seconds": 0.02 if quick else 0.05, "block": block,
         "pairs": pairs}
        for block in range(blocks)
        for game in GAMES
    ]  # fmt: skip
    return [*nodes, *matches]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Nodes at a depth, or some pairs."""
    if cell["kind"] == "nodes":
        return [{"kind": "nodes", "position": cell["position"], "depth": cell["depth"],
                 **count_nodes(cell, seed)}]  # fmt: skip
    first, second, named = players(cell)
    counts = play_block(cell, cell.get("game", "othello"), first, second, 4, seed)
    return [{"kind": cell["kind"], **named, "block": cell["block"], **counts}]


def players(cell: Cell) -> tuple[str | Player, str | Player, dict[str, Any]]:
    """Who plays whom in a cell, and the columns that say so."""
    if cell["kind"] == "branching":
        first, second = (f"{how}(seconds={cell['seconds']})" for how in ("flat", "alpha_beta"))
        return first, second, {name: cell[name] for name in ("game", "seconds")}
    named = {name: cell[name] for name in ("first", "second", "depth")}
    first, second = (
        f'alpha_beta(depth={cell["depth"]}, evaluation="{cell[who]}")'
        for who in ("first", "second")
    )
    if cell["kind"] == "evaluations":
        return first, second, named
    rival = AlphaBeta(cell["depth"], evaluation=cell["second"])
    return SameTimePlayer(MONTE_CARLO[cell["first"]], rival), second, named


def count_nodes(cell: Cell, seed: int) -> dict[str, int]:
    """Positions that minimax and three alpha-betas visit."""
    position = random_position("othello", (10, 30), seed, cell["position"])
    depth = cell["depth"]
    tree = Tree(position, None)
    tree.alpha_beta(position, depth, -INFINITY, INFINITY)
    found = {"minimax": sum(perft(position, d) for d in range(depth + 1)), MINIMAX: tree.nodes}
    for name, table in ((ORDERED, 0), (TABLED, 1 << 20)):
        report = search(position, AlphaBeta(depth, table=table))
        assert isinstance(report, AlphaBetaReport)
        found[name] = report.nodes
    return found


def verdicts(rows: Rows) -> list[Verdict]:
    """The three claims."""
    return [
        verdict_pruning(rows),
        verdict_evaluation(rows, "composite", "weights"),
        verdict_branching(rows),
    ]


def deepest(rows: Rows) -> int:
    """The greatest depth at which nodes were counted."""
    return max(int(row["depth"]) for row in where(rows, kind="nodes"))


def exponent(rows: Rows, name: str) -> Interval:
    """log nodes over log minimax nodes at the greatest depth: 1/2 is the best there is."""
    chosen = where(rows, kind="nodes", depth=deepest(rows))
    return mean_interval([log(max(2, row[name])) / log(row["minimax"]) for row in chosen])


def verdict_pruning(rows: Rows) -> Verdict:
    """How much smaller than minimax's is the tree?"""
    found = {name: exponent(rows, name) for name in (MINIMAX, ORDERED, TABLED)}
    told = [f"{name}: {value}" for name, value in found.items()]
    return Verdict(
        judge({compare(value, 1.0) for value in found.values()}, "below"),
        f"Exponent of minimax's nodes at depth {deepest(rows)} (1: nothing saved, 1/2: the best "
        f"possible for one depth; the engine adds up all depths): {'; '.join(told)}.",
    )


def verdict_evaluation(rows: Rows, first: str, second: str) -> Verdict:
    """Does the evaluation that knows more win, at every depth?"""
    chosen = where(rows, kind="evaluations", first=first, second=second)
    found = {depth: statistics_of(where(chosen, depth=depth)) for depth in values(chosen, "depth")}
    told = "; ".join(f"depth {d}: {percent(s)}, {s.games} games" for d, s in found.items())
    sides = {side(result) for result in found.values()}
    return Verdict(judge(sides), f"{first} against {second}: {told}.")


def branching(rows: Rows) -> dict[str, Statistics]:
    """Flat against alpha-beta by game."""
    chosen = where(rows, kind="branching")
    return {game: statistics_of(where(chosen, game=game)) for game in values(chosen, "game")}


def verdict_branching(rows: Rows) -> Verdict:
    """Is flat Monte Carlo better than minimax where there are many moves?"""
    found = branching(rows)
    told = "; ".join(
        f"{game} (about {GAMES[game]} moves): {percent(s)}, {s.games} games"
        for game, s in found.items()
    )
    wide = {side(s) for game, s in found.items() if GAMES[game] > WIDE}
    return Verdict(judge(wide), f"Flat against alpha-beta, equal time a move: {told}.")


def tables(rows: Rows) -> list[Table]:
    """Nodes, evaluations, Monte Carlo."""
    nodes = where(rows, kind="nodes")
    names = ("minimax", MINIMAX, ORDERED, TABLED)
    first = [
        [depth, *(round(average(where(nodes, depth=depth), name)) for name in names)]
        for depth in sorted(values(nodes, "depth"))
    ]
    found = branching(rows)
    seconds = {row["game"]: row["seconds"] for row in where(rows, kind="branching")}
    third = [[game, GAMES[game], f"{seconds[game]:g} s", percent(result), result.games]
             for game, result in found.items()]  # fmt: skip
    columns = ["match", "depth", "score of the first", "games"]
    return [
        Table("Positions visited on Othello, means over positions", ["depth", *names], first),
        Table("Evaluations on Othello at equal depth", columns, scores(rows, "evaluations")),
        Table("Monte Carlo against alpha-beta with each evaluation, Othello, at equal time",
              columns, scores(rows, "same time")),
        Table("Flat Monte Carlo against alpha-beta at equal time a move",
              ["game", "moves", "time", "score of flat", "games"], third),
    ]  # fmt: skip


def scores(rows: Rows, kind: str) -> list[list[Any]]:
    """The matches of a kind, by depth."""
    lines = []
    for one in values(where(rows, kind=kind), "first"):
        for two in values(where(rows, kind=kind, first=one), "second"):
            chosen = where(rows, kind=kind, first=one, second=two)
            for depth in values(chosen, "depth"):
                found = statistics_of(where(chosen, depth=depth))
                lines.append([f"{one} v {two}", depth, percent(found), found.games])
    return lines


def figure(rows: Rows) -> Figure:
    """Nodes by depth; evaluations; Monte Carlo by depth; flat by branching."""
    from sylve.lab.style import COLOURS, line, panels, score

    drawing, axes = panels(2, 2)
    nodes = where(rows, kind="nodes")
    depths = sorted(values(nodes, "depth"))
    for index, name in enumerate(("minimax", MINIMAX, ORDERED, TABLED)):
        line(axes[0], index, depths, [average(where(nodes, depth=d), name) for d in depths], name)
    axes[0].set(yscale="log", xlabel="depth", ylabel="positions visited", title="Othello: nodes",
                xticks=depths)  # fmt: skip
    axes[0].legend(fontsize=6.5)
    labels = []
    for place, ((one, two), depth) in enumerate(
        (pair, depth) for pair in PAIRS
        for depth in values(where(rows, kind="evaluations", first=pair[0]), "depth")
    ):  # fmt: skip
        chosen = where(rows, kind="evaluations", first=one, second=two, depth=depth)
        score(axes[1], place, statistics_of(chosen), color=COLOURS[1])
        labels.append(f"{one} v {two}, depth {depth}")
    axes[1].set_yticks(range(len(labels)), labels, fontsize=7)
    axes[1].set(xlabel="score of the first, %", title="Othello: evaluations")
    draw_same_time(axes[2], where(rows, kind="same time"))
    found = branching(rows)
    for place, result in enumerate(found.values()):
        score(axes[3], place, result)
    names = [f"{game.replace('columns=5, rows=5', '5x5')}, ~{GAMES[game]}" for game in found]
    axes[3].set_yticks(range(len(names)), names, fontsize=7)
    axes[3].set(xlabel="score of flat, %", title="flat v alpha-beta, by moves")
    for axis, count in ((axes[1], len(labels)), (axes[3], len(names))):
        axis.axvline(50, color="#555555", linewidth=0.8, linestyle="--")
        axis.set(xlim=(-2, 102), ylim=(count - 0.5, -0.5))
        axis.grid(visible=False, axis="y")
    return drawing


def draw_same_time(axis: Any, rows: Rows) -> None:
    """Scores by depth: a colour for each evaluation, filled for UCT, open for RAVE."""
    from sylve.lab.style import COLOURS, MARKERS

    depths = sorted(values(rows, "depth"))
    names = [(one, two) for two in EVALUATIONS for one in MONTE_CARLO]
    for place, (one, two) in enumerate(names):
        chosen = where(rows, first=one, second=two)
        number = EVALUATIONS.index(two)
        found = [statistics_of(where(chosen, depth=depth)) for depth in depths]
        ends = [[100 * (result.score - result.interval[0]) for result in found],
                [100 * (result.interval[1] - result.score) for result in found]]  # fmt: skip
        beside = 0.12 * (place - (len(names) - 1) / 2)  # so that they do not overlap
        axis.errorbar([depth + beside for depth in depths], [100 * r.score for r in found],
                      yerr=ends, fmt=MARKERS[number], color=COLOURS[number],
                      markerfacecolor=COLOURS[number] if one == "uct" else "white",
                      label=f"{one} v {two}")  # fmt: skip
    axis.axhline(50, color="#555555", linewidth=0.8, linestyle="--")
    axis.set(xlabel="depth of alpha-beta", ylabel="score of Monte Carlo, %", ylim=(-5, 130),
             xticks=depths, yticks=range(0, 101, 20), title="Monte Carlo, same time")  # fmt: skip
    axis.legend(fontsize=6.5, ncols=3, loc="upper center")


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
            "Flat Monte Carlo is better than minimax for games with large branching factors.",
            "document 001, Vs Minimax",
        ),
    ),
    method="""Nodes: Othello positions 10 to 30 random plies from the start. Minimax visits every
    position down to the depth (counted by perft); `alpha-beta, moves in order` is the course's,
    in plain Python, without ordering; the engine deepens ply by ply and orders moves, without and
    with a transposition table, and its nodes are those of all depths together.

    Evaluations play each other with alpha-beta of equal depth. `stability` counts stable discs and
    nothing else; the experiment `stability` adds it to parity, mobility and corners as a fourth
    term, which is what document 004 means. UCT and RAVE play alpha-beta of
    each depth and evaluation: for each of their moves, alpha-beta's search of that position is
    timed, and they get the same time. Flat Monte Carlo plays alpha-beta (with the default
    evaluation of each game) with equal time for each move, on games with ever more moves; a game
    counts as wide with more than 20. All matches are in pairs with colours swapped, from four
    random plies; intervals are over pairs.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Above: positions visited by depth; evaluations against each other at equal depth. "
    "Below: UCT and RAVE against alpha-beta by its depth, in the time that alpha-beta needs; flat "
    "Monte Carlo against alpha-beta at equal time, games by their number of moves.",
    notes=(
        "Matches at equal time depend on the machine; counts of nodes and matches at equal depth "
        "do not.",
        "Alpha-beta is as good as its evaluation: those of Hex and Go are simple.",
    ),
    exact=False,
    version=2,
)
