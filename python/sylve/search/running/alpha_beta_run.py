"""Alpha-beta in either engine, or the exact solver where `AlphaBeta(exact=...)` asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from sylve.engine import Engine, check_compiled, choose, from_core_text, is_compiled, to_core
from sylve.evaluations import checked, evaluation_name
from sylve.games.connect_four import ConnectFour
from sylve.games.hex import Hex
from sylve.games.othello import Othello
from sylve.games.tic_tac_toe import TicTacToe
from sylve.position import Position
from sylve.search.reference.alpha_beta import INFINITY, WIN, AlphaBeta, TimeUp, Tree, is_proven
from sylve.search.reports.alpha_beta_report import AlphaBetaReport, Answer, make_report
from sylve.solve import Solver

FILLED = (TicTacToe, ConnectFour, Hex, Othello)
"""Games whose moves fill cells."""


def within(how: AlphaBeta, seconds: float | None) -> AlphaBeta:
    """The same search with at most so many seconds; None: as it is."""
    if seconds is None or (how.seconds is not None and how.seconds <= seconds):
        return how
    return replace(how, seconds=max(seconds, 0.001))


def search_alpha_beta(position: Position, how: AlphaBeta, engine: Engine) -> AlphaBetaReport:
    """Search a position that has at least one move."""
    began = perf_counter()
    # A game written in Python is searched in Python: who insists on Rust is refused.
    rust = choose(engine) == "rust" and (is_compiled(position) or engine == "rust")
    if rust:
        check_compiled(position)
    if not callable(how.evaluation):
        evaluation_name(position.game, how.evaluation)
    if len(position.moves) == 1:
        (move,) = position.moves
        found = Answer(0, 0, move, (move,), (None,), 0, None)
    elif how.exact and empty_cells(position) <= how.exact:
        found = solved(position, how, engine, compiled if rust else reference)
    else:
        found = (compiled if rust else reference)(position, how)
    seconds = perf_counter() - began
    return make_report(position, how, found, "rust" if rust else "python", seconds)


def empty_cells(position: Position) -> int:
    """The cells that can still be filled."""
    if not isinstance(position.game, FILLED):
        raise ValueError(
            "alpha_beta: exact counts empty cells: it is for games whose moves fill cells, not for"
            f" {position.game}"
        )
    return position.text.split()[0].count(".")


def solved(
    position: Position,
    how: AlphaBeta,
    engine: Engine,
    otherwise: Callable[[Position, AlphaBeta], Answer],
) -> Answer:
    """By the exact solver; by alpha-beta if the solver takes more than half of the time."""
    half = None if how.seconds is None else how.seconds / 2
    solution = Solver(position.game, engine=engine).solve(position, half, want="line")
    here = position
    for move in solution.line:
        here = here.play(move)
    if solution.value is None or solution.best is None or here.outcome is None:
        found = otherwise(position, replace(how, seconds=half))
        return found._replace(nodes=found.nodes + solution.nodes)
    plies = len(solution.line)
    score = ((solution.value > 0) - (solution.value < 0)) * (WIN - plies)
    scores = tuple(score if move == solution.best else None for move in position.moves)
    return Answer(
        plies, score, solution.best, solution.line, scores, solution.nodes, None, solved=True
    )


def compiled(position: Position, how: AlphaBeta) -> Answer:
    """By the compiled engine, also with a function of the user's own."""
    core = to_core(position)
    if callable(how.evaluation):  # no other is asked, but the engine wants a name
        own, name = how.evaluation, core.evaluations()[0]
    else:
        own, name = None, evaluation_name(position.game, how.evaluation)

    def custom(text: str) -> int:
        assert own is not None
        return checked(own, from_core_text(position.game, text))

    depth, score, best, line, scores, nodes, size = core.alpha_beta(
        list(position.moves),
        how.limit,
        how.seconds,
        name,
        how.table,
        how.multi,
        custom if own else None,
    )
    return Answer(depth, score, best, tuple(line), tuple(scores), nodes, size)


def reference(position: Position, how: AlphaBeta) -> Answer:
    """By the reference: the same scores, more positions, no table."""
    tree = Tree(position, how.evaluation)
    began = perf_counter()
    found = None
    for depth in range(1, how.limit + 1):
        try:
            found = deepened(tree, how, depth)
        except TimeUp:
            break
        if all(score is None or is_proven(score) for score in found.scores):
            break
        tree.deadline = None if how.seconds is None else began + how.seconds
    assert found is not None, "the first iteration is always completed"
    return found._replace(nodes=tree.nodes)


def deepened(tree: Tree, how: AlphaBeta, depth: int) -> Answer:
    """One iteration."""
    root = tree.root
    if not how.multi:
        score, line = tree.alpha_beta(root, depth, -INFINITY, INFINITY)
        scores = tuple(score if move == line[0] else None for move in root.moves)
        return Answer(depth, score, line[0], line, scores, tree.nodes, None)
    tree.visit()
    lines = []
    for move, after in tree.children(root):
        score, line = tree.alpha_beta(after, depth - 1, -INFINITY, INFINITY, 1)
        lines.append((score, (move, *line)))
    score, line = max(lines, key=lambda found: found[0])  # the first of equal ones
    return Answer(depth, score, line[0], line, tuple(score for score, _ in lines), tree.nodes, None)
