"""The files of a result: data.csv, data.json, page.md; figure.svg and figure.png if they can be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sylve.csv_text import csv_parts
from sylve.files import write_whole
from sylve.lab.experiment import Result, Rows
from sylve.lab.page import Page, markdown, page_of
from sylve.lab.style import draw
from sylve.optional import missing

SCHEMA = 1
FIGURE = "the figure"
FIGURES = ("figure.svg", "figure.png")
FILES = ("page.md", *FIGURES, "data.csv", "data.json")


def columns_of(rows: Rows) -> list[str]:
    """The names of all columns, in the order in which they appear."""
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return list(names)


def csv_of(rows: Rows) -> bytes:
    """The rows as CSV: numbers in full, what a row does not have left empty."""
    cells = ({name: cell(value) for name, value in row.items()} for row in rows)
    return b"".join(csv_parts(columns_of(rows), cells, "\n"))


def cell(value: Any) -> object:
    """A value of the CSV: text and numbers as they are, all else as JSON."""
    known = value is None or isinstance(value, str) or type(value) in (int, float)
    return value if known else json.dumps(value)


def to_dict(result: Result, page: Page) -> dict[str, Any]:
    """The whole result as JSON."""
    experiment = result.experiment
    return {
        "schema": SCHEMA,
        "experiment": experiment.name,
        "configuration": result.size,
        "seed": result.seed,
        "cells": result.cells,
        "by": list(result.by),
        "page": page.to_dict(),
        "rows": list(result.rows),
    }


def write_result(result: Result, folder: Path) -> None:
    """Write all files; each is whole or absent at any moment.

    Nothing but the figure depends on matplotlib. One that is there already may be of other data.
    """
    data = csv_of(result.rows)
    page = page_of(result, data)
    content = json.dumps(to_dict(result, page), indent=1, allow_nan=False)
    drawn = not missing("matplotlib", FIGURE)
    pictures = draw(lambda: result.experiment.figure(result.rows)) if drawn else {}
    files = {
        "data.csv": data,
        "data.json": content.encode() + b"\n",
        **{f"figure.{kind}": picture for kind, picture in pictures.items()},
        "page.md": markdown(page, drawn=drawn).encode(),
    }
    for name, body in files.items():
        write_whole(folder / name, body)
    for name in FIGURES:
        if name not in files:
            (folder / name).unlink(missing_ok=True)
