"""Forks, copies, branches and hanging games: a searcher in places that nobody expects."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hooked import BOARD, METHODS, Hooked, alarm, make, usable
from sylve import Report, Searcher, SequentialHalving

pytestmark = pytest.mark.timeout(60, method="thread")


def test_without_numbers_it_says_so() -> None:
    game = Hooked("play")
    searcher = make(("python", "own", 1, "root"), game)
    seen: list[str] = []

    def look() -> None:
        with pytest.raises(RuntimeError) as caught:
            searcher.report()
        seen.append(str(caught.value))

    game.hook = look
    searcher.advance(1)
    assert seen == [
        "report() was called in the middle of advance() by the same thread, from a signal handler"
        " or from the game"
    ]


def in_a_child(act: Callable[[], object]) -> str:
    """What a forked child says, within ten seconds."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # it hangs no longer
        try:
            answer = str(act())
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return answer


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_forked_child(engine: str, tmp_path: Path) -> None:
    searcher = make((engine, "board", 1, "root"))
    before = searcher.run(100)
    assert in_a_child(lambda: searcher.run(50).playouts) == "150", "idle: it is a copy"
    assert in_a_child(lambda: searcher.report() == before) == "True"
    with searcher.ponder() as handle:
        time.sleep(0.05)
        for name, method in METHODS.items():
            answer = in_a_child(lambda method=method: method(searcher, tmp_path))
            assert answer.startswith("RuntimeError: the searcher was in use when"), name
        assert in_a_child(handle.result).startswith("RuntimeError")
    usable(searcher)
    searcher = make((engine, "board", 1, "root"))
    told: list[str] = []

    def progress(_: int) -> None:
        if not told:
            told.append(in_a_child(lambda: searcher.report().stopped))

    searcher.run(seconds=0.3, progress=progress)
    assert told == ["running"], "the thread that runs was forked"


def test_it_is_not_copied() -> None:
    searcher = make(("rust", "board", 1, "root"))
    searcher.run(10)
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"save\(\) it, then Searcher.load\(\)"):
            act(searcher)


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_branch_belongs_to_its_position(engine: str) -> None:
    searcher = make((engine, "board", 1, "root"))
    searcher.run(500)
    tree = searcher.tree()
    best = tree.children[0]
    searcher.advance(best.move)
    for act in (lambda: str(searcher.tree()), lambda: best.name, lambda: tree.children):
        assert act()
    for branch in (best, tree):
        with pytest.raises(RuntimeError, match=r"moved on since tree\(\): call tree\(\) again"):
            str(branch)


def test_a_game_that_hangs_does_not_hang_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["sylve.search.running.guard"], "PATIENCE_SECONDS", 0.1)
    game, go_on = Hooked(), threading.Event()
    searcher = make(("rust", "own", 1, "root"), game)
    searcher.run(20)
    game.hook = lambda: go_on.wait(60) and None
    handle = searcher.ponder()
    try:
        assert searcher.report().playouts >= 20, "the last numbers"
    finally:
        go_on.set()
    handle.stop()
    usable(searcher)


@pytest.mark.parametrize("kind", ["board", "own"])
@pytest.mark.parametrize("engine", ["rust", "python"])
def test_handlers_between_any_two_steps(engine: str, kind: str, tmp_path: Path) -> None:
    """Signals as fast as they come, while the main thread does everything else."""
    searcher = make((engine, kind, 1, "root"))
    reports: list[Report] = []
    refused: list[str] = []

    def look(*_: object) -> None:
        searcher.stop()
        try:
            reports.append(searcher.report())
        except RuntimeError as error:
            refused.append(str(error))

    searcher.run(1)
    with alarm(look, 0.001, 0.001):
        for _ in range(15):
            searcher.run(20)
            searcher.start(20).result()
            for report in searcher.stream(20, interval=0.001):
                assert report.playouts
            searcher.digest()
            searcher.report()
            searcher.save(tmp_path / "search.sylve")
    assert reports
    assert all("by the same thread" in text for text in refused)
    for report in reports:
        assert sum(entry.visits for entry in report.moves) == report.playouts
    usable(searcher)


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_look_changes_nothing(engine: str) -> None:
    """Sequential halving drops moves when it is looked at: once only, whoever looks."""
    how = SequentialHalving(4000, seed=1)
    searcher = Searcher(BOARD, how, engine=engine)
    with alarm(lambda *_: searcher.report(), 0.001, 0.001):
        report = searcher.run(progress=lambda _: searcher.report())
    assert report == Searcher(BOARD, how).run()
