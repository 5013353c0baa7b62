"""`check_game` finds each way to break the protocol, and names it."""

import pytest

from sylve import GameCheck, Outcome, Player, Position, check_game, load_game


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
    assert str(check) == f"no broken rule in 1000 games, {check.positions} positions"


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
    "has not ended after 2 plies": {"max_plies": lambda self: 2},
    "hash\\(\\) must be": {"hash": lambda self, state: -1},
    "code\\(\\) of move": {"codes": lambda self: 3},
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
