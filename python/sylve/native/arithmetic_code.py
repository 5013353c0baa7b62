"""The logarithm of a count in compiled code: the numbers of
`sylve.search.reference.arithmetic.ln_of`, from a table while small. There is no loop, so that what
is the same for all moves is computed once.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

SQRT_HALF = 0.7071067811865476
LN2 = 0.6931471805599453
SERIES = tuple(1.0 / term for term in range(23, 0, -2))
TABLE_SIZE = 4096
MANTISSA, HALF = (1 << 52) - 1, 1022 << 52


def ln_of(n: Any) -> Any:
    """x = m * 2^k, read off the bits of the double, as all further lines are in the original."""
    bits = np.float64(n).view(np.int64)
    k = (bits >> 52) - 1022
    x = np.int64((bits & MANTISSA) | HALF).view(np.float64)  # in [1/2, 1)
    small = x < SQRT_HALF
    x = x * 2.0 if small else x
    k = k - 1 if small else k
    t = (x - 1.0) / (x + 1.0)
    square = t * t
    total = SERIES[0]
    total = total * square + SERIES[1]
    total = total * square + SERIES[2]
    total = total * square + SERIES[3]
    total = total * square + SERIES[4]
    total = total * square + SERIES[5]
    total = total * square + SERIES[6]
    total = total * square + SERIES[7]
    total = total * square + SERIES[8]
    total = total * square + SERIES[9]
    total = total * square + SERIES[10]
    total = total * square + SERIES[11]
    return 2.0 * t * total + k * LN2


def substitutes(numba: Any) -> dict[int, Any]:
    """What stands for `ln_of` in compiled code, by its identity. Whoever uses it has loaded it."""
    arithmetic = sys.modules.get("sylve.search.reference.arithmetic")
    if arithmetic is None:
        return {}
    table = np.array([arithmetic.ln(float(max(n, 1))) for n in range(TABLE_SIZE)])
    series = numba.njit(error_model="numpy", boundscheck=False)(ln_of)

    def looked_up(n: Any) -> Any:
        return table[n] if 0 < n < TABLE_SIZE else series(n)

    return {id(arithmetic.ln_of): numba.njit(boundscheck=False)(looked_up)}
