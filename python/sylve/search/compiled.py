"""The compiled engine: every search in Rust, behind the interface of `reference.Reference`."""

from __future__ import annotations

import dataclasses
from typing import Any

from sylve.engine import is_compiled, to_core
from sylve.position import Position
from sylve.search.policies import weighted
from sylve.search.report import Counts, MoveReport, make_moves
from sylve.search.searches import MultiScaleRave, Search
from sylve.search.values import Value


class Compiled:
    """A search in Rust that can be run on and reported at any time."""

    engine = "rust"

    def __init__(self, position: Position, how: Search) -> None:
        from sylve import _core

        self.position = position
        moves, config = list(position.moves), configuration(how)
        if is_compiled(position):
            self.searcher = _core.Searcher(to_core(position), moves, config)
        else:
            self.searcher = _core.Searcher.of_game(position.game, position.state, moves, config)
        self.numbers = self.searcher.numbers()

    def run(self, simulations: int) -> None:
        """Run so many more simulations."""
        self.searcher.run(simulations)
        self.numbers = self.searcher.numbers()

    @property
    def simulations(self) -> int:
        """How many were run."""
        return self.numbers[0]

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""
        return self.numbers[1]

    @property
    def bytes(self) -> int | None:
        """The memory of the tree."""
        return self.numbers[2]

    @property
    def steps(self) -> int:
        """The choices made in all descents together."""
        return self.numbers[6]

    def order(self) -> list[int]:
        """The indices of the root moves, best first."""
        return self.numbers[3]

    def line(self) -> list[int]:
        """The principal variation."""
        return self.numbers[4]

    def moves(self) -> tuple[MoveReport, ...]:
        """The entries of the report."""
        rows = self.numbers[5]
        amaf = [other for _, other, *_ in rows if other is not None]
        means = [mean for *_, mean in rows if mean is not None]
        return make_moves(
            self.position,
            [own for own, *_ in rows],
            amaf or None,
            [(value, exploration, beta) for _, _, value, exploration, beta, _ in rows],
            means or None,
            self.order(),
        )

    def tallies(self) -> list[tuple[Counts, Counts | None]]:
        """For each root move its own counts and those of AMAF, where the search has them."""
        return [(own, amaf) for own, amaf, *_ in self.numbers[5]]


def configuration(how: Search) -> dict[str, Any]:
    """The search as the engine reads it: names and numbers."""
    config: dict[str, Any] = {"algorithm": how.name(), "update": "suffix"}
    for field in dataclasses.fields(how):
        value = getattr(how, field.name)
        config[field.name] = call(value) if isinstance(value, Value) else value
    config["policy"], _ = config.pop("playout")
    for field in dataclasses.fields(how.playout):  # type: ignore[arg-type]
        config[field.name] = getattr(how.playout, field.name)
    if isinstance(how.playout, weighted):
        config["weights"] = list(how.playout.table.items())
    if isinstance(how, MultiScaleRave):
        config["by_kind"] = how.by == "kind"
        config["limits"] = [] if config["by_kind"] else list(how.limits)
    return config


def call(value: Value) -> tuple[str, list[float]]:
    """A rule or schedule as its name and its numbers, in order."""
    numbers = []
    for field in dataclasses.fields(value):  # type: ignore[arg-type]
        argument = getattr(value, field.name)
        if isinstance(argument, (int, float)):
            numbers.append(float(argument))
    return value.name(), numbers
