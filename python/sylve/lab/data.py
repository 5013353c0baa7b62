"""Small helpers to take rows apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sylve.lab.experiment import Row, Rows


def where(rows: Rows, **wanted: Any) -> list[Row]:
    """The rows with these values."""
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def values(rows: Iterable[Row], name: str) -> list[Any]:
    """The different values of a column, in the order in which they appear."""
    return list(dict.fromkeys(row[name] for row in rows if name in row))


def column(rows: Iterable[Row], name: str) -> list[Any]:
    """A column."""
    return [row[name] for row in rows]
