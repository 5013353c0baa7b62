"""The experiment `budget`: one run goes on through the looks; what its verdicts say."""

from dataclasses import replace
from typing import Any

import pytest

from lab_rows import SMALL, everything
from sylve import Position, search, solve
from sylve.lab.data import seeded
from sylve.lab.experiments import budget
from sylve.lab.ground_truth import puzzle
from verdict_rows import answers

FOUR = budget.CONNECT_FOUR


def cell(game: str, text: str, kind: str, **changes: Any) -> dict[str, Any]:
    positions = 2 if kind == "positions" else 1
    return {"kind": kind, "game": game, "search": text, "block": 1, "positions": positions,
            "largest": 1000, **changes}  # fmt: skip


def test_each_look_is_that_of_a_search_of_its_own(tmp_path: Any) -> None:
    cells = [cell(game, text, kind) for game in (SMALL, FOUR) for text in ("flat", "uct")
             for kind in budget.KINDS]  # fmt: skip
    rows = everything("budget", cells, tmp_path)
    assert {row["simulations"] for row in rows} == {100, 316, 1000}
    for row in rows:
        right, mean = 0, 0.0
        where = range(2, 4) if row["kind"] == "positions" else (1,)
        for index in where:
            if row["kind"] == "positions":
                position, winning = puzzle(row["game"], budget.PLIES[row["game"]], 1, index)
            else:
                position, winning = budget.start(row, index)
            how = replace(seeded(row["search"], 1, index), playouts=row["simulations"])
            report = search(position, how)
            right += report.best in winning
            mean += budget.value_of(report) / len(where)
        assert (row["right"], row["mean"]) == (right, float(f"{mean:.8g}"))


def test_starts_and_their_winning_moves() -> None:
    four = budget.start({"game": FOUR}, 3)
    assert four.position == Position.start(FOUR)
    assert [four.position.name(move) for move in four.winning] == ["4"]
    names = set()
    for number in range(budget.START_RUNS[SMALL]):
        reply = budget.start({"game": SMALL}, number)
        values = solve(reply.position).per_move
        assert reply.winning == {move for move, value in values.items() if value == 1} != set()
        names.add(reply.position.text)
    assert len(names) == len(Position.start(SMALL).moves)


def test_a_proof_ends_a_run_and_its_move_stays(tmp_path: Any) -> None:
    rows = everything("budget", [cell(SMALL, "uct(solver_nodes=10000)", "positions")], tmp_path)
    assert [row["proven"] for row in rows] == [2, 2, 2]
    assert {row["mean"] for row in rows} == {1.0}
    assert {row["right"] for row in rows} == {2}


def rows_of(shares: dict[int, float], starts: dict[int, int]) -> list[dict[str, Any]]:
    """The same shares of every search, with a little spread between blocks; starts of 10 seeds."""
    found = []
    for contender in budget.CONTENDERS:
        for game in budget.PLIES:
            named = {"game": game, "search": contender.text, "mean": 0.5, "proven": 0}
            for look, share in shares.items():
                found += [{**named, "kind": "positions", "block": block, "simulations": look,
                           "positions": 1000, "right": round(1000 * share) + block % 3 - 1}
                          for block in range(60)]  # fmt: skip
            for look, right in starts.items():
                found += [{**named, "kind": "start", "block": seed, "simulations": look,
                           "positions": 1, "right": int(seed < right)}
                          for seed in range(10)]  # fmt: skip
    return found


def test_verdicts() -> None:
    up = {100: 0.5, 10_000: 0.9, 1_000_000: 0.98}
    down = {100: 0.9, 10_000: 0.8, 1_000_000: 0.6}
    rising = {100: 0, 10_000: 10, 1_000_000: 10}
    falling = {100: 10, 10_000: 10, 1_000_000: 0}
    assert answers(budget.verdicts(rows_of(up, rising))) == ["holds"] * 3
    assert answers(budget.verdicts(rows_of(down, falling))) == [
        "does not hold", "does not hold", "holds in part"]  # fmt: skip
    # Better at positions, worse at the start: neither wholly true nor wholly false.
    assert answers(budget.verdicts(rows_of(up, falling))) == ["holds in part"] * 3
    level = {100: 0.95, 10_000: 0.95, 1_000_000: 0.95}
    some = {100: 9, 10_000: 9, 1_000_000: 9}  # of ten, that may be 95 %
    assert answers(budget.verdicts(rows_of(level, some)))[:2] == ["undecided"] * 2


def test_a_fall_between_any_two_powers_of_ten_counts() -> None:
    peak = {100: 0.5, 1000: 0.7, 3162: 0.2, 10_000: 0.9, 100_000: 0.85, 1_000_000: 0.8}
    rows = [row for row in rows_of(peak, {}) if row["search"] == "uct" and row["game"] == FOUR]
    told = budget.falls(rows)
    assert told == [
        "-5 points from 10,000 to 100,000", "-10 points from 10,000 to 1,000,000",
        "-5 points from 100,000 to 1,000,000",
    ]  # fmt: skip
    assert budget.direction(rows) == "below"
    rising = [row for row in rows if row["simulations"] <= 10_000]
    assert (budget.falls(rising), budget.direction(rising)) == ([], "above")


def test_a_fall_within_the_noise_is_none() -> None:
    rows = [{"kind": "positions", "block": block, "simulations": look, "positions": 5,
             "right": 4 - (block % 4 == 0 and look == 1000) + (block % 5 == 0 and look == 1000)}
            for block in range(60) for look in (100, 1000)]  # fmt: skip
    assert budget.step(rows, 100, 1000).value < 0
    assert (budget.falls(rows), budget.direction(rows)) == ([], "straddles")


def test_only_runs_that_reached_both_are_compared() -> None:
    # The blocks from 6 on are easier, and nothing is known of them later.
    rows = [{"block": block, "simulations": look, "positions": 5,
             "right": right if block < 6 else 5}
            for look, blocks, right in ((1000, 60, 3), (10_000, 6, 4))
            for block in range(blocks)]  # fmt: skip
    assert budget.step(rows, 1000, 10_000).value == pytest.approx(0.2)
