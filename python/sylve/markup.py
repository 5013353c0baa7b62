"""Text inside HTML, SVG and Markdown: never taken for markup, whoever wrote it."""

from __future__ import annotations

import html
import re

from sylve.screen import Table, one_line, visible

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CELL = "padding:2px 8px;border:none;text-align:"


def escape(text: object) -> str:
    """Text for an element or an attribute; characters that must not be there are shown: `\\x1b`."""
    return html.escape(NOT_IN_XML.sub("\ufffd", visible(str(text))))


def html_table(table: Table) -> str:
    """Headings and rows for a notebook, with their styles: it has no style sheet of ours."""
    sides = ["left" if side == "prose" else side for side in table.sides]
    parts = ['<table style="border-collapse:collapse;margin:8px 0"><thead><tr>']
    for side, heading in zip(sides, table.head, strict=True):
        parts.append(f'<th style="{CELL}{side}">{escape(heading)}</th>')
    parts.append("</tr></thead><tbody>")
    for number, row in enumerate(table.rows):
        weight = ";font-weight:bold" if number == table.strong else ""
        parts.append("<tr>")
        for side, value in zip(sides, row, strict=True):
            text = f"{value:,}" if type(value) is int else str(value)
            parts.append(f'<td style="{CELL}{side}{weight}">{escape(text)}</td>')
        parts.append("</tr>")
    return "".join([*parts, "</tbody></table>"])


def markdown_cell(text: str) -> str:
    """Text for a cell of a Markdown table; `code` and **bold** stay."""
    return one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
