"""Policies that reply to the last move or are made of others: what they choose, in both engines."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import pytest

from helpers import GAMES, random_game
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
from sylve.policies import Policy, bridge, cut, decisive, featured, mast, mix, uniform, weighted

ENGINES = ("python", "rust")
SMALL = [
    "tic_tac_toe",
    "breakthrough(columns=5, rows=5)",
    "othello(size=4)",
    "connect_four(columns=5, rows=4)",
    "hex(size=4)",
    "go(size=3)",
]


def choices(policy: Policy, position: Position, draws: int = 200) -> Counter[str]:
    """What a policy plays here, by name."""
    game, found = full_game(position.game), Counter[str]()
    moves = game.playout_moves(position.state)
    for index in range(draws):
        move = policy.choose(game, position.state, moves, Rng.stream(1, index), {})
        found[position.name(move)] += 1
    return found


def saving(board: str, move: str) -> list[str]:
    """The cells that save a bridge after a stone on a board."""
    size = board.count("/") + 1
    after = Position.parse(f"hex(size={size})", board).play(move)
    return [after.name(cell) for cell in after.game.bridge_moves(after.state)]


# x joins top and bottom. Each row lies half a cell to the right of the one above.


def test_a_bridge_is_saved() -> None:
    board = "..../.x../..../x... o"
    assert saving(board, "b3") == ["a3"]
    assert saving(board, "a3") == ["b3"]
    assert saving(board, "c3") == []
    after = Position.parse("hex(size=4)", board).play("b3")
    assert choices(bridge(), after) == {"a3": 200}
    assert len(choices(bridge(), after.play("a3"))) > 5  # nothing to save


def test_a_side_is_a_stone_at_the_other_end_of_a_bridge() -> None:
    assert saving("..../.x../..../.... o", "b1") == ["c1"]
    assert saving("..../.x../..../.... o", "c1") == ["b1"]
    assert saving("..../..../.x../.... o", "a4") == ["b4"]
    assert saving("..../.o../..../.... x", "a2") == ["a3"]
    assert saving("..../..../..o./.... x", "d2") == ["d3"]
    # The sides of the other player are no help.
    assert saving("..../.o../..../.... x", "b1") == []
    assert saving("..../.x../..../.... o", "a2") == []


def test_three_bridges_are_saved_with_equal_chances() -> None:
    both = Position.parse("hex(size=5)", "...../..x../...x./.x.../..... o", "c3")
    assert [both.name(cell) for cell in both.game.bridge_moves(both.state)] == ["d2", "b3", "c4"]
    found = choices(bridge(), both, 400)
    assert set(found) == {"d2", "b3", "c4"}
    assert min(found.values()) > 100


def test_what_has_led_to_a_position_is_no_part_of_it() -> None:
    start = Position.start("hex(size=4)")
    one, other = start.play_line("a1b2c3"), start.play_line("c3b2a1")
    assert one.state == other.state
    assert one.key == other.key
    assert one == Position.parse("hex(size=4)", one.text)


@pytest.mark.parametrize("engine", ENGINES)
def test_playouts_from_the_root_do_not_know_the_last_move(engine: Any) -> None:
    """A text does not tell it either."""
    played = Position.parse("hex(size=4)", "..../.x../..../x... o", "b3")
    read = Position.parse("hex(size=4)", played.text)
    how = FlatAmaf(40, seed=2, playout=bridge())
    one, other = (search(position, how, engine=engine) for position in (played, read))
    assert one.moves == other.moves


def test_nor_do_they_in_a_search_that_goes_on() -> None:
    found = []
    for engine in ENGINES:
        board = Position.parse("hex(size=4)", "..../.x../..../x... o")
        searcher = Searcher(board, FlatAmaf(40, seed=2, playout=bridge()), engine=engine)  # type: ignore[arg-type]
        searcher.run()
        searcher.advance("b3")
        searcher.run()
        found.append(searcher.report().moves)
    assert found[0] == found[1]


def test_mix_draws_which_of_two() -> None:
    start = Position.start("tic_tac_toe").play_line("a1b1a2b2")
    found = choices(mix(0.7, decisive(), uniform()), start, 2000)
    # decisive plays a3; uniform each of five alike.
    assert abs(found["a3"] - 2000 * (0.7 + 0.3 / 5)) < 100
    assert choices(mix(1, decisive(), uniform()), start) == {"a3": 200}
    assert len(choices(mix(0, decisive(), uniform()), start)) == 5


COMBINED = [
    mix(0.5, decisive(), uniform()),
    mix(0.5, mast(0.3), decisive()),
    mix(0.3, weighted("1:5 3:0 8:9"), mast()),
]
SEARCHES: list[Search] = [
    Flat(30, seed=1),
    FlatAmaf(20, seed=2),
    Uct(40, seed=3, solver=False),
    Rave(30, seed=4, solver=False, c=0.5),
    Grave(30, seed=5, solver=False, batch=7, reference=5),
]


def assert_same(start: Position, how: Search) -> None:
    python, rust = (search(start, how, engine=engine) for engine in ENGINES)
    assert python.moves == rust.moves
    assert (python.engine, rust.engine) == ENGINES
    assert parse_search(str(how)) == how


@pytest.mark.parametrize("policy", COMBINED, ids=str)
@pytest.mark.parametrize("how", SEARCHES, ids=short)
@pytest.mark.parametrize("game", SMALL)
def test_both_engines_play_the_same(game: str, how: Search, policy: Policy) -> None:
    assert_same(Position.start(game), dataclasses.replace(how, playout=policy))


BRIDGES = [
    bridge(),
    bridge(decisive()),
    bridge(mast()),
    bridge(mix(0.5, decisive(), uniform())),
    mix(0.8, bridge(), uniform()),
]


@pytest.mark.parametrize("policy", BRIDGES, ids=str)
@pytest.mark.parametrize("how", SEARCHES, ids=short)
@pytest.mark.parametrize("game", ["hex(size=4)", "hex(size=3, swap=true)", "hex(size=6)"])
def test_both_engines_save_the_same_bridges(game: str, how: Search, policy: Policy) -> None:
    assert_same(Position.start(game), dataclasses.replace(how, playout=policy))


@pytest.mark.parametrize("size", [9, 12, 19])
def test_bridges_on_large_boards(size: int) -> None:
    assert_same(Position.start(f"hex(size={size})"), Flat(2, seed=1, playout=bridge()))


@pytest.mark.parametrize("policy", [decisive(), mast()], ids=str)
@pytest.mark.parametrize("game", [game for game in GAMES if "19" not in game and "13" not in game])
def test_a_playout_in_every_game(game: str, policy: Policy) -> None:
    how = Flat(3 if policy == mast() else 1, seed=1, playout=policy)
    assert_same(Position.start(game), how)


# By features.


def done(position: Position) -> dict[str, list[str]]:
    """What each move does."""
    return {position.name(move): position.game.features_of(position.state, move)
            for move in position.moves}  # fmt: skip


def test_what_moves_do_in_breakthrough() -> None:
    # A pawn runs if no pawn of the other side is ahead within reach of its way.
    there = "o..../...../..x../o..../....x"
    position = Position.parse("breakthrough(columns=5, rows=5)", f"{there} x")
    assert done(position) == {
        "c3-c4": ["run"], "c3-b4": [], "c3-d4": ["run"], "e1-e2": ["run"], "e1-d2": [],
    }  # fmt: skip
    position = Position.parse("breakthrough(columns=5, rows=5)", f"{there} o")
    assert done(position) == {
        "a2-a1": ["run"], "a2-b1": ["run"], "a5-a4": ["run"], "a5-b4": [],
    }  # fmt: skip
    there = ".oo../..x../...../...../....x x"
    position = Position.parse("breakthrough(columns=5, rows=5)", there)
    assert done(position)["c4xb5"] == ["capture", "run"]
    assert done(position)["c4-d5"] == ["run"]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_what_moves_do_in_othello(size: int) -> None:
    last = size - 1
    seen = Counter[str]()
    for number in range(3):
        for position in random_game(f"othello(size={size})", number, 1):
            board = position.text.split(" ")[0].split("/")
            for name, features in done(position).items() if position.outcome is None else ():
                if name == "pass":
                    assert not features
                    continue
                column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
                corners = [(y, x) for y in (0, last) for x in (0, last)]
                far = {corner: max(abs(row - corner[0]), abs(column - corner[1]))
                       for corner in corners}  # fmt: skip
                wanted = ["corner"] if 0 in far.values() else []
                if any(far[y, x] == 1 and board[y][x] == "." for y, x in corners):
                    wanted.append("beside")
                after = position.play(name)
                replies = [after.name(move) for move in after.moves]
                if after.outcome is not None or replies == ["pass"] or len(replies) <= 2:
                    wanted.append("tight")
                assert features == wanted, (position, name)
                seen.update(features)
    assert set(seen) == {"corner", "beside", "tight"}


def test_features_weigh_by_their_product() -> None:
    there = ".oo../..x../...../...../x.... x"
    position = Position.parse("breakthrough(columns=5, rows=5)", there)
    found = choices(featured("capture=6 run=2"), position, 4000)
    assert done(position) == {"c4xb5": ["capture", "run"], "c4-d5": ["run"],
                              "a1-a2": [], "a1-b2": []}  # fmt: skip
    for name, weight in (("c4xb5", 12), ("c4-d5", 2), ("a1-a2", 1), ("a1-b2", 1)):
        assert abs(found[name] - 4000 * weight / 16) < 150
    assert set(choices(featured({"run": 0}), position)) == {"a1-a2", "a1-b2"}


FEATURED = {
    "breakthrough(columns=5, rows=5)": "capture=7 run=30",
    "breakthrough(columns=8, rows=4)": "run=0 capture=3",
    "breakthrough": "capture=2 run=100",
    "othello(size=4)": "corner=20 beside=0 tight=3",
    "othello(size=6)": "tight=9",
    "othello": "corner=100 beside=0",
}


@pytest.mark.parametrize("how", SEARCHES, ids=short)
@pytest.mark.parametrize("game", FEATURED)
def test_both_engines_see_the_same_features(game: str, how: Search) -> None:
    policy = featured(FEATURED[game])
    for playout in (policy, mix(0.5, decisive(), policy), cut(6, playout=policy)):
        assert_same(Position.start(game), dataclasses.replace(how, playout=playout))


@pytest.mark.parametrize("engine", ENGINES)
def test_only_two_games_have_features(engine: Any) -> None:
    for game, text, told in (
        ("hex(size=3)", "capture=4", r"featured: only breakthrough and othello have features, not"),
        ("othello(size=4)", "capture=4", r"featured: Othello\(size=4\) has no feature 'capture'"),
        ("othello(size=4)", "corners=4", r"no feature 'corners': did you mean 'corner'\?"),
    ):
        for playout in (featured(text), mix(0.5, featured(text))):
            with pytest.raises(ValueError, match=told):
                search(game, Flat(20, playout=playout), engine=engine)


class Lowest(Policy):
    """The first move; in Python."""

    coded = False
    learns = False

    def choose(self, game, state, moves, rng, mast) -> int:  # type: ignore[no-untyped-def]
        del game, state, rng, mast
        return int(moves[0])


def test_one_of_the_users_own_inside() -> None:
    how = Flat(20, playout=mix(0.5, Lowest(), uniform()))
    assert search("tic_tac_toe", how).engine == "python"
    with pytest.raises(ValueError, match="is your own, which the compiled engine does not have"):
        search("tic_tac_toe", how, engine="rust")


def test_what_the_policies_inside_look_at() -> None:
    assert not mix(0.5, decisive(), uniform()).coded
    assert mix(0.5, decisive(), mast()).learns
    assert bridge(mast()).coded
    assert not bridge(weighted("1:3")).learns
    assert bridge(weighted("1:3")).coded


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("bridge", bridge()),
        ("bridge(decisive)", bridge(decisive())),
        ("bridge(then=mast(epsilon=0.2))", bridge(mast(0.2))),
        ('featured("capture=4 run=9")', featured({"capture": 4, "run": 9})),
        ("mix(0.9, decisive)", mix(0.9, decisive(), uniform())),
        ("mix(0.5, decisive, mast)", mix(0.5, decisive(), mast())),
        ("mix(first=bridge(decisive), p=0.25)", mix(0.25, bridge(decisive()))),
    ],
)
def test_texts(text: str, policy: Policy) -> None:
    how = parse_search(f"uct(100, playout={text})")
    assert how == Uct(100, playout=policy)
    assert parse_search(str(how)) == how


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mix(2, decisive)", r"mix: p must be a number from 0 to 1, not 2"),
        ("mix(0.5, 3)", r"mix: first must be one of .*; not 3"),
        ("mix(0.5, mix)", r"mix: first must be another policy, without mix inside, not"),
        ("mix(0.5, bridge(mix))", r"mix: first must be another policy, without mix inside"),
        ("bridge(bridge)", r"bridge: then must be another policy, without bridge inside"),
        ("bridge(then=decisiv)", r"unknown playout 'decisiv': did you mean 'decisive'\?"),
        ("bridge(or=decisive)", r"bridge: unknown argument 'or'"),
        ('featured("capture")', r"weights must be feature=weight pairs such as .* up to 100, not"),
        ('featured("capture=101")', r"weights up to 100, not 'capture=101'"),
        ('featured("3:4")', r"featured: weights must be feature=weight pairs"),
        ("featured(3)", r"featured: weights must be text or a mapping, not 3"),
    ],
)
def test_wrong_policies_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_search(f"uct(100, playout={text})")


@pytest.mark.parametrize("engine", ENGINES)
def test_only_hex_has_bridges(engine: Any) -> None:
    for policy in (bridge(), mix(0.5, bridge())):
        with pytest.raises(
            ValueError, match=r"bridge: only hex has bridges, not Othello\(size=4\)"
        ):
            search("othello(size=4)", Flat(20, playout=policy), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_learned_inside_is_saved(engine: Any, tmp_path: Any) -> None:
    """A search that was saved and read again goes on as one that was not."""
    start = Position.start("hex(size=3)")
    how = Uct(80, seed=3, solver=False, playout=bridge(mix(0.9, mast(), uniform())))
    whole = Searcher(start, how, engine=engine)
    whole.run()
    part = Searcher(start, dataclasses.replace(how, playouts=50), engine=engine)
    part.run()
    part.save(tmp_path / "half.sylve")
    for other in ENGINES:
        again = Searcher.load(tmp_path / "half.sylve", engine=other)  # type: ignore[arg-type]
        again.run(30)
        assert again.report().moves == whole.report().moves
