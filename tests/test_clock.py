"""The arithmetic of the clock."""

import math

import pytest

from sylve import Budget, Clock


def test_sudden_death_shares_what_is_left() -> None:
    clock = Clock(300)
    assert clock.seconds() == pytest.approx((300 - 0.05) / 30)
    assert clock.budget() == Budget(seconds=clock.seconds())
    for _ in range(200):
        clock = clock.after(clock.seconds())
        assert not clock.flagged
    assert 0 < clock.remaining < 1


def test_a_period_is_used_up_and_renewed() -> None:
    clock = Clock(60, moves=20)
    spent = []
    for _ in range(20):
        spent.append(clock.seconds())
        clock = clock.after(spent[-1])
    assert sum(spent) == pytest.approx(60, abs=0.06)
    assert spent == pytest.approx([spent[0]] * 20, rel=0.02), "the same for every move"
    assert clock.to_go == 20
    assert clock.remaining == pytest.approx(60, abs=0.06)


def test_increment() -> None:
    clock = Clock(10, 2)
    assert clock.seconds() == pytest.approx(9.95 / 30 + 2)
    assert clock.after(1.0).remaining == pytest.approx(11)
    for _ in range(500):
        clock = clock.after(clock.seconds())
        assert not clock.flagged
    poor = Clock(0.5, 30)
    assert poor.seconds() == pytest.approx(0.45), "what is not on the clock cannot be spent"


def test_byo_yomi_follows_main_time() -> None:
    clock = Clock(20, moves=3, byo_yomi=6)
    assert (clock.remaining, clock.to_go) == (20, None)
    assert clock.seconds() == pytest.approx(0.9 * 2), "the share of the period is always there"
    assert Clock(600, moves=3, byo_yomi=6).seconds() == pytest.approx((600 - 0.05) / 30)
    assert Clock(0, moves=3, byo_yomi=6) == Clock(0, moves=3, byo_yomi=6, left=6, to_go=3)
    clock = clock.after(21)
    assert (clock.remaining, clock.to_go) == (6, 3), "the first period is whole"
    assert clock.after(5).after(0.5).after(0.25) == clock, "what is left of a period is lost"
    assert clock.after(6.5).flagged
    assert Clock(20, moves=3, byo_yomi=6).after(26).flagged
    for _ in range(100):
        clock = clock.after(clock.seconds())
        assert not clock.flagged
    assert eval(repr(clock)) == clock


def test_some_move_must_be_made() -> None:
    assert Clock(5).allowance() == Clock(5).seconds()
    assert Clock(5).after(6).allowance() == 0.001


def test_the_last_drop() -> None:
    assert Clock(0.02, moves=1).seconds() == pytest.approx(0.01), "half, where the reserve is more"
    assert Clock(0.001, moves=1).seconds() == 0.001
    over = Clock(5).after(6)
    assert over.flagged
    assert over.remaining == pytest.approx(-1)
    with pytest.raises(ValueError, match="run out"):
        over.seconds()


@pytest.mark.parametrize(
    "bad",
    [
        {"main": 0}, {"main": -1}, {"main": math.nan}, {"main": 1e30}, {"main": 5, "increment": -1},
        {"main": 5, "moves": 0}, {"main": 5, "moves": 1.5}, {"main": 5, "to_go": 3},
        {"main": 5, "moves": 3, "to_go": 4}, {"main": 5, "byo_yomi": 30},
        {"main": 5, "moves": 3, "byo_yomi": 0}, {"main": 0, "moves": 3},
    ],
)  # fmt: skip
def test_bad_clocks(bad: dict) -> None:
    with pytest.raises(ValueError, match="clock: "):
        Clock(**bad)


def test_bad_moves() -> None:
    for seconds in (-1, math.nan, "1", 1e30):
        with pytest.raises(ValueError, match="a move takes from 0 to"):
            Clock(5).after(seconds)
