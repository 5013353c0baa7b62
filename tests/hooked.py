"""A game that calls back, and searchers of every kind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sylve import Position, Searcher, Uct
from test_check_game import Nim

BOARD = Position.start("breakthrough(columns=5, rows=5)")
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
