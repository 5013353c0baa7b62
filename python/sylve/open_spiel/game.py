"""The rules of a game of OpenSpiel, asked in C++ through `pyspiel`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sylve.errors import EndlessGame, IllegalMove, InvalidPosition, quote
from sylve.game import MOST_CODES, PLY_LIMIT, Outcome, Player
from sylve.open_spiel import PREFIX
from sylve.rng import Rng, mix
from sylve.screen import one_line, visible

COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # some boards are written in colours
BLANKS = re.compile(r"\s+")
START = "start"


class OpenSpielState:
    """A position: the moves from the start, and OpenSpiel's own state, which nobody changes.

    Two states are equal if the same moves led to them. Only OpenSpiel knows what else of the
    history counts (repeated boards, plies without a capture), so positions that only look alike are
    different nodes of a search tree.
    """

    __slots__ = ("game", "key", "moves", "native", "turn")

    def __init__(
        self, game: OpenSpielGame, native: Any, moves: tuple[int, ...], key: int, before: Player
    ) -> None:
        self.game = game
        self.native = native
        self.moves = moves
        self.key = key
        over = native.is_terminal()  # then nobody is to move there: say who would be
        self.turn = before.other if over else Player(native.current_player())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenSpielState):
            return NotImplemented
        return self.moves == other.moves and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<{self.game}: {self.game.write(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenSpielGame.replay, (self.game, self.moves)


class OpenSpielGame:
    """A game of OpenSpiel for two players in turn, without chance and hidden information.

    Moves are OpenSpiel's action numbers, their names those of OpenSpiel with `_` for blanks. Who
    has the larger return has won; equal returns are a draw.

    >>> from sylve import Position
    >>> from sylve.adapters.open_spiel import load
    >>> game = load("havannah(board_size=4)")
    >>> game, game.actions
    (open_spiel:havannah(board_size=4), 49)
    >>> position = Position.start(game).play("d4")
    >>> position.played, position.names[:3]
    ((24,), ('a1', 'b1', 'c1'))
    """

    def __init__(self, text: str, native: Any, again: Callable[[str], OpenSpielGame]) -> None:
        self.text = text
        """What stands after `open_spiel:`."""
        self.native = native
        """OpenSpiel's own object."""
        self.actions = int(native.num_distinct_actions())
        """Every move is below."""
        self._again = again  # makes it from its text: to copy and to pickle it
        self._most_plies = max(PLY_LIMIT, int(native.max_game_length()))

    # The rules.

    def start(self) -> OpenSpielState:
        """The starting position."""
        return OpenSpielState(self, self.native.new_initial_state(), (), 0, Player.SECOND)

    def turn(self, state: OpenSpielState) -> Player:
        """Who is to move; when the game is over, the one who did not move last."""
        return state.turn

    def outcome(self, state: OpenSpielState) -> Outcome | None:
        """Who has the larger return."""
        return outcome_of(state.native) if state.native.is_terminal() else None

    def moves(self, state: OpenSpielState) -> list[int]:
        """OpenSpiel's legal actions, which it sorts; none for a game that is over."""
        moves: list[int] = state.native.legal_actions()
        return moves

    def play(self, state: OpenSpielState, move: int) -> OpenSpielState:
        """The position after a legal move."""
        key = mix(state.key ^ (move + 1))  # as `hash_words` of all moves
        return OpenSpielState(self, state.native.child(move), (*state.moves, move), key, state.turn)

    def replay(self, moves: tuple[int, ...]) -> OpenSpielState:
        """The position after legal moves from the start."""
        state = self.start()
        for move in moves:
            state = self.play(state, move)
        return state

    def playout(self, state: OpenSpielState, rng: Rng, played: list[int] | None = None) -> Outcome:
        """Random moves to the end, as everywhere, but on one copy of OpenSpiel's state."""
        native = state.native.clone()
        for _ in range(self.max_plies()):
            if native.is_terminal():
                return outcome_of(native)
            actions = native.legal_actions()
            action = actions[rng.below(len(actions))]
            if played is not None:
                played.append(2 * action + native.current_player())
            native.apply_action(action)
        raise EndlessGame(f"the game has not ended after {self.max_plies()} plies: {self}")

    def max_plies(self) -> int:
        """A playout that is longer is an error.

        OpenSpiel's own bound is too small for some games: it forgets the swap of Hex.
        """
        return self._most_plies

    def hash(self, state: OpenSpielState) -> int:
        """64 bits for the moves that led here."""
        return state.key

    def codes(self) -> int:
        """An AMAF code is an action and a player."""
        return min(2 * self.actions, MOST_CODES)

    # Text.

    def write(self, state: OpenSpielState) -> str:
        """The moves from the start as numbers."""
        return " ".join(map(str, state.moves)) or START

    def read(self, text: str) -> OpenSpielState:
        """The position after the moves whose numbers the text lists."""
        state = self.start()
        for word in [] if text.strip() == START else text.split():
            legal = self.moves(state)
            move = int(word) if re.fullmatch("[0-9]{1,5}", word) else -1
            if move not in legal:
                allowed = " ".join(map(str, legal[:12])) or "nothing: the game is over"
                raise InvalidPosition(
                    f"invalid position {quote(text)}: expected {START!r} or the numbers of the"
                    f" moves from the start, found {quote(word)} after {len(state.moves)} moves;"
                    f" allowed there: {allowed}{' ...' if len(legal) > 12 else ''}"
                )
            state = self.play(state, move)
        return state

    def write_move(self, state: OpenSpielState, move: int) -> str:
        """OpenSpiel's name of a move in one word."""
        name = state.native.action_to_string(state.turn, move).strip()
        return one_line(BLANKS.sub("_", name))

    def read_move(self, state: OpenSpielState, text: str) -> int:
        """The legal move of this name."""
        wanted = BLANKS.sub("_", text.strip())
        legal = self.moves(state)
        found = [move for move in legal if self.write_move(state, move) == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            raise IllegalMove(f"ambiguous move {quote(text)}: it is the name of {found}")
        names = " ".join(self.write_move(state, move) for move in legal[:12])
        allowed = f"legal here: {names}" if legal else "the game is over"
        more = " ..." if len(legal) > 12 else ""
        raise IllegalMove(f"illegal move {quote(text)}: {allowed}{more}")

    def draw(self, state: OpenSpielState) -> str:
        """OpenSpiel's own text of the board, without colours and control characters."""
        return visible(COLOUR.sub("", str(state.native)).rstrip("\n"))

    def __str__(self) -> str:
        return PREFIX + self.text

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenSpielGame):
            return NotImplemented
        return self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._again, (self.text,)


def outcome_of(native: Any) -> Outcome:
    """The result of a finished game: by how much somebody won does not count."""
    first, second = native.returns()
    if first == second:
        return Outcome(None)
    return Outcome(Player.FIRST if first > second else Player.SECOND)
