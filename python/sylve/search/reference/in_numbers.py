"""Formulas with their numbers filled in, as text: `0.64 + 0.4 sqrt(ln 10 / 5)`.

Every rule, schedule and formula has a method `in_numbers` beside its arithmetic: what it computes,
for people to check by hand. Numbers have four digits, counts all of theirs.
"""

from __future__ import annotations

from typing import NamedTuple

from sylve.search.reference.tally import UNIT, Tally

NOT_TRIED = "not tried yet"


class Written(NamedTuple):
    """The score of a move and its beta, as expressions."""

    score: str
    """`NOT_TRIED` where there is no number yet."""
    beta: str | None = None


def figure(value: float) -> str:
    """A number for a formula.

    >>> figure(2 / 3), figure(0.4), figure(1e-5), figure(12345)
    ('0.6667', '0.4', '1e-05', '12345')
    """
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def ratio(tally: Tally) -> str:
    """A mean as points by visits."""
    points = tally.wins + 0.5 * tally.draws + tally.parts / UNIT
    return f"{figure(points)} / {tally.visits}"


def plus_exploration(c: float, total: int, own: Tally) -> str:
    """` + c sqrt(ln N / n)`; nothing if c is 0."""
    return f" + {figure(c)} sqrt(ln {total} / {own.visits})" if c > 0.0 else ""
