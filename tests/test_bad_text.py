"""Any text is read or refused in words, by both engines alike: no panic, no hang."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import GAMES, random_game
from sylve import IllegalMove, InvalidMove, InvalidPosition, Position, _core


def mutations(text: str) -> st.SearchStrategy[str]:
    """Texts close to a good one: a piece of it replaced by something else."""
    pieces = st.text(alphabet="xo.-/ XO0123456789abcdefghijkt*pPas\t", max_size=4)
    return st.tuples(st.integers(0, len(text)), st.integers(0, 6), pieces).map(
        lambda cut: text[: cut[0]] + cut[2] + text[cut[0] + cut[1] :]
    )


def texts(game: str) -> st.SearchStrategy[str]:
    good = [position.text for position in random_game(game, seed=8, index=0)]
    return st.one_of(st.text(max_size=60), st.sampled_from(good).flatmap(mutations))


@pytest.mark.parametrize("game", GAMES)
def test_position_text(game: str) -> None:
    @settings(max_examples=150, deadline=None)
    @given(texts(game))
    def check(text: str) -> None:
        try:
            position = Position.parse(game, text)
        except InvalidPosition as error:
            assert str(error).startswith("invalid position ")
            with pytest.raises(_core.InvalidPosition):
                _core.Position(game, text)
        else:
            rust = _core.Position(game, text)
            assert rust.write() == position.text
            assert rust.hash() == position.key
            assert tuple(rust.moves()) == position.moves
            assert Position.parse(game, position.text) == position

    check()


@pytest.mark.parametrize("game", GAMES)
def test_move_text(game: str) -> None:
    positions = list(random_game(game, seed=9, index=0))[::5]

    def move_texts(position: Position) -> st.SearchStrategy[str]:
        names = position.names or ("a1",)
        return st.one_of(st.text(max_size=12), st.sampled_from(names).flatmap(mutations))

    @settings(max_examples=150, deadline=None)
    @given(st.sampled_from(positions).flatmap(lambda p: st.tuples(st.just(p), move_texts(p))))
    def check(case: tuple[Position, str]) -> None:
        position, text = case
        rust = _core.Position(game, position.text)
        try:
            move = position.game.read_move(position.game.read(position.text), text)
        except (InvalidMove, IllegalMove) as error:
            rust_error = getattr(_core, type(error).__name__)
            with pytest.raises(rust_error):
                rust.read_move(text)
        else:
            assert rust.read_move(text) == move

    check()


@pytest.mark.parametrize("strange", ["\x1c", "\x85", "\u2003", "\u212a1"])
def test_only_plain_blanks_separate_words(strange: str) -> None:
    """What the two languages' own functions take for blanks or lower case differs."""
    text = f".../.../...{strange}x"
    with pytest.raises(InvalidPosition):
        Position.parse("tic_tac_toe", text)
    with pytest.raises(_core.InvalidPosition):
        _core.Position("tic_tac_toe", text)
    hex_board = Position.start("hex")
    for read in (hex_board.move, _core.Position("hex").read_move):
        with pytest.raises((InvalidMove, _core.InvalidMove)):
            read(strange + "1")
