"""The board of a GTP session: positions by command, so that `undo` takes back one command."""

from __future__ import annotations

import dataclasses

from sylve.errors import IllegalMove, InvalidGame, InvalidMove, InvalidPosition
from sylve.game import AnyGame, Player
from sylve.games import known_game
from sylve.games.board import BoardGame
from sylve.games.go import NO_KO, Go
from sylve.gtp.protocol import Refusal
from sylve.own import game_text
from sylve.position import Position
from sylve.records import Record
from sylve.records.record import colour_letter, first_is_white, read_player

NAMES = {"B": "black", "W": "white"}


def cells_of(game: AnyGame) -> BoardGame:
    """The rules of a game on a board of cells. Raises Refusal for others."""
    if not isinstance(game, BoardGame):
        raise Refusal(f"{game_text(game)} has no board of cells")
    return game


class Board:
    """A game and its positions, the current one last."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.stack = [Position.start(game)]

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.stack[-1]

    @property
    def turn(self) -> str:
        """The colour to move."""
        return colour_letter(self.position, self.position.turn)

    def find_colour(self, text: str) -> str | None:
        """`B` or `W`, from any word for a player; None: it is none."""
        player = read_player(self.position, text)
        return None if player is None else colour_letter(self.position, player)

    def read_colour(self, text: str) -> str:
        """`B` or `W`. Raises Refusal."""
        colour = self.find_colour(text)
        if colour is None:
            raise Refusal(
                "syntax error: expected a colour, b or w, x or o, first or second, not"
                f" {text[:40]!r}"
            )
        return colour

    def player(self, colour: str) -> Player:
        """The player of a colour: the first is White in Breakthrough, Black elsewhere."""
        return Player((colour == "W") ^ first_is_white(self.position))

    # Setting up.

    def clear(self) -> None:
        """Begin again."""
        self.stack = [Position.start(self.game)]

    def set_game(self, text: str) -> None:
        """Another game, from its start."""
        try:
            self.game = known_game(text)
        except InvalidGame as error:
            raise Refusal(str(error)) from None
        self.clear()

    def resize(self, columns: int, rows: int) -> None:
        """The same game on another board, from its start."""
        game = cells_of(self.game)
        names = {field.name for field in dataclasses.fields(game)}  # type: ignore[arg-type]
        try:
            if (columns, rows) == (game.columns, game.rows):
                pass
            elif {"columns", "rows"} <= names:
                self.game = dataclasses.replace(game, columns=columns, rows=rows)  # type: ignore[type-var]
            elif "size" in names and columns == rows:
                self.game = dataclasses.replace(game, size=columns)  # type: ignore[type-var]
            else:
                raise Refusal("unacceptable size")
        except InvalidGame:
            raise Refusal("unacceptable size") from None
        self.clear()

    def set_komi(self, komi: float) -> None:
        """The komi of Go, also in the middle of a game. Other games have none."""
        if not isinstance(self.game, Go):
            return
        try:
            game = dataclasses.replace(self.game, komi=komi)
        except InvalidGame as error:
            raise Refusal(f"unacceptable komi: {error}") from None
        self.game = game
        self.stack = [
            Position(game, here.state, origin=here.origin, played=here.played)
            for here in self.stack
        ]

    def set_position(self, text: str) -> None:
        """A position by its text; nothing lies before it."""
        try:
            self.stack = [Position.parse(self.game, text)]
        except InvalidPosition as error:
            raise Refusal(str(error)) from None

    def set_record(self, record: Record, plies: int) -> None:
        """The positions of a recorded game up to a ply."""
        self.game = record.opening.game
        self.stack = list(record.positions[: plies + 1])

    # Playing.

    def to_move(self, colour: str) -> Position:
        """The position with this colour to move: the other one passes, where it may.

        GTP lets a colour move twice. In Go that is a pass in between, which must not end the game;
        in Othello it is the forced pass, which some programs do not send.
        """
        here = self.position
        if here.outcome is not None or colour == self.turn:
            return here
        passing = getattr(self.game, "pass_move", None)
        if passing is None or passing not in here.moves:
            raise Refusal(f"illegal move: it is {NAMES[self.turn]}'s turn")
        if isinstance(self.game, Go) and here.state.passes:
            turned = dataclasses.replace(here.state, turn=here.turn.other, passes=0, ko=NO_KO)
            return Position(self.game, turned)
        return here.play(passing)

    def play(self, colour: str, name: str) -> None:
        """Play a move of a colour."""
        here = self.to_move(colour)
        try:
            self.stack.append(here.play(here.move(name)))
        except IllegalMove as error:
            raise Refusal(str(error)) from None
        except InvalidMove as error:
            raise Refusal(f"syntax error: {error}") from None

    def push(self, position: Position) -> None:
        """A position that a search chose."""
        self.stack.append(position)

    def undo(self) -> None:
        """Take back the last move played or generated."""
        if len(self.stack) == 1:
            raise Refusal("cannot undo")
        self.stack.pop()

    def record(self, result: str = "") -> Record:
        """The game so far."""
        here = self.position
        return Record(Position(self.game, here.origin), here.played, result=result)
