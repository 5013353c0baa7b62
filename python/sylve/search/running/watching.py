"""One simulation, watched: the steps of the reference, with a look before and after each.

Nothing here chooses, plays or counts. `watch` calls the steps of `reference/tree.py` and
`reference/bandits.py` in the order in which their `simulate` does, and writes down what is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import fields, replace
from math import inf, isfinite
from typing import Any

from sylve.game import FullGame, Outcome
from sylve.games.board import BoardGame
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.reference.bandits import NO_MOVE, FlatRoot, Root, UcbRoot
from sylve.search.reference.cut import cut
from sylve.search.reference.in_numbers import NOT_TRIED, Written, figure
from sylve.search.reference.node import Descent, Node, Step
from sylve.search.reference.own_parts import parts_of
from sylve.search.reference.policies import Policy, mast, uniform
from sylve.search.reference.results import Estimated, Result
from sylve.search.reference.rules import discounted, thompson
from sylve.search.reference.searches import Grave, Search, TreeSearch
from sylve.search.reference.tally import UNIT, Tally
from sylve.search.reference.tree import Tree
from sylve.search.reports.report import MoveReport, make_moves, proven
from sylve.search.reports.trace import Change, Choice, Ended, Kind, Ply, Proof, Trace, TracedMove
from sylve.search.running.compiled import Compiled
from sylve.search.running.in_python import Reference, found_at
from sylve.search.running.part_of_tree import PartOfTree
from sylve.search.running.reasons import by_root, by_score
from sylve.search.running.runner import Runner

Place = tuple[Kind, int | None, int, int]
"""A tally: its kind, the node, the index of the move or the code, the band."""
State = dict[Place, tuple[float, ...]]


class Recording(Policy):
    """A playout policy that remembers what another one plays."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.plies: list[Ply] = []

    def watched(self) -> Policy:
        """What to play by: of a policy that cuts playouts, the policy inside is watched."""
        if not isinstance(self.policy, cut):
            return self
        inside = Recording(self.policy.playout)
        inside.plies = self.plies
        return replace(self.policy, playout=inside)

    def playout(
        self, game: FullGame, state: Any, rng: Rng, played: list[int], mast: dict[int, Tally]
    ) -> Outcome:
        """Play to the end. A playout that is not made move by move tells its codes alone."""
        if isinstance(self.policy, uniform):
            own_way = game.own_playout is not None
        else:
            own_way = type(self.policy).playout is not Policy.playout
        if not own_way:
            return super().playout(game, state, rng, played, mast)
        before = len(played)
        outcome = self.policy.playout(game, state, rng, played, mast)
        self.plies = list(read_codes(game, state, played[before:]))
        return outcome

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """What the policy chooses."""
        move = self.policy.choose(game, state, moves, rng, mast)
        self.plies.append(make_ply(game, state, move))
        return move


def make_ply(game: FullGame, state: Any, move: int) -> Ply:
    """A move that was played."""
    position = Position(game.game, state)
    return Ply(position.turn, game.own_code(state, move), move, position.name(move))


def read_codes(game: FullGame, state: Any, codes: Sequence[int]) -> Iterator[Ply]:
    """The moves of a playout of which the codes are known, as far as codes tell moves apart."""
    known = True
    for number in codes:
        move = move_of(game, state, number) if known else None
        if move is None:
            known = False
            yield Ply(None, number, None, None)
        else:
            yield make_ply(game, state, move)
            state = game.play(state, move)


def move_of(game: FullGame, state: Any, number: int) -> int | None:
    """The move that has a code; None: there are several, or none."""
    if getattr(type(game.game), "code", None) in (None, BoardGame.code):  # 2 * move + player
        return number // 2 if game.own_code(state, number // 2) == number else None
    moves = () if game.outcome(state) is not None else game.playout_moves(state)
    found = [move for move in moves if game.own_code(state, move) == number]
    return found[0] if len(found) == 1 else None


def step(position: Position, how: Search, runner: Runner) -> Trace:
    """The next simulation of either engine, which has made it afterwards."""
    if len(position.moves) == 1:
        raise ValueError(f"{position.names[0]} is the only legal move: there is nothing to search")
    if runner.proven:
        raise ValueError("the result is proven: no simulation is left to make")
    if isinstance(runner, Reference):
        runner.settle()
        return watch(runner)
    if isinstance(how, TreeSearch) and how.asks_solver:
        raise ValueError(
            f'step() with {how.asks_solver} needs engine="python": what the solver remembers is not'
            " in the tree"
        )
    watched = watch(in_python(position, how, runner))
    runner.run(1)
    return watched


def in_python(position: Position, how: Search, runner: Runner) -> Reference:
    """The search in Python that stands where a search of either engine does."""
    if isinstance(runner, Reference):
        return runner
    reference = Reference(position, how)
    if isinstance(how, TreeSearch):
        assert isinstance(runner, Compiled)
        reference.algorithm = PartOfTree(position, how, runner)
    else:
        reference.load(runner.save())
    return reference


def watch(reference: Reference) -> Trace:
    """Run one more simulation of the reference; a batch under way ends with it."""
    run = reference.algorithm
    if isinstance(run, Tree):
        return watch_tree(reference, run)
    return watch_root(reference, run)


def watch_tree(reference: Reference, tree: Tree) -> Trace:
    """Descend, play out, count."""
    descent = tree.descend()
    choices = tuple(look_down(tree, reference.position, descent.path))
    how_it_ended = ended(tree.game, descent)
    policy = Recording(tree.how.playout)
    tree.play_out(descent, policy.watched())
    assert descent.result is not None
    nodes = [step.node for step in descent.path]
    before, proofs = settled(tree, nodes)
    tree.count(descent, most=1)  # the descents that waited in the batch come first
    return Trace(
        position=reference.position,
        search=tree.how,
        simulation=tree.simulations,
        descent=choices,
        ended=how_it_ended,
        leaf=Position(tree.game.game, descent.state),
        playout=tuple(policy.plies),
        outcome=outcome_of(descent.result),
        estimate=estimate_of(descent.result),
        changes=tuple(changes(choices, before, tallies(tree, nodes))),
        proofs=tuple(new_proofs(choices, proofs, nodes)),
    )


def settled(tree: Tree, nodes: Sequence[Node]) -> tuple[State, list[dict[int, Outcome]]]:
    """Tallies and proofs of some nodes as they are without the descent at hand.

    Those that wait are counted in a copy: while this one waits with them, `grave` makes its tables
    earlier.
    """
    if tree.waiting:
        states = {id(descent.state): descent.state for descent in tree.waiting}  # not to be copied
        copied = deepcopy((tree.waiting, nodes, tree.mast), states)
        tree = copy(tree)
        tree.waiting, nodes, tree.mast = copied
        tree.settle()
    return tallies(tree, nodes), [dict(node.proofs) for node in nodes]


def look_down(tree: Tree, position: Position, path: Sequence[Step]) -> Iterator[Choice]:
    """What a descent saw at each node: nothing has been counted since."""
    names, reference = list[str](), 0
    for depth, (node, chosen, _) in enumerate(path):
        if tree.serves_as_reference(node):
            reference = depth
        lender = path[reference].node
        scores = tree.scores(node, lender)
        yield Choice(
            position=position,
            path=tuple(names),
            visits=node.visits,
            moves=look_at(tree, position, node, lender, scores),
            chosen=node.moves[chosen],
            why=by_score(position.names, scores, chosen),
            new=depth > 0 and node.visits == 0,
            reference=reference if isinstance(tree.how, Grave) else None,
        )
        names.append(position.name(node.moves[chosen]))
        position = Position(tree.game.game, tree.game.play(position.state, node.moves[chosen]))


def look_at(
    tree: Tree, position: Position, node: Node, lender: Node, scores: Sequence[float]
) -> tuple[TracedMove, ...]:
    """Every move of a node."""
    entries = make_moves(position, found_at(tree, node, lender))
    texts = tree.formula.in_numbers(node, lender)
    amaf = tree.formula.amaf(node, lender)
    return tuple(
        replace(
            traced(
                entry, tree.game.own_code(position.state, entry.move), texts[index], scores[index]
            ),
            bands=tuple(tally.counts for tally in amaf[index]) if len(amaf[index]) > 1 else None,
            waiting=node.waiting.get(index, 0),
        )
        for index, entry in enumerate(entries)
    )


def traced(entry: MoveReport, own_code: int, text: Written, score: float) -> TracedMove:
    """A move with its formulas."""
    if score == -inf:
        formula = "proven to lose: not tried again"
    else:
        formula = text.score if text.score == NOT_TRIED else f"{text.score} = {figure(score)}"
    beta = text.beta
    if beta is not None and entry.beta is not None and beta != figure(entry.beta):
        beta = f"{beta} = {figure(entry.beta)}"
    known = {field.name: getattr(entry, field.name) for field in fields(entry)}
    known["score"] = score if isfinite(score) else None
    return TracedMove(**known, code=own_code, formula=formula, beta_formula=beta)


def ended(game: FullGame, descent: Descent) -> Ended:
    """How a descent ended."""
    if descent.result is None:
        return "playout"
    if not descent.certain:
        return "repetition"
    return "proven" if game.outcome(descent.state) is None else "end of the game"


def watch_root(reference: Reference, root: Root) -> Trace:
    """Choose, play out, count."""
    how, number = root.how, root.simulations
    position = reference.position
    found, texts = reference.found_now(), root.in_numbers()
    scores = [value + bonus for value, bonus, _ in found.parts]
    if isinstance(root, UcbRoot) and isinstance(root.rule, thompson):
        scores = root.samples(root.rule, Rng.stream(how.seed, number))
    rng = Rng.stream(how.seed, number)
    index = root.choose(rng)
    codes = [root.game.own_code(root.state, move) for move in root.root.moves]
    entries = zip(make_moves(position, found), codes, texts, scores, strict=True)
    chosen = None if index == NO_MOVE else root.root.moves[index]
    again = Rng.stream(how.seed, number)
    choice = Choice(
        position=position,
        path=(),
        visits=root.root.visits,
        moves=tuple(traced(*entry) for entry in entries),
        chosen=chosen,
        why=by_root(root, position.names, scores, index, again),
    )
    policy, played = Recording(how.playout), list[int]()
    before = tallies(root, [root.root])
    result = root.play_out(index, rng, played, policy.watched())
    root.count(index, played, result)
    root.simulations += 1
    leaf = (
        position if chosen is None else Position(root.game.game, root.game.play(root.state, chosen))
    )
    return Trace(
        position=position,
        search=how,
        simulation=root.simulations,
        descent=(choice,),
        ended="playout" if leaf.outcome is None else "end of the game",
        leaf=leaf,
        playout=tuple(policy.plies),
        outcome=outcome_of(result),
        estimate=estimate_of(result),
        changes=tuple(changes((choice,), before, tallies(root, [root.root]))),
    )


def tallies(run: Tree | Root, nodes: Sequence[Node]) -> State:
    """Every tally of some nodes, and those of the whole search."""
    found: State = {}
    for depth, node in enumerate(nodes):
        for index, own in enumerate(node.tallies):
            found["direct", depth, index, 0] = own.counts
            for band, amaf in enumerate(node.amaf[index]):
                found["amaf", depth, index, band] = amaf.counts
        for number, tally in sorted((node.table or {}).items()):
            found["code", depth, number, 0] = tally.counts
        for index, units in enumerate(node.implicit):
            found["implicit", depth, index, 0] = (units / UNIT,)
    if any(isinstance(part, mast) for _, part in parts_of(run.how)):
        for number, tally in sorted(run.mast.items()):
            found["mast", None, number, 0] = tally.counts
    if (isinstance(run, FlatRoot) and run.gamma != 1.0) or (
        isinstance(run, UcbRoot) and isinstance(run.rule, discounted)
    ):
        for index, pair in enumerate(zip(run.weights, run.sums, strict=True)):
            found["weighted", 0, index, 0] = pair
    return found


def outcome_of(result: Result) -> Outcome | None:
    """How the game ended, unless the playout was cut."""
    return result if isinstance(result, Outcome) else None


def estimate_of(result: Result) -> float | None:
    """The value of the position where the playout was cut, for the first player."""
    return result.units / UNIT if isinstance(result, Estimated) else None


def changes(choices: Sequence[Choice], before: State, after: State) -> Iterator[Change]:
    """The tallies that are not as they were."""
    for place, now in after.items():
        kind, depth, number, band = place
        was = before.get(place, (0, 0, 0, 0))
        if was == now:
            continue
        if kind in ("code", "mast"):
            yield Change(kind, was, now, depth, code=number)
        else:
            assert depth is not None
            entry = choices[depth].moves[number]
            yield Change(kind, was, now, depth, entry.move, entry.name, band=band)


def new_proofs(
    choices: Sequence[Choice], before: Sequence[dict[int, Outcome]], nodes: Sequence[Node]
) -> Iterator[Proof]:
    """The moves that are proven now and were not."""
    for depth, (choice, known, node) in enumerate(zip(choices, before, nodes, strict=True)):
        for index, proof in node.proofs.items():
            if known.get(index) != proof:
                entry, word = choice.moves[index], proven(choice.position, proof)
                assert word is not None
                yield Proof(depth, entry.move, entry.name, word)
