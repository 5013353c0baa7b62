"""A report for the eye: a table for the terminal, HTML with a heat map for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from sylve.position import Position
from sylve.search.alpha_beta_report import AlphaBetaReport, meaning
from sylve.search.report import MoveReport, Report
from sylve.search.searches import Flat, FlatAmaf, Search

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable, RichCast
    from rich.table import Table

    from sylve.search.compare import Estimates

Column = tuple[str, Callable[[MoveReport], str]]

NOTHING = ""  # what does not apply
TEXT_WIDTH = 100  # of a table that is printed without a terminal


def columns(report: Report) -> list[Column]:
    """The columns that apply to the search, each with the text of its cells."""
    moves = report.moves
    if isinstance(report, AlphaBetaReport):
        return [
            ("rank", lambda entry: str(entry.rank)),
            ("move", lambda entry: entry.name),
            ("score", score_text),
        ]

    def known(field: str) -> bool:
        return any(getattr(entry, field) is not None for entry in moves)

    chosen: list[Column] = [
        ("rank", lambda entry: str(entry.rank)),
        ("move", lambda entry: entry.name),
        ("visits", lambda entry: f"{entry.visits:,}"),
    ]
    if known("mean"):
        chosen.append(("mean ± error", mean_text))
    if known("amaf_visits"):
        chosen.append(("AMAF visits", lambda entry: f"{entry.amaf_visits:,}"))
        chosen.append(("AMAF mean", lambda entry: number(entry.amaf_mean)))
    explores = any(entry.exploration for entry in moves)
    mixes = known("beta") and not isinstance(report.search, FlatAmaf)  # there it is always 1
    if mixes:
        chosen.append(("beta", lambda entry: short(entry.beta)))
    if mixes or explores:  # else the score is the mean again
        chosen.append(("score", lambda entry: number(entry.score)))
    if explores:
        chosen.append(("exploration", lambda entry: number(entry.exploration)))
    if known("proven"):
        chosen.append(("proven", lambda entry: entry.proven or NOTHING))
    return chosen


def score_text(entry: MoveReport) -> str:
    """The score of alpha-beta, where it is known."""
    return NOTHING if entry.score is None else meaning(int(entry.score))


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
    if isinstance(report, AlphaBetaReport):
        return alpha_beta_caption(report)
    assert isinstance(report.search, Search)
    parts = [
        f"{report.playouts:,} playouts",
        f"{report.nodes:,} node{'' if report.nodes == 1 else 's'}",
        f"{report.seconds:.3f} s",
    ]
    if report.seconds > 0:
        parts.append(f"{report.playouts / report.seconds:,.0f} playouts/s")
    if report.parallel:
        parts.append(f"{report.threads} threads ({report.parallel})")
    if report.bytes:
        parts.append(f"{report.bytes:,} bytes")
    parts += [
        f"stopped: {report.stopped}", f"seed {report.search.seed}", f"engine {report.engine}",
        f"line {' '.join(report.line_names)}",
    ]  # fmt: skip
    return ", ".join(parts)


def alpha_beta_caption(report: AlphaBetaReport) -> str:
    """Depth and positions instead of playouts."""
    parts = [f"depth {report.depth}", f"{report.nodes:,} nodes", f"{report.seconds:.3f} s"]
    if report.seconds > 0:
        parts.append(f"{report.nodes / report.seconds:,.0f} nodes/s")
    if report.bytes:
        parts.append(f"table {report.bytes:,} bytes")
    return ", ".join([*parts, f"engine {report.engine}", f"line {' '.join(report.line_names)}"])


def report_table(report: Report, top: int | None = None) -> Table:
    """A table for Rich, best move first; `top` leaves out the moves after so many."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    # Text, not strings: names and numbers are no markup.
    table = Table(
        title=Text(title(report)),
        caption=Text(caption(report)),
        title_justify="left",
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    applying = columns(report)
    for heading, _ in applying:
        table.add_column(heading, justify="left" if heading == "move" else "right", no_wrap=True)
    for entry in report.ranked[:top]:
        style = "bold" if entry.rank == 1 else ""
        table.add_row(*(Text(text(entry), style) for _, text in applying))
    return table


def plain(table: ConsoleRenderable | RichCast) -> str:
    """A table or a tree as text without colours, for `print`."""
    from rich.console import Console

    console = Console(width=TEXT_WIDTH, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def game_name(position: Position) -> str:
    """The game's own text, or the class of a game that has none."""
    game = position.game
    return str(game) if hasattr(game, "write") else type(game).__name__


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
    if isinstance(report, AlphaBetaReport):
        worst, best = (pick(e.score or 0 for e in report.moves) for pick in (min, max))
        span = max(1, best - worst)
        scores = {e.move: e.score for e in report.moves if e.score is not None}
        return "score", {move: (score - worst) / span for move, score in scores.items()}
    total = max(1, report.playouts)
    return "share of the visits", {entry.move: entry.visits / total for entry in report.moves}


def report_svg(report: Report, size: int = 400) -> str:
    """The board as a heat map, the best move with an arrow or a ring."""
    return report.position.svg(heat=heat(report)[1], arrows=[report.best], size=size)


def report_html(report: Report) -> str:
    """The heat map, the table and the explanation: one element, nothing from elsewhere."""
    cell = "padding:2px 8px;text-align:right;border:none"
    applying = columns(report)
    head = "".join(f'<th style="{cell}">{escape(heading)}</th>' for heading, _ in applying)
    rows = []
    for entry in report.ranked:
        weight = ";font-weight:bold" if entry.rank == 1 else ""
        cells = "".join(
            f'<td style="{cell}{weight}">{escape(text(entry))}</td>' for _, text in applying
        )
        rows.append(f"<tr>{cells}</tr>")
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"<div>{report_svg(report, 320)}"
        f'<div style="font-size:smaller">colour: {escape(heat(report)[0])}</div></div>'
        f"<div><div>{escape(title(report))}</div>"
        '<table style="border-collapse:collapse;margin:8px 0">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f'<p style="max-width:40em">{escape(report.explain())}</p>'
        f'<div style="font-size:smaller">{escape(caption(report))}</div></div></div>'
    )


def estimates_table(estimates: Estimates, top: int | None = None) -> Table:
    """A table for Rich, the best direct mean first."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(f"direct Monte Carlo and AMAF on {game_name(estimates.position)}"),
        caption=Text(
            f"{estimates.total:,} playouts each, {estimates.playouts:,} a move directly;"
            f" 95 % intervals (Wilson); bias: AMAF mean - direct mean ± standard error;"
            f" seed {estimates.seed}, engine {estimates.engine}, {estimates.seconds:.3f} s"
        ),
        title_justify="left",
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    headings = ("move", "playouts", "direct", "interval", "samples", "AMAF", "interval", "bias")
    for heading in (*headings, "significant"):
        table.add_column(heading, justify="left" if heading == "move" else "right", no_wrap=True)
    ranked = sorted(estimates.moves, key=lambda entry: -(entry.direct.mean or 0.0))
    for entry in ranked[:top]:
        texts = [entry.name]
        for side in (entry.direct, entry.amaf):
            texts += [f"{side.samples:,}", number(side.mean), f"{side.low:.3f}-{side.high:.3f}"]
        bias = NOTHING if entry.bias is None else f"{entry.bias:+.3f}"
        error = "" if entry.bias_stderr is None else f" ± {entry.bias_stderr:.3f}"
        word = {True: "yes", False: "no", None: "too few"}[entry.significant]
        table.add_row(*map(Text, [*texts, bias + error, word]))
    return table
