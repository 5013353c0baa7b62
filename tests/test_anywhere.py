"""Every method of a searcher, called from where nobody expects it: it answers or refuses.

It never hangs: the time limit would end the test.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hooked import METHODS, Hooked, alarm, make, usable
from sylve import Report, Searcher

# A main thread that hangs in the engine sees no signal: the time limit needs a thread of its own.
pytestmark = pytest.mark.timeout(60, method="thread")
WAYS: list[tuple[str, str, int, str]] = [
    *[("rust", "board", 1, "root"), ("python", "board", 1, "root")],
    *[("rust", "own", 1, "root"), ("python", "own", 1, "root")],
    *[("rust", "board", 2, way) for way in ("root", "batch", "tree")],
    *[("python", "board", 2, way) for way in ("root", "batch")],
    *[("rust", "own", 2, "root"), ("python", "own", 2, "root")],
]


class Answers(dict[str, object]):
    """What each method answered, or the error that it raised."""

    def __init__(self, searcher: Searcher, folder: Path) -> None:
        super().__init__()
        self.searcher, self.folder = searcher, folder

    def collect(self, *_: object) -> None:
        for name, method in METHODS.items():
            try:
                self[name] = method(self.searcher, self.folder)
            except RuntimeError as error:
                self[name] = error

    def check(self) -> None:
        """As a run under way answers: `report` and `stop`, and nothing else."""
        assert list(self) == list(METHODS)
        report = self["report"]
        assert isinstance(report, Report)
        assert report.stopped == "running"
        assert sum(entry.visits for entry in report.moves) == report.playouts
        assert self["stop"] is None
        for name in METHODS.keys() - {"report", "stop"}:
            assert "the searcher is running" in str(self[name]), name


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_signal_handler_during_a_run(way: tuple[str, str, int, str], tmp_path: Path) -> None:
    searcher = make(way)
    answers = Answers(searcher, tmp_path)
    with alarm(answers.collect, 0.15):
        report = searcher.run(10**9)
    assert report.stopped == "stop"
    answers.check()
    seen = answers["report"]
    assert isinstance(seen, Report)
    assert seen.playouts <= report.playouts  # 0 in the first slice
    usable(searcher)


@pytest.mark.parametrize("way", WAYS[:4], ids=str)
@pytest.mark.parametrize("waits", ["handle", "report"])
def test_a_signal_handler_while_another_thread_runs(
    way: tuple[str, str, int, str], waits: str, tmp_path: Path
) -> None:
    searcher = make(way)
    answers = Answers(searcher, tmp_path)
    handle = searcher.ponder()
    with alarm(answers.collect, 0.02):
        if waits == "handle":
            handle.wait()
        else:
            while not handle.done:
                searcher.report()
    assert searcher.report().stopped == "stop"
    answers.check()
    usable(searcher)


@pytest.mark.parametrize("way", [way for way in WAYS if way[1] == "own"], ids=str)
@pytest.mark.parametrize("method", ["moves", "turn", "outcome", "play"])
@pytest.mark.parametrize("begin", ["run", "start"])
def test_a_method_of_the_game(
    way: tuple[str, str, int, str], method: str, begin: str, tmp_path: Path
) -> None:
    game = Hooked(method)
    searcher = make(way, game)
    searcher.run(5)
    answers = Answers(searcher, tmp_path)
    if begin == "run":
        game.hook = answers.collect
        assert searcher.run(10**9).stopped == "stop"
    else:
        handle = searcher.ponder()

        def collect() -> None:
            answers.collect()
            with pytest.raises(RuntimeError, match="wait for its own end"):
                handle.wait()
            handle.stop()  # tells it to stop, and cannot wait

        while searcher.report().playouts == 5:
            time.sleep(0.001)
        game.hook = collect
        assert handle.result().stopped == "stop"
    answers.check()
    usable(searcher)


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_finalizer(engine: str, tmp_path: Path) -> None:
    game = Hooked()
    searcher = make((engine, "own", 1, "root"), game)
    answers = Answers(searcher, tmp_path)

    class Dying:
        def __del__(self) -> None:
            answers.collect()

    def drop() -> None:
        Dying()

    searcher.run(5)
    game.hook = drop
    searcher.run(10**9)
    answers.check()


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_progress_callback(way: tuple[str, str, int, str], tmp_path: Path) -> None:
    searcher = make(way)
    answers = Answers(searcher, tmp_path)
    told: list[int] = []

    def progress(done: int) -> None:
        told.append(done)
        answers.collect()

    assert searcher.run(10**9, progress=progress).stopped == "stop"
    answers.check()
    seen = answers["report"]
    assert isinstance(seen, Report)
    assert seen.playouts == told[0], "of this very moment"
    usable(searcher)


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_in_the_middle_of_moving_on(engine: str, tmp_path: Path) -> None:
    game = Hooked("play")
    searcher = make((engine, "own", 1, "root"), game)
    before = searcher.run(50)
    answers = Answers(searcher, tmp_path)
    game.hook = answers.collect
    searcher.advance(1)
    assert answers["report"] == before, "the last numbers"
    assert answers["stop"] is None
    for name in METHODS.keys() - {"report", "stop"}:
        assert "in the middle of advance() by the same thread" in str(answers[name]), name
    usable(searcher)
