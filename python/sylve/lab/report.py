"""All results of a folder in one HTML file: nothing is loaded, no script runs."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

from sylve.inputs import read_bytes, read_text
from sylve.lab.experiment import NAMES
from sylve.lab.page import NO_FIGURE
from sylve.lab.store import LARGEST
from sylve.markup import escape

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff; }
h2 { border-top: 2px solid #0072b2; padding-top: .6rem; margin-top: 3rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 14px; display: block;
  overflow-x: auto; }
caption { text-align: left; font-weight: bold; }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
blockquote { border-left: 4px solid #bbb; margin: 1rem 0 0; padding: 0 1rem; font-style: italic; }
img { max-width: 100%; }
code, pre { background: #f3f3f3; padding: .1rem .3rem; }
.answer { font-weight: bold; margin-left: 1rem; }
.verdict { margin: .2rem 0 1rem 1rem; }
nav td:last-child { text-align: left; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818; } img { background: #fff; }
  code, pre { background: #2a2a2a; } a { color: #6cb6ff; } th, td { border-color: #444; } }
"""


Results = list[tuple[dict[str, Any], bytes | None]]
"""Of each its data.json, and its SVG if there is one."""


def read_results(folder: Path) -> Results:
    """The results below a folder, in the order of the list."""
    found: Results = []
    for name in NAMES:
        data, figure = folder / name / "data.json", folder / name / "figure.svg"
        if data.is_file():
            picture = read_bytes(figure, LARGEST) if figure.is_file() else None
            found.append((read_result(data), picture))
    if not found:
        raise ValueError(f"no results in {folder}: sylve lab run NAME --out {folder} makes one")
    return found


def read_result(path: Path) -> dict[str, Any]:
    """One data.json, with what a page is made of."""
    try:
        content: dict[str, Any] = json.loads(read_text(path, LARGEST))
        html_report([(content, None)])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} is no result of the lab: {error!r}") from None
    return content


def html_report(results: Results) -> str:
    """The report."""
    contents = [
        f'<tr><td><a href="#{escape(result["experiment"])}">{escape(result["experiment"])}</a></td>'
        f"<td>{escape(answers(result['page']))}</td><td>{escape(result['page']['title'])}</td></tr>"
        for result, _ in results
    ]
    body = [
        "<h1>The lab: what the course claims, measured</h1>",
        "<nav><table><tr><th>experiment</th><th>verdicts</th><th>about</th></tr>",
        *contents,
        "</table></nav>",
        *(section(result["page"], figure) for result, figure in results),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>The lab</title>'
        f"<style>{STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def answers(page: dict[str, Any]) -> str:
    """The answers to the claims, in order."""
    return ", ".join(answer for _, _, answer, _ in page["claims"])


def section(page: dict[str, Any], figure: bytes | None) -> str:
    """One experiment."""
    parts = [
        f'<h2 id="{escape(page["name"])}">{escape(page["name"])}: {escape(page["title"])}</h2>',
        paragraph(page["origin"][0]),
    ]
    for claim, source, answer, reason in page["claims"]:
        parts.append(f"<blockquote>{inline(claim)} <small>({inline(source)})</small></blockquote>")
        parts.append(
            f'<p class="verdict"><b>{escape(answer.capitalize())}.</b> {inline(reason)}</p>'
        )
    parts += ["<h3>Method</h3>", *(paragraph(text) for text in page["method"])]
    if figure is None:
        parts.append(paragraph(NO_FIGURE))
    else:
        picture = b64encode(figure).decode()
        caption = escape(page["caption"])
        parts.append(f'<img alt="{caption}" src="data:image/svg+xml;base64,{picture}">')
        parts.append(paragraph(page["caption"]))
    for title, head, rows in page["tables"]:
        parts.append(table(title, head, rows))
    if page["notes"]:
        notes = "".join(f"<li>{inline(note)}</li>" for note in page["notes"])
        parts.append(f"<h3>Before you believe it</h3><ul>{notes}</ul>")
    parts.append(f"<h3>Run it again</h3><pre>{escape(page['command'])}</pre>")
    parts.append(paragraph(page["origin"][1]))
    return "\n".join(parts)


def paragraph(text: str) -> str:
    """A paragraph with `code` in it."""
    return f"<p>{inline(text)}</p>"


def inline(text: str) -> str:
    """Text with `code` and **bold** in it, as HTML."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", text)


def table(title: str, head: list[str], rows: list[list[str]]) -> str:
    """A table with its title."""
    lines = [f"<table><caption>{inline(title)}</caption><tr>"]
    lines += [f"<th>{inline(cell)}</th>" for cell in head]
    lines.append("</tr>")
    for row in rows:
        lines.append("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>")
    return "".join([*lines, "</table>"])
