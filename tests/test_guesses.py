"""First guesses: what newcomers type works where it is clear, else the error has the right call."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import patch

import pytest

import sylve
from commands import call
from sylve import *  # noqa: F403
from sylve import Position, Rave, Search, Searcher, Ucb, Uct, parse_search, search
from sylve.policies import *  # noqa: F403
from sylve.policies import Policy
from sylve.rules import *  # noqa: F403
from sylve.schedules import *  # noqa: F403
from sylve.schedules import Schedule
from sylve.search.reference.rules import Index
from sylve.search.text import ALPHA_BETA, POLICIES, RULES, SCHEDULES, SEARCHES

START = Position.start("tic_tac_toe")

# What is typed, and the call that the message must hold.
WRONG = [
    ("Uct(1000, c=0.5)", "Uct(1000, rule=ucb1(c=0.5))"),
    ("Uct(1000, cp=0.5)", "Uct(1000, rule=ucb1(cp=0.5))"),
    ("Uct(1000, C=0.5, seed=2)", "Uct(1000, seed=2, rule=ucb1(c=0.5))"),
    ("Ucb(1000, exploration=0.4)", "Ucb(1000, rule=ucb1(c=0.4))"),
    ("Ucb(1000, epsilon=0.1)", "Ucb(1000, rule=epsilon(0.1))"),
    ("Rave(1000, beta=0.5)", "Rave(1000, schedule=fixed(0.5))"),
    ("Rave(1000, k=500)", "Rave(1000, schedule=hand(k=500))"),
    ("Rave(1000, hand=500)", "Rave(1000, schedule=hand(500))"),
    ("Rave(1000, exploration=0.1)", "Rave(1000, c=0.1)"),
    ("AmafUct(1000, beta=0.5)", "AmafUct(1000, alpha=0.5)"),
    ("Grave(1000, ref=50)", "Grave(1000, reference=50)"),
    ("Flat(1000, c=0.5)", "Ucb(1000, rule=ucb1(c=0.5))"),
    ("MultiScaleRave(9, schedule=hand(k=5.0))", "Rave(9, schedule=hand(k=5.0))"),
    ("Uct(iterations=1000)", "Uct(playouts=1000)"),
    ("Uct(n=1000)", "Uct(playouts=1000)"),
    ("Uct(time_limit=1.0)", "Uct(seconds=1.0)"),
    ("Uct(1000, random_state=1)", "Uct(1000, seed=1)"),
    ("Uct(1000, policy=mast())", "Uct(1000, playout=mast(epsilon=0.4))"),
    ("Uct(1000, transposition=True)", "did you mean 'transpositions'?"),
    ("Uct(1000, 0.5)", "at most 1: playouts"),
    ("Uct(1000, playouts=5)", "playouts is given twice"),
    ("Uct(1000, playout='mast')", "without quotes, playout=mast"),
    ("AlphaBeta(max_depth=4)", "AlphaBeta(depth=4)"),
    ("AlphaBeta(4, heuristic='composite')", "AlphaBeta(4, evaluation='composite')"),
    ("Budget(time=1.0)", "Budget(seconds=1.0)"),
    ("ucb1(exploration=1.0)", "ucb1(c=1.0)"),
    ("epsilon(epsilon=0.1)", "epsilon(e=0.1)"),
    ("discounted(decay=0.9)", "discounted(gamma=0.9)"),
    ("bias(bias=0.1)", "bias(b=0.1)"),
    ("course(b=1)", "it has none"),
    ("search(START, 1000)", 'such as Uct(1000), or a text such as "uct(1000)"'),
    ("search(START, 'uct(10, c=0.5)')", "uct(10, rule=ucb1(c=0.5))"),
    ("search(Uct(10), START)", 'a text such as "othello"'),
    ("search('otello', Uct(10))", "did you mean 'othello'?"),
    ("Searcher(START, AlphaBeta())", "a Monte Carlo search such as Uct(1000)"),
    ("Position.start(5)", 'a text such as "othello"'),
    ("Position.start(None)", 'a text such as "othello"'),
    ("Position.start(Uct)", "not its class: Uct()"),
    ("Position('othello')", "Position.start('othello')"),
    ("Position('othello', 'x')", "Position.parse('othello', 'x')"),
    ("parse_search('rave(beta=0.5)')", "rave(schedule=fixed(0.5))"),
    ("parse_search('uct(iterations=9)')", "uct(playouts=9)"),
    ("parse_search('uct(9, rule=ucb1(exploration=2))')", "ucb1(c=2)"),
    ("parse_search('rave(k=500)')", "rave(schedule=hand(k=500))"),
    ("load_game('hex(sise=5)')", "did you mean 'size'?"),
]
RIGHT = [
    "search('tic_tac_toe', Uct(20))",
    "search(START, 'uct(20)')",
    "search(START, Uct)",
    "Searcher('tic_tac_toe', 'uct(20)').run()",
    "Searcher(START, 'rave(20)').run()",
    "compare_estimates('tic_tac_toe', 5)",
    "solve('tic_tac_toe')",
    "perft('tic_tac_toe', 2)",
    "divide('tic_tac_toe', 2)",
    "evaluate('othello')",
]


@pytest.mark.parametrize(("typed", "told"), WRONG, ids=[typed for typed, _ in WRONG])
def test_the_message_names_the_right_call(typed: str, told: str) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        eval(typed)
    assert told in str(raised.value)
    if "did you mean" in told or "(" not in told or not told.split("(")[0].isidentifier():
        return
    if "such as" not in str(raised.value) and told.split("(")[0] in sylve.__all__:
        eval(told)


@pytest.mark.parametrize("digits", [150, 5000])
def test_what_is_too_long_is_left_out(digits: int) -> None:
    wrong: dict[str, int] = {"c": 10**digits}
    with pytest.raises(TypeError, match=r"did you mean Uct\(1000, rule=ucb1\(c=\.\.\.\)\)\?"):
        Uct(1000, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("typed", RIGHT)
def test_clear_meanings_work(typed: str) -> None:
    assert eval(typed) is not None


EVERYTHING = {**SEARCHES, **ALPHA_BETA, **RULES, **SCHEDULES, **POLICIES}


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_wrong_keyword_lists_what_is_allowed(name: str) -> None:
    kind = EVERYTHING[name]
    allowed = sorted(inspect.signature(kind).parameters)
    listed = f"expected one of: {', '.join(allowed)}" if allowed else "it has none"
    with pytest.raises(TypeError, match="unknown argument 'chocolate'") as raised:
        kind(chocolate=1)
    assert listed in str(raised.value)
    places = [(RULES, "ucb(rule={})"), (SCHEDULES, "rave(schedule={})")]
    places += [(POLICIES, "uct(playout={})"), (EVERYTHING, "{}")]
    place = next(text for family, text in places if name in family)
    with pytest.raises(ValueError, match="unknown argument 'chocolate'") as written:
        parse_search(place.format(f"{name}(chocolate=1)"))
    assert listed in str(written.value)


# Rules, schedules and policies of one's own.


@dataclass(frozen=True)
class my_index(Index):  # noqa: N801
    def exploration(self, total: int, own: object) -> float:
        return 0.3


@dataclass(frozen=True)
class my_policy(Policy):  # noqa: N801
    def choose(self, game, state, moves, rng, mast) -> int:
        return moves[0]


def my_schedule() -> Schedule:
    @dataclass(frozen=True)
    class hand(Schedule):  # noqa: N801 (the name of one of ours: the engine must not take it for that)
        def beta(self, total: int, own: object, amaf: object) -> float:
            return 0.5

    return hand()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Ucb(50, rule=my_index()),
        lambda: Uct(50, rule=my_index()),
        lambda: Uct(50, playout=my_policy()),
        lambda: Rave(50, schedule=my_schedule()),
    ],
    ids=["ucb", "uct", "policy", "schedule"],
)
def test_ones_own_parts_run_in_python(make: Callable[[], Search]) -> None:
    by_itself = search(START, make())
    assert by_itself.moves == search(START, make(), engine="python").moves
    assert (by_itself.playouts, by_itself.engine) == (50, "python")
    assert "is your own" in by_itself.engine_reason
    for run in (search, Searcher):
        with pytest.raises(ValueError, match=r'is your own, .* use engine="python"'):
            run(START, make(), engine="rust")  # type: ignore[operator]


def test_version() -> None:
    from importlib.metadata import version

    assert sylve.__version__ == version("sylve")
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = sylve.nonsense  # type: ignore[attr-defined]


# The shell.


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("analyze oth", ["othello"]),
        ("analyze othello --how ra", ["rave"]),
        ("analyze othello --parallel r", ["root"]),
        ("trace othello --how a", ["amaf_uct"]),
        ("trace he", ["hex"]),
        ("solve con", ["connect_four"]),
        ("match ra", ["rave", "random"]),
        ("match hu", ["human"]),
        ("play oth", ["othello"]),
        ("play othello --how care", ["careless"]),
        ("play othello --hints ra", ["rave"]),
        ("match random gr", ["grave"]),
        ("sprt uct grav", ["grave"]),
        ("match a b --game he", ["hex"]),
        ("gtp --how alp", ["alpha_beta"]),
        ("lab run rave", ["rave-error"]),
        ("evaluate othello --evaluation stab", ["stability"]),
        ("bench go", ["go"]),
        ("bandit 0.3 0.5 --rule tu", ["tuned"]),
        ("tsp --method n", ["nested", "nrpa"]),
        ("tour", ["tour", "tournament"]),
        ("tra", ["trace", "train"]),
    ],
)
def test_completion(typed: str, offered: list[str]) -> None:
    words = f"sylve {typed}"
    asked = {
        "_SYLVE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    with patch.dict(os.environ, asked):
        assert call().out.split() == offered
