"""Regret: what a bandit rule loses by not knowing the best arm from the start (document 003).

>>> from sylve.search.regret import regret, ucb1_bound
>>> from sylve.rules import ucb1
>>> means = (0.4, 0.6)
>>> regret(means, ucb1(cp=1), 1000, seed=1) < ucb1_bound(means, 1000)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log, pi

from sylve.engine import Engine
from sylve.game import Outcome, Player
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.arithmetic import uniform
from sylve.search.reference.rules import Rule
from sylve.search.reference.searches import Ucb
from sylve.search.run import search

__all__ = ["regret", "ucb1_bound"]

START = -1


@dataclass(frozen=True)
class Bandit:
    """A game of one choice: the first player pulls an arm, which wins with a known probability.

    So every search can play it. The state is the arm pulled (-1: none yet), then "won" or "lost":
    chance is the second player, who moves at random, 1 with the arm's probability, else 0.
    """

    means: tuple[float, ...]

    def __post_init__(self) -> None:
        checked(self.means)

    def start(self) -> int | str:
        """No arm pulled yet."""
        return START

    def turn(self, state: int | str) -> Player:
        """The first player, then chance."""
        return Player.FIRST if state == START else Player.SECOND

    def outcome(self, state: int | str) -> Outcome | None:
        """Won or lost, once chance has moved."""
        if isinstance(state, int):
            return None
        return Outcome(Player.FIRST if state == "won" else Player.SECOND)

    def moves(self, state: int | str) -> list[int]:
        """The arms; then 0 and 1."""
        if state == START:
            return list(range(len(self.means)))
        return [0, 1] if isinstance(state, int) else []

    def play(self, state: int | str, move: int) -> int | str:
        """Pull an arm; then win or lose."""
        if state == START:
            return move
        return "won" if move else "lost"

    def playout(self, state: int | str, rng: Rng, played: list[int] | None = None) -> Outcome:
        """One draw for the arm if there is none yet, one for the result."""
        if played is None:
            played = []
        if state == START:
            state = rng.below(len(self.means))
            played.append(2 * state)
        won = state == "won" or (isinstance(state, int) and uniform(rng) < self.means[state])
        if isinstance(state, int):
            played.append(2 * won + 1)
        return Outcome(Player.FIRST if won else Player.SECOND)


def regret(
    means: Sequence[float], rule: Rule, pulls: int, *, seed: int = 0, engine: Engine = "auto"
) -> float:
    """The regret of a rule after so many pulls: over the arms, gap to the best times visits.

    >>> from sylve.rules import thompson
    >>> from sylve.search.regret import regret
    >>> round(regret((0.4, 0.6), thompson(), 500, seed=1), 1)
    1.4
    """
    report = search(Position.start(Bandit(tuple(means))), Ucb(pulls, rule=rule, seed=seed),
                    engine=engine)  # fmt: skip
    best = max(means)
    return sum((best - means[entry.move]) * entry.visits for entry in report.moves)


def ucb1_bound(means: Sequence[float], pulls: int) -> float:
    """The bound on the expected regret of UCB1 with c = sqrt 2 after `pulls` pulls.

    8 sum(ln n / gap) + (1 + pi^2 / 3) sum(gap), over the arms with a gap to the best: Auer,
    Cesa-Bianchi and Fischer 2002, theorem 1, for results from 0 to 1.

    >>> from sylve.search.regret import ucb1_bound
    >>> round(ucb1_bound((0.4, 0.6), 1000))
    277
    """
    checked(means)
    if not isinstance(pulls, int) or isinstance(pulls, bool) or pulls < 1:
        raise ValueError(f"pulls must be a whole number of at least 1, not {pulls!r}")
    best = max(means)
    gaps = [best - mean for mean in means if mean < best]
    slow = 8.0 * sum(log(pulls) / gap for gap in gaps)
    return slow + (1.0 + pi * pi / 3.0) * sum(gaps)


def checked(means: Sequence[float]) -> None:
    """Refuse what are no means of arms."""
    if len(means) < 2 or not all(isfinite(mean) and 0.0 <= mean <= 1.0 for mean in means):
        raise ValueError(f"means must be two or more numbers from 0 to 1, not {tuple(means)!r}")
