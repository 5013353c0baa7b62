"""How long a session may think: `time_settings` and `time_left`."""

import pytest

from sylve.gtp.clock import Clock


@pytest.mark.parametrize(
    ("settings_", "left", "seconds"),
    [
        (None, None, None),
        ((0, 0, 0), None, None),
        ((300, 10, 0), None, None),  # no time limit, as the specification says
        ((100, 0, 0), None, 0.9 * 4),
        ((0, 30, 5), None, 0.9 * 6),
        ((100, 30, 5), None, 0.9 * 6),  # a share of the period is always there
        ((100, 0, 0), (50, 0), 0.9 * 2),
        ((100, 30, 5), (10, 2), 0.9 * 5),
        ((100, 0, 0), (0, 0), 0.0),
    ],
)
def test_clock(
    settings_: tuple[float, float, int] | None,
    left: tuple[float, int] | None,
    seconds: float | None,
) -> None:
    clock = Clock()
    if settings_:
        clock.settings(*settings_)
    if left:
        clock.tell("B", *left)
    assert clock.seconds("B") == (None if seconds is None else pytest.approx(seconds))


def test_the_clock_runs() -> None:
    clock = Clock()
    clock.settings(10, 6, 3)
    clock.spend("B", 4)
    assert clock.left == {"B": (6, 0), "W": (10, 0)}
    clock.spend("B", 7)
    assert clock.left["B"] == (6, 3)
    clock.spend("B", 1)
    assert clock.left["B"] == (5, 2)
    clock.spend("B", 1)
    clock.spend("B", 1)
    assert clock.left["B"] == (6, 3)
