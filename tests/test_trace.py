"""One simulation, watched: the trace is what the engine does, and its formulas are its numbers."""

import math
import random
import re
from itertools import pairwise

import pytest

from searches import short
from sylve import (
    Flat,
    Grave,
    Outcome,
    Position,
    Search,
    Ucb,
    load_game,
    trace,
)
from sylve.game import code
from sylve.games import GAMES
from sylve.policies import mast
from sylve.rules import decaying_epsilon, discounted, epsilon, thompson
from sylve.search.reference.bandits import Root
from sylve.search.reference.node import Node
from sylve.search.reference.searches import TreeSearch
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.reference.tree import Tree, decided
from sylve.search.reports.trace import Choice, Trace
from sylve.search.running.engines import make_runner
from sylve.search.running.in_python import Reference
from sylve.search.text import SEARCHES
from test_engines import POSITIONS
from trace_cases import LONGEST, MORE, OWN, position_of, sized

EVERY_GAME = [*POSITIONS, *((name, "") for name in OWN)]


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
                assert (entry.visits, entry.wins, entry.draws) == tuple(found.own[index][:3])
                if found.amaf is not None:
                    amaf = (entry.amaf_visits, entry.amaf_wins, entry.amaf_draws)
                    assert amaf == tuple(found.amaf[index][:3])
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
        if change.kind == "implicit":
            node = nodes[change.node]
            index = node.moves.index(change.move)
            assert (node.implicit[index] / UNIT,) == change.before
            node.implicit[index] = int(change.after[0] * UNIT)
            continue
        tally = find_tally(run, nodes, change)
        assert tally.counts == change.before
        tally.visits, tally.wins, tally.draws, tally.parts = change.after
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
