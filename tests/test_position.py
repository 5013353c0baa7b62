"""`Position`: a value that can be trusted."""

import pickle

import pytest

import sylve
from helpers import GAMES, random_game, spread
from sylve import IllegalMove, InvalidMove, InvalidPosition, Outcome, Player, Position


@pytest.mark.parametrize("game", GAMES)
def test_repr_can_be_pasted_back(game: str) -> None:
    for position in spread(random_game(game, seed=7, index=0), 60):
        assert eval(repr(position), {"Position": Position}) == position
        assert pickle.loads(pickle.dumps(position)) == position


def test_a_position_is_immutable_and_hashable() -> None:
    position = Position.start("tic_tac_toe")
    with pytest.raises(AttributeError, match="immutable: cannot set 'state'"):
        position.state = None
    same = Position.parse("tic_tac_toe", position.text)
    assert same == position
    assert hash(same) == hash(position)
    assert len({position, same, position.play("a1")}) == 2
    assert position != "tic_tac_toe"


def test_equality_ignores_the_way() -> None:
    start = Position.start("tic_tac_toe")
    one, other = start.play_line("a1b2c3"), start.play_line("c3b2a1")
    assert one == other
    assert one.played != other.played


def test_games_of_other_sizes_differ() -> None:
    assert Position.start("hex(size=3)") != Position.start("hex(size=4)")


def test_end_of_a_game() -> None:
    won = Position.start("tic_tac_toe").play_line("a1 b1 a2 b2 a3")
    assert won.outcome == Outcome(Player.FIRST)
    assert won.outcome.points(Player.FIRST) == 2
    assert won.outcome.points(Player.SECOND) == 0
    assert won.moves == ()
    assert str(won).endswith("x won")
    drawn = Position.start("tic_tac_toe").play_line("b2a1c3c1b1b3a2c2a3")
    assert drawn.outcome == Outcome(None)
    assert drawn.outcome.points(Player.SECOND) == 1
    assert str(drawn).endswith("draw")


def test_moves_by_number_and_by_name() -> None:
    position = Position.start("tic_tac_toe")
    assert position.play(4) == position.play("b2") == position.play(" B2 ")
    assert position.move("c1") == 2
    assert position.name(2) == "c1"
    assert dict(zip(position.names, position.moves, strict=True))["a3"] == 6


def test_errors_quote_the_input_and_say_what_was_allowed() -> None:
    position = Position.start("tic_tac_toe").play("a1")
    with pytest.raises(InvalidMove, match="invalid move 'd1': expected a cell from \"a1\""):
        position.play("d1")
    with pytest.raises(IllegalMove, match="illegal move 'a1': legal here: b1 c1 a2"):
        position.play("a1")
    with pytest.raises(IllegalMove, match="illegal move 0: legal here: 1=b1 2=c1"):
        position.play(0)
    with pytest.raises(InvalidMove, match=r"invalid moves 'b1,\?': cannot read '\?'"):
        position.play_line("b1,?")
    with pytest.raises(InvalidPosition, match="invalid position 'x x': expected 3 rows"):
        Position.parse("tic_tac_toe", "x x")
    for error in (InvalidMove, IllegalMove, InvalidPosition, sylve.InvalidGame):
        assert issubclass(error, ValueError)
    assert not issubclass(InvalidMove, IllegalMove)
    assert not issubclass(IllegalMove, InvalidMove)


def test_long_input_is_cut_in_messages() -> None:
    with pytest.raises(InvalidPosition) as error:
        Position.parse("tic_tac_toe", "x" * 10_000)
    assert len(str(error.value)) < 300


def test_symmetries_start_with_the_position_itself() -> None:
    position = Position.start("tic_tac_toe").play("a1")
    turned = position.symmetries()
    assert turned[0] == position
    assert {p.text for p in turned} == {
        "x../.../... o", "..x/.../... o", ".../.../x.. o", ".../.../..x o",
    }  # fmt: skip
