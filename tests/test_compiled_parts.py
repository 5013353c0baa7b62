"""Rules, schedules and policies by `sylve.compiled`: machine code beside plain Python, faults."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

import sylve
from commands import call
from compiled_games import Domineering
from compiled_parts import (
    DIVIDE,
    INF,
    LARGE,
    NAN,
    NEGATIVE,
    RAISE,
    Below,
    Errors,
    Even,
    Mast,
    PlantedChoice,
    PlantedPolicy,
    PlantedRule,
    PlantedSchedule,
    Slides,
    Softer,
    Tuned,
    Ucb1,
    Uniform,
)
from sylve import (
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Rave,
    Search,
    Searcher,
    SequentialHalving,
    Ucb,
    Uct,
    search,
    trace,
)
from sylve.native import arithmetic_code, machine_code, part
from sylve.policies import Policy, mast, uniform
from sylve.rules import Index, ln_of, tuned
from sylve.schedules import slides

OWN = Path(__file__).parent.parent / "examples" / "own"
DOTS = f'"{OWN / "dots.py"}":Dots(2, 1)'
GAMES = {"ours": "breakthrough(columns=3, rows=5)", "compiled": Domineering(4), "python": DOTS}

SEARCHES: dict[str, Search] = {
    "uct": Uct(rule=Ucb1()),
    "uct tuned": Uct(rule=Tuned()),
    "uct below": Uct(rule=Below()),
    "uct paths": Uct(rule=Ucb1(), transpositions=False, solver=False),
    "ucb": Ucb(rule=Ucb1()),
    "ucb choice": Ucb(rule=Softer()),
    "rave": Rave(schedule=Slides()),
    "rave explores": Rave(schedule=Errors(), c=0.3),
    "grave": Grave(schedule=Slides(), reference=10),
    "grave explores": Grave(schedule=Errors(), reference=5, c=0.3),
    "uct batch": Uct(rule=Ucb1(), batch=8),
    "rave batch": Rave(schedule=Errors(), batch=8),
    "grave batch": Grave(schedule=Slides(), reference=5, batch=8),
    **{
        f"{how.name()} policy": replace(how, playout=policy)
        for how, policy in (
            (Uct(), Uniform()),
            (Uct(), Mast()),
            (Rave(), Even()),
            (Grave(), Even()),
            (MultiScaleRave(), Mast()),
            (Flat(), Mast()),
            (FlatAmaf(), Mast()),
            (SequentialHalving(), Uniform()),
        )
    },
    "all": Rave(schedule=Slides(), playout=Mast(), batch=4),
}


ENGINES: tuple[Literal["rust", "python"], ...] = ("rust", "python")


def both(game: Any, how: Search, **more: Any) -> tuple[sylve.Report, sylve.Report]:
    """The same search in both engines."""
    rust, python = (search(game, how, engine=engine, **more) for engine in ("auto", "python"))
    assert (rust.engine, python.engine) == ("rust", "python")
    return rust, python


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("game", GAMES)
def test_every_search(name: str, game: str) -> None:
    rust, python = both(GAMES[game], replace(SEARCHES[name], playouts=80, seed=3))
    assert rust == python
    assert rust.engine_reason == ""


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("game", ["compiled", "python"])
def test_two_threads_by_root(name: str, game: str) -> None:
    how = replace(SEARCHES[name], playouts=60, seed=3)
    if not isinstance(how, SequentialHalving):
        rust, python = both(GAMES[game], how, threads=2)
        assert rust == python


@pytest.mark.parametrize("name", [name for name in SEARCHES if "batch" in name])
@pytest.mark.parametrize("game", ["ours", "compiled"])
def test_threads_in_batches(name: str, game: str) -> None:
    how = replace(SEARCHES[name], playouts=60, seed=3)
    rust, python = both(GAMES[game], how, threads=2, parallel="batch")
    assert rust == python


@pytest.mark.parametrize("how", [Uct(rule=Below()), Rave(schedule=Errors()), Uct(playout=Even())])
@pytest.mark.parametrize("game", ["ours", "compiled"])
def test_threads_in_one_tree(how: Search, game: str) -> None:
    how = replace(how, playouts=3000, solver=False)  # type: ignore[call-arg]
    report = search(GAMES[game], how, threads=2, parallel="tree")
    assert sum(entry.visits for entry in report.moves) == 3000


def test_what_learns_is_not_shared() -> None:
    with pytest.raises(ValueError, match=r"parallel=tree has no policy that learns, .*=root, or"):
        search("tic_tac_toe", Uct(100, playout=Mast()), threads=2, parallel="tree")


PAIRS: list[tuple[Search, Search]] = [
    (Uct(rule=Ucb1()), Uct()),
    (Uct(rule=Tuned()), Uct(rule=tuned())),
    (Rave(schedule=Slides()), Rave(schedule=slides())),
    (Rave(schedule=Slides(), c=0.2), Rave(schedule=slides(), c=0.2)),
    (Grave(schedule=Slides()), Grave(schedule=slides())),
    (Uct(playout=Mast()), Uct(playout=mast())),
    (Ucb(rule=Ucb1()), Ucb()),
]


@pytest.mark.parametrize(("own", "ours"), PAIRS, ids=lambda how: str(how.name()))
def test_beside_ours(own: Search, ours: Search) -> None:
    reports = [search("breakthrough", replace(how, playouts=5000)) for how in (own, ours)]
    assert reports[0].moves == reports[1].moves


@pytest.mark.parametrize("rule", [Below(), Below(0.2), Below(2, 1e300), Below(-1, 1e-300)], ids=str)
def test_scores_of_any_size(rule: Index) -> None:
    rust, python = both("breakthrough", Uct(400, rule=rule, solver=False, seed=2))
    assert rust == python


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize(
    "how",
    [
        "rave(100, schedule=compiled_parts:Errors, playout=compiled_parts:Mast, seed=1)",
        "ucb(100, rule=compiled_parts:Softer(0.2), seed=1)",
    ],
)
def test_it_goes_on_with_all_that_it_knows(how: str, tmp_path: Path) -> None:
    saved = {}
    for engine in ENGINES:
        searcher = Searcher(GAMES["ours"], how, engine=engine)
        searcher.run(60)
        searcher.save(tmp_path / engine)
        saved[engine] = searcher._runner.save()
    assert saved["rust"] == saved["python"]
    whole = search(GAMES["ours"], how)
    assert whole.engine == "rust"
    for engine in ENGINES:
        assert Searcher.load(tmp_path / engine).run(40) == whole


@pytest.mark.parametrize("name", ["uct", "rave explores", "grave", "uct policy", "ucb choice"])
def test_advance_and_look(name: str) -> None:
    how = replace(SEARCHES[name], playouts=100, seed=5)
    found = []
    for engine in ENGINES:
        searcher = Searcher(GAMES["compiled"], how, engine=engine)
        first = searcher.run(50)
        path = (first.best,) if name != "ucb choice" else ()
        look = searcher._runner.look(path)
        assert look is not None
        inside = (look.own, look.amaf, look.parts, look.order)
        searcher.advance(first.best)
        found.append((inside, searcher.run(50)))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["uct", "rave", "uct policy", "ucb choice"])
def test_trace(name: str) -> None:
    how = replace(SEARCHES[name], playouts=100, seed=5)
    seen = [trace(GAMES["ours"], how, simulation=40, engine=e) for e in ("auto", "python")]
    assert seen[0] == seen[1]


# Python does not need the decorator.


class Undecorated(Policy):
    def pick(self, moves: Any, codes: Any, tallies: Any, rng: Any) -> int:
        return Mast().pick(moves, codes, tallies, rng)


def test_pick_without_the_decorator() -> None:
    report = search("tic_tac_toe", Uct(60, playout=Undecorated()))
    assert report.engine == "python"
    assert report.moves == search("tic_tac_toe", Uct(60, playout=mast())).moves
    assert search("tic_tac_toe", Uct(60, playout=Uniform())).moves == (
        search("tic_tac_toe", Uct(60, playout=uniform())).moves
    )


# What a part may not answer.

FAULTS: dict[str, tuple[Search, str]] = {
    **{
        f"exploration {fault}": (Uct(rule=PlantedRule(fault)), told)
        for fault, told in (
            (RAISE, "planted"),
            (NAN, r"exploration\(\) must be a finite number, not nan"),
            (INF, r"exploration\(\) must be a finite number, not inf"),
            (DIVIDE, "division by zero"),
        )
    },
    "exploration at the root": (Ucb(rule=PlantedRule(NAN)), "must be a finite number, not nan"),
    **{
        f"{how.name()} beta {fault}": (how(schedule=PlantedSchedule(fault)), told)
        for how in (Rave, Grave)
        for fault, told in (
            (RAISE, "planted"),
            (NAN, r"beta\(\) must be a number from 0 to 1, not nan"),
            (LARGE, r"beta\(\) must be a number from 0 to 1, not 1\.5"),
            (NEGATIVE, r"beta\(\) must be a number from 0 to 1, not -0\.5"),
        )
    },
    **{
        f"choose {fault}": (Ucb(rule=PlantedChoice(fault)), told)
        for fault, told in (
            (RAISE, "planted"),
            (LARGE, r"choose\(\) must give the place of a move, from 0 to \d+, not"),
            (NEGATIVE, r"choose\(\) must give the place of a move, from 0 to \d+, not -1"),
        )
    },
    **{
        f"pick {fault}": (Uct(playout=PlantedPolicy(fault)), told)
        for fault, told in (
            (RAISE, "planted"),
            (LARGE, r"pick\(\) must give the place of a move, from 0 to \d+, not"),
            (NEGATIVE, r"pick\(\) must give the place of a move, from 0 to \d+, not -1"),
        )
    },
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("game", GAMES)
def test_wrong_answers_are_named(name: str, game: str) -> None:
    how, told = FAULTS[name]
    how = replace(how, playouts=100, seed=1)
    errors = []
    for engine in ENGINES:
        with pytest.raises((ValueError, ArithmeticError), match=told) as caught:
            search(GAMES[game], how, engine=engine)
        errors.append((type(caught.value), str(caught.value)))
    assert errors[0] == errors[1]
    if game != "python":
        with pytest.raises(errors[0][0]):
            search(GAMES[game], how, threads=2)


def test_a_part_that_has_failed_can_be_used_again() -> None:
    how = Uct(50, rule=PlantedRule(NAN, after=40), seed=1)
    good = search("tic_tac_toe", replace(how, playouts=20))
    failing = Searcher("tic_tac_toe", how)
    for _ in range(2):
        with pytest.raises(ValueError, match="not nan"):
            failing.run()
    assert search("tic_tac_toe", replace(how, playouts=20)) == good
    with pytest.raises(ValueError, match="not nan"):
        failing.report()


def test_it_can_differ_from_plain_python() -> None:
    @sylve.compiled
    class Wide(Index):
        def exploration(self, total, own):  # type: ignore[no-untyped-def]
            return 1.0 / (own.visits << 62 >> 62)  # 64 bits when compiled, all of them in Python

    with pytest.raises(ValueError, match=r"the compiled exploration\(\) fails .* plain Python"):
        search("tic_tac_toe", Uct(100, rule=Wide()))


# Names, other processes, files.


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder of the parts."""
    monkeypatch.chdir(Path(__file__).parent)
    before = list(sys.path)
    yield
    sys.path[:] = before


@pytest.mark.usefixtures("named")
def test_on_the_command_line() -> None:
    for how in ("uct(40, rule=compiled_parts:Ucb1(0.3))", "uct(40, playout=compiled_parts:Mast)"):
        printed = call("analyze", "tic_tac_toe", "--how", how, "--engine", "rust")
        assert printed.code == 0, printed
        assert "your own" not in printed.out
    printed = call("match", "uct(20, rule=compiled_parts:Ucb1)", "uct(20)", "--games", "2",
                   "--game", "tic_tac_toe")  # fmt: skip
    assert printed.code == 0, printed


def test_the_fingerprint_has_no_addresses() -> None:
    """`ln_of` remembers what it has computed: such a function shows its address."""
    method = Ucb1.machine_source.methods["exploration"]
    assert " at 0x" not in repr(list(machine_code._written(method, set())))


def test_the_logarithm() -> None:
    import numba

    compiled = arithmetic_code.substitutes(numba)[id(ln_of)]
    size = arithmetic_code.TABLE_SIZE
    for count in (*range(1, 50), *range(size - 20, size + 3000), 1 << 20, (1 << 32) - 1):
        assert compiled(count) == ln_of(count)


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    how = Rave(50, schedule=Slides(), playout=Mast(), seed=1)
    expected = search("tic_tac_toe", how)
    monkeypatch.setattr(part, "missing", lambda *_: "it needs numba: pip install 'sylve[numba]'")
    part.without_numba.cache_clear()
    try:
        with pytest.warns(UserWarning, match=r"pip install 'sylve\[numba\]'; until then it runs"):
            report = search("tic_tac_toe", how)
        assert report == expected
        assert report.engine_reason.endswith(
            "your own, and it needs numba: pip install 'sylve[numba]'"
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # it is said once
            search("tic_tac_toe", how)
        with pytest.raises(ValueError, match="it needs numba"):
            search("tic_tac_toe", how, engine="rust")
    finally:
        part.without_numba.cache_clear()
