"""The one C function of a compiled part of a search: its method, asked about some moves at once.

The engine calls it with pointers to the arguments of the part and to tallies. Answers go back as
they are: the engine refuses those that are not allowed. An exception becomes `RAISED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sylve.native.machine_code import Source
from sylve.native.part_types import part_types
from sylve.native.wrapper import RAISED, indented

# What stands for each method, in the order of the engine's list (`own.rs`).
ASKED = {
    "exploration": """
        numbers = carray(out, count)
        tallies = carray(own, count)
        for place in range(count):
            answer = exploration(part, total, tallies[place])
            numbers[place] = as_number(answer)
        return 0
        """,
    "beta": """
        numbers = carray(out, count)
        tallies, amaf = carray(own, count), carray(other, count)
        for place in range(count):
            answer = beta(part, total, tallies[place], amaf[place])
            numbers[place] = as_number(answer)
        return 0
        """,
    "choose": """
        rng = carray(word, 1)[0]
        return as_place(choose(part, total, carray(own, count), rng))
        """,
    "pick": """
        rng, numbers = carray(word, 1)[0], carray(other, count + coded * count)
        moves, codes = numbers[:count], numbers[count:]
        return as_place(pick(part, moves, codes, carray(own, learns * count), rng))
        """,
}
OPERATIONS = tuple(ASKED)
PARAMETERS = {"exploration": 3, "beta": 4, "choose": 4, "pick": 5}
"""How many each has, `self` included."""

# What stands between `try` and `except` costs Numba many times as long as other code.
TEXT = """
def body(operation, arguments, total, count, own, other, word, out):
    if operation != OPERATION:
        return RAISED
    part = carray(arguments, 1)[0]
{asked}

def run(operation, arguments, total, count, own, other, word, out):
    try:
        return body(operation, arguments, total, count, own, other, word, out)
    except Exception:
        return RAISED
"""


@dataclass(frozen=True)
class PartSource(Source):
    """A class that is a part of a search."""

    method: str
    coded: bool = True
    learns: bool = True
    """Of a policy: whether it is told codes, and the results of these."""
    error: ClassVar[type[ValueError]] = ValueError

    def deciding(self) -> tuple[object, ...]:
        """The method, and what it is told."""
        return self.method, self.coded, self.learns

    def function(self, natives: Mapping[str, Any], numba: Any) -> tuple[Callable[..., Any], Any]:
        """The function, for Numba to compile, and its type."""
        types = part_types()
        known = {
            **natives,
            "carray": numba.carray,
            "RAISED": RAISED,
            "OPERATION": OPERATIONS.index(self.method),
            "coded": int(self.coded),
            "learns": int(self.coded and self.learns),
            "as_number": types.as_number,
            "as_place": types.as_place,
        }
        text = TEXT.format(asked=indented(ASKED[self.method], 4).rstrip())
        exec(text, known)  # noqa: S102 - the text above
        known["body"] = numba.njit(known["body"])
        pointer, number = numba.types.CPointer, numba.int64
        tallies = pointer(types.tally)
        signature = number(
            number,
            pointer(numba.from_dtype(self.arguments)),
            number,
            number,
            tallies,
            pointer(number) if self.method == "pick" else tallies,
            pointer(types.rng),
            pointer(numba.float64),
        )
        return known["run"], signature


def packed(source: Source, values: object) -> bytes:
    """The arguments as the function reads them."""
    names = source.arguments.names or ()
    return np.array([tuple(getattr(values, name) for name in names)], source.arguments).tobytes()
