"""Verdicts of the experiments beyond the first ten, from rows made by hand."""

from typing import Any

import pytest

from sylve.lab.experiments import (
    bandit,
    exploration,
    flat,
    kuhn,
    learning,
    multi_scale,
    noise,
    promise,
    stability,
    tsp,
)
from verdict_rows import SMALL, answers, won


def test_bandit_verdicts() -> None:
    def rows(
        lost: float, spread: float, wrong: int, drift: float, last: float
    ) -> list[dict[str, Any]]:
        def row(scenario: str, method: str, run: int, regret: float) -> dict[str, Any]:
            return {"scenario": scenario, "method": method, "run": run, "visitors": 1000,
                    "regret": regret + spread * (run % 3 - 1), "decided": 500,
                    "wrong": run < wrong}  # fmt: skip

        plain = [row(scenario, method, run, 100 if method == bandit.FIXED else lost)
                 for scenario in bandit.SCENARIOS
                 for method in (bandit.FIXED, bandit.PEEKING, *bandit.RULES)
                 for run in range(90)]  # fmt: skip
        after = {bandit.FORGETTING[2]: drift, bandit.FORGETTING[3]: last}
        return plain + [row(bandit.DRIFT, method, run, after.get(method, 100))
                        for method in bandit.FORGETTING for run in range(90)]  # fmt: skip

    assert answers(bandit.verdicts(rows(50, 1, 0, 50, 50))) == ["holds"] * 3
    assert answers(bandit.verdicts(rows(150, 1, 40, 150, 150))) == ["does not hold"] * 3
    assert answers(bandit.verdicts(rows(100, 1, 4, 100, 100))) == ["undecided"] * 3
    assert answers(bandit.verdicts(rows(50, 1, 0, 50, 150)))[2] == "holds in part"


def test_tsp_verdicts() -> None:
    def rows(small: float, large: float, spread: float) -> list[dict[str, Any]]:
        return [{"cities": cities, "instance": i, "method": method, "playouts": 100,
                 "over_best": 1.5 if method == "uct" else gained * (1 + spread * (i - 2))}
                for cities, gained in ((10, small), (50, large)) for i in range(5)
                for method in tsp.METHODS]  # fmt: skip

    assert answers(tsp.verdicts(rows(1.1, 1.2, 0.01))) == ["holds", "holds"]
    assert answers(tsp.verdicts(rows(1.7, 1.8, 0.01))) == ["does not hold", "does not hold"]
    assert answers(tsp.verdicts(rows(1.5, 1.5, 0.1))) == ["undecided", "undecided"]
    part = tsp.verdicts(rows(1.7, 1.2, 0.01))[0]
    assert (part.answer, part.reason[:22]) == ("holds in part", "Surely with 50 cities.")


def test_flat_verdicts() -> None:
    def rows(pairs: int, deep: int, ucb: float, even: float, late: int) -> list[dict[str, Any]]:
        looks = (2, 8, 32, 128)
        moves = [{"kind": "moves", "game": SMALL, "position": p, "search": search, "per_move": n,
                  "concentration": 1.0 if search == "flat" else ucb + even * (p - 2),
                  "lost": 1.0, "right": 0.95 if n >= (32 if search == "flat" else late)
                  else 0.1 + 0.001 * p} for p in range(5) for search in ("flat", "ucb")
                 for n in looks]  # fmt: skip
        games = [{"kind": "match", "match": match, "game": SMALL, "playouts": n, "block": 0,
                  **won(pairs if n == 100 else deep)} for match in flat.MATCHES
                 for n in flat.PLAYOUTS]  # fmt: skip
        return [*moves, *games]

    assert answers(flat.verdicts(rows(20, 20, 3.0, 0.01, 8))) == ["holds"] * 4
    assert answers(flat.verdicts(rows(0, 0, 0.5, 0.01, 128))) == ["does not hold"] * 4
    assert answers(flat.verdicts(rows(10, 10, 1.0, 0.3, 32))) == ["undecided"] * 4
    part = answers(flat.verdicts(rows(20, 0, 3.0, 0.01, 8)))
    assert part == ["holds in part", "holds", "holds in part", "holds"]


def test_exploration_verdicts() -> None:
    def rows(more: int, spread: int, once: int, lost: float, noise: float) -> list[dict[str, Any]]:
        long = [{"kind": "least", "game": SMALL, "position": p, "rule": rule, "simulations": n,
                 "least": 100 + (more + spread * (p - 2) if n == 10_000 else 0)}
                for p in range(5) for rule in exploration.RULES
                for n in (1000, 10_000)]  # fmt: skip
        short = [{"kind": "short", "game": SMALL, "position": p, "search": search, "per_move": n,
                  "runs": 1000, "once": once,
                  "lost": 5.0 + (lost + noise * (p - 2) if search == exploration.UCB else 0.0)}
                 for p in range(5) for n in (1, 2, 16)
                 for search in (exploration.UCB, exploration.HALVING,
                                exploration.FLAT)]  # fmt: skip
        return [*long, *short]

    assert answers(exploration.verdicts(rows(50, 1, 1000, 2.0, 0.1))) == ["holds"] * 3
    assert answers(exploration.verdicts(rows(-50, 1, 500, -2.0, 0.1))) == ["does not hold"] * 3
    unsure = answers(exploration.verdicts(rows(0, 20, 990, 0.0, 1.0)))
    assert unsure == ["undecided"] * 3


def test_noise_verdicts() -> None:
    def rows(plain: float, amaf: float, spread: float) -> list[dict[str, Any]]:
        left = {name: (plain, amaf)[at] for pair in noise.PAIRS for at, name in enumerate(pair)}
        return [{"search": search, "rate": rate, "block": block, "simulations": 30, "chance": 0.2,
                 "right": 0.2 + 0.5 * (left[search] + spread * (block % 3 - 1) if rate else 1.0)}
                for search in noise.SEARCHES for rate in (0.0, 0.2)
                for block in range(12)]  # fmt: skip

    assert noise.verdicts(rows(0.5, 0.9, 0.02))[0].answer == "holds"
    assert noise.verdicts(rows(0.9, 0.5, 0.02))[0].answer == "does not hold"
    same = rows(0.7, 0.7, 0.1)
    for row in same[::5]:
        row["right"] += 0.01
    assert noise.verdicts(same)[0].answer == "undecided"
    # Kept is beyond a random move: 0.45 of 0.7 is half of what was known, not two thirds.
    assert noise.keeps(rows(0.5, 0.9, 0.0), "flat", 0.2, 30).value == pytest.approx(0.5)


def test_multi_scale_verdicts() -> None:
    def rows(pairs: int, few: int) -> list[dict[str, Any]]:
        return [{"scales": scales, "rival": rival, "game": SMALL, "playouts": n, "block": 0,
                 **won(few if n == 100 else pairs)} for scales in multi_scale.SCALES
                for rival in multi_scale.PLAIN for n in multi_scale.PLAYOUTS]  # fmt: skip

    assert answers(multi_scale.verdicts(rows(20, 20))) == ["holds"] * 2
    assert answers(multi_scale.verdicts(rows(0, 0))) == ["does not hold"] * 2
    assert answers(multi_scale.verdicts(rows(10, 10))) == ["undecided"] * 2
    assert answers(multi_scale.verdicts(rows(20, 0))) == ["holds in part"] * 2


def test_stability_verdicts() -> None:
    def rows(ratio: float, spread: float, pairs: int, deep: int) -> list[dict[str, Any]]:
        times = [{"kind": "time", "by": by, "round": n, stability.TABLE: 10.0,
                  stability.THREE: 10.0 * ratio * (1 + spread * (n - 2)), stability.FOUR: 20.0}
                 for by in stability.MAKERS for n in range(5)]  # fmt: skip
        return times + [{"kind": "match", "depth": depth, "block": 0,
                         **won(pairs if depth == 1 else deep)} for depth in (1, 2)]  # fmt: skip

    assert answers(stability.verdicts(rows(0.5, 0.01, 20, 20))) == ["holds"] * 2
    assert answers(stability.verdicts(rows(2.0, 0.01, 0, 0))) == ["does not hold"] * 2
    assert answers(stability.verdicts(rows(1.0, 0.1, 10, 10))) == ["undecided"] * 2
    assert answers(stability.verdicts(rows(1.0, 0.1, 20, 10)))[1] == "holds in part"


def test_kuhn_verdicts() -> None:
    def rows(bandits: float, regrets: float, falls: float, spread: float) -> list[dict[str, Any]]:
        found = []
        for learner in (*kuhn.RULES, *kuhn.LEARNING):
            last = bandits if learner in kuhn.RULES else regrets
            found += [{"learner": learner, "run": run, "hands": n, "value": -1 / 18,
                       "exploitability": last * (falls if n == 1000 else 1.0)
                       * (1 + spread * (run - 2))}
                      for run in range(5) for n in (1000, 10_000)]  # fmt: skip
        return found

    assert answers(kuhn.verdicts(rows(0.001, 0.001, 5.0, 0.01))) == ["holds"] * 2
    assert answers(kuhn.verdicts(rows(0.05, 0.05, 5.0, 0.01))) == ["does not hold"] * 2
    assert answers(kuhn.verdicts(rows(0.01, 0.01, 5.0, 0.2))) == ["undecided"] * 2
    # Near, but not falling: no convergence was seen.
    assert answers(kuhn.verdicts(rows(0.001, 0.001, 0.5, 0.01)))[1] == "does not hold"


def test_learning_verdicts() -> None:
    def rows(shift: float, fresh: float, spread: float) -> list[dict[str, Any]]:
        curve = (0.2, 0.5, 0.85, 0.9)
        return [{"learner": learner, "block": block, "games": games, "chance": 0.2,
                 "fresh_chance": 0.2, "values": 9, "fresh": 0.2 + fresh + spread * (block % 3 - 1),
                 "right": min(0.95, max(0.0, curve[number] + spread * (block % 5 - 2)
                                        + (shift if learner != learning.TABULAR else 0.0)))}
                for learner in learning.LEARNERS for block in range(15)
                for number, games in enumerate((10, 100, 1000, 3000))]  # fmt: skip

    assert answers(learning.verdicts(rows(0.15, 0.3, 0.01))) == ["holds"] * 2
    assert answers(learning.verdicts(rows(-0.15, -0.1, 0.01))) == ["does not hold"] * 2
    assert answers(learning.verdicts(rows(0.0, 0.0, 0.05))) == ["undecided"] * 2
    mixed = rows(0.15, 0.3, 0.01)
    for row in mixed:
        if row["learner"] == learning.AMAF:
            row["right"] = max(0.0, row["right"] - 0.3)
            row["fresh"] = 0.2 + 0.01 * (row["block"] % 3 - 1)
    assert answers(learning.verdicts(mixed)) == ["holds in part"] * 2
    # What a random move gets is taken off.
    assert learning.beyond(rows(0.0, 0.3, 0.0), learning.ALL).value == pytest.approx(0.3)


def test_promise_verdicts() -> None:
    def rows(pairs: int, here: int) -> list[dict[str, Any]]:
        return [{"schedule": schedule, "rival": rival, "game": game, "playouts": n, "block": 0,
                 **won(here if (game, n, rival) == (SMALL, 200, "slides") else pairs)}
                for schedule in promise.MEASURED for rival in promise.RIVALS
                for game in (SMALL, "othello") for n in promise.PLAYOUTS]  # fmt: skip

    assert answers(promise.verdicts(rows(20, 20))) == ["holds"] * 2
    assert answers(promise.verdicts(rows(20, 10))) == ["holds"] * 2  # not below is enough
    assert answers(promise.verdicts(rows(20, 0))) == ["holds in part"] * 2  # below in one match
    assert answers(promise.verdicts(rows(10, 10))) == ["holds in part"] * 2  # nowhere above
    assert answers(promise.verdicts(rows(10, 0))) == ["does not hold"] * 2
    assert answers(promise.verdicts(rows(0, 20))) == ["does not hold"] * 2
    told = promise.verdicts(rows(20, 0))[0].reason
    assert f"(surely below: {SMALL} after 200" in told
