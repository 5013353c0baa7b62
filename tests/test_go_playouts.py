"""Playouts of Go that look round the last move: each step, and the same in both engines."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

import pytest

from searches import short
from sylve import (
    Flat,
    FlatAmaf,
    Grave,
    Position,
    Rave,
    Rng,
    Search,
    Searcher,
    Uct,
    parse_search,
    search,
)
from sylve.game import full_game
from sylve.games.go_patterns import matches
from sylve.policies import Policy, cut, local, mix, mogo, uniform
from sylve.search.reference import go_playouts

ENGINES: tuple[Literal["python", "rust"], ...] = ("python", "rust")


def after(board: str, move: str) -> Position:
    """A position that knows its last move."""
    return Position.parse(f"go(size={board.count('/') + 1})", board).play_line(move)


def found(step: Any, position: Position, *arguments: int) -> list[str]:
    """What a step finds, by name."""
    points = step(position.game, position.state, *arguments)
    assert points == sorted(set(points))
    return [position.name(point) for point in points]


@pytest.mark.parametrize(
    ("board", "move", "points"),
    [
        # One liberty is left, and there is room beyond it.
        ("...../...../.xox./...../..... x", "C4", ["C2"]),
        # A stone beside the chain can be taken instead.
        ("...../...../.xo../.oxo./..... x", "D3", ["C1", "C4"]),
        # Two chains at once.
        ("...../.xox./...../.xox./..... x", "C3", ["C1", "C5"]),
        # In the corner there is no room.
        ("...../...../...../.x.../o.... x", "A2", []),
        # Two stones beside it can be taken.
        ("...../...../oox../xx.../.o... x", "A1", ["C1", "C2"]),
        # Not in atari; not the chain that the move touches; a pass.
        ("...../...../..ox./...../..... x", "C4", []),
        ("...../...../.xox./..x../..... x", "A1", []),
        ("...../...../.xox./..x../..... x", "pass", []),
    ],
)
def test_what_saves_from_atari(board: str, move: str, points: list[str]) -> None:
    position = after(board, move)
    assert found(go_playouts.saving, position) == points
    # The same with every symmetry.
    for turned in position.symmetries():
        assert found(go_playouts.saving, turned) == []  # it does not know its last move


@pytest.mark.parametrize(
    ("board", "points"),
    [
        ("...../...../...../x..../o.... x", ["B1"]),
        ("x..../o..x./x.xox/...../o.... x", ["D2", "B4"]),
        ("...../...../...../x..../o.... o", []),
        ("...../.xo../xo.o./.xo../..... x C3 0", []),  # a ko
        ("...../.xo../xo.o./.xo../..... x", ["C3"]),
    ],
)
def test_what_captures(board: str, points: list[str]) -> None:
    size = board.count("/") + 1
    assert found(go_playouts.captures, Position.parse(f"go(size={size})", board)) == points


@pytest.mark.parametrize(
    ("there", "movers"),
    [
        ("xox ... ...", "xo"),  # hane
        ("xox ... xox", "xo"),
        ("xo. ... ...", "xo"),
        ("xo. ... x.x", "xo"),
        ("xo. ... .x.", ""),
        ("xo. x.. ...", "xo"),
        ("xo. x.. .x.", ""),
        ("xoo ... ...", "x"),
        ("oxx ... ...", "o"),
        ("xo. o.. ...", "xo"),  # a cut
        ("xo. o.o ...", ""),
        ("xo. o.. .o.", ""),
        ("xo. o.o .x.", "xo"),
        ("xo. o.o .o.", "xo"),
        (".x. o.o ...", "xo"),
        (".x. o.o x.x", "xo"),
        (".x. o.o ..o", ""),
        ("x.. o.. ---", "xo"),  # at the edge
        ("xx. o.x ---", ""),
        (".x. ..o ---", "xo"),
        (".x. x.o ---", ""),
        (".xo ... ---", "xo"),
        (".xo ..x ---", "x"),
        (".xo o.x ---", "xo"),
        ("xox ... ---", "xo"),
        ("--- -.x -o.", ""),  # no pattern in a corner
        ("... ... ...", ""),
        ("... x.o ...", ""),
    ],
)
def test_patterns(there: str, movers: str) -> None:
    """As they are drawn in the paper, turned, mirrored, and with the colours exchanged."""
    rows = there.split()
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]  # a quarter turn
        for seen in (rows, rows[::-1]):
            nine = "".join(seen)
            other = nine.translate(str.maketrans("xo", "ox"))
            assert [stone for stone in "xo" if matches(nine, stone)] == sorted(movers)[::-1]
            assert {stone for stone in "ox" if matches(other, stone)} == {
                "ox"["xo".index(stone)] for stone in movers
            }


def test_shapes_are_beside_the_last_moves() -> None:
    board = "......./...x.../......./......./......./......./....... o"
    position = after(board, "D5")  # below the stone
    assert found(go_playouts.shapes, position) == ["C5", "E5", "C6", "E6"]
    further = position.play_line("A1")
    assert found(go_playouts.shapes, further) == []
    assert found(go_playouts.shapes, further, 2) == ["C5", "E5", "C6", "E6"]
    assert found(go_playouts.shapes, position.play_line("pass"), 2) == ["C5", "E5", "C6", "E6"]


def chosen(policy: Policy, position: Position, draws: int = 60) -> set[str]:
    """What a policy plays here, by name."""
    game = full_game(position.game)
    moves = game.playout_moves(position.state)
    return {
        position.name(policy.choose(game, position.state, moves, Rng.stream(1, index), {}))
        for index in range(draws)
    }


SURE = local(1, 1, 1, 1)


@pytest.mark.parametrize(
    ("board", "move", "points"),
    [
        # In each a stone can be taken on B5. An atari comes first, then a pattern, then captures.
        ("x.o../o..../.xox./...../..... x", "C4", {"C2"}),
        ("x.o../o..../...../..x../..... x", "C3", {"B4"}),
        ("x.o../o..../...../...../..... x", "E1", {"B5"}),
    ],
)
def test_steps_are_taken_in_their_order(board: str, move: str, points: set[str]) -> None:
    position = after(board, move)
    assert found(go_playouts.captures, position) == ["B5"]
    for policy in (mogo(), SURE):
        assert chosen(policy, position) == points
    # Without them any point is played.
    assert len(chosen(local(0, 0, 0, 0), position)) > 10


def test_self_atari_is_refused() -> None:
    """In the upper corners a stone of x has one liberty."""
    position = Position.parse("go(size=3)", ".o./.../... x")
    rest = {"A1", "B1", "C1", "A2", "B2", "C2"}
    assert chosen(local(0, 0, 0, 1), position) == rest
    assert chosen(local(0, 0, 0, 0), position) == chosen(mogo(), position) == {*rest, "A3", "C3"}
    # Unless it takes something: B3 starts a ko.
    position = Position.parse("go(size=5)", "...../.xo../x.xo./.xo../..... o")
    assert "B3" in chosen(local(0, 0, 0, 1), position, 200)
    position = Position.parse("go(size=3)", ".o./x.x/... x")
    assert chosen(local(0, 0, 0, 1), position) == {*rest, "A3", "C3"} - {"A2", "C2"}


@pytest.mark.parametrize("policy", [mogo(), local(), local(0.3, 1, 0, 0.5)], ids=str)
@pytest.mark.parametrize("size", [2, 3, 5, 7])
def test_playouts_keep_the_rules(policy: Policy, size: int) -> None:
    """Never illegal, never an own eye, never without end."""
    start = Position.start(f"go(size={size})")
    game = full_game(start.game)
    for index in range(4):
        played: list[int] = []
        outcome = policy.playout(game, start.state, Rng.stream(3, index), played, {})
        state, ending = start.state, 0
        assert len(played) <= game.max_plies
        for code in played:
            move, moves = code // 2, game.playout_moves(state)
            assert move in moves or (policy != mogo() and move == game.pass_move)
            state, ending = game.play(state, move), move
        assert outcome == game.count(state.board)
        assert len(played) == game.max_plies or ending == game.pass_move


SEARCHES: list[Search] = [
    Flat(30, seed=1),
    FlatAmaf(20, seed=2),
    Uct(60, seed=3),
    Rave(40, seed=4, c=0.5),
    Grave(40, seed=5, batch=7, reference=5),
]
POLICIES = [
    mogo(),
    local(),
    local(0.5, 0.7, 0.3, 0.6),
    mix(0.5, mogo(), uniform()),
    mix(0.5, local(), mogo()),
    cut(9, playout=mogo()),
]


def assert_same(start: Position, how: Search) -> None:
    python, rust = (search(start, how, engine=engine) for engine in ENGINES)
    assert python.moves == rust.moves
    assert (python.engine, rust.engine) == ENGINES
    assert parse_search(str(how)) == how


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("how", SEARCHES, ids=short)
@pytest.mark.parametrize("size", [3, 4])
def test_both_engines_play_the_same(size: int, how: Search, policy: Policy) -> None:
    assert_same(Position.start(f"go(size={size})"), dataclasses.replace(how, playout=policy))


@pytest.mark.parametrize("policy", [mogo(), local()], ids=str)
@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_both_engines_on_large_boards(size: int, policy: Policy) -> None:
    assert_same(Position.start(f"go(size={size})"), FlatAmaf(2, seed=1, playout=policy))


def test_what_has_led_to_a_position_is_no_part_of_it() -> None:
    start = Position.start("go(size=5)")
    one, other = start.play_line("B2 D4 C3"), start.play_line("C3 D4 B2")
    assert one.state.last != other.state.last
    assert one.state == other.state
    assert hash(one.state) == hash(other.state)
    assert one.key == other.key
    assert one == Position.parse("go(size=5)", one.text)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", [mogo(), local()], ids=str)
def test_playouts_from_the_root_do_not_know_the_last_move(engine: Any, policy: Policy) -> None:
    """A text does not tell it either."""
    played = after("...../...../.xox./...../..... x", "C4")
    read = Position.parse("go(size=5)", played.text)
    how = FlatAmaf(40, seed=2, playout=policy)
    one, other = (search(position, how, engine=engine) for position in (played, read))
    assert one.moves == other.moves


@pytest.mark.parametrize("policy", [mogo(), local()], ids=str)
def test_nor_do_they_in_a_search_that_goes_on(policy: Policy) -> None:
    reports = []
    for engine in ENGINES:
        board = Position.parse("go(size=5)", "...../...../.xox./...../..... x")
        searcher = Searcher(board, FlatAmaf(40, seed=2, playout=policy), engine=engine)
        searcher.run()
        searcher.advance("C4")
        searcher.run()
        reports.append(searcher.report().moves)
    assert reports[0] == reports[1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", [mogo(), local(), mix(0.5, mogo())], ids=str)
def test_only_go_has_them(engine: Any, policy: Policy) -> None:
    with pytest.raises(ValueError, match=r"(mogo|local): a policy for go, not for Hex\(size=4"):
        search("hex(size=4)", Flat(20, playout=policy), engine=engine)


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("mogo", mogo()),
        ("local", local()),
        ("local(save=0.5, refuse=0)", local(save=0.5, refuse=0)),
        ("mix(0.9, mogo)", mix(0.9, mogo(), uniform())),
    ],
)
def test_texts(text: str, policy: Policy) -> None:
    how = parse_search(f"uct(100, playout={text})")
    assert how == Uct(100, playout=policy)
    assert parse_search(str(how)) == how


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("local(save=2)", r"local: save must be a number from 0 to 1, not 2"),
        ("local(refuse=-1)", r"local: refuse must be a number from 0 to 1, not -1"),
        ("mogo(3)", r"mogo"),
        ("mogoo", r"unknown playout 'mogoo': did you mean 'mogo'\?"),
    ],
)
def test_wrong_policies_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_search(f"uct(100, playout={text})")
