"""`Record`: one game as it was played, with what was found out about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sylve.errors import IllegalMove, quote
from sylve.game import Player
from sylve.games.go import Go
from sylve.games.othello import Othello
from sylve.position import Position
from sylve.search.reports.report import Report

# Who won, and by what: points, Resignation, Time, Forfeit; nothing if no score was kept.
RESULT = re.compile(r"[xo]\+(?:[0-9]+(?:\.[0-9]+)?|[RTF])?|draw|void|", re.ASCII)


MOST_MOVES = 2000  # of a record; the longest games of people have 400


class InvalidRecord(ValueError):
    """A file that is no record of a game, or of a game that the rules do not allow.

    >>> from sylve.records import read_record
    >>> read_record("(;GM[2]")
    Traceback (most recent call last):
    sylve.records.record.InvalidRecord: SGF: the file ends inside a game: 1 ')' missing
    """


@dataclass(frozen=True)
class Record:
    """The main line of a game.

    >>> record = Record(Position.start("tic_tac_toe"), (4, 0), players=("Ann", "Bob"))
    >>> record.names
    ('b2', 'a1')
    """

    opening: Position
    """Where the game begins; its own history does not count."""
    moves: tuple[int, ...] = ()
    players: tuple[str, str] = ("", "")
    """Who played first and second."""
    result: str = ""
    """`x+3.5`, `o+R` (resigned), `T` (time), `F` (forfeit), `x+`, `draw`, `void`, or unknown."""
    date: str = ""
    event: str = ""
    comment: str = ""
    analysis: Mapping[int, Report] = field(default_factory=dict)
    """What a search said before move number k, counted from 0."""

    def __post_init__(self) -> None:
        if not RESULT.fullmatch(self.result):
            raise InvalidRecord(
                f"invalid result {quote(self.result)}: expected a text such as 'x+3.5', 'o+R',"
                " 'x+', 'draw', 'void' or nothing"
            )
        check_length(len(self.moves))
        positions = self.positions
        for ply, report in self.analysis.items():
            if not 0 <= ply < len(positions) or report.position != positions[ply]:
                raise InvalidRecord(f"the analysis of ply {ply} is of another position")

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the game, the first and the last included."""
        positions = [Position(self.opening.game, self.opening.state)]
        for number, move in enumerate(self.moves, 1):
            try:
                positions.append(positions[-1].play(move))
            except IllegalMove as error:
                raise InvalidRecord(f"move {number}: {error}") from None
        return tuple(positions)

    @property
    def final(self) -> Position:
        """The last position."""
        return self.positions[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """The moves by name."""
        return tuple(
            position.name(move) for position, move in zip(self.positions, self.moves, strict=False)
        )

    @property
    def from_start(self) -> bool:
        """Whether the game begins where games of its kind begin."""
        return self.opening == Position.start(self.opening.game)


def check_length(moves: int) -> None:
    """Refuse a game of too many moves: each of its positions knows all that was before it."""
    if moves > MOST_MOVES:
        raise InvalidRecord(f"more than {MOST_MOVES} moves")


def result_of(position: Position) -> str:
    """The result of a finished game, with the margin where the game counts one; else nothing.

    >>> from sylve import Position
    >>> from sylve.records import result_of
    >>> result_of(Position.start("tic_tac_toe").play_line("b2 a1 b1 a2 b3"))
    'x+'
    """
    outcome = position.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "draw"
    points = margin(position)
    return f"{'xo'[outcome.winner]}+" + ("" if points is None else f"{abs(points):g}")


def margin(position: Position) -> float | None:
    """The first player's lead in points on the board as it stands; None: the game counts none."""
    if isinstance(position.game, Go):
        return position.game.lead(position.state.board)
    if isinstance(position.game, Othello):
        board: str = position.state.board
        return board.count("x") - board.count("o")
    return None


def first_is_white(position: Position) -> bool:
    """Whether the player who moves first is called White: in Breakthrough, as in chess."""
    return str(getattr(position.game, "name", "")) == "breakthrough"


def colour_letter(position: Position, player: Player) -> str:
    """`B` or `W`: how files and protocols name a player."""
    return "BW"[player ^ first_is_white(position)]


def read_player(position: Position, text: str) -> Player | None:
    """The player that a word names, in any case; None: nobody.

    As the board shows him (`x`, `o`), by colour (`b`, `black`, `w`, `white`), or by order (`first`,
    `second`). Whatever reads a colour asks here.
    """
    word = text.strip().lower()
    for player in Player:
        letter = colour_letter(position, player).lower()
        colour = {"b": "black", "w": "white"}[letter]
        if word in ("xo"[player], letter, colour, ("first", "second")[player]):
            return player
    return None
