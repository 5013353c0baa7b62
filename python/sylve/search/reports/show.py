"""A report for the eye: a table for the terminal, HTML with a heat map for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sylve.markup import escape, html_table
from sylve.own import game_text
from sylve.position import Position
from sylve.screen import Align, Table, plural
from sylve.search.reference.searches import Flat, FlatAmaf, Search

if TYPE_CHECKING:
    from sylve.search.compare import Estimates
    from sylve.search.reports.report import MoveReport, Report

    Column = tuple[str, Callable[[MoveReport], str]]

NOTHING = ""  # what does not apply


def columns(report: Report) -> list[Column]:
    """The columns that apply to the search, with the text of their cells, the last the least."""
    moves = report.moves

    def known(field: str) -> bool:
        return any(getattr(entry, field) is not None for entry in moves)

    chosen: list[Column] = [
        ("rank", lambda entry: str(entry.rank)),
        ("move", lambda entry: entry.name),
        ("visits", lambda entry: f"{entry.visits:,}"),
    ]
    if known("mean"):
        chosen.append(("mean ± error", mean_text))
    if known("proven"):
        chosen.append(("proven", lambda entry: entry.proven or NOTHING))
    if known("amaf_visits"):
        chosen.append(("AMAF visits", lambda entry: f"{entry.amaf_visits:,}"))
        chosen.append(("AMAF mean", lambda entry: number(entry.amaf_mean)))
    if known("implicit"):
        chosen.append(("minimax", lambda entry: number(entry.implicit)))
    if known("prior"):
        chosen.append(("prior", lambda entry: number(entry.prior)))
    explores = any(entry.exploration for entry in moves)
    mixes = known("beta") and not isinstance(report.search, FlatAmaf)  # there it is always 1
    if mixes:
        chosen.append(("beta", lambda entry: short(entry.beta)))
    if mixes or explores or known("implicit") or known("prior"):  # else it is the mean again
        chosen.append(("score", lambda entry: number(entry.score)))
    if explores:
        chosen.append(("exploration", lambda entry: number(entry.exploration)))
    return chosen


def mean_text(entry: MoveReport) -> str:
    """Mean and standard error, as far as they are known."""
    if entry.stderr is None:
        return number(entry.mean)
    return f"{number(entry.mean)} ± {number(entry.stderr)}"


def number(value: float | None) -> str:
    """Three decimals."""
    return NOTHING if value is None else f"{value:.3f}"


def short(value: float | None) -> str:
    """Three digits, also of a very small number."""
    return NOTHING if value is None else f"{value:.3g}"


def title(report: Report) -> str:
    """What was searched, and how."""
    return f"{report.search} on {game_name(report.position)}"


def caption(report: Report) -> str:
    """Everything that is not about a single move."""
    assert isinstance(report.search, Search)
    parts = [
        plural(report.playouts, "playout"),
        plural(report.nodes, "node"),
        f"{report.seconds:.3f} s",
    ]
    if report.seconds > 0:
        parts.append(f"{report.playouts / report.seconds:,.0f} playouts/s")
    if report.parallel:
        parts.append(f"{report.threads} threads ({report.parallel})")
    if report.bytes:
        parts.append(plural(report.bytes, "byte"))
    parts += [
        f"stopped: {report.stopped}", f"seed {report.search.seed}", engine_text(report),
        f"line {' '.join(report.line_names)}",
    ]  # fmt: skip
    return ", ".join(parts)


def engine_text(report: Report) -> str:
    """The engine, and why it was this one where only one will do."""
    reason = report.engine_reason
    return f"engine {report.engine}" + (f" ({reason})" if reason else "")


def report_table(report: Report, top: int | None = None) -> Table:
    """The table, best move first; `top` leaves out the moves after so many."""
    applying = report.columns
    align: list[Align] = ["left" if heading == "move" else "right" for heading, _ in applying]
    return Table(
        [heading for heading, _ in applying],
        [[text(entry) for _, text in applying] for entry in report.ranked[:top]],
        title=title(report),
        caption=report.caption,
        keys=2,
        folds=False,
        align=align,
        strong=0,
    )


def game_name(position: Position) -> str:
    """The game's own text, or the class of a game that has none."""
    return game_text(position.game)


def heat(report: Report) -> tuple[str, dict[int, float]]:
    """What colours the moves, and how much: what the search goes by, as far as visits tell.

    Visits say nothing where every move gets the same number, or as many as chance gives it.
    """
    if isinstance(report.search, FlatAmaf):
        amaf = {entry.move: entry.amaf_mean for entry in report.moves}
        return "AMAF mean", {move: mean for move, mean in amaf.items() if mean is not None}
    if isinstance(report.search, Flat):
        means = {entry.move: entry.mean for entry in report.moves}
        return "mean", {move: mean for move, mean in means.items() if mean is not None}
    total = max(1, report.playouts)
    return "share of the visits", {entry.move: entry.visits / total for entry in report.moves}


def report_svg(report: Report, size: int = 400) -> str:
    """The board as a heat map, the best move with an arrow or a ring."""
    return report.position.svg(heat=report.heat[1], arrows=[report.best], size=size)


def report_html(report: Report) -> str:
    """The heat map, the table and the explanation: one element, nothing from elsewhere."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"<div>{report_svg(report, 320)}"
        f'<div style="font-size:smaller">colour: {escape(report.heat[0])}</div></div>'
        f"<div><div>{escape(title(report))}</div>"
        f"{html_table(report_table(report))}"
        f'<p style="max-width:40em">{escape(report.explanation)}</p>'
        f'<div style="font-size:smaller">{escape(report.caption)}</div></div></div>'
    )


def estimates_table(estimates: Estimates, top: int | None = None) -> Table:
    """The table, the best direct mean first."""
    ranked = sorted(estimates.moves, key=lambda entry: -(entry.direct.mean or 0.0))
    rows = []
    for entry in ranked[:top]:
        direct, amaf = entry.direct, entry.amaf
        bias = NOTHING if entry.bias is None else f"{entry.bias:+.3f}"
        error = "" if entry.bias_stderr is None else f" ± {entry.bias_stderr:.3f}"
        rows.append(
            (
                entry.name,
                number(direct.mean),
                f"{direct.low:.3f}-{direct.high:.3f}",
                number(amaf.mean),
                f"{amaf.low:.3f}-{amaf.high:.3f}",
                bias + error,
                {True: "yes", False: "no", None: "too few"}[entry.significant],
                direct.samples,
                amaf.samples,
            )
        )
    return Table(
        ["move", "direct", "95 %", "AMAF", "95 %", "bias", "significant", "playouts",
         "AMAF samples"],
        rows,
        title=f"direct Monte Carlo and AMAF on {game_name(estimates.position)}",
        caption=f"{plural(estimates.total, 'playout')} each, {estimates.playouts:,} a move directly"
        "; 95 % intervals (Wilson); bias: AMAF mean - direct mean ± standard error;"
        f" seed {estimates.seed}, engine {estimates.engine}, {estimates.seconds:.3f} s",
        folds=False,
    )  # fmt: skip
