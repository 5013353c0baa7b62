"""The exponential, of the same bits on every system: only + - * / on doubles.

What is in `sylve.search.reference.arithmetic` follows the same rule; evaluations stand below the
searches and need this one too.
"""

from __future__ import annotations

LN2 = 0.6931471805599453


def exp(x: float) -> float:
    """The exponential of a double of at most 700.

    x = k ln 2 + r with |r| <= ln 2 / 2; the Taylor series of e^r to r^16 / 16!, below 1e-21 after.
    """
    if x < -700.0:
        return 0.0
    k = int(x / LN2 + (0.5 if x >= 0.0 else -0.5))
    r = x - k * LN2
    total = 1.0
    term = 16.0
    while term >= 1.0:
        total = 1.0 + total * r / term
        term -= 1.0
    power = 1.0
    for _ in range(abs(k)):
        power = power * (2.0 if k > 0 else 0.5)
    return total * power
