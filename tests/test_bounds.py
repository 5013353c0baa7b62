"""Time, memory and Ctrl-C hold for every option that makes a simulation long: batches, proofs."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sylve import Position, Searcher, Uct, parse_search, search
from test_batches import Twice
from test_memory import MIB, growth, in_a_process
from test_searcher import interrupt

GAMES = (
    *("tic_tac_toe", "breakthrough", "connect_four", "othello", "hex(size=7)", "hex"),
    *("go(size=9)", "go(size=19)"),
)
OPTIONS = (
    "uct(batch=65536)",
    "rave(batch=65536)",
    "grave(batch=65536)",
    "multi_scale_rave(batch=65536)",
    "uct(solver_nodes=10000000)",
    "rave(solver_nodes=10000000, batch=64)",
)
SECONDS = 0.2
HANG = 5.0  # seconds; the figures are those of the long tests, on a quiet machine
LATE, INTERRUPTED = 0.02, 0.1


def lateness(game: str, how: str, engine: Any = "auto") -> float:
    """How much later than it should a search ends."""
    position, chosen = Position.start(game), parse_search(how)
    began = time.perf_counter()
    report = Searcher(position, chosen, engine=engine).run(seconds=SECONDS)
    spent = time.perf_counter() - began
    if report.stopped == "seconds":
        assert report.playouts == sum(entry.visits for entry in report.moves)
    return spent - SECONDS


def interrupted(searcher: Searcher, delay: float) -> float:
    """Ctrl-C after so long; how long `KeyboardInterrupt` takes to come. Nothing is lost."""
    came = interrupt(searcher, delay)
    report = searcher.report()
    assert report.playouts == sum(entry.visits for entry in report.moves)
    return came


@pytest.mark.parametrize("game", ["connect_four", "hex(size=7)", "go(size=19)"])
@pytest.mark.parametrize("how", OPTIONS[1::2])
def test_a_limit_in_seconds_holds(game: str, how: str) -> None:
    assert lateness(game, how) < HANG
    assert interrupted(Searcher(Position.start(game), parse_search(how)), 0.05) < HANG


@pytest.mark.parametrize("how", ["uct(batch=65536)", "uct(solver_nodes=10000000)"])
def test_a_limit_in_seconds_holds_in_the_reference(how: str) -> None:
    assert lateness("othello", how, "python") < HANG
    searcher = Searcher(Position.start("othello"), parse_search(how), engine="python")
    assert interrupted(searcher, 0.1) < HANG


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_limit_in_seconds_holds_in_a_game_of_ones_own(engine: Any) -> None:
    class Slow(Twice):
        def moves(self, state: tuple[int, ...]) -> list[int]:
            time.sleep(0.001)
            return super().moves(state)

    position = Position.start(Slow())
    began = time.perf_counter()
    report = search(position, Uct(seconds=0.1, batch=65_536, solver=False), engine=engine)
    assert time.perf_counter() - began < 1.5  # a batch of 1024 takes five seconds or more
    assert 0 < report.playouts < 1000
    assert report.playouts == sum(entry.visits for entry in report.moves)


def test_a_proof_that_was_given_up_is_no_proof() -> None:
    """Stopped in the middle of a question, a search says nothing that is not so."""
    searcher = Searcher(Position.start("hex(size=7)"), Uct(solver_nodes=10_000_000))
    run = searcher.start()
    time.sleep(0.1)
    began = time.perf_counter()
    searcher.stop()
    report = run.result()
    assert time.perf_counter() - began < HANG
    assert report.stopped in ("stop", "proven")
    assert all(entry.proven in (None, "win") for entry in report.moves)  # who begins wins Hex


@pytest.mark.parametrize("game", ["hex", pytest.param("go(size=19)", marks=pytest.mark.long)])
def test_the_memory_of_a_batch_counts(game: str) -> None:
    peak, full = growth(game, "rave(batch=65536)", 16 * MIB, "1", "root", "bound")
    assert full
    assert peak <= 1.02 * 16 * MIB + 8 * MIB, f"{peak / MIB:.1f} MiB"


SOLVED = ("hex(size=7)", "breakthrough", "othello", "connect_four(columns=8, rows=7)", "hex")
PROVE = """
import sys
from test_memory import peak_of
from sylve import Position, Searcher, parse_search

how = parse_search("uct(solver_nodes=300000)")
searcher = Searcher(Position.start(sys.argv[1]), how, memory="16MiB")
print(peak_of(lambda: searcher.run(seconds=float(sys.argv[2]))))
"""


@pytest.mark.parametrize(
    ("game", "seconds"),
    [(game, 1) for game in SOLVED]
    + [pytest.param(game, 20, marks=pytest.mark.long) for game in SOLVED],
)
def test_the_memory_of_the_solver_counts(game: str, seconds: int) -> None:
    """Every solver has a table of its own: at full speed they fill 50 to 256 MB in seconds."""
    peak = int(in_a_process(PROVE, game, str(seconds)))
    assert peak <= 1.02 * 16 * MIB + 8 * MIB, f"{peak / MIB:.1f} MiB"


@pytest.mark.long
@pytest.mark.parametrize("how", OPTIONS)
@pytest.mark.parametrize("game", GAMES)
def test_late_and_interrupted_by_little(game: str, how: str) -> None:
    late = sorted(lateness(game, how) for _ in range(20))
    delays = sorted(
        interrupted(Searcher(Position.start(game), parse_search(how)), 0.05 + 0.01 * number)
        for number in range(10)
        if game != "tic_tac_toe"  # proven before
    ) or [0.0]
    assert (late[-1] < LATE, delays[-1] < INTERRUPTED) == (True, True), (late, delays)
