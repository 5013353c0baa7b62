"""Traces as data, steps forwards and back, and what is refused."""

import json
import re

import pytest

import sylve
from searches import short
from sylve import (
    AlphaBeta,
    Flat,
    Position,
    Search,
    Searcher,
    Uct,
    trace,
)
from sylve.search.tracing import Tracer
from test_engines import POSITIONS
from trace_cases import MORE, position_of, sized


@pytest.mark.parametrize("how", MORE, ids=short)
def test_as_json_and_back(how: Search) -> None:
    """The text of a trace says what is needed to make it again."""
    position = Position.start("tic_tac_toe").play_line("a1 b2 c3")
    traced = trace(position, sized(how, seed=1), simulation=20)
    text = json.dumps(traced.to_dict(), allow_nan=False)
    read = json.loads(text)
    assert read["schema"] == 1
    again = trace(
        Position.parse(read["game"], read["position"]),
        read["search"],
        simulation=read["simulation"],
    )
    assert json.dumps(again.to_dict()) == text


@pytest.mark.parametrize("how", MORE, ids=short)
def test_steps_forwards_and_back(how: Search) -> None:
    """Each is what a trace of its own is, from either engine: a step back is the trace of k - 1."""
    position, how = position_of(*POSITIONS[1]), sized(how, seed=3)
    alone = {k: trace(position, how, simulation=k) for k in (1, 2, 40, 41, 42)}
    for engine, order in (("rust", (40, 41, 42, 41, 40, 1, 2)), ("python", (41, 42, 1))):
        tracer = Tracer(position, how, engine=engine)
        for simulation in order:
            assert tracer.trace(simulation) == alone[simulation]


def test_a_refused_step_changes_nothing() -> None:
    tracer = Tracer("hex(size=4)", Uct(50, seed=1))
    assert tracer.trace(50).simulation == 50
    with pytest.raises(ValueError, match="beyond the last, 50"):
        tracer.trace(51)
    assert tracer.trace(49) == trace("hex(size=4)", Uct(50, seed=1), simulation=49)


# A run of one leaves out what does not divide evenly: with remainder="drop" that is all of it.
STEPPING = [how for how in MORE if how != Flat(remainder="drop")]


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("how", STEPPING, ids=short)
def test_a_step_is_a_run_of_one(how: Search, engine: str) -> None:
    position = Position.start("connect_four").play_line("5474756751157673213173")
    stepped, ran = (Searcher(position, sized(how, seed=2), engine=engine) for _ in range(2))
    for searcher in (stepped, ran):
        searcher.run(10)
    for number in (11, 12):
        assert stepped.step().simulation == number
        ran.run(1)
        assert stepped.report() == ran.report()
        assert stepped.digest() == ran.digest()


def test_a_step_after_a_move() -> None:
    searcher = Searcher("connect_four", Uct(seed=3, transpositions=False))
    searcher.run(200)
    searcher.advance("4")
    assert searcher.step().simulation == 201
    assert searcher.report().playouts == 201


OVER = Position.start("tic_tac_toe").play_line("a1 a2 b1 b2 c1")
ONE_LEFT = Position.start("tic_tac_toe").play_line("a1b1c1b2a2c2b3a3")
WON = Position.start("tic_tac_toe").play_line("a1 a2 b1 b2")


@pytest.mark.parametrize(
    ("position", "how", "simulation", "words"),
    [
        ("hex", Uct(), 0, "simulation must be a whole number of at least 1, not 0"),
        ("hex", Uct(), -3, "at least 1, not -3"),
        ("hex", Uct(), 1.5, "at least 1, not 1.5"),
        ("hex", Uct(), True, "at least 1, not True"),
        ("hex", Uct(100), 101, "simulation 101 is beyond the last, 100"),
        ("tic_tac_toe", Flat(100, remainder="drop"), 100, "beyond the last, 99"),
        ("hex", Uct(nodes=5), 500, "no simulation 500: the tree has 5 nodes"),
        ("hex", "utc", 1, "unknown search"),
        ("hex", AlphaBeta(3), 1, "alpha_beta makes no simulations"),
        (OVER, Uct(), 1, "the game is over"),
        (ONE_LEFT, Uct(), 1, "c3 is the only legal move"),
        (WON, Uct(), 900, "no simulation 900: the result is proven after"),
    ],
    ids=lambda value: str(value)[:40].replace("\n", " "),
)
def test_bad_input(position, how, simulation, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        trace(position, how, simulation=simulation)


def test_bad_steps() -> None:
    for searcher, words in (
        (Searcher("hex", Uct(), threads=2), "on one thread"),
        (Searcher("hex", Uct(), memory="1MB"), "without a bound"),
        (Searcher("hex(size=4)", Uct(solver_nodes=10)), 'needs engine="python"'),
        (Searcher(ONE_LEFT, Uct()), "only legal move"),
    ):
        with pytest.raises(ValueError, match=words):
            searcher.step()
    won = Searcher(WON, Uct())
    won.run()
    with pytest.raises(ValueError, match="proven"):
        won.step()


def test_the_top_has_at_most_forty_names() -> None:
    assert "trace" in sylve.__all__
    assert len(sylve.__all__) <= 40
