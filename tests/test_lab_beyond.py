"""The experiments beyond the first ten: each runs small, and its numbers are what they say."""

from typing import Any

import pytest

from lab_rows import SMALL, everything
from sylve import Flat, FlatAmaf, Player, Position, search
from sylve.lab.data import random_position, seeded
from sylve.lab.experiments import (
    bandit,
    exploration,
    flat,
    kuhn,
    learning,
    multi_scale,
    noise,
    stability,
    tsp,
)
from sylve.lab.ground_truth import puzzle
from sylve.lab.kuhn import LEARNING, SETS, Known, Regrets, equilibrium, value
from sylve.lab.kuhn import exploitability as exploitability_of
from sylve.rng import Rng

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


def test_promise(tmp_path: Any) -> None:
    cells = [{"schedule": schedule, "rival": rival, "game": SMALL, "playouts": 20, "block": 0,
              "pairs": 1} for schedule, rival in (("pooled", "slides"), ("pooled", "mse"),
                                                  ("mse", "slides"))]  # fmt: skip
    everything("promise", cells, tmp_path)


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
