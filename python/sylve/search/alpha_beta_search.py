"""`AlphaBeta`, a search as data, and what runs it in either engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from sylve.engine import Engine, check_compiled, choose, is_compiled, to_core
from sylve.evaluations import Custom, checked, evaluation_name
from sylve.games.connect_four import ConnectFour
from sylve.games.hex import Hex
from sylve.games.othello import Othello
from sylve.games.tic_tac_toe import TicTacToe
from sylve.position import Position
from sylve.search.alpha_beta import INFINITY, MAX_DEPTH, WIN, TimeUp, Tree
from sylve.search.values import Value, number, shown, whole
from sylve.solve import Solver

if TYPE_CHECKING:
    from sylve.search.alpha_beta_report import AlphaBetaReport

DEPTH = 6
"""Where neither depth nor time is given."""
TABLE = 1 << 20
FILLED = (TicTacToe, ConnectFour, Hex, Othello)
"""Games whose moves fill cells."""
LARGEST_TABLE = 1 << 28


@dataclass(frozen=True)
class AlphaBeta(Value):
    """Alpha-beta: the value of minimax at some depth, found with few of its positions.

    Document 004. Deepens one ply at a time until `depth` is reached or `seconds` are over, and
    looks at good moves first. The score is exact for the evaluation at that depth; what lies beyond
    the depth it does not see. Strong where an evaluation tells much (Othello, Breakthrough).
    """

    depth: int | None = None
    """Plies to look ahead; 6 if there is no time limit either."""
    _: KW_ONLY
    seconds: float | None = None
    """Then the deepest search that was completed counts. Not reproducible."""
    evaluation: str | Custom | None = None
    """A name of docs/evaluations.md, or a function from a position to thousandths for the side to
    move; None is the first of the game."""
    table: int = TABLE
    """Entries of the transposition table, 16 bytes each; 0: none. It changes the time only."""
    multi: bool = False
    """Whether to find the score of every move, not only of the best."""
    exact: int = 0
    """With so many empty cells or fewer the exact solver chooses, in games whose moves fill cells.
    If it is not done in half of `seconds`, alpha-beta has the other half."""

    def __post_init__(self) -> None:
        if self.depth is not None:
            whole(self, "depth", 1, MAX_DEPTH)
        if self.seconds is not None:
            number(self, "seconds", 0.0, 1e6)
        whole(self, "table", 0, LARGEST_TABLE)
        if not isinstance(self.multi, bool):
            raise ValueError(f"alpha_beta: multi must be true or false, not {shown(self.multi)}")
        whole(self, "exact", 0, MAX_DEPTH)
        if self.exact and self.multi:
            raise ValueError("alpha_beta: exact finds the best move only: not with multi")
        if not (self.evaluation is None or isinstance(self.evaluation, str)) and not callable(
            self.evaluation
        ):
            raise ValueError(
                f"alpha_beta: evaluation must be a name or a function, not {shown(self.evaluation)}"
            )

    @property
    def limit(self) -> int:
        """The deepest iteration."""
        if self.depth is not None:
            return self.depth
        return DEPTH if self.seconds is None else MAX_DEPTH

    def __str__(self) -> str:
        if callable(self.evaluation):
            name = getattr(self.evaluation, "__name__", type(self.evaluation).__name__)
            return str(replace(self, evaluation=name))
        return super().__str__()


class Found(NamedTuple):
    """What either engine finds."""

    depth: int
    score: int
    best: int
    line: tuple[int, ...]
    scores: tuple[int | None, ...]
    """Of each move, as far as it is known."""
    nodes: int
    bytes: int | None
    solved: bool = False
    """Whether the exact solver found it."""


def within(how: AlphaBeta, seconds: float | None) -> AlphaBeta:
    """The same search with at most so many seconds; None: as it is."""
    if seconds is None or (how.seconds is not None and how.seconds <= seconds):
        return how
    return replace(how, seconds=max(seconds, 0.001))


def search_alpha_beta(position: Position, how: AlphaBeta, engine: Engine) -> AlphaBetaReport:
    """Search a position that has at least one move."""
    from sylve.search.alpha_beta_report import make_report

    began = perf_counter()
    # A game written in Python is searched in Python: who insists on Rust is refused.
    rust = choose(engine) == "rust" and (is_compiled(position) or engine == "rust")
    if rust:
        check_compiled(position)
    if not callable(how.evaluation):
        evaluation_name(position.game, how.evaluation)
    if len(position.moves) == 1:
        (move,) = position.moves
        found = Found(0, 0, move, (move,), (None,), 0, None)
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
    otherwise: Callable[[Position, AlphaBeta], Found],
) -> Found:
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
    return Found(
        plies, score, solution.best, solution.line, scores, solution.nodes, None, solved=True
    )


def compiled(position: Position, how: AlphaBeta) -> Found:
    """By the compiled engine, also with a function of the user's own."""
    own = how.evaluation if callable(how.evaluation) else None
    name = evaluation_name(position.game, None if callable(how.evaluation) else how.evaluation)

    def custom(text: str) -> int:
        assert own is not None
        return checked(own, Position.parse(position.game, text))

    depth, score, best, line, scores, nodes, size = to_core(position).alpha_beta(
        list(position.moves),
        how.limit,
        how.seconds,
        name,
        how.table,
        how.multi,
        custom if own else None,
    )
    return Found(depth, score, best, tuple(line), tuple(scores), nodes, size)


def reference(position: Position, how: AlphaBeta) -> Found:
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


def deepened(tree: Tree, how: AlphaBeta, depth: int) -> Found:
    """One iteration."""
    root = tree.root
    if not how.multi:
        score, line = tree.alpha_beta(root, depth, -INFINITY, INFINITY)
        scores = tuple(score if move == line[0] else None for move in root.moves)
        return Found(depth, score, line[0], line, scores, tree.nodes, None)
    tree.visit()
    lines = []
    for move, after in tree.children(root):
        score, line = tree.alpha_beta(after, depth - 1, -INFINITY, INFINITY, 1)
        lines.append((score, (move, *line)))
    score, line = max(lines, key=lambda found: found[0])  # the first of equal ones
    return Found(depth, score, line[0], line, tuple(score for score, _ in lines), tree.nodes, None)


def is_proven(score: int) -> bool:
    """Whether a score is a win or a loss for certain."""
    return abs(score) >= WIN - MAX_DEPTH
