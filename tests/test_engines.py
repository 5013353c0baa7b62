"""The two engines are one: every search gives the same report in Python and in Rust."""

import dataclasses
import math
import subprocess
import sys

import pytest

import sylve
from searches import EXPLORING, GREEDY, short
from sylve import (
    AmafUct,
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Position,
    Rave,
    Search,
    SequentialHalving,
    Ucb,
    Uct,
    search,
)
from sylve.rules import thompson, tuned
from sylve.search.reference.searches import TreeSearch
from test_check_game import Nim

# Small boards, from positions with few moves: every part of the engines, also ends of games near
# the root.
POSITIONS = [
    ("tic_tac_toe", "a1 b2 c3"),
    ("breakthrough(columns=5, rows=5)", "a2-a3 d4-c3 b2-b3 c5-d4 b1-b2 d4-d3 d2xc3 d3-d2 c1xd2"),
    ("othello(size=4)", "a2 a1 b1 a3"),
    ("othello(size=6)", "e4 c5 b6 f4 f5 c6 d5 f6 b5 c2 c1 a6 a5 d6 e5 b3 b2 a1 e2 b1"),
    ("connect_four", "5474756751157673213173"),
    ("hex(size=4)", "c4 b1 d3 d2 d4 b4 a2 c3"),
    ("hex(size=3, swap=true)", "a1"),
    ("go(size=3, komi=0)", "A1 B2"),
    ("go(size=5)", "E1 C3 D3 D2 E2 B3 D4 A3 A1 A4 A5 B5 B4 D5 D1 B1 C1 C4"),
]
FULL_SIZE = ["breakthrough", "othello", "hex", "go"]
BUDGETS = [(40, 1), (60, 2)]  # playouts, seed; the third and larger one is `large_budget`
LARGE_SEED = 3


def sized(how: Search, playouts: int, seed: int) -> Search:
    """With this budget, and without proofs, which would end it early: see tests/test_proof.py."""
    how = dataclasses.replace(how, playouts=playouts, seed=seed)
    return dataclasses.replace(how, solver=False) if isinstance(how, TreeSearch) else how


def assert_same(position: Position, how: Search, playouts: int, seed: int) -> None:
    how = sized(how, playouts, seed)
    reference = search(position, how, engine="python")
    engine = search(position, how, engine="rust")
    assert (reference.engine, engine.engine) == ("python", "rust")
    assert engine.moves == reference.moves
    assert engine == reference


def large_budget(position: Position, how: Search) -> int:
    """The playouts that visit every root move 20 times and reach depth 3 in a tree."""
    for playouts in (300, 400, 500, 700, 1000, 1500, 2000):
        report = search(position, sized(how, playouts, LARGE_SEED), engine="rust")
        # The playouts of flat_amaf begin at the root itself, at random.
        fewest = min(entry.visits for entry in report.moves)
        enough = fewest >= 20 or isinstance(how, FlatAmaf)
        if enough and (not isinstance(how, TreeSearch) or len(report.line) >= 3):
            return playouts
    raise AssertionError(f"{short(how)} leaves a move with {fewest} visits after 2000 playouts")


BOARDS = pytest.mark.parametrize(
    ("game", "moves"), POSITIONS, ids=lambda text: str(text).split(" ")[0]
)


@pytest.mark.parametrize("how", EXPLORING, ids=short)
@BOARDS
def test_small_boards(game: str, moves: str, how: Search) -> None:
    position = Position.start(game).play_line(moves)
    for playouts, seed in BUDGETS:
        assert_same(position, how, playouts, seed)
    assert_same(position, how, large_budget(position, how), LARGE_SEED)


@pytest.mark.parametrize("how", GREEDY, ids=short)
@BOARDS
def test_searches_that_hardly_explore(game: str, moves: str, how: Search) -> None:
    position = Position.start(game).play_line(moves)
    for playouts, seed in ((40, 1), (60, 2), (400, 3)):
        assert_same(position, how, playouts, seed)


@pytest.mark.parametrize("how", [Ucb(rule=tuned()), Uct(rule=tuned())], ids=short)
def test_tuned_with_many_visits(how: Ucb | Uct) -> None:
    """With few visits UCB1-Tuned takes 1/4 for the variance, whatever was seen."""
    position, playouts = Position.start("tic_tac_toe").play_line("a1a3b1b3"), 3000
    assert_same(position, how, playouts, seed=1)
    best = max(search(position, sized(how, playouts, 1)).moves, key=lambda entry: entry.visits)
    assert best.name == "c1"
    assert best.visits > 1000
    assert best.exploration < 0.9 * how.rule.c * math.sqrt(math.log(playouts) / best.visits / 4)


@pytest.mark.parametrize(
    "how",
    [Flat(), FlatAmaf(), Ucb(), SequentialHalving(), Uct(), AmafUct(), Rave(), Grave(reference=5),
     MultiScaleRave()],
    ids=short,
)  # fmt: skip
@pytest.mark.parametrize("game", FULL_SIZE)
def test_full_size(game: str, how: Search) -> None:
    assert_same(Position.start(game), how, 40, 4)


@pytest.mark.parametrize("how", EXPLORING, ids=short)
def test_a_users_game(how: Search) -> None:
    for playouts, seed in BUDGETS[:2]:
        assert_same(Position.start(Nim()), how, playouts, seed)


class Colliding(Nim):
    """Every position has the same hash: only the check of the moves tells some of them apart."""

    def hash(self, state):
        return 5


@pytest.mark.parametrize("how", [Uct(), Rave(), Grave(reference=4)], ids=short)
def test_collisions_of_hashes(how: Search) -> None:
    assert_same(Position.start(Colliding()), how, 300, 1)


def test_many_visits() -> None:
    """Counters of 16 bits give way to wider ones: every visit is still counted."""
    position = Position.start("tic_tac_toe").play_line("b2a1")
    for how in (Uct(100_000), Rave(100_000), Grave(100_000)):
        report = search(position, how)
        assert sum(entry.visits for entry in report.moves) == 100_000
        for entry in report.moves:
            assert entry.wins + entry.draws <= entry.visits


def test_a_search_goes_on_where_it_stopped() -> None:
    from sylve.search.reports.report import make_moves
    from sylve.search.running.compiled import Compiled
    from sylve.search.running.in_python import Reference

    position = Position.start("connect_four")
    for how in (Uct(300), Grave(300), SequentialHalving(300), Ucb(300, rule=thompson())):
        for engine in (Compiled, Reference):
            at_once, in_parts = engine(position, how), engine(position, how)
            at_once.run(300)
            for part in (1, 99, 200):
                in_parts.run(part)
            found = [make_moves(position, runner.found()) for runner in (in_parts, at_once)]
            assert found[0] == found[1]


APART = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in {forbidden!r}:
            raise ImportError(f"{{name}} is made unimportable")
sys.meta_path.insert(0, Refuse())
import sylve
position = sylve.Position.start("connect_four")
for how in (sylve.Flat(50), sylve.Ucb(50), sylve.Uct(50), sylve.Rave(50), sylve.Grave(50)):
    print(sylve.search(position, how, engine={engine!r}).best_name)
"""


@pytest.mark.parametrize(
    ("engine", "forbidden"),
    [
        ("python", ["sylve._core"]),
        (
            "rust",
            ["sylve.search.running.in_python", "sylve.search.reference.tree",
             "sylve.search.reference.bandits",
             "sylve.search.reference.formulas"],
        ),
    ],
)  # fmt: skip
def test_each_engine_runs_without_the_other(engine: str, forbidden: list[str]) -> None:
    script = APART.format(engine=engine, forbidden=forbidden)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert len(result.stdout.split()) == 5


def test_one_legal_move_is_answered_at_once() -> None:
    position = Position.start("tic_tac_toe").play_line("a1b1c1b2a2c2b3a3")
    report = sylve.search(position, Uct(1000))
    assert (report.best_name, report.playouts, report.stopped) == ("c3", 0, "only move")
