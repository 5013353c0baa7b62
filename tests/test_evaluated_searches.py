"""An evaluation in the searches: cut playouts, implicit minimax, priors; in both engines."""

from __future__ import annotations

import dataclasses
import itertools
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from searches import GUIDED, GUIDED_ROOTS, GUIDED_TREES, WEIGHTS, short
from sylve import (
    Flat,
    Grave,
    Outcome,
    Player,
    Position,
    Rave,
    Rng,
    Search,
    Searcher,
    Ucb,
    Uct,
    parse_search,
    search,
    trace,
)
from sylve.evaluations import EVALUATIONS, SCALES, evaluate, scale_of, value
from sylve.game import FullGame
from sylve.games.breakthrough import Breakthrough
from sylve.policies import Policy, cut, decisive, mast, uniform, weighted
from sylve.priors import Prior, heuristic, preferred
from sylve.rules import Tally, ucb1
from sylve.search.reference.cut import play_out
from sylve.search.reference.evaluated import EvaluatedFormula
from sylve.search.reference.formulas import formula_of
from sylve.search.reference.node import Node
from sylve.search.reference.priors import virtual
from sylve.search.reference.results import Estimated, units_of
from sylve.search.reference.searches import MultiScaleRave, TreeSearch
from sylve.search.reference.tally import UNIT
from sylve.search.reference.tree import Tree
from sylve.search.running.engines import make_runner
from test_check_game import Nim
from test_engines import POSITIONS, sized
from turns import DotsAndBoxes

ENGINES = ("python", "rust")
BREAKTHROUGH = Position.start("breakthrough(columns=5, rows=5)")


class Judged(Nim):
    """A game of a user's own, with an evaluation."""

    def evaluate(self, state: Any) -> int:
        return 1500 if state[0] % 4 else -1500


class JudgedDots(DotsAndBoxes):
    """A player may move twice: the value of a move is not always that of the opponent."""

    def evaluate(self, state: Any) -> int:
        return 100 * (hash(state) % 41) - 2000


PLACES = [
    *(Position.start(game).play_line(moves) for game, moves in POSITIONS),
    Position.start(Judged()),
    Position.start(JudgedDots(2, 1)),
]
places = pytest.mark.parametrize("position", PLACES, ids=lambda place: repr(place)[:40])


def tree_of(how: TreeSearch, position: Position, simulations: int) -> Tree:
    tree = Tree(position, dataclasses.replace(how, seed=5))
    tree.run(simulations)
    tree.settle()
    return tree


# Results that are real numbers.


def test_sums_are_exact() -> None:
    rng = Rng.stream(1, 0)
    for count in range(60):
        results = [rng.below(UNIT + 1) for _ in range(count)]
        one, other, both = Tally(), Tally(), Tally()
        for place, units in enumerate(results):
            (one if place % 2 else other).add_units(units)
            both.add_units(units)
        assert one.plus(other) == other.plus(one) == both
        assert (both.visits, both.draws) == (count, 0)
        assert both.wins * UNIT + both.parts == sum(results)
        assert 0 <= both.parts < UNIT
        reversed_ = Tally()
        for units in results:
            reversed_.add_units(UNIT - units)
        assert both.of_second() == reversed_
        assert both.of_second().of_second() == both
        if count:
            mean = Fraction(sum(results), count * UNIT)
            assert both.mean() == pytest.approx(float(mean), rel=1e-15)
            bound = float(mean - mean * mean)
            assert both.variance() == pytest.approx(bound, abs=1e-12)
            spread = sum((Fraction(r, UNIT) - mean) ** 2 for r in results) / count
            assert both.variance() >= float(spread) - 1e-12


def test_wins_and_draws_count_as_before() -> None:
    tally = Tally()
    for points in (2, 1, 0, 2):
        tally.add(points)
    assert tally == Tally(4, 2, 1)
    assert repr(tally) == "Tally(4, 2, 1)"
    assert (tally.mean(), tally.of_second()) == (0.625, Tally(4, 1, 1))


def test_a_real_result_is_so_much_of_a_win_to_bayes() -> None:
    from sylve.search.reference.rules import posterior

    assert posterior(1.0, 2.0, Tally(10, 4, 0, UNIT // 4)) == (5.25, 7.75)
    assert posterior(1.0, 2.0, Tally(10, 4, 2)) == (6.0, 7.0)


def test_a_drawn_game_is_half_a_win() -> None:
    assert [units_of(Outcome(None), player) for player in Player] == [32_768, 32_768]
    assert [units_of(Outcome(Player.SECOND), player) for player in Player] == [0, UNIT]
    assert [units_of(Estimated(5), player) for player in Player] == [5, UNIT - 5]


@pytest.mark.parametrize("how", GUIDED_TREES, ids=short)
@places
def test_every_result_is_counted_once(position: Position, how: TreeSearch) -> None:
    tree = tree_of(dataclasses.replace(how, solver=False), position, 120)
    assert tree.simulations == sum(tally.visits for tally in tree.root.tallies) == 120
    for node in tree.nodes.values():
        assert node.visits == sum(tally.visits for tally in node.tallies)
        tallies = [*node.tallies, *itertools.chain(*node.amaf), *(node.table or {}).values()]
        for tally in tallies:
            assert 0 <= tally.parts < UNIT
            assert tally.wins + tally.draws + (tally.parts > 0) <= tally.visits
            if how.real:
                assert tally.draws == 0
            else:
                assert tally.parts == 0


# Values of evaluations.


def test_values_are_symmetric_and_never_certain() -> None:
    scores = (0, 1, 7, 500, 2000, 5000, 12_345, 30_000, 899_999, 900_000)
    for scale in (0.001, 1.0, 333.3, 2000.0, 1e9):
        values = [value(score, scale) for score in scores]
        assert values == sorted(values)
        assert all(UNIT // 2 <= units < UNIT for units in values)
        for score, units in zip(scores, values, strict=True):
            assert score == 0 or value(-score, scale) == UNIT - units
    assert value(0, 5.0) == UNIT // 2
    assert value(2000, 2000.0) == round(UNIT / (1 + 2.718281828459045**-1))


def test_every_evaluation_has_a_scale() -> None:
    assert {game: set(names) for game, names in EVALUATIONS.items()} == {
        game: set(scales) for game, scales in SCALES.items()
    }
    assert scale_of(Judged(), "own") == 1000.0


# Playouts that are cut.


def play(policy: Policy, position: Position, seed: int) -> tuple[Any, list[int], Rng]:
    played: list[int] = []
    rng = Rng.stream(seed, 0)
    result = play_out(policy, FullGame(position.game), position.state, rng, played, {})
    return result, played, rng


@places
@pytest.mark.parametrize("inside", [uniform(), decisive(), mast(), weighted(WEIGHTS)], ids=str)
def test_a_playout_is_cut_after_so_many_plies(position: Position, inside: Policy) -> None:
    """Until then it is the playout that goes on, of a policy that chooses move by move."""
    full = cut(100_000, playout=inside)
    for seed in range(5):
        whole, all_played, _ = play(full, position, seed)
        assert isinstance(whole, Outcome)
        for plies in (0, 1, 2, 5):
            result, played, rng = play(cut(plies, playout=inside), position, seed)
            assert played == all_played[:plies]
            if plies >= len(all_played):
                assert result == whole
                continue
            assert isinstance(result, Estimated)
            if not plies:
                assert rng.next() == Rng.stream(seed, 0).next()
                here = position
                score = evaluate(here, engine="python").score
                units = value(score, scale_of(here.game, evaluate(here, engine="python").name))
                assert units_of(result, here.turn) == units


def test_which_evaluation_and_which_scale() -> None:
    position = Position.start("othello").play_line("f5d6")
    for name in EVALUATIONS["othello"]:
        for scale in (0.0, 555.0):
            result, _, _ = play(cut(evaluation=name, scale=scale), position, 1)
            score = evaluate(position, name, engine="python").score
            assert units_of(result, position.turn) == value(score, scale or SCALES["othello"][name])


def test_the_bound_of_a_game_ends_a_playout_before_it_is_cut() -> None:
    class Endless(Judged):
        def outcome(self, state: Any) -> None:
            return None

        def moves(self, state: Any) -> list[int]:
            return [0]

        def play(self, state: Any, move: int) -> Any:
            return state

        def max_plies(self) -> int:
            return 6

        def adjudicate(self, state: Any) -> Outcome:
            return Outcome(Player.SECOND)

    position = Position.start(Endless())
    for plies, cut_off in ((5, False), (6, True), (7, True)):
        result, played, _ = play(cut(plies), position, 1)
        assert (result == Outcome(Player.SECOND), len(played)) == (cut_off, min(plies, 6))


# Implicit minimax.


def static_values(tree: Tree, node: Node, state: Any) -> list[int]:
    """By hand: what each move of a new node is worth."""
    found = []
    game = tree.game.game
    for move in node.moves:
        after = Position(game, tree.game.play(state, move))
        outcome = after.game.outcome(after.state)
        if outcome is not None:
            found.append((1, 32_768, 65_535)[outcome.points(node.player)])
            continue
        told = evaluate(after, tree.how.evaluation or None, engine="python")
        units = value(told.score, tree.how.scale or scale_of(game, told.name))
        found.append(units if after.turn == node.player else UNIT - units)
    return found


def walk(tree: Tree) -> list[tuple[Node, Any, list[Node | None]]]:
    """Every node with its position, and the nodes after its moves."""
    found, left, seen = [], [(tree.root, tree.root_key, tree.state)], set()
    while left:
        node, key, state = left.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        children: list[Node | None] = []
        for move in node.moves:
            after = tree.game.play(state, move)
            child = None
            if tree.game.outcome(after) is None:
                below = tree.key_after(key, move, after)
                child, below = tree.find(below, tree.game.moves(after))
                if child is not None:
                    left.append((child, below, after))
            children.append(child)
        found.append((node, state, children))
    return found


@pytest.mark.parametrize("solver", [True, False])
@places
def test_implicit_values_are_minimax(position: Position, solver: bool) -> None:
    """Of a tree without transpositions: every move has the minimax value of the nodes below."""
    how = Uct(implicit=0.4, playout=cut(2), transpositions=False, solver=solver, rule=ucb1(0.7))
    tree = tree_of(how, position, 150)
    nodes = walk(tree)
    assert len(nodes) == len(tree.nodes) > 5

    def minimax(node: Node) -> int:
        return max(minimax_of(node, index) for index in range(len(node.moves)))

    below = {id(node): (state, children) for node, state, children in nodes}

    def minimax_of(node: Node, index: int) -> int:
        state, children = below[id(node)]
        child = children[index]
        if index in node.proofs and solver:
            # A proof below may come after the value: then it is that of the game.
            known = (1, 32_768, 65_535)[node.proofs[index].points(node.player)]
            if child is None or node.implicit[index] == known:
                return known
        if child is None:
            return static_values(tree, node, state)[index]
        units = minimax(child)
        return units if child.player == node.player else UNIT - units

    for node, _, _ in nodes:
        for index, units in enumerate(node.implicit):
            assert units == minimax_of(node, index)


@pytest.mark.parametrize("how", GUIDED_TREES, ids=short)
def test_implicit_values_are_mixed_into_the_value(how: TreeSearch) -> None:
    """(1 - alpha) value + alpha v; the rest of the score stays, as does an infinite one."""
    tree = tree_of(how, BREAKTHROUGH, 150)
    plain = formula_of(how, tree.game)
    if isinstance(tree.formula, EvaluatedFormula):
        assert (how.implicit > 0) or how.prior is not None
    for node in tree.nodes.values():
        if isinstance(how, Grave) or how.prior is not None or not how.implicit:
            continue
        mixed = tree.formula.all_parts(node, node)
        for (value_, *rest), (old, *others), units in zip(
            mixed, plain.all_parts(node, node), node.implicit, strict=True
        ):
            assert rest == others
            expected = (1.0 - how.implicit) * old + how.implicit * (units / UNIT)
            assert value_ == (old if old == float("inf") else expected)


def test_with_alpha_1_the_minimax_value_alone_counts() -> None:
    report = search(BREAKTHROUGH, Uct(300, implicit=1.0, seed=1), engine="python")
    for entry in report.moves:
        if entry.score is not None:
            assert entry.score - entry.exploration == pytest.approx(entry.implicit, abs=1e-15)


# Priors.


@pytest.mark.parametrize("kind", [Uct, Rave, Grave, MultiScaleRave], ids=lambda k: k.name())
@pytest.mark.parametrize("prior", [heuristic(7), preferred(WEIGHTS, visits=4)], ids=str)
def test_a_prior_is_so_many_visits(kind: type[TreeSearch], prior: Prior) -> None:
    """The formula gives what it gives where these visits were counted by hand."""
    how = kind(prior=prior, **({"reference": 3} if kind is Grave else {}))  # type: ignore[arg-type]
    tree = tree_of(how, BREAKTHROUGH, 200)
    plain, compared = formula_of(how, tree.game), 0
    for node in tree.nodes.values():
        if kind is Grave:
            continue  # its AMAF results are the reference's: see below
        counted = Node(tree.game, tree.state, [], tree.bands)
        counted.player, counted.moves, counted.codes = node.player, node.moves, node.codes
        counted.visits = node.visits + prior.visits * len(node.moves)
        for index, own in enumerate(node.tallies):
            copy = Tally(*own.counts)
            bands = [Tally(*tally.counts) for tally in node.amaf[index]]
            for tally in (copy, *(bands if kind is Rave else ())):
                for _ in range(prior.visits):
                    tally.add_units(node.prior[index])
            counted.tallies.append(copy)
            counted.amaf.append(bands)
        assert plain.all_parts(counted, counted) == tree.formula.all_parts(node, node)
        compared += 1
    if kind is Grave:
        node = tree.root
        seen = tree.formula.see(node, node)
        for index, code in enumerate(node.codes):
            extra = virtual(prior.visits, node.prior[index])
            assert seen.amaf[index] == [(node.table or {}).get(code, Tally()).plus(extra)]
            assert seen.own[index] == node.tallies[index].plus(extra)
        return
    assert compared > 10


@pytest.mark.parametrize("how", [h for h in GUIDED_TREES if h.prior is not None], ids=short)
def test_no_move_waits_for_its_first_visit(how: TreeSearch) -> None:
    if isinstance(how, MultiScaleRave):
        return  # its AMAF results have no prior
    tree = tree_of(how, BREAKTHROUGH, 1)
    for score in tree.scores(tree.root, tree.root):
        assert abs(score) < 10


@places
def test_priors_are_the_values_after_the_moves(position: Position) -> None:
    tree = tree_of(Uct(prior=heuristic(), solver=False), position, 60)
    for node, state, _ in walk(tree):
        assert node.prior == static_values(tree, node, state)
    report = search(position, Uct(60, prior=heuristic(), solver=False, seed=5), engine="python")
    assert [entry.prior for entry in report.moves] == [u / UNIT for u in tree.root.prior]
    assert sum(entry.visits for entry in report.moves) == 60


def test_preferred_moves() -> None:
    position = Position.start("tic_tac_toe")
    report = search(position, Uct(30, prior=preferred("b2=8 a1=4 c3=0")), engine="python")
    assert report["b2"].prior == 65_535 / UNIT
    assert report["a1"].prior == 32_767 / UNIT
    assert report["c3"].prior == 1 / UNIT
    assert report["a2"].prior == (65_535 // 8) / UNIT
    nothing = search(position, Uct(30, prior=preferred("b2=0", otherwise=0)), engine="python")
    assert {entry.prior for entry in nothing.moves} == {0.5}


@dataclass(frozen=True)
class Central(Prior):
    visits: int = 6
    best: float = 1.0

    def value(self, position: Position, move: int) -> float:
        return self.best if position.name(move) == "b2" else 0.25


def test_a_prior_of_ones_own() -> None:
    how = Uct(50, prior=Central(), seed=1)
    report = search("tic_tac_toe", how)
    assert (report.engine, report["b2"].prior, report["a1"].prior) == (
        "python",
        65_535 / UNIT,
        0.25,
    )
    assert report.engine_reason == (
        "prior=central is your own, which the compiled engine does not have"
    )
    with pytest.raises(ValueError, match="prior=central is your own, which the compiled engine"):
        search("tic_tac_toe", how, engine="rust")
    with pytest.raises(
        ValueError, match=re.escape("value() must be a number from 0 to 1, not 1.5")
    ):
        search("tic_tac_toe", Uct(9, prior=Central(best=1.5)))
    with pytest.raises(ValueError, match="visits must be a whole number from 1 to 1000000, not 0"):
        Uct(9, prior=Central(0))

    class Empty(Prior):
        pass

    with pytest.raises(ValueError, match="prior=empty has no method value"):
        Uct(9, prior=Empty())


# The rest of a search: files, moves, sums, traces.


@pytest.mark.parametrize("how", GUIDED, ids=short)
def test_it_goes_on_from_a_file(how: Search, tmp_path: Path) -> None:
    how = dataclasses.replace(how, seed=3)
    searcher = Searcher(BREAKTHROUGH, how, engine="python")
    searcher.run(60)
    searcher.save(tmp_path / "search")
    loaded = Searcher.load(tmp_path / "search", engine="python")
    assert loaded.report() == searcher.report()
    assert loaded.digest() == searcher.digest()
    searcher.run(36)
    assert loaded.run(36) == searcher.report()
    assert loaded.digest() == searcher.digest()


@pytest.mark.parametrize("how", [Uct(implicit=0.4), Uct(playout=cut(1))], ids=short)
def test_files_with_false_numbers_are_refused(how: Search) -> None:
    runner = make_runner(BREAKTHROUGH, how, "python")
    runner.run(40)
    saved, refused = runner.save(), 0
    for at in range(10, len(saved)):
        for changed in (0, 0xFF, saved[at] ^ 0x40):
            body = saved[:at] + bytes([changed]) + saved[at + 1 :]
            again = make_runner(BREAKTHROUGH, how, "python")
            try:
                again.load(body)
            except ValueError:
                refused += 1
                continue
            for node in again.algorithm.nodes.values():  # type: ignore[attr-defined]
                assert all(0 < units < UNIT for units in node.implicit)
                for tally in node.tallies:
                    assert tally.parts < UNIT
                    assert tally.wins + tally.draws + (tally.parts > 0) <= tally.visits
    assert refused > len(saved)


@pytest.mark.parametrize("how", GUIDED_TREES, ids=short)
@places
def test_advancing_keeps_what_is_known(position: Position, how: TreeSearch) -> None:
    searcher = Searcher(position, dataclasses.replace(how, solver=False), engine="python")
    for _ in range(2):
        report = searcher.run(60)
        if position.play(report.best).outcome is not None:
            return
        inside = {branch.name: branch for branch in searcher.tree().children}[
            report.best_name
        ].children
        known = {(b.name, b.visits, b.implicit, b.prior) for b in inside}
        after = searcher.advance(report.best)
        position = searcher.position
        if len(position.moves) == 1:
            return
        kept = {(e.name, e.visits, e.implicit, e.prior) for e in after.moves}
        assert not known or kept == known


def test_searches_that_are_summed() -> None:
    for how in (Uct(playout=cut(2), prior=heuristic()), Flat(playout=cut(1))):
        found = Searcher(BREAKTHROUGH, how, engine="python", threads=3, parallel="root").run(90)
        parts = [runner.found().own for runner in _summed(BREAKTHROUGH, how, 90)]
        for index, entry in enumerate(found.moves):
            total = sum(own[index][1] * UNIT + own[index][3] for own in parts)
            assert entry.wins * UNIT + entry.parts == total
            assert entry.implicit is None


def _summed(position: Position, how: Search, simulations: int) -> list[Any]:
    from sylve.search.running.in_python import Reference
    from sylve.search.running.summed import Summed

    runner = Summed(position, how, 3, Reference)
    runner.run(simulations)
    return runner.runners


@pytest.mark.parametrize("how", GUIDED, ids=short)
def test_a_trace_tells_what_is_counted(how: Search) -> None:
    how = dataclasses.replace(how, playouts=240, seed=2)
    traced = trace(BREAKTHROUGH, how, simulation=41, engine="python")
    assert str(traced)
    content = traced.to_dict()
    if traced.outcome is None:
        assert 0 < traced.estimate < 1
        assert content["outcome"] is None
        assert "by the evaluation" in str(traced)
    else:
        assert traced.estimate is None
    if isinstance(traced.search, TreeSearch) and traced.search.implicit:
        for choice in traced.descent:
            assert all(entry.implicit is not None for entry in choice.moves)
        assert "minimax" in str(traced)


def test_the_explanation_names_the_minimax_values() -> None:
    report = search(BREAKTHROUGH, Uct(300, implicit=0.4, seed=1), engine="python")
    best, second = report.ranked[:2]
    told = f"40% of the score, are {best.implicit:.3f} and {second.implicit:.3f}."
    assert told in report.explain()
    cut_ = search(BREAKTHROUGH, Uct(300, playout=cut(1), seed=1), engine="python")
    assert "means of an evaluation" in cut_.explain()


# Text, and what is refused.


@pytest.mark.parametrize("how", GUIDED, ids=short)
def test_a_text_reads_back(how: Search) -> None:
    assert parse_search(str(how)) == how


def test_texts() -> None:
    text = "uct(1000, implicit=0.4, prior=heuristic(10), playout=cut(2))"
    how = Uct(1000, implicit=0.4, prior=heuristic(10), playout=cut(2))
    assert parse_search(text) == how
    assert parse_search(str(how)) == how
    assert parse_search("uct(prior=none)") == Uct() == Uct(prior="none")  # type: ignore[arg-type]
    assert parse_search("uct(prior=heuristic)") == Uct(prior=heuristic())
    nested = parse_search("rave(playout=cut(3, playout=mast(0.2), evaluation=positional))")
    assert nested == Rave(playout=cut(3, "positional", playout=mast(0.2)))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Uct(implicit=1.5), "uct: implicit must be a number from 0 to 1, not 1.5"),
        (lambda: Uct(prior="b2"), "uct: prior must be one of heuristic, preferred, or your own"),
        (lambda: Uct(evaluation="x"), "uct: evaluation='x' is used by nothing: give implicit"),
        (lambda: Uct(scale=5), "uct: scale=5.0 is used by nothing: give implicit or prior"),
        (
            lambda: Uct(scale=5, prior=preferred("b2=1")),
            "scale=5.0 is used by nothing: give implicit or prior=heuristic too",
        ),
        (lambda: Uct(implicit=0.1, scale=-1), "uct: scale must be a number from 0 to 1e+09, not"),
        (lambda: Uct(implicit=0.1, evaluation=3), "evaluation must be the name of an evaluation"),
        (lambda: cut(-1), "cut: plies must be a whole number from 0 to 1000000, not -1"),
        (lambda: cut(1, playout=cut(2)), "cut: playout=cut(plies=2) is cut already"),
        (lambda: heuristic(0), "heuristic: visits must be a whole number from 1 to 1000000, not 0"),
        (lambda: preferred("b2"), "preferred: weights must be code:weight or name=weight pairs"),
        (lambda: Flat(implicit=0.1), "Flat: unknown argument 'implicit'"),
        (lambda: parse_search("uct(prior=heuristics)"), "unknown prior 'heuristics': did you mean"),
    ],
    ids=lambda made: made if isinstance(made, str) else "",
)
def test_what_is_refused(make: Any, told: str) -> None:
    with pytest.raises((ValueError, TypeError), match=re.escape(told)):
        make()


@pytest.mark.parametrize(
    ("how", "what"),
    [
        (Uct(9, implicit=0.5), "implicit=0.5"),
        (Uct(9, prior=heuristic(3)), "prior=heuristic(visits=3)"),
        (Ucb(9, playout=cut(3)), "playout=cut(plies=3)"),
    ],
    ids=short,
)
def test_a_game_without_an_evaluation(how: Search, what: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"has no evaluation, which {what} needs")):
        search(Nim(), how)


@pytest.mark.parametrize("how", [Uct(9, implicit=0.5, evaluation="weight"),
                                 Ucb(9, playout=cut(3, "weight"))], ids=short)  # fmt: skip
def test_an_evaluation_that_the_game_has_not(how: Search) -> None:
    told = "unknown evaluation 'weight' of othello: did you mean 'weights'?"
    with pytest.raises(ValueError, match=re.escape(told)):
        search("othello", how)


def test_names_that_no_move_has() -> None:
    with pytest.raises(ValueError, match=r"preferred: no move of TicTacToe\(\) is called 'b9'"):
        search("tic_tac_toe", Uct(9, prior=preferred("b9=5")))
    with pytest.raises(ValueError, match=r"weighted: no move of TicTacToe\(\) is called 'b9'"):
        search("tic_tac_toe", Uct(9, playout=cut(1, playout=weighted("b9=5"))))


def can_share_a_tree(how: TreeSearch) -> bool:
    learns = "mast" in str(how)
    return how.batch == 1 and not isinstance(how, MultiScaleRave) and not learns


@pytest.mark.parametrize("how", [h for h in GUIDED_TREES if can_share_a_tree(h)], ids=short)
def test_threads_that_share_a_tree(how: TreeSearch, tmp_path: Path) -> None:
    """`no_value_is_left_behind` and others (parallel/tests.rs) look at every node."""
    how = dataclasses.replace(how, solver=False)
    ways: dict[str, Any] = {"threads": 2, "parallel": "tree"}
    one, alone = Searcher(BREAKTHROUGH, how, **ways), Searcher(BREAKTHROUGH, how)
    for searcher in (one, alone):
        searcher.run(1)
    assert one.report().moves == alone.report().moves
    report = one.run(399)
    assert sum(entry.visits for entry in report.moves) == 400
    for entry, expected in zip(report.moves, alone.run(399).moves, strict=True):
        assert entry.prior == expected.prior
        assert (entry.implicit is None) == (how.implicit == 0)
    one.save(tmp_path / "search")
    loaded = Searcher.load(tmp_path / "search")
    assert loaded.report().moves == report.moves
    for searcher in (one, loaded):
        searcher.advance(report.best)
    assert loaded.report().moves == one.report().moves
    loaded.run(100)


def test_what_only_python_can_do() -> None:
    class Other(Breakthrough):
        """Rules of a user's own, evaluated as ours."""

    class Finisher(Policy):
        def choose(self, game: Any, state: Any, moves: Any, rng: Any, mast: Any) -> int:
            return moves[0]

    def likes(position: Position, move: int) -> int:
        return 1 + move % 3

    cases: list[tuple[Any, Search, str]] = [
        (Other(5, 5), Uct(9, implicit=0.5), "evaluation: only Python can evaluate"),
        ("tic_tac_toe", Uct(9, playout=cut(1, playout=Finisher())), "playout=finisher is your own"),
        ("tic_tac_toe", Uct(9, prior=preferred(likes)), "preferred: likes is a function in Python"),
        ("tic_tac_toe", Uct(9, playout=cut(1, playout=weighted(likes))), "weighted: likes is a"),
    ]
    for game, how, told in cases:
        report = search(game, how)
        assert report.engine == "python"
        assert report.engine_reason.startswith(told)
        with pytest.raises(ValueError, match=re.escape(told)):
            search(game, how, engine="rust")


def test_a_policy_with_a_playout_of_its_own_cannot_be_cut() -> None:
    class Whole(Policy):
        def playout(self, game: Any, state: Any, rng: Any, played: Any, mast: Any) -> Outcome:
            return Outcome(None)

    with pytest.raises(ValueError, match="cut: playout=whole has no method choose, only playout"):
        cut(3, playout=Whole())


def test_an_estimate_comes_only_from_cut() -> None:
    class Lying(Policy):
        def playout(self, game: Any, state: Any, rng: Any, played: Any, mast: Any) -> Any:
            return Estimated(5)

    with pytest.raises(ValueError, match="must be None or an Outcome, not Estimated"):
        search("tic_tac_toe", Uct(9, playout=Lying()))


# The engines are one.


@pytest.mark.parametrize("how", GUIDED, ids=short)
@pytest.mark.parametrize(("game", "moves"), POSITIONS, ids=lambda text: str(text).split(" ")[0])
def test_both_engines_give_the_same(game: str, moves: str, how: Search) -> None:
    position = Position.start(game).play_line(moves)
    for playouts, seed, solver in ((60, 1, True), (250, 2, False)):
        sought = dataclasses.replace(how, playouts=playouts, seed=seed)
        if isinstance(sought, TreeSearch) and not solver:
            sought = sized(sought, playouts, seed)
        compare(position, sought)


@pytest.mark.parametrize("how", GUIDED, ids=short)
def test_both_engines_give_the_same_of_games_in_python(how: Search) -> None:
    for position in PLACES[-2:]:
        compare(position, dataclasses.replace(how, playouts=120, seed=4))


def compare(position: Position, how: Search) -> None:
    searchers = [Searcher(position, how, engine=engine) for engine in ENGINES]
    reports = [searcher.run() for searcher in searchers]
    assert [report.engine for report in reports] == list(ENGINES)
    assert reports[0].moves == reports[1].moves
    assert reports[0] == reports[1]
    assert searchers[0].digest() == searchers[1].digest()


@pytest.mark.parametrize("how", GUIDED, ids=short)
def test_a_file_of_either_engine_goes_on_in_the_other(how: Search, tmp_path: Path) -> None:
    how = dataclasses.replace(how, seed=3)
    bodies, whole = [], []
    for engine in ENGINES:
        searcher = Searcher(BREAKTHROUGH, how, engine=engine)
        searcher.run(168)
        searcher.save(tmp_path / engine)
        bodies.append(searcher._runner.save())
        whole.append(searcher.run(72))
    assert bodies[0] == bodies[1]
    for engine, other in itertools.product(ENGINES, ENGINES):
        loaded = Searcher.load(tmp_path / engine, engine=other)
        assert loaded.run(72) == whole[0] == whole[1]


@pytest.mark.parametrize("how", GUIDED_TREES, ids=short)
def test_both_engines_advance_alike(how: TreeSearch) -> None:
    for game in ("breakthrough(columns=5, rows=5)", "go(size=3, komi=0)"):
        searchers = [Searcher(Position.start(game), how, engine=engine) for engine in ENGINES]
        for _ in range(3):
            reports = [searcher.run(96) for searcher in searchers]
            assert reports[0] == reports[1]
            for searcher in searchers:
                searcher.advance(reports[0].best)
            assert searchers[0].digest() == searchers[1].digest()


@pytest.mark.parametrize("parallel", ["root", "batch"])
def test_threads_give_what_one_after_the_other_does(parallel: Any) -> None:
    for how in GUIDED_TREES:
        if (parallel == "batch") == (how.batch == 1):
            continue
        sought = dataclasses.replace(how, playouts=120, seed=2)
        reports = [
            Searcher(BREAKTHROUGH, sought, engine=engine, threads=2, parallel=parallel).run()
            for engine in ENGINES
        ]
        assert reports[0] == reports[1]


@pytest.mark.parametrize("how", [*GUIDED_TREES, *GUIDED_ROOTS], ids=short)
def test_a_trace_goes_on_from_the_compiled_tree(how: Search) -> None:
    how = dataclasses.replace(how, playouts=240, seed=2)
    if isinstance(how, TreeSearch) and how.solver_nodes:
        return
    traces = [trace(BREAKTHROUGH, how, simulation=101, engine=engine) for engine in ENGINES]
    assert traces[0] == traces[1]
