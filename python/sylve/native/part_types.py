"""What parts of a search are given in compiled code: tallies, and the random numbers.

Both are records in the engine's memory, so that NumPy's own arrays serve as lists of tallies, and a
draw moves on the stream of the simulation. Their methods have the lines of `Tally` and `Rng`.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from sylve.rng import GAMMA

GOLDEN, FIRST, SECOND = (
    np.uint64(value) for value in (GAMMA, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
LOW = np.uint64(0xFFFFFFFF)
U27, U30, U31, U32 = (np.uint64(shift) for shift in (27, 30, 31, 32))


class Types(NamedTuple):
    """Types and functions for Numba."""

    tally: Any
    rng: Any
    as_number: Any
    as_place: Any


@cache
def part_types() -> Types:
    """The types; made once, because Numba learns of them for good."""
    from numba.core import types
    from numba.core.errors import TypingError
    from numba.extending import models, overload, overload_method, register_model

    # Not strict: what is given back has no annotations.
    method: Any = partial(overload_method, strict=False)
    stands_for: Any = partial(overload, strict=False)

    class TallyRecord(types.Record):
        """Visits, wins and draws."""

    class RngRecord(types.Record):
        """The state of a stream."""

    for kind in (TallyRecord, RngRecord):
        register_model(kind)(models.RecordModel)

    @method(TallyRecord, "mean")  # type: ignore[untyped-decorator]
    def _mean(own: Any) -> Any:  # noqa: ARG001
        return lambda own: (own.wins + 0.5 * own.draws) / own.visits

    @method(TallyRecord, "variance")  # type: ignore[untyped-decorator]
    def _variance(own: Any) -> Any:  # noqa: ARG001
        def variance(own: Any) -> Any:
            mean = own.mean()
            value = (own.wins + 0.25 * own.draws) / own.visits - mean * mean
            return value if value > 0.0 else 0.0

        return variance

    @method(TallyRecord, "variance_of_mean")  # type: ignore[untyped-decorator]
    def _variance_of_mean(own: Any) -> Any:  # noqa: ARG001
        return lambda own: own.variance() / (own.visits - 1.0)

    @method(RngRecord, "next")  # type: ignore[untyped-decorator]
    def _next(rng: Any) -> Any:  # noqa: ARG001
        def draw(rng: Any) -> Any:
            rng.state += GOLDEN
            z = rng.state
            z = (z ^ (z >> U30)) * FIRST
            z = (z ^ (z >> U27)) * SECOND
            return z ^ (z >> U31)

        return draw

    @method(RngRecord, "below")  # type: ignore[untyped-decorator]
    def _below(rng: Any, n: Any) -> Any:  # noqa: ARG001
        if not isinstance(n, types.Integer):
            raise TypingError(f"rng.below(n): n must be a whole number, not {n}")

        def below(rng: Any, n: Any) -> Any:
            if n < 0:
                raise ValueError("n must not be negative")
            # The high half of a product of 128 bits.
            bits, factor = rng.next(), np.uint64(n)
            low, high = bits & LOW, bits >> U32
            least, most = factor & LOW, factor >> U32
            middle = high * least + ((low * least) >> U32)
            other = low * most + (middle & LOW)
            return np.int64(high * most + (middle >> U32) + (other >> U32))

        return below

    def as_number(answer: Any) -> Any:
        raise NotImplementedError

    def as_place(answer: Any) -> Any:
        raise NotImplementedError

    @stands_for(as_number)  # type: ignore[untyped-decorator]
    def _as_number(answer: Any) -> Any:
        if not isinstance(answer, types.Integer | types.Float):
            raise TypingError(f"the answer must be a number, not {answer}")
        return lambda answer: np.float64(answer)

    @stands_for(as_place)  # type: ignore[untyped-decorator]
    def _as_place(answer: Any) -> Any:
        if not isinstance(answer, types.Integer | types.Boolean):
            raise TypingError(f"the answer must be a whole number, not {answer}")
        return lambda answer: np.int64(answer)

    return Types(
        tally=_record(TallyRecord, "visits wins draws", np.int64),
        rng=_record(RngRecord, "state", np.uint64),
        as_number=as_number,
        as_place=as_place,
    )


def _record(kind: Any, names: str, number: Any) -> Any:
    """A record of some numbers of the same type."""
    from numba import from_dtype

    plain = from_dtype(np.dtype([(name, number) for name in names.split()], align=True))
    fields = [(name, field._asdict()) for name, field in plain.fields.items()]
    return kind(fields, plain.size, plain.aligned)
