"""Divisions that round towards zero, so that the two sides see the same number with two signs."""

from __future__ import annotations

Terms = dict[str, int]


def divide(number: int, by: int) -> int:
    """A quotient, rounded towards zero: Python's // rounds down."""
    return number // by if number >= 0 else -(-number // by)


def ratio(own: int, other: int) -> int:
    """100 x difference / sum, in thousandths; 0 if there is nothing to compare."""
    return divide(100_000 * (own - other), own + other) if own + other else 0
