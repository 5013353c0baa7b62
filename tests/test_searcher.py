"""The life of a searcher: runs, looks from other threads, stops, streams, Ctrl-C."""

import asyncio
import contextlib
import os
import random
import signal
import threading
import time

import pytest

from sylve import Budget, Flat, Grave, Position, Report, Searcher, Uct, search
from test_check_game import Nim

ENGINES = ["rust", "python"]
POSITION = Position.start("breakthrough(columns=5, rows=5)")


def consistent(report: Report) -> bool:
    return sum(entry.visits for entry in report.moves) == report.playouts


@pytest.mark.parametrize("engine", ENGINES)
def test_run_again_and_again(engine: str) -> None:
    for how in (Uct(400, seed=3), Grave(400, seed=3), Flat(400, seed=3, remainder="drop")):
        searcher = Searcher(POSITION, how, engine=engine)
        assert searcher.report().stopped == "not begun"
        searcher.run(1)
        searcher.run(playouts=99)
        searcher.run(Budget(300))
        whole = search(POSITION, how, engine="rust")
        assert searcher.report() == whole


@pytest.mark.parametrize("engine", ENGINES)
def test_without_limits_those_of_the_search(engine: str) -> None:
    searcher = Searcher(POSITION, Uct(50), engine=engine)
    assert searcher.run().playouts == 50
    assert searcher.run().playouts == 100


@pytest.mark.parametrize("engine", ENGINES)
def test_reports_from_other_threads_are_of_one_moment(engine: str) -> None:
    searcher = Searcher(POSITION, Uct(), engine=engine)
    seen: list[Report] = []

    def look() -> None:
        for _ in range(15):
            seen.append(searcher.report())
            time.sleep(0.001)

    with searcher.ponder():
        threads = [threading.Thread(target=look) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(seen) == 45
    assert all(consistent(report) for report in seen)
    assert len({report.playouts for report in seen}) > 1
    last = searcher.report()
    assert (last.stopped, consistent(last)) == ("stop", True)
    again = Searcher(POSITION, Uct(), engine="rust")
    assert again.run(last.playouts).moves == last.moves, "being looked at changes nothing"


@pytest.mark.parametrize("engine", ENGINES)
def test_stream(engine: str) -> None:
    searcher = Searcher(POSITION, Uct(), engine=engine)
    reports = []
    for report in searcher.stream(Budget(), interval=0.001):
        reports.append(report)
        if len(reports) == 5:
            break
    assert not searcher.running, "leaving the loop stops it"
    assert [report.stopped for report in reports] == ["running"] * 5
    counts = [report.playouts for report in reports]
    assert counts == sorted(counts)
    *before, last = searcher.stream(interval=0.02, seconds=0.1)
    assert last.stopped == "seconds"
    assert all(report.stopped == "running" for report in before)
    assert last.playouts >= counts[-1]
    for interval in (0, -1, float("nan"), "x"):
        with pytest.raises(ValueError, match="interval must be a number"):
            next(searcher.stream(interval=interval))


def test_watch() -> None:
    async def watch() -> list[Report]:
        searcher = Searcher(POSITION, Uct())
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        reports = []
        async with contextlib.aclosing(searcher.watch(Budget(), interval=0.001)) as watching:
            async for report in watching:
                reports.append(report)
                if len(reports) >= 5 and ticks > 3:  # the loop goes on meanwhile
                    break
        ticking.cancel()
        assert searcher.run(5).stopped == "playouts"
        *_, last = [report async for report in searcher.watch(interval=0.02, seconds=0.1)]
        return [*reports, last]

    *reports, last = asyncio.run(watch())
    assert all(report.stopped == "running" for report in reports)
    assert last.stopped == "seconds"


def test_one_run_at_a_time() -> None:
    searcher = Searcher(POSITION, Uct())
    with searcher.ponder(), pytest.raises(RuntimeError, match="is running"):
        searcher.run(5)
    assert searcher.run(5).stopped == "playouts"
    searcher.stop()  # nothing to stop: the next run is not affected
    assert searcher.run(7).stopped == "playouts"


def test_a_handle() -> None:
    searcher = Searcher(POSITION, Uct())
    run = searcher.start(seconds=0.05)
    assert run.result().stopped == "seconds"
    assert run.done
    run.stop()
    run = searcher.start(1000)
    run.stop()  # at once: the run may not have begun
    assert searcher.report().stopped in ("stop", "playouts")
    assert consistent(searcher.report())


class Broken(Nim):
    """A game that fails after a while."""

    calls = 0

    def moves(self, state):
        self.calls += 1
        if self.calls > 500:
            raise OSError("the disk is full")
        return super().moves(state)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_error_of_a_users_game_comes_out(engine: str) -> None:
    searcher = Searcher(Position.start(Broken()), Uct(solver=False), engine=engine)
    with pytest.raises(OSError, match="the disk is full"):
        searcher.start(10_000).result()
    assert not searcher.running
    searcher = Searcher(Position.start(Broken()), Uct(solver=False), engine=engine)
    with pytest.raises(OSError, match="the disk is full"):
        list(searcher.stream(10_000))


def test_progress_may_look() -> None:
    searcher = Searcher(POSITION, Uct())
    seen: list[Report] = []
    searcher.run(seconds=0.3, progress=lambda _: seen.append(searcher.report()))
    assert seen
    assert all(consistent(report) and report.stopped == "running" for report in seen)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"threads": 0}, ValueError, "threads must be a whole number from 1 to 256, not 0"),
        ({"threads": -1}, ValueError, "not -1"),
        ({"threads": 10**30}, ValueError, "threads must be a whole number"),
        ({"threads": True}, ValueError, "not True"),
        ({"threads": 1.5}, ValueError, "not 1.5"),
        ({"parallel": "rot"}, ValueError, "parallel must be one of root"),
        ({"engine": "c"}, ValueError, "unknown engine 'c'"),
        ({"how": 5}, TypeError, "a search"),
    ],
)
def test_bad_arguments(arguments: dict, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        Searcher(POSITION, **{"how": Uct(), **arguments})
    assert message in str(caught.value)


def test_bad_runs() -> None:
    searcher = Searcher(POSITION, Flat(5))
    with pytest.raises(ValueError, match="flat: nodes cannot end it"):
        searcher.run(nodes=5)
    with pytest.raises(TypeError, match="not both"):
        searcher.run(Budget(5), seconds=1)
    with pytest.raises(TypeError, match="given twice"):
        searcher.run(5, playouts=5)
    with pytest.raises(ValueError, match="budget: seconds"):
        searcher.run(seconds=0)
    assert searcher.run().playouts == 5


def interrupt(searcher: Searcher, delay: float) -> float:
    """Ctrl-C after so many seconds; how long `KeyboardInterrupt` takes to come."""
    sent, ready = 0.0, threading.Event()

    def send() -> None:
        nonlocal sent
        ready.wait()  # else it may come before anybody waits for it
        time.sleep(delay)
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    def run() -> None:
        ready.set()
        searcher.run(10**12)

    thread = threading.Thread(target=send)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        run()
    came = time.perf_counter()
    thread.join()
    return came - sent


def check_interrupts(count: int, engine: str, position: Position) -> list[float]:
    chance = random.Random(5)
    searcher = Searcher(position, Uct(solver=False), engine=engine)  # else Nim would end it
    delays, interrupted = [], 0
    for _ in range(count):
        before = searcher.report().playouts
        delays.append(interrupt(searcher, chance.random() * 0.05))
        report = searcher.report()
        assert not searcher.running
        assert consistent(report)
        interrupted += report.stopped == "interrupted"  # else it came before the run began
        assert searcher.run(3).playouts == report.playouts + 3
        assert report.playouts >= before
    assert interrupted > count / 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    last = searcher.report()
    assert search(position, Uct(last.playouts, solver=False)).moves == last.moves, (
        "nothing was lost"
    )
    return delays


@pytest.mark.parametrize("engine", ENGINES)
def test_interrupts_leave_a_usable_searcher(engine: str) -> None:
    check_interrupts(20, engine, POSITION)
    check_interrupts(3, engine, Position.start(Nim()))


@pytest.mark.long
def test_500_interrupts() -> None:
    delays = sorted(check_interrupts(500, "rust", POSITION))
    assert delays[int(0.99 * len(delays))] < 1.0, "0.1 on a quiet machine: benchmarks/responses.py"


@pytest.mark.long
@pytest.mark.parametrize("parallel", ["root", "batch", "tree"])
def test_500_interrupts_of_threads(parallel: str) -> None:
    chance = random.Random(7)
    how = Uct(solver=False, batch=8 if parallel == "batch" else 1)
    searcher = Searcher(POSITION, how, threads=2, parallel=parallel)
    for _ in range(500):
        interrupt(searcher, chance.random() * 0.02)
        report = searcher.report()
        assert consistent(report)
        assert searcher.run(8).playouts == report.playouts + 8
