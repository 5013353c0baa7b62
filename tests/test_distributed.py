"""A search in parts by an executor: the report of the same parts on one machine."""

import dataclasses
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

from searches import SUMMED_ROOTS
from sylve import (
    AlphaBeta,
    Flat,
    Grave,
    Position,
    Rave,
    Search,
    SequentialHalving,
    Uct,
    search,
)
from sylve.search.reference.searches import TreeSearch
from test_check_game import Nim

MORE: list[Search] = [Flat(remainder="drop"), Uct(), Rave(), Grave(reference=10)]


@pytest.mark.parametrize("how", [*SUMMED_ROOTS, *MORE], ids=str)
@pytest.mark.parametrize("engine", ["rust", "python"])
def test_an_executor_gives_the_report_of_so_many_threads(how: Search, engine: Any) -> None:
    how = dataclasses.replace(how, playouts=1001 if engine == "rust" else 101)
    if isinstance(how, TreeSearch):
        how = dataclasses.replace(how, solver=False)
    position = Position.start("othello(size=6)").play_line("e4")
    told: list[int] = []
    with ThreadPoolExecutor(2) as executor:
        report = search(
            position, how, engine=engine, executor=executor, parts=3, progress=told.append
        )
    assert report == search(position, how, engine=engine, threads=3)
    dropped = how.playouts % len(position.moves) if "drop" in str(how) else 0
    assert told[-1] == report.playouts == how.playouts - dropped
    assert (len(told), report.engine, report.stopped) == (3, engine, "playouts")


def test_other_processes_know_the_history_and_a_game_of_the_users_own() -> None:
    capture = Position.start("go(size=3, komi=0)").play_line("B1 A2 C2 B3 B2 A1")
    with ProcessPoolExecutor(1) as executor:
        for position in (capture, Position.start(Nim())):
            report = search(position, Uct(200, solver=False), executor=executor, parts=2)
            assert report == search(position, Uct(200, solver=False), threads=2)


def test_a_cluster() -> None:
    """Also through Dask, on loopback."""
    distributed = pytest.importorskip("distributed")
    position = Position.start("hex(size=5)")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        report = search(position, Rave(900), executor=client.get_executor(), parts=3)
    assert report == search(position, Rave(900), threads=3)


class Fails(ThreadPoolExecutor):
    """Its second call fails."""

    def __init__(self) -> None:
        super().__init__(1)
        self.given: list[Future[Any]] = []

    def submit(self, call: Any, /, *arguments: Any) -> Any:
        future: Future[Any] = Future()  # the third and fourth never run
        if not self.given:
            future = super().submit(call, *arguments)
        elif len(self.given) == 1:
            future.set_exception(RuntimeError("the machine is gone"))
        self.given.append(future)
        return future


def test_a_part_that_fails_ends_the_search_and_the_others() -> None:
    with Fails() as executor, pytest.raises(RuntimeError, match="the machine is gone"):
        search(Position.start("tic_tac_toe"), Uct(100), executor=executor, parts=4)
    assert [future.cancelled() for future in executor.given] == [False, False, True, True]


def test_a_proven_position_ends_early_and_says_so() -> None:
    position = Position.start("tic_tac_toe").play_line("a1b1a2b2")
    with ThreadPoolExecutor(1) as executor:
        report = search(position, Uct(10_000), executor=executor, parts=2)
    assert (report.best_name, report.stopped) == ("a3", "proven")
    assert report.playouts < 10_000


def test_what_cannot_be() -> None:
    position = Position.start("tic_tac_toe")
    with ThreadPoolExecutor(1) as executor:
        for how, more, problem in [
            (Uct(100), {"parts": 0}, "parts must be a whole number from 1 to 256, not 0"),
            (Uct(100), {"parts": 2, "threads": 2}, "use parts= instead of threads="),
            (Uct(100), {"memory": "1MiB"}, "use parts= instead of threads="),
            (SequentialHalving(100), {}, "the rounds of sequential_halving are one plan"),
            (Flat(100, gamma=0.9), {}, "flat with gamma weighs by order"),
            (AlphaBeta(2), {}, "alpha_beta has no parts"),
            (Uct(100, settled=True), {}, "limited by playouts alone, not by settled"),
            (Uct(seconds=1), {}, "limited by playouts alone, not by seconds"),
        ]:
            with pytest.raises(ValueError, match=problem):
                search(position, how, executor=executor, **more)
        with pytest.raises(ValueError, match="the game is over"):
            search(position.play_line("a1b1a2b2a3"), Uct(100), executor=executor)
    with pytest.raises(ValueError, match="parts are those of an executor"):
        search(position, Uct(100), parts=2)
    with pytest.raises(ValueError, match="must have a method submit"):
        search(position, Uct(100), executor=4)  # type: ignore[arg-type]
