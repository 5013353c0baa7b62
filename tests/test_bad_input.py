"""Bad input to a search: a clear error in both engines, nothing hangs, and one can go on."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

from searches import KINDS
from sylve import (
    AmafUct,
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Outcome,
    Player,
    Position,
    Rave,
    Search,
    SequentialHalving,
    Ucb,
    Uct,
    parse_search,
    search,
)
from sylve.errors import EndlessGame
from sylve.policies import decisive, mast, weighted
from sylve.rules import bayes, decaying_epsilon, discounted, epsilon, thompson, tuned, ucb1
from sylve.schedules import bias, fixed, hand, slides
from test_check_game import Nim

ENGINES = ("python", "rust")


# Arguments.


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("playouts", [0, -1, 1.5, True, "many", float("nan")])
def test_playouts(kind: type[Search], playouts) -> None:
    with pytest.raises(ValueError, match=f"{kind.name()}: playouts must be a whole number of at"):
        kind(playouts)


CONSTANTS = [
    (ucb1, "c"), (ucb1, "cp"), (tuned, "c"), (bayes, "wins"), (bayes, "losses"), (epsilon, "e"),
    (decaying_epsilon, "c"), (decaying_epsilon, "d"), (thompson, "wins"), (thompson, "losses"),
    (discounted, "gamma"), (discounted, "c"), (hand, "k"), (bias, "b"), (slides, "b"), (fixed, "b"),
    (mast, "epsilon"), (Flat, "gamma"), (AmafUct, "alpha"), (AmafUct, "c"), (Rave, "c"),
    (Grave, "c"), (MultiScaleRave, "c"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "argument"), CONSTANTS)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "1" + 400 * "0"])
def test_constants(kind, argument: str, value: str) -> None:
    number = int(value) if len(value) > 100 else float(value)
    with pytest.raises(ValueError, match=f"{kind.name()}: {argument} must be a number .*, not "):
        kind(**{argument: number})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ucb(rule=ucb2)", "unknown rule 'ucb2': did you mean 'ucb1'"),
        ("rave(schedule=bais)", "unknown schedule 'bais': did you mean 'bias'"),
        ("uct(playout=decicive)", "unknown playout 'decicive': did you mean 'decisive'"),
        ("uct(rule=epsilon)", "uct: rule must be one of bayes, tuned, ucb1, or your own"),
        ("rave(update=sufix)", "rave: update must be one of course, suffix, not"),
        ("grave(reference=-1)", "grave: reference must be a whole number"),
        ("uct(seed=-1)", "uct: seed must be a whole number from 0"),
    ],
)
def test_unknown_parts(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_search(text)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_finished_game(engine: str) -> None:
    over = Position.start("tic_tac_toe").play_line("a1a2b1b2c1")
    for kind in KINDS:
        with pytest.raises(ValueError, match="the game is over: there is nothing to search in"):
            search(over, kind(10), engine=engine)


# A user's game that breaks the rules, late enough for the search to have begun.


class Raises(Nim):
    def play(self, state, move):
        if state[0] < 4:
            raise RuntimeError("the matches are wet")
        return super().play(state, move)


class Illegal(Nim):
    """moves() offers what play() refuses."""

    def moves(self, state):
        return [1, 2, 3, 9] if state[0] < 6 else super().moves(state)

    def play(self, state, move):
        if move > state[0]:
            raise ValueError(f"illegal move {move}")
        return super().play(state, move)


class NoMoves(Nim):
    def moves(self, state):
        return [] if state[0] < 6 else super().moves(state)


class BadOutcome(Nim):
    def outcome(self, state):
        return "won" if state[0] == 0 else None


class BadTurn(Nim):
    def turn(self, state):
        return 7 if state[0] < 6 else state[1]


class Endless(Nim):
    """The number of matches grows for ever."""

    def outcome(self, state):
        return None

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return (state[0] + move, state[1].other)


class Circle(Endless):
    """The same few positions come again and again."""

    def play(self, state, move):
        return ((state[0] + move) % 5, state[1].other)


class NeverEnough(Nim):
    def max_plies(self):
        return -1


EXAMPLES = [
    Flat(50),
    FlatAmaf(50),
    Ucb(50, rule=thompson()),
    SequentialHalving(50),
    Uct(200),
    Uct(200, transpositions=False),
    AmafUct(200),
    Rave(200),
    MultiScaleRave(200),
    Grave(200, reference=5),
    Uct(200, playout=decisive()),
    Rave(200, playout=mast()),
    Grave(200, playout=weighted("3:5")),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("how", EXAMPLES, ids=str)
@pytest.mark.parametrize(
    ("game", "error", "problem"),
    [
        (Raises, RuntimeError, "the matches are wet"),
        (Illegal, ValueError, "illegal move"),
        (NoMoves, ValueError, r"outcome\(\) is None but moves\(\) is \[\]"),
        (BadOutcome, ValueError, r"outcome\(\) must be None or an Outcome, not 'won'"),
        (Endless, EndlessGame, "the game has not ended after 10000 plies"),
        (Circle, EndlessGame, "the game has not ended after 10000 plies"),
        (NeverEnough, ValueError, r"max_plies\(\) must be a whole number of at least 1, not -1"),
    ],
)
def test_a_broken_game(game, error, problem: str, how: Search, engine: str) -> None:
    with pytest.raises(error, match=problem) as caught:
        search(Position.start(game()), how, engine=engine)
    assert "check_game" in "".join(caught.value.__notes__)
    assert search(Position.start(Nim()), how, engine=engine).best in (1, 2, 3)  # one can go on


@pytest.mark.parametrize("how", [Uct(200), Rave(200), Grave(200)], ids=str)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_bad_turn(how: Search, engine: str) -> None:
    with pytest.raises(ValueError, match="7 is not a valid Player|turn.. must be a Player, 0 or 1"):
        search(Position.start(BadTurn()), how, engine=engine)


class Moody(Nim):
    """Other moves each time that they are asked for."""

    calls = 0

    def moves(self, state):
        self.calls += 1
        return super().moves(state)[: 1 + self.calls % 3]


@pytest.mark.parametrize("how", EXAMPLES, ids=str)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_that_contradicts_itself(how: Search, engine: str, capfd) -> None:
    """No search can see it for sure: it answers, or refuses in words."""
    try:
        search(Position.start(Moody()), how, engine=engine)
    except (ValueError, IndexError) as error:
        assert "check_game" in "".join(error.__notes__)
    capfd.readouterr()  # the engine says on stderr where it broke
    assert search(Position.start(Nim()), how, engine=engine).best in (1, 2, 3)


# Numbers that the compiled engine must refuse.


class SilentPlayout(Nim):
    def playout(self, state, rng, played=None):
        return Outcome(Player.FIRST)


def test_a_playout_that_tells_no_codes() -> None:
    start = Position.start(SilentPlayout())
    reports = [search(start, FlatAmaf(20), engine=engine) for engine in ENGINES]
    assert reports[0] == reports[1]


class StrangeCodes(Nim):
    def codes(self):
        return 10

    def playout(self, state, rng, played=None):
        played.append(99_999)
        return Outcome(Player.FIRST)


class NegativeCode(Nim):
    def code(self, state, move):
        return -1


class NegativeHash(Nim):
    def hash(self, state):
        return -5


class NoOutcome(Nim):
    def playout(self, state, rng, played=None):
        return None


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        (StrangeCodes, r"playout\(\) must append AMAF codes from 0 to 9, not 99999"),
        (NegativeCode, r"code\(\) must be an integer from 0, not -1"),
        (NegativeHash, r"hash\(\) must be an integer of 64 bits, not -5"),
        (NoOutcome, r"playout\(\) must give an Outcome, not None"),
    ],
)
def test_answers_that_the_compiled_engine_refuses(game, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        search(Position.start(game()), Rave(50), engine="rust")


# A method that never returns: only the user can end it.

STUCK = """
import sys
sys.path.insert(0, {tests!r})
from sylve import Position, Uct, search
from test_check_game import Nim

class Stuck(Nim):
    def play(self, state, move):
        print("stuck", flush=True)
        while True:
            pass

try:
    search(Position.start(Stuck()), Uct(100), engine={engine!r})
except KeyboardInterrupt:
    print(search(Position.start(Nim()), Uct(500)).best)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_ends_a_game_that_is_stuck(engine: str) -> None:
    script = textwrap.dedent(STUCK.format(tests=str(__file__.rpartition("/")[0]), engine=engine))
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "stuck\n"
    for _ in range(2):  # the first waits for the simulation at hand, which never ends
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out.split()) == (0, ["3"]), err
