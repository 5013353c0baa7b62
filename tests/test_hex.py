"""Hex: neighbours, sides, the swap, names, set-up positions, playouts that fill the board."""

import random

import pytest

from sylve import (
    IllegalMove,
    InvalidGame,
    InvalidMove,
    InvalidPosition,
    Outcome,
    Player,
    Position,
    Rng,
    _core,
    load_game,
)
from sylve.games.hex import Hex


def position(drawing: str, turn: str, swap: bool = False) -> Position:
    """A position from its drawing, read by both engines."""
    rows = drawing.split()
    game = f"hex(size={len(rows)}, swap=true)" if swap else f"hex(size={len(rows)})"
    text = "/".join(rows) + " " + turn
    assert _core.Position(game, text).write() == text
    return Position.parse(game, text)


def test_drawing() -> None:
    assert str(Position.start("hex(size=3)").play_line("b1c2")) == (
        "   a b c\n 1 . x .\n  2 . . o\n   3 . . .\nx to move"
    )


def test_the_first_cell_is_top_left_and_letters_are_columns() -> None:
    after = Position.start("hex(size=3)").play_line("c1a2")
    assert after == position("..x o.. ...", "x")
    assert after.played == (2, 3)


def test_neighbours() -> None:
    rules = Hex(4)
    # .  *  *  .     b2 and its six neighbours; the acute corners a1 and d4 have two,
    #  *  b2  *      the obtuse ones three
    #   *  *
    assert sorted(map(rules.cell_name, rules.neighbours[5])) == ["a2", "a3", "b1", "b3", "c1", "c2"]
    assert sorted(map(rules.cell_name, rules.neighbours[0])) == ["a2", "b1"]
    assert sorted(map(rules.cell_name, rules.neighbours[15])) == ["c4", "d3"]
    assert sorted(map(rules.cell_name, rules.neighbours[3])) == ["c1", "c2", "d2"]
    assert sorted(map(rules.cell_name, rules.neighbours[12])) == ["a3", "b3", "b4"]
    for cell, near in enumerate(rules.neighbours):
        assert all(cell in rules.neighbours[other] for other in near)


CHAINS = [  # drawing, side to move, winner
    ("x.. x.. x..", "o", Player.FIRST),  # along the left edge
    ("..x .x. x..", "o", Player.FIRST),  # down to the left: neighbours all the way
    ("x.. .x. ..x", "o", None),  # down to the right: they do not touch
    ("ooo ... ...", "x", Player.SECOND),  # along the top
    ("... ... ooo", "x", Player.SECOND),  # along the bottom
    ("..o .o. o..", "x", Player.SECOND),  # up to the right
    ("o.. .o. ..o", "x", None),
    ("xxx ... ...", "o", None),  # a side of his own is no use
    ("o.. o.. o..", "x", None),
    (".x. .x. ...", "o", None),
    # There and back again: down, up, and down to the bottom.
    (".x... .x.xx .xx.x ....x ....x", "o", Player.FIRST),
    (".x... .x.xx .x..x ....x ....x", "o", None),
    ("..... ooo.. ..o.. .o... .oooo", "x", Player.SECOND),
]


@pytest.mark.parametrize(("drawing", "turn", "winner"), CHAINS)
def test_who_has_joined_his_sides(drawing: str, turn: str, winner: Player | None) -> None:
    here = position(drawing, turn)
    rust = _core.Position(str(here.game), here.text)
    assert here.outcome == (None if winner is None else Outcome(winner))
    assert rust.outcome() == (None if winner is None else int(winner))
    assert (not here.moves) == (not rust.moves()) == (winner is not None)


@pytest.mark.parametrize("size", [2, 3, 4, 8, 9, 11, 12, 13, 14, 19])
def test_straight_chains_in_every_column_and_row(size: int) -> None:
    """The last stone anywhere in the chain: what it joins is found by the stone itself."""
    rng = random.Random(size)
    for line in range(size):
        for player in (0, 1):
            cells = [line + size * i if player == 0 else line * size + i for i in range(size)]
            rng.shuffle(cells)
            others = iter([c for c in range(size * size) if c not in cells])
            here = _core.Position(f"hex(size={size})")
            if player == 1:
                here = here.play(next(others))
            for number, cell in enumerate(cells, 1):
                assert here.outcome() is None
                here = here.play(cell)
                if number < size:
                    here = here.play(next(others))
            assert here.outcome() == player


def test_swap() -> None:
    start = Position.start("hex(size=4, swap=true)")
    assert len(start.moves) == 16  # nothing to swap yet
    after = start.play("b1")
    assert after.moves[-1] == 16
    assert after.names[-1] == "swap-pieces"
    swapped = after.play("swap-pieces")
    assert swapped == position(".... o... .... ....", "x", swap=True)
    assert swapped == after.play("swap") == after.play("SWAP-Pieces") == after.play(16)
    assert 16 not in swapped.moves  # once is enough
    assert 16 not in after.play("c3").moves
    assert start.play_line("b1 swap c3") == start.play_line("b1swap-piecesc3")
    rust = _core.Position(str(start.game)).play(1)
    assert rust.moves() == list(after.moves)
    assert rust.playout_moves() == list(after.moves[:-1])
    assert rust.play(16).write() == swapped.text
    assert rust.play(16).hash() == swapped.key
    assert rust.read_move("swap") == rust.read_move("swap-pieces") == 16
    assert rust.write_move(16) == "swap-pieces"
    assert rust.code(16) == after.code(16) == 33


@pytest.mark.parametrize("cell", range(25))
def test_games_go_on_alike_after_a_swap(cell: int) -> None:
    """The swapped stone counts for its new owner, also where it stands at a side."""
    game = "hex(size=5, swap=true)"
    here, rust = Position.start(game), _core.Position(game)
    rng = Rng.stream(1, cell)
    for move in [cell, 25]:
        here, rust = here.play(move), rust.play(move)
    while here.outcome is None:
        move = here.moves[rng.below(len(here.moves))]
        here, rust = here.play(move), rust.play(move)
        assert rust.moves() == list(here.moves)
        assert rust.hash() == here.key == _core.Position(game, here.text).hash()
    assert rust.outcome() == here.outcome.winner
    assert len(here.played) <= here.game.max_plies() == 26


@pytest.mark.parametrize("drawing", ["o. ..", ".. ..", "xx ..", "xo .."])
def test_no_swap_unless_the_only_stone_is_the_first_players(drawing: str) -> None:
    here = position(drawing, "o", swap=True)
    assert 4 not in here.moves
    assert not _core.Position(str(here.game), here.text).is_legal(4)
    other_side = position("x. ..", "x", swap=True)
    assert 4 not in other_side.moves


def test_without_the_rule_swap_is_an_illegal_move() -> None:
    with pytest.raises(IllegalMove, match="illegal move 'swap': legal here: b1 c1"):
        Position.start("hex").play_line("a1 swap")
    with pytest.raises(_core.IllegalMove, match='illegal move "swap": legal here: b1 c1'):
        _core.Position("hex").play(0).read_move("swap")


@pytest.mark.parametrize("moves", ["a1b2k11", "A1 B2 K11", "a1, b2, k11", "a1B2k11"])
def test_lists_of_moves(moves: str) -> None:
    assert Position.start("hex").play_line(moves).played == (0, 12, 120)


@pytest.mark.parametrize("name", ["a0", "l1", "a12", "1a", "a", "", "a01", "swop", "aa1", "ä1"])
def test_names_that_are_no_cell(name: str) -> None:
    with pytest.raises(InvalidMove, match=r'expected a cell from "a1" \(top left\) to "k11"$'):
        Position.start("hex").play(name)
    with pytest.raises(_core.InvalidMove, match=r'expected a cell from "a1" .* to "k11"$'):
        _core.Position("hex").read_move(name)
    with pytest.raises(InvalidMove, match='or "swap-pieces"'):
        Position.start("hex(swap=true)").play(name)
    with pytest.raises(_core.InvalidMove, match='or "swap-pieces"'):
        _core.Position("hex(swap=true)").read_move(name)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x../x../x.. x", "the side to move has joined its sides already"),
        ("..o/.o./o.. o", "the side to move has joined its sides already"),
        ("x../x../x.. o o", "unexpected .o. at the end"),
        ("x../x.. o", "expected 3 rows joined by '/', found 2"),
        ("x../x.../x.. o", "expected 3 cells in each row, found 4 in row 2"),
        ("x../x../x..", "expected the side to move"),
        ("x../b../x.. o", "expected cells 'x', 'o' or '.', found 'b'"),
    ],
)
def test_impossible_positions(text: str, problem: str) -> None:
    with pytest.raises(InvalidPosition, match=problem):
        Position.parse("hex(size=3)", text)
    with pytest.raises(_core.InvalidPosition, match=problem):
        _core.Position("hex(size=3)", text)


def test_set_up_positions_may_have_any_number_of_stones() -> None:
    assert position("xx. ... ...", "x").moves == (2, 3, 4, 5, 6, 7, 8)
    assert position("o.o .o. ...", "o").moves == (1, 3, 5, 6, 7, 8)


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        ("hex(size=1)", "size must be a whole number from 2 to 19, not 1"),
        ("hex(size=20)", "size must be a whole number from 2 to 19, not 20"),
        ("hex(swap=2)", "swap must be true or false, not 2"),
    ],
)
def test_sizes_that_do_not_exist(game: str, problem: str) -> None:
    with pytest.raises(InvalidGame, match=problem):
        load_game(game)
    with pytest.raises(ValueError, match=problem):
        _core.Position(game)


def test_codes_name_the_cell_and_the_player() -> None:
    start = Position.start("hex")
    assert start.code(7) == start.play_line("a1b1").code(7) == 14
    assert start.play("a1").code(7) == start.play_line("a1b1c1").code(7) == 15
    assert (start.game.codes(), load_game("hex(swap=true)").codes()) == (242, 244)


@pytest.mark.parametrize("size", [2, 5, 8, 11, 13, 19])
def test_a_playout_fills_every_empty_cell_in_turn(size: int) -> None:
    here = Position.start(f"hex(size={size})").play("b1")
    winner, codes = _core.Position(str(here.game), here.text).traced_playout(1, 2)
    assert sorted(code // 2 for code in codes) == list(here.moves)
    assert [code % 2 for code in codes] == [(i + 1) % 2 for i in range(len(codes))]
    # Played one by one, the game ends earlier, with the same winner.
    for code in codes:
        if here.outcome is None:
            here = here.play(code // 2)
    assert here.outcome == Outcome(Player(winner))


def test_a_playout_of_a_finished_game_draws_nothing() -> None:
    won = position("x.. x.. x..", "o")
    assert _core.Position("hex(size=3)", won.text).traced_playout(1, 0) == (0, [])
    rng = Rng.stream(1, 0)
    assert won.game.playout(won.state, rng) == Outcome(Player.FIRST)  # type: ignore[attr-defined]
    assert rng.next() == Rng.stream(1, 0).next()
