"""Programs that others wrote, over GTP: GNU Go and GRhino agree with us on rules and results."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from helpers import random_game
from sylve import Position, Rng, Uct, search
from sylve.games.go import Go
from sylve.gtp.player import GtpPlayer
from sylve.gtp.process import GtpProcess
from sylve.records.record import margin

PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])
GNUGO_RULES = (
    "--mode gtp --chinese-rules --positional-superko --forbid-suicide"
    " --play-out-aftermath --capture-all-dead"
)


def find_program(name: str, package: str) -> str:
    """The path of a program. Without it tests are skipped, unless it was promised."""
    path = shutil.which(name, path=PATH)
    if path is None:
        message = f"{name} is not installed (Debian, Ubuntu: apt install {package})"
        if os.environ.get("SYLVE_CI") == "1":
            pytest.fail(f"{message}, but SYLVE_CI=1 says that it must be", pytrace=False)
        pytest.skip(f"{message}: not compared with it")
    return path


@pytest.fixture
def gnugo() -> str:
    return f"{find_program('gnugo', 'gnugo')} {GNUGO_RULES}"


@pytest.fixture
def rhino() -> str:
    return f"{find_program('gtp-rhino', 'grhino')} -l 1 -b 0"


def points(score: str) -> float:
    """`B+3.5` as Black's lead."""
    match = re.fullmatch(r"0|([BW])\+([0-9.]+)", score)
    assert match, score
    return 0.0 if score == "0" else float(match[2]) * (1 if match[1] == "B" else -1)


def tell_the_rest(player: GtpPlayer, position: Position) -> None:
    """Bring its board to the end of the game."""
    assert player.here is not None
    player.tell(position.played[len(player.here.played) :])
    assert player.here == position


# Go.


@pytest.mark.parametrize(("size", "games"), [(2, 40), (3, 20), (5, 6), (9, 2)])
def test_gnugo_knows_the_same_legal_moves(gnugo: str, size: int, games: int) -> None:
    """Ko, superko and suicide, along games that use every legal move, passes left out."""
    compared = superko = 0
    with GtpProcess(gnugo, 30) as engine:
        engine.send(f"boardsize {size}")
        for index in range(games):
            engine.send("clear_board")
            position, rng = Position.start(f"go(size={size})"), Rng.stream(3, index)
            assert isinstance(position.game, Go)
            while position.outcome is None and len(position.played) < 3 * size * size:
                colour = "bw"[position.turn]
                ours = {name for name in position.names if name != "pass"}
                assert set(engine.send(f"all_legal {colour}").split()) == ours, repr(position)
                forgetful = Position(position.game, position.game.forget(position.state))
                superko += len(forgetful.moves) - len(position.moves)
                compared += 1
                if not ours:
                    break
                name = sorted(ours)[rng.below(len(ours))]
                engine.send(f"play {colour} {name}")
                position = position.play(name)
        assert compared > 100
        # On the smallest boards superko forbids moves that simple ko allows: it was compared too.
        assert superko > 0 or size > 3


@pytest.mark.parametrize("komi", [7.5, 0, -3.5])
def test_gnugo_counts_the_same_points(gnugo: str, komi: float) -> None:
    """Boards that random play has filled: what stands there lives."""
    with GtpProcess(gnugo, 60) as engine:
        for size in (5, 7, 9):
            engine.send(f"boardsize {size}")
            for index in range(4):
                *_, last = random_game(f"go(size={size}, komi={komi})", 11, index)
                engine.send("clear_board")
                engine.send(f"komi {komi}")
                here = Position.start(last.game)
                for move in last.played:
                    engine.send(f"play {'bw'[here.turn]} {here.name(move)}")
                    here = here.play(move)
                lead = margin(last)
                assert points(engine.send("final_score")) == lead, repr(last)


@pytest.mark.parametrize("ours", [0, 1], ids=["black", "white"])
def test_whole_games_against_gnugo(gnugo: str, ours: int) -> None:
    player = GtpPlayer(f"{gnugo} --level 0", "GNU Go")
    start = Position.start("go(size=9, komi=7.5)")
    try:
        for index in range(2):
            position = start
            player.start(str(start.game), start)
            while position.outcome is None:
                assert len(position.played) < 400
                if position.turn == ours:
                    move = search(position, Uct(100, seed=index)).best
                else:
                    move = player.choose(position, index, None)
                position = position.play(move)
            tell_the_rest(player, position)
            assert points(player.send("final_score", 60)) == margin(position), repr(position)
    finally:
        player.close()


# Othello.


def test_rhino_plays_whole_games(rhino: str) -> None:
    """Both colours, from many openings; it passes by itself and is not told to."""
    player = GtpPlayer(rhino, "GRhino")
    passes = [0, 0]  # ours, its
    try:
        for index in range(16):
            opening = list(random_game("othello", 4, index))[6]
            position, ours = opening, index % 2
            player.start("othello", opening)
            while position.outcome is None:
                if position.turn == ours:
                    move = search(position, Uct(30, seed=index)).best
                else:
                    move = player.choose(position, index, None)
                passes[position.turn != ours] += position.name(move) == "pass"
                position = position.play(move)
            tell_the_rest(player, position)
            assert points(player.send("final_score")) == margin(position), repr(position)
    finally:
        player.close()
    assert min(passes) > 0
    assert not player.takes_passes


def test_a_program_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYLVE_CI", "0")
    with pytest.raises(pytest.skip.Exception, match="apt install nothing"):
        find_program("no-such-program", "nothing")
    monkeypatch.setenv("SYLVE_CI", "1")
    with pytest.raises(pytest.fail.Exception, match="must be"):
        find_program("no-such-program", "nothing")
