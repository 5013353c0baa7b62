"""GTP's `time_settings` and `time_left` as a `Clock`."""

from __future__ import annotations

from sylve.search import Clock
from sylve.search.budget import LONGEST, SHORTEST
from sylve.search.running.clock import MOST_MOVES


def time_settings(main: float, period: float, stones: int) -> Clock | None:
    """The clock of each side; None: time does not count, as with a period without stones."""
    if period > 0 and stones > 0:
        period = min(max(period, SHORTEST), LONGEST)
        return Clock(min(main, LONGEST), moves=min(stones, MOST_MOVES), byo_yomi=period)
    return Clock(min(max(main, SHORTEST), LONGEST)) if main > 0 and period == 0 else None


def time_left(settings: Clock | None, seconds: float, stones: int) -> Clock:
    """The clock of a side as the controller sees it; 0 stones: main time."""
    seconds, stones = min(max(seconds, 0.0), LONGEST), min(max(stones, 0), MOST_MOVES)
    period = None if settings is None else settings.byo_yomi
    moves = stones if settings is None or settings.moves is None else settings.moves
    if stones:
        # Without settings nobody knows how long the next period is: as long as this one.
        period = max(seconds, SHORTEST) if period is None else period
        return Clock(0, moves=max(stones, moves), left=seconds, to_go=stones, byo_yomi=period)
    if period is not None:
        return Clock(seconds, moves=moves, byo_yomi=period)
    return Clock(max(seconds, SHORTEST), left=seconds)


def after_move(clock: Clock, seconds: float) -> Clock:
    """The clock after a move, until the controller says better. Only the controller flags."""
    clock = clock.after(seconds)
    if clock.flagged and clock.byo_yomi is not None:
        return Clock(0, moves=clock.moves, byo_yomi=clock.byo_yomi)
    return clock
