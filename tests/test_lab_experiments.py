"""Each experiment on a tiny configuration, with numbers."""

from math import sqrt
from typing import Any

import pytest

from lab_rows import SMALL, everything
from sylve import Position, compare_estimates, perft, search, solve
from sylve.lab import run
from sylve.lab.data import random_position, seeded
from sylve.lab.experiments import (
    beta,
    bias,
    othello,
    papers,
    parallel,
    rave_error,
    regret,
    speed,
)
from sylve.lab.ground_truth import puzzle
from sylve.rng import hash_words
from sylve.search.regret import Bandit


def rows_of(name: str, cells: list[dict[str, Any]], seed: int = 1) -> list[Any]:
    return list(run(name, cells=cells, seed=seed).rows)


# truth


def test_puzzles_are_won_by_few_moves() -> None:
    for index in range(5):
        position, winning = puzzle(SMALL, (6, 10), 7, index)
        values = solve(position).per_move
        assert winning == {move for move, value in values.items() if value and value > 0}
        assert 0 < 3 * len(winning) <= len(position.moves)
    assert puzzle(SMALL, (6, 10), 7, 1) == puzzle(SMALL, (6, 10), 7, 1)
    assert puzzle(SMALL, (6, 10), 7, 1) != puzzle(SMALL, (6, 10), 8, 1)


def test_truth_counts_right_moves() -> None:
    cell = {"game": SMALL, "block": 1, "positions": 4, "seeds": 2, "budgets": [20, 200]}
    for text in ("flat", "uct(solver=false)"):
        rows = rows_of("truth", [{**cell, "search": text}], seed=3)
        for row in rows:
            right = 0
            for index in range(4, 8):
                position, winning = puzzle(SMALL, (6, 10), 3, index)
                for number in range(2):
                    how = seeded(f"{text[:-1] if '(' in text else text + '('}"
                                 f"{', ' if '(' in text else ''}playouts={row['simulations']})",
                                 3, index, number)  # fmt: skip
                    right += search(position, how).best in winning
            assert (row["right"], row["trials"]) == (right, 8)


# regret


def test_regret_of_flat_is_known(tmp_path: Any) -> None:
    rows = everything("regret", regret_cells(), tmp_path)
    flat = [row for row in rows if row["search"] == "flat" and row["problem"] in regret.ARMS]
    for row in flat:
        means = regret.ARMS[row["problem"]]
        gaps = [max(means) - mean for mean in means]
        wanted = sum(gaps[n % len(gaps)] for n in range(row["pulls"]))
        assert row["regret"] == pytest.approx(wanted)
        assert row["stderr"] == 0.0


def regret_cells() -> list[dict[str, Any]]:
    arms = [{"problem": problem, "search": text, "runs": 2, "looks": [30, 300]}
            for problem in ("2 arms, gap 0.3", "10 arms, mixed")
            for text in regret.SEARCHES]  # fmt: skip
    return [*arms, *({"problem": "connect_four", "position": n, "runs": 2, "looks": [30, 300],
                      "reference": 300} for n in range(2))]  # fmt: skip


def test_regret_is_that_of_the_search() -> None:
    cell = {"problem": "2 arms, gap 0.1", "search": regret.SQRT2, "runs": 1, "looks": [50, 400]}
    rows = rows_of("regret", [cell], seed=5)
    report = search(Position.start(Bandit((0.55, 0.45))),
                    seeded("ucb(400, rule=ucb1(c=sqrt2))", 5, 0, 0))  # fmt: skip
    assert rows[1]["regret"] == pytest.approx(0.1 * report.moves[1].visits)


# information, beta, rave-error, bias


def test_information(tmp_path: Any) -> None:
    cells = [{"game": SMALL, "position": number, "simulations": n, "runs": 4}
             for number in (0, 1) for n in (26, 100)]  # fmt: skip
    rows = everything("information", cells, tmp_path)
    start = rows[0]
    assert start["moves"] == 13
    assert start["direct_samples"] == 2.0
    samples = 0
    for n in range(4):
        report = search(Position.start(SMALL), seeded("flat_amaf(26)", 1, 0, 26, n, 2))
        samples += sum(entry.amaf_visits or 0 for entry in report.moves)
    assert start["amaf_samples"] == pytest.approx(samples / 4 / 13)
    assert 14 < start["plies"] < 18  # 15.9 in 200,000 games


def test_beta(tmp_path: Any) -> None:
    cells = [{"game": SMALL, "position": n, "schedule": s, "looks": [10, 200]}
             for n in (0, 1) for s in beta.SCHEDULES]  # fmt: skip
    rows = everything("beta", cells, tmp_path)
    hand = [row for row in rows if row["schedule"] == "hand"]
    for row in hand:
        assert row["beta"] == pytest.approx(sqrt(1000 / (3 * row["simulations"] + 1000)))
    for row in rows:
        if row["schedule"] == "bias(0.1)":
            n, m = row["visits"], row["amaf_visits"]
            assert row["beta"] == pytest.approx(m / (n + m + 0.04 * n * m))
    # Without the division by n both variances stay: the weight goes to 1/2.
    last = [row for row in rows if row["schedule"] == beta.UNDIVIDED][-1]
    assert 0.3 < last["beta"] < 0.7


def test_rave_error(tmp_path: Any) -> None:
    cells = [{"game": game, "position": 1, "runs": 60, "reference": 20_000, "per_move": [5, 20]}
             for game in (SMALL, "connect_four")]  # fmt: skip
    for row in everything("rave-error", cells, tmp_path):
        assert row["best_error"] <= min(row["direct"], row["amaf"], row["independent_error"]) + 1e-9
        assert row["direct"] == pytest.approx(row["sigma2"], rel=0.3)  # it has no bias
        # The direct samples are among those of AMAF: the covariance is the variance of AMAF.
        assert row["covariance"] == pytest.approx(row["sigma2_amaf"], rel=0.4)
        assert 0 <= row["useful"] <= row["moves"]


def test_rave_error_formulas() -> None:
    from sylve.search.reference.tally import Tally

    found = rave_error.Errors(Tally(100, 50, 0), 0.1, 0.24)
    found.runs, found.direct, found.amaf, found.mixed = 10, 0.2, 0.1, 0.0
    found.sigma, found.sigma_amaf = 0.2, 0.05
    assert rave_error.error_at(found, 0.0) == pytest.approx(0.02)
    assert rave_error.error_at(found, 1.0) == pytest.approx(0.01)
    best = rave_error.best_beta(found)
    assert best == pytest.approx(2 / 3)
    nearby = [rave_error.error_at(found, best + d) for d in (-0.01, 0.01)]
    assert rave_error.error_at(found, best) < min(nearby)
    # beta = sigma^2 / (sigma^2 + sigma~^2 + b~^2)
    assert rave_error.independent_beta(found) == pytest.approx(0.02 / (0.02 + 0.005 + 0.01))
    assert rave_error.predicted(found, 0.5) == pytest.approx(0.25 * 0.02 + 0.25 * (0.005 + 0.01))


def test_bias(tmp_path: Any) -> None:
    cells = [{"game": SMALL, "ply": ply, "position": 0, "playouts": 2600} for ply in (0, 8)]
    rows = everything("bias", cells, tmp_path)
    estimates = compare_estimates(Position.start(SMALL), 200, seed=hash_words((1, 0, 7)))
    for row, entry in zip(rows, estimates.moves, strict=False):
        assert (row["move"], row["ply"]) == (entry.name, 0)
        assert row["bias"] == pytest.approx(entry.bias, rel=1e-6)


def test_kinds_of_moves() -> None:
    def kinds(text: str) -> dict[str, str]:
        position = Position.parse(SMALL, text)
        return {position.name(move): kind for move, kind in bias.kinds_of(position).items()}

    # Black is about to enter a1 or b1 from b2; only the capture of b2 saves White.
    found = kinds("..o../...../...../.o.../x...x x")
    assert found["a1xb2"] == "forced"
    assert found["e1-e2"] == "other"
    assert kinds("..o../x..../...../...../....x x")["a4-a5"] == "win"
    assert kinds("o..../...../.o.../x..../....x x")["a2xb3"] == "capture"


def test_size_of_the_bias_takes_the_noise_off() -> None:
    rows = [{"bias": 0.03 * sign, "stderr": 0.03} for sign in (1, -1)]
    assert bias.root_mean_square(rows) == 0.0
    rows = [{"bias": 0.05 * sign, "stderr": 0.03} for sign in (1, -1)]
    assert bias.root_mean_square(rows) == pytest.approx(0.04)


# speed, parallel, othello, papers


def test_speed(tmp_path: Any) -> None:
    cells = [{"by": by, "search": name, "rounds": 2, "amount": 100}
             for name in speed.SEARCHES for by in speed.AMOUNT]  # fmt: skip
    for row in everything("speed", cells, tmp_path):
        assert row["per_second"] == pytest.approx(100 / row["seconds"], rel=1e-6)


def test_parallel(tmp_path: Any) -> None:
    cells = [{"kind": "speed", "way": way, "threads": threads, "rounds": 2, "simulations": 500}
             for way in parallel.WAYS for threads in (1, 2)]  # fmt: skip
    cells += [{"kind": "match", "way": way, "block": 0, "pairs": 1, "seconds": 0.001}
              for way in parallel.WAYS]  # fmt: skip
    rows = everything("parallel", cells, tmp_path)
    assert sum(row["kind"] == "match" for row in rows) == len(parallel.WAYS) == 3


def test_othello_nodes() -> None:
    rows = rows_of("othello", [{"kind": "nodes", "position": 2, "depth": d} for d in (1, 2, 3)])
    position = random_position("othello", (10, 30), 1, 2)
    total = 1
    for row in rows:
        total += perft(position, row["depth"])
        assert row["minimax"] == total
        assert row["depth"] < row[othello.MINIMAX] <= row["minimax"]


def test_othello_matches(tmp_path: Any) -> None:
    cells: list[dict[str, Any]] = [{"kind": "nodes", "position": 0, "depth": d} for d in (1, 2)]
    cells += [{"kind": "evaluations", "first": a, "second": b, "depth": 1, "block": n, "pairs": 1}
              for a, b in othello.PAIRS for n in (0, 1)]  # fmt: skip
    cells += [{"kind": "same time", "first": a, "second": b, "depth": 1, "block": n, "pairs": 1}
              for a in othello.MONTE_CARLO for b in othello.EVALUATIONS
              for n in (0, 1)]  # fmt: skip
    cells += [{"kind": "branching", "game": "connect_four", "seconds": 0.001, "block": n,
               "pairs": 1} for n in (0, 1)]  # fmt: skip
    for row in everything("othello", cells, tmp_path):
        if row["kind"] != "nodes":
            assert sum(row[name] for name in ("lost2", "lost1", "even", "won1", "won2")) == 1


def test_papers(tmp_path: Any) -> None:
    cells = [{"match": match, "playouts": 4, "block": 0, "pairs": 1} for match in papers.MATCHES]
    rows = everything("papers", cells, tmp_path)
    assert rows == rows_of("papers", cells)  # the same games again
    assert all(row["lost2"] + row["lost1"] + row["even"] + row["won1"] + row["won2"] == 1
               for row in rows)  # fmt: skip
