"""`Budget`: what ends a search. Any combination; the first limit that is reached ends it."""

from __future__ import annotations

import dataclasses
from dataclasses import KW_ONLY, dataclass
from typing import Any

from sylve.search.values import Value, number, shown, whole

PLAYOUTS = 1000  # of a search that is given no limit at all
SHORTEST, LONGEST = 0.001, 1e9  # seconds: a thousandth, 31 years
MOST_NODES = (1 << 32) - 2  # the engine numbers its nodes in 32 bits


@dataclass(frozen=True)
class Limits(Value):
    """What may end a search; docs/searcher.md defines each."""

    playouts: int | None = None
    """So many simulations; 1000 where no limit is given."""
    _: KW_ONLY
    seconds: float | None = None
    """So much time. What the search finds then depends on the machine."""
    nodes: int | None = None
    """So many nodes in the tree."""
    settled: bool = False
    """The best move can no longer be overtaken in what is left of `playouts` or `seconds`."""
    stderr: float | None = None
    """The standard error of the best move's mean is at most this."""
    spread: float | None = None
    """No move's mean has moved more than this (standard deviation over the last ten looks)."""
    confidence: float | None = None
    """The best move is the best with at least this probability, however often one looks."""

    def check_limits(self) -> None:
        """Refuse what makes no sense."""
        if self.playouts is not None:
            whole(self, "playouts", 1)
        if self.nodes is not None:
            whole(self, "nodes", 1, MOST_NODES)
        for name, low, high in (
            ("seconds", SHORTEST, LONGEST),
            ("stderr", 1e-6, 0.5),
            ("spread", 1e-6, 0.5),
            ("confidence", 0.5, 0.999999),
        ):
            if getattr(self, name) is not None:
                number(self, name, low, high)
        if not isinstance(self.settled, bool):
            raise ValueError(
                f"{self.name()}: settled must be true or false, not {shown(self.settled)}"
            )
        if self.settled and self.playouts is None and self.seconds is None:
            raise ValueError(
                f"{self.name()}: settled needs playouts or seconds: without them there is always"
                " enough left to overtake the best move"
            )

    @property
    def limited(self) -> bool:
        """Whether there is any limit besides playouts."""
        return any(getattr(self, name) not in (None, False) for name in OTHERS)

    def implied(self, field: dataclasses.Field[object]) -> object:
        """`playouts` is 1000 unless something else ends the search."""
        if field.name == "playouts":
            return None if self.limited else PLAYOUTS
        return super().implied(field)

    @property
    def budget(self) -> Budget:
        """The limits alone."""
        return Budget(**{field.name: getattr(self, field.name) for field in LIMITS})

    def within(self, seconds: float | None) -> Budget:
        """The limits alone, with at most so many seconds, as a clock has them; None: as they are.

        Every other limit holds as before: whichever is reached first ends the search.
        """
        if seconds is None or (self.seconds is not None and self.seconds <= seconds):
            return self.budget
        return dataclasses.replace(self.budget, seconds=max(seconds, SHORTEST))


LIMITS = dataclasses.fields(Limits)
OTHERS = tuple(field.name for field in LIMITS if field.name != "playouts")


@dataclass(frozen=True)
class Budget(Limits):
    """What ends a run of a search: `Budget(seconds=1)`, `Budget(10_000, settled=True)`.

    Without any limit it ends when it is told to.

    >>> from sylve import Budget, Position, Searcher, Uct
    >>> searcher = Searcher(Position.start("othello"), Uct(seed=1))
    >>> searcher.run(Budget(10_000, nodes=200)).stopped
    'nodes'
    """

    def __post_init__(self) -> None:
        self.check_limits()

    def implied(self, field: dataclasses.Field[object]) -> object:
        """Nothing is understood: a budget without limits has none."""
        return field.default


def as_budget(budget: Budget | int | None, limits: dict[str, Any]) -> Budget:
    """The budget that is meant: one as it is, or a number of playouts with other limits."""
    if isinstance(budget, Budget):
        if limits:
            raise TypeError(f"give a Budget or limits, not both: {budget} and {limits}")
        return budget
    if budget is not None and "playouts" in limits:
        raise TypeError(f"playouts is given twice: {budget!r} and {limits['playouts']!r}")
    return Budget(**(limits if budget is None else {"playouts": budget, **limits}))
