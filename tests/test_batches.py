"""Batches: descents that wait for each other are losses wherever a formula looks."""

from __future__ import annotations

import dataclasses
import json
import math
import threading
from typing import Any

import pytest
from typer.testing import CliRunner

from searches import EXPLORING, GREEDY, TREE_KINDS, short
from sylve import (
    AmafUct,
    Grave,
    MultiScaleRave,
    Player,
    Position,
    Rave,
    Searcher,
    Uct,
    parse_search,
    search,
)
from sylve.cli import app
from sylve.policies import mast
from sylve.rules import ucb1
from sylve.search.reference.formulas import GraveFormula
from sylve.search.reference.searches import MOST_WAITING, TreeSearch
from sylve.search.reference.tree import Tree
from sylve.search.reports.report import Found
from sylve.search.running.engines import make_runner
from sylve.search.running.runner import Runner
from toys import DRAW, FIRST_WINS, SECOND_WINS

ENGINES = ("rust", "python")
TREES: list[Any] = [
    *(how for how in (*EXPLORING, *GREEDY) if isinstance(how, TreeSearch)),
    Uct(rule=ucb1(0.0)),
    AmafUct(),
    AmafUct(alpha=1.0, c=0.0),
    Grave(reference=0),
]
GAMES = {  # by size of the batch, each with draws or without, with passes, with cycles
    1: "connect_four(columns=5, rows=4)",
    2: "tic_tac_toe",
    7: "breakthrough(columns=4, rows=5)",
    32: "othello(size=4)",
}


class Twice:
    """Both players move twice in a row. Six moves of 0 to 3; the larger sum wins."""

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> Player:
        return Player(len(state) // 2 % 2)

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return [] if len(state) == 6 else [0, 1, 2, 3]

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def outcome(self, state: tuple[int, ...]) -> Any:
        if len(state) < 6:
            return None
        first = sum(state[:2]) + sum(state[4:])
        second = 2 * sum(state[2:4])
        return DRAW if first == second else FIRST_WINS if first > second else SECOND_WINS

    def hash(self, state: tuple[int, ...]) -> int:
        number = 1
        for move in state:
            number = 5 * number + move
        return number * 0x9E3779B97F4A7C15 % 2**64


def checked(runner: Runner, simulations: int) -> Found:
    """What a search finds; every number in it is one."""
    runner.run(simulations)
    found = runner.found()
    for value, exploration, beta in found.parts:
        assert not math.isnan(value + exploration)
        assert beta is None or 0.0 <= beta <= 1.0
    return found


def check_agreement(position: Position, how: TreeSearch, playouts: int) -> None:
    found = []
    for engine in ENGINES:
        runner = make_runner(position, how, engine)
        checked(runner, playouts // 3)  # also in the middle of a batch
        last = checked(runner, playouts - playouts // 3)
        found.append((dataclasses.replace(last, bytes=None), runner.digest()))
        assert sum(visits for visits, *_ in last.own) == last.simulations
    assert str(found[0]) == str(found[1])  # as text: an infinity is one


@pytest.mark.parametrize("batch", GAMES)
@pytest.mark.parametrize("how", TREES, ids=short)
def test_engines_agree_in_batches_and_every_score_is_a_number(how: TreeSearch, batch: int) -> None:
    check_agreement(Position.start(GAMES[batch]), dataclasses.replace(how, batch=batch), 75)


@pytest.mark.long
@pytest.mark.parametrize("batch", GAMES)
@pytest.mark.parametrize("game", [*GAMES.values(), "hex(size=4)", "go(size=3, komi=0)"])
@pytest.mark.parametrize("how", TREES, ids=short)
def test_engines_agree_in_batches_of_every_game(how: TreeSearch, game: str, batch: int) -> None:
    for solver in (False, True):
        chosen = dataclasses.replace(how, batch=batch, seed=batch, solver=solver)
        check_agreement(Position.start(game), chosen, 150)


@pytest.mark.parametrize("batch", [2, 7, 32])
@pytest.mark.parametrize("kind", TREE_KINDS)
def test_who_moves_twice_waits_for_himself(kind: type[TreeSearch], batch: int) -> None:
    """A loss of a descent that waits is a loss for whoever is to move at the node."""
    check_agreement(Position.start(Twice()), kind(seed=2, batch=batch, solver=False), 120)
    tree = Tree(Position.start(Twice()), kind(batch=64, solver=False))
    for _ in range(60):
        tree.simulate(64)
    players = set()
    for node in tree.nodes.values():
        players.add(node.player)
        assert node.visits == sum(tally.visits for tally in node.tallies)
        amaf = tree.formula.amaf(node, tree.root)
        for index, own in enumerate(node.tallies):
            assert own.wins == own.draws == 0  # nothing is known yet
            assert own.visits == node.waiting.get(index, 0)
            for tally in amaf[index][:1]:
                assert (tally.visits, tally.wins) == (own.visits, 0)
    assert players == {Player.FIRST, Player.SECOND}
    tree.settle()
    assert not any(node.waiting for node in tree.nodes.values())
    assert tree.root.visits == tree.simulations == 60


def test_grave_sees_waiting_descents_of_the_second_player_as_losses() -> None:
    """The tables are for the first player: turned round, a loss of the second must stay one."""
    tree = Tree(Position.start("tic_tac_toe"), Grave(500, solver=False))
    tree.run(500)
    node = next(node for node in tree.nodes.values() if node.player == Player.SECOND)
    formula = tree.formula
    assert isinstance(formula, GraveFormula)
    (before,) = formula.amaf(node, tree.root)[0]
    node.waiting[0] = 3
    (after,) = formula.amaf(node, tree.root)[0]
    assert (after.visits, after.wins) == (before.visits + 3, before.wins)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", TREE_KINDS)
def test_untried_moves_come_first(kind: type[TreeSearch], engine: Any) -> None:
    position = Position.start("hex(size=4)")
    report = search(position, kind(16, batch=16, solver=False), engine=engine)
    assert [entry.visits for entry in report.moves] == [1] * 16
    position = Position.start("connect_four")
    report = search(position, kind(32, batch=32, solver=False), engine=engine)
    assert min(entry.visits for entry in report.moves) >= 1


@pytest.mark.parametrize("how", [Uct(), Rave(), Grave(reference=5), MultiScaleRave()], ids=str)
@pytest.mark.parametrize("ways", [("rust", 1), ("rust", 3), ("python", 1), ("own", 1)], ids=str)
def test_looks_in_the_middle_of_a_batch_change_nothing(how: Any, ways: tuple[Any, int]) -> None:
    engine, threads = ways
    position = Position.start("breakthrough(columns=5, rows=5)" if engine != "own" else Twice())
    how = dataclasses.replace(how, batch=40, solver=False, playout=mast())
    make: Any = ("rust" if engine == "own" else engine, threads, "batch")
    quiet, watched = make_runner(position, how, *make), make_runner(position, how, *make)
    seen, digests = {}, {}
    while watched.simulations < 120:
        watched.run(120 - watched.simulations, 0.0003, last=False)
        look = dataclasses.replace(watched.found(), bytes=None)
        assert look.simulations == watched.simulations
        assert look.nodes == watched.nodes
        assert sum(visits for visits, *_ in look.own) == look.simulations
        assert str(seen.setdefault(look.simulations, look)) == str(look)
        assert digests.setdefault(look.simulations, watched.digest()) == watched.digest()
    for simulations, look in sorted(seen.items()):
        if simulations:
            quiet.run(simulations - quiet.simulations)
        assert str(dataclasses.replace(quiet.found(), bytes=None)) == str(look)
        assert quiet.digest() == digests[simulations]


@pytest.mark.parametrize("engine", ENGINES)
def test_reports_from_another_thread_change_nothing(engine: Any) -> None:
    position = Position.start("breakthrough(columns=5, rows=5)")
    how = Rave(3000 if engine == "rust" else 300, batch=100, solver=False)
    expected = Searcher(position, how, engine=engine).run()
    searcher = Searcher(position, how, engine=engine)
    run = searcher.start()
    while not run.wait(0.002):
        report = searcher.report()
        assert report.playouts == sum(entry.visits for entry in report.moves)
        assert report.playouts % 100 == 0
    assert run.result() == expected


@pytest.mark.parametrize("kind", TREE_KINDS)
@pytest.mark.parametrize("ways", [("rust", 1), ("rust", 2), ("python", 1)], ids=str)
def test_a_batch_that_is_cut_short_is_a_smaller_one(
    kind: type[TreeSearch], ways: tuple[Any, int]
) -> None:
    engine, threads = ways
    position = Position.start("go(size=9)")
    how = kind(seed=4, batch=65_536)
    more: Any = {"engine": engine, "threads": threads, "parallel": "batch"}
    cut = Searcher(position, how, **more)
    report = cut.run(seconds=0.03)
    assert (report.stopped, report.digest) == ("seconds", None)
    assert report.playouts == sum(entry.visits for entry in report.moves) > 0
    expected = Searcher(position, how, **more).run(report.playouts)
    assert expected.moves == report.moves
    assert expected.digest == cut.digest()
    searcher = Searcher(position, how, **more)
    run = searcher.start(10**9)
    threading.Timer(0.03, searcher.stop).start()
    report = run.result()
    assert report.stopped == "stop"
    assert report.playouts == sum(entry.visits for entry in report.moves)


def test_no_more_descents_wait_than_fit() -> None:
    position = Position.start("breakthrough(columns=5, rows=5)")
    large, most = (
        Searcher(position, Rave(batch=batch, solver=False)) for batch in (65_536, MOST_WAITING)
    )
    assert large.run(5000).digest == most.run(5000).digest
    python = Searcher(position, Uct(batch=65_536, solver=False), engine="python")
    rust = Searcher(position, Uct(batch=65_536, solver=False))
    assert python.run(1500) == rust.run(1500)


@pytest.mark.parametrize("how", ["rave(batch=7)", "uct(batch=100)", "grave(batch=32)"])
def test_batches_of_several_searches(how: str) -> None:
    position = Position.start("breakthrough(columns=5, rows=5)")
    chosen = dataclasses.replace(parse_search(how), solver=False)
    rust, python = (
        Searcher(position, chosen, engine=engine, threads=3, parallel="root")
        for engine in ("rust", "python")
    )
    report = rust.run(500)
    assert report == python.run(500)
    assert rust.digest() == python.digest()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [AmafUct, Rave, MultiScaleRave, Grave])
def test_amaf_draws_are_in_the_report(kind: type[TreeSearch], engine: Any) -> None:
    report = search(Position.start("tic_tac_toe"), kind(300, solver=False), engine=engine)
    draws = 0
    for entry in report.moves:
        assert entry.amaf_wins is not None
        assert entry.amaf_draws is not None
        mean = (entry.amaf_wins + 0.5 * entry.amaf_draws) / entry.amaf_visits
        assert mean == entry.amaf_mean
        draws += entry.amaf_draws
    assert draws > 0
    assert report.to_dict()["moves"][0]["amaf_draws"] == report.moves[0].amaf_draws
    uct = search(Position.start("tic_tac_toe"), Uct(10), engine=engine)
    assert (uct.moves[0].amaf_wins, uct.moves[0].amaf_draws) == (None, None)


@pytest.mark.long
def test_batches_cost_amaf_searches_no_more_than_uct() -> None:
    """200 playouts on Hex 5: about 42 of 100 points each, with AMAF and without."""
    scores = {name: points_of_batches(name) for name in ("uct", "rave", "grave", "amaf_uct")}
    least = scores["uct"] - 0.06  # two standard errors of the difference
    assert all(score > least for score in scores.values()), scores


def points_of_batches(name: str) -> float:
    match = [f"{name}(200, batch=32)", f"{name}(200)", "--game", "hex(size=5)"]
    options = ["--games", "600", "--seed", "1", "--no-store", "--json"]
    run = CliRunner().invoke(app, ["match", *match, *options])
    assert run.exit_code == 0, run.output
    return float(json.loads(run.stdout)["score"])


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_batch_has_at_most_1024_descents(engine: Any) -> None:
    start = Position.start("connect_four")
    most, more, fewer = (
        search(start, Uct(1500, batch=batch, solver=False), engine=engine)
        for batch in (1024, 1400, 1000)
    )
    assert more.moves == most.moves
    assert more.digest == most.digest != fewer.digest
