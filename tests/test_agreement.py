"""The two implementations of each game follow the same rules, step by step."""

import pytest

from helpers import GAMES, random_game, spread
from sylve import Outcome, Position, Rng, _core
from sylve.game import playout

POSITIONS = 8_000  # per game, all its sizes together; 100,000 in the long tests
STARTS = 40  # of playouts; all of a game in the long tests


def winner(outcome: Outcome | None) -> int | None:
    if outcome is None:
        return None
    return -1 if outcome.winner is None else int(outcome.winner)


def assert_same(position: Position, rust: _core.Position) -> None:
    game, state = position.game, position.state
    assert rust.write() == position.text
    assert rust.turn() == position.turn
    assert rust.outcome() == winner(position.outcome)
    assert rust.hash() == position.key
    assert tuple(rust.playout_moves()) == tuple(game.playout_moves(state))
    moves = rust.moves()
    for move in moves:
        assert rust.write_move(move) == position.name(move)
        assert rust.code(move) == position.code(move)
        assert rust.read_move(position.name(move)) == move


def walk(game: str, positions: int) -> None:
    """Compare moves, names, hashes, codes, outcomes, texts along random games."""
    share = positions // sum(other.split("(")[0] == game.split("(")[0] for other in GAMES)
    seen = index = 0
    while seen < share:
        rust = _core.Position(game)
        for position in random_game(game, seed=1, index=index):
            if position.played:
                rust = rust.play(position.played[-1])
            assert_same(position, rust)
            # Superko is a matter of the game's history, which the compiled state has not.
            legal = position.game.moves(position.game.read(position.text))
            assert tuple(rust.moves()) == tuple(legal)
            seen += 1
        index += 1


def play_out(game: str, starts: int) -> None:
    """The same stream gives the same codes in the same order, and the same result."""
    for start in spread(random_game(game, seed=2, index=0), starts):
        rust = _core.Position(game, start.text)
        for index in range(3):
            codes: list[int] = []
            outcome = playout(start.game, start.state, Rng.stream(5, index), codes)
            assert rust.traced_playout(5, index) == (winner(outcome), codes)


@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_random_games(game: str) -> None:
    walk(game, POSITIONS)


@pytest.mark.parametrize("game", GAMES)
def test_playouts_are_the_same_game(game: str) -> None:
    play_out(game, STARTS)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_many_random_games(game: str) -> None:
    walk(game, 100_000)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_playouts_from_every_position(game: str) -> None:
    play_out(game, 10_000)
