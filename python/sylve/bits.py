"""Sets of bits in 64-bit words, for boards: in a compiled game each of these is one instruction.

>>> from sylve.bits import count_bits, lowest_bit, nth_bit
>>> count_bits(0b101100), lowest_bit(0b101100), nth_bit(0b101100, 1)
(3, 2, 3)
"""

from __future__ import annotations

from typing import SupportsInt

__all__ = ["count_bits", "lowest_bit", "nth_bit"]


def count_bits(word: SupportsInt) -> int:
    """How many bits are set.

    >>> count_bits(0b101100)
    3
    """
    return int(word).bit_count()


def lowest_bit(word: SupportsInt) -> int:
    """The number of the lowest bit that is set; 64 if none is.

    >>> lowest_bit(0b101100), lowest_bit(0)
    (2, 64)
    """
    bits = int(word)
    return (bits & -bits).bit_length() - 1 if bits else 64


def nth_bit(word: SupportsInt, n: int) -> int:
    """The number of the bit that is set and has `n` others below it; 64 if there is none.

    >>> [nth_bit(0b101100, n) for n in range(4)]
    [2, 3, 5, 64]
    """
    bits = int(word)
    for _ in range(n):
        bits &= bits - 1 if bits else 0
    return lowest_bit(bits)
