"""The compiled engine: every search in Rust, behind the interface of `reference.Reference`."""

from __future__ import annotations

import dataclasses
from typing import Any

from sylve.engine import is_compiled, to_core
from sylve.position import Position
from sylve.search.interrupts import interrupts_held
from sylve.search.policies import weighted
from sylve.search.report import Found, MoveReport, make_moves
from sylve.search.searches import MultiScaleRave, Search
from sylve.search.values import Value


class Compiled:
    """A search in Rust that can be run on and reported at any time."""

    engine = "rust"

    def __init__(
        self, position: Position, how: Search, threads: int = 1, parallel: str = "root"
    ) -> None:
        from sylve import _core

        self.position = position
        moves, config = list(position.moves), configuration(how)
        config |= {"threads": threads, "parallel": parallel}
        self.in_python = not is_compiled(position)
        if not self.in_python:
            self.searcher = _core.Searcher(to_core(position), moves, config)
        else:
            self.searcher = _core.Searcher.of_game(position.game, position.state, moves, config)

    def run(self, simulations: int, seconds: float | None = None) -> None:
        """Run so many more simulations, or fewer if the time is up or `pause` is called."""
        if self.in_python:
            with interrupts_held(self.pause):
                self.searcher.run(simulations, seconds)
        else:
            self.searcher.run(simulations, seconds)

    def pause(self) -> None:
        """End the run under way, or else the next one, after the simulation at hand."""
        self.searcher.pause()

    @property
    def simulations(self) -> int:
        """How many were run."""
        return self.searcher.counts()[0]

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""
        return self.searcher.counts()[1]

    def found(self) -> Found:
        """What is known now."""
        simulations, nodes, size, order, line, rows = self.searcher.numbers()
        amaf = [other for _, other, *_ in rows if other is not None]
        means = [mean for *_, mean in rows if mean is not None]
        return Found(
            simulations=simulations,
            nodes=nodes,
            bytes=size,
            order=order,
            line=line,
            own=[own for own, *_ in rows],
            amaf=amaf or None,
            parts=[(value, exploration, beta) for _, _, value, exploration, beta, _ in rows],
            means=means or None,
        )

    def moves(self) -> tuple[MoveReport, ...]:
        """The entries of the report."""
        return make_moves(self.position, self.found())


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
