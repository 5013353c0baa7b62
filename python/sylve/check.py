"""`check_game`: play a game of your own at random and report the first broken rule in words.

Whatever it finds fits on a screen: long games, lists and states are cut.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sylve.engine import problem, to_core
from sylve.errors import cut, shown
from sylve.evaluations import evaluate, evaluations_of
from sylve.game import PLY_LIMIT, AnyGame, FullGame, Outcome
from sylve.native.entry import is_native
from sylve.position import Position
from sylve.rng import Rng
from sylve.screen import plural
from sylve.search.reference.alpha_beta import MAX_DEPTH, AlphaBeta, TimeUp, Tree, alpha_beta
from sylve.search.reports.alpha_beta_report import AlphaBetaReport
from sylve.search.run import search
from sylve.solve import Solver

MOVE_LIMIT = 1 << 16  # a move fits in 16 bits
COMPARED = 50  # of so many games one is searched near its end
SMALL = 300  # positions below one that is searched
SHOWN = 8  # moves that are told of each end of a long game


@dataclass(frozen=True, repr=False)
class GameCheck:
    """What `check_game` found. True if no rule was broken.

    >>> from sylve import check_game, load_game
    >>> found = check_game(load_game("tic_tac_toe"), games=50)
    >>> bool(found)
    True
    >>> print(found)
    no broken rule in 50 games, 418 positions
    """

    games: int
    """Games played to the end without a problem."""
    positions: int
    """Positions looked at."""
    problem: str | None
    """The first broken rule, or None."""
    moves: tuple[int, ...] = ()
    """The moves that led to it."""

    def __bool__(self) -> bool:
        return self.problem is None

    def __str__(self) -> str:
        if self.problem is None:
            counted = f"{plural(self.games, 'game')}, {plural(self.positions, 'position')}"
            return f"no broken rule in {counted}"
        return f"{self.problem} (after {_line(self.moves)}; game {self.games + 1})"

    def __repr__(self) -> str:
        return (
            f"GameCheck(games={self.games}, positions={self.positions},"
            f" problem={self.problem!r}, moves={_line(self.moves)!r})"
        )


def _line(moves: Sequence[int]) -> str:
    """The moves of a game; the middle of a long one is left out."""
    if len(moves) <= 2 * SHOWN:
        return " ".join(map(str, moves)) or "the start"
    first, last = (" ".join(map(str, part)) for part in (moves[:SHOWN], moves[-SHOWN:]))
    return f"{first} ... {last}: {len(moves):,} moves"


class _Broken(Exception):
    """A rule does not hold."""


def check_game(game: AnyGame, games: int = 1000, seed: int = 0) -> GameCheck:
    """Play `games` random games and report the first broken rule of the `Game` protocol.

    Near the end of some of them `solve`, minimax and alpha-beta must find the same winner. Of a
    game by `sylve.compiled`, the machine code must say in every position what plain Python says.

    >>> from sylve import check_game
    >>> from sylve.games import TicTacToe
    >>> class Wrong(TicTacToe):
    ...     def moves(self, state):
    ...         return []
    >>> print(check_game(Wrong()))
    outcome() is None but there is no legal move (after the start; game 1)
    """
    positions = 0
    for index in range(games):
        path: list[int] = []
        try:
            for _ in _one_game(game, Rng.stream(seed, index), path):
                positions += 1
            if index % COMPARED == 0:
                _compare_searches(game, path)
        except _Broken as broken:
            return GameCheck(index, positions, str(broken), tuple(path))
        except Exception as error:  # whatever the game raises is its first broken rule
            told = cut(" ".join(str(error).split()), 300)
            problem = f"the game raised {type(error).__name__}: {told}"
            return GameCheck(index, positions, problem, tuple(path))
    return GameCheck(games, positions, None)


def _one_game(game: AnyGame, rng: Rng, path: list[int]) -> Iterator[None]:
    state = game.start()
    _require(game.start() == state, "start() does not give the same state twice")
    full = FullGame(game)
    own = getattr(game, "longest_game", PLY_LIMIT)
    bound = int(own() if callable(own) else own)
    other: Sequence[int] = ()
    while True:
        moves = _check_state(game, state)
        _check_searched(full, state, moves, Rng(rng.state))
        if is_native(game) and not problem():
            _check_machine_code(full, state, moves, path)
        _check_legal(game, state, moves, other)
        other = moves
        yield
        if not moves:
            return
        _require(len(path) < bound, f"the game has not ended after {bound} plies")
        move = moves[rng.below(len(moves))]
        path.append(move)
        state = _check_play(game, state, move)


def _check_state(game: AnyGame, state: Any) -> Sequence[int]:
    try:
        hash(state)
    except TypeError:
        raise _Broken(f"the state {shown(state)} is not hashable") from None
    turn = game.turn(state)
    _require(turn in (0, 1), f"turn() must be a Player, 0 or 1, not {shown(turn)}")
    outcome = game.outcome(state)
    _require(
        outcome is None or isinstance(outcome, Outcome),
        f"outcome() must be None or an Outcome, not {shown(outcome)}",
    )
    moves = game.moves(state)
    _require(list(game.moves(state)) == list(moves), "moves() gives another list the second time")
    for move in moves:
        _require(
            isinstance(move, int) and 0 <= move < MOVE_LIMIT,
            f"a move must be an integer from 0 to {MOVE_LIMIT - 1}, not {shown(move)}",
        )
    _require(
        all(a < b for a, b in itertools.pairwise(moves)),
        f"moves() must be increasing and without duplicates, not {shown(list(moves))}",
    )
    if outcome is None:
        _require(len(moves) > 0, "outcome() is None but there is no legal move")
    else:
        _require(len(moves) == 0, f"outcome() is {outcome!r} but there are legal moves")
        _check_final_value(game, state, outcome)
    _check_extras(game, state, moves)
    return moves


def _check_play(game: AnyGame, state: Any, move: int) -> Any:
    before, text = hash(state), repr(state)
    after = game.play(state, move)
    _require(
        hash(state) == before and repr(state) == text,
        f"play({move}) changed the state that it was given",
    )
    _require(game.play(state, move) == after, f"play({move}) gives another state the second time")
    return after


def _check_extras(game: Any, state: Any, moves: Sequence[int]) -> None:
    """The optional methods, where the game has them."""
    if hasattr(game, "symmetries"):
        _check_symmetries(game, state, moves)
    if hasattr(game, "write") and hasattr(game, "read"):
        text = game.write(state)
        _require(game.read(text) == state, f"read({shown(text)}) is not the state that was written")
    if hasattr(game, "write_move") and hasattr(game, "read_move"):
        for move in moves:
            name = game.write_move(state, move)
            _require(
                game.read_move(state, name) == move,
                f"read_move({shown(name)}) is not the move {move} that was written",
            )


def _check_searched(full: FullGame, state: Any, moves: Sequence[int], rng: Rng) -> None:
    """What searches ask for, by the checks that they make themselves."""
    try:
        full.hash(state)
        for move in moves:
            full.kind(full.code(state, move))
        if not moves:
            return
        full.playout_moves(state)
        if evaluations_of(full.game):
            evaluate(Position(full.game, state), engine="python")
        if full.own_playout is not None:
            first, again = (full.playout(state, Rng(rng.state), []) for _ in range(2))
            _require(first == again, "playout() ends otherwise with the same random numbers")
    except ValueError as error:
        raise _Broken(str(error)) from None


def _check_machine_code(
    full: FullGame, state: Any, moves: Sequence[int], path: Sequence[int]
) -> None:
    """The compiled methods of a game beside the same in plain Python."""
    position = Position(full.game, state)
    core = to_core(position)
    outcome, winner = full.outcome(state), core.outcome()
    seen: dict[str, tuple[Any, Any]] = {
        "turn": (core.turn(), int(full.turn(state))),
        "outcome": (winner, None if outcome is None else _winner(outcome)),
        "moves": (core.moves(), list(moves)),
        "key": (core.hash(), full.hash(state)),
    }
    for move in moves:
        seen[f"play({move})"] = core.play(move).write(), full.play(state, move).data.hex()
        seen[f"code({move})"] = core.code(move), full.code(state, move)
    if moves:
        if evaluations_of(full.game):
            both = [evaluate(position, engine=engine).score for engine in ("rust", "python")]
            seen["evaluate"] = both[0], both[1]
        codes: list[int] = []
        end = full.playout(state, Rng.stream(len(path), 0), codes)
        seen["a playout"] = core.traced_playout(len(path), 0), (_winner(end), codes)
        _check_counted(full.game, state, moves)
    for what, (compiled, plain) in seen.items():
        _require(
            compiled == plain,
            f"{what}: compiled {shown(compiled)}, in plain Python {shown(plain)}",
        )


def _check_counted(game: Any, state: Any, moves: Sequence[int]) -> None:
    """`count_moves` and `nth_move`, which a playout asks instead of the list."""
    if "nth_move" in game.source.methods:
        count = int(game.plain.ask("count_moves", state))
        _require(count == len(moves), f"count_moves() is {count}, moves() gives {len(moves)}")
        for index, move in enumerate(moves):
            found = int(game.plain.ask("nth_move", state, index))
            _require(found == move, f"nth_move({index}) is {found}, moves() has {move} there")


def _winner(outcome: Outcome) -> int:
    return -1 if outcome.winner is None else int(outcome.winner)


def _check_legal(game: Any, state: Any, moves: Sequence[int], other: Sequence[int]) -> None:
    """`is_legal` must agree with the list: also about moves that were legal before."""
    if hasattr(game, "is_legal"):
        for move in {*moves, *other}:
            _require(
                bool(game.is_legal(state, move)) == (move in moves),
                f"is_legal({move}) and moves() disagree",
            )


def _check_symmetries(game: Any, state: Any, moves: Sequence[int]) -> None:
    """A position turned or mirrored is worth the same."""
    _require(hasattr(game, "transform"), "symmetries need transform()")
    for number, way in enumerate(game.symmetries):
        turned = game.transform(state, way)
        if number == 0:
            _require(turned == state, "the first of the symmetries must change nothing")
        _require(
            (game.turn(turned), game.outcome(turned), len(game.moves(turned)))
            == (game.turn(state), game.outcome(state), len(moves)),
            f"transform() gives {shown(turned)}: with another turn, outcome or number of moves",
        )


def _check_final_value(game: Any, state: Any, outcome: Outcome) -> None:
    """`solve` goes by it, where the game has it."""
    if hasattr(game, "final_value"):
        value, points = game.final_value(state), outcome.points(game.turn(state))
        _require(
            _sign(value) == points - 1,
            f"final_value() is {shown(value)} for the side to move, outcome() says"
            f" {RESULTS[points - 1]}",
        )


# Searches near the end of a game.

RESULTS = {1: "a win", 0: "a draw", -1: "a loss"}


class _SmallTree(Tree):
    """Minimax to the ends of all games, given up if there are too many positions."""

    def __init__(self, root: Position) -> None:
        super().__init__(root, _nothing)
        self.height = 0
        """The plies of the longest game."""

    def visit(self) -> None:
        super().visit()
        if self.nodes > SMALL:
            raise TimeUp

    def score(self, position: Position, ply: int) -> int:
        if position.outcome is None:
            raise TimeUp
        self.height = max(self.height, ply)
        return super().score(position, ply)


def _nothing(position: Position) -> int:  # noqa: ARG001
    """The evaluation of a position about which nothing is known."""
    return 0


def _compare_searches(game: AnyGame, path: list[int]) -> None:
    """From the end of a game back, as long as few positions lie below: who wins is certain there.

    `path` is cut to the moves that lead to the position at hand.
    """
    if getattr(game, "remembers", False):
        return  # the value of a position depends on the game before it
    states = [game.start()]
    for move in path:
        states.append(game.play(states[-1], move))
    solver = Solver(game)
    for ply in range(len(path) - 1, -1, -1):
        del path[ply:]
        position = Position(game, states[ply])
        try:
            said = _values(position, solver)
        except TimeUp:
            return
        told = ", ".join(f"{search} says {RESULTS[value]}" for search, value in said.items())
        _require(
            len(set(said.values())) == 1,
            f"searches disagree about {shown(position.state)}, for {'xo'[position.turn]} to move:"
            f" {told}; what can happen must depend on the state alone",
        )


def _values(position: Position, solver: Solver) -> dict[str, int]:
    """Who wins according to each search: 1 the side to move, 0 nobody, -1 the other side."""
    tree = _SmallTree(position)
    score, _ = tree.minimax(position, MAX_DEPTH)
    pruned, _, _ = alpha_beta(position, tree.height, _nothing)
    values = {"minimax": _sign(score), "alpha_beta": _sign(pruned)}
    report = search(position, AlphaBeta(tree.height, evaluation=_nothing))
    if isinstance(report, AlphaBetaReport) and report.score is not None:  # None: only one move
        values[f"AlphaBeta in {report.engine.capitalize()}"] = _sign(report.score)
    solution = solver.solve(position, want="value")
    if solution.value is not None:
        values["solve"] = _sign(solution.value)
    return values


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise _Broken(problem)
