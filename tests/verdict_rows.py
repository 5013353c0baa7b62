"""Rows made by hand, and what a verdict answers."""

from typing import Any

SMALL = "breakthrough(columns=5, rows=5)"


def answers(verdicts: Any) -> list[str]:
    return [verdict.answer for verdict in verdicts]


def won(pairs: int) -> dict[str, int]:
    """A match of 20 pairs: so many won, the others lost."""
    return {"lost2": 20 - pairs, "lost1": 0, "even": 0, "won1": 0, "won2": pairs}
