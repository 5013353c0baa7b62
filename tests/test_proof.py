"""Proofs in the tree (MCTS-Solver), batches with virtual loss, advancing, memory: both engines."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from searches import CONVERGING_KINDS
from sylve import AmafUct, Grave, Position, Rave, Searcher, Uct, search, solve
from sylve.game import Outcome, Player
from sylve.policies import mast
from sylve.search.reference.searches import TreeSearch

SMALL = ("tic_tac_toe", "breakthrough(columns=2, rows=6)", "connect_four(columns=4, rows=4)",
         "othello(size=4)", "hex(size=3)")  # fmt: skip


@cache
def value(game: Any, state: Any) -> int:
    """Half points of the first player with best play, by plain minimax."""
    outcome: Outcome | None = game.outcome(state)
    if outcome is not None:
        return outcome.points(0)  # type: ignore[arg-type]
    values = [value(game, game.play(state, move)) for move in game.moves(state)]
    return max(values) if game.turn(state) == 0 else min(values)


def proven_value(position: Position, name: str) -> int:
    """What a proof says, as half points of the first player."""
    points = {"win": 2, "draw": 1, "loss": 0}[name]
    return points if position.turn == 0 else 2 - points


@pytest.mark.parametrize("kind", CONVERGING_KINDS)
@pytest.mark.parametrize("game", SMALL)
def test_proofs_are_true(game: str, kind: type[TreeSearch]) -> None:
    """Whatever is proven along a game is what minimax finds."""
    position, proofs = Position.start(game), 0
    for ply in range(16):
        report = search(position, kind(3000, seed=ply))
        for entry in report.moves:
            if entry.proven:
                after = position.play(entry.move)
                truth = value(position.game, after.state)
                assert proven_value(position, entry.proven) == truth
                proofs += 1
        position = position.play(report.ranked[len(report.moves) // 2].move)
        if position.outcome is not None:
            break
    assert proofs > 0


@pytest.mark.parametrize("kind", CONVERGING_KINDS)
@pytest.mark.parametrize("game", SMALL)
def test_proofs_are_the_same_in_both_engines(game: str, kind: type[TreeSearch]) -> None:
    position = Position.start(game)
    for ply in range(6):
        how = kind(250, seed=ply, transpositions=ply % 2 == 0)
        rust, python = (Searcher(position, how, engine=engine) for engine in ("rust", "python"))
        report = rust.run()
        assert report == python.run()
        assert rust.digest() == python.digest()
        position = position.play(report.best)
        if position.outcome is not None:
            break


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_proven_position_ends_the_search(engine: Any) -> None:
    position = Position.parse("tic_tac_toe", "xx./oo./... x")
    report = search(position, Uct(10_000, seed=1), engine=engine)
    assert report.stopped == "proven"
    assert report.playouts < 1000
    assert report.best_name == "c1"
    assert report["c1"].proven == "win"
    unproven = search(position, Uct(1000, seed=1, solver=False), engine=engine)
    assert unproven.stopped == "playouts"
    assert unproven.playouts == 1000
    assert all(entry.proven is None for entry in unproven.moves)


def test_nothing_is_proven_in_go() -> None:
    report = search(Position.start("go(size=2, komi=0.5)"), Uct(3000, seed=1))
    assert report.stopped == "playouts"
    assert all(entry.proven is None for entry in report.moves)


@pytest.mark.parametrize("batch", [1, 2, 7, 32])
@pytest.mark.parametrize("kind", CONVERGING_KINDS)
@pytest.mark.parametrize("game", ["breakthrough(columns=5, rows=5)", "connect_four", "go(size=5)"])
def test_batches_are_the_same_in_both_engines(
    game: str, kind: type[TreeSearch], batch: int
) -> None:
    how = kind(200, seed=3, batch=batch, playout=mast() if batch == 7 else kind(1).playout)
    position = Position.start(game)
    rust, python = (Searcher(position, how, engine=engine) for engine in ("rust", "python"))
    assert rust.run() == python.run()
    assert rust.digest() == python.digest()
    if batch == 1:
        assert rust.report() == search(position, kind(200, seed=3))


@pytest.mark.parametrize("kind", CONVERGING_KINDS)
@pytest.mark.parametrize("threads", [2, 3, 16])
def test_batches_do_not_depend_on_threads(threads: int, kind: type[TreeSearch]) -> None:
    how = kind(3000, seed=5, batch=24, playout=mast())
    position = Position.start("breakthrough(columns=6, rows=6)")
    alone = Searcher(position, how)
    together = Searcher(position, how, threads=threads, parallel="batch")
    assert alone.run().digest == together.run().digest
    assert alone.report().digest is not None


@pytest.mark.parametrize("kind", CONVERGING_KINDS)
@pytest.mark.parametrize(
    "game", ["breakthrough(columns=5, rows=5)", "go(size=5)", "othello(size=6)"]
)
@pytest.mark.parametrize("transpositions", [True, False])
def test_advance_keeps_the_subtree(game: str, kind: type[TreeSearch], transpositions: bool) -> None:
    how = kind(300, seed=2, transpositions=transpositions)
    position = Position.start(game)
    rust, python = (Searcher(position, how, engine=engine) for engine in ("rust", "python"))
    for _ in range(3):
        before = rust.run()
        assert before == python.run()
        assert rust.digest() == python.digest()
        known = before[before.best].visits
        move = before.best
        kept = rust.advance(move)
        assert kept == python.advance(move)
        assert rust.digest() == python.digest()
        visits = sum(entry.visits for entry in kept.moves)
        # The first visit is only counted above; other ways may lead there too.
        assert visits >= known - 1 if transpositions else visits == known - 1
        assert kept.nodes < before.nodes


@pytest.mark.parametrize("kind", [Uct, Rave, Grave])
def test_advance_of_a_tree_that_threads_share(kind: type[TreeSearch]) -> None:
    how = kind(seed=2, transpositions=False)
    for game in ("breakthrough(columns=5, rows=5)", "go(size=5)", "othello(size=6)"):
        position = Position.start(game)
        shared = Searcher(position, how, threads=4, parallel="tree")
        for _ in range(3):
            report = shared.run(400)
            known = report[report.best].visits
            after = sum(entry.visits for entry in shared.advance(report.best).moves)
            # Threads that try a move at the same time all count as its first visit.
            assert known - 4 <= after < known
            assert sum(entry.visits for entry in shared.run(100).moves) == after + 100


@pytest.mark.parametrize("game", SMALL)
def test_threads_prove_the_truth(game: str) -> None:
    """Which proofs are found depends on the threads; those that are found are true."""
    proofs = 0
    for kind in (Uct, Rave, Grave):
        position = Position.start(game)
        for ply in range(16):
            how = kind(3000, seed=ply)
            reports = [
                search(position, how, threads=threads, parallel="tree") for threads in (4, 3)
            ]
            for report in reports:
                if report.playouts < 3000:
                    assert report.stopped in ("proven", "only move")
                for entry in report.moves:
                    if entry.proven:
                        after = position.play(entry.move)
                        truth = value(position.game, after.state)
                        assert proven_value(position, entry.proven) == truth
                        proofs += 1
            position = position.play(reports[0].ranked[len(report.moves) // 2].move)
            if position.outcome is not None:
                break
    assert proofs > 0


def test_an_advanced_search_is_the_search_of_the_new_position() -> None:
    """After two moves it knows that position's moves, and its reports name them."""
    searcher = Searcher(Position.start("connect_four"), Uct(2000, seed=1))
    searcher.run()
    searcher.advance("4")
    report = searcher.advance("4")
    assert report.position == Position.start("connect_four").play("4").play("4")
    assert report.best in report.position.moves
    more = searcher.run(1000)
    assert sum(entry.visits for entry in more.moves) == 1000 + sum(e.visits for e in report.moves)
    with pytest.raises(ValueError, match="invalid move"):
        searcher.advance("9")


def test_memory_bounds_the_tree_and_says_so() -> None:
    position = Position.start("breakthrough")
    free = Searcher(position, Uct(60_000, seed=1)).run()
    bound = Searcher(position, Uct(60_000, seed=1), memory="256KiB").run()
    assert not free.full
    assert bound.full
    assert bound.nodes < free.nodes / 2
    assert bound.playouts == 60_000
    # It goes on without bias: the means agree within the noise of such counts.
    best = free[free.best]
    again = bound[free.best]
    assert best.mean is not None
    assert again.mean is not None
    assert abs(best.mean - again.mean) < 0.05
    roomy = Searcher(position, Uct(20_000, seed=1), memory="64MiB").run()
    assert roomy == Searcher(position, Uct(20_000, seed=1)).run()


@pytest.mark.parametrize("memory", ["0", "1", "-1MiB", "much", "12 apples", "1e3", 1, -5, True])
def test_bad_memory(memory: Any) -> None:
    with pytest.raises(ValueError, match="memory must be"):
        Searcher(Position.start("tic_tac_toe"), Uct(), memory=memory)


@pytest.mark.parametrize("kind", CONVERGING_KINDS)
def test_the_tree_can_be_looked_into(kind: type[TreeSearch]) -> None:
    position = Position.start("breakthrough(columns=5, rows=5)")
    how = kind(2000, seed=1)
    rust, python = (Searcher(position, how, engine=engine) for engine in ("rust", "python"))
    report = rust.run()
    python.run()
    tree, reference = rust.tree(depth=3, top=2), python.tree(depth=3, top=2)
    assert tree.to_dict() == reference.to_dict()
    assert [child.visits for child in tree.children] == sorted(
        (entry.visits for entry in report.moves), reverse=True
    )
    best = tree.children[0]
    assert best.name == report.best_name
    assert best.mean == report[report.best].mean
    assert best.children
    # Lazily: deeper than what was asked for.
    node, depth = tree, 0
    while node.children:
        node, depth = node.children[0], depth + 1
    assert depth > 3


@pytest.mark.parametrize("kind", [Uct, AmafUct, Rave, Grave])
def test_the_tree_of_threads_can_be_looked_into(kind: type[TreeSearch]) -> None:
    """It is whole: a move's visits are those below it, but for the first, which had no node."""
    how = kind(seed=1, solver=False)
    position = Position.start("breakthrough(columns=5, rows=5)")
    searcher = Searcher(position, how, threads=2, parallel="tree")
    report = searcher.run(4000)
    tree = searcher.tree()
    assert {child.name: child.visits for child in tree.children} == {
        entry.name: entry.visits for entry in report.moves
    }
    best = tree.children[0]
    assert (best.name, best.mean) == (report.best_name, report[report.best].mean)
    below = sum(child.visits for child in best.children)
    assert 0.9 * best.visits < below <= best.visits


def test_parallel_batch_needs_a_batch() -> None:
    with pytest.raises(ValueError, match="batch"):
        Searcher(Position.start("breakthrough"), Uct(), threads=2, parallel="batch")


class Debt:
    """States that differ in -1 and -2 alone, to Python's `hash` the same: move 1 wins, 0 loses."""

    def start(self):
        return (0, 0)

    def turn(self, state):
        return Player(state[1] % 2)

    def outcome(self, state):
        winner = Player.FIRST if state[0] == 9 else Player.SECOND
        return None if state[1] < 4 else Outcome(winner)

    def moves(self, state):
        return [0, 1] if state[1] < 4 else []

    def play(self, state, move):
        debt, ply = state
        if ply == 0:
            debt = -1 - move
        elif (ply, debt) == (2, -2):
            debt = 9 if move else 8
        elif (ply, debt) == (3, -1):
            debt = 8 if move else 9
        return (debt, ply + 1)


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_states_with_the_same_hash_are_told_apart(engine: Any) -> None:
    start = Position.start(Debt())
    assert solve(start).per_move == {0: -1, 1: 1}
    for seed in range(5):
        report = search(start, Uct(300, seed=seed), engine=engine)
        assert [entry.proven for entry in report.moves] != ["loss", "loss"]
        assert report[1].proven == "win"
