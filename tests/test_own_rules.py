"""Rules, schedules and policies of one's own: they run in Python by themselves, and are checked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from commands import call
from sylve import (
    AlphaBeta,
    Flat,
    Grave,
    Position,
    Rave,
    Search,
    Searcher,
    SequentialHalving,
    Ucb,
    Uct,
    own,
    parse_search,
    search,
    trace,
)
from sylve.arena.config import make_config
from sylve.arena.game import play_job
from sylve.arena.players import parse_player
from sylve.arena.schedule import job, schedule
from sylve.bandit import Bandit
from sylve.policies import Policy, uniform
from sylve.records import Record, read_record, write_record
from sylve.rules import Index, Rule, ucb1
from sylve.schedules import Schedule, fixed

OWN = Path(__file__).parent.parent / "examples" / "own"


@dataclass(frozen=True)
class Same(Index):
    """UCB1 again, by a user."""

    def exploration(self, total: int, own: Any) -> float:
        return ucb1(0.4).exploration(total, own)


@dataclass(frozen=True)
class Half(Schedule):
    """`fixed(0.5)` again."""

    def beta(self, total: int, own: Any, amaf: Any) -> float:
        return 0.5


@dataclass(frozen=True)
class Uniform(Policy):
    """`uniform` again."""

    def choose(self, game: Any, state: Any, moves: Any, rng: Any, mast: Any) -> int:
        return moves[rng.below(len(moves))]


class Plain(Index):
    """No dataclass: that must do too."""

    def __init__(self, c: float) -> None:
        self.c = c

    def exploration(self, total: int, own: Any) -> float:
        return self.c


class FirstFew(Rule):
    """The first two moves in turn."""

    def choose(self, total: int, tallies: Any, rng: Any) -> int:
        return total % min(2, len(tallies))


# The user's own, and ours that does the same, if there is one.
SEARCHES: dict[str, tuple[Search, Search | None]] = {
    "uct rule": (Uct(60, rule=Same()), Uct(60)),
    "ucb rule": (Ucb(60, rule=Same()), Ucb(60)),
    "rave schedule": (Rave(60, schedule=Half()), Rave(60, schedule=fixed(0.5))),
    "grave schedule": (Grave(60, schedule=Half()), Grave(60, schedule=fixed(0.5))),
    "uct policy": (Uct(60, playout=Uniform()), Uct(60, playout=uniform())),
    "flat policy": (Flat(60, playout=Uniform()), Flat(60)),
    "halving policy": (SequentialHalving(60, playout=Uniform()), SequentialHalving(60)),
    "plain class": (Uct(60, rule=Plain(0.3)), None),
    "bandit rule": (Ucb(60, rule=FirstFew()), None),
    "batches": (Uct(60, rule=Same(), batch=4), Uct(60, batch=4)),
}
GAMES = ["tic_tac_toe", "breakthrough(columns=3, rows=5)", f'"{OWN / "dots.py"}":Dots']


@pytest.mark.parametrize("game", GAMES, ids=["tic_tac_toe", "breakthrough", "own"])
@pytest.mark.parametrize("name", SEARCHES)
def test_they_run_in_python_by_themselves(name: str, game: str) -> None:
    how, ours = SEARCHES[name]
    start = Position.start(game)
    report = search(start, how)
    assert report.engine == "python"
    assert "is your own" in report.engine_reason
    assert report.engine_reason in report.caption
    assert report.to_dict()["engine_reason"] == report.engine_reason
    assert Searcher(start, how).run() == report
    if not isinstance(how, SequentialHalving):  # its rounds cannot be shared
        assert search(start, how, threads=2).playouts <= 60
    with pytest.raises(ValueError, match=r'is your own, .* use engine="python"'):
        search(start, how, engine="rust")
    if ours is not None:
        other = search(start, ours, engine="python")
        assert report.moves == other.moves
        assert other.engine_reason == ""
    seen = trace(start, how, simulation=20)
    assert seen.outcome is not None
    assert str(how).startswith(how.name())


def test_the_first_few_are_the_only_ones() -> None:
    report = search("tic_tac_toe", Ucb(40, rule=FirstFew()))
    assert [entry.visits for entry in report.moves] == [20, 20, *[0] * 7]
    bandit = Bandit(["a", "b", "c"], FirstFew())
    for _ in range(10):
        bandit.update(bandit.select(), 1.0)
    assert [arm.pulls for arm in bandit.arms.values()] == [5, 5, 0]


# What they may not answer.


def answering(family: type, method: str, answer: Any) -> Any:
    return type("Wrong", (family,), {method: lambda self, *_: answer})()


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    **{
        f"exploration {answer}": (
            lambda answer=answer: Uct(60, rule=answering(Index, "exploration", answer)),
            r"wrong: exploration\(\) must be a finite number, not",
        )
        for answer in (nan, inf, None, "1", True, 1j)
    },
    **{
        f"exploration at the root {answer}": (
            lambda answer=answer: Ucb(60, rule=answering(Index, "exploration", answer)),
            r"wrong: exploration\(\) must be a finite number, not",
        )
        for answer in (nan, None)
    },
    **{
        f"beta {answer}": (
            lambda answer=answer: Rave(60, schedule=answering(Schedule, "beta", answer)),
            r"wrong: beta\(\) must be a number from 0 to 1, not",
        )
        for answer in (nan, -0.1, 1.5, None, "x")
    },
    **{
        f"move {answer}": (
            lambda answer=answer: Uct(60, playout=answering(Policy, "choose", answer)),
            r"wrong: choose\(\) must give one of the moves .*, not",
        )
        for answer in (99, -1, None, "a1")
    },
    **{
        f"place {answer}": (
            lambda answer=answer: Ucb(60, rule=answering(Rule, "choose", answer)),
            r"wrong: choose\(\) must give the place of a move, from 0 to 8, not",
        )
        for answer in (9, -1, None, 0.5)
    },
    "outcome": (
        lambda: Uct(60, playout=answering(Policy, "playout", 1)),
        r"outcome\(\) must be None or an Outcome, not 1",
    ),
    "no exploration": (lambda: Uct(rule=type("Empty", (Index,), {})()), "no method exploration"),
    "no beta": (lambda: Rave(schedule=type("Empty", (Schedule,), {})()), "no method beta"),
    "no choose": (lambda: Uct(playout=type("Empty", (Policy,), {})()), "no method choose"),
    "no rule": (lambda: Ucb(rule=type("Empty", (Rule,), {})()), "no method choose"),
    "no rule of a bandit": (
        lambda: Bandit(["a", "b"], type("Empty", (Rule,), {})()),
        "method choose",
    ),
    "not for trees": (lambda: Uct(rule=FirstFew()), "your own, derived from Index"),
    "another family": (lambda: Rave(schedule=Same()), "your own, derived from Schedule"),
    "no part at all": (lambda: Uct(playout=object()), "your own, derived from Policy"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_answers_are_named(case: str) -> None:
    make, told = WRONG[case]
    with pytest.raises(ValueError, match=told):
        search("tic_tac_toe", make())


# By name, in texts.


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder of the examples."""
    monkeypatch.chdir(OWN)
    before = list(sys.path)
    yield
    sys.path[:] = before


TEXTS = {
    "uct(40, rule=rules:Greedy(0.3))": "uct(playouts=40, rule=rules:Greedy(c=0.3))",
    "uct(40, rule=rules.py:Greedy)": "uct(playouts=40, rule=rules:Greedy)",
    "rave(40, schedule=rules:Halving(visits=10))":
        "rave(playouts=40, schedule=rules:Halving(visits=10))",
    "uct(40, playout=rules:Closer)": "uct(playouts=40, playout=rules:Closer)",
    "ucb(40, rule=rules:Softer)": "ucb(playouts=40, rule=rules:Softer)",
}  # fmt: skip


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("text", TEXTS)
def test_named_in_a_text(text: str, tmp_path: Path) -> None:
    how = parse_search(text)
    assert str(how) == TEXTS[text]
    assert parse_search(str(how)) == how
    report = search("tic_tac_toe", text)
    assert report.engine == "python"
    record = Record(report.position, analysis={0: report})
    assert read_record(write_record(record, "json")).analysis[0] == report
    searcher = Searcher("tic_tac_toe", text)
    searcher.run()
    searcher.save(tmp_path / "own.search")
    assert Searcher.load(tmp_path / "own.search").report() == searcher.report()
    for command in ("trace", "analyze"):
        printed = call(command, "dots:Dots", "--how", text)
        assert printed.code == 0, printed
    assert "is your own" in " ".join(printed.out.split())


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("text", TEXTS)
def test_players_of_the_arena(text: str) -> None:
    config = make_config("dots:Dots(2, 1)", [(None, text), (None, "random")], 2)
    assert {module for module, _ in config.sources} == {"dots", "rules"}
    assert parse_player(text).name == config.names[0] == TEXTS[text]
    assert config.players[0][1] == own.settled(text)
    assert ".py" not in config.players[0][1]
    for slot in schedule(config):
        content = job(config, slot)
        assert content["homes"] == [str(OWN)]
        assert play_job(content, {}).result in ("1-0", "0-1", "1/2-1/2")


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("uct(40, rule=rules:Greedy(d=1))", "unexpected keyword argument 'd'; its parameters: c="),
        ("uct(40, rule=rules:Nobody)", "there is no Nobody in rules; it has: Closer, Greedy"),
        ("uct(40, rule=rules:Halving)", "your own, derived from Index"),
        ("uct(40, rule=rules:Softer)", "your own, derived from Index"),
        ("uct(40, rule=nowhere:Greedy)", "cannot import module 'nowhere'"),
        ("rules:Greedy", "unknown search 'rules:Greedy'"),
    ],
)
def test_wrong_texts_are_usage_errors(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_search(text)
    printed = call("analyze", "tic_tac_toe", "--how", text)
    assert (printed.code, printed.out) == (2, "")
    assert "Traceback" not in printed.err


def test_an_error_in_the_users_code_is_placed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("falls.py").write_text(
        "from sylve.rules import Index\n"
        "class Falls(Index):\n"
        "    def exploration(self, total, own):\n"
        "        return 1 // 0\n"
    )
    printed = call("analyze", "tic_tac_toe", "--how", "uct(40, rule=falls:Falls)")
    assert printed.code == 1
    assert "falls, line 4, in exploration: ZeroDivisionError" in printed.err
    assert "Traceback" not in printed.err


def test_alpha_beta_has_no_such_parts() -> None:
    assert search("tic_tac_toe", AlphaBeta(2)).to_dict()["engine"] in ("rust", "python")


# Attributes where a method is meant.


@pytest.mark.parametrize("name", ["max_plies", "codes", "kinds", "longest_game"])
@pytest.mark.parametrize("as_method", [True, False])
def test_a_number_may_be_an_attribute(name: str, as_method: bool) -> None:
    from sylve import check_game, load_game

    kind = type(load_game(GAMES[2]))
    methods: dict[str, Any] = {name: (lambda self: 30) if as_method else 30}
    if name == "kinds":
        methods["kind"] = lambda self, code: code % 30
    game = type("Numbered", (kind,), methods)(1, 1)
    assert check_game(game, games=5)
    assert search(game, Rave(30), engine="python") == search(game, Rave(30), engine="rust")
