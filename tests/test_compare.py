"""`compare_estimates`: intervals, bias and its error, on both engines."""

import json
from collections.abc import Hashable, Sequence
from math import sqrt

import pytest
from rich.console import Console
from scipy.stats import binomtest

from sylve import Flat, FlatAmaf, Outcome, Player, Position, compare_estimates, search
from sylve.search.compare import OTHER_SEEDS, compare_move, estimate
from sylve.search.confidence import careful_error, largest_error, verdict, wilson

START = Position.start("tic_tac_toe")
FORK = Position.parse("tic_tac_toe", "x../.o./..x o")
FORCED = Position.parse("tic_tac_toe", "xox/.xo/oxo x")
BREAKTHROUGH = Position.start("breakthrough(columns=5, rows=5)")


@pytest.mark.parametrize(("wins", "samples"), [(0, 1), (1, 1), (0, 10), (3, 10), (500, 1000)])
def test_wilson(wins: int, samples: int) -> None:
    exact = binomtest(wins, samples).proportion_ci(method="wilson")
    assert wilson(wins / samples, samples) == pytest.approx((exact.low, exact.high))
    low, high = wilson(wins / samples, samples)
    assert 0 <= low <= wins / samples <= high <= 1


def test_errors_are_careful() -> None:
    assert careful_error(0.0, 10) == 1 / 12
    assert careful_error(0.1, 100) == 0.1
    assert largest_error(0.5, 101) == pytest.approx(0.05)
    assert largest_error(1.0, 98) == 0.01
    assert [verdict(z) for z in (1.99, 2, 2.99, 3)] == ["not settled", "likely", "likely", "clear"]


@pytest.mark.parametrize("position", [START, FORK, FORCED, BREAKTHROUGH], ids=str)
def test_engines_agree(position: Position) -> None:
    assert compare_estimates(position, 50, seed=3) == compare_estimates(
        position, 50, seed=3, engine="python"
    )


@pytest.mark.parametrize("position", [FORK, BREAKTHROUGH], ids=str)
def test_the_numbers_are_those_of_the_searches(position: Position) -> None:
    estimates = compare_estimates(position, 100, seed=2)
    total = 100 * len(position.moves)
    assert estimates.total == total
    direct = search(position, Flat(total, seed=2))
    amaf = search(position, FlatAmaf(total, seed=2 + OTHER_SEEDS))
    for entry in estimates.moves:
        own, other = direct[entry.move], amaf[entry.move]
        assert entry.name == own.name
        assert entry.direct.samples == own.visits == 100
        assert (entry.direct.mean, entry.direct.stderr) == (own.mean, own.stderr)
        assert (entry.amaf.samples, entry.amaf.mean) == (other.amaf_visits, other.amaf_mean)
        assert entry.amaf.mean is not None
        assert entry.direct.mean is not None
        assert entry.bias == entry.amaf.mean - entry.direct.mean
        assert entry.direct.low < entry.direct.mean < entry.direct.high
        assert entry.amaf.stderr is not None
        assert entry.bias_stderr == pytest.approx(
            sqrt((entry.direct.stderr or 0) ** 2 + entry.amaf.stderr**2)
        )


def test_draws_make_the_error_smaller_and_the_interval_no_narrower() -> None:
    drawn, decided = estimate((100, 0, 100)), estimate((100, 50, 0))
    assert drawn.mean == decided.mean == 0.5
    assert drawn.stderr == 0.0 < (decided.stderr or 0)
    assert (drawn.low, drawn.high) == (decided.low, decided.high)


def test_too_few_samples() -> None:
    nothing = compare_move(START, 0, (10, 5, 0), (0, 0, 0))
    assert (nothing.amaf.mean, nothing.bias, nothing.significant) == (None, None, None)
    assert (nothing.amaf.low, nothing.amaf.high) == (0.0, 1.0)
    one = compare_move(START, 0, (10, 5, 0), (1, 1, 0))
    assert (one.bias, one.bias_stderr, one.significant) == (0.5, None, None)
    nine = compare_move(START, 0, (10, 0, 0), (9, 9, 0))
    assert nine.bias_stderr is not None
    assert nine.significant is None
    ten = compare_move(START, 0, (10, 0, 0), (10, 10, 0))
    assert ten.significant is True
    alike = compare_move(START, 0, (50, 50, 0), (50, 50, 0))
    assert (alike.bias, alike.significant) == (0.0, False)


def test_a_bias_is_found() -> None:
    """A corner is the better for random play, and AMAF overrates it more than an edge."""
    estimates = compare_estimates(FORK, 20_000)
    assert estimates["c1"].significant
    assert estimates["c1"].bias is not None
    assert 0.01 < estimates["c1"].bias < 0.04


class Coins:
    """The first player makes a move that decides nothing, the second flips a coin.

    No code of the first player comes again later: AMAF has no bias, and every mean is 1/2.
    """

    def start(self) -> Hashable:
        return ()

    def turn(self, state: tuple[int, ...]) -> Player:
        return Player(len(state) % 2)

    def outcome(self, state: tuple[int, ...]) -> Outcome | None:
        return Outcome(Player(state[1] % 2)) if len(state) == 2 else None

    def moves(self, state: tuple[int, ...]) -> Sequence[int]:
        return (0, 1, 2) if not state else (0, 1) if len(state) == 1 else ()

    def play(self, state: tuple[int, ...], move: int) -> Hashable:
        return (*state, move)


def test_intervals_and_significance_hold_what_they_promise() -> None:
    """100 seeds, 3 moves: 5 % of 300 is 15, give or take 4; the bounds are four of these."""
    false_alarms = misses = 0
    for seed in range(100):
        for entry in compare_estimates(Position.start(Coins()), 60, seed=seed).moves:
            false_alarms += entry.significant is True
            misses += not entry.direct.low <= 0.5 <= entry.direct.high
            misses += not entry.amaf.low <= 0.5 <= entry.amaf.high
    assert 2 <= false_alarms <= 30
    assert 8 <= misses <= 52


def test_one_move_is_estimated_too() -> None:
    position = START.play_line("a1 b1 c1 a2 c2 b2 a3 c3")
    (entry,) = compare_estimates(position, 20).moves
    assert entry.direct.samples == entry.amaf.samples == 20
    assert entry.bias == 0.0


@pytest.mark.parametrize("playouts", [0, -1, 1.5, True, "9"])
def test_bad_playouts(playouts: object) -> None:
    with pytest.raises(ValueError, match="playouts must be a whole number of at least 1, not"):
        compare_estimates(START, playouts)  # type: ignore[arg-type]


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        compare_estimates(START.play_line("a1b1a2b2a3"), 10)
    with pytest.raises(ValueError, match="seed must be a whole number"):
        compare_estimates(START, 10, seed=-1)
    with pytest.raises(ValueError, match="unknown engine 'c'"):
        compare_estimates(START, 10, engine="c")  # type: ignore[arg-type]


def test_progress_counts_both_halves() -> None:
    told: list[int] = []
    compare_estimates(START, 100, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 2 * 9 * 100


def test_json_and_table() -> None:
    estimates = compare_estimates(BREAKTHROUGH, 20, seed=7)
    content = json.loads(json.dumps(estimates.to_dict(), allow_nan=False))
    assert (content["schema"], content["seed"], content["playouts"]) == (1, 7, 20)
    assert set(content["moves"][0]) == {
        "move", "name", "direct", "amaf", "bias", "bias_stderr", "significant",
    }  # fmt: skip
    console = Console(width=150)
    with console.capture() as capture:
        console.print(estimates)
    text = capture.get()
    assert all(entry.name in text for entry in estimates.moves)
    assert "Wilson" in text
    assert "seed 7" in text
