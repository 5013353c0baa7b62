"""`Searcher`: a search that lasts. Run it again and again, look into it, stop it."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NoReturn

from sylve.engine import Engine
from sylve.errors import DamagedFile, quote, shown
from sylve.game import AnyGame
from sylve.position import Position, as_position
from sylve.search.budget import Budget, as_budget
from sylve.search.reference.searches import RootSearch, Search, TreeSearch
from sylve.search.reports.report import Found, Report, make_report
from sylve.search.reports.trace import Trace
from sylve.search.reports.view import Branch
from sylve.search.running.background import Background
from sylve.search.running.criteria import Judge, next_look, results
from sylve.search.running.engines import engine_for, make_runner, only_move
from sylve.search.running.guard import Guarded
from sylve.search.running.interrupts import interrupts_held
from sylve.search.running.memory import read_memory
from sylve.search.running.run_state import UNDER_WAY, Run
from sylve.search.running.runner import SLICE_SECONDS, Parallel, Progress, check_threads
from sylve.search.running.search_file import (
    Header,
    describe_position,
    describe_search,
    read_file,
    write_file,
)
from sylve.search.text import as_search
from sylve.search.values import check_number

OVERHEAD_SECONDS = 0.002  # kept of a limit in seconds, to end threads and to make the report
ENDLESS = 1 << 62  # simulations


class Searcher(Guarded):
    """A search of one position that can be run on, looked at and stopped, from any thread.

    >>> from sylve import Position, Searcher, Uct
    >>> searcher = Searcher(Position.start("othello"), Uct(seed=1))
    >>> searcher.run(1000).playouts  # run(a) and run(b) equal run(a + b)
    1000
    >>> searcher.run(500).playouts
    1500
    >>> searcher.advance("f5").playouts
    1500
    """

    plays_only_move = True
    """Whether a position with one legal move is answered without a simulation."""

    def __init__(
        self,
        position: Position | str | AnyGame,
        how: Search | str,
        *,
        engine: Engine = "auto",
        threads: int = 1,
        parallel: Parallel = "root",
        memory: str | int | None = None,
    ) -> None:
        position, search = as_position(position), as_search(how)
        if not isinstance(search, Search):
            raise TypeError(f"how must be a Monte Carlo search such as Uct(1000), not {search!r}")
        if position.outcome is not None:
            raise ValueError(f"the game is over: there is nothing to search in {shown(position)}")
        self.how = how = search
        self.engine = engine_for(position, how, engine)
        self.threads = threads
        self.parallel: Parallel = parallel
        self.memory = None if memory is None else read_memory(memory)
        check_threads(threads, parallel)
        parts = threads if parallel == "root" else 1
        share = None if self.memory is None else self.memory // parts
        runner = make_runner(position, how, self.engine, threads, parallel, share)
        super().__init__(position, runner, how.waiting if isinstance(how, TreeSearch) else 1)

    def run(
        self, budget: Budget | int | None = None, *, progress: Progress | None = None, **limits: Any
    ) -> Report:
        """Search on until the first limit is reached: `run(10_000)`, `run(seconds=1)`.

        The limits are those of `Budget`, counted from here; without any, those of the search.
        Ctrl-C ends it with `KeyboardInterrupt`, and `report()` then says how far it came.
        """
        self._go(self._budget(budget, limits), Run(threading.get_ident()), progress)
        return self.report()

    def step(self) -> Trace:
        """Run one more simulation, like `run(1)`, and tell everything that it does.

        The reference runs it, on the engine's tree. Not for searches on several threads.
        """
        return self._alone("step()", self._step)

    def _step(self) -> Trace:
        from sylve.search.running.watching import step  # the reference: only who asks loads it

        if self.threads > 1 or self.memory is not None:
            raise ValueError("step() is for searches on one thread, without a bound of the memory")
        began = perf_counter()
        with interrupts_held(lambda: None):  # all of it or nothing
            watched = step(self.position, self.how, self._runner)
            self._latest, self._stopped = None, "playouts"
        self._seconds += perf_counter() - began
        return watched

    def start(self, budget: Budget | int | None = None, **limits: Any) -> Background:
        """Run in the background: the handle waits for the end, or stops it."""
        return self._in_background(self._budget(budget, limits))

    def ponder(self) -> Background:
        """Search in the background until told to stop, such as while the opponent thinks."""
        return self._in_background(Budget())

    def _in_background(self, budget: Budget) -> Background:
        run = Run(thread=0)
        try:
            self._begin(run)  # here, not in the thread: `stop` works from now on
            with interrupts_held(lambda: None):  # Python cannot begin half a thread
                return Background(self, lambda: self._go(budget, run, None))
        except BaseException:  # there is no thread; or there is, and Ctrl-C came just then
            run.told_to_stop = True
            with self._lock:
                if self._run is run and not run.thread:
                    self._run = None
            if self._run is run:
                self._runner.pause()
            raise

    def stop(self) -> None:
        """End the run under way, if there is one, after the simulation at hand. From anywhere."""
        run = self._under_way()
        if run is not None:
            run.told_to_stop = True
            self._runner.stop()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._run is not None

    def report(self) -> Report:
        """What is known now: all its numbers are of one moment. From anywhere.

        In the thread that runs (a signal handler, a method of a game of your own): what was known a
        moment ago, if the simulation at hand is in Python.
        """
        position, found, stopped, seconds = self._know()
        if self._needs_no_search(position):
            return only_move(position, self.how, self.engine)
        engine, threads, parallel = self._runner.engine, self.threads, self.parallel
        return make_report(position, self.how, found, stopped, engine, seconds, threads, parallel)

    def _needs_no_search(self, position: Position) -> bool:
        return self.plays_only_move and len(position.moves) == 1

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Searcher cannot be copied or pickled: save() it, then Searcher.load()")

    def advance(self, move: int | str) -> Report:
        """Play a move: the search goes on from there with what it knows of that position.

        The rest of the tree is freed. Visits that were kept count in the reports that follow;
        `playouts` counts those of the searcher's whole life.
        """
        self._alone("advance()", lambda: self._advance(move))
        return self.report()

    def _advance(self, move: int | str) -> None:
        position = self.position.play(move)
        if position.outcome is not None:
            raise ValueError(f"the game is over: there is nothing to search in {shown(position)}")
        with interrupts_held(lambda: None):  # all of it or nothing
            self._runner.advance(position, position.played[-1])
            self.position, self._latest, self._stopped = position, None, "not begun"

    def save(self, path: str | Path) -> None:
        """Write everything to a file, from which `Searcher.load` goes on as this one would.

        A file that is already there stays as it is until the new one is complete.
        """
        if isinstance(self.how, TreeSearch) and self.how.asks_solver:
            raise ValueError(
                f"a search with {self.how.asks_solver} cannot be saved: what its solver remembers"
                " is not in the tree"
            )
        self._alone("save()", lambda: write_file(Path(path), self._header(), self._runner.save()))

    def _header(self) -> Header:
        return Header(
            **describe_position(self.position),
            search=describe_search(self.how),
            threads=self.threads,
            parallel=self.parallel,
            memory=self.memory,
            seconds=self._seconds,
            stopped=self._stopped,
            engine=self.engine,
        )

    @classmethod
    def load(
        cls, path: str | Path, *, game: AnyGame | None = None, engine: Engine = "auto"
    ) -> Searcher:
        """The search of a file that `save` wrote, in whichever engine.

        `game`: the rules, where they are of your own. A file that is not complete, or was changed,
        is refused with a `ValueError`.
        """
        header, body = read_file(Path(path))
        searcher = cls(
            header.position(game),
            header.how(),
            engine=engine,
            threads=header.threads,
            parallel=header.parallel,  # type: ignore[arg-type]
            memory=header.memory,
        )
        try:
            searcher._runner.load(body)
        except ValueError as error:
            raise DamagedFile(f"{quote(str(path))} is damaged: {error}") from error
        searcher._seconds, searcher._stopped = header.seconds, header.stopped
        return searcher

    def tree(self, depth: int = 2, top: int | None = 5) -> Branch:
        """The tree, to be looked into: branches are read when they are asked for.

        `depth` and `top` say how much of it is printed and put into `to_dict`.
        """
        root = self.position
        return Branch(lambda path: self._look(root, path), root, (), None, depth=depth, top=top)

    def digest(self) -> str:
        """64 bits, in hexadecimal, for everything that the tree counts."""
        return f"{self._alone('digest()', self._runner.digest):016x}"

    def _look(self, root: Position, path: tuple[int, ...]) -> Found | None:
        def look() -> Found | None:
            if self.position is not root:
                raise RuntimeError("the searcher has moved on since tree(): call tree() again")
            return self._runner.look(path)

        return self._alone("looking into the tree", look)

    def stream(
        self, budget: Budget | int | None = None, *, interval: float = 0.1, **limits: Any
    ) -> Iterator[Report]:
        """Run in the background and give a report every `interval` seconds, and the last one.

        Leaving the loop stops the run.
        """
        check_number("interval", interval, 0.001, 1e6)
        run = self.start(budget, **limits)
        try:
            while not run.wait(interval):
                report = self.report()
                if report.stopped == "running":  # else it ended just now: the last one follows
                    yield report
            yield run.result()
        finally:
            run.stop()

    async def watch(
        self, budget: Budget | int | None = None, *, interval: float = 0.1, **limits: Any
    ) -> AsyncGenerator[Report, None]:
        """`stream` for asyncio: `async for report in searcher.watch(seconds=5)`.

        Python closes an async loop that is left early some time later: `contextlib.aclosing` stops
        the run at once.
        """
        import asyncio

        check_number("interval", interval, 0.001, 1e6)
        run = self.start(budget, **limits)
        try:
            while not await asyncio.to_thread(run.wait, interval):
                report = await asyncio.to_thread(self.report)
                if report.stopped == "running":
                    yield report
            yield await asyncio.to_thread(run.result)
        finally:
            self.stop()
            await asyncio.shield(asyncio.to_thread(run.wait))

    def _budget(self, budget: Budget | int | None, limits: dict[str, Any]) -> Budget:
        """What to run: the search's own limits if nothing is said."""
        if budget is None and not limits:
            return self.how.budget
        chosen = as_budget(budget, limits)
        if isinstance(self.how, RootSearch):
            self.how.check_run(chosen)
        return chosen

    def _go(self, budget: Budget, run: Run, progress: Progress | None) -> None:
        """The run itself. Whatever happens, and whenever, the searcher can be used afterwards."""
        try:
            try:
                if not run.thread:
                    with self._lock:
                        if self._run is not run:
                            return  # given up before it began
                        run.thread = threading.get_ident()
                self._begin(run)
                try:
                    run.reason = self._loop(budget, run, progress)
                finally:
                    self._runner.settle()
            finally:
                if self._run is run:
                    self._stopped = run.reason
                    self._seconds += perf_counter() - run.began
        finally:
            # First of all, and in one step: Ctrl-C may come after each.
            if self._run is run:
                self._run = None
            UNDER_WAY.discard(run)
            run.serve(None)

    def _loop(self, budget: Budget, run: Run, progress: Progress | None) -> str:
        """Run from look to look until a limit is reached; the answer is its name."""
        if self._needs_no_search(self.position):
            return "only move"
        runner, judge = self._runner, Judge(budget, self.how)
        first = done = runner.simulations
        last = ENDLESS if budget.playouts is None else first + budget.playouts
        if last < ENDLESS:
            last = self.how.rounded(last, len(self.position.moves))
        look = next_look(done) if judge.looks else ENDLESS
        batch = self.how.waiting if isinstance(self.how, TreeSearch) else 1
        keep_at = 0.0
        while True:
            left = self._seconds_left(budget, run)
            if runner.proven:
                return "proven"
            if done >= last:
                return "playouts"
            if budget.nodes is not None and runner.nodes >= budget.nodes:
                return "nodes"
            if done >= look:
                found = runner.found()
                until = self._simulations_left(budget, run, last, first, done)
                reached = judge.verdict(results(self.how, found.order, found.tallies), until)
                if reached:
                    return reached
                look = next_look(done)
            if left is not None and left <= 0.0:
                return "seconds"
            if run.told_to_stop:
                return "stop"
            target = min(last, look)
            if budget.nodes is not None:
                target = min(target, done + budget.nodes - runner.nodes)  # at most one node each
            if runner.in_python:
                keep_at = self._keep(keep_at)
            watched = progress is not None or runner.in_python
            in_slices = watched and (left is None or left > SLICE_SECONDS)
            # Whole batches, wherever it is interrupted: where they begin decides what is found.
            runner.run(
                min(last, done + round_up(target - done, batch)) - done,
                SLICE_SECONDS if in_slices else left,
                last=not in_slices,
            )
            done = runner.simulations
            if progress is not None:
                run.resting = True
                progress(done)
                run.resting = False
            if run.looks:
                run.serve(self._see())

    def _seconds_left(self, budget: Budget, run: Run) -> float | None:
        if budget.seconds is None:
            return None
        limit = budget.seconds - min(OVERHEAD_SECONDS, budget.seconds / 10)
        return limit - (perf_counter() - run.began)

    def _simulations_left(
        self, budget: Budget, run: Run, last: int, first: int, done: int
    ) -> float | None:
        """How many more the budget allows; with a limit in seconds, at the speed so far."""
        left = float(last - done) if last < ENDLESS else None
        seconds = self._seconds_left(budget, run)
        if seconds is None:
            return left
        spent = max(perf_counter() - run.began, 1e-9)
        by_time = max(0.0, seconds) * (done - first) / spent
        return by_time if left is None else min(left, by_time)


def round_up(number: int, step: int) -> int:
    """The next multiple of `step`."""
    return -(-number // step) * step
