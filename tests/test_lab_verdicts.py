"""The verdicts of each experiment, on data made up: on both sides of every boundary, and on it."""

from math import log, pi
from typing import Any

import pytest

from sylve.lab.experiments import (
    beta,
    bias,
    information,
    othello,
    papers,
    parallel,
    rave_error,
    regret,
    speed,
    truth,
)
from verdict_rows import SMALL, answers, won


def truth_rows(plain: list[float], amaf: list[float], blocks: int = 20) -> list[dict[str, Any]]:
    """Shares right by budget, the same in every block but for a little spread."""
    rows = []
    for search_name, shares in (
        ("flat", plain), ("flat_amaf", amaf), ("uct(solver=false)", plain),
        ("rave(solver=false)", amaf), ("ucb", plain), *((name, amaf) for name in truth.POLICIES),
    ):  # fmt: skip
        for block in range(blocks):
            for budget, share in zip((10, 100, 1000, 10_000), shares, strict=True):
                right = round(1000 * share) + (block % 3 - 1) * 10
                rows.append({"game": SMALL, "search": search_name, "block": block,
                             "simulations": budget, "positions": 1000, "trials": 1000,
                             "right": min(1000, right), "chance": 0.2})  # fmt: skip
    return rows


def test_truth_verdicts() -> None:
    # Ten times fewer simulations at every level that is told.
    fewer = truth.verdicts(truth_rows([0.2, 0.39, 0.6, 0.8], [0.39, 0.6, 0.8, 0.81]))
    assert fewer[0].answer == "holds"
    same = truth.verdicts(truth_rows([0.2, 0.39, 0.6, 0.8], [0.2, 0.39, 0.6, 0.8]))
    assert answers(same) == ["does not hold", "undecided", "does not hold", "does not hold"]
    good = truth.verdicts(truth_rows([0.2, 0.5, 0.9, 0.97], [0.2, 0.5, 0.9, 0.99]))
    assert good[2].answer == "holds"
    level = truth.saved(truth_rows([0.2, 0.4, 0.6, 0.8], [0.4, 0.6, 0.8, 0.8]), SMALL, "flat",
                         "flat_amaf", 0.5)  # fmt: skip
    assert level is not None
    assert level.value == pytest.approx(10, rel=0.05)


def test_initial_precision_needs_the_whole_order() -> None:
    def rows(uct: float, rave: float) -> list[dict[str, Any]]:
        made = []
        for name, share in zip(truth.INITIAL, (0.3, uct, rave), strict=True):
            for row in truth_rows([share, share, 0.9, 0.9], [0.1] * 4):
                if row["search"] == "flat":  # any one of them
                    row["right"] += row["block"] % 5  # so that differences have a spread
                    made.append({**row, "search": name})
        return made

    assert truth.verdict_initial(rows(0.5, 0.7)).answer == "holds"
    assert truth.verdict_initial(rows(0.5, 0.4)).answer == "holds in part"
    assert truth.verdict_initial(rows(0.2, 0.1)).answer == "does not hold"
    # Beyond the first hundred simulations nothing counts: there they are all alike.
    assert "1000" not in truth.verdict_initial(rows(0.5, 0.7)).reason


def test_s95_needs_the_lower_end() -> None:
    rows = truth_rows([0.2, 0.96, 0.99, 0.99], [0.2, 0.5, 0.5, 0.5])
    assert truth.s95(truth.curve(rows, SMALL, "flat")) == "100"
    assert truth.s95(truth.curve(rows, SMALL, "flat_amaf")) == "never up to 10,000"
    few = [row for row in rows if row["block"] < 1]
    for row in few:
        row["right"], row["trials"], row["positions"] = row["right"] // 50, 20, 20
    assert truth.s95(truth.curve(few, SMALL, "flat")) == "undecided"


def test_regret_verdict_on_the_bound() -> None:
    def rows(value: float, error: float) -> list[dict[str, Any]]:
        return [{"problem": "2 arms, gap 0.3", "position": 0, "search": regret.SQRT2, "pulls": n,
                 "runs": 9, "regret": value, "stderr": error} for n in (100, 1000)]  # fmt: skip

    bound = 8 * log(100) / 0.3 + (1 + pi**2 / 3) * 0.3
    assert regret.verdict_bound(rows(bound - 5, 1)).answer == "holds"
    assert regret.verdict_bound(rows(bound - 1, 1)).answer == "undecided"
    assert regret.verdict_bound(rows(bound * 9, 1)).answer == "does not hold"


def test_information_verdicts() -> None:
    def rows(factor: float, slope: float) -> list[dict[str, Any]]:
        return [{"game": "hex(size=11)", "position": p, "simulations": n, "runs": 9, "moves": 10,
                 "plies": 20, "direct_samples": n / 10, "amaf_samples": factor * n / 10,
                 "direct_variance": (2.5 / n) * (1 + p / 100),
                 "amaf_variance": 0.25 * (factor * n / 10) ** slope}
                for p in range(5) for n in (100, 1000, 10_000)]  # fmt: skip

    answers = [verdict.answer for verdict in information.verdicts(rows(30.0, -1.0))]
    assert answers == ["holds", "holds", "holds"]
    answers = [verdict.answer for verdict in information.verdicts(rows(1.5, -0.5))]
    assert answers == ["does not hold", "does not hold", "does not hold"]


def test_beta_verdicts() -> None:
    def rows(
        first: float, last: float, spread: float, schedule: str = "mse"
    ) -> list[dict[str, Any]]:
        return [{"game": SMALL, "position": p, "schedule": schedule, "simulations": n, "visits": n,
                 "amaf_visits": n, "beta": (first if n == 10 else last) + (p - 2) * spread}
                for p in range(5) for n in (10, 10_000)]  # fmt: skip

    assert [v.answer for v in beta.verdicts(rows(0.95, 0.02, 0.001))] == ["holds", "holds"]
    assert beta.verdicts(rows(0.95, 0.5, 0.001))[1].answer == "does not hold"
    assert [v.answer for v in beta.verdicts(rows(0.9, 0.1, 0.05))] == ["undecided", "undecided"]
    # By mse alone, as the method says, whatever the other schedules do.
    good, bad = rows(0.95, 0.02, 0.001, "hand"), rows(0.5, 0.5, 0.001, "hand")
    for (first, last, spread), answer in (
        ((0.95, 0.02, 0.001), "holds"),
        ((0.7, 0.35, 0.001), "does not hold"),
        ((0.95, 0.35, 0.001), "does not hold"),
        ((0.7, 0.02, 0.001), "does not hold"),
        ((0.9, 0.02, 0.02), "undecided"),
    ):
        for others in (good, bad):
            assert beta.verdicts(rows(first, last, spread) + others)[0].answer == answer
    assert beta.verdicts(good)[0].answer == "undecided"  # nothing to judge by


def test_speed_verdicts() -> None:
    def rows(course: float, amaf: float, spread: float = 0.01) -> list[dict[str, Any]]:
        return [{"by": by, "search": name, "round": number, "seconds": 1.0,
                 "per_second": (amaf if name == "UCT + AMAF" else 1.0) * (1 + spread * (number - 2))
                 * (course if by == speed.COURSE else 100) * speed.CLAIMED["UCT"]}
                for by in (speed.COURSE, "reference") for name in speed.SEARCHES
                for number in range(5)]  # fmt: skip

    assert answers(speed.verdicts(rows(1.0, 0.9))) == ["holds", "holds"]
    assert answers(speed.verdicts(rows(9.0, 0.5))) == ["does not hold", "does not hold"]
    assert answers(speed.verdicts(rows(1.0, 0.8, 0.3)))[1] == "undecided"
    assert answers(speed.verdicts(rows(0.7, 0.9)))[0] == "holds in part"  # 2,100 of 5,000


def test_parallel_verdicts() -> None:
    def rows(gain: float, pairs: int, tree: int) -> list[dict[str, Any]]:
        speeds = [{"kind": "speed", "way": way, "threads": threads, "round": number,
                   "per_second": (gain if threads == 2 else 1.0) * (1e6 + 1e3 * number)}
                  for way in parallel.WAYS for threads in (1, 2)
                  for number in range(5)]  # fmt: skip
        games = [{"kind": "match", "way": way, "block": 0, "seconds": 0.1,
                  **won(tree if way == "tree" else pairs)} for way in parallel.WAYS]  # fmt: skip
        return [*speeds, *games]

    assert answers(parallel.verdicts(rows(1.9, 20, 20))) == ["holds", "holds"]
    assert answers(parallel.verdicts(rows(1.2, 0, 0))) == ["does not hold", "does not hold"]
    assert answers(parallel.verdicts(rows(1.6, 10, 10))) == ["undecided", "undecided"]
    assert answers(parallel.verdicts(rows(1.9, 20, 0)))[1] == "holds in part"
    assert answers(parallel.verdicts(rows(0.9, 20, 20)))[1] == "undecided"  # no more simulations


def test_othello_verdicts() -> None:
    def rows(nodes: float, spread: int, pairs: int, deep: int, wide: int) -> list[dict[str, Any]]:
        counts = [{"kind": "nodes", "position": number, "depth": 4, "minimax": 10_000,
                   **dict.fromkeys((othello.MINIMAX, othello.ORDERED, othello.TABLED),
                                   nodes + spread * (number - 2))}
                  for number in range(5)]  # fmt: skip
        evaluations = [{"kind": "evaluations", "first": one, "second": two, "depth": depth,
                        "block": 0, **won(deep if depth == 4 else pairs)}
                       for one, two in othello.PAIRS for depth in (2, 4)]  # fmt: skip
        games = [{"kind": "branching", "game": game, "seconds": 0.1, "block": 0,
                  **won(wide if moves > othello.WIDE else 20 - wide)}
                 for game, moves in othello.GAMES.items()]  # fmt: skip
        return [*counts, *evaluations, *games]

    assert answers(othello.verdicts(rows(100, 1, 20, 20, 20))) == ["holds"] * 3
    assert answers(othello.verdicts(rows(12_000, 1, 0, 0, 0))) == ["does not hold"] * 3
    assert answers(othello.verdicts(rows(10_000, 9, 10, 10, 10))) == ["undecided"] * 3
    assert answers(othello.verdicts(rows(100, 1, 20, 0, 20)))[1] == "holds in part"


def test_papers_verdicts() -> None:
    def rows(lost: int, even: int, won: int, playouts: int = 1000) -> list[dict[str, Any]]:
        return [{"match": match, "playouts": playouts, "block": 0, "lost2": lost, "lost1": 0,
                 "even": even, "won1": 0, "won2": won} for match in papers.MATCHES]  # fmt: skip

    first = papers.verdicts(rows(20, 95, 135))[0]  # 73 %
    assert (first.answer, first.reason[:10]) == ("holds", "Reproduced")
    assert papers.verdicts(rows(0, 10, 240))[0].answer == "holds in part"
    assert papers.verdicts(rows(135, 95, 20))[0].answer == "does not hold"
    assert papers.verdicts(rows(3, 4, 3))[0].answer == "undecided"
    assert "Conditions differ" in papers.verdicts(rows(20, 95, 135, 100))[0].reason


def test_bias_verdicts() -> None:
    def rows(quiet: float, sharp: float, spread: float) -> list[dict[str, Any]]:
        return [{"game": SMALL, "ply": 0, "position": p, "move": kind, "kind": kind,
                 "bias": (quiet if kind == bias.OTHER else sharp) * (1 + spread * (p - 2)),
                 "stderr": 0.0}
                for p in range(5) for kind in (bias.OTHER, bias.TACTICAL[0])]  # fmt: skip

    small = bias.SMALL
    assert answers(bias.verdicts(rows(small / 4, small / 2, 0.01))) == ["holds", "holds"]
    assert answers(bias.verdicts(rows(small * 4, small * 2, 0.01))) == ["does not hold"] * 2
    assert answers(bias.verdicts(rows(small, small, 0.3)))[0] == "undecided"
    uneven = rows(small, small, 0.0)
    for row in (*uneven[::4], *uneven[3::4]):  # now the one kind, now the other
        row["bias"] *= 2
    assert answers(bias.verdicts(uneven))[1] == "undecided"


def test_rave_error_verdicts() -> None:
    def rows(error: float, schedule: float, rule: int, spread: float) -> list[dict[str, Any]]:
        return [{"game": SMALL, "position": p, "per_move": n, "moves": 10, "covariance": 0.01,
                 "sigma2_amaf": 0.01, "independent_error": error * (1 + spread * (p - 2)),
                 "predicted_error": 1.0, "best_error": 1.0, "course_rule_right": 5,
                 "right_rule_right": 5 + rule + (p - 2) * (spread > 0.1),
                 **{f"error {name}": schedule * (1 + spread * (p - 2))
                    for name in rave_error.HEURISTIC},
                 **{f"error {name}": 1.0 for name in rave_error.STATISTICAL}}
                for p in range(5) for n in (5, 20)]  # fmt: skip

    good = answers(rave_error.verdicts(rows(1.0, 2.0, -1, 0.001)))
    assert good == ["holds", "holds", "holds", "holds"]
    bad = answers(rave_error.verdicts(rows(1.3, 0.5, 1, 0.001)))
    assert bad == ["does not hold"] * 4
    unsure = answers(rave_error.verdicts(rows(1.1, 1.0, 0, 0.2)))
    assert unsure == ["undecided"] * 4
