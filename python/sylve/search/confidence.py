"""How sure a mean is: intervals, errors, and the words for a difference.

Results are 1, 1/2 or 0. Every function here errs on the careful side.
"""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054  # the normal quantile at 0.975: an interval of 95 %
FEW = 10  # samples below which no error is worth telling; document 002 draws the line here too
LIKELY, CLEAR = (
    2.0,
    3.0,
)  # standard errors; by chance alone 5 % and 0.3 % of differences exceed them


def wilson(mean: float, samples: float) -> tuple[float, float]:
    """The 95 % interval of Wilson (1927) for a mean of results between 0 and 1.

    It stays within 0 and 1 and has a width even if all results are alike. It takes the variance
    mean (1 - mean), which is right for wins and losses; draws make the true one smaller, so that
    the interval is then wider than it need be.

    >>> [round(end, 3) for end in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    z2 = Z95 * Z95
    middle = (mean + z2 / (2 * samples)) / (1 + z2 / samples)
    spread = sqrt(mean * (1 - mean) / samples + z2 / (4 * samples * samples))
    half = Z95 * spread / (1 + z2 / samples)
    # It contains the mean; a rounded last digit must not deny it.
    return max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half))


def largest_error(mean: float, samples: int) -> float:
    """The standard error of a mean of so many results: exact without draws, else an upper bound."""
    return careful_error(sqrt(mean * (1 - mean) / (samples - 1)), samples)


def careful_error(stderr: float, samples: int) -> float:
    """A standard error, but not below 1 / (samples + 2).

    Ten wins in ten playouts have a standard error of 0, which nobody should believe. The bound is
    about the spread that is left if every value from 0 to 1 was as likely beforehand (Laplace).
    """
    return max(stderr, 1 / (samples + 2))


def verdict(errors: float) -> str:
    """A word for a difference of so many standard errors."""
    if errors >= CLEAR:
        return "clear"
    return "likely" if errors >= LIKELY else "not settled"
