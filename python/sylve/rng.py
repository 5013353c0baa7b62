"""The generator: SplitMix64 (Steele, Lea and Flood 2014), specified in docs/spec.md.

Each simulation has a stream of its own, keyed by (seed, index), so that the result of a simulation
does not depend on which thread runs it or on what ran before.
"""

from collections.abc import Iterable, Sequence

GAMMA = 0x9E3779B97F4A7C15  # 2^64 / golden ratio, made odd
MASK = (1 << 64) - 1


def mix(z: int) -> int:
    """A bijection of 64 bits with full avalanche: the finaliser of SplitMix64."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def hash_words(words: Iterable[int]) -> int:
    """The hash of a few 64-bit words, in order. Every game hashes with it."""
    value = 0
    for word in words:
        value = mix(value ^ word)
    return value


def hash_block(words: Sequence[int]) -> int:
    """The hash of a block of 64-bit words: of each pair the product, its halves joined, summed up.

    Compiled games hash their states with it: a processor multiplies several pairs at once.

    >>> [f"{hash_block(words):016x}" for words in ([1], [1, 2], [1, 2, 3], range(40))]
    ['a9208c93daff04c1', '423d6c9e83f8775d', '47fbcc965057e3a4', '4cec83bcf53447b8']
    """
    total = 0
    for at in range(0, len(words), 2):
        one, other = words[at], words[at + 1] if at + 1 < len(words) else 0
        product = (one ^ mix(at + 1)) * (other ^ mix(at + 2))
        total += product & MASK ^ product >> 64
    return mix(total & MASK)


class Rng:
    """A stream of random numbers.

    >>> from sylve import Rng
    >>> rng = Rng.stream(1, 0)
    >>> [rng.below(6) + 1 for _ in range(5)]
    [2, 1, 2, 4, 5]
    """

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    @classmethod
    def stream(cls, seed: int, index: int) -> "Rng":
        """The stream of simulation `index` of a search with this seed.

        `mix` on both sides: with a bare `seed + index * GAMMA`, stream `index + 1` would be stream
        `index` shifted by one draw.
        """
        return cls(mix((mix(seed & MASK) + index) & MASK))

    def next(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + GAMMA) & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        """A number in range(n), n > 0: the high half of a product. The bias is below n / 2^64."""
        return self.next() * n >> 64
