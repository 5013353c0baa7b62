"""`check_game` finds each way to break the protocol, and names it."""

import dataclasses
import itertools

import pytest

import sylve.check
from sylve import (
    AlphaBeta,
    Flat,
    GameCheck,
    Outcome,
    Player,
    Position,
    Uct,
    check_game,
    compare_estimates,
    load_game,
    search,
    solve,
)
from sylve.search.reference.alpha_beta import Tree
from turns import GAMES, DotsAndBoxes


class Nim:
    """Take one to three matches; who takes the last one wins. The state: (matches, turn)."""

    def start(self):
        return (7, Player.FIRST)

    def turn(self, state):
        return state[1]

    def outcome(self, state):
        return Outcome(state[1].other) if state[0] == 0 else None

    def moves(self, state):
        return [taken for taken in (1, 2, 3) if taken <= state[0]]

    def play(self, state, move):
        return (state[0] - move, state[1].other)


def test_a_good_game_passes() -> None:
    check = check_game(Nim())
    assert check
    assert check.games == 1000
    assert check.positions > 3000
    assert str(check) == f"no broken rule in 1,000 games, {check.positions:,} positions"


def test_the_games_of_the_package_pass() -> None:
    assert check_game(load_game("tic_tac_toe"), games=200)


def test_a_users_game_is_a_position_citizen() -> None:
    position = Position.start(Nim())
    after = position.play(3).play("2")
    assert after.state == (2, Player.FIRST)
    assert after.moves == (1, 2)
    assert after.names == ("1", "2")
    assert after.code(2) == 4
    assert after.turn == Player.FIRST
    assert after.play(2).outcome == Outcome(Player.FIRST)
    assert after == Position(after.game, (2, Player.FIRST))
    assert hash(after) == hash(Position(after.game, (2, Player.FIRST)))
    assert "x to move" in str(after)
    with pytest.raises(ValueError, match="legal here: 1=1 2=2"):
        after.play(3)
    with pytest.raises(ValueError, match="no method 'write'"):
        _ = after.text


def broken(**methods) -> GameCheck:
    return check_game(type("Broken", (Nim,), methods)(), games=50)


TURNS = itertools.cycle((0, 1))

BROKEN = {
    "turn\\(\\) must be": {"turn": lambda self, state: "black"},
    "outcome\\(\\) must be": {"outcome": lambda self, state: 0.5 if state[0] == 0 else None},
    "not hashable": {"start": lambda self: [7, Player.FIRST]},
    "increasing": {"moves": lambda self, state: list(range(state[0], 0, -1))},
    "increasing and without duplicates": {"moves": lambda self, state: [1] * min(2, state[0])},
    "must be an integer": {"moves": lambda self, state: ["one"] if state[0] else []},
    "integer from 0": {"moves": lambda self, state: [-1] if state[0] else []},
    "there are legal moves": {"outcome": lambda self, state: Outcome(None)},
    "no legal move": {"outcome": lambda self, state: None},
    "has not ended": {"play": lambda self, state, move: state},
    "raised IndexError": {"play": lambda self, state, move: ()[move]},
    "has not ended after 2 plies": {"longest_game": lambda self: 2},
    "hash\\(\\) must be": {"hash": lambda self, state: -1},
    "AMAF code 4 of move 2 is not below 3": {"codes": lambda self: 3},
    "is not below 8192": {
        "moves": lambda self, state: [5000] if state[0] else [],
        "play": lambda self, state, move: (state[0] - 1, state[1].other),
    },
    "belong together": {"kind": lambda self, code: 0},
    "kind\\(\\) must be from 0 to 1, not 2": {
        "kinds": lambda self: 2,
        "kind": lambda self, code: code,
    },
    "playout\\(\\) must give an Outcome": {"playout": lambda self, state, rng, played: None},
    "playout\\(\\) must append AMAF codes": {
        "playout": lambda self, state, rng, played: played.append(-1) or Outcome(None),
    },
    "playout\\(\\) ends otherwise": {
        "playout": lambda self, state, rng, played: Outcome(Player(next(TURNS))),
    },
    "outcome\\(\\) is None but playout_moves\\(\\) is \\[\\]": {
        "playout_moves": lambda self, state: [],
    },
    "is_legal\\(1\\) and moves\\(\\) disagree": {
        "is_legal": lambda self, state, move: move > 1,
    },
    "is_legal\\(3\\) and moves\\(\\) disagree": {"is_legal": lambda self, state, move: True},
    "symmetries need transform": {"symmetries": (0, 1)},
    "the first of the symmetries must change nothing": {
        "symmetries": (0, 1),
        "transform": lambda self, state, way: (state[0] + 1, state[1]),
    },
    "with another turn, outcome or number of moves": {
        "symmetries": (0, 1),
        "transform": lambda self, state, way: (state[0], Player(state[1] ^ way)),
    },
    "final_value\\(\\) is 1 for the side to move, outcome\\(\\) says a loss": {
        "final_value": lambda self, state: 1,
    },
    "not the state that was written": {
        "write": lambda self, state: "x",
        "read": lambda self, text: (0, Player.FIRST),
    },
    "not the move": {
        "write_move": lambda self, state, move: "x",
        "read_move": lambda self, state, text: 1,
    },
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_broken_rule_is_named(problem: str) -> None:
    check = broken(**BROKEN[problem])
    assert not check
    with pytest.raises(ValueError, match=problem):
        raise ValueError(check.problem)


def test_a_state_that_changes_is_found() -> None:
    class Mutable:
        def __init__(self) -> None:
            self.left = 3

        def __repr__(self) -> str:
            return f"Mutable({self.left})"

    class Game(Nim):
        shared = Mutable()

        def start(self):
            self.shared.left = 3
            return self.shared

        def turn(self, state):
            return Player.FIRST

        def outcome(self, state):
            return Outcome(None) if state.left == 0 else None

        def moves(self, state):
            return [1] if state.left else []

        def play(self, state, move):
            state.left -= 1
            return state

    assert "changed the state" in str(check_game(Game()))


def test_lists_that_change_are_found() -> None:
    class Game(Nim):
        calls = 0

        def moves(self, state):
            self.calls += 1
            return [1] if self.calls % 2 else [1, 2]

    assert "another list" in str(check_game(Game()))


# Searches near the end.


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_player_may_move_twice_in_a_row(game) -> None:
    assert check_game(game, games=200)


def alternating(self, position, depth, alpha, beta, ply=0):
    """Alpha-beta as it is often written: whoever moved, the other one is next."""
    self.visit()
    if depth == 0 or position.outcome is not None:
        return self.score(position, ply), ()
    found = [
        (alternating(self, after, depth - 1, alpha, beta, ply + 1)[0], (move,))
        for move, after in self.children(position)
    ]
    return (min if ply % 2 else max)(found)


def test_an_alpha_beta_that_takes_turns_for_granted_is_found(monkeypatch) -> None:
    assert check_game(DotsAndBoxes(), games=200)
    monkeypatch.setattr(Tree, "alpha_beta", alternating)
    assert check_game(Nim(), games=200)
    check = check_game(DotsAndBoxes(), games=200)
    assert not check
    state = Position(DotsAndBoxes(), DotsAndBoxes().start()).play_line(check.moves).state
    assert f"searches disagree about {state!r}, for " in str(check)
    for search_name in ("minimax", "alpha_beta", "AlphaBeta in Python", "solve"):
        assert f"{search_name} says a " in str(check)


@pytest.mark.parametrize("game", [DotsAndBoxes(), load_game("connect_four(columns=4, rows=4)")])
def test_an_engine_that_is_wrong_is_found(game, monkeypatch) -> None:
    def wrong(position, how):
        report = search(position, how)
        assert isinstance(how, AlphaBeta)
        return dataclasses.replace(report, score=report.score and -report.score)

    assert check_game(game, games=60)
    monkeypatch.setattr(sylve.check, "search", wrong)
    check = check_game(game, games=60)
    engine = "Python" if isinstance(game, DotsAndBoxes) else "Rust"
    assert f"AlphaBeta in {engine} says" in str(check)


def test_equal_states_with_other_turns_are_found() -> None:
    @dataclasses.dataclass(frozen=True)
    class Forgetful:
        """A state that leaves out of comparisons who is to move."""

        left: int
        turn: Player = dataclasses.field(compare=False)

    class Game(Nim):
        """The first player may take one or two, the second one, two or three."""

        def start(self):
            return Forgetful(7, Player.FIRST)

        def turn(self, state):
            return state.turn

        def outcome(self, state):
            return None if state.left else Outcome(state.turn)

        def moves(self, state):
            return [taken for taken in (1, 2, 3)[: 2 + state.turn] if taken <= state.left]

        def play(self, state, move):
            return Forgetful(state.left - move, state.turn.other)

    check = check_game(Game())
    assert "searches disagree about" in str(check)
    assert "must depend on the state alone" in str(check)


def test_the_work_is_bounded_where_games_are_wide() -> None:
    class Wide:
        """Sixty plies of two hundred moves each: nothing can be searched to the end."""

        plays = 0

        def start(self):
            return (0, 0)

        def turn(self, state):
            return Player(state[0] % 2)

        def outcome(self, state):
            return Outcome(Player(state[1] % 2)) if state[0] == 60 else None

        def moves(self, state):
            return range(200) if state[0] < 60 else []

        def play(self, state, move):
            Wide.plays += 1
            return (state[0] + 1, (state[1] * 31 + move) % 1009)

    assert check_game(Wide(), games=100)
    random_games = 100 * 60 * 2  # each move is played twice
    assert Wide.plays < random_games + 2 * (60 + 10 * sylve.check.SMALL)


# What it says fits on a screen.


def huge(text: str) -> str:
    return text * 100_000


LONG = {
    "an endless game": {"play": lambda self, state, move: (state[0] + 1, state[1])},
    "a long state": {"start": lambda self: [huge("state"), Player.FIRST]},
    "a long turn": {"turn": lambda self, state: huge("black")},
    "a long outcome": {"outcome": lambda self, state: huge("won\n")},
    "a long list": {"moves": lambda self, state: list(range(60_000, 0, -1))},
    "a long move": {"moves": lambda self, state: [huge("one")]},
    "a long hash": {"hash": lambda self, state: 10**4000},
    "a long text": {"write": lambda self, state: huge("x"), "read": lambda self, text: None},
    "a long name": {
        "write_move": lambda self, state, move: huge("x"),
        "read_move": lambda self, state, text: None,
    },
    "a long error": {"play": lambda self, state, move: {}[huge("no such\nmove")]},
    "a long final value": {"final_value": lambda self, state: 10**4000},
}


@pytest.mark.parametrize("broken_game", LONG)
def test_a_report_fits_on_a_screen(broken_game: str) -> None:
    check = broken(**LONG[broken_game])
    assert not check
    for text in (str(check), repr(check)):
        assert len(text) < 24 * 80 // 2
        assert text.count("\n") == 0


def test_the_ends_of_a_long_game_are_told() -> None:
    check = broken(**LONG["an endless game"])
    assert len(check.moves) == 10_000
    first, last = (" ".join(map(str, part)) for part in (check.moves[:8], check.moves[-8:]))
    told = (
        f"the game has not ended after 10000 plies (after {first} ... {last}: 10,000 moves; game 1)"
    )
    assert str(check) == told
    short = GameCheck(0, 3, "the problem", (1, 2))
    assert str(short) == "the problem (after 1 2; game 1)"
    assert repr(short) == "GameCheck(games=0, positions=3, problem='the problem', moves='1 2')"


def test_errors_about_a_game_with_a_long_text_are_short() -> None:
    class Long(Nim):
        def __repr__(self) -> str:
            return huge("nim")

    class Endless(Long):
        def play(self, state, move):
            return state

    start, over = Position.start(Long()), Position.start(Long()).play_line([3, 3, 1])
    endless = Position.start(Endless())
    for fails in (
        lambda: start.text,
        lambda: search(start, AlphaBeta(2)),
        lambda: search(start, AlphaBeta(2, evaluation=lambda _: 0), engine="rust"),
        lambda: search(over, Uct(10)),
        lambda: compare_estimates(over),
        lambda: solve(start, engine="rust"),
        lambda: search(start, Uct(10, solver_nodes=5)),
        lambda: search(endless, Flat(10), engine="python"),
        lambda: search(endless, Flat(10), engine="rust"),
    ):
        with pytest.raises(ValueError, match="nimnim") as raised:
            fails()
        assert len(str(raised.value)) < 300
