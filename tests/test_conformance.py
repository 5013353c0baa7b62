"""One test for every game and size: what any game must do, on both engines."""

from collections import Counter

import pytest
from scipy.stats import chisquare

from helpers import GAMES, random_game
from sylve import IllegalMove, Position, _core, load_game


def scaled(games: int, game: str) -> int:
    """Fewer games on large boards, where each is long: about the same number of cells filled."""
    return max(2, min(games, games * 64 // cells(game)))


def cells(game: str) -> int:
    rules = load_game(game)
    return rules.columns * rules.rows


@pytest.mark.parametrize("game", GAMES)
def test_conformance(game: str) -> None:
    """List equals predicate, increasing, text round trip, hash of the re-read position, ends."""
    rules = load_game(game)
    assert str(rules) == game
    for index in range(scaled(20, game)):
        rust = _core.Position(game)
        positions = list(random_game(game, seed=3, index=index))
        assert len(positions) - 1 <= rules.max_plies() == rust.max_plies()
        for position in positions:
            if position.played:
                rust = rust.play(position.played[-1])
            moves = position.moves
            assert list(moves) == sorted(set(moves))
            assert (position.outcome is None) == bool(moves)
            top = max(moves, default=0) + 3
            assert [m for m in range(top) if rust.is_legal(m)] == rust.moves()
            assert Position.parse(game, position.text) == position
            assert Position.parse(game, position.text).key == position.key
            assert _core.Position(game, position.text).hash() == rust.hash()
            # Every move, or 20 to 39 spread over the board: each reads the whole position again.
            for move in moves[:: len(moves) // 20 or 1]:
                assert position.move(position.name(move)) == move
                assert 0 <= position.code(move) < rules.codes() == rust.codes()
        with pytest.raises(IllegalMove, match="game is over"):
            positions[-1].play(0)


@pytest.mark.parametrize("game", GAMES)
def test_hashes_tell_positions_apart(game: str) -> None:
    """Among thousands of positions, equal hash means equal position."""
    by_key: dict[int, Position] = {}
    for index in range(scaled(100, game)):
        for position in random_game(game, seed=4, index=index):
            assert by_key.setdefault(position.key, position) == position
    assert len({position.text for position in by_key.values()}) == len(by_key)


@pytest.mark.parametrize("game", GAMES)
def test_the_law_of_playout_moves(game: str) -> None:
    """The first move of compiled playouts is uniform over the list (chi-square)."""
    # Rarer on large boards, where games are long and a test needs many draws.
    step = 7 if cells(game) < 100 else 97
    for ply, position in enumerate(random_game(game, seed=5, index=0)):
        if ply % step or len(position.moves) < 2:  # one move has no law
            continue
        rust = _core.Position(game, position.text)
        codes = [position.code(move) for move in rust.playout_moves()]
        draws = (200 if len(codes) < 100 else 50) * len(codes)
        counts = Counter(rust.traced_playout(ply, i)[1][0] for i in range(draws))
        assert set(counts) == set(codes)
        # 1e-6: with about 100 such tests a false alarm is still a one-in-10,000 event, and the
        # seeds are fixed, so that it cannot come and go.
        assert len(codes) == 1 or chisquare([counts[c] for c in codes]).pvalue > 1e-6


@pytest.mark.parametrize("game", GAMES)
def test_symmetries_change_nothing(game: str) -> None:
    """Moves and results turn with the board."""
    step = 1 if cells(game) < 100 else 53
    for ply, position in enumerate(random_game(game, seed=6, index=0)):
        if ply % step:
            continue
        for way, turned in zip(position.game.symmetries, position.symmetries(), strict=True):
            moved = {position.game.transform_move(move, way) for move in position.moves}
            assert moved == set(turned.moves)
            assert turned.outcome == position.outcome
            for move in position.moves[:3]:
                after = position.game.transform(position.play(move).state, way)
                assert turned.play(position.game.transform_move(move, way)).state == after
