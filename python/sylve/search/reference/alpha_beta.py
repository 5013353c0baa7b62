"""Minimax and alpha-beta, to be read: course document 004, mended.

`Tree.minimax` visits everything, `Tree.alpha_beta` leaves out what cannot matter; both find the
same score, which is also that of the compiled engine. What the document's code gets wrong:

- its evaluation speaks for whoever is to move at the leaf, so that the sign depends on the parity
  of the depth: here every score is for the player who searches (`Tree.score`);
- a finished game is evaluated like any other position: here it is won, lost or drawn;
- a side that must pass has no move, and the search returns infinity: here a pass is a move;
- the sides alternate: here the position is asked, since a player may move twice in a row;
- the last of equal moves wins, also one whose score is only a bound: here the first wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from time import perf_counter

from sylve.evaluations import Custom, checked, evaluation_name, named
from sylve.game import FullGame
from sylve.position import Position
from sylve.search.values import Value, number, shown, whole

WIN = 1_000_000
"""A game that is won at the root; each ply that the win takes costs 1."""
MAX_DEPTH = 100
INFINITY = 2 * WIN

DEPTH = 6
"""Where neither depth nor time is given."""
TABLE = 1 << 20
LARGEST_TABLE = 1 << 28

Line = tuple[int, ...]


# It is no `Search`: it has no playouts, no seed and no policy.
@dataclass(frozen=True)
class AlphaBeta(Value):
    """Alpha-beta: the value of minimax at some depth, found with few of its positions.

    Document 004. Deepens one ply at a time until `depth` is reached or `seconds` are over, and
    looks at good moves first. The score is exact for the evaluation at that depth; what lies beyond
    the depth it does not see. Strong where an evaluation tells much (Othello, Breakthrough).

    >>> from sylve import AlphaBeta, Position, search
    >>> report = search(Position.start("othello").play("f5"), AlphaBeta(3))
    >>> report.best_name, report.score
    ('d6', -692)
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


class TimeUp(Exception):
    """The search must end now."""


class Tree:
    """The tree of moves below a position, for the player to move there."""

    def __init__(
        self, root: Position, evaluation: str | Custom | None, deadline: float | None = None
    ) -> None:
        self.root = root
        self.evaluation = evaluation
        self.deadline = deadline
        if not callable(evaluation):
            self.named = named(root.game, evaluation_name(root.game, evaluation))
        self.game = FullGame(root.game)
        self.nodes = 0
        """Positions visited, leaves included."""

    def minimax(self, position: Position, depth: int, ply: int = 0) -> Found:
        """The score and the line that leads to it, by looking at everything."""
        self.visit()
        if depth == 0 or position.outcome is not None:
            return self.score(position, ply), ()
        maximizing = position.turn == self.root.turn
        best_score: int = -INFINITY if maximizing else INFINITY
        best_line: Line = ()
        for move, after in self.children(position):
            score, line = self.minimax(after, depth - 1, ply + 1)
            if score > best_score if maximizing else score < best_score:
                best_score, best_line = score, (move, *line)
        return best_score, best_line

    def alpha_beta(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int = 0
    ) -> Found:
        """The same, without looking at moves that the players would not let happen.

        alpha is what the player who searches is sure of elsewhere, beta the same of the other.
        """
        self.visit()
        if depth == 0 or position.outcome is not None:
            return self.score(position, ply), ()
        maximizing = position.turn == self.root.turn
        best_score: int = -INFINITY if maximizing else INFINITY
        best_line: Line = ()
        for move, after in self.children(position):
            score, line = self.alpha_beta(after, depth - 1, alpha, beta, ply + 1)
            if score > best_score if maximizing else score < best_score:
                best_score, best_line = score, (move, *line)
            if maximizing:
                alpha = max(alpha, best_score)
            else:
                beta = min(beta, best_score)
            if beta <= alpha:
                break  # one of them will not come here
        return best_score, best_line

    def children(self, position: Position) -> Iterator[tuple[int, Position]]:
        """The moves and where they lead. Below the root Go forgets its history, as all searches do.

        A forced pass of Othello is a move like any other.
        """
        game, state = position.game, position.state
        for move in position.moves:
            yield move, Position(game, self.game.play(state, move))

    def score(self, position: Position, ply: int) -> int:
        """A leaf, for the player to move at the root, whoever is to move here."""
        player = self.root.turn
        if position.outcome is not None:
            # 2, 1 or 0 half points: won, drawn, lost; sooner counts more.
            return (WIN - ply) * (position.outcome.points(player) - 1)
        if callable(self.evaluation):
            score = checked(self.evaluation, position)
        else:
            score, _ = self.named(position.game, position.state)
        return score if position.turn == player else -score

    def visit(self) -> None:
        """Count a position and look at the clock."""
        self.nodes += 1
        if self.deadline is not None and perf_counter() >= self.deadline:
            raise TimeUp


Found = tuple[int, Line]


def minimax(
    position: Position, depth: int, evaluation: str | Custom | None = None
) -> tuple[int, Line, int]:
    """The score for the side to move, the line, and the number of positions visited."""
    tree = Tree(position, evaluation)
    return *tree.minimax(position, depth), tree.nodes


def alpha_beta(
    position: Position, depth: int, evaluation: str | Custom | None = None
) -> tuple[int, Line, int]:
    """The same by alpha-beta."""
    tree = Tree(position, evaluation)
    return *tree.alpha_beta(position, depth, -INFINITY, INFINITY), tree.nodes


def is_proven(score: int) -> bool:
    """Whether a score is a win or a loss for certain."""
    return abs(score) >= WIN - MAX_DEPTH
