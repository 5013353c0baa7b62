"""The page of a result: claim, method, result, verdict, and how to get it again."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import asdict, dataclass
from typing import Any

from sylve.lab.experiment import Result
from sylve.markup import markdown_cell
from sylve.optional import PACKAGES
from sylve.screen import plural

SIZES = {
    "quick": "the quick configuration (`--quick`): fewer samples, wider intervals",
    "full": "the full configuration",
    "own": "cells of one's own, neither quick nor full",
}


@dataclass(frozen=True)
class Page:
    """What a page says, ready to be set in Markdown or HTML. Text may hold `code`."""

    name: str
    title: str
    claims: tuple[tuple[str, str, str, str], ...]
    """Claim, source, answer, reason."""
    method: tuple[str, ...]
    notes: tuple[str, ...]
    caption: str
    tables: tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]
    command: str
    origin: tuple[str, ...]
    """Where the numbers come from."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def page_of(result: Result, data: bytes) -> Page:
    """The page that a result makes; `data` is its CSV."""
    experiment = result.experiment
    verdicts = result.verdicts
    options = " --quick" if result.size == "quick" else ""
    if result.game is not None:
        options += f" --game {shlex.quote(result.game)}"
    same = (
        "The command gives the same data to the bit, for any number of workers."
        if experiment.exact
        else "It measures time: the command gives other numbers each time, on each machine."
    )
    return Page(
        name=experiment.name,
        title=experiment.title,
        claims=tuple(
            (claim.text, claim.source, verdict.answer, verdict.reason)
            for claim, verdict in zip(experiment.claims, verdicts, strict=True)
        ),
        method=tuple(" ".join(part.split()) for part in experiment.method.split("\n\n")),
        notes=tuple(experiment.notes),
        caption=experiment.caption,
        tables=tuple(
            (table.title, tuple(table.head), tuple(tuple(map(text, row)) for row in table.rows))
            for table in experiment.tables(result.rows)
        ),
        command=f"sylve lab run {experiment.name}{options} --seed {result.seed}",
        origin=(
            f"These numbers come from {SIZES[result.size]}: {plural(result.cells, 'cell')}, seed "
            f"{result.seed}, run by {', '.join(result.by)}.",
            f"SHA-256 of data.csv: `{hashlib.sha256(data).hexdigest()}`. {same}",
        ),
    )


def text(value: object) -> str:
    """A cell of a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


NO_FIGURE = (
    "The figure is left out: matplotlib was not there. The same command draws it, without running "
    f"a cell again, after `{PACKAGES['matplotlib']}`."
)


def markdown(page: Page, *, drawn: bool = True) -> str:
    """The page as Markdown, beside its figure, if that was drawn."""
    parts = [f"# {page.name}: {page.title}", page.origin[0], "## Claims and verdicts"]
    for number, (claim, source, answer, reason) in enumerate(page.claims, 1):
        parts.append(f'{number}. "{claim}" ({source})\n\n   **{answer.capitalize()}.** {reason}')
    parts += [
        "## Method",
        *page.method,
        "## Result",
        *([f"![{page.caption}](figure.svg)", page.caption] if drawn else [NO_FIGURE]),
    ]
    for title, head, rows in page.tables:
        lines = [f"**{title}**", "", row_of(head), row_of(["---"] * len(head))]
        parts.append("\n".join(lines + [row_of(row) for row in rows]))
    if page.notes:
        parts += ["## Before you believe it", "\n".join(f"- {note}" for note in page.notes)]
    parts += ["## Run it again", f"```\n{page.command}\n```", page.origin[1]]
    parts.append("The data: [data.csv](data.csv).")
    return "\n\n".join(parts) + "\n"


def row_of(cells: tuple[str, ...] | list[str]) -> str:
    """A line of a Markdown table."""
    return "| " + " | ".join(markdown_cell(cell) for cell in cells) + " |"
