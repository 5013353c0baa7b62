"""A game as learning programs see it: arrays, legal actions, rewards, an end."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from sylve.errors import shown
from sylve.game import CODES, LARGEST_MOVE, AnyGame, FullGame, Outcome, Player
from sylve.games.board import STONES, BoardGame
from sylve.position import Position

Array = NDArray[Any]
Observe = Callable[[Position, Player], Array]
"""From a position and the player who looks at it to an array of numbers from 0 to 1."""


class View:
    """What a learner is shown of a game, and how many actions there are."""

    def __init__(
        self, game: str | AnyGame, observe: Observe | None = None, actions: int | None = None
    ) -> None:
        self.start = Position.start(game)
        rules = self.start.game
        if observe is None and not isinstance(rules, BoardGame):
            raise ValueError(
                f"{shown(rules)} has no board of cells to show: give observe=, a function from a"
                " position and a player to an array of numbers from 0 to 1"
            )
        most = LARGEST_MOVE + 1
        if actions is not None and not (isinstance(actions, int) and 1 <= actions <= most):
            raise ValueError(f"actions must be a whole number from 1 to {most}, not {actions!r}")
        self.actions = count_actions(rules) if actions is None else actions
        self.observe: Observe = planes if observe is None else observe
        self.full = FullGame(rules)
        shown_first = np.asarray(self.observe(self.start, Player.FIRST))
        self.shape, self.dtype = shown_first.shape, shown_first.dtype

    def observation(self, position: Position, player: Player) -> Array:
        """The array for a player, of the shape and the type of the first one."""
        array = np.array(self.observe(position, player))
        if (array.shape, array.dtype) != (self.shape, self.dtype):
            raise ValueError(
                f"observe gave an array of shape {array.shape} and type {array.dtype} after"
                f" {len(position.played)} moves, and {self.shape}, {self.dtype} at the start"
            )
        if array.size and not (array.min() >= 0 and array.max() <= 1):
            raise ValueError("observe must give numbers from 0 to 1")
        return array

    def mask(self, position: Position) -> NDArray[np.int8]:
        """1 for each legal action."""
        mask = np.zeros(self.actions, np.int8)
        moves = position.moves
        if moves and moves[-1] >= self.actions:
            raise ValueError(
                f"the move {moves[-1]} is not below {self.actions}: give actions=, more than every"
                " move"
            )
        mask[list(moves)] = 1
        return mask


def count_actions(game: AnyGame) -> int:
    """A number above every move: what moves are is said in the docs of each game."""
    if not isinstance(game, BoardGame):
        return int(getattr(game, "actions", CODES // 2))
    cells = game.columns * game.rows
    counts = {"breakthrough": 3 * cells, "connect_four": game.columns, "tic_tac_toe": cells}
    return counts.get(game.name, cells + 1)  # a pass or a swap


def planes(position: Position, player: Player) -> NDArray[np.int8]:
    """A board as rows x columns x 5 numbers, 0 or 1, for one of the players.

    Own stones; the opponent's; all 1 if the player is the first; all 1 if the last move was on no
    cell (a pass, a swap); all 1, so that an empty board is not all zeros.
    """
    game: Any = position.game
    size = (game.rows, game.columns)
    cells = np.array(list(position.state.board)).reshape(size)
    found = np.zeros((*size, 5), np.int8)
    found[..., 0] = cells == STONES[player]
    found[..., 1] = cells == STONES[player.other]
    found[..., 2] = player is Player.FIRST
    # The one move on no cell that a game has; the others have none, or moves by another number.
    no_cell = getattr(game, "pass_move", getattr(game, "swap_move", None))
    found[..., 3] = position.played[-1:] == (no_cell,)
    found[..., 4] = 1
    return found


class Episode:
    """One game under way. An illegal action ends it: who chose it gets -1, the other 0."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.position = view.start
        self.illegal: Player | None = None
        """Who chose an illegal action."""

    def play(self, action: SupportsIndex) -> None:
        """The action of the player to move."""
        try:
            move = index(action)
        except TypeError:
            raise TypeError(f"an action is a whole number, not {shown(action)}") from None
        if move in self.position.moves:
            self.position = self.position.play(move)
        else:
            self.illegal = self.position.turn

    @property
    def terminated(self) -> bool:
        """Whether the game is over."""
        return self.illegal is not None or self.position.outcome is not None

    @property
    def truncated(self) -> bool:
        """Whether it has lasted as long as a playout may and is not over."""
        return not self.terminated and len(self.position.played) >= self.view.full.max_plies

    @property
    def over(self) -> bool:
        """Whether nothing more is played."""
        return self.terminated or self.truncated

    def reward(self, player: Player) -> int:
        """1 for a win, -1 for a loss or an illegal action; else 0, also while it goes on."""
        if self.illegal is not None:
            return -1 if self.illegal is player else 0
        outcome: Outcome | None = self.position.outcome
        if self.truncated:
            outcome = self.view.full.adjudicate(self.position.state)
        return 0 if outcome is None else outcome.points(player) - 1
