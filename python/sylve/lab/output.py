"""The files of a result: data.csv, data.json, figure.svg, figure.png, page.md."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from sylve.lab.experiment import Rows
from sylve.lab.page import Page, markdown, page_of
from sylve.lab.runner import Result
from sylve.lab.store import write_whole
from sylve.lab.style import draw

SCHEMA = 1


def columns_of(rows: Rows) -> list[str]:
    """The names of all columns, in the order in which they appear."""
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return list(names)


def csv_of(rows: Rows) -> bytes:
    """The rows as CSV: numbers in full, what a row does not have left empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns_of(rows), restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: cell(value) for name, value in row.items()})
    return text.getvalue().encode()


def cell(value: Any) -> str:
    """A value of the CSV: what JSON writes, but text without quotes."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


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
    """Write all files; each is whole or absent at any moment."""
    data = csv_of(result.rows)
    page = page_of(result, data)
    content = json.dumps(to_dict(result, page), indent=1, allow_nan=False)
    pictures = draw(lambda: result.experiment.figure(result.rows))
    files = {
        "data.csv": data,
        "data.json": content.encode() + b"\n",
        "figure.svg": pictures["svg"],
        "figure.png": pictures["png"],
        "page.md": markdown(page).encode(),
    }
    for name, body in files.items():
        write_whole(folder / name, body)
