"""What is special to Go: drawn cases on both engines, superko, scoring, texts, legal positions."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

import pytest

from helpers import DATA
from sylve import IllegalMove, InvalidGame, InvalidMove, InvalidPosition, Position, _core, load_game
from sylve.games.go import Go
from sylve.perft import perft


@dataclass
class Case:
    """One case of cases.txt."""

    name: str
    turn: str = "x"
    rows: list[str] = field(default_factory=list)
    played: str = ""
    after: list[str] = field(default_factory=list)
    checks: list[tuple[str, str]] = field(default_factory=list)

    @property
    def game(self) -> str:
        return f"go(size={len(self.rows)})"

    @property
    def text(self) -> str:
        return "/".join(self.rows) + f" {self.turn}"


def cases() -> list[Case]:
    found: list[Case] = []
    for line in (DATA / "go" / "cases.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "case":
            found.append(Case(rest))
        elif word == "turn":
            found[-1].turn = rest
        elif word == "play":
            found[-1].played = rest
        elif line and set(line) <= set("xo."):
            (found[-1].after if found[-1].played else found[-1].rows).append(line)
        elif line and not line.startswith("#"):
            found[-1].checks.append((word, rest))
    return found


def winner(game: str, board: str) -> str:
    """The winner of a board where both have passed, asked from both engines."""
    text = f"{board} x - 2"
    outcome = Position.parse(game, text).outcome
    assert outcome
    number = -1 if outcome.winner is None else int(outcome.winner)
    assert _core.Position(game, text).outcome() == number
    return ("x", "o", "draw")[number]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_drawn_case(case: Case) -> None:
    position = Position.parse(case.game, case.text).play_line(case.played)
    rust = _core.Position(case.game, case.text)
    for move in position.played:
        rust = rust.play(move)
    board, _, ko, _ = position.text.split()
    assert board.split("/") == (case.after or case.rows)
    assert rust.write() == position.text
    pass_move = len(case.rows) ** 2
    legal, rust_legal = set(position.moves), set(rust.moves())
    for word, rest in case.checks:
        named = [position.game.find_move(position.state, name) for name in rest.split()]
        if word == "ko":
            assert ko == rest
        elif word == "legal":
            assert legal.issuperset(named)
            assert rust_legal.issuperset(named)
        elif word == "illegal":
            assert not legal.intersection(named)
            assert not rust_legal.intersection(named)
        elif word == "repeats":
            assert rust_legal - legal == set(named)
        else:
            assert word == "result"
            komi, expected = rest.split()
            assert winner(f"go(size={len(case.rows)}, komi={komi})", board) == expected
    if "repeats" not in dict(case.checks):
        assert legal == rust_legal
    assert (pass_move in legal) == (position.outcome is None)


# Superko.


def test_superko_on_the_smallest_board() -> None:
    """Up to six plies from an empty 2 x 2 board no board can come back; at seven some do."""
    start = Position.start("go(size=2)")
    rust = _core.Position("go(size=2)")
    counts = [perft(start, depth, engine="python") for depth in (5, 6, 7)]
    assert counts == [316, 604, 1088]
    assert [rust.perft(depth) for depth in (5, 6, 7)] == [316, 604, 1168]


def test_history_is_in_the_repr_but_not_in_equality() -> None:
    sent = Position.parse("go(size=5)", "...../xo.../xoo../xooo./.x.o. x").play_line("C1A1")
    assert "B1" not in sent.names
    again = eval(repr(sent))
    assert again == sent
    assert again.moves == sent.moves
    forgetful = Position.parse("go(size=5)", sent.text)
    assert forgetful == sent
    assert hash(forgetful) == hash(sent)
    assert forgetful.key == sent.key
    assert "B1" in forgetful.names
    with pytest.raises(IllegalMove, match="illegal move 'b1': legal here: C1 "):
        sent.play("b1")
    assert "pass" in sent.names  # a pass leaves the board as it is, and is always legal


def test_playouts_know_no_history() -> None:
    sent = Position.parse("go(size=5)", "...../xo.../xoo../xooo./.x.o. x").play_line("C1A1")
    b1 = sent.game.find_move(sent.state, "B1")
    assert b1 in sent.game.playout_moves(sent.state)
    assert b1 not in sent.moves


def test_symmetries_turn_the_ko_point_and_the_history() -> None:
    ko = Position.parse("go(size=5)", "...../.xo../x.xo./.xo../..... o").play("B3")
    assert {turned.text.split()[2] for turned in ko.symmetries()} == {"C3"}
    edge = Position.parse("go(size=5)", "...../...../...../.xo../xo.o. x").play("C1")
    points = {turned.text.split()[2] for turned in edge.symmetries()}
    assert points == {"B1", "D1", "B5", "D5", "A2", "A4", "E2", "E4"}
    sent = Position.parse("go(size=5)", "...../xo.../xoo../xooo./.x.o. x").play_line("C1A1")
    assert {len(turned.moves) for turned in sent.symmetries()} == {len(sent.moves)}


# Playouts.


@pytest.mark.parametrize(
    ("board", "eyes"),
    [
        # Corner: two neighbours and one diagonal, which must not be an enemy.
        ("...../...../...../x..../.x...", "A1"),
        ("...../...../...../xx.../.x...", "A1"),
        ("...../...../...../xo.../.x...", ""),
        # Edge: two diagonals, none may be an enemy.
        ("...../...../...../.xxx./.x.x.", "C1"),
        ("...../...../...../..x../.x.x.", "C1"),
        ("...../...../...../.ox../.x.x.", ""),
        # Middle: four diagonals, one may be an enemy.
        ("...../..xo./.x.x./..x../.....", "C3"),
        ("...../.oxo./.x.x./..x../.....", ""),
        ("...../..xo./.x.x./.ox../.....", ""),
        # Two empty points together are no eye, and an eye is not the enemy's to respect.
        ("...../...../...../xx.../..x..", ""),
    ],
)
def test_own_one_point_eyes(board: str, eyes: str) -> None:
    for turn in "xo":
        stones = board if turn == "x" else board.translate(str.maketrans("xo", "ox"))
        position = Position.parse("go(size=5)", f"{stones} {turn}")
        rust = _core.Position("go(size=5)", position.text)
        offered = position.game.playout_moves(position.state)
        assert offered == rust.playout_moves()
        left_out = set(position.moves) - {25} - set(offered)
        assert {position.name(move) for move in left_out} == set(eyes.split())


def test_a_playout_passes_only_when_nothing_else_is_left() -> None:
    position = Position.parse("go(size=2)", ".x/x. o")
    assert position.names == ("pass",)
    assert position.game.playout_moves(position.state) == [4]
    mine = position.play("pass")
    assert mine.names == ("B1", "A2", "pass")
    assert mine.game.playout_moves(mine.state) == [4]  # both points are own eyes
    rust = _core.Position("go(size=2)", position.text)
    assert rust.traced_playout(1, 1) == (1, [9, 8])  # o passes, x passes; 4 points are not 7.5
    assert _core.Position("go(size=2)", mine.text).traced_playout(1, 1) == (1, [8])


def test_amaf_codes() -> None:
    """The same point by the same player, whatever the position; the pass has codes too."""
    start = Position.start("go(size=5)")
    later = start.play_line("C3 D4")
    assert start.code(0) == later.code(0) == 0
    assert start.play("C3").code(0) == 1
    assert start.code(25) == 50
    assert start.play("C3").code(25) == 51 == start.game.codes() - 1


# Legal positions: https://oeis.org/A094777.


@pytest.mark.parametrize(("size", "count"), [(2, 57), (3, 12_675)])
def test_the_number_of_legal_positions(size: int, count: int) -> None:
    game = f"go(size={size})"
    rules = load_game(game)
    found = [0, 0]
    for cells in itertools.product(".xo", repeat=size * size):
        rows = ["".join(cells[at : at + size]) for at in range(0, size * size, size)]
        text = "/".join(rows) + " x"
        for engine, read in enumerate((rules.read, lambda text: _core.Position(game, text))):
            try:
                read(text)
            except ValueError:
                continue
            found[engine] += 1
    assert found == [count, count]


@pytest.mark.parametrize(("size", "count"), [(2, 57), (3, 12_675)])
def test_every_legal_position_can_be_reached(size: int, count: int) -> None:
    """By play from the empty board; the shortest way there repeats no board."""
    rules = Go(size)
    waiting = [rules.start()]
    seen = set(waiting)
    for state in waiting:
        for move in rules.moves(state):
            # Neither the way here nor two passes in a row matter.
            after = replace(rules.play(state, move), passes=0, earlier=frozenset())
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert len({state.board for state in seen}) == count


# Text.


def test_names_of_points() -> None:
    nineteen = Position.start("go(size=19)")
    assert [nineteen.name(move) for move in (0, 7, 8, 18, 360, 361)] == [
        "A1", "H1", "J1", "T1", "T19", "pass",
    ]  # fmt: skip
    for text in ("d4", "D4", " D4 "):
        assert nineteen.move(text) == 3 * 19 + 3 == _core.Position("go(size=19)").read_move(text)
    for text in ("pass", "PASS", "Pass"):
        assert nineteen.move(text) == 361 == _core.Position("go(size=19)").read_move(text)
    letters = str(Position.start("go")).splitlines()[-2]
    assert letters == "   A B C D E F G H J"


@pytest.mark.parametrize(
    "text", ["I1", "i5", "K1", "A10", "A0", "A01", "A+1", "", "D", "44", "\u212a1"]
)
def test_what_is_no_point(text: str) -> None:
    with pytest.raises(InvalidMove, match='to "J9" \\(no I\\), or "pass"'):
        Position.start("go").play(text)
    with pytest.raises(_core.InvalidMove, match='to "J9" \\(no I\\), or "pass"'):
        _core.Position("go").read_move(text)


def test_lists_of_moves() -> None:
    start = Position.start("go(size=13)")
    line = start.play_line("D4 N13 pass c3")
    assert start.play_line("D4N13passC3") == start.play_line("d4, n13; PASS c3") == line
    assert line.text.endswith(" x - 0")
    with pytest.raises(InvalidMove, match="cannot read 'I5'"):
        start.play_line("D4 I5")


def test_what_may_be_missing_in_a_position() -> None:
    whole = Position.parse("go(size=3)", ".../.x./... o - 0")
    assert Position.parse("go(size=3)", ".../.x./... o -") == whole
    assert Position.parse("go(size=3)", ".../.x./... o") == whole
    ko = "...../.xo../xo.o./.xo../..... x"
    assert Position.parse("go(size=5)", f"{ko} c3").text == f"{ko} C3 0"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("xo/ox x", "the stone on A1 has no liberty"),
        ("xo/xx x", "the stone on A1 has no liberty"),
        (".o/ox x - 3", "the stone on B1 has no liberty"),
        ("../.. x - 3", "expected 0, 1 or 2 passes, found"),
        ("../.. x - 00", "expected 0, 1 or 2 passes, found"),
        ("../.. x 0", "expected a ko point such as 'D4', or '-', found"),
        ("../.. x C1", "expected a ko point such as 'D4', or '-', found"),
        ("../.. x A1", "no stone can just have been taken in a ko on A1"),
        ("../.x x B1", "no stone can just have been taken in a ko on B1"),
        ("../.. x - 0 x", "unexpected"),
        ("../.. z", "expected the side to move"),
    ],
)
def test_impossible_positions(text: str, problem: str) -> None:
    with pytest.raises(InvalidPosition, match=problem):
        Position.parse("go(size=2)", text)
    with pytest.raises(_core.InvalidPosition, match=problem):
        _core.Position("go(size=2)", text)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("...../.xo../xo.o./.xo../..... x C3 0", True),
        ("...../.xo../xo.o./.xo../..... x C3 1", False),  # a pass ends a ko
        ("...../.xo../xo.o./.xo../..... o C3 0", False),  # the taker is not the one forbidden
        ("...../.xo../xo.o./.xo../..... x B3 0", False),  # not empty
        ("...../.xo../xo.o./..o../..... x C3 0", False),  # the taker has two liberties
        ("...../.xo../oo.o./.xo../..... x C3 0", False),  # the taker is not alone
        ("...../.xo../xo.../.xo../..... x C3 0", False),  # C3 has an empty neighbour
        ("...../.xox./xo.ox/.xox./..... x C3 0", False),  # two stones are in atari there
    ],
)
def test_ko_points_that_are_read(text: str, good: bool) -> None:
    if good:
        assert Position.parse("go(size=5)", text).text == text
        assert _core.Position("go(size=5)", text).write() == text
        return
    with pytest.raises(InvalidPosition, match="ko"):
        Position.parse("go(size=5)", text)
    with pytest.raises(_core.InvalidPosition, match="ko"):
        _core.Position("go(size=5)", text)


# The game string.


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("go()", "go"),
        ("go(9, 7.5)", "go"),
        ("go(13)", "go(size=13)"),
        ("go(komi=6)", "go(komi=6.0)"),
        ("go(komi=-0.0)", "go(komi=0.0)"),
        ("go(komi=-400, size=2)", "go(size=2, komi=-400.0)"),
    ],
)
def test_game_strings(text: str, written: str) -> None:
    assert str(load_game(text)) == written
    assert load_game(written) == load_game(text)
    _core.Position(written)


@pytest.mark.parametrize(
    "arguments",
    ["size=1", "size=20", "size=9.5", "size=true", "komi=7.3", "komi=400.5", "komi=1e999",
     "komi=nan", "komi=inf", "komi=none", "handicap=2"],
)  # fmt: skip
def test_refused_arguments(arguments: str) -> None:
    with pytest.raises(InvalidGame, match="go"):
        load_game(f"go({arguments})")
    if "true" not in arguments:  # the engine reads numbers only: true is 1
        with pytest.raises(ValueError, match="go"):
            _core.Position(f"go({arguments})")


def test_komi_that_is_no_number() -> None:
    for komi in (float("nan"), float("inf"), float("-inf"), 10**400, True, "7.5"):
        with pytest.raises(InvalidGame, match=r"komi must be a multiple of 0\.5"):
            Go(9, komi)  # type: ignore[arg-type]
