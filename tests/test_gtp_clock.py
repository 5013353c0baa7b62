"""How long a session may think: `time_settings` and `time_left`."""

import pytest

from sylve import Clock
from sylve.gtp.time_control import after_move, time_left, time_settings

SHARE = 1 / 30  # of main time, for one move


@pytest.mark.parametrize(
    ("settings_", "left", "seconds"),
    [
        (None, None, None),
        ((0, 0, 0), None, None),
        ((300, 10, 0), None, None),  # no time limit, as the specification says
        ((100, 0, 0), None, 99.95 * SHARE),
        ((100, 0, 7), None, 99.95 * SHARE),
        ((0, 30, 5), None, 0.9 * 6),
        ((100, 30, 5), None, 0.9 * 6),  # a share of the period is always there
        ((1000, 30, 5), None, 999.95 * SHARE),
        ((100, 0, 0), (50, 0), 49.95 * SHARE),
        ((100, 30, 5), (50, 0), 0.9 * 6),
        ((100, 30, 5), (4, 0), 0.9 * 4),
        ((100, 30, 5), (10, 2), 0.9 * 5),
        ((100, 30, 5), (0, 0), 0.9 * 6),  # main time is over
        ((0, 30, 5), (20, 0), 0.9 * 6),
        (None, (10, 2), 0.9 * 5),
        ((100, 30, 5), (10, 20), 0.9 / 2),  # more stones than were agreed
        ((100, 0, 0), (0, 0), 0.001),
        ((100, 30, 5), (0, 2), 0.001),
        ((10**18, 10**17, 10**17), (10**18, 10**18), 0.9 * 1000),  # nonsense, within limits
    ],
)
def test_clock(
    settings_: tuple[float, float, int] | None,
    left: tuple[float, int] | None,
    seconds: float | None,
) -> None:
    clock = time_settings(*settings_) if settings_ else None
    if left:
        clock = time_left(clock, *left)
    found = None if clock is None else clock.allowance()
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_the_clock_runs() -> None:
    clock = time_settings(10, 6, 3)
    for spent, left, stones in ((4, 6, None), (7, 6, 3), (1, 5, 2), (1, 4, 1), (1, 6, 3)):
        assert clock is not None
        clock = after_move(clock, spent)
        assert (clock.remaining, clock.to_go) == (left, stones)


def test_only_the_controller_flags() -> None:
    """A move that took too long: whoever asks for another one gets it in a whole new period."""
    clock = after_move(time_left(None, 6, 3), 7)
    assert (clock.remaining, clock.to_go, clock.flagged) == (6, 3, False)
    assert after_move(Clock(5), 6).allowance() == 0.001, "without periods there is nothing to have"
