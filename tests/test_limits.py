"""Every limit of a search, in every place where a search runs, is what ends it."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from gtp_session import split
from sylve import AlphaBeta, Clock, Position, Report, Search, Uct, parse_search, search, solve
from sylve.arena import players
from sylve.arena.game import play_job
from sylve.arena.players import SearchPlayer, full_name, parse_player
from sylve.cli import app
from sylve.gtp import engine
from sylve.gtp.commands import Stream
from sylve.gtp.engine import Engine
from sylve.gtp.protocol import Command
from sylve.lab.data import seeded
from sylve.search.budget import LIMITS, Budget
from sylve.search.running.searcher import Searcher
from sylve.search.text import SEARCHES
from sylve.solve import Solution

SYLVE = Path(sys.executable).with_name("sylve")
GAME, MOVES = "connect_four", "4 1 4 1 4 2"
POSITION = Position.start(GAME).play_line(MOVES)
"""The first player wins with 4; without proofs a search needs a while to be sure."""
CASES = {
    "playouts": "uct(200, solver=false)",
    "seconds": "uct(seconds=0.03, solver=false)",
    "nodes": "uct(nodes=50, solver=false)",
    "settled": "uct(3000, settled=true, solver=false)",
    "stderr": "flat(stderr=0.05)",
    "spread": "uct(spread=0.02, solver=false)",
    "confidence": "flat(confidence=0.9)",
    "nodes, of several": "uct(1000000, seconds=1000, nodes=50, stderr=1e-5, solver=false)",
    "settled, of several": "uct(3000, seconds=1000, settled=true, nodes=10000, solver=false)",
    "stderr, of several": "sequential_halving(7000, seconds=1000, stderr=0.05)",
}
PATIENT = Clock(1_000_000.0)  # seconds on a clock that ends nothing


class End(NamedTuple):
    """How a search ended."""

    reason: str
    playouts: int
    seed: int
    budget: Budget


Ends = list[End]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Ends:
    """How every search of this process ends."""
    found: Ends = []
    loop = Searcher._loop

    def watched(self: Searcher, budget: Budget, *rest: Any) -> str:
        reason = loop(self, budget, *rest)
        found.append(End(reason, self._runner.simulations, self.how.seed, budget))
        return reason

    monkeypatch.setattr(Searcher, "_loop", watched)
    return found


def engine_for(text: str) -> Engine:
    session = Engine(POSITION.game, parse_search(text))  # type: ignore[arg-type]
    for colour, move in zip("bwbwbw", MOVES.split(), strict=True):
        session.answer(Command("", "play", (colour, move)))
    return session


def gtp(*lines: str) -> Callable[[str], None]:
    """A place: these commands, the last of which searches."""

    def place(text: str) -> None:
        session = engine_for(text)
        for line in lines:
            name, *words = line.split()
            answer = session.answer(Command("", name, tuple(words)))
        if isinstance(answer, Stream):
            assert list(answer.lines)[-1].startswith("play ")

    return place


def live(name: str) -> Callable[[str], None]:
    """A place: live analysis. When a limit is reached the lines go on, and say the same."""

    def place(text: str) -> None:
        answer = engine_for(text).answer(Command("", name, ("0",)))
        assert isinstance(answer, Stream)
        lines = (line for line in answer.lines if line)
        before, same = next(lines), 0
        while same < 20:
            now = next(lines)
            same, before = same + 1 if now == before else 0, now
        answer.lines.close()

    return place


def player(clock: Clock | None) -> Callable[[str], None]:
    """A place: one move of a match."""
    return lambda text: check_move(parse_player(text).choose(POSITION, 5, clock))


def check_move(move: int) -> None:
    assert move in POSITION.moves


def tournament(clock: str | None) -> Callable[[str], None]:
    """A place: what a worker of a tournament does, for one move of a game."""

    def place(text: str) -> None:
        job = {
            "id": "0123", "clock": clock, "game": GAME, "moves": [], "position": POSITION.text,
            "players": [["A", text], ["B", "random"]], "resign": 0.0, "max_plies": 1,
            "adjudicate": 0,
        }  # fmt: skip
        assert len(play_job(job, {}).moves) == 1

    return place


def command_line(*more: str) -> Callable[[str], None]:
    """A place: `sylve analyze`."""

    def place(text: str) -> None:
        command = ["analyze", GAME, "--moves", MOVES, "--how", text, "--json", *more]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output

    return place


PLACES: dict[str, Callable[[str], object]] = {
    "search": lambda text: search(POSITION, parse_search(text)),
    "Searcher.run": lambda text: Searcher(POSITION, parse_search(text)).run(),  # type: ignore[arg-type]
    "Searcher.stream": lambda text: list(Searcher(POSITION, parse_search(text)).stream()),  # type: ignore[arg-type]
    "sylve analyze": command_line(),
    "sylve analyze --live": command_line("--live"),
    "genmove": gtp("genmove b"),
    "genmove with a clock": gtp("time_settings 1000000 0 0", "genmove b"),
    "reg_genmove": gtp("reg_genmove x"),
    "genmove_analyze": gtp("genmove_analyze b 0"),
    "kata-genmove_analyze with a clock": gtp("time_left b 1000000 0", "kata-genmove_analyze 1"),
    "analyze": live("analyze"),
    "lz-analyze": live("lz-analyze"),
    "kata-analyze": live("kata-analyze"),
    "sylve-visits": gtp("sylve-visits"),
    "sylve-gfx": gtp("sylve-gfx"),
    "player": player(None),
    "player with a clock": player(PATIENT),
    "solver, otherwise": lambda text: parse_player(f"solver(1, otherwise={text})").choose(
        POSITION, 5, None
    ),
    "tournament": tournament(None),
    "tournament with a clock": tournament("1000000"),
    "lab": lambda text: search(POSITION, seeded(text, 1, 2)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("place", PLACES)
def test_each_limit_is_what_ends_a_search(place: str, case: str, ends: Ends) -> None:
    PLACES[place](CASES[case])
    limit = case.partition(",")[0]
    assert [end.reason for end in ends] == [limit]
    if limit != "seconds":  # the others end at the same playout wherever it is
        how = dataclasses.replace(parse_search(CASES[case]), seed=ends[0].seed)
        assert search(POSITION, how).playouts == ends[0].playouts


def test_every_limit_is_in_the_table() -> None:
    assert {field.name for field in LIMITS} <= set(CASES)


@pytest.mark.parametrize(
    "text", ["uct(nodes=4000000, solver=false)", "rave(1000000000, stderr=1e-6, solver=false)"]
)
@pytest.mark.parametrize(
    ("place", "seconds"),
    [
        (player(Clock(0.65)), 0.02),
        (player(Clock(0.65, increment=0.03)), 0.05),
        (player(Clock(5, left=0.0)), 0.001),
        (tournament("0.65"), 0.02),
        (gtp("time_settings 0 1 30", "genmove b"), 0.03),
        (gtp("time_left b 1 0", "genmove_analyze b 0"), 0.036),
    ],
    ids=[
        "player",
        "player with increment",
        "player without time",
        "tournament",
        "genmove",
        "genmove_analyze",
    ],
)
def test_a_clock_ends_what_the_limits_of_the_search_do_not(
    place: Callable[[str], None], seconds: float, text: str, ends: Ends
) -> None:
    """The search keeps its limits, and gets fewer seconds."""
    place(text)
    first, *more = ends
    how = parse_search(text)
    assert isinstance(how, Search)
    assert first.budget == how.within(first.budget.seconds)
    assert first.budget.seconds == pytest.approx(seconds, rel=0.15)
    assert first.reason == "seconds"
    # In a session every move gets one playout at least.
    assert all(end.reason == "playouts" and end.playouts <= len(POSITION.moves) for end in more)


def test_a_player_without_limits_has_the_clock_alone(ends: Ends) -> None:
    """As plain `sylve analyze --seconds 1`: the default playouts are for want of any limit."""
    parse_player("uct(solver=false)").choose(POSITION, 1, Clock(0.65))
    parse_player("uct(solver=false)").choose(POSITION, 1, None)
    parse_player("sequential_halving").choose(POSITION, 1, PATIENT)  # it divides its playouts
    assert [(end.reason, end.budget.playouts) for end in ends] == [
        ("seconds", None), ("playouts", 1000), ("playouts", 1000),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "clock", "seconds"),
    [
        ("alpha_beta(2, seconds=100)", None, 100.0),
        ("alpha_beta(2, seconds=100)", PATIENT, 100.0),
        ("alpha_beta(2, seconds=100)", Clock(0.65), 0.02),
        ("alpha_beta(60)", Clock(0.65), 0.02),
        ("alpha_beta(2)", None, None),
    ],
)
def test_alpha_beta_with_a_clock(
    text: str, clock: Clock | None, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In matches and, with as many seconds allowed, in a session."""
    asked: list[AlphaBeta] = []

    def noted(position: Position, how: AlphaBeta) -> Report:
        asked.append(how)
        return search(position, how)

    monkeypatch.setattr(players, "search", noted)
    monkeypatch.setattr(engine, "search", noted)
    check_move(parse_player(text).choose(POSITION, 1, clock))
    times = [] if clock is None else [f"time_left b {clock.remaining:f} 0"]
    gtp(*times, "reg_genmove b")(text)
    for how in asked:
        assert how.depth == parse_search(text).depth  # type: ignore[union-attr]
        assert how.seconds == (None if seconds is None else pytest.approx(seconds, rel=0.15))
    assert len(asked) == 2


def test_a_solver_leaves_time_for_the_player_behind_it(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed: list[float | None] = []

    def noted(position: Position, seconds: float | None, nodes: int, **more: Any) -> Solution:
        allowed.append(seconds)
        return solve(position, seconds, nodes, **more)

    monkeypatch.setattr(players, "solve", noted)
    start = Position.start("othello")
    hard = parse_player("solver(1000000000000, otherwise=uct(10, solver=false))")
    assert hard.choose(start, 1, Clock(1.55)) in start.moves  # an opening, which takes years
    assert allowed == [pytest.approx(0.025)]
    (end,) = ends
    assert end.reason == "playouts"
    assert end.budget.seconds is not None
    assert end.budget.seconds < 0.05  # of what the solver has left


def test_the_seconds_of_a_search_are_lowered_never_raised() -> None:
    limits = Budget(500, seconds=2, stderr=0.01)
    assert limits.within(None) == limits
    assert limits.within(3.0) == limits
    assert limits.within(0.5) == Budget(500, seconds=0.5, stderr=0.01)
    assert limits.within(0.0) == Budget(500, seconds=0.001, stderr=0.01)
    assert Uct(500, nodes=9).within(0.5) == Budget(500, seconds=0.5, nodes=9)


# The same over the real programs.


def test_a_session_answers_whatever_ends_its_search() -> None:
    how = "uct(seconds=0.1, solver=false)"
    done = subprocess.run(
        [SYLVE, "gtp", "--game", "tic_tac_toe", "--how", how],
        input="1 genmove b\n2 sylve-visits\n3 lz-genmove_analyze w 1\n4 quit\n",
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    answers = split(done.stdout)
    assert [answer.mark + answer.id for answer in answers] == ["=1", "=2", "=3", "=4"]


def test_a_match_of_limits_together() -> None:
    players = ["uct(seconds=0.01, settled=true)", "flat(stderr=0.1)"]
    done = subprocess.run(
        [SYLVE, "match", *players, "--game", "tic_tac_toe", "--games", "2", "--no-store"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Results of uct(seconds=0.01, settled=true) vs flat(stderr=0.1) " in done.stdout


def test_live_analysis_goes_on_where_no_limit_is_given() -> None:
    """`--playouts` and the text are limits; the default playouts are for moves."""
    for arguments, endless in (
        (["--how", "flat"], True),
        (["--how", "flat(100)"], False),
        (["--playouts", "100", "--how", "flat"], False),
        (["--how", "flat(stderr=0.1)"], False),
    ):
        with subprocess.Popen(
            [SYLVE, "gtp", "--game", "hex(size=3)", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as child:  # fmt: skip
            assert child.stdin
            assert child.stdout
            child.stdin.write("lz-analyze 5\n")
            child.stdin.flush()
            lines = [child.stdout.readline() for _ in range(8)][1:]
            child.stdin.close()
            child.stdout.read()
        visits = [sum(map(int, re.findall(r"move \S+ visits ([0-9]+)", line))) for line in lines]
        assert (visits[-1] > 10_000) == endless, (arguments, visits)
        assert (visits[-1] == visits[-2]) != endless, (arguments, visits)


# Texts.


@pytest.mark.parametrize("name", list(SEARCHES))
@pytest.mark.parametrize("limits", [text[text.index("(") + 1 : -1] for text in CASES.values()])
def test_the_text_of_a_search_is_what_one_would_type(name: str, limits: str) -> None:
    """It shows nothing that was not said but the playouts, and reads back as the same search."""
    text = f"{name}({limits})".replace(", solver=false", "")
    if name not in ("uct", "amaf_uct", "rave", "multi_scale_rave", "grave"):
        text = text.replace("nodes=50, ", "").replace(", nodes=10000", "").replace("nodes=50", "")
    if name == "sequential_halving":
        text = text.replace("settled=true, ", "").replace(", settled=true", "")
        text = text if "(200" in text or "000" in text else text.replace("(", "(9, ")
    how = parse_search(text)
    assert isinstance(how, Search)
    for shown in (str(how), full_name(how)):
        assert parse_search(shown) == how
        assert "none" not in shown.lower()
    named = parse_player(text)
    assert isinstance(named, SearchPlayer)
    assert parse_search(named.name) == how
