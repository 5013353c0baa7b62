"""The compiled engine: every search in Rust, behind the interface of `reference.Reference`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from sylve.engine import compiled_half, is_compiled, to_core
from sylve.game import FullGame, Outcome, Player
from sylve.position import Position
from sylve.search.reference.policies import weighted
from sylve.search.reference.searches import MultiScaleRave, Search, TreeSearch
from sylve.search.reports.report import Found, rank_moves
from sylve.search.running.interrupts import interrupts_held
from sylve.search.running.memory import map_large_blocks
from sylve.search.running.native_part import NativePart
from sylve.search.text import own_part
from sylve.search.values import Value

if TYPE_CHECKING:
    from sylve import _core

NO_LIMIT = 1 << 62  # bytes
PROOFS = (None, Outcome(Player.SECOND), Outcome(None), Outcome(Player.FIRST))
"""As the engine numbers them."""


class Compiled:
    """A search in Rust that can be run on and reported at any time."""

    engine = "rust"

    def __init__(
        self,
        position: Position,
        how: Search,
        threads: int = 1,
        parallel: str = "root",
        memory: int | None = None,
    ) -> None:
        core = compiled_half("engine=rust")
        self.position = position
        self.has_tree = isinstance(how, TreeSearch)
        moves, config = list(position.moves), configuration(position, how)
        config |= {"threads": threads, "parallel": parallel}
        if memory is not None:
            map_large_blocks()
        config["memory"] = NO_LIMIT if memory is None else memory
        self.in_python = not is_compiled(position)
        if not self.in_python:
            start = to_core(position, coded=how.coded)
            self.searcher: _core.Searcher = core.Searcher(start, moves, config)
        else:
            game = FullGame(position.game, coded=how.coded)
            state = game.forget(position.state)
            self.searcher = core.Searcher.of_game(game, state, moves, config)

    def run(self, simulations: int, seconds: float | None = None, *, last: bool = True) -> None:
        """Run so many more simulations, or fewer if the time is up or `pause` is called."""
        with self.held(self.pause):
            self.searcher.run(simulations, seconds, last)

    def held(self, pause: Callable[[], None] = lambda: None) -> AbstractContextManager[None]:
        """Ctrl-C does not come while the engine asks a game in Python: that would have failed."""
        return interrupts_held(pause) if self.in_python else nullcontext()

    def pause(self) -> None:
        """End the run under way, or else the next one, after the simulation at hand."""
        self.searcher.pause()

    def stop(self) -> None:
        """The same, and a proof under way is given up: the search ends."""
        self.searcher.stop()

    def settle(self) -> None:
        """End a batch that was paused: the playouts that were made count."""
        self.searcher.settle()

    @property
    def simulations(self) -> int:
        """How many were run."""
        return self.searcher.counts()[0]

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""
        return self.searcher.counts()[1]

    @property
    def proven(self) -> bool:
        """Whether the result with best play is known: there is nothing left to search."""
        return self.searcher.proven()

    def advance(self, position: Position, move: int) -> None:
        """Make `position`, which is the root after `move`, the root; keep what is known of it."""
        with self.held():
            self.searcher.advance(move, list(position.moves))
        self.position = position

    def save(self) -> bytes:
        """Everything that it needs to go on."""
        with self.held():
            return self.searcher.save()

    def save_node(self, path: Sequence[int]) -> tuple[int, bytes]:
        """The key that the position after these moves has in the tree, and its node.

        The bytes: what is known besides the tree, as `save` writes it, and the record of the node;
        none if there is no such node.
        """
        with self.held():
            saved = self.searcher.save_node(list(path))
        assert saved is not None, "the moves of a descent are legal"
        return saved

    def load(self, saved: bytes) -> None:
        """Read what was saved, into a search that is new, of the same position."""
        with self.held():
            self.searcher.load(saved)

    @property
    def steps(self) -> int:
        """The choices made in all descents together."""
        return self.searcher.numbers()[6]

    def found(self) -> Found:
        """What is known now."""
        with self.held():
            simulations, nodes, size, order, line, rows, _, full = self.searcher.numbers()
        amaf = [other for _, other, *_ in rows if other is not None]
        means = [mean for *_, mean, _ in rows if mean is not None]
        return Found(
            simulations=simulations,
            nodes=nodes,
            bytes=size,
            order=order,
            line=line,
            own=[own for own, *_ in rows],
            amaf=amaf or None,
            parts=[(value, exploration, beta) for _, _, value, exploration, beta, *_ in rows],
            means=means or None,
            proofs=[PROOFS[proof] for *_, proof in rows],
            full=full,
        )

    def digest(self) -> int:
        """64 bits for everything that the tree counts."""
        return self.searcher.digest()

    def look(self, path: tuple[int, ...]) -> Found | None:
        """What is known of the position after these moves, if it has a node."""
        if not self.has_tree:
            return None if path else self.found()
        with self.held():
            inside = self.searcher.look(list(path))
        if inside is None:
            return None
        visits, rows = inside
        own = [own for _, (own, *_) in rows]
        proofs = [PROOFS[proof] for _, (*_, proof) in rows]
        amaf = [other for _, (_, other, *_) in rows if other is not None]
        game, state = self.position.game, self.position.state
        for move in path:
            state = game.play(state, move)
        return Found(
            simulations=visits,
            nodes=self.nodes,
            bytes=None,
            order=rank_moves(own, proofs, Player(game.turn(state))),
            line=(),
            own=own,
            amaf=amaf or None,
            parts=[(value, exploration, beta) for _, (_, _, value, exploration, beta, *_) in rows],
            means=None,
            proofs=proofs,
        )


def configuration(position: Position, how: Search) -> dict[str, Any]:
    """The search as the engine reads it: names and numbers."""
    own = own_part(how)
    if own is not None:
        raise ValueError(f'{how.name()}: {own}: use engine="python"')
    config: dict[str, Any] = {"algorithm": how.name(), "update": "suffix"}
    for field in dataclasses.fields(how):
        value = getattr(how, field.name)
        config[field.name] = call(value) if isinstance(value, Value) else value
    config["policy"] = config.pop("playout")
    if not isinstance(config["policy"], NativePart):
        config["policy"], _ = config["policy"]
        for field in dataclasses.fields(how.playout):  # type: ignore[arg-type]
            config[field.name] = getattr(how.playout, field.name)
    if isinstance(how.playout, weighted):
        named = how.playout.names
        table = how.playout.by_code(position.game) if named else how.playout.table
        config["weights"] = list(table.items())
    if isinstance(how, MultiScaleRave):
        config["by_kind"] = how.by == "kind"
        config["limits"] = [] if config["by_kind"] else list(how.limits)
    return config


def call(value: Value) -> tuple[str, list[float]] | NativePart:
    """A rule, schedule or policy as its name and its numbers, in order; or its machine code."""
    if value.is_own:
        return NativePart(value)
    numbers = []
    for field in dataclasses.fields(value):  # type: ignore[arg-type]
        argument = getattr(value, field.name)
        if isinstance(argument, (int, float)):
            numbers.append(float(argument))
    return value.name(), numbers
