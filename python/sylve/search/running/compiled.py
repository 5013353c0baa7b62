"""The compiled engine: every search in Rust, behind the interface of `reference.Reference`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from sylve.engine import compiled_half, is_compiled, to_core
from sylve.game import FullGame, Outcome, Player
from sylve.position import Position
from sylve.search.reference.cut import cut
from sylve.search.reference.featured import featured
from sylve.search.reference.policies import Policy, weighted
from sylve.search.reference.priors import evaluating_of, preferred
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
Known = TypeVar("Known")
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
        self.how = how
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
        found = found_in(rows, self.how)
        return dataclasses.replace(
            found,
            simulations=simulations,
            nodes=nodes,
            bytes=size,
            order=order,
            line=line,
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
        found = found_in([row for _, row in rows], self.how)
        game, state = self.position.game, self.position.state
        for move in path:
            state = game.play(state, move)
        order = rank_moves(found.own, found.proofs, Player(game.turn(state)))
        return dataclasses.replace(found, simulations=visits, nodes=self.nodes, order=order)


def found_in(rows: Sequence[_core._Row], how: Search) -> Found:
    """What the engine tells of the moves of a node."""
    own, amaf, values, explorations, betas, means, implicit, prior, proofs = zip(*rows, strict=True)
    return Found(
        simulations=0,
        nodes=0,
        bytes=None,
        order=(),
        line=(),
        own=list(own),
        amaf=known(amaf),
        parts=list(zip(values, explorations, betas, strict=True)),
        means=known(means),
        proofs=[PROOFS[proof] for proof in proofs],
        implicit=known(implicit),
        prior=known(prior),
        real=how.real,
    )


def known(column: Sequence[Known | None]) -> list[Known] | None:
    """What is told of each move, unless the search has no such thing."""
    return [entry for entry in column if entry is not None] or None


def configuration(position: Position, how: Search) -> dict[str, Any]:
    """The search as the engine reads it: names and numbers."""
    own = own_part(how)
    if own is not None:
        raise ValueError(f'{how.name()}: {own}: use engine="python"')
    config: dict[str, Any] = {"algorithm": how.name(), "update": "suffix"}
    for field in dataclasses.fields(how):
        value = getattr(how, field.name)
        if field.name not in ("playout", "prior"):
            config[field.name] = call(value) if isinstance(value, Value) else value
    config |= policy_fields(how.playout, position)
    if isinstance(how, TreeSearch):
        config |= evaluation_fields(how, position)
    if isinstance(how, MultiScaleRave):
        config["by_kind"] = how.by == "kind"
        config["limits"] = [] if config["by_kind"] else list(how.limits)
    return config


def policy_fields(policy: Policy, position: Position) -> dict[str, Any]:
    """A playout policy; one inside another is a dictionary of the same form."""
    if policy.is_own:
        return {"policy": NativePart(policy)}
    if isinstance(policy, cut):
        evaluating = policy.evaluating(position.game)
        return {
            "policy": "cut",
            "plies": policy.plies,
            "cut_evaluation": evaluating.place,
            "cut_scale": evaluating.scale,
            "then": policy_fields(policy.playout, position),
        }
    fields: dict[str, Any] = {"policy": policy.name()}
    for field in dataclasses.fields(policy):  # type: ignore[arg-type]
        value = getattr(policy, field.name)
        fields[field.name] = policy_fields(value, position) if isinstance(value, Policy) else value
    if isinstance(policy, weighted):
        fields["weights"] = weights(policy, position)
    if isinstance(policy, featured):
        fields["weights"] = policy.by_feature(position.game)
    return fields


def weights(policy: weighted, position: Position) -> list[tuple[int, int]]:
    """Pairs of a code and its weight."""
    table = policy.by_code(position.game) if policy.names else policy.table
    return list(table.items())  # type: ignore[arg-type]


def evaluation_fields(how: TreeSearch, position: Position) -> dict[str, Any]:
    """Implicit minimax and the prior of a tree search, and their evaluation."""
    evaluating = evaluating_of(how, position.game)
    fields: dict[str, Any] = {
        "implicit": how.implicit,
        "evaluation": 0 if evaluating is None else evaluating.place,
        "scale": 1.0 if evaluating is None else evaluating.scale,
        "prior": "none" if how.prior is None else how.prior.name(),
        "prior_visits": 0 if how.prior is None else how.prior.visits,
    }
    if isinstance(how.prior, preferred):
        fields["prior_weights"] = weights(how.prior.weighing, position)
        fields["prior_otherwise"] = how.prior.otherwise
    return fields


def call(value: Value) -> tuple[str, list[float]] | NativePart:
    """A rule or schedule as its name and its numbers, in order; or its machine code."""
    if value.is_own:
        return NativePart(value)
    numbers = []
    for field in dataclasses.fields(value):  # type: ignore[arg-type]
        argument = getattr(value, field.name)
        if isinstance(argument, (int, float)):
            numbers.append(float(argument))
    return value.name(), numbers
