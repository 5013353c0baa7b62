"""Every method of a searcher, called from where nobody expects it: it answers or refuses.

It never hangs: the time limit would end the test.
"""

from __future__ import annotations

import copy
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sylve import Position, Report, Searcher, SequentialHalving, Uct
from test_check_game import Nim

# A main thread that hangs in the engine sees no signal: the time limit needs a thread of its own.
pytestmark = pytest.mark.timeout(60, method="thread")
BOARD = Position.start("breakthrough(columns=5, rows=5)")
WAYS: list[tuple[str, str, int, str]] = [
    *[("rust", "board", 1, "root"), ("python", "board", 1, "root")],
    *[("rust", "own", 1, "root"), ("python", "own", 1, "root")],
    *[("rust", "board", 2, way) for way in ("root", "batch", "tree")],
    *[("python", "board", 2, way) for way in ("root", "batch")],
    *[("rust", "own", 2, "root"), ("python", "own", 2, "root")],
]
METHODS: dict[str, Callable[[Searcher, Path], object]] = {
    "report": lambda searcher, _: searcher.report(),
    "stop": lambda searcher, _: searcher.stop(),
    "tree": lambda searcher, _: str(searcher.tree()),
    "digest": lambda searcher, _: searcher.digest(),
    "advance": lambda searcher, _: searcher.advance(searcher.position.moves[0]),
    "save": lambda searcher, folder: searcher.save(folder / "search.sylve"),
    "run": lambda searcher, _: searcher.run(1),
    "start": lambda searcher, _: searcher.start(1),
    "ponder": lambda searcher, _: searcher.ponder(),
    "stream": lambda searcher, _: list(searcher.stream(1)),
}


class Hooked(Nim):
    """A game that calls somebody from one of its methods, once it is armed."""

    def __init__(self, method: str = "moves") -> None:
        self.method = method
        self.hook: Callable[[], None] | None = None

    def start(self) -> Any:
        return (40, super().start()[1])

    def call(self, method: str) -> None:
        hook = self.hook
        if hook is not None and method == self.method:
            self.hook = None
            hook()

    def moves(self, state: Any) -> list[int]:
        self.call("moves")
        return super().moves(state)

    def turn(self, state: Any) -> Any:
        self.call("turn")
        return super().turn(state)

    def outcome(self, state: Any) -> Any:
        self.call("outcome")
        return super().outcome(state)

    def play(self, state: Any, move: int) -> Any:
        self.call("play")
        return super().play(state, move)


def make(way: tuple[str, str, int, str], game: Hooked | None = None) -> Searcher:
    engine, kind, threads, parallel = way
    position = BOARD if kind == "board" else Position.start(game or Hooked())
    how = Uct(solver=False, batch=8 if parallel == "batch" else 1)
    return Searcher(position, how, engine=engine, threads=threads, parallel=parallel)


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


@contextmanager
def alarm(handler: Callable[..., None], after: float, again: float = 3600.0) -> Iterator[None]:
    """A signal after some time, and again and again. (pytest's time limit has the timers.)"""
    over, handled, main = threading.Event(), threading.Event(), threading.main_thread().ident
    assert main is not None

    def handle(*arguments: object) -> None:
        handler(*arguments)
        handled.set()

    def send() -> None:
        seconds = after
        while not over.wait(seconds):
            signal.pthread_kill(main, signal.SIGUSR1)
            while not handled.wait(0.1) and not over.is_set():
                pass
            handled.clear()
            seconds = again

    before = signal.signal(signal.SIGUSR1, handle)
    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        signal.signal(signal.SIGUSR1, before)


def usable(searcher: Searcher) -> None:
    before = searcher.report().playouts
    assert searcher.run(16).playouts == before + 16
    assert isinstance(searcher.digest(), str)


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
