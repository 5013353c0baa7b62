"""Playout policies: how a simulation goes on once it has left the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, ClassVar

from sylve.errors import quote, shown
from sylve.game import AnyGame, FullGame, Outcome, Player
from sylve.games import GAMES
from sylve.grammar import write_call
from sylve.position import Position
from sylve.rng import Rng
from sylve.search import values
from sylve.search.reference.arithmetic import uniform as uniform_number
from sylve.search.reference.results import check_outcome
from sylve.search.reference.tally import Tally
from sylve.search.values import Value, check_place, number, whole

CODE_WEIGHT = re.compile("([0-9]{1,9}):([0-9]{1,9})")
NAME_WEIGHT = re.compile(r"([^\s=]+)=([0-9]{1,9})")
LARGEST_WEIGHT = 1_000_000

Weigh = Callable[[Position, int], int]
"""A function from a position and a move to the weight of the move."""


class Policy(Value):
    """A playout policy.

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import Policy
    >>> class First(Policy):  # the same playout every time
    ...     def choose(self, game, state, moves, rng, mast):
    ...         return moves[0]
    >>> report = search(Position.start("tic_tac_toe"), Uct(100, playout=First(), seed=1))
    >>> report.best_name, report.engine
    ('b2', 'python')
    """

    needed: ClassVar[tuple[str, ...]] = ("choose", "playout", "pick")
    compiled_method: ClassVar[str] = "pick"

    coded: ClassVar[bool] = True
    """Whether it looks at AMAF codes."""
    learns: ClassVar[bool] = True
    """Whether it looks at the results of codes: searches keep and save them then."""
    real: ClassVar[bool] = False
    """Whether its results may be estimates instead of wins, draws and losses (`cut`)."""

    @property
    def inner(self) -> tuple[Policy, ...]:
        """The policies that it leaves choices to."""
        return ()

    @property
    def parts(self) -> tuple[Policy, ...]:
        """Itself and those, and theirs."""
        return (self, *(part for policy in self.inner for part in policy.parts))

    def check_game(self, game: AnyGame) -> None:
        """Refuse a game that it cannot play."""
        for policy in self.inner:
            policy.check_game(game)

    def pick(
        self, moves: Sequence[int], codes: Sequence[int], tallies: Sequence[Tally], rng: Rng
    ) -> int:
        """The place of the move to play, from 0, for a policy that looks at nothing else.

        Given are the AMAF codes of the moves, if it is `coded`, and if it `learns` too, the
        results of each code in the whole search, for the player to move.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rule")

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """The move to play. `mast` holds the results of every code so far, for the first player."""
        codes = [game.code(state, move) for move in moves] if self.coded else []
        tallies = []
        if codes and self.learns:
            tallies = [mast.get(code) or Tally() for code in codes]
            if game.turn(state) == Player.SECOND:
                tallies = [tally.of_second() for tally in tallies]
        return moves[self.checked_pick(moves, codes, tallies, rng)]

    def checked_pick(
        self, moves: Sequence[int], codes: Sequence[int], tallies: Sequence[Tally], rng: Rng
    ) -> int:
        """What it picks, checked."""
        return check_place(f"{self}: pick()", self.pick(moves, codes, tallies, rng), len(moves))

    def playout(
        self, game: FullGame, state: Any, rng: Rng, played: list[int], mast: dict[int, Tally]
    ) -> Outcome:
        """Play to the end; `played` receives the codes."""
        for _ in range(game.max_plies):
            if (outcome := game.outcome(state)) is not None:
                return outcome
            state = play_move(self, game, state, rng, played, mast)
        return game.outcome(state) or game.cut_off(state)


def play_move(
    policy: Policy,
    game: FullGame,
    state: Any,
    rng: Rng,
    played: list[int],
    mast: dict[int, Tally],
) -> Any:
    """The state after a move that a policy chooses; `played` receives its code."""
    moves = game.playout_moves(state)
    move = policy.choose(game, state, moves, rng, mast)
    if policy.is_own and move not in moves:
        raise ValueError(
            f"{policy}: choose() must give one of the moves {shown(moves)}, not {shown(move)}"
        )
    played.append(game.code(state, move))
    return game.play(state, move)


@dataclass(frozen=True)
class uniform(Policy):  # noqa: N801 (values of the grammar have lower-case names)
    """Every legal move alike: fast, unbiased between moves, and blind.

    Hex and Go play it by ways of their own (docs/spec.md).

    >>> from sylve import Uct
    >>> from sylve.policies import uniform
    >>> Uct(100) == Uct(100, playout=uniform())
    True
    """

    coded: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    def playout(
        self, game: FullGame, state: Any, rng: Rng, played: list[int], mast: dict[int, Tally]
    ) -> Outcome:
        """Play to the end, by the game's own way where it has one."""
        return game.playout(state, rng, played)

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """One draw, also when there is one move."""
        return moves[rng.below(len(moves))]


@dataclass(frozen=True)
class decisive(Policy):  # noqa: N801
    """Take a win in one; else leave the opponent none, if possible; else uniform.

    Teytaud and Teytaud 2010, "decisive and anti-decisive moves". A slower playout, and worth it
    where games end suddenly (Breakthrough, Connect Four).

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import decisive
    >>> board = Position.start("breakthrough(columns=5, rows=5)")
    >>> search(board, Uct(300, playout=decisive(), seed=1)).best_name
    'c2-b3'
    """

    coded: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """The first winning move without a draw; else one draw, and one more if it is not safe."""
        player = game.turn(state)
        for move in moves:
            if wins(game, game.play(state, move), player):
                return move
        drawn = moves[rng.below(len(moves))]
        if not can_win(game, game.play(state, drawn), player):
            return drawn
        safe = [move for move in moves if not can_win(game, game.play(state, move), player)]
        return safe[rng.below(len(safe))] if safe else drawn


@dataclass(frozen=True)
class mast(Policy):  # noqa: N801
    """Epsilon-greedy on the mean result of each code over the whole search; unseen codes are 1/2.

    Move-Average Sampling Technique, Finnsson and Bjornsson 2008 (they draw by a softmax). Good
    where a move is good in most positions; repeats itself and misleads where timing matters.

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import mast
    >>> how = Uct(300, playout=mast(epsilon=0.4), seed=1)
    >>> search(Position.start("hex(size=4)"), how).best_name
    'b2'
    """

    epsilon: float = 0.4

    def __post_init__(self) -> None:
        number(self, "epsilon", 0.0, 1.0)

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """A draw decides between random (one more draw) and best (the first maximum)."""
        if uniform_number(rng) < self.epsilon:
            return moves[rng.below(len(moves))]
        player = game.turn(state)
        best, best_mean = moves[0], -1.0
        for move in moves:
            tally = mast.get(game.code(state, move))
            mean = 0.5
            if tally is not None:
                mean = (tally if player == Player.FIRST else tally.of_second()).mean()
            if mean > best_mean:
                best, best_mean = move, mean
        return best


@dataclass(frozen=True)
class weighted(Policy):  # noqa: N801
    """A draw in proportion to a whole weight per move: the course's "guided playout".

    `weights` is one of: `{"a2-a3": 5}`, by names of moves; `{11: 5}`, by AMAF codes; the same as
    text, `"a2-a3=5 11:5"`; or a function of a position and a move, which only the Python engine
    can ask. Moves without a weight weigh `otherwise`. As good as the weights: a wrong one misleads
    every simulation.

    >>> from sylve import Position, Uct, search
    >>> from sylve.policies import weighted
    >>> centre = weighted({"b2": 9})
    >>> search(Position.start("tic_tac_toe"), Uct(500, playout=centre, seed=1)).best_name
    'b2'
    """

    weights: str | Mapping[str, int] | Mapping[int, int] | Weigh = ""
    otherwise: int = 1
    learns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        whole(self, "otherwise", 0, LARGEST_WEIGHT)
        if isinstance(self.weights, Mapping):
            # As text it is frozen, and can be written to a file.
            pairs = [
                f"{key}{'=' if isinstance(key, str) else ':'}{weight}"
                for key, weight in self.weights.items()
            ]
            for pair in pairs:
                read_weight(pair)
            object.__setattr__(self, "weights", " ".join(pairs))
        elif not isinstance(self.weights, str) and not callable(self.weights):
            raise ValueError(
                "weighted: weights must be text, a mapping or a function,"
                f" not {values.shown(self.weights)}"
            )
        _ = self.table

    @cached_property
    def table(self) -> dict[int | str, int]:
        """The weight of each code or name that has one of its own."""
        words = self.weights.split() if isinstance(self.weights, str) else []
        return dict(map(read_weight, words))

    @property
    def names(self) -> list[str]:
        """The names that have a weight."""
        return [key for key in self.table if isinstance(key, str)]

    def check_names(self, game: AnyGame, owner: str = "weighted") -> None:
        """Refuse names that no move of the game can have, where the game can tell."""
        if self.names and type(game) in GAMES.values():  # a derived one may name moves otherwise
            known = set(code_names(game))
            for name in self.names:
                if name not in known:
                    close = get_close_matches(name, sorted(known), 1)
                    hint = f": did you mean {close[0]!r}?" if close else ""
                    raise ValueError(
                        f"{owner}: no move of {shown(game)} is called {quote(name)}{hint}"
                    )

    def by_code(self, game: AnyGame) -> dict[int, int]:
        """The weights of the codes: a code has that of its name unless it has one itself."""
        names = enumerate(code_names(game))
        table = {code: self.table[name] for code, name in names if name in self.table}
        return table | {key: weight for key, weight in self.table.items() if isinstance(key, int)}

    def weigh(self, game: FullGame, state: Any, move: int) -> int:
        """The weight of a move: by its code, else by its name, else by nothing."""
        if callable(self.weights):
            weight = self.weights(Position(game.game, state), move)
            if type(weight) is not int or not 0 <= weight <= LARGEST_WEIGHT:
                raise ValueError(
                    f"weighted: {function_name(self.weights)} must give a whole number from 0 to"
                    f" {LARGEST_WEIGHT}, not {shown(weight)}"
                )
            return weight
        number = game.code(state, move)
        if number in self.table:
            return self.table[number]
        name = Position(game.game, state).name(move) if self.names else ""
        return self.table.get(name, self.otherwise)

    def choose(
        self, game: FullGame, state: Any, moves: Sequence[int], rng: Rng, mast: dict[int, Tally]
    ) -> int:
        """One draw below the sum of the weights; uniform if all weigh nothing."""
        return draw_by_weight(moves, [self.weigh(game, state, move) for move in moves], rng)

    def __str__(self) -> str:
        if callable(self.weights):
            return write_call(self.name(), {"weights": function_name(self.weights)})
        return super().__str__()


def draw_by_weight(moves: Sequence[int], weights: Sequence[int], rng: Rng) -> int:
    """One draw below the sum of the weights; uniform if all weigh nothing."""
    total = sum(weights)
    if total == 0:
        return moves[rng.below(len(moves))]
    left = rng.below(total)
    for move, weight in zip(moves, weights, strict=True):
        if left < weight:
            return move
        left -= weight
    raise AssertionError("the weights do not sum to their total")


def read_weight(pair: str) -> tuple[int | str, int]:
    """A code or a name, and its weight.

    >>> read_weight("11:5"), read_weight("a2-a3=5")
    ((11, 5), ('a2-a3', 5))
    """
    by_code = CODE_WEIGHT.fullmatch(pair)
    by_name = NAME_WEIGHT.fullmatch(pair)
    found = by_code or by_name
    if not found or int(found[2]) > LARGEST_WEIGHT:
        raise ValueError(
            "weighted: weights must be code:weight or name=weight pairs such as '3:10 b2=5', with"
            f" weights up to {LARGEST_WEIGHT}, not {quote(pair)}"
        )
    return int(found[1]) if by_code else found[1], int(found[2])


def code_names(game: AnyGame) -> list[str]:
    """By code, the name of the moves that have it. Only compiled games can tell."""
    return [game.code_name(code) for code in range(game.codes())]  # type: ignore[attr-defined]


def function_name(function: Callable[..., object]) -> str:
    """What a function is called."""
    return getattr(function, "__name__", type(function).__name__)


def wins(game: FullGame, state: Any, player: Player) -> bool:
    """Whether the game is over and won by `player`."""
    outcome = game.outcome(state)
    if outcome is None:
        return False
    check_outcome(outcome)
    return outcome.winner == player


def can_win(game: FullGame, state: Any, player: Player) -> bool:
    """Whether the opponent of `player`, to move, has a win in one."""
    if game.outcome(state) is not None or game.turn(state) == player:
        return False
    other = Player(player).other
    return any(wins(game, game.play(state, move), other) for move in game.playout_moves(state))
