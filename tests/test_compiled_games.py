"""Games by `sylve.compiled`: machine code beside plain Python, threads, files, faults."""

from __future__ import annotations

import pickle
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sylve
from compiled_games import FAULTS, SMALL, Breakthrough, ConnectFour, Domineering, Planted
from searches import ROOTS, SHARED_TREES, SUMMED_ROOTS, TREES, short
from sylve import (
    AlphaBeta,
    Grave,
    InvalidGame,
    MultiScaleRave,
    Position,
    Rave,
    Rng,
    Search,
    Searcher,
    Uct,
    check_game,
    evaluate,
    perft,
    search,
    solve,
)
from sylve.errors import EndlessGame
from sylve.native import game as native_game

PLAYOUTS = 40


def in_python(game: Any) -> Position:
    return Position.start(game.in_python())


# All paths find the same.


@pytest.mark.parametrize("game", SMALL, ids=str)
@pytest.mark.parametrize("how", [*TREES, *ROOTS], ids=short)
def test_every_search(game: Any, how: Search) -> None:
    how = replace(how, playouts=PLAYOUTS, seed=3)
    compiled = search(game, how)
    assert compiled.engine == "rust"
    assert compiled == search(game, how, engine="python")


@pytest.mark.parametrize("game", [*SMALL, Planted()], ids=str)
@pytest.mark.parametrize("how", [Uct(), Rave(), Grave(playout=sylve.policies.mast())], ids=short)
def test_the_python_game_in_the_compiled_engine(game: Any, how: Search) -> None:
    how = replace(how, playouts=PLAYOUTS, seed=5)
    plain = search(in_python(game), how, engine="rust")
    assert (plain.engine, plain) == ("rust", search(game, how))


@pytest.mark.parametrize("how", [Uct(), Rave(), MultiScaleRave(by="kind")], ids=short)
def test_priorities_guide_playouts_alike(how: Search) -> None:
    how = replace(how, playouts=300, seed=5, solver=False)
    assert search(Planted(heap=30), how) == search(Planted(heap=30), how, engine="python")


PAIRS = [
    (Breakthrough(), "breakthrough", 4),
    (Breakthrough(3, 5), "breakthrough(columns=3, rows=5)", 6),
    (ConnectFour(), "connect_four", 5),
    (ConnectFour(5, 4), "connect_four(columns=5, rows=4)", 7),
]


@pytest.mark.parametrize(("game", "name", "depth"), PAIRS, ids=lambda value: str(value))
def test_beside_the_games_of_the_package(game: Any, name: str, depth: int) -> None:
    assert perft(game, depth) == perft(name, depth)
    for index in range(5):
        own, ours, rng = Position.start(game), Position.start(name), Rng.stream(7, index)
        while ours.outcome is None:
            assert (own.moves, own.turn, own.outcome) == (ours.moves, ours.turn, None)
            move = ours.moves[rng.below(len(ours.moves))]
            assert (own.code(move), own.name(move)) == (ours.code(move), ours.name(move))
            own, ours = own.play(move), ours.play(move)
        assert own.outcome == ours.outcome
    for how in (Uct(2000, seed=1), Rave(2000, seed=1), Grave(2000, seed=1)):
        reports = [search(position, how) for position in (game, name)]
        counts = [[(m.move, m.visits, m.wins, m.amaf_visits) for m in r.moves] for r in reports]
        assert counts[0] == counts[1]


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_perft_is_that_of_plain_python(game: Any) -> None:
    for finished in ("zero", "leaf"):
        assert perft(game, 4, finished) == perft(game, 4, finished, engine="python")


@pytest.mark.parametrize("game", [ConnectFour(4, 4), Domineering(3), Domineering(4)], ids=str)
def test_solve(game: Any) -> None:
    position = Position.start(game)
    while len(position.moves) > 3 and len(position.played) < 5:
        position = position.play(position.moves[1])
    found = [solve(position, engine=engine) for engine in ("rust", "python")]
    assert found[0].engine == "rust"
    assert (found[0].value, found[0].per_move) == (found[1].value, found[1].per_move)


@pytest.mark.parametrize("game", SMALL[:2], ids=str)
@pytest.mark.parametrize(
    "evaluation", [None, "own", lambda p: len(p.moves)], ids=["first", "own", "function"]
)
def test_alpha_beta(game: Any, evaluation: Any) -> None:
    position = Position.start(game)
    for _ in range(3):
        how = AlphaBeta(3, evaluation=evaluation, multi=True)
        rust, python = (search(position, how, engine=engine) for engine in ("rust", "python"))
        assert (rust.engine, rust.best, rust.score) == ("rust", python.best, python.score)
        assert [m.score for m in rust.moves] == [m.score for m in python.moves]
        assert evaluate(position) == evaluate(position, engine="python")
        position = position.play(position.moves[-1])


def test_without_an_evaluation() -> None:
    with pytest.raises(
        ValueError, match=r"Domineering\(size=4\) has no evaluation: give the game a method"
    ):
        search(Domineering(4), AlphaBeta(3))


# Threads, files, processes.


def test_what_one_game_says_of_a_state_is_not_what_another_says() -> None:
    """A stone in the first column looks alike on both boards; the moves after it do not."""
    searchers = [Searcher(ConnectFour(columns, 4), Uct(seed=1, solver=False)) for columns in (4, 5)]
    for searcher in searchers:
        searcher.run(400)
    for searcher in searchers * 2:
        found = searcher._runner.look((0,))
        assert found is not None
        assert len(found.own) == searcher.position.game.columns


@pytest.mark.parametrize("game", SMALL, ids=str)
@pytest.mark.parametrize("how", [*SUMMED_ROOTS, *SHARED_TREES[:3]], ids=short)
def test_two_threads_by_root(game: Any, how: Search) -> None:
    how = replace(how, playouts=2 * PLAYOUTS, seed=2)
    if hasattr(how, "solver"):
        how = replace(how, solver=False)
    assert search(game, how, threads=2) == search(game, how, threads=2, engine="python")


@pytest.mark.parametrize("game", [Breakthrough(), ConnectFour(), Domineering()], ids=str)
@pytest.mark.parametrize("how", SHARED_TREES, ids=short)
def test_two_threads_in_one_tree_lose_nothing(game: Any, how: Search) -> None:
    report = search(game, replace(how, playouts=3000, seed=2), threads=2, parallel="tree")
    assert report.playouts == sum(move.visits for move in report.moves) == 3000


@pytest.mark.parametrize("engines", [("rust", "python"), ("python", "rust")], ids=str)
def test_saved_in_one_engine_loaded_in_the_other(engines: tuple[Any, Any], tmp_path: Path) -> None:
    game, how = Domineering(4), Rave(2 * PLAYOUTS, seed=1)
    first = Searcher(Position.start(game), how, engine=engines[0])
    first.run(PLAYOUTS)
    first.save(tmp_path / "a.search")
    second = Searcher.load(tmp_path / "a.search", game=game, engine=engines[1])
    assert second.run(PLAYOUTS) == search(game, how)


def test_a_good_citizen() -> None:
    game = Domineering(size=4)
    assert game == Domineering(4) != Domineering(5)
    assert game != ConnectFour(4, 4)
    assert hash(game) == hash(Domineering(4))
    assert repr(game) == "Domineering(size=4)"
    assert game.size == 4
    position = Position.start(game).play(0).play(2)
    assert position.text == "#.##/#.../..../.... x"
    assert Position.parse(game, position.text) == position
    assert position.state.taken[0].tolist()[:4] == [1, 0, 1, 1]
    again = pickle.loads(pickle.dumps(position))
    assert (again, again.game.native) == (position, True)
    assert not pickle.loads(pickle.dumps(game.in_python())).native
    with pytest.raises(AttributeError, match="immutable"):
        position.state.turn = 1
    with pytest.raises(ValueError, match="size must be from 2 to 8, not 9"):
        Domineering(9)
    with pytest.raises(InvalidGame, match="size must be a number, not '4'"):
        sylve.compiled(declared(size="4", annotations={"size": int}))()


# What is wrong is said, and nothing dies.

SAID = {
    "no_count": "moves() must give how many moves it has written, from 1 to max_moves = 3",
    "large_count": "moves() must give how many moves it has written, from 1 to max_moves = 3",
    "negative_move": "moves() must write increasing numbers from 0 to 65535, not [-1",
    "large_move": "moves() must write increasing numbers from 0 to 65535, not [",
    "unordered": "moves() must write increasing numbers",
    "changed": "only start() and play() may change the state, not set 'matches'",
    "outcome": "outcome() must be a whole number from 0 to 3, not 4",
    "turn": "turn() must be a whole number from 0 to 1, not 2",
    "raise_moves": "raised ArithmeticError: planted",
    "raise_play": "raised ArithmeticError: planted",
    "bounds_play": "raised IndexError",
    "endless": "the game has not ended after 700 plies: Planted(",
    "code": "the AMAF code 99 of move",
    "kind": "kind() must be from 0 to 1, not 2",
    "priority": "priority(",
    "evaluate": "evaluate() must be a whole number from -900000 to 900000, not 1000000",
}
HOW: dict[str, Any] = {
    "kind": MultiScaleRave(50, by="kind"),
    "evaluate": AlphaBeta(7),
    "code": Rave(50),
}


@pytest.mark.parametrize("after", [2, 5])
@pytest.mark.parametrize("fault", FAULTS[1:])
def test_a_planted_fault_is_named(fault: str, after: int) -> None:
    """The start is in order: the fault lies below it, where only machine code comes."""
    start = Position.start(Planted(9, FAULTS.index(fault), after))
    with pytest.raises(ValueError, match=re.escape(SAID[fault])) as caught:
        search(start, HOW.get(fault, Uct(200, solver=False)))
    assert isinstance(caught.value, EndlessGame) == (fault == "endless")
    assert "Planted(heap=9" in str(caught.value)


def test_a_thousand_faults_and_the_process_lives() -> None:
    hows: list[Any] = [Uct(60), Rave(60), Uct(60, playout=sylve.policies.mast())]
    kinds = [FAULTS.index(name) for name in SAID if name not in HOW]
    told = 0
    for index in range(1000):
        game = Planted(9, kinds[index % len(kinds)], 2 + index % 4)
        threads = 1 + index % 2
        parallel = "tree" if index % 4 == 1 else "root"
        how = hows[index % 2 if parallel == "tree" else index % 3]
        how = replace(how, seed=index)
        try:
            search(game, how, threads=threads, parallel=parallel)
        except ValueError as error:
            assert str(error).startswith(("Planted(", "the game has not ended"))
            told += 1
    assert told > 900


@pytest.mark.parametrize(
    "fault", ["raise_play", "changed", "unordered", "no_count", "large_count", "negative_move"]
)
def test_faults_of_perft_and_solve(fault: str) -> None:
    """Without playouts, which would meet the fault too."""
    for ask in (lambda game: perft(game, 6), solve):
        with pytest.raises(ValueError, match=re.escape(SAID[fault])):
            ask(Planted(9, FAULTS.index(fault), 4))


@pytest.mark.parametrize("fault", [name for name in SAID if name not in ("endless", "kind")])
def test_check_game_names_the_fault(fault: str) -> None:
    found = check_game(Planted(9, FAULTS.index(fault), 5), games=20)
    assert not found
    assert len(str(found).splitlines()) < 24
    assert len(str(found)) < 800


# `check_game` compares both paths.


def test_check_game_compares() -> None:
    for game in SMALL:
        assert check_game(game, games=10)


def test_check_game_names_the_method_that_differs() -> None:
    @sylve.compiled
    class Differs(Planted.rules_class):  # type: ignore[misc, name-defined]
        def evaluate(self, s):  # type: ignore[no-untyped-def]
            return s.matches << 62 >> 62  # 64 bits when compiled, all of them in Python

    found = check_game(Differs(), games=3)
    assert str(found).startswith("evaluate: compiled 1, in plain Python 9 (after the start;")


# Without Numba, and what the class must have.


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    how = Uct(50, seed=1)
    expected = search(Domineering(4), how)
    monkeypatch.setattr(native_game, "missing", lambda *_: "no numba: pip install 'sylve[numba]'")
    native_game.without_numba.cache_clear()
    try:
        with pytest.warns(UserWarning, match=r"pip install 'sylve\[numba\]'; until then it runs"):
            assert search(Domineering(4), how) == expected
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # it is said once
            assert search(Domineering(4), how, threads=2).playouts == 50
            assert check_game(Domineering(4), games=5)
    finally:
        native_game.without_numba.cache_clear()


def declared(*, annotations: dict[str, Any] | None = None, **changes: Any) -> type:
    """A class for the decorator: that of `Planted` with changes; None takes a name away."""
    methods = dict(vars(Planted.rules_class))
    kept = {
        name: value
        for name, value in methods.items()
        if name in ("state", "max_moves", "start", "turn", "outcome", "moves", "play")
    }
    body = {name: value for name, value in {**kept, **changes}.items() if value is not None}
    return type("Wrong", (), {**body, "__annotations__": annotations or {}})


def three(self: Any, s: Any, out: Any) -> int:
    return 0


REFUSED = [
    ({"moves": None}, "Wrong.moves(self, ...) is missing"),
    ({"moves": 3}, "Wrong.moves(self, ...) must be a method, not 3"),
    ({"outcome": three}, "Wrong.outcome must have 2 arguments, self included, not 3"),
    ({"max_moves": None}, "Wrong.max_moves must be the largest number of legal moves, from 1 to"),
    ({"max_moves": 0}, "not 0"),
    ({"state": None}, "Wrong.state must be a numpy.dtype with named fields, not None"),
    ({"state": np.dtype(np.int8)}, "must be a numpy.dtype with named fields"),
    ({"state": np.dtype([("a", object)], align=True)}, "the field 'a' is of type object"),
    ({"state": np.dtype([("a", "U3")], align=True)}, "only numbers and arrays of numbers"),
    ({"state": np.dtype([("a", np.int8), ("b", np.int64)])}, "must be aligned"),
    ({"state": np.dtype([("a", np.int8, 70_000)], align=True)}, "has 70000 bytes: at most 65536"),
    ({"hash": three}, "Wrong.hash: a compiled game cannot have it; use key(self, s)"),
    ({"playout": three}, "use priority(self, s, move)"),
    ({"kinds": lambda self: 2}, "kind() and kinds() belong together"),
    ({"count_moves": lambda self, s: 2}, "count_moves() and nth_move() belong together"),
    ({"annotations": {"name": str}, "name": "x"}, "an argument of a compiled game is an int"),
]


@pytest.mark.parametrize(("changes", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_a_class_is_refused_at_once(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidGame) as caught:
        sylve.compiled(declared(**changes))
    assert told in str(caught.value)


def test_what_numba_cannot_compile() -> None:
    def outcome(self: Any, s: Any) -> int:
        return len({s.matches: "a"}[0])  # text in a dictionary

    game = sylve.compiled(declared(outcome=outcome, annotations={"heap": int}, heap=3))()
    with pytest.raises(InvalidGame, match=r"Wrong cannot be compiled: .") as caught:
        perft(game, 1)
    assert len(str(caught.value)) < 600
