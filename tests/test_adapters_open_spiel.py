"""Games of OpenSpiel as games of ours: the rules are OpenSpiel's, step by step."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from typing import Any

import pytest

from openspiel import load_openspiel
from searches import KINDS
from sylve import (
    AlphaBeta,
    IllegalMove,
    InvalidGame,
    InvalidPosition,
    Player,
    Position,
    Rng,
    Uct,
    check_game,
    load_game,
    search,
    solve,
)
from sylve.adapters.open_spiel import load
from sylve.open_spiel import load as loading
from test_cli_arena import run

# Games, and how many random ones are played of each.
GAMES = {
    "amazons(board_size=6)": 1,
    "breakthrough(columns=4, rows=6)": 4,
    "checkers": 1,
    "clobber": 10,
    "connect_four(columns=5, rows=4)": 20,
    "dots_and_boxes": 20,
    "dots_and_boxes(num_rows=3, utility_margin=true)": 20,
    "go(board_size=3, komi=3.0)": 5,
    "gomoku(connect=4, size=5)": 10,
    "havannah(board_size=3)": 10,
    "hex(board_size=3, swap=true)": 20,
    "hex(num_cols=4, num_rows=3)": 20,
    "mancala": 4,
    "misere(game=hex(board_size=3))": 20,
    "mnk(k=3, m=4, n=4)": 10,
    "nim": 20,
    'nim(is_misere=false, pile_sizes="3;4")': 20,
    "othello": 1,
    "oware": 2,
    "pentago": 1,
    "quoridor(board_size=3)": 2,
    "tic_tac_toe": 20,
    "twixt(board_size=5)": 5,
    "ultimate_tic_tac_toe": 1,
    "y(board_size=4)": 20,
}
LONG_GAMES = {
    "antichess": 1,
    "chess": 1,
    "chinese_checkers(max_moves=30)": 1,
    "crazyhouse": 1,
    "hive": 1,
    "lines_of_action": 1,
    "nine_mens_morris": 1,
    "shogi": 1,
    "xiangqi": 1,
}
games = pytest.mark.parametrize("text", GAMES)


@pytest.fixture(autouse=True)
def _there() -> None:
    load_openspiel()


@games
def test_no_rule_is_broken(text: str) -> None:
    found = check_game(load(text), games=GAMES[text])
    assert found, found
    assert found.games == GAMES[text]


@pytest.mark.parametrize("text", GAMES | LONG_GAMES)
def test_random_games_are_those_of_open_spiel(text: str) -> None:
    """Asked at every position, of a state of theirs that is played on beside ours."""
    game = load(text)
    for number in range((GAMES | LONG_GAMES)[text]):
        rng = Rng.stream(5, number)
        theirs, position = game.native.new_initial_state(), Position.start(game)
        passed = [position]
        while not theirs.is_terminal():
            assert list(position.moves) == theirs.legal_actions()
            assert position.turn == theirs.current_player()
            assert position.outcome is None
            move = position.moves[rng.below(len(position.moves))]
            name = theirs.action_to_string(theirs.current_player(), move)
            assert position.name(move) == "_".join(name.split())
            theirs.apply_action(move)
            position = position.play(position.name(move))
            passed.append(position)
        first, second = theirs.returns()
        assert position.outcome is not None
        assert position.moves == ()
        points = [position.outcome.points(player) - 1 for player in Player]
        assert points == [(first > second) - (first < second), (second > first) - (second < first)]
        assert theirs.history() == list(position.played)
        # Nothing that was played later has changed an earlier position.
        for before, after in pairwise(passed):
            assert before.state.native.history() == list(before.played)
            assert before.moves == tuple(before.state.native.legal_actions())
            assert after.turn == before.turn.other or after.outcome is None
        assert len({one.key for one in passed}) == len(set(passed)) == len(passed)


@games
def test_playouts_are_games(text: str) -> None:
    """A playout changes one state of OpenSpiel in place; what it tells is a game by the rules."""
    start = Position.start(load(text))
    for number in range(3):
        played = start.playout(Rng.stream(2, number))
        position, codes = start, []
        for move in played.moves:
            codes.append(position.code(move))
            assert codes[-1] == 2 * move + position.turn
            position = position.play(move)
        assert (position, tuple(codes)) == (played.end, played.codes)
        assert position.outcome == played.outcome
    assert start.state.native.history() == []


@games
def test_texts_and_copies(text: str) -> None:
    game = load_game(f"open_spiel:{text}")
    assert str(game) == f"open_spiel:{text}"
    assert game is load_game(str(game))
    position = Position.start(str(game))
    for _ in range(4):
        if position.outcome is None:
            position = position.play(position.moves[-1])
    again = pickle.loads(pickle.dumps(position))
    for same in (again, Position.parse(game, position.text), eval(repr(position))):
        assert same == position
        assert hash(same) == hash(position)
        assert same.moves == position.moves
        assert str(same) == str(position)
    assert "\x1b" not in str(position)
    assert position.svg().startswith("<svg")


@games
def test_every_search_runs_alike_on_both_engines(text: str) -> None:
    position = Position.start(load(text))
    for kind in KINDS:
        if kind is AlphaBeta:
            continue
        how = kind(12, seed=3)
        rust, python = (search(position, how, engine=engine) for engine in ("rust", "python"))
        assert rust == python
        assert rust.best in position.moves
    judged = search(position, AlphaBeta(1, evaluation=lambda _: 7))
    assert judged.best in position.moves


def test_histories_that_differ_are_different_positions() -> None:
    """The board is the same, but only OpenSpiel knows whether its history counts."""
    start = Position.start("open_spiel:tic_tac_toe")
    one, two = start.play_line([0, 1, 2]), start.play_line([2, 1, 0])
    assert str(one) == str(two)
    assert one != two
    assert one.key != two.key


def test_repetitions_count_in_chess() -> None:
    """After the same board has come back twice the game is drawn, which a board alone hides."""
    position = Position.start("open_spiel:chess")
    for _ in range(2):
        position = position.play_line("Nf3 Nf6 Ng1 Ng8")
    assert position.outcome is not None
    assert position.outcome.winner is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nim", -1),  # 1, 3, 5, 7: the first player has lost, also if the last match loses
        ('nim(is_misere=false, pile_sizes="1;2;3")', -1),
        ('nim(is_misere=false, pile_sizes="3;4")', 1),
        ("hex(board_size=2)", 1),
        ("clobber(columns=4, rows=2)", None),
    ],
)
def test_solved_and_proven(text: str, value: int | None) -> None:
    """A search with proofs finds what `solve` finds."""
    game = load(text)
    if text == "nim":
        game = load('nim(pile_sizes="1;2;3")')  # misère; the piles of `nim` take too long
    solved = solve(game).value
    assert value is None or solved == value
    report = search(game, Uct(30_000, seed=1))
    assert report[report.best].proven == {1: "win", 0: "draw", -1: "loss"}[solved]


REFUSED = {
    "kuhn_poker": "open_spiel:kuhn_poker has chance and hidden information: sylve plays games of",
    "leduc_poker": "has chance and hidden information",
    "backgammon": "has chance: ",
    "pig": "has chance: ",
    "goofspiel": "has chance and simultaneous moves",
    "matrix_rps": "has simultaneous moves and hidden information",
    "oshi_zumo": "has simultaneous moves: ",
    "phantom_ttt": "has hidden information: ",
    "dark_hex": "has hidden information: ",
    "bargaining": "has chance, hidden information and returns that do not add up to zero",
    "matching_pennies_3p": "has simultaneous moves, hidden information and 3 players",
    "chinese_checkers(players=3)": "has 3 players: ",
    "quoridor(players=4)": "has 4 players: ",
    "morpion_solitaire": "has one player: ",
    "cliff_walking": "has one player: ",
    "mfg_crowd_modelling": "has chance, simultaneous moves and one player",
    "misere(game=kuhn_poker)": "open_spiel:kuhn_poker has chance and hidden information",
    "turn_based_simultaneous_game(game=matrix_mp)": "has simultaneous moves and hidden information",
    "mnk(m=300, n=300)": "open_spiel:mnk has 90,000 moves: at most 65,536 can be searched",
    "hexx": "unknown game 'open_spiel:hexx': did you mean 'hex'? expected one of: amazons, ",
    "misere": "open_spiel:misere: OpenSpiel refuses it: Missing parameter game",
    "misere(game=3)": "open_spiel:misere: game must be a game such as tic_tac_toe, not 3",
    "hex(5)": "open_spiel:hex: give each parameter by name, not 5: board_size, num_cols, ",
    "tic_tac_toe(5)": "give each parameter by name, not 5: it has none",
    "hex(size=5)": "unknown parameter 'size': expected one of: board_size, num_cols, ",
    "tic_tac_toe(size=5)": "unknown parameter 'size': it has none",
    "hex(board_size=true)": "open_spiel:hex: board_size must be a whole number, not True",
    "hex(board_size=2.5)": "open_spiel:hex: board_size must be a whole number, not 2.5",
    "hex(board_size=big)": "open_spiel:hex: board_size must be a whole number, not big",
    "hex(swap=1)": "open_spiel:hex: swap must be true or false, not 1",
    "go(komi=none)": "open_spiel:go: komi must be a number, not None",
    "nim(pile_sizes=3)": 'open_spiel:nim: pile_sizes must be "text", not 3',
    'nim(pile_sizes="a")': "OpenSpiel refuses it: Could not parse size 'a'",
    "go(board_size=30)": "OpenSpiel refuses it: The current Go implementation supports board size",
    "hex(board_size=99999)": "open_spiel:hex(board_size=99999): OpenSpiel refuses it: std::bad_a",
    "connect_four(rows=0)": "open_spiel:connect_four(rows=0): OpenSpiel crashes",
    "hex(num_cols=4, num_rows=3, swap=true)": "OpenSpiel crashes",  # at the swap
    "havannah(board_size=0)": "a player who is to move has no legal move",
    "checkers(rows=1)": "the game is over before it begins",
    "hex(": "invalid 'open_spiel:hex(': ')' is missing",
    "": "invalid 'open_spiel:': cannot read ':'",
    "a:b": "invalid 'open_spiel:a:b': cannot read ':b'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused_by_name(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    """In words, and without a word of OpenSpiel's own on stderr."""
    with pytest.raises(InvalidGame) as refused:
        load_game(f"open_spiel:{text}")
    assert REFUSED[text] in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "OpenSpiel exception" not in capfd.readouterr().err


def test_a_size_that_never_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "TRIAL_SECONDS", 0.01)
    with pytest.raises(InvalidGame, match="OpenSpiel has not begun it after 0.01 seconds"):
        load("hex(board_size=6)")


def test_bad_moves_and_positions() -> None:
    game = load("hex(board_size=3)")
    start = Position.start(game)
    with pytest.raises(IllegalMove, match=r"illegal move 'z9': legal here: a1 b1 c1 a2 .* c3$"):
        start.play("z9")
    for text, found in {
        "4 4": "found '4' after 1 moves; allowed there: 0 1 2 3 5 6 7 8$",
        "x": "expected 'start' or the numbers of the moves from the start, found 'x' after 0",
        "-1": "found '-1' after 0 moves",
        "0 3 1 4 2 5 8 7": "found '8' after 6 moves|found '7' after",
        "9" * 5000: "found '99999",
    }.items():
        with pytest.raises(InvalidPosition, match=found):
            Position.parse(game, text)
    assert Position.parse(game, "").moves == Position.parse(game, "start").moves == start.moves


def test_names_that_two_moves_share(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("hex(board_size=3)")
    monkeypatch.setattr(game, "write_move", lambda state, move: "same")
    with pytest.raises(IllegalMove, match=r"ambiguous move 'same': it is the name of \[0, 1, 2"):
        Position.start(game).play("same")


class Hostile:
    """A native state whose board would clear the screen."""

    def __str__(self) -> str:
        return "a\x1b[31mb\x1b[0m\x1b[2Jc\n"


def test_boards_send_nothing_to_the_terminal() -> None:
    game = load("hex(board_size=3)")
    state = game.start()
    state.native = Hostile()
    assert game.draw(state) == "ab\\x1b[2Jc"


@pytest.mark.parametrize("text", ["clobber(columns=4, rows=3)", "misere(game=tic_tac_toe)"])
def test_a_match_in_workers(text: str) -> None:
    """Each worker makes the game from its text; how many there are changes nothing."""
    command = ("match", "uct(20)", "flat(20)", "--game", f"open_spiel:{text}", "--games", "4")
    results = [match(*command, "--no-store", "--json", "--workers", n) for n in ("1", "2")]
    assert results[0] == results[1]
    assert results[0]["game"] == f"open_spiel:{text}"


def match(*arguments: str) -> dict[str, Any]:
    """What a match says, but for the time it took."""
    ran = run(*arguments)
    assert ran.returncode == 0, ran.stderr
    content: dict[str, Any] = json.loads(ran.stdout)
    return content


def test_commands() -> None:
    game = "open_spiel:havannah(board_size=4)"
    shown = run("show", game, "--moves", "d4 a1")
    assert shown.returncode == 0, shown.stderr
    assert "x to move" in shown.stdout
    found = run("analyze", game, "--playouts", "50", "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["game"] == game
    for text in ("kuhn_poker", "connect_four(rows=0)"):
        refused = run("show", f"open_spiel:{text}")
        assert refused.returncode == 2
        assert refused.stderr.startswith("sylve: ")
        assert len(refused.stderr.splitlines()) == 1
