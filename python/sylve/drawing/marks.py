"""What is to be drawn on a position: moves by number or name, checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from sylve.drawing.board import Board, other_to_move
from sylve.errors import IllegalMove, InvalidMove, quote, shown
from sylve.games.board import NO_SUCH_MOVE, BoardGame

if TYPE_CHECKING:
    from sylve.position import Position

Value = TypeVar("Value")
ByMove = Mapping[int, Value] | Mapping[str, Value] | Mapping[int | str, Value]
"""Moves by number, by name or both (a mapping's keys are invariant for type checkers)."""


@dataclass(frozen=True)
class Marks:
    """The marks of one drawing, by the number of the move."""

    last: int | None = None
    heat: dict[int, float] = field(default_factory=dict)
    arrows: tuple[int, ...] = ()
    labels: dict[int, str] = field(default_factory=dict)

    @property
    def moves(self) -> list[int]:
        """Every marked move but the last one."""
        return sorted({*self.heat, *self.arrows, *self.labels})


def read_marks(
    position: Position,
    board: Board,
    last: int | str | None,
    heat: ByMove[float] | None,
    arrows: Iterable[int | str],
    labels: ByMove[str] | None,
) -> Marks:
    """Check the marks that a user asks for."""
    names = dict(zip(position.names, position.moves, strict=True))
    legal = set(position.moves)

    def find(move: int | str) -> int:
        if isinstance(move, str):
            return names[move] if move in names else position.move(move)
        if move not in legal:
            position.play(move)  # raises, with the list of what is legal
        return int(move)

    def by_number(given: ByMove[Value] | None, what: str) -> Iterator[tuple[int, Value]]:
        seen = set()
        for key, value in (given or {}).items():
            move = find(key)
            if move in seen:
                raise ValueError(f"{what}: the move {key!r} is given twice")
            seen.add(move)
            yield move, value

    colours = {}
    for move, value in by_number(heat, "heat"):
        if not 0 <= value <= 1:  # also refuses NaN
            raise ValueError(
                f"heat of {position.name(move)!r} must be a number from 0 to 1, not {value!r}"
            )
        colours[move] = float(value)
    return Marks(
        last=read_last(position, board, last),
        heat=colours,
        arrows=tuple(find(move) for move in ([arrows] if isinstance(arrows, str) else arrows)),
        labels={move: str(text) for move, text in by_number(labels, "labels") if str(text)},
    )


def read_last(position: Position, board: Board, last: int | str | None) -> int | None:
    """The move that led here. It is not legal any more: only its form can be checked."""
    if last is None:
        return position.played[-1] if position.played else None
    game = position.game
    if not isinstance(game, BoardGame):
        if not isinstance(last, str):
            return last
        raise InvalidMove(
            f"invalid last={quote(last)}: {shown(game)} names no cells, give its number"
        )
    before = other_to_move(position.state)
    if not isinstance(last, str):
        cells = game.columns * game.rows
        # A pass or a swap is no cell, but has a name that reads back.
        if board.last_cells(last)[1] is not None or (
            last == cells and game.find_move(before, game.write_move(before, last)) == last
        ):
            return last
        raise IllegalMove(f"illegal last={last!r}: no move of {game}")
    move = game.find_move(before, last.strip())
    if move is None:
        raise InvalidMove(f"invalid last={quote(last)}: expected {game.move_syntax}")
    if move == NO_SUCH_MOVE:
        raise IllegalMove(f"illegal last={quote(last)}: no move of {game}")
    return move
