"""Playouts that are cut: after some plies an evaluation says what the position is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sylve.game import AnyGame, FullGame, Player
from sylve.rng import Rng
from sylve.search.reference.evaluating import Evaluating, check_evaluation
from sylve.search.reference.policies import Policy, play_move, uniform
from sylve.search.reference.results import Estimated, Result
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.values import kind, whole

MOST_PLIES = 1_000_000


@dataclass(frozen=True)
class cut(Policy):  # noqa: N801 (values of the grammar have lower-case names)
    """Stop after `plies` plies of `playout`; the result is the value of the position there.

    Early playout termination: Lorentz 2016, "Using evaluation functions in Monte-Carlo Tree
    Search". value = 1 / (1 + e^(-score / scale)), a real number between 0 and 1; `evaluation` and
    `scale` are by default the game's. With 0 plies the leaf itself is evaluated. Good where the
    evaluation sees more than random play does (Breakthrough, Othello); misleads where it sees less
    (Go).

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import cut
    >>> board = Position.start("breakthrough(columns=5, rows=5)")
    >>> report = search(board, Uct(300, playout=cut(4), seed=1))
    >>> report.best_name, round(report[report.best].mean, 3)
    ('b2-b3', 0.531)
    >>> print(Uct(300, playout=cut(2, evaluation="advancement")))
    uct(playouts=300, playout=cut(plies=2, evaluation="advancement"))
    """

    plies: int = 0
    evaluation: str = ""
    """A name of docs/evaluations.md; "" is the first of the game."""
    scale: float = 0.0
    """The score whose value is 0.73, in thousandths; 0: that of the evaluation."""
    playout: Policy = field(default_factory=uniform)  # type: ignore[assignment]
    """How the plies are played: it chooses move by move, also where it has a way of its own."""

    def __post_init__(self) -> None:
        whole(self, "plies", 0, MOST_PLIES)
        check_evaluation(self)
        kind(self, "playout", (Policy,))
        if self.playout.real:
            raise ValueError(f"cut: playout={self.playout} is cut already")
        if self.playout.is_own and not chooses(self.playout):
            raise ValueError(f"cut: playout={self.playout} has no method choose, only playout")
        # What it looks at is what the policy inside looks at. It is frozen, hence so:
        for name, answer in (
            ("coded", self.playout.coded),
            ("learns", self.playout.learns),
            ("real", True),
        ):
            object.__setattr__(self, name, answer)

    @property
    def inner(self) -> tuple[Policy, ...]:
        """What chooses the moves."""
        return (self.playout,)

    def cut_short(
        self, game: FullGame, state: Any, rng: Rng, played: list[int], mast: dict[int, Tally]
    ) -> Result:
        """Play so many plies, or to the end if that comes first."""
        for _ in range(min(self.plies, game.max_plies)):
            if (outcome := game.outcome(state)) is not None:
                return outcome
            state = play_move(self.playout, game, state, rng, played, mast)
        if (outcome := game.outcome(state)) is not None:
            return outcome
        if self.plies >= game.max_plies:
            return game.cut_off(state)
        units = self.evaluating(game.game).value(state)
        return Estimated(units if game.turn(state) == Player.FIRST else UNIT - units)

    def evaluating(self, game: AnyGame) -> Evaluating:
        """Its evaluation of a game."""
        return Evaluating(game, self.evaluation, self.scale, f"playout={self}")


def chooses(policy: Policy) -> bool:
    """Whether a policy of the user's own chooses move by move."""
    own = type(policy)
    return own.choose is not Policy.choose or own.pick is not Policy.pick


def play_out(
    policy: Policy,
    game: FullGame,
    state: Any,
    rng: Rng,
    played: list[int],
    mast: dict[int, Tally],
) -> Result:
    """Play from where a simulation has left the tree; `played` receives the codes."""
    if isinstance(policy, cut):
        return policy.cut_short(game, state, rng, played, mast)
    return policy.playout(game, state, rng, played, mast)
