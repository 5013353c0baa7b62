"""The arithmetic of the formulas: only + - * / and sqrt on doubles, which IEEE 754 defines exactly.

Logarithms and exponentials of the platform differ in the last bit between systems, so that a search
would choose another move elsewhere. crates/sylve-core/src/search/arithmetic.rs has the same lines.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

from sylve.exponential import LN2, exp
from sylve.rng import Rng

SQRT_HALF = 0.7071067811865476


def ln(x: float) -> float:
    """The natural logarithm of a positive double.

    x = m * 2^k with m in [sqrt(1/2), sqrt(2)); ln m = 2 atanh(t), t = (m - 1) / (m + 1), as a
    series of 12 terms: |t| < 0.172, so that the first term left out is below 1e-18.
    """
    k = 0
    while x >= 2.0:
        x = x * 0.5
        k += 1
    while x < 1.0:
        x = x * 2.0
        k -= 1
    x = x * 0.5  # now in [1/2, 1)
    k += 1
    if x < SQRT_HALF:
        x = x * 2.0
        k -= 1
    t = (x - 1.0) / (x + 1.0)
    square = t * t
    total = 0.0
    term = 23.0
    while term >= 1.0:  # 1/23, 1/21, ..., 1/1, by Horner
        total = total * square + 1.0 / term
        term -= 2.0
    return 2.0 * t * total + k * LN2


@cache
def ln_of(n: int) -> float:
    """The logarithm of a count, remembered: the same counts come again and again.

    Of the same bits on every system, and in compiled rules.

    >>> from sylve.rules import ln_of
    >>> round(ln_of(1000), 6)
    6.907755
    """
    return ln(float(n))


def uniform(rng: Rng) -> float:
    """A double in [0, 1): the upper 53 bits of a draw."""
    return (rng.next() >> 11) * (1.0 / 9007199254740992.0)


def normal(rng: Rng) -> float:
    """A standard normal number, by Marsaglia's polar method (1964)."""
    while True:
        u = 2.0 * uniform(rng) - 1.0
        v = 2.0 * uniform(rng) - 1.0
        square = u * u + v * v
        if 0.0 < square < 1.0:
            return u * sqrt(-2.0 * ln(square) / square)


def gamma(shape: float, rng: Rng) -> float:
    """A gamma number of scale 1, by Marsaglia and Tsang (2000); shape >= 1/2."""
    if shape < 1.0:
        # G(a) = G(a + 1) * U^(1/a)
        power = exp(ln(1.0 - uniform(rng)) / shape)
        return gamma(shape + 1.0, rng) * power
    d = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    while True:
        x = normal(rng)
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        u = 1.0 - uniform(rng)  # in (0, 1]
        if ln(u) < 0.5 * x * x + d - d * v + d * ln(v):
            return d * v


def beta(a: float, b: float, rng: Rng) -> float:
    """A beta number: the share of one gamma number in two."""
    x = gamma(a, rng)
    y = gamma(b, rng)
    return x / (x + y)


def upper_quantile(t: int) -> float:
    """The normal quantile at 1 - 1/t, t >= 2.

    Abramowitz and Stegun 26.2.23; the absolute error is below 4.5e-4.
    """
    x = sqrt(2.0 * ln_of(t))
    above = 2.515517 + x * (0.802853 + x * 0.010328)
    below = 1.0 + x * (1.432788 + x * (0.189269 + x * 0.001308))
    z = x - above / below
    return z if z > 0.0 else 0.0
