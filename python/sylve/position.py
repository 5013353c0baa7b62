"""`Position`: the value that users hold. A game, a state of it, and how it came about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition, quote, shown
from sylve.game import AnyGame, FullGame, Outcome, Player, check_moves, code
from sylve.games import load_game
from sylve.own import game_text
from sylve.playouts import recorded_playout
from sylve.rng import Rng

if TYPE_CHECKING:
    from sylve.drawing.marks import ByMove


WORD = re.compile(r"\S+")
BETWEEN = re.compile(r"[\s,;]*+([^\s,;]{1,200})")  # what stands between moves and is no separator
_MISSING = object()


class Position:
    """A position of a game: immutable, hashable, printable.

    >>> position = Position.start("tic_tac_toe").play("b2")
    >>> position
    Position.parse('tic_tac_toe', '.../.x./... o')
    >>> position.play("b2")
    Traceback (most recent call last):
    sylve.errors.IllegalMove: illegal move 'b2': legal here: a1 b1 c1 a2 c2 a3 b3 c3
    """

    __slots__ = ("__dict__", "allowed", "game", "origin", "played", "state")

    game: AnyGame
    """The rules."""
    state: Any
    """The game's own form of the position."""
    origin: Any
    """The state from which `played` leads here."""
    played: tuple[int, ...]
    """The moves since `origin`. Neither counts for equality."""
    allowed: tuple[int, ...] | None
    """The moves that `restricted` leaves; None: all legal ones. It does not count for equality."""

    def __init__(
        self,
        game: AnyGame,
        state: Any = _MISSING,
        *,
        origin: Any = None,
        played: tuple[int, ...] = (),
        allowed: tuple[int, ...] | None = None,
    ) -> None:
        if state is _MISSING or isinstance(game, str):
            start = f"the start is Position.start({game!r})"
            text = f"Position.parse({game!r}, {'text' if state is _MISSING else state!r})"
            raise TypeError(f"Position takes the rules and a state: {start}, a text {text}")
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "state", state)
        object.__setattr__(self, "origin", state if origin is None else origin)
        object.__setattr__(self, "played", played)
        object.__setattr__(self, "allowed", allowed)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Position is immutable: cannot set {name!r}")

    @classmethod
    def start(cls, game: str | AnyGame) -> Position:
        """The start of a game: a string such as `"hex(size=5)"`, or a game of your own."""
        rules = _rules(game)
        return cls(rules, rules.start())

    @classmethod
    def parse(cls, game: str | AnyGame, text: str, moves: str = "") -> Position:
        """The position that `text` describes (docs/spec.md), with `moves` played from it."""
        rules = _rules(game)
        return cls(rules, _own(rules, "read", "positions have no text")(text)).play_line(moves)

    # The rules.

    @cached_property
    def turn(self) -> Player:
        """Who is to move."""
        return Player(self.game.turn(self.state))

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.game.outcome(self.state)

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The legal moves, increasing; empty once the game is over."""
        if self.allowed is not None:
            return self.allowed
        return tuple(check_moves(self.game.moves(self.state)))

    def restricted(self, moves: Iterable[int | str]) -> Position:
        """The same position with these of its legal moves only: a search looks at no other.

        Only here: after a move all replies are legal again.
        """
        wanted = {self.move(move) if isinstance(move, str) else move for move in moves}
        for move in wanted.difference(self.moves):
            raise IllegalMove(f"illegal move {move!r}: cannot restrict {self!r} to it")
        if not wanted and self.moves:
            raise IllegalMove(f"no move is left of {self!r}")
        allowed = tuple(move for move in self.moves if move in wanted)
        return Position(
            self.game, self.state, origin=self.origin, played=self.played, allowed=allowed
        )

    def play(self, move: int | str) -> Position:
        """The position after a move, given as a number or by name."""
        number = self.move(move) if isinstance(move, str) else move
        if not self._is_legal(number):
            names = " ".join(f"{m}={self.name(m)}" for m in self.moves[:12])
            allowed = f"legal here: {names}" if self.moves else "the game is over"
            raise IllegalMove(f"illegal move {move!r}: {allowed}")
        return Position(
            self.game,
            self.game.play(self.state, number),
            origin=self.origin,
            played=(*self.played, number),
        )

    def searched(self, move: int) -> Position:
        """The position after a legal move as a search sees it: without the history (Go)."""
        return Position(self.game, FullGame(self.game).play(self.state, move))

    def _is_legal(self, move: int) -> bool:
        # The list may be long and slow to make (Go); a game may know the answer without it.
        own = getattr(self.game, "is_legal", None)
        if own is None or self.allowed is not None or "moves" in self.__dict__:
            return move in self.moves
        return bool(own(self.state, move))

    def play_line(self, moves: str | Iterable[int | str], *, most: int | None = None) -> Position:
        """The position after several moves: numbers, names, or the usual text (`f5d6c3`).

        Forced passes may be left out, as transcripts of Othello do. More than `most` are refused.
        """
        position = self
        for move in self._split(moves) if isinstance(moves, str) else moves:
            position = position._play_in_line(move)
            if most is not None and len(position.played) - len(self.played) > most:
                raise InvalidMove(f"more than {most} moves")
        return position

    def _play_in_line(self, move: int | str) -> Position:
        try:
            return self.play(move)
        except IllegalMove:
            forced_move = getattr(self.game, "forced_move", None)
            forced = forced_move(self.state) if forced_move else None
            if forced is None:
                raise
        return self.play(forced).play(move)

    def _split(self, text: str) -> Iterator[str]:
        """The moves of a text, one at a time: what follows the end of a game is not looked at."""
        pattern = getattr(self.game, "move_text", None)
        at = 0
        for match in (pattern or WORD).finditer(text):
            self._check_between(text, at, match.start())
            at = match.end()
            yield match[0]
        self._check_between(text, at, len(text))

    def _check_between(self, text: str, start: int, end: int) -> None:
        strange = BETWEEN.match(text, start, end)
        if strange:
            allowed = getattr(self.game, "move_syntax", "moves as this game writes them")
            raise InvalidMove(
                f"invalid moves {quote(text)}: cannot read {quote(strange[1])}: expected {allowed}"
            )

    def playout(self, rng: Rng) -> Playout:
        """A random game from here: the one that a simulation plays with the same generator.

        >>> Position.start("tic_tac_toe").playout(Rng.stream(1, 0)).outcome
        Outcome(winner=<Player.FIRST: 0>)
        """
        if not isinstance(rng, Rng):
            raise TypeError(f"rng must be a generator such as Rng.stream(1, 0), not {shown(rng)}")
        game = FullGame(self.game)
        outcome, moves, codes, state = recorded_playout(game, game.forget(self.state), rng)
        end = Position(self.game, state, origin=self.origin, played=(*self.played, *moves))
        return Playout(outcome, tuple(moves), tuple(codes), end)

    # Names and text.

    def name(self, move: int) -> str:
        """The name of a move."""
        own = getattr(self.game, "write_move", None)
        return str(own(self.state, move)) if own else str(move)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the legal moves, in the order of `moves`."""
        return tuple(self.name(move) for move in self.moves)

    def move(self, name: str) -> int:
        """The legal move of this name."""
        own = getattr(self.game, "read_move", None)
        if own:
            return int(own(self.state, name))
        by_name = dict(zip(self.names, self.moves, strict=True))
        if name.strip() not in by_name:
            raise IllegalMove(f"illegal move {quote(name)}: legal here: {' '.join(by_name)}")
        return by_name[name.strip()]

    @property
    def text(self) -> str:
        """The position as text, as `parse` reads it."""
        return str(_own(self.game, "write", "positions have no text")(self.state))

    @property
    def key(self) -> int:
        """The 64-bit hash of the position, the same in both engines."""
        _own(self.game, "hash", "positions have no 64-bit hash")
        return FullGame(self.game).hash(self.state)

    def code(self, move: int) -> int:
        """The AMAF code of a move."""
        return code(self.game, self.state, move)

    # Symmetries.

    def symmetries(self) -> tuple[Position, ...]:
        """This position turned and mirrored in every way that changes nothing; itself first."""
        ways = getattr(self.game, "symmetries", ())
        if not ways:
            return (self,)
        transform = _own(self.game, "transform", "positions cannot be turned or mirrored")
        return tuple(Position(self.game, transform(self.state, way)) for way in ways)

    # Values.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return bool(self.game == other.game and self.state == other.state)

    def __hash__(self) -> int:
        return hash(self.state)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, self.state, self.origin, self.played, self.allowed)

    def __repr__(self) -> str:
        if not hasattr(self.game, "write"):
            return f"Position({self.game!r}, {self.state!r})"
        game = game_text(self.game)
        if getattr(self.game, "remembers", False) and self.played:
            start = Position(self.game, self.origin)
            names = []
            for move in self.played:
                names.append(start.name(move))
                start = Position(self.game, self.game.play(start.state, move))
            text = Position(self.game, self.origin).text
            return f"Position.parse({game!r}, {text!r}, {' '.join(names)!r})"
        return f"Position.parse({game!r}, {self.text!r})"

    def __str__(self) -> str:
        """The board for a terminal, and whose turn it is."""
        draw = getattr(self.game, "draw", None)
        board = str(draw(self.state)) if draw else str(self.state)
        return f"{board}\n{self.state_of_play}"

    @property
    def state_of_play(self) -> str:
        """Who is to move, or how the game ended, in words."""
        if self.outcome is None:
            return f"{'xo'[self.turn]} to move"
        return "draw" if self.outcome.winner is None else f"{'xo'[self.outcome.winner]} won"

    def svg(
        self,
        *,
        last: int | str | None = None,
        heat: ByMove[float] | None = None,
        arrows: Iterable[int | str] = (),
        labels: ByMove[str] | None = None,
        turn: bool = True,
        size: int = 400,
    ) -> str:
        """A drawing of the board, as SVG text.

        `last` marks a move (by default the last one played), `heat` colours moves by a value from
        0 to 1, `arrows` draws moves as arrows or rings, `labels` writes on moves; `turn=False`
        leaves out the line that says who is to move.
        """
        from sylve.drawing import draw_position

        return draw_position(
            self, last=last, heat=heat, arrows=arrows, labels=labels, turn=turn, size=size
        )

    def _repr_html_(self) -> str:
        return f"<div>{self.svg()}</div>"

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True)
class Playout:
    """A random game from a position to its end."""

    outcome: Outcome
    moves: tuple[int, ...]
    """The moves played."""
    codes: tuple[int, ...]
    """Their AMAF codes; in Hex also those of the cells that are filled after the end."""
    end: Position
    """Where the game ended, or was cut off (Go)."""


def as_position(given: Position | str | AnyGame) -> Position:
    """The position that a user means: itself, or the start of a game."""
    return given if isinstance(given, Position) else Position.start(given)


def _rules(game: str | AnyGame) -> AnyGame:
    if isinstance(game, str):
        return load_game(game)
    if isinstance(game, type):
        raise InvalidGame(f"give a game, not its class: {game.__name__}()")
    if not callable(getattr(game, "start", None)):
        raise InvalidGame(
            'a game is a text such as "othello", or an object with the methods start, turn,'
            f" outcome, moves and play, not {shown(game)}"
        )
    return game


def _restore(
    game: AnyGame,
    state: Any,
    origin: Any,
    played: tuple[int, ...],
    allowed: tuple[int, ...] | None = None,
) -> Position:
    return Position(game, state, origin=origin, played=played, allowed=allowed)


def position_text(position: Position) -> str | None:
    """The position as text, where its game has one."""
    return position.text if hasattr(position.game, "write") else None


def _own(game: AnyGame, method: str, otherwise: str) -> Any:
    own = getattr(game, method, None)
    if own is None:
        raise InvalidPosition(f"{shown(game)} has no method {method!r}: its {otherwise}")
    return own
