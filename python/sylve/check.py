"""`check_game`: play a game of your own at random and report the first broken rule in words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sylve.game import AnyGame, Outcome, code
from sylve.rng import Rng

MOVE_LIMIT = 1 << 16  # a move fits in 16 bits
PLY_LIMIT = 10_000  # a game without `max_plies` that lasts longer is taken to be endless


@dataclass(frozen=True)
class GameCheck:
    """What `check_game` found. True if no rule was broken."""

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
            return f"no broken rule in {self.games} games, {self.positions} positions"
        path = " ".join(map(str, self.moves)) or "the start"
        return f"{self.problem} (after {path}; game {self.games + 1})"


class _Broken(Exception):
    """A rule does not hold."""


def check_game(game: AnyGame, games: int = 1000, seed: int = 0) -> GameCheck:
    """Play `games` random games and report the first broken rule of the `Game` protocol."""
    positions = 0
    for index in range(games):
        path: list[int] = []
        try:
            for _ in _one_game(game, Rng.stream(seed, index), path):
                positions += 1
        except _Broken as broken:
            return GameCheck(index, positions, str(broken), tuple(path))
        except Exception as error:  # whatever the game raises is its first broken rule
            problem = f"the game raised {type(error).__name__}: {error}"
            return GameCheck(index, positions, problem, tuple(path))
    return GameCheck(games, positions, None)


def _one_game(game: AnyGame, rng: Rng, path: list[int]) -> Iterator[None]:
    state = game.start()
    _require(game.start() == state, "start() does not give the same state twice")
    bound = int(getattr(game, "max_plies", lambda: PLY_LIMIT)())
    while True:
        moves = _check_state(game, state)
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
        raise _Broken(f"the state {state!r} is not hashable") from None
    turn = game.turn(state)
    _require(turn in (0, 1), f"turn() must be a Player, 0 or 1, not {turn!r}")
    outcome = game.outcome(state)
    _require(
        outcome is None or isinstance(outcome, Outcome),
        f"outcome() must be None or an Outcome, not {outcome!r}",
    )
    moves = game.moves(state)
    _require(list(game.moves(state)) == list(moves), "moves() gives another list the second time")
    for move in moves:
        _require(
            isinstance(move, int) and 0 <= move < MOVE_LIMIT,
            f"a move must be an integer from 0 to {MOVE_LIMIT - 1}, not {move!r}",
        )
    _require(
        all(a < b for a, b in itertools.pairwise(moves)),
        f"moves() must be increasing and without duplicates, not {list(moves)!r}",
    )
    if outcome is None:
        _require(len(moves) > 0, "outcome() is None but there is no legal move")
    else:
        _require(len(moves) == 0, f"outcome() is {outcome!r} but there are legal moves")
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
    if hasattr(game, "hash"):
        key = game.hash(state)
        _require(
            isinstance(key, int) and 0 <= key < 1 << 64,
            f"hash() must be an integer of 64 bits, not {key!r}",
        )
    if hasattr(game, "codes"):
        for move in moves:
            _require(
                0 <= code(game, state, move) < game.codes(),
                f"code() of move {move} is {code(game, state, move)}, codes() is {game.codes()}",
            )
    if hasattr(game, "write") and hasattr(game, "read"):
        text = game.write(state)
        _require(game.read(text) == state, f"read({text!r}) is not the state that was written")
    if hasattr(game, "write_move") and hasattr(game, "read_move"):
        for move in moves:
            name = game.write_move(state, move)
            _require(
                game.read_move(state, name) == move,
                f"read_move({name!r}) is not the move {move} that was written",
            )


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise _Broken(problem)
