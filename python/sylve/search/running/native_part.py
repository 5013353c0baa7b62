"""A rule, schedule or policy of a user's own as the compiled engine reads it."""

from __future__ import annotations

from collections.abc import Sequence

from sylve.native.part import machine_code_of
from sylve.native.part_code import OPERATIONS
from sylve.rng import Rng
from sylve.search.reference.own_parts import beta_of, choice_of, exploration_of
from sylve.search.reference.policies import Policy
from sylve.search.reference.rules import Index, Rule
from sylve.search.reference.schedules import Schedule
from sylve.search.reference.tally import Tally
from sylve.search.values import Value


class NativePart:
    """The machine code of a part, and the words for what it does wrong."""

    operations = OPERATIONS

    def __init__(self, part: Value) -> None:
        self.part = part
        source, self.library, self.arguments = machine_code_of(part)
        self.address = self.library.address
        self.method, self.coded, self.learns = source.method, source.coded, source.learns

    def explain(
        self, answer: str, total: int, own: Sequence[int], other: Sequence[int], word: int
    ) -> Exception:
        """The error for an answer that is not allowed: plain Python is asked the same."""
        try:
            self.ask(total, tallies_of(own), other, Rng(word))
        except Exception as error:
            return error
        return ValueError(
            f"{self.part}: the compiled {self.method}() fails ({answer}) where plain Python does"
            " not: compiled whole numbers have 64 bits"
        )

    def ask(self, total: int, own: list[Tally], other: Sequence[int], rng: Rng) -> None:
        """The same as the engine has asked."""
        match self.part:
            case Index():
                exploration = exploration_of(self.part)
                for tally in own:
                    exploration(total, tally)
            case Schedule():
                beta = beta_of(self.part)
                for tally, amaf in zip(own, tallies_of(other), strict=True):
                    beta(total, tally, amaf)
            case Rule():
                choice_of(self.part, total, own, rng)
            case Policy():
                moves = len(other) // 2 if self.coded else len(other)
                self.part.checked_pick(other[:moves], other[moves:], own, rng)


def tallies_of(numbers: Sequence[int]) -> list[Tally]:
    """Visits, wins and draws of each."""
    return [Tally(*numbers[at : at + 3]) for at in range(0, len(numbers), 3)]
