"""Each experiment on a tiny configuration, with numbers."""

from math import sqrt
from typing import Any

import pytest

from sylve import Flat, FlatAmaf, Player, Position, compare_estimates, perft, search, solve
from sylve.lab import load, run
from sylve.lab.data import random_position, seeded
from sylve.lab.experiments import (
    bandit,
    beta,
    bias,
    exploration,
    flat,
    kuhn,
    learning,
    multi_scale,
    noise,
    othello,
    papers,
    parallel,
    rave_error,
    regret,
    speed,
    stability,
    tsp,
)
from sylve.lab.ground_truth import puzzle
from sylve.lab.kuhn import LEARNING, SETS, Known, Regrets, equilibrium, value
from sylve.lab.kuhn import exploitability as exploitability_of
from sylve.rng import Rng, hash_words
from sylve.search.regret import Bandit

SMALL = "breakthrough(columns=5, rows=5)"


def rows_of(name: str, cells: list[dict[str, Any]], seed: int = 1) -> list[Any]:
    return list(run(name, cells=cells, seed=seed).rows)


def everything(name: str, cells: list[dict[str, Any]], tmp_path: Any) -> Any:
    """Run, and write all files: verdicts, tables and figure must work on little data."""
    result = run(name, cells=cells, out=tmp_path)
    assert len(result.verdicts) == len(load(name).claims)
    return result.rows


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


# bandit, tsp


def test_bandit_experiment(tmp_path: Any) -> None:
    cells = [{"scenario": s, "method": m, "visitors": 400, "runs": 2, "block": 0}
             for s in (*bandit.SCENARIOS, bandit.DRIFT)
             for m in ((bandit.FIXED, bandit.PEEKING, *bandit.RULES) if s != bandit.DRIFT
                       else bandit.FORGETTING)]  # fmt: skip
    rows = everything("bandit", cells, tmp_path)
    for row in rows:
        if row["scenario"].startswith("A/A"):
            assert row["regret"] == 0.0
        if row["method"] == bandit.FIXED and row["scenario"] == "10 % v 15 %":
            assert row["regret"] == pytest.approx(200 * 0.05)  # equal shares to the end


def test_planned_size_and_the_test_itself() -> None:
    from statsmodels.stats.proportion import (
        proportions_ztest,
        samplesize_proportions_2indep_onetail,
    )

    wanted = samplesize_proportions_2indep_onetail(0.02, 0.10, 0.8, alpha=0.05)
    assert bandit.planned_size(0.10, 0.02) == pytest.approx(wanted, rel=0.01)
    from sylve.bandit import Arm

    for wins in ((40, 45), (40, 70), (70, 40), (40, 59), (40, 60)):
        arms = [Arm(str(n), 400, 400.0, float(w), float(w)) for n, w in enumerate(wins)]
        sure = proportions_ztest(wins, (400, 400))[1] < 0.05
        assert bandit.significant(arms) == ((1 if wins[1] > wins[0] else 0) if sure else None)


def test_tsp_experiment(tmp_path: Any) -> None:
    cells = [{"cities": n, "instance": i, "seeds": 1, "playouts": [20, 60], "restarts": 3}
             for n in (6, 14) for i in (0, 1)]  # fmt: skip
    rows = everything("tsp", cells, tmp_path)
    assert all(row["over_best"] >= 1 - 1e-9 for row in rows)
    best = [row["over_best"] for row in rows if row["cities"] == 14]
    assert min(best) == 1.0
    names = {row["method"] for row in rows}
    assert names == {*tsp.METHODS, tsp.NEAREST, tsp.OPTIMISED, tsp.RESTARTS}


def test_flat_is_the_reference_of_the_reference() -> None:
    """The truth of rave-error and regret: flat playouts of random play, AMAF beside."""
    start = Position.start("connect_four")
    direct = search(start, Flat(7000, seed=1)).moves
    amaf = search(start, FlatAmaf(7000, seed=2)).moves
    assert all(entry.visits == 1000 for entry in direct)
    assert all((entry.amaf_visits or 0) > 1000 for entry in amaf)


def test_a_table_gives_the_same_truth(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from sylve.games.breakthrough import Breakthrough
    from sylve.lab import ground_truth
    from sylve.tables import build_table

    game = "breakthrough(columns=3, rows=5)"
    by_solver = [puzzle(game, (2, 5), 9, index) for index in range(10)]
    path = tmp_path / "small.table"
    build_table(Breakthrough(columns=3, rows=5), path)
    monkeypatch.setenv(ground_truth.TABLE, str(path))
    ground_truth.table_of.cache_clear()
    puzzle.cache_clear()
    try:
        assert ground_truth.table_of(game) is not None
        assert ground_truth.table_of(SMALL) is None  # of another game
        assert [puzzle(game, (2, 5), 9, index) for index in range(10)] == by_solver
    finally:
        ground_truth.table_of.cache_clear()
        puzzle.cache_clear()


# flat, exploration, noise, multi-scale, stability, kuhn


def test_flat_shares_evenly_and_ucb_does_not(tmp_path: Any) -> None:
    cells: list[dict[str, Any]] = [
        {"kind": "moves", "game": SMALL, "position": n, "runs": 3, "per_move": [4, 64],
         "reference": 2000} for n in (0, 1)]  # fmt: skip
    cells += [{"kind": "match", "match": match, "game": SMALL, "playouts": 20, "block": 0,
               "pairs": 1} for match in flat.MATCHES]  # fmt: skip
    rows = everything("flat", cells, tmp_path)
    for row in rows:
        if row.get("search") == "flat":
            assert row["concentration"] == pytest.approx(1.0)
        elif row.get("per_move") == 64:
            assert row["concentration"] > 1.5


def test_exploration(tmp_path: Any) -> None:
    cells: list[dict[str, Any]] = [
        {"kind": "least", "game": SMALL, "position": n, "rule": rule, "looks": [300, 3000]}
        for n in (0, 1) for rule in exploration.RULES]  # fmt: skip
    cells += [{"kind": "short", "game": SMALL, "position": n, "runs": 4, "per_move": [1, 2, 16],
               "reference": 2000} for n in (0, 1)]  # fmt: skip
    rows = everything("exploration", cells, tmp_path)
    report = search(random_position(SMALL, (4, 10), 1, 1), seeded("ucb(3000)", 1, 1))
    wanted = [row["least"] for row in rows if row.get("rule") == "c = 0.4" and row["position"] == 1]
    assert wanted[-1] == min(entry.visits for entry in report.moves)
    for row in rows:
        if row["kind"] == "short":
            assert row["once"] == (row["runs"] if row["per_move"] == 1 else 0)


def test_noise(tmp_path: Any) -> None:
    cells = [{"search": search, "rate": rate, "block": block, "budgets": [30]}
             for block in (0, 1) for rate in (0.0, 0.3) for search in noise.SEARCHES]  # fmt: skip
    everything("noise", cells, tmp_path)


def test_false_results_change_nothing_but_the_winner() -> None:
    position, _ = puzzle(SMALL, (6, 10), 1, 3)

    def means(rate: float) -> list[float]:
        game = noise.FalseResults(position.game, rate)
        return [entry.mean or 0.0 for entry in
                search(Position(game, position.state), Flat(4000, seed=1)).moves]  # fmt: skip

    true = [entry.mean or 0.0 for entry in search(position, Flat(4000, seed=1)).moves]
    assert means(0.0) == true
    decided = [after.outcome is not None for after in map(position.play, position.moves)]
    for mean, turned, half, over in zip(true, means(1.0), means(0.5), decided, strict=True):
        assert turned == pytest.approx(mean if over else 1.0 - mean)
        assert over or half == pytest.approx(0.5, abs=0.15)


def test_multi_scale(tmp_path: Any) -> None:
    cells = [{"scales": scales, "rival": rival, "game": SMALL, "playouts": 20, "block": 0,
              "pairs": 1} for scales in multi_scale.SCALES for rival in multi_scale.PLAIN
             ]  # fmt: skip
    everything("multi-scale", cells, tmp_path)


def test_stability_experiment(tmp_path: Any) -> None:
    cells: list[dict[str, Any]] = [{"kind": "time", "by": by, "rounds": 2}
                                   for by in stability.MAKERS]  # fmt: skip
    cells += [{"kind": "match", "depth": depth, "block": 0, "pairs": 1} for depth in (1, 2)]
    everything("stability", cells, tmp_path)


def test_learning(tmp_path: Any) -> None:
    cells = [{"learner": learner, "block": block, "looks": [10, 40]}
             for block in (0, 1) for learner in learning.LEARNERS]  # fmt: skip
    rows = everything("learning", cells, tmp_path)
    kept = {row["learner"]: row["values"] for row in rows if row["games"] == 40}
    assert kept[learning.TABULAR] < kept[learning.AMAF]  # a value for each state and later move
    chances = {row["chance"] for row in rows}
    assert len(chances) == 2  # by block: all learners get the same positions
    assert all(0 < chance <= 1 / 3 for chance in chances)


def test_what_a_game_teaches() -> None:
    """x plays codes 1, 2 and 1 again in states 10, 12, 14 and wins; o plays 3 and 4."""
    x, o = Player.FIRST, Player.SECOND
    history = [(x, 10, 1), (o, 11, 3), (x, 12, 2), (o, 13, 4), (x, 14, 1)]
    game = Position.start(SMALL).game

    def tallies(kind: str) -> tuple[Any, Any]:
        learner = learning.Learner(kind, game)
        learner.learn(history, {x: 2, o: 0})
        return (
            {key: (t.visits, t.wins) for key, t in learner.own.items()},
            {key: (t.visits, t.wins) for key, t in learner.shared.items()},
        )

    own = {(10, 1): (1, 1), (11, 3): (1, 0), (12, 2): (1, 1), (13, 4): (1, 0), (14, 1): (1, 1)}
    assert tallies(learning.TABULAR) == (own, {})
    later = {(10, 2): (1, 1), (11, 4): (1, 0), (12, 1): (1, 1)}  # what the same player did later
    assert tallies(learning.AMAF) == tallies(learning.RAVE) == (own, own | later)
    everywhere = {(0, 1): (1, 1), (0, 2): (1, 1), (0, 3): (1, 0), (0, 4): (1, 0)}
    assert tallies(learning.ALL) == (own, everywhere)  # each code once in a game


def test_what_a_learner_plays() -> None:
    """It plays what it believes: nothing is known of a fresh state, but by what all share."""
    position, winning = puzzle(SMALL, (6, 10), 1, 0)
    state, game = position.state, position.game
    good, codes = min(winning), {move: position.code(move) for move in position.moves}
    for kind in learning.LEARNERS:
        learner, rng = learning.Learner(kind, game), Rng.stream(1, 0)
        assert len({learner.best(state, rng) for _ in range(200)}) == len(position.moves)
        for _ in range(5):
            learner.learn([(position.turn, position.key, codes[good])],
                          {position.turn: 2, position.turn.other: 0})  # fmt: skip
        assert learner.best(state, rng) == good
        assert learner.value(position.key, codes[good]) == 1.0
        assert learner.value(12345, codes[good]) == (1.0 if kind == learning.ALL else 0.5)


def test_kuhn(tmp_path: Any) -> None:
    cells = [{"learner": learner, "run": run, "looks": [30, 100, 300]}
             for run in (0, 1) for learner in (*kuhn.RULES, *kuhn.LEARNING)]  # fmt: skip
    rows = everything("kuhn", cells, tmp_path)
    assert all(row["exploitability"] > 0 for row in rows)


def test_best_responses_of_kuhn_poker_are_those_of_open_spiel() -> None:
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game("kuhn_poker")
    for number in range(20):
        rng = Rng.stream(5, number)
        strategy = {known: rng.below(1001) / 1000 for known in SETS}
        table = policy.TabularPolicy(game)
        for state, row in table.state_lookup.items():
            bet = strategy[Known(int(state[0]), state[1:])]
            table.action_probability_array[row] = [1 - bet, bet]
        wanted = exploitability.exploitability(game, table)
        assert exploitability_of(strategy) == pytest.approx(wanted, abs=1e-12)


def test_equilibria_of_kuhn_poker() -> None:
    for bluff in (0.0, 0.1, 1 / 3):
        found = equilibrium(bluff)
        assert value(found) == pytest.approx(-1 / 18)
        assert exploitability_of(found) == pytest.approx(0.0, abs=1e-12)
    assert exploitability_of(equilibrium(0.5) | {Known(2, ""): 1.0}) > 0.01


@pytest.mark.parametrize(
    ("name", "rounds", "near"),
    [("regret, one hand", 20_000, 0.04), ("regret, whole tree", 1000, 0.01)],
)
def test_learning_by_regret_comes_near(name: str, rounds: int, near: float) -> None:
    learner, rng = Regrets(), Rng.stream(3, 0)
    for _ in range(rounds):
        LEARNING[name](learner, rng)
    assert exploitability_of(learner.strategy()) < near
