"""Priors: each move of a new node begins with some virtual visits, of a value that is guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from sylve.game import AnyGame, FullGame
from sylve.grammar import write_call
from sylve.position import Position
from sylve.search.reference.evaluating import Evaluating, check_evaluation
from sylve.search.reference.policies import Weigh, function_name, weighted
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.values import Value, check_number, kind, shown, whole

MOST_VISITS = 1_000_000


class Prior(Value):
    """A prior: `visits` virtual visits for each move of a node, of a value from 0 to 1.

    >>> from sylve import Position, Uct, search
    >>> from sylve.priors import Prior
    >>> class Centre(Prior):
    ...     visits = 20
    ...     def value(self, position, move):
    ...         return 0.9 if position.name(move) == "b2" else 0.5
    >>> report = search(Position.start("tic_tac_toe"), Uct(100, prior=Centre(), seed=1))
    >>> report.best_name, report["b2"].prior, report.engine
    ('b2', 0.899993896484375, 'python')
    """

    needed: ClassVar[tuple[str, ...]] = ("value",)
    compiled_method: ClassVar[str] = ""
    """It sees the position in Python: there is nothing to compile."""
    coded: ClassVar[bool] = False
    """Whether it looks at AMAF codes."""
    evaluates: ClassVar[bool] = False
    """Whether it looks at an evaluation."""
    visits: int = 10

    def value(self, position: Position, move: int) -> float:
        """For priors of the user's own: what a move is worth to the player to move, 0 to 1."""
        raise NotImplementedError(f"{type(self).__name__} has no value")

    def units(
        self,
        game: FullGame,
        state: Any,
        moves: Sequence[int],
        static: Sequence[int],  # noqa: ARG002 (heuristic)
    ) -> list[int]:
        """The values of all moves in 1/65,536. `static`: those by the evaluation."""
        position, what = Position(game.game, state), f"{self}: value()"
        values = [check_number(what, self.value(position, move), 0.0, 1.0) for move in moves]
        return [max(1, min(UNIT - 1, int(value * UNIT + 0.5))) for value in values]


def check_prior(prior: Prior) -> None:
    """Refuse a number of visits that cannot be."""
    whole(prior, "visits", 1, MOST_VISITS)


@dataclass(frozen=True)
class heuristic(Prior):  # noqa: N801 (values of the grammar have lower-case names)
    """The value of the position after the move, by the evaluation of the search.

    Gelly and Silver 2007, "Combining online and offline knowledge in UCT": a new node is not empty,
    it has seen `visits` simulations of that mean. Good where the evaluation tells good moves from
    bad ones; with many visits, a wrong one is believed for a long time.

    >>> from sylve import Position, Uct, search
    >>> from sylve.priors import heuristic
    >>> board = Position.start("breakthrough(columns=5, rows=5)")
    >>> report = search(board, Uct(300, prior=heuristic(20), seed=1))
    >>> report.best_name, round(report[report.best].prior, 3)
    ('b2-a3', 0.504)
    """

    visits: int = 10
    evaluates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_prior(self)

    def units(
        self,
        game: FullGame,  # noqa: ARG002
        state: Any,  # noqa: ARG002
        moves: Sequence[int],  # noqa: ARG002
        static: Sequence[int],
    ) -> list[int]:
        """Those of the evaluation."""
        return list(static)


@dataclass(frozen=True)
class preferred(Prior):  # noqa: N801
    """Weights of moves, as the playout policy `weighted` has them: the heaviest is worth 1.

    Gelly and Silver 2007 and 2011 begin nodes with the preferences of a playout policy, too. The
    value of a move is its weight by the largest weight of the node's moves. Good as an opinion
    which moves to try first; misleads where the weights do, and values are not chances to win.

    >>> from sylve import Position, Uct, search
    >>> from sylve.priors import preferred
    >>> how = Uct(50, prior=preferred("b2=3", visits=5), seed=1)
    >>> search(Position.start("tic_tac_toe"), how).best_name
    'b2'
    """

    weights: str | Mapping[str, int] | Mapping[int, int] | Weigh = ""
    visits: int = 10
    otherwise: int = 1
    coded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_prior(self)
        # As text it is frozen, and can be written to a file.
        object.__setattr__(self, "weights", self.weighing.weights)

    @cached_property
    def weighing(self) -> weighted:
        """The policy that has the weights."""
        try:
            return weighted(self.weights, self.otherwise)
        except ValueError as error:
            told = str(error).removeprefix("weighted: ")
            raise ValueError(f"preferred: {told}") from None

    def units(
        self,
        game: FullGame,
        state: Any,
        moves: Sequence[int],
        static: Sequence[int],  # noqa: ARG002
    ) -> list[int]:
        """By the largest weight; all alike if nothing weighs anything."""
        weights = [self.weighing.weigh(game, state, move) for move in moves]
        largest = max(weights)
        if not largest:
            return [UNIT // 2] * len(moves)
        return [max(1, weight * (UNIT - 1) // largest) for weight in weights]

    def __str__(self) -> str:
        if callable(self.weights):
            called = function_name(self.weights)
            return write_call(self.name(), {"weights": called, "visits": self.visits})
        return super().__str__()


def virtual(visits: int, units: int) -> Tally:
    """So many virtual visits of a value.

    >>> virtual(10, 49_152)
    Tally(10, 7, 0, parts=32768)
    """
    wins, parts = divmod(visits * units, UNIT)
    return Tally(visits, wins, 0, parts)


def evaluating_of(how: Any, game: AnyGame) -> Evaluating | None:
    """The evaluation that a tree search needs, if it needs one."""
    if not how.evaluates:
        return None
    what = f"implicit={how.implicit}" if how.implicit else f"prior={how.prior}"
    return Evaluating(game, how.evaluation, how.scale, what)


def check_evaluations(how: Any) -> None:
    """The arguments `prior`, `evaluation` and `scale` of a tree search."""
    if how.prior == "none":  # as a text has it
        object.__setattr__(how, "prior", None)
    if how.prior is not None:
        kind(how, "prior", (Prior,))
        check_prior(how.prior)
    check_evaluation(how)
    if (how.evaluation or how.scale) and not how.evaluates:
        given = "evaluation" if how.evaluation else "scale"
        raise ValueError(
            f"{how.name()}: {given}={shown(getattr(how, given))} is used by nothing: give implicit"
            " or prior=heuristic too (the playout cut has its own)"
        )
