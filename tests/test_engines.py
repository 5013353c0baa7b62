"""The two engines are one: every search gives the same report in Python and in Rust."""

import dataclasses
import subprocess
import sys

import pytest

import sylve
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
    bayes,
    bias,
    course,
    decaying_epsilon,
    decisive,
    discounted,
    epsilon,
    hand,
    mast,
    mse,
    search,
    slides,
    thompson,
    tuned,
    ucb1,
    weighted,
)
from test_check_game import Nim

WEIGHTS = " ".join(f"{code}:{code % 5}" for code in range(100))

SEARCHES: list[Search] = [
    Flat(),
    Flat(gamma=0.9),
    Flat(remainder="drop"),
    FlatAmaf(),
    *(
        Ucb(rule=rule)
        for rule in (
            ucb1(),
            tuned(),
            tuned(simple=True),
            bayes(2, 3),
            epsilon(0.2),
            decaying_epsilon(),
            thompson(),
            discounted(0.95),
        )
    ),
    SequentialHalving(),
    *(Uct(rule=rule) for rule in (ucb1(1.4), tuned(), tuned(simple=True), bayes())),
    Uct(transpositions=False),
    *(AmafUct(update=update) for update in ("course", "suffix")),
    *(Rave(schedule=s, c=0.3) for s in (hand(100), bias(), slides(), course(), mse())),
    *(Rave(schedule=s, update="suffix") for s in (slides(), mse())),
    *(
        MultiScaleRave(by=by, update=update, c=0.2)
        for by in ("distance", "kind")
        for update in ("course", "suffix")
    ),
    MultiScaleRave(bands="1 3 6"),
    *(Grave(reference=reference, c=0.2) for reference in (0, 10, 50)),
    Grave(update="suffix", schedule=hand(50)),
    *(
        search
        for policy in (decisive(), mast(), weighted(WEIGHTS))
        for search in (Uct(playout=policy), Rave(playout=policy), FlatAmaf(playout=policy))
    ),
    Ucb(playout=mast()),
    Grave(playout=mast(), update="suffix"),
]

# Small boards from a few moves in: every part of the engines, also ends of games near the root.
POSITIONS = [
    ("tic_tac_toe", "b2"),
    ("breakthrough(columns=5, rows=5)", "b2-b3 c4xb3"),
    ("othello(size=4)", ""),
    ("othello(size=6)", "c2"),
    ("connect_four", "4453"),
    ("hex(size=4)", "b2"),
    ("hex(size=4, swap=true)", "b2"),
    ("go(size=3, komi=0)", "B2"),
    ("go(size=5)", "C3 C2"),
]
FULL_SIZE = ["breakthrough", "othello", "hex", "go"]
BUDGETS = [(40, 1), (60, 2), (500, 3)]  # playouts, seed


def short(how: Search) -> str:
    return str(how).replace(WEIGHTS, "...")


def assert_same(position: Position, how: Search, playouts: int, seed: int) -> None:
    how = dataclasses.replace(how, playouts=playouts, seed=seed)
    reference = search(position, how, engine="python")
    engine = search(position, how, engine="rust")
    assert (reference.engine, engine.engine) == ("python", "rust")
    assert engine.moves == reference.moves
    assert engine == reference


@pytest.mark.parametrize("how", SEARCHES, ids=short)
@pytest.mark.parametrize(("game", "moves"), POSITIONS, ids=lambda text: str(text).split(" ")[0])
def test_small_boards(game: str, moves: str, how: Search) -> None:
    position = Position.start(game).play_line(moves)
    for playouts, seed in BUDGETS:
        assert_same(position, how, playouts, seed)


@pytest.mark.parametrize(
    "how",
    [Flat(), FlatAmaf(), Ucb(), SequentialHalving(), Uct(), AmafUct(), Rave(), Grave(reference=5),
     MultiScaleRave()],
    ids=short,
)  # fmt: skip
@pytest.mark.parametrize("game", FULL_SIZE)
def test_full_size(game: str, how: Search) -> None:
    assert_same(Position.start(game), how, 40, 4)


@pytest.mark.parametrize("how", SEARCHES, ids=short)
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
    from sylve.search.compiled import Compiled
    from sylve.search.reference import Reference

    position = Position.start("connect_four")
    for how in (Uct(300), Grave(300), SequentialHalving(300), Ucb(300, rule=thompson())):
        for engine in (Compiled, Reference):
            at_once, in_parts = engine(position, how), engine(position, how)
            at_once.run(300)
            for part in (1, 99, 200):
                in_parts.run(part)
            assert in_parts.moves() == at_once.moves()


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
            ["sylve.search.reference", "sylve.search.tree", "sylve.search.root",
             "sylve.search.formulas"],
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
