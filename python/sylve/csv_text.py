"""Tables as comma-separated values that a spreadsheet opens as they are meant."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Text that begins so is run by spreadsheets, or hides what follows; names come from anywhere."""


def csv_parts(
    columns: Sequence[str], rows: Iterable[Mapping[str, object]], line_end: str = "\r\n"
) -> Iterator[bytes]:
    """A header, then one line a row; what a row does not have is left empty."""
    text = io.StringIO()
    # Both characters, so that text with either of them is put in quotes.
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\r\n")
    for row in chain([{name: name for name in columns}], rows):
        writer.writerow({name: plain(value) for name, value in row.items()})
        yield (text.getvalue().removesuffix("\r\n") + line_end).encode()
        text.seek(0)
        text.truncate()


def plain(value: object) -> object:
    """Text that would be a formula with an apostrophe before it; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
