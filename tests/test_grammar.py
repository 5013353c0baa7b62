"""The grammar of games and searches."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sylve import InvalidGame, load_game
from sylve.grammar import Call, Unreadable, read_call, write_call


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("uct", Call("uct")),
        ("uct()", Call("uct")),
        ("uct(1_000)", Call("uct", (1000,))),
        ("f(-1, .5, 1e-5, 2.)", Call("f", (-1, 0.5, 1e-5, 2.0))),
        ("f(true, false, none)", Call("f", (True, False, None))),
        ('f("a b")', Call("f", ("a b",))),
        ("f(c=sqrt2)", Call("f", (), {"c": math.sqrt(2)})),
        ("f( 1 , k = g(2) )", Call("f", (1,), {"k": Call("g", (2,))})),
    ],
)
def test_read(text: str, call: Call) -> None:
    assert read_call(text) == call


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "ends too early"),
        ("f(", "'\\)' is missing"),
        ("f(1", "'\\)' is missing"),
        ("f)", "unexpected '\\)'"),
        ("f(,)", "unexpected ','"),
        ("f(1 2)", "expected ',' or '\\)'"),
        ("f(a=1, 2)", "positional argument after a keyword"),
        ("f(a=1, a=2)", "a is given twice"),
        ("f(?)", "cannot read '\\?\\)'"),
        ('f("a)', "cannot read"),
        ("12", "expected name or name\\(arguments\\)"),
        ("f(" * 50, "nested more than 20 deep"),
    ],
)
def test_refused(text: str, problem: str) -> None:
    with pytest.raises(Unreadable, match=problem):
        read_call(text)


values = st.one_of(
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
    st.text(st.characters(blacklist_characters='"'), max_size=8),
)
names = st.from_regex(r"\A[a-z][a-z_]{0,8}\Z").filter(
    lambda name: name not in ("true", "false", "none", "sqrt")
)


@given(names, st.dictionaries(names, values, max_size=4))
def test_what_is_written_is_read_back(name: str, keywords: dict[str, object]) -> None:
    assert read_call(write_call(name, keywords)) == Call(name, (), keywords)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_call(text)
    except Unreadable as error:
        assert str(error).startswith("invalid")


def test_games_by_name() -> None:
    with pytest.raises(InvalidGame, match="unknown game 'tictactoe': did you mean 'tic_tac_toe'"):
        load_game("tictactoe")
    with pytest.raises(InvalidGame, match="tic_tac_toe: unknown argument 'size': it has none"):
        load_game("tic_tac_toe(size=4)")
    with pytest.raises(InvalidGame, match="invalid 'tic_tac_toe\\('"):
        load_game("tic_tac_toe(")
