"""How often something may happen: a bucket that fills with time, and one of them for each key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

KEYS = 1024  # that are remembered


class Bucket:
    """`at_once` at most, and `a_second` on average."""

    def __init__(
        self, a_second: float, at_once: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self.a_second, self.at_once, self.clock = a_second, at_once, clock
        self.left, self.seen = at_once, clock()

    def take(self) -> bool:
        """Whether it may happen once more now."""
        now = self.clock()
        self.left = min(self.at_once, self.left + (now - self.seen) * self.a_second)
        self.seen = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


class Rates:
    """A bucket for each key, such as an address; the longest unused ones are forgotten."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self.a_second, self.at_once = a_second, at_once
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Whether it may happen once more for this key now."""
        if key not in self.buckets:
            self.buckets[key] = Bucket(self.a_second, self.at_once)
            if len(self.buckets) > KEYS:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(key)
        return self.buckets[key].take()
