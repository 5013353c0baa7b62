"""Searches that ask the exact solver about new nodes: true proofs, the same in both engines."""

from __future__ import annotations

from typing import Any

import pytest

from helpers import random_game
from searches import CONVERGING_KINDS
from sylve import (
    AlphaBeta,
    Flat,
    Position,
    Rave,
    Searcher,
    Solver,
    Uct,
    search,
    solve,
)
from sylve.search.reference.searches import MOST_SOLVER_RATE, TreeSearch
from toys import FIRST_WINS, SECOND_WINS, TreeGame

GAMES = ("tic_tac_toe", "breakthrough(columns=4, rows=5)", "connect_four(columns=5, rows=4)",
         "othello(size=4)", "othello(size=6)", "hex(size=4)", "hex(size=4, swap=true)")  # fmt: skip


def sign(name: str) -> int:
    return {"win": 1, "draw": 0, "loss": -1}[name]


@pytest.mark.parametrize("kind", CONVERGING_KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_both_engines_ask_alike(game: str, kind: type[TreeSearch]) -> None:
    """Also in batches, without transpositions, and after moves, which keep the solver's memory."""
    position = Position.start(game)
    nodes = {"othello(size=6)": 1000}.get(game, 60)
    for batch, transpositions, asked in (
        (1, True, {"solver_nodes": nodes}),
        (5, False, {"solver_nodes": nodes}),
        (1, True, {"solver_rate": 3}),
        (5, True, {"solver_nodes": 10, "solver_rate": 2}),
    ):
        how = kind(120, seed=batch, batch=batch, transpositions=transpositions, **asked)
        rust, python = (Searcher(position, how, engine=engine) for engine in ("rust", "python"))
        for _ in range(3):
            report = rust.run()
            assert report == python.run()
            assert rust.digest() == python.digest()
            if rust.position.play(report.best).outcome is not None:
                break
            assert rust.advance(report.best) == python.advance(report.best)
            assert rust.digest() == python.digest()


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_proofs_are_what_the_solver_says(engine: Any) -> None:
    """Along games, and more of them than without the option."""
    asked = alone = 0
    for game in GAMES:
        solver = Solver(game)
        for position in list(random_game(game, 7, 1))[-12::3]:
            if position.outcome is not None:
                continue
            truth = solver.solve(position)
            for how in (Uct(80, solver_nodes=500), Rave(80, solver_nodes=3), Uct(80)):
                for entry in search(position, how, engine=engine).moves:
                    if entry.proven:
                        value = truth.per_move[entry.move]
                        assert sign(entry.proven) == (value > 0) - (value < 0)
                        asked += how.solver_nodes == 500
                        alone += how.solver_nodes == 0
    assert asked > 1.1 * alone > 0


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_solved_ending_is_proven_at_once(engine: Any) -> None:
    """Twelve empty cells: every move is decided at its second visit."""
    position = next(p for p in random_game("othello", 8, 2) if p.text.count(".") == 12)
    report = search(position, Uct(2000, solver_nodes=100_000), engine=engine)
    assert report.stopped == "proven"
    assert report.playouts <= 2 * len(report.moves)
    value = solve(position).value
    best = sign(report[report.best].proven)
    assert best == (value > 0) - (value < 0)
    assert search(position, Uct(200), engine=engine).stopped == "playouts"


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_decided_position_is_searched_once_it_is_the_root(engine: Any) -> None:
    """The solver said who wins, not by which move."""
    searcher = Searcher(
        Position.parse("tic_tac_toe", "x../.o./..x o"), Uct(100, solver_nodes=5000), engine=engine
    )
    report = searcher.run()
    assert report[report.best].proven == "draw"
    searcher.advance(report.best)
    again = searcher.run()
    assert sum(entry.visits for entry in again.moves) > 0
    assert again[again.best].proven == "draw"


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_rate_leaves_a_decided_position_to_be_searched(engine: Any) -> None:
    """Its visits were before the solver said who wins, and not all its moves are proven."""
    position = next(p for p in random_game("othello", 8, 2) if p.text.count(".") == 11)
    searcher = Searcher(position, Uct(100_000, solver_rate=MOST_SOLVER_RATE), engine=engine)
    report = searcher.run()
    assert report[report.best].proven
    assert report[report.best].visits >= 16
    searcher.advance(report.best)
    again = searcher.run(40)
    assert sum(entry.visits for entry in again.moves) > 0
    assert again.playouts > report.playouts


def test_threads() -> None:
    position = Position.start("connect_four(columns=5, rows=4)")
    how = Uct(300, seed=4, solver_nodes=40)
    run = [Searcher(position, how, engine=engine, threads=2).run() for engine in ("rust", "python")]
    assert run[0] == run[1]
    with pytest.raises(ValueError, match="has no solver_nodes"):
        Searcher(position, how, threads=2, parallel="tree")


def test_go_is_never_asked() -> None:
    position = Position.start("go(size=3, komi=0.5)")
    for engine in ("rust", "python"):
        plain = search(position, Uct(50), engine=engine)
        for how in (Uct(50, solver_nodes=100), Uct(50, solver_rate=100)):
            assert search(position, how, engine=engine).moves == plain.moves


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="uct: solver_nodes needs solver=true"):
        Uct(solver=False, solver_nodes=5)
    for nodes in (-1, 1.5, 10_000_001, True):
        with pytest.raises(ValueError, match="uct: solver_nodes must be"):
            Uct(solver_nodes=nodes)
    for rate in (-1, 1.5, 10_001, True):
        with pytest.raises(ValueError, match="uct: solver_rate must be"):
            Uct(solver_rate=rate)
    own = Position.start(TreeGame({0: FIRST_WINS, 1: SECOND_WINS}))
    position = Position.start("tic_tac_toe")
    for name in ("solver_nodes", "solver_rate"):
        asked: Any = {name: 5}
        with pytest.raises(ValueError, match=f"uct: {name} needs solver=true"):
            Uct(solver=False, **asked)
        with pytest.raises(TypeError, match=name):
            Flat(**asked)
        with pytest.raises(ValueError, match=f"has no {name}"):
            Searcher(position, Uct(**asked), threads=2, parallel="tree")
        with pytest.raises(ValueError, match=f"a search with {name} cannot be saved"):
            Searcher(position, Uct(**asked)).save("never.search")
        for engine in ("rust", "python"):
            with pytest.raises(ValueError, match=f"{name} needs a game with a solver"):
                search(own, Uct(**asked), engine=engine)


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_rate_decides_what_is_visited_often(engine: Any) -> None:
    """No move of the root is decided before its 16th visit, and then the tree ends there."""
    position = next(p for p in random_game("othello", 8, 2) if p.text.count(".") == 11)
    searcher = Searcher(position, Uct(100_000, solver_rate=MOST_SOLVER_RATE), engine=engine)
    assert all(entry.visits < 16 for entry in searcher.run(15).moves if entry.proven)
    report = searcher.run()
    assert report.stopped == "proven"
    assert report[report.best].visits in range(16, 60)
    value = solve(position).value
    assert sign(report[report.best].proven) == (value > 0) - (value < 0)


# Alpha-beta.


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    "game", ["tic_tac_toe", "hex(size=3)", "othello(size=4)", "connect_four(4, 4)"]
)
def test_alpha_beta_plays_endings_exactly(game: str, engine: Any) -> None:
    solver, results = Solver(game), set()
    for index in range(8):
        for position in list(random_game(game, 9, index))[-7:-1]:
            truth = solver.solve(position)
            report = search(position, AlphaBeta(1, exact=9), engine=engine)
            if len(position.moves) == 1 or position.text.split()[0].count(".") > 9:
                continue
            assert truth.per_move[report.best] == truth.value
            result = (truth.value > 0) - (truth.value < 0)
            results.add(result)
            assert report.stopped == "solved"
            assert report.score == result * (1_000_000 - len(report.line))
            assert position.play_line(report.line).outcome is not None
            assert sign(report[report.best].proven) == result
            assert "judged by the evaluation" not in report.explain()
    assert len(results) > 1


def test_alpha_beta_goes_on_if_the_solver_is_too_slow() -> None:
    position = Position.start("othello")
    report = search(position, AlphaBeta(seconds=0.3, exact=60))
    assert report.stopped == "seconds"
    assert report.depth >= 1
    assert search(position, AlphaBeta(2, exact=59)).moves == search(position, AlphaBeta(2)).moves
    for game in ("go", "breakthrough"):
        with pytest.raises(ValueError, match="exact counts empty cells"):
            search(Position.start(game), AlphaBeta(1, exact=5))
    with pytest.raises(ValueError, match="not with multi"):
        AlphaBeta(exact=5, multi=True)
    with pytest.raises(ValueError, match="exact must be"):
        AlphaBeta(exact=-1)
