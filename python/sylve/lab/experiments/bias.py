"""The bias of AMAF, move by move: where the moment of a move matters."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from sylve.lab.data import random_position, values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, bootstrap, compare, judge, shown
from sylve.position import Position
from sylve.rng import hash_words
from sylve.search import compare_estimates

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLIES = {
    "breakthrough(columns=5, rows=5)": (0, 4, 8, 12),
    "breakthrough": (0, 10, 20, 40),
    "connect_four": (0, 8, 14, 20),
    "othello": (0, 10, 25, 40),
    "hex(size=7)": (0, 8, 16, 24),
    "go(size=9)": (0, 15, 30, 50),
}
SMALL = 0.05
"""Five points of a hundred: what we still call about 0."""
WIN, FORCED, DEFENCE, CAPTURE, OTHER = "win", "forced", "defence", "capture", "other"
TACTICAL = (WIN, FORCED, DEFENCE, CAPTURE)


def cells(size: Size) -> list[Cell]:
    """A random position at a ply; the start once."""
    quick = size == "quick"
    return [
        {"game": game, "ply": ply, "position": number, "playouts": 40_000 if quick else 1_000_000}
        for game, plies in PLIES.items()
        for ply in plies
        for number in range(1 if ply == 0 else 3 if quick else 20)
        if not (quick and game == "go(size=9)" and number > 0)  # slow
    ]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Estimate every move twice; the playouts are shared between the moves."""
    position = at_ply(cell["game"], cell["ply"], seed, cell["position"])
    each = max(2, cell["playouts"] // len(position.moves))
    estimates = compare_estimates(position, each, seed=hash_words((seed, cell["position"], 7)))
    kinds = kinds_of(position)
    return [
        {"game": cell["game"], "ply": cell["ply"], "position": cell["position"],
         "text": position.text, "move": entry.name, "kind": kinds[entry.move],
         "direct": entry.direct.mean, "amaf": entry.amaf.mean, "bias": entry.bias,
         "stderr": entry.bias_stderr}
        for entry in estimates.moves
        if entry.bias is not None and entry.bias_stderr is not None
    ]  # fmt: skip


def at_ply(game: str, ply: int, seed: int, number: int) -> Position:
    """The start, or a random position at this ply."""
    if ply == 0:
        return Position.start(game)
    return random_position(game, (ply, ply), hash_words((seed, ply)), number)


def kinds_of(position: Position) -> dict[int, str]:
    """What kind of move each is, by the next two plies.

    A win ends the game at once. Where some moves let the opponent win at once and others do not,
    those others are defences; a single one is forced. Captures are known by their name
    (Breakthrough writes x).
    """
    mover = position.turn
    wins, safe = set(), set()
    for move in position.moves:
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winner == mover:
                wins.add(move)
            safe.add(move)
        elif str(position.game).startswith("go"):
            safe.add(move)  # nothing ends at once in Go
        elif after.turn == mover or not any(wins_at_once(after, reply) for reply in after.moves):
            safe.add(move)
    threatened = 0 < len(safe) < len(position.moves)
    kinds = {}
    for move in position.moves:
        kinds[move] = (
            WIN if move in wins
            else FORCED if threatened and safe == {move}
            else DEFENCE if threatened and move in safe
            else CAPTURE if "x" in position.name(move)
            and str(position.game).startswith("breakthrough")
            else OTHER
        )  # fmt: skip
    return kinds


def wins_at_once(position: Position, move: int) -> bool:
    """Whether the move ends the game in favour of who makes it."""
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == position.turn


def root_mean_square(rows: Rows) -> float:
    """The size of the bias, without the noise of its measurement."""
    if not rows:
        return 0.0
    square = sum(row["bias"] ** 2 - row["stderr"] ** 2 for row in rows) / len(rows)
    return sqrt(max(0.0, square))


def by_position(rows: Rows) -> list[list[Any]]:
    """The rows of each position."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault((row["game"], row["ply"], row["position"]), []).append(row)
    return list(groups.values())


def size_of(rows: Rows) -> Interval:
    """The size of the bias with a bootstrap interval over positions."""
    groups = by_position(rows)
    return bootstrap(
        len(groups), lambda drawn: root_mean_square([row for i in drawn for row in groups[i]])
    )


def verdicts(rows: Rows) -> list[Verdict]:
    """The two claims."""
    sizes = {game: size_of(where(rows, game=game)) for game in values(rows, "game")}
    sides = {game: compare(size, SMALL) for game, size in sizes.items()}
    told = "; ".join(f"{game}: {size}" for game, size in sizes.items())
    small = [game for game, side in sides.items() if side == "below"]
    first = Verdict(
        judge(sides.values(), "below"),
        f"Root of the mean squared bias, its own noise taken off (about 0: below {SMALL}): {told}."
        + (f" Surely below on {', '.join(small)}." if small else ""),
    )  # fmt: skip
    return [first, verdict_kinds(rows)]


def verdict_kinds(rows: Rows) -> Verdict:
    """Is the bias larger for captures, defences and forced moves than for others?"""
    chosen = [row for row in rows if row["game"] in games_with_tactics(rows)]
    groups = by_position(chosen)
    other = [row for row in chosen if row["kind"] == OTHER]
    if not groups or not other:
        return Verdict("undecided", "No position has both kinds of moves.")

    def ratio(drawn: Any) -> float:
        part = [row for i in drawn for row in groups[i]]
        quiet = root_mean_square([row for row in part if row["kind"] == OTHER])
        return root_mean_square([row for row in part if row["kind"] != OTHER]) / max(quiet, 1e-6)

    found = bootstrap(len(groups), ratio)
    parts = "; ".join(
        f"{kind}: {shown(root_mean_square(where(chosen, kind=kind)))} "
        f"({len(where(chosen, kind=kind))} moves)"
        for kind in (*TACTICAL, OTHER)
        if where(chosen, kind=kind)
    )
    return Verdict(
        judge({compare(found, 1.0)}),
        f"The bias of wins, forced moves, defences and captures is x{found} that of the other "
        f"moves, in games that have both. {parts}.",
    )


def games_with_tactics(rows: Rows) -> list[str]:
    """The games where some move is not an ordinary one."""
    return values([row for row in rows if row["kind"] != OTHER], "game")


def tables(rows: Rows) -> list[Table]:
    """The size of the bias by game and ply, by kind, and the largest of all."""
    first = [
        [game, str(ply), len(here), shown(root_mean_square(here)),
         f"{100 * sum(abs(r['bias']) > SMALL for r in here) / len(here):.0f} %"]
        for game in values(rows, "game")
        for ply in values(where(rows, game=game), "ply")
        for here in [where(rows, game=game, ply=ply)]
    ]  # fmt: skip
    second = [
        [game, kind, len(here), shown(root_mean_square(here)),
         f"{sum(r['bias'] for r in here) / len(here):+.3f}"]
        for game in values(rows, "game")
        for kind in (*TACTICAL, OTHER)
        for here in [where(rows, game=game, kind=kind)]
        if here
    ]  # fmt: skip
    worst = []
    for game in values(rows, "game"):
        ordered = sorted(where(rows, game=game), key=lambda r: -abs(r["bias"]))
        worst += [
            [game, f"`{r['text']}`", r["move"], r["kind"], f"{r['direct']:.3f}", f"{r['amaf']:.3f}",
             f"{r['bias']:+.3f} ± {1.96 * r['stderr']:.3f}"]
            for r in ordered[:2]
        ]  # fmt: skip
    size = f"share above {SMALL}"
    return [
        Table("By game and ply", ["game", "ply", "moves", "size of the bias", size], first),
        Table("By kind of move", ["game", "kind", "moves", "size", "mean"], second),
        Table("Where independence fails most",
              ["game", "position", "move", "kind", "direct", "AMAF", "bias"], worst),
    ]  # fmt: skip


def figure(rows: Rows) -> Figure:
    """The distribution of the bias by game and ply, and by kind."""
    from sylve.lab.style import COLOURS, panels

    games = values(rows, "game")
    drawing, axes = panels(1, 2, width=12)
    place, ticks, names = 0.0, [], []
    for index, game in enumerate(games):
        for ply in values(where(rows, game=game), "ply"):
            box(axes[0], place, [r["bias"] for r in where(rows, game=game, ply=ply)],
                COLOURS[index])  # fmt: skip
            ticks.append(place)
            names.append(str(ply))
            place += 1
        axes[0].plot([], [], color=COLOURS[index], linewidth=5, label=game)
        place += 0.7
    axes[0].set_xticks(ticks, names, fontsize=7)
    axes[0].set(xlabel="ply", ylabel="bias: AMAF mean - direct mean", title="by game and ply")
    axes[0].legend(fontsize=6.5, ncols=2)
    kinds = [kind for kind in (*TACTICAL, OTHER) if where(rows, kind=kind)]
    shown_games = games_with_tactics(rows)
    for index, game in enumerate(games):
        if game not in shown_games:
            continue
        for number, kind in enumerate(kinds):
            here = where(rows, game=game, kind=kind)
            if here:
                offset = (shown_games.index(game) - (len(shown_games) - 1) / 2) * 0.26
                box(axes[1], number + offset, [r["bias"] for r in here], COLOURS[index], 0.2)
    axes[1].set_xticks(range(len(kinds)), kinds)
    axes[1].set(xlabel="kind of move", ylabel="bias", title="by kind of move")
    for axis in axes:
        axis.axhline(0, color="#000000", linewidth=0.8)
        axis.grid(visible=False, axis="x")
    return drawing


def box(axis: Any, place: float, sample: list[float], colour: str, width: float = 0.6) -> None:
    """A box with median and quartiles; whiskers to the 5th and 95th percentile."""
    axis.boxplot(
        [sample], positions=[place], widths=width, whis=(5, 95), manage_ticks=False,
        patch_artist=True, boxprops={"facecolor": colour, "alpha": 0.5, "linewidth": 0.6},
        medianprops={"color": "#000000", "linewidth": 1}, whiskerprops={"linewidth": 0.6},
        capprops={"linewidth": 0.6},
        flierprops={"marker": ".", "markersize": 2.5, "markeredgecolor": colour},
    )  # fmt: skip


EXPERIMENT = Experiment(
    name="bias",
    claims=(
        Claim(
            "The value of a move is largely independent of the moment when it is played: "
            "B(s,a) is about 0.",
            "document 000, Hypothèse d'indépendance d'AMAF",
        ),
        Claim(
            "The bias is a matter of defences, of tactical moves and of forced sequences, whose "
            "value depends on the moment.",
            "document 000, Limitations et précautions",
        ),
    ),
    method="""`compare_estimates` estimates every move of a position twice: directly, by playouts
    that begin with it, and by AMAF, from playouts that contain it. The bias B(s,a) is the
    difference, with a standard error; each method has the same number of playouts for a position
    (40,000 in the quick configuration, 1,000,000 in the full one). Positions come from random
    games, at four plies of each game.

    The size of the bias is the root of the mean square, less the squared standard errors: what is
    left is bias, not noise. Its interval is a bootstrap over positions. Kinds of moves are found
    by looking two plies ahead: a win ends the game, a defence is a move that leaves the opponent
    no immediate win where others do, and is forced if it is the only one; captures are those of
    Breakthrough. Nothing ends at once in Go, whose moves are all called other.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="The bias of AMAF over moves: boxes hold the middle half, whiskers 90 %, dots the "
    "rest. Left by game and ply, right by kind of move, colours as on the left.",
    notes=("Both estimates are of random play, not of good play.",),
)
