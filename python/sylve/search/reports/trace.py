"""`Trace`: one simulation as a value. docs/trace.md explains each field."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from sylve.game import Outcome, Player
from sylve.own import game_text
from sylve.position import Position, position_text
from sylve.search.reference.searches import Search
from sylve.search.reports.report import Counts, MoveReport
from sylve.search.reports.show_trace import trace_html, trace_text

SCHEMA = 1
"""Of `to_dict`."""

Ended = Literal["playout", "end of the game", "proven", "repetition"]
"""What follows the descent: a playout; or the result is known, because the game is over, because
it was proven, or because the descent came back to a position of its own (Go), which is scored."""
Kind = Literal["direct", "amaf", "code", "mast", "weighted", "implicit"]
"""What a tally counts: the move itself; its AMAF code, at a node; every code, at a node of `grave`;
every code, in the whole search, for the policy `mast`; the move, later results weighing more. Or
it is no tally but the minimax value of a move."""


@dataclass(frozen=True)
class TracedMove(MoveReport):
    """A move of a node as the descent found it: what a report tells of it, and more.

    `score` is what the choice went by; None: not tried yet, or never again (a proven loss).
    """

    code: int = 0
    """Its AMAF code."""
    bands: tuple[Counts, ...] | None = None
    """The AMAF tallies one by one, where there are several (`multi_scale_rave`)."""
    waiting: int = 0
    """Descents of the same batch that wait for their results: each counts as a lost visit."""
    formula: str = ""
    """The score with its numbers filled in: `0.64 + 0.4 sqrt(ln 10 / 5) = 0.9114`."""
    beta_formula: str | None = None
    """The same of beta."""


@dataclass(frozen=True)
class Choice:
    """A node that the descent passed: all its moves, and the one that was chosen."""

    position: Position
    path: tuple[str, ...]
    """The names of the moves from the root."""
    visits: int
    """Those of the node, before the simulation; N in the formulas."""
    moves: tuple[TracedMove, ...]
    """In the order of the position's moves."""
    chosen: int | None
    """The move; None: none was chosen, since the playout begins here (`flat_amaf`)."""
    why: str
    new: bool = False
    """Whether the node was made by this simulation."""
    reference: int | None = None
    """In `grave`: which node of the descent lends its AMAF values; 0 is the root."""

    @property
    def chosen_name(self) -> str | None:
        """The name of the chosen move."""
        return None if self.chosen is None else self.position.name(self.chosen)

    def __getitem__(self, move: int | str) -> TracedMove:
        """One of the moves, by number or name."""
        for entry in self.moves:
            if move in (entry.move, entry.name):
                return entry
        raise KeyError(move)

    @property
    def ordered(self) -> tuple[TracedMove, ...]:
        """The chosen move, then the others from the highest score to the lowest."""

        def place(entry: TracedMove) -> tuple[bool, bool, float]:
            untried = entry.score is None and entry.proven != "loss"
            lost = entry.score is None and not untried
            return entry.move != self.chosen, lost, -(2.0 if untried else entry.score or 0.0)

        return tuple(sorted(self.moves, key=place))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text."""
        return {
            "path": list(self.path),
            "position": position_text(self.position),
            "turn": "xo"[self.position.turn],
            "visits": self.visits,
            "new": self.new,
            "reference": self.reference,
            "chosen": self.chosen_name,
            "why": self.why,
            "moves": [asdict(entry) for entry in self.moves],
        }


@dataclass(frozen=True)
class Ply:
    """A move of the playout."""

    player: Player | None
    """None, as are the following: a game's own playout tells codes, which moves may share."""
    code: int
    """Its AMAF code."""
    move: int | None
    name: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text."""
        return {**asdict(self), "player": None if self.player is None else "xo"[self.player]}


@dataclass(frozen=True)
class Change:
    """A tally that the simulation changed: visits, wins, draws and parts, before and after.

    For the player to move at its node; of `code` and `mast` for the first player. Parts are 0
    unless playouts are cut (`Tally`). What is `weighted` has a weight and a sum of points instead,
    `implicit` the value alone.
    """

    kind: Kind
    before: tuple[float, ...]
    after: tuple[float, ...]
    node: int | None = None
    """Which node of the descent; 0 is the root; None: the whole search (`mast`)."""
    move: int | None = None
    name: str | None = None
    code: int | None = None
    """The AMAF code, of `code` and `mast`: these count codes, not moves."""
    band: int = 0
    """Which of several AMAF tallies (`multi_scale_rave`)."""


@dataclass(frozen=True)
class Proof:
    """A move that the simulation proved: how the game ends after it with best play."""

    node: int
    """Which node of the descent."""
    move: int
    name: str
    proven: str
    """win, draw or loss, for the player to move at the node."""


@dataclass(frozen=True, repr=False)
class Trace:
    """One simulation of a search: the descent, the playout, and what changed.

    >>> from sylve import Position, Uct, trace
    >>> simulation = trace(Position.start("tic_tac_toe"), Uct(1000, seed=1), simulation=25)
    >>> simulation.ended, len(simulation.playout)
    ('playout', 5)
    """

    position: Position
    search: Search
    simulation: int
    """1 is the first."""
    descent: tuple[Choice, ...]
    """The nodes that it passed, the root first. A search without a tree has the root alone."""
    ended: Ended
    leaf: Position
    """Where the descent ended and the playout began."""
    playout: tuple[Ply, ...]
    outcome: Outcome | None
    """How the game ended; None: the playout was cut."""
    changes: tuple[Change, ...]
    """Every tally that is not as it was."""
    proofs: tuple[Proof, ...] = ()
    estimate: float | None = None
    """Where the playout was cut: the value of the position there, for the first player."""

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the moves that were chosen on the way down."""
        return tuple(name for choice in self.descent if (name := choice.chosen_name) is not None)

    def __repr__(self) -> str:
        return f"<Trace of simulation {self.simulation} of {self.search} on {self.position!r}>"

    def __str__(self) -> str:
        return trace_text(self)

    def _repr_html_(self) -> str:
        return trace_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text, for JSON. docs/trace.md explains each field."""
        return {
            "schema": SCHEMA,
            "kind": "simulation",
            "game": game_text(self.position.game),
            "position": position_text(self.position),
            "search": str(self.search),
            "seed": self.search.seed,
            "simulation": self.simulation,
            "path": list(self.path),
            "descent": [choice.to_dict() for choice in self.descent],
            "ended": self.ended,
            "leaf": position_text(self.leaf),
            "playout": [ply.to_dict() for ply in self.playout],
            "outcome": outcome_word(self.outcome),
            "estimate": self.estimate,
            "changes": [asdict(change) for change in self.changes],
            "proofs": [asdict(proof) for proof in self.proofs],
        }


def outcome_word(outcome: Outcome | None) -> str | None:
    """Who won, for JSON."""
    if outcome is None:
        return None
    return "draw" if outcome.winner is None else "xo"[outcome.winner]
