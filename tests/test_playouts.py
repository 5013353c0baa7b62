"""One random game: `Position.playout` is the playout that a search makes; guided playouts."""

from collections import Counter
from typing import Any

import pytest

from helpers import GAMES, random_game, spread
from sylve import Flat, FlatAmaf, Outcome, Position, Rave, Rng, Uct, parse_search, search
from sylve.engine import to_core
from sylve.errors import EndlessGame
from sylve.game import full_game
from sylve.policies import weighted
from test_check_game import Nim

ENGINES = ("python", "rust")
SMALL = "breakthrough(columns=5, rows=5)"


@pytest.mark.parametrize("game", GAMES)
def test_a_playout_is_that_of_the_compiled_engine(game: str) -> None:
    """The same stream: the same codes and the same result."""
    for start in spread(random_game(game, seed=3, index=0), 10):
        playout = start.playout(Rng.stream(4, 9))
        winner = -1 if playout.outcome.winner is None else int(playout.outcome.winner)
        assert to_core(start).traced_playout(4, 9) == (winner, list(playout.codes))


@pytest.mark.parametrize("game", GAMES)
def test_its_moves_lead_to_its_end(game: str) -> None:
    start = Position.start(game)
    for index in range(3):
        playout = start.playout(Rng.stream(1, index))
        state, codes = start.state, []
        for move in playout.moves:
            codes.append(start.game.code(state, move))
            state = start.game.play(state, move)
        assert state == playout.end.state
        assert playout.end.played == playout.moves
        assert tuple(codes) == playout.codes[: len(codes)]
        assert len(codes) == len(playout.codes) or game.startswith("hex")  # which fills the board
        if not game.startswith("go"):  # which may be cut off
            assert playout.end.outcome == playout.outcome


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("game", GAMES)
def test_the_first_simulation_plays_it(game: str, engine: Any) -> None:
    """Simulation 0 tries the first move and plays on from there with stream 0."""
    start = Position.start(game)
    for seed in range(4):
        report = search(start, Uct(1, seed=seed, solver=False), engine=engine)
        (tried,) = [entry for entry in report.moves if entry.visits]
        outcome = start.play(tried.move).playout(Rng.stream(seed, 0)).outcome
        assert 2 * tried.wins + tried.draws == outcome.points(start.turn)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("game", [SMALL, "tic_tac_toe", "connect_four", "othello(size=6)"])
def test_all_moves_as_first_counts_these_playouts(game: str, engine: Any) -> None:
    """`FlatAmaf` draws its first move from the same stream: its tallies are those of the codes."""
    start = Position.start(game)
    seen, points = Counter[int](), Counter[int]()
    for index in range(60):
        playout = start.playout(Rng.stream(7, index))
        for code in set(playout.codes):
            seen[code] += 1
            points[code] += playout.outcome.points(start.turn)
    for entry in search(start, FlatAmaf(60, seed=7), engine=engine).moves:
        code = start.code(entry.move)
        assert entry.amaf_visits == seen[code]
        assert not seen[code] or entry.amaf_mean == pytest.approx(points[code] / seen[code] / 2)


class Own(Nim):
    """A game with a playout of its own: both take one until nothing is left."""

    strange: tuple[int, ...] = ()

    def playout(self, state: Any, rng: Rng, played: list[int] | None = None) -> Outcome:
        del rng
        while (outcome := self.outcome(state)) is None:
            if played is not None:
                played.append(2 * self.moves(state)[0] + self.turn(state))
            state = self.play(state, self.moves(state)[0])
        if played is not None:
            played[len(played) - len(self.strange) :] = self.strange
        return outcome


def test_own_games() -> None:
    plain = Position.start(Nim()).playout(Rng.stream(1, 0))
    assert plain.end.outcome == plain.outcome
    own = Position.start(Own())
    game = own.playout(Rng.stream(1, 0))
    assert set(game.moves) == {own.moves[0]}
    assert game.end.outcome == game.outcome
    own.game.strange = (99,)
    with pytest.raises(ValueError, match=r"played code 99, which no move has here"):
        own.playout(Rng.stream(1, 0))


class Endless(Nim):
    """Nobody ever takes anything."""

    def play(self, state: Any, move: int) -> Any:
        del move
        return state


def test_a_playout_without_end_is_given_up() -> None:
    with pytest.raises(EndlessGame, match="has not ended after 10000 plies"):
        Position.start(Endless()).playout(Rng.stream(1, 0))


@pytest.mark.parametrize("given", [None, 3, "seed"])
def test_what_is_no_generator_is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match=r"rng must be a generator such as Rng\.stream\(1, 0\)"):
        Position.start("hex(size=3)").playout(given)


# Guided playouts: weights by name, by code, by a function.


@pytest.mark.parametrize("game", GAMES)
def test_the_name_of_a_code_is_that_of_the_move(game: str) -> None:
    for position in random_game(game, seed=5, index=0):
        for move in position.moves:
            assert position.game.code_name(position.code(move)) == position.name(move)


def some_names(game: str) -> dict[str, int]:
    """Weights for the names of two moves of each side."""
    weights = {}
    for number, position in enumerate(list(random_game(game, seed=6, index=1))[:4]):
        if position.moves:
            weights[position.name(position.moves[-1])] = (9, 0, 30, 4)[number]
    return weights


@pytest.mark.parametrize("game", GAMES)
def test_weights_by_name_are_the_same_in_both_engines(game: str) -> None:
    start, weights = Position.start(game), some_names(game)
    codes = start.game.codes()
    many = 3 if codes > 300 else 12 if codes > 100 else 60
    how = Rave(many, seed=2, playout=weighted(weights))
    python, rust = (search(start, how, engine=engine) for engine in ENGINES)
    assert python.moves == rust.moves
    assert (python.engine, rust.engine) == ENGINES
    assert parse_search(str(how)) == how

    def by_hand(position: Position, move: int) -> int:
        return weights.get(position.name(move), 1)

    function = search(start, Rave(many, seed=2, playout=weighted(by_hand)))
    assert function.moves == python.moves
    assert function.engine == "python"  # the report says who has run it


def test_the_weights_are_obeyed() -> None:
    """A move that weighs nothing is never played; one that weighs much nearly always."""
    start = Position.start("tic_tac_toe")
    policy = weighted({"b2": 1000, "a1": 0})
    first = Counter[str]()
    for index in range(200):
        played: list[int] = []
        policy.playout(full_game(start.game), start.state, Rng.stream(1, index), played, {})
        first[start.game.code_name(played[0])] += 1
    assert first["a1"] == 0
    assert first["b2"] > 190


def test_a_code_comes_before_a_name() -> None:
    start = Position.start("tic_tac_toe")
    for policy in (weighted("a1=0 b2=7 0:3"), weighted({"a1": 0, 0: 3, "b2": 7})):
        game = full_game(start.game)
        weights = [policy.weigh(game, start.state, move) for move in start.moves]
        assert weights == [3, 1, 1, 1, 7, 1, 1, 1, 1]
        table = policy.by_code(start.game)
        assert (table[0], table[1], table[8], table[9]) == (3, 0, 7, 7)


def test_own_games_are_asked_for_names_in_python() -> None:
    start, how = Position.start(Nim()), Flat(60, playout=weighted({"2": 50}))
    report = search(start, how)
    assert report.engine == "python"
    assert report.moves == search(start, how, engine="python").moves
    assert report.moves != search(start, Flat(60)).moves
    with pytest.raises(ValueError, match=r"only Python can ask .* for the names of its moves"):
        search(start, how, engine="rust")


def half(position: Position, move: int) -> Any:
    del position, move
    return 0.5


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"a b": 1}, "name=weight pairs such as '3:10 b2=5', with weights up to 1000000, not 'a b"),
        ({"b2": -1}, "not 'b2=-1'"),
        ({"b2": 1.5}, "not 'b2=1.5'"),
        ({"": 1}, "not '=1'"),
        ({"b2": 1_000_001}, "not 'b2=1000001'"),
        ({(1, 2): 3}, r"not '\(1, 2\):3'"),
        (3, "weights must be text, a mapping or a function, not 3"),
        ({"z9": 3}, r"no move of .* is called 'z9'"),
        ({"bb2": 3}, r"no move of .* is called 'bb2': did you mean 'b2'\?"),
        (half, "half must give a whole number from 0 to 1000000, not 0.5"),
    ],
)
def test_weights_that_are_none_are_refused(weights: Any, told: str) -> None:
    for engine in ENGINES if not callable(weights) else ("python",):
        with pytest.raises(ValueError, match=told):
            search("tic_tac_toe", Uct(20, playout=weighted(weights)), engine=engine)


def test_a_function_needs_the_python_engine() -> None:
    with pytest.raises(ValueError, match="half is a function in Python: use engine"):
        search("tic_tac_toe", Uct(20, playout=weighted(half)), engine="rust")
