"""One simulation, watched: the trace is what the engine does, and its formulas are its numbers."""

import dataclasses
import json
import math
import random
import re
from itertools import pairwise

import pytest

import sylve
from searches import EXPLORING, C, short
from sylve import (
    AlphaBeta,
    Flat,
    Grave,
    MultiScaleRave,
    Outcome,
    Position,
    Rave,
    Search,
    Searcher,
    Ucb,
    Uct,
    load_game,
    trace,
)
from sylve.game import code
from sylve.games import GAMES
from sylve.policies import mast
from sylve.rules import bayes, decaying_epsilon, discounted, epsilon, thompson
from sylve.search.reference.bandits import Root
from sylve.search.reference.searches import TreeSearch
from sylve.search.reference.tally import Tally
from sylve.search.reference.tree import Node, Tree, decided
from sylve.search.reports.trace import Choice, Trace
from sylve.search.running.engines import make_runner
from sylve.search.running.in_python import Reference
from sylve.search.text import SEARCHES
from sylve.search.tracing import Tracer
from test_check_game import Nim
from test_engines import POSITIONS
from turns import DotsAndBoxes

MORE: list[
    Search
] = [  # what test_engines leaves to other files: proofs, batches, no transpositions
    *EXPLORING,
    Uct(),
    Rave(),
    Grave(reference=5),
    Uct(batch=8),
    Rave(batch=5, c=C),
    Grave(batch=4, reference=3, playout=mast()),
    Rave(transpositions=False),
    MultiScaleRave(batch=3),
    Ucb(rule=bayes()),
]
LONGEST = 300  # simulations; the budget, which the rounds of sequential halving divide


def sized(how: Search, seed: int) -> Search:
    return dataclasses.replace(how, playouts=LONGEST, seed=seed)


OWN = {"nim": Nim(), "dots_and_boxes": DotsAndBoxes(2, 1)}
"""Games in Python, which trace in the reference; in the second a player may move twice."""
EVERY_GAME = [*POSITIONS, *((name, "") for name in OWN)]


def position_of(game: str, moves: str) -> Position:
    return Position.start(OWN.get(game, game)).play_line(moves)


def run_to(position: Position, how: Search, simulations: int):
    """The compiled engine after so many simulations, also of a game in Python."""
    runner = make_runner(position, how, "rust")
    runner.run(simulations)
    return runner


def how_many(position: Position, how: Search) -> int:
    """The simulations that the search makes: fewer than it may if the result is proven."""
    made = run_to(position, how, LONGEST).simulations
    if isinstance(how, Flat) and how.remainder == "drop":
        made -= made % len(position.moves)
    return made


def check(position: Position, how: Search, simulation: int) -> None:
    """The trace of one simulation against the engine before and after it."""
    traced = trace(position, how, simulation=simulation)
    assert (traced.simulation, traced.position) == (simulation, position)
    before = run_to(position, how, simulation - 1)
    check_descent(traced, before)
    check_playout(traced)
    check_changes(traced, before, run_to(position, how, simulation))


def check_descent(traced: Trace, before) -> None:
    """Every node shows what the engine knows there, and the choice is what its scores say."""
    how, path, new = traced.search, (), False
    for choice in traced.descent:
        new = new or choice.new  # below a new node, a known one is reached by a new way
        if choice.new:
            assert choice.visits == 0
        elif not new and (not isinstance(how, TreeSearch) or how.batch == 1):
            found = before.look(path)
            assert choice.visits == found.simulations
            for index, entry in enumerate(choice.moves):
                assert (entry.visits, entry.wins, entry.draws) == tuple(found.own[index])
                if found.amaf is not None:
                    amaf = (entry.amaf_visits, entry.amaf_wins, entry.amaf_draws)
                    assert amaf == tuple(found.amaf[index])
                value, exploration, beta = found.parts[index]
                assert entry.beta == beta
                if math.isfinite(exploration):
                    assert entry.exploration == exploration
                if not (isinstance(how, Ucb) and isinstance(how.rule, thompson)):
                    open_score = math.isfinite(value + exploration) and entry.score is not None
                    assert not open_score or entry.score == value + exploration
        check_choice(traced, choice)
        path += (choice.chosen,)


def goes_by_scores(how: Search) -> bool:
    if isinstance(how, Ucb):
        return not isinstance(how.rule, epsilon | decaying_epsilon)
    return isinstance(how, TreeSearch)


def check_choice(traced: Trace, choice: Choice) -> None:
    """The first of the highest scores; untried moves before all, lost ones never."""
    assert choice.why
    if goes_by_scores(traced.search):

        def score(entry):
            lost = -math.inf if entry.proven == "loss" else math.inf
            return lost if entry.score is None else entry.score

        assert choice.chosen == max(choice.moves, key=score).move
        assert choice.ordered[0].move == choice.chosen


def check_playout(traced: Trace) -> None:
    """The moves lead from the leaf to the outcome, and their codes are those of the rules."""
    game, state = traced.leaf.game, traced.leaf.state
    for ply in traced.playout:
        position = Position(game, state)
        assert (ply.player, ply.name) == (position.turn, position.name(ply.move))
        assert ply.code == code(game, state, ply.move)
        state = game.play(state, ply.move)
    if traced.ended == "playout" and game.outcome(state) is not None:
        assert game.outcome(state) == traced.outcome
    assert (traced.ended == "playout") == bool(traced.playout)


def check_changes(traced: Trace, before, after) -> None:
    """What was there before, with the changes made to it by hand, is what the engine has after."""
    reference = Reference(traced.position, traced.search)
    reference.load(before.save())
    run = reference.algorithm
    nodes = list(passed(run, traced)) if isinstance(run, Tree) else [run.root]
    for change in traced.changes:
        if change.kind == "weighted":
            index = run.root.moves.index(change.move)
            assert (run.weights[index], run.sums[index]) == change.before
            run.weights[index], run.sums[index] = change.after
            continue
        tally = find_tally(run, nodes, change)
        assert (tally.visits, tally.wins, tally.draws) == change.before
        tally.visits, tally.wins, tally.draws = change.after
        if change.kind == "direct":
            nodes[change.node].visits += change.after[0] - change.before[0]
    for proof in traced.proofs:
        node = nodes[proof.node]
        points = ("loss", "draw", "win").index(proof.proven)
        winner = {2: node.player, 1: None, 0: node.player.other}[points]
        node.proofs[node.moves.index(proof.move)] = Outcome(winner)
        node.proof = decided(node)
    run.simulations += 1
    assert run.simulations == after.simulations
    if isinstance(run, Tree):
        assert run.node_count == after.nodes
        assert run.digest() == after.digest()
    else:
        assert reference.found().tallies == after.found().tallies
        check_weights(traced, after)
    if isinstance(traced.search.playout, mast):
        again = Reference(traced.position, traced.search)
        again.load(after.save())
        assert run.mast == again.algorithm.mast


def check_weights(traced: Trace, after) -> None:
    """Weighted tallies, after: those that the engine saves."""
    again = Reference(traced.position, traced.search)
    again.load(after.save())
    weighted = [change for change in traced.changes if change.kind == "weighted"]
    for change in weighted:
        index = traced.position.moves.index(change.move)
        assert change.after == (again.algorithm.weights[index], again.algorithm.sums[index])
    rule = getattr(traced.search, "rule", None)
    if isinstance(rule, discounted) or getattr(traced.search, "gamma", 1.0) != 1.0:
        assert weighted


def passed(tree: Tree, traced: Trace):
    """The nodes of the descent, in a tree that has not made it."""
    node, key, state = tree.root, tree.root_key, tree.state
    for depth, choice in enumerate(traced.descent):
        if depth:
            moves = tree.game.moves(state)
            found, key = tree.find(key, moves)
            assert choice.new == (found is None)
            node = found or tree.nodes.setdefault(key, Node(tree.game, state, moves, tree.bands))
        yield node
        state = tree.game.play(state, choice.chosen)
        key = tree.key_after(key, choice.chosen, state)


def find_tally(run: Tree | Root, nodes: list[Node], change) -> Tally:
    if change.kind == "mast":
        return run.mast.setdefault(change.code, Tally())
    node = nodes[change.node]
    if change.kind == "code":
        if node.table is None:
            node.table = {}
        return node.table.setdefault(change.code, Tally())
    index = node.moves.index(change.move)
    return node.amaf[index][change.band] if change.kind == "amaf" else node.tallies[index]


def check_some(how: Search, count: int) -> None:
    """So many simulations of each position, at random but always the same."""
    for game, moves in EVERY_GAME:
        position = position_of(game, moves)
        rng = random.Random(f"{game} {how}")
        sought = sized(how, seed=rng.randrange(100))
        made = how_many(position, sought)
        for simulation in rng.choices(range(1, made + 1), k=count):
            check(position, sought, simulation)


def test_every_search_and_every_game_is_in_the_table() -> None:
    assert {type(how) for how in MORE} == set(SEARCHES.values())
    assert {load_game(game).name for game, _ in POSITIONS} == set(GAMES)
    position = position_of("dots_and_boxes", "")
    turns = [position.turn]
    while position.outcome is None:
        position = position.play(position.moves[0])
        turns.append(position.turn)
    assert any(before == after for before, after in pairwise(turns))


@pytest.mark.parametrize("how", MORE, ids=short)
def test_a_trace_is_what_the_engine_does(how: Search) -> None:
    check_some(how, count=1)


@pytest.mark.long
@pytest.mark.parametrize("how", MORE, ids=short)
def test_fifty_traces_are_what_the_engine_does(how: Search) -> None:
    check_some(how, count=50)


def test_a_table_that_a_waiting_descent_makes_earlier() -> None:
    """In a batch, a descent counts as a visit while those before it are counted (`grave`)."""
    how = sized(Grave(batch=4, reference=3, playout=mast()), seed=46)
    check(position_of("dots_and_boxes", ""), how, 282)


def evaluate(text: str) -> float:
    """A formula as it is written: `0.64 + 0.4 sqrt(ln 10 / 5)`."""
    text = re.sub(r"ln ([\d.e+-]+)", r"ln(\1)", text)
    text = re.sub(r"(?<=\d) (?=sqrt|ln)", " * ", text)
    assert re.fullmatch(r"(?:[\d.,()+*/e -]|sqrt|ln|min)*", text), text
    known = {"sqrt": math.sqrt, "ln": math.log, "min": min, "__builtins__": {}}
    return float(eval(text, known))


def check_formulas(traced: Trace) -> int:
    """Every formula gives the number after it, which is the one reported; how many there are."""
    checked = 0
    for choice in traced.descent:
        for entry in choice.moves:
            for text, value in ((entry.formula, entry.score), (entry.beta_formula, entry.beta)):
                if text is None or "Beta" in text:
                    continue
                if "=" not in text:
                    assert text in ("not tried yet", "proven to lose: not tried again") or (
                        float(text) == pytest.approx(value, rel=1e-3)
                    )
                    continue
                left, right = text.split(" = ")
                assert float(right) == pytest.approx(value, rel=1e-3, abs=1e-9), text
                assert evaluate(left) == pytest.approx(value, rel=2e-3, abs=2e-4), text
                checked += 1
    return checked


@pytest.mark.parametrize("how", MORE, ids=short)
def test_formulas_give_the_scores(how: Search) -> None:
    for game, moves in POSITIONS:
        position = Position.start(game).play_line(moves)
        sought = sized(how, seed=1)
        made = how_many(position, sought)
        traces = [trace(position, sought, simulation=1 + made * part // 4) for part in (1, 2, 3)]
        drawn = isinstance(how, Ucb) and isinstance(how.rule, thompson)
        assert sum(map(check_formulas, traces)) > 0 or drawn


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
