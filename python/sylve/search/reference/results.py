"""The result of a simulation: how the game ended, or an estimate where the playout was cut.

A search is *real* if its playouts may be cut. It counts every result in units of 1/65,536 of a win,
those of finished games too; all other searches count wins and draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sylve.errors import shown
from sylve.game import Outcome, Player
from sylve.search.reference.tally import UNIT, Tally

CERTAIN = (1, UNIT // 2, UNIT - 1)
"""By half points: the value of a finished game among those of evaluations, which are never 0 or
1."""


@dataclass(frozen=True, slots=True)
class Estimated:
    """What a position is worth, by an evaluation.

    >>> from sylve import Player
    >>> result = Estimated(16_384)
    >>> units_of(result, Player.FIRST), units_of(result, Player.SECOND)
    (16384, 49152)
    """

    units: int
    """For the first player, from 1 to 65,535."""


Result = Outcome | Estimated


def units_of(result: Result, player: Player) -> int:
    """A result in units, for a player: 65,536 is a win, 32,768 a draw."""
    if isinstance(result, Outcome):
        return result.points(player) * (UNIT // 2)
    return result.units if player == Player.FIRST else UNIT - result.units


Count = Callable[[Tally, Result, Player], None]
"""Counts a result in a tally, for a player."""


def count_of(*, real: bool) -> Count:
    """How a search counts."""
    return count_units if real else count_points


def count_units(tally: Tally, result: Result, player: Player) -> None:
    """As a real number."""
    tally.add_units(units_of(result, player))


def count_points(tally: Tally, result: Result, player: Player) -> None:
    """As a win, a draw or a loss."""
    assert isinstance(result, Outcome), "only real searches have estimates"
    tally.add(result.points(player))


def check_outcome(outcome: object) -> None:
    """Refuse what a user's game gives for an outcome and is none."""
    if not isinstance(outcome, Outcome):
        raise ValueError(f"outcome() must be None or an Outcome, not {shown(outcome)}")


def check_result(result: object, *, real: bool) -> None:
    """Refuse what a playout gives for a result and is none."""
    if not (real and isinstance(result, Estimated)):
        check_outcome(result)
