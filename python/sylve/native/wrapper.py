"""The one C function of a compiled game: it asks a method, or plays a whole playout.

Its source is put together here, from the methods that the game has, and compiled by Numba together
with them: one function, because each costs a fraction of a second. The engine calls it with
pointers to the arguments of the game and to a state. An answer that is out of range goes back as it
is: the engine refuses it. An exception becomes `RAISED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sylve.game import LARGEST_MOVE
from sylve.native.machine_code import Source
from sylve.rng import GAMMA

RAISED = -(1 << 62)
"""A method has raised an exception, or a playout has seen a wrong answer."""
LARGEST_PRIORITY = 65_535

# What the engine asks for, in the order of its list (`functions.rs`).
ASKED = {
    "playout": "",  # below
    "look": """
        result = np.int64(outcome(own, s))
        if result < 0 or result > 3:
            return RAISED
        if result != 0:
            return result
        player = np.int64(turn(own, s))
        count = np.int64(moves(own, s, carray(numbers, max_moves)))
        if player < 0 or player > 1 or count <= 0 or count > max_moves:
            return RAISED
        return 8 * count + 4 * player
        """,
    "turn": "return np.int64(turn(own, s))",
    "play": "play(own, s, given)\nreturn 0",
    "start": "start(own, s)\nreturn 0",
    "code": "return np.int64(code(own, s, given))",
    "key": "carray(words, 1)[0] = np.uint64(key(own, s))\nreturn 0",
    "kind": "return np.int64(kind(own, given))",
    "evaluate": "return np.int64(evaluate(own, s))",
    "adjudicate": "return np.int64(adjudicate(own, s))",
}
OPERATIONS = tuple(ASKED)
TOGETHER = ("playout", "look")
"""Operations that ask several methods."""

# What stands between `try` and `except` costs Numba many times as long as other code.
TEXT = """
def body(operation, arguments, state, words, numbers, codes, given, coded):
    own, s = carray(arguments, 1)[0], carray(state, 1)[0]
{operations}
    return RAISED

def run(operation, arguments, state, words, numbers, codes, given, coded):
    try:
        return body(operation, arguments, state, words, numbers, codes, given, coded)
    except Exception:
        return RAISED
"""
# Answers 0 if the game has not ended after `given` plies: then state and random numbers are where
# it stands. The draws are those of docs/spec.md, one a ply.
PLAYOUT = """
stream, out, played = carray(words, 1), carray(numbers, max_moves), carray(codes, given)
z = stream[0]
for ply in range(given):
    result = np.int64(outcome(own, s))
    if result != 0:
        stream[0] = z
        return result
    {count}
    if count <= 0 or count > max_moves:
        return RAISED
    {total}
    z += GAMMA
    bits = (z ^ (z >> U30)) * FIRST
    bits = (bits ^ (bits >> U27)) * SECOND
    bits ^= bits >> U31
    # The high half of a product of 128 bits, in two steps: the factor is below 2^32.
    draw = np.int64(((bits >> U32) * factor + (((bits & LOW) * factor) >> U32)) >> U32)
    {pick}
    if move < 0 or move > LARGEST_MOVE:
        return RAISED
    if coded > 0:
        number = {code}
        if number < 0 or number >= coded:
            return RAISED
        played[ply] = number
    play(own, s, move)
stream[0] = z
return np.int64(outcome(own, s))
"""
LISTED = "count = np.int64(moves(own, s, out))"
COUNTED = "count = np.int64(count_moves(own, s))"
PICKED = "move = np.int64(out[draw])"
FOUND = "move = np.int64(nth_move(own, s, draw))"
WEIGHED = """
total = 0
for index in range(count):
    weight = np.int64(priority(own, s, np.int64(out[index])))
    if weight < 0 or weight > LARGEST_PRIORITY:
        return RAISED
    total += weight
factor = np.uint64(total if total > 0 else count)
"""
GUIDED = """
if total > 0:
    for index in range(count):
        draw -= np.int64(priority(own, s, np.int64(out[index])))
        if draw < 0:
            draw = index
            break
move = np.int64(out[draw])
"""
CONSTANTS: Mapping[str, Any] = {
    "np": np,
    "RAISED": RAISED,
    "LARGEST_MOVE": LARGEST_MOVE,
    "LARGEST_PRIORITY": LARGEST_PRIORITY,
    "GAMMA": np.uint64(GAMMA),
    "FIRST": np.uint64(0xBF58476D1CE4E5B9),
    "SECOND": np.uint64(0x94D049BB133111EB),
    "LOW": np.uint64(0xFFFFFFFF),
    **{f"U{shift}": np.uint64(shift) for shift in (27, 30, 31, 32)},
}


@dataclass(frozen=True)
class GameSource(Source):
    """A class that is a game."""

    state: np.dtype[Any]
    max_moves: int

    def deciding(self) -> tuple[object, ...]:
        """The record of a state, and the room for moves."""
        return self.state.descr, self.max_moves

    def function(self, natives: Mapping[str, Any], numba: Any) -> tuple[Callable[..., Any], Any]:
        """The function, for Numba to compile, and its type."""
        known = {**CONSTANTS, **natives, "carray": numba.carray, "max_moves": self.max_moves}
        exec(source_text(natives), known)  # noqa: S102 - the text above
        known["body"] = numba.njit(boundscheck=True)(known["body"])
        pointer, record, number = numba.types.CPointer, numba.from_dtype, numba.int64
        words, numbers = pointer(numba.uint64), pointer(numba.int32)
        arguments, state = pointer(record(self.arguments)), pointer(record(self.state))
        signature = number(number, arguments, state, words, numbers, numbers, number, number)
        return known["run"], signature


def source_text(methods: Mapping[str, object]) -> str:
    """The source of the function, for a game with these methods."""
    lines = []
    for number, (name, body) in enumerate(ASKED.items()):
        if name in (*TOGETHER, *methods):
            lines.append(f"    if operation == {number}:\n")
            lines.append(indented(playout_text(methods) if name == "playout" else body, 8))
    return TEXT.format(operations="".join(lines).rstrip())


def playout_text(methods: Mapping[str, object]) -> str:
    """The part that plays a whole playout."""
    guided, counted = "priority" in methods, "nth_move" in methods
    parts = {
        "count": COUNTED if counted and not guided else LISTED,
        "total": WEIGHED if guided else "factor = np.uint64(count)",
        "pick": GUIDED if guided else FOUND if counted else PICKED,
        "code": "np.int64(code(own, s, move))"
        if "code" in methods
        else "2 * move + np.int64(turn(own, s))",
    }
    text = PLAYOUT
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", indented(part, 4).strip())
    return text


def indented(text: str, by: int) -> str:
    """A text whose lines begin at this column."""
    lines = [line for line in text.splitlines() if line.strip()]
    least = min(len(line) - len(line.lstrip()) for line in lines)
    return "".join(" " * by + line[least:] + "\n" for line in lines)
