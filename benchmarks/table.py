"""What a benchmark returns, and its Markdown: also what is printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Section:
    """A table with its notes, and the same as data."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)
    data: list[dict[str, Any]] = field(default_factory=list)

    def markdown(self) -> str:
        """Aligned, so that it reads well as plain text too: first column left, figures right."""
        table = [self.columns, *self.rows]
        widths = [max(3, *(len(row[i]) for row in table)) for i in range(len(self.columns))]
        rule = [":--".ljust(widths[0], "-"), *("--:".rjust(width, "-") for width in widths[1:])]
        lines = []
        for row in [self.columns, rule, *self.rows]:
            padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append("| " + " | ".join([row[0].ljust(widths[0]), *padded[1:]]) + " |")
        body = "\n".join(lines)
        notes = "".join(f"- {note}\n" for note in self.notes)
        return f"## {self.title}\n\n{body}\n\n{notes}"


def rate(value: float | None) -> str:
    """1 234 567 per second, to three figures."""
    if value is None:
        return "-"
    digits = max(0, len(str(int(value))) - 3)
    return f"{round(value / 10**digits) * 10**digits:,}"


def ratio(value: float | None) -> str:
    """75x, 1.32x."""
    if value is None:
        return "-"
    return f"{value:.0f}x" if value >= 10 else f"{value:.2f}x"


def reached(
    value: float | None, at_least: float | None = None, at_most: float | None = None
) -> str:
    """Whether a target is met: yes, no, or nothing where there is none."""
    if value is None or (at_least is None and at_most is None):
        return ""
    met = (at_least is None or value >= at_least) and (at_most is None or value <= at_most)
    return "yes" if met else "no"
