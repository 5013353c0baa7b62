"""Several threads: what must hold however they run."""

import dataclasses
import itertools
import multiprocessing
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from searches import SHARED_TREES, SUMMED_ROOTS
from sylve import (
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Position,
    Rave,
    Report,
    Search,
    Searcher,
    SequentialHalving,
    Ucb,
    Uct,
    search,
)
from sylve.policies import mast
from sylve.rng import mix
from sylve.search.running.summed import Summed, seed_of, shares
from test_check_game import Nim

BREAKTHROUGH = Position.start("breakthrough(columns=5, rows=5)")
DRAWS = Position.start("tic_tac_toe").play_line("b2")


def visits(report) -> int:
    return sum(entry.visits for entry in report.moves)


@pytest.mark.parametrize(
    "how", [*SHARED_TREES, *SUMMED_ROOTS, MultiScaleRave(), Uct(playout=mast())], ids=str
)
def test_root_is_the_same_in_both_engines_and_every_time(how: Search) -> None:
    for position, threads in ((BREAKTHROUGH, 2), (DRAWS, 3)):
        how = dataclasses.replace(how, playouts=200, seed=5)
        runs = [
            search(position, how, threads=threads, parallel="root", engine=engine)
            for engine in ("rust", "rust", "python")
        ]
        assert runs[0] == runs[1] == runs[2]
        assert runs[0].playouts == 200
        assert (runs[0].threads, runs[0].parallel) == (threads, "root")
        if not isinstance(how, FlatAmaf):
            assert visits(runs[0]) == 200
        parts = Searcher(position, how, threads=threads)
        for part in (1, 99, 100):
            parts.run(part)
        assert parts.report() == runs[0]


def test_root_is_the_sum_of_independent_searches() -> None:
    """By hand: two searches with the seeds of the specification."""
    seeds = [mix((mix(9) - 1) % 2**64), mix((mix(9) - 2) % 2**64)]
    assert seeds == [seed_of(9, 0), seed_of(9, 1)]
    both = search(BREAKTHROUGH, Uct(1001, seed=9), threads=2)
    first, second = (
        search(BREAKTHROUGH, Uct(playouts, seed=seed))
        for playouts, seed in zip((501, 500), seeds, strict=True)
    )
    for one, other, total in zip(first.moves, second.moves, both.moves, strict=True):
        assert (one.visits + other.visits, one.wins + other.wins) == (total.visits, total.wins)
    assert first.moves != second.moves
    assert both.nodes == first.nodes + second.nodes


def test_shares_bring_every_search_to_its_part() -> None:
    for done in itertools.product(range(5), repeat=3):
        for more in (0, 1, 2, 7):
            given = shares(done, more)
            assert sum(given) == more
            assert min(given) >= 0
            after = [a + b for a, b in zip(done, given, strict=True)]
            grown = [after[i] for i in range(3) if given[i]]
            assert not grown or max(grown) <= min(after) + 1


def check_nothing_is_lost(how: Search, parallel: Any, searches: int) -> None:
    for threads in (1, 2, 4, 8):
        for seed in range(searches):
            playouts = 1 + 37 * seed % 400
            position = (BREAKTHROUGH, DRAWS)[seed % 2]
            # Without proofs, which may end a search sooner.
            chosen = dataclasses.replace(how, playouts=playouts, seed=seed, solver=False)
            if parallel == "batch":
                chosen = dataclasses.replace(chosen, batch=2 + seed % 30)
            report = search(position, chosen, threads=threads, parallel=parallel)
            check_visits(report, playouts)


def check_visits(report: Report, playouts: int) -> None:
    assert (visits(report), report.playouts) == (playouts, playouts)
    assert all(entry.wins + entry.draws <= entry.visits for entry in report.moves)


@pytest.mark.parametrize("how", SHARED_TREES, ids=str)
def test_no_update_is_lost(how: Search) -> None:
    check_nothing_is_lost(how, "tree", 25)
    for parallel in ("root", "batch"):
        check_nothing_is_lost(how, parallel, 4)


def test_a_lost_update_would_be_seen() -> None:
    """The control; `shared_lost_update` plants the fault itself."""
    report = search(BREAKTHROUGH, Uct(100, solver=False), threads=2, parallel="tree")
    check_visits(report, 100)
    first, *others = report.moves
    fewer = dataclasses.replace(first, visits=first.visits - 1)
    with pytest.raises(AssertionError):
        check_visits(dataclasses.replace(report, moves=(fewer, *others)), 100)


@pytest.mark.long
@pytest.mark.parametrize("parallel", ["root", "batch", "tree"])
@pytest.mark.parametrize("how", SHARED_TREES, ids=str)
def test_no_update_is_lost_in_1000_searches(how: Search, parallel: Any) -> None:
    check_nothing_is_lost(how, parallel, 1000)


@pytest.mark.parametrize("game", ["breakthrough", "othello", "connect_four", "hex(size=5)", "go"])
def test_every_game_can_be_searched_by_threads(game: str) -> None:
    position = Position.start(game)
    for parallel in ("root", "tree"):
        for how in (Uct(200), Rave(200), Grave(200, reference=10)):
            report = search(position, how, threads=2, parallel=parallel)
            assert (visits(report), report.playouts) == (200, 200)
            assert report.best in position.moves
            played = position
            for name in report.line_names:
                played = played.play(name)


def test_a_shared_tree_finds_the_win() -> None:
    position = Position.parse("connect_four", "......./......./......./o....../o.o..../xxx.o.x x")
    for how in (Uct(3000), Rave(3000), Grave(3000)):
        report = search(position, how, threads=4, parallel="tree")
        assert report.best_name == "4"
        assert report["4"].mean == 1.0
        assert report.line == (report.best,)


def test_reports_of_a_shared_tree_are_of_one_moment() -> None:
    searcher = Searcher(BREAKTHROUGH, Uct(), threads=4, parallel="tree")
    with searcher.ponder():
        reports = [searcher.report()]
        while len({report.playouts for report in reports}) < 5:
            reports.append(searcher.report())
    assert all(visits(report) == report.playouts for report in reports)
    assert visits(searcher.report()) == searcher.report().playouts


@pytest.mark.parametrize(
    ("how", "parallel", "message"),
    [
        (SequentialHalving(), "root", "the rounds of sequential_halving are one plan"),
        (Flat(gamma=0.9), "root", "flat with gamma weighs by order"),
        (MultiScaleRave(), "tree", "has no multi_scale_rave"),
        (Uct(playout=mast()), "tree", "has no mast"),
        (Ucb(), "tree", "needs a tree search"),
        (Uct(), "leaf", "parallel must be one of root, batch, tree, not 'leaf'"),
    ],
    ids=str,
)
def test_what_cannot_be_shared_is_refused(how: Search, parallel: str, message: str) -> None:
    for engine in ("rust", "python"):
        if (engine, parallel) == ("python", "tree"):
            message = "parallel=tree needs threads, which the reference does not have"
        with pytest.raises(ValueError, match=message):
            search(BREAKTHROUGH, how, threads=2, parallel=parallel, engine=engine)


def test_a_users_game() -> None:
    position = Position.start(Nim())
    reports = [
        search(position, Uct(300), threads=2, engine=engine) for engine in ("rust", "python")
    ]
    assert reports[0] == reports[1]
    with pytest.raises(ValueError, match="parallel=tree needs compiled rules"):
        search(position, Uct(300), threads=2, parallel="tree")
    assert isinstance(Searcher(position, Uct(), threads=2)._runner, Summed)


def memory() -> int:
    """Bytes in use by this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def tasks() -> int:
    """Threads of this process, those of the engine included."""
    counts = []
    for _ in range(20):  # one that has ended may still be listed for a moment
        counts.append(len(list(Path("/proc/self/task").iterdir())))
        time.sleep(0.01)
    return min(counts)


def check_nothing_stays(searches: int, run: Callable[[int], object], warm: int) -> None:
    """After so many searches there is less than 1 % more memory, and no thread more."""
    for seed in range(warm):
        run(seed)
    before, threads = memory(), tasks()
    for seed in range(searches):
        run(seed)
    after = memory()
    assert after < 1.01 * before + (1 << 20), f"{before} bytes before, {after} after"
    assert tasks() == threads


def in_a_new_process(check: Callable[..., None], *arguments: object) -> None:
    """Memory that earlier tests have freed would hide what stays: begin with none."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(check, arguments)


def one_search(parallel: Any, seed: int) -> None:
    how = Uct(20, seed=seed, batch=4 if parallel == "batch" else 1)
    searcher = Searcher(BREAKTHROUGH, how, threads=2, parallel=parallel)
    searcher.start().result()


@pytest.mark.parametrize("parallel", ["root", "batch", "tree"])
def test_searches_leave_nothing_behind(parallel: Any) -> None:
    in_a_new_process(check_nothing_stays, 250, partial(one_search, parallel), 50)


@pytest.mark.long
@pytest.mark.parametrize("parallel", ["root", "batch", "tree"])
def test_10000_searches_leave_nothing_behind(parallel: Any) -> None:
    in_a_new_process(check_nothing_stays, 10_000, partial(one_search, parallel), 1000)


KEPT: list[Searcher] = []


def keep_a_search(seed: int) -> None:
    KEPT.append(Searcher(BREAKTHROUGH, Uct(5000, seed=seed), threads=2, parallel="tree"))
    KEPT[-1].run()


def keep_a_thread(seed: int) -> None:
    threading.Thread(target=threading.Event().wait, daemon=True).start()


def test_what_stays_would_be_seen() -> None:
    """The controls: searches that are kept, and a thread that never ends."""
    with pytest.raises(AssertionError, match="bytes before"):
        in_a_new_process(check_nothing_stays, 20, keep_a_search, 1)
    with pytest.raises(AssertionError):
        in_a_new_process(check_nothing_stays, 1, keep_a_thread, 0)
