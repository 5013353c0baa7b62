"""`Searcher`: a search that lasts. Run it again and again, look into it, stop it."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from sylve.engine import Engine, choose
from sylve.errors import DamagedFile, quote
from sylve.game import AnyGame
from sylve.position import Position
from sylve.search.background import Background
from sylve.search.budget import Budget
from sylve.search.criteria import Judge, next_look, results
from sylve.search.memory import read_memory
from sylve.search.report import Found, Report, make_report
from sylve.search.runner import Parallel, Progress, check_threads, make_runner, only_move
from sylve.search.saved import Header, describe_position, describe_search, read_file, write_file
from sylve.search.searches import Flat, RootSearch, Search, TreeSearch
from sylve.search.values import check_number
from sylve.search.view import Branch

SLICE_SECONDS = 0.1  # how often progress is told
OVERHEAD_SECONDS = 0.002  # kept of a limit in seconds, to end threads and to make the report
ENDLESS = 1 << 62  # simulations


class Searcher:
    """A search of one position that can be run on, looked at and stopped, from any thread.

    searcher = Searcher(position, Uct(seed=1))
    searcher.run(seconds=1).best          # blocks; run(a) and run(b) equal run(a + b)
    for report in searcher.stream(interval=0.1, seconds=5): ...
    """

    def __init__(
        self,
        position: Position,
        how: Search,
        *,
        engine: Engine = "auto",
        threads: int = 1,
        parallel: Parallel = "root",
        memory: str | int | None = None,
    ) -> None:
        if not isinstance(how, Search):
            raise TypeError(f"how must be a search such as Uct(1000), not {how!r}")
        if position.outcome is not None:
            raise ValueError(f"the game is over: there is nothing to search in {position!r}")
        self.position = position
        self.how = how
        self.engine = choose(engine)
        self.threads = threads
        self.parallel: Parallel = parallel
        self.memory = None if memory is None else read_memory(memory)
        check_threads(threads, parallel)
        parts = threads if parallel == "root" else 1
        share = None if self.memory is None else self.memory // parts
        self._runner = make_runner(position, how, self.engine, threads, parallel, share)
        self._changed = threading.Condition()
        """Guards what follows. The runner is used by the thread that runs, or under this lock."""
        self._run: object | None = None
        """The run under way."""
        self._thread = 0
        """The thread that runs it."""
        self._told_to_stop = False
        self._asked = 0
        """How many looks were asked for while it ran, and how many of them were served."""
        self._served = 0
        self._latest: Found | None = None
        self._stopped = "not begun"
        self._seconds = 0.0
        """Of the runs that are over; the one under way began at:"""
        self._began = 0.0

    def run(
        self, budget: Budget | int | None = None, *, progress: Progress | None = None, **limits: Any
    ) -> Report:
        """Search on until the first limit is reached: `run(10_000)`, `run(seconds=1)`.

        The limits are those of `Budget`, counted from here; without any, those of the search.
        Ctrl-C ends it with `KeyboardInterrupt`, and `report()` then says how far it came.
        """
        self._go(self._budget(budget, limits), object(), progress)
        return self.report()

    def start(self, budget: Budget | int | None = None, **limits: Any) -> Background:
        """Run in the background: the handle waits for the end, or stops it."""
        return self._in_background(self._budget(budget, limits))

    def ponder(self) -> Background:
        """Search in the background until told to stop, such as while the opponent thinks."""
        return self._in_background(Budget())

    def _in_background(self, budget: Budget) -> Background:
        run = object()
        self._begin(run)  # here, not in the thread: `stop` works from now on
        return Background(self, lambda: self._go(budget, run, None))

    def stop(self) -> None:
        """End the run under way, if there is one, after the simulation at hand. From any thread."""
        with self._changed:
            if self.running:
                self._told_to_stop = True
                self._runner.pause()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._run is not None

    def report(self) -> Report:
        """What is known now. From any thread: all its numbers are of one moment."""
        with self._changed:
            if self.running and self._thread != threading.get_ident():
                self._asked = ticket = self._asked + 1
                self._runner.pause()  # it serves us and goes on
                self._changed.wait_for(lambda: self._served >= ticket or not self.running)
                found = self._latest if self.running else None
            else:
                found = None
            seconds, stopped = self._seconds, self._stopped
            if self.running:
                seconds, stopped = seconds + perf_counter() - self._began, "running"
            if found is None:
                found = self._runner.found()
        return self._report(found, stopped, seconds)

    def advance(self, move: int | str) -> Report:
        """Play a move: the search goes on from there with what it knows of that position.

        The rest of the tree is freed. Visits that were kept count in the reports that follow;
        `playouts` counts those of the searcher's whole life.
        """
        with self._changed:
            self._check_idle("advance()")
            position = self.position.play(move)
            if position.outcome is not None:
                raise ValueError(f"the game is over: there is nothing to search in {position!r}")
            number = position.played[-1]
            self._runner.advance(position, number)
            self.position = position
            self._stopped = "not begun"
        return self.report()

    def save(self, path: str | Path) -> None:
        """Write everything to a file, from which `Searcher.load` goes on as this one would.

        A file that is already there stays as it is until the new one is complete.
        """
        if isinstance(self.how, TreeSearch) and self.how.solver_nodes:
            raise ValueError(
                "a search with solver_nodes cannot be saved: what its solver remembers is not in"
                " the tree"
            )
        with self._changed:
            self._check_idle("save()")
            header = Header(
                **describe_position(self.position),
                search=describe_search(self.how),
                threads=self.threads,
                parallel=self.parallel,
                memory=self.memory,
                seconds=self._seconds,
                stopped=self._stopped,
                engine=self.engine,
            )
            write_file(Path(path), header, self._runner.save())

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
        return Branch(self._look, self.position, (), None, depth=depth, top=top)

    def digest(self) -> str:
        """64 bits, in hexadecimal, for everything that the tree counts."""
        with self._changed:
            self._check_idle("digest()")
            return f"{self._runner.digest():016x}"

    def _look(self, path: tuple[int, ...]) -> Found | None:
        with self._changed:
            self._check_idle("looking into the tree")
            return self._runner.look(path)

    def _check_idle(self, what: str) -> None:
        if self._run is not None:
            raise RuntimeError(f"the searcher is running: stop() it, or wait, before {what}")

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
        if isinstance(budget, Budget):
            if limits:
                raise TypeError(f"give a Budget or limits, not both: {budget} and {limits}")
            chosen = budget
        else:
            given = limits if budget is None else {"playouts": budget, **limits}
            if budget is not None and "playouts" in limits:
                raise TypeError(f"playouts is given twice: {budget!r} and {limits['playouts']!r}")
            chosen = Budget(**given)
        if isinstance(self.how, RootSearch):
            self.how.check_run(chosen)
        return chosen

    def _begin(self, run: object) -> None:
        with self._changed:
            if self._run is run:
                return
            if self._run is not None:
                raise RuntimeError("the searcher is running: stop() it, or wait, before run()")
            self._told_to_stop = False
            self._began = perf_counter()
            self._run = run

    def _go(self, budget: Budget, run: object, progress: Progress | None) -> None:
        """The run itself. Whatever happens, and whenever, the searcher can be used afterwards."""
        reason = "interrupted"
        try:
            self._begin(run)
            self._thread = threading.get_ident()
            reason = self._loop(budget, progress)
        finally:
            with self._changed:
                if self._run is run:
                    self._stopped = reason
                    self._seconds += perf_counter() - self._began
                    self._thread = 0
                    self._run = None
                    self._changed.notify_all()

    def _loop(self, budget: Budget, progress: Progress | None) -> str:
        """Run from look to look until a limit is reached; the answer is its name."""
        if len(self.position.moves) == 1:
            return "only move"
        runner, judge = self._runner, Judge(budget, self.how)
        first = done = runner.simulations
        last = ENDLESS if budget.playouts is None else first + budget.playouts
        if isinstance(self.how, Flat) and self.how.remainder == "drop" and last < ENDLESS:
            last -= last % len(self.position.moves)
        look = next_look(done) if judge.looks else ENDLESS
        batch = self.how.batch if isinstance(self.how, TreeSearch) else 1
        while True:
            left = self._seconds_left(budget)
            if runner.proven:
                return "proven"
            if done >= last:
                return "playouts"
            if budget.nodes is not None and runner.nodes >= budget.nodes:
                return "nodes"
            if done >= look:
                found = runner.found()
                until = self._simulations_left(budget, last, first, done)
                reached = judge.verdict(results(self.how, found.order, found.tallies), until)
                if reached:
                    return reached
                look = next_look(done)
            if left is not None and left <= 0.0:
                return "seconds"
            if self._told_to_stop:
                return "stop"
            target = min(last, look)
            if budget.nodes is not None:
                target = min(target, done + budget.nodes - runner.nodes)  # at most one node each
            if progress is not None:
                left = SLICE_SECONDS if left is None else min(left, SLICE_SECONDS)
            # Whole batches, wherever it is interrupted: where they begin decides what is found.
            runner.run(min(last, done + round_up(target - done, batch)) - done, left)
            done = runner.simulations
            if progress is not None:
                progress(done)
            self._serve()

    def _seconds_left(self, budget: Budget) -> float | None:
        if budget.seconds is None:
            return None
        limit = budget.seconds - min(OVERHEAD_SECONDS, budget.seconds / 10)
        return limit - (perf_counter() - self._began)

    def _simulations_left(self, budget: Budget, last: int, first: int, done: int) -> float | None:
        """How many more the budget allows; with a limit in seconds, at the speed so far."""
        left = float(last - done) if last < ENDLESS else None
        seconds = self._seconds_left(budget)
        if seconds is None:
            return left
        spent = max(perf_counter() - self._began, 1e-9)
        by_time = max(0.0, seconds) * (done - first) / spent
        return by_time if left is None else min(left, by_time)

    def _serve(self) -> None:
        """Take the look that others wait for; they make their reports while the search goes on."""
        with self._changed:
            if self._served < self._asked:
                self._latest = self._runner.found()
                self._served = self._asked
                self._changed.notify_all()

    def _report(self, found: Found, stopped: str, seconds: float) -> Report:
        if len(self.position.moves) == 1:
            return only_move(self.position, self.how, self.engine)
        engine, threads, parallel = self._runner.engine, self.threads, self.parallel
        return make_report(
            self.position, self.how, found, stopped, engine, seconds, threads, parallel
        )


def round_up(number: int, step: int) -> int:
    """The next multiple of `step`."""
    return -(-number // step) * step
