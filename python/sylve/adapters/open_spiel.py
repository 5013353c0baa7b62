"""OpenSpiel: its games as games of ours, and our searches as its bots."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sylve.adapters.same_rules import SameRules, same_rules
from sylve.engine import Engine
from sylve.open_spiel.game import OpenSpielGame
from sylve.open_spiel.load import load, wrap
from sylve.optional import require
from sylve.position import Position
from sylve.search import AlphaBeta, Search, Searcher, search
from sylve.search.text import as_search

__all__ = ["OpenSpielGame", "load", "make_bot"]


def make_bot(
    game: Any, how: Search | AlphaBeta | str, *, engine: Engine = "auto", reuse: bool = True
) -> Any:
    """A `pyspiel.Bot` that plays a game of OpenSpiel by a search of ours.

    `game` is what `pyspiel.load_game` makes, or its text. Tic-tac-toe, Othello, Connect Four, Hex,
    and Breakthrough from 6 rows are searched by our compiled rules; every other game is asked
    through `pyspiel`. With `reuse` a Monte Carlo search goes on with the tree of its last move.

    >>> import pyspiel
    >>> from sylve.adapters.open_spiel import make_bot
    >>> game = pyspiel.load_game("tic_tac_toe")
    >>> bots = [make_bot(game, "uct(2000, seed=1)"), make_bot(game, "alpha_beta(9)")]
    >>> pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
    [0.0, 0.0]
    """
    rules = load(game) if isinstance(game, str) else wrap(game)
    return bot_class()(Chooser(rules, same_rules(rules.native), as_search(how), engine, reuse))


@lru_cache
def bot_class() -> Any:
    """The subclass of `pyspiel.Bot`, which is there only where OpenSpiel is."""

    class SearchBot(require("pyspiel", "a bot").Bot):  # type: ignore[misc]
        """The moves of others need not be told (`inform_action`): a state has its history."""

        def __init__(self, chooser: Chooser) -> None:
            super().__init__()
            self.chooser = chooser

        def restart(self) -> None:
            """A new game."""
            self.chooser.forget()

        def restart_at(self, state: Any) -> None:
            """A game from the middle: its history is with every state."""
            del state
            self.chooser.forget()

        def step(self, state: Any) -> int:
            """The best move."""
            return self.chooser.choose(state)

    return SearchBot


class Chooser:
    """Chooses actions in states of OpenSpiel by a search of ours."""

    def __init__(
        self,
        rules: OpenSpielGame,
        same: SameRules | None,
        how: Search | AlphaBeta,
        engine: Engine,
        reuse: bool,
    ) -> None:
        self.rules = rules
        self.same = same
        self.start = Position.start(rules if same is None else same.game)
        self.how = how
        self.engine: Engine = engine
        self.reuse = reuse
        self.searcher: Searcher | None = None

    def forget(self) -> None:
        """Begin the next search without what was found so far."""
        self.searcher = None

    def choose(self, native: Any) -> int:
        """The action that the search likes best."""
        position = self.position(native)
        return self.action(native, position, self.best(position))

    def best(self, position: Position) -> int:
        """The best move."""
        if isinstance(self.how, AlphaBeta):
            return search(position, self.how, engine=self.engine).best
        return self.searcher_at(position, self.how).run().best

    def action(self, native: Any, position: Position, move: int) -> int:
        """The action for a move of ours."""
        if self.same is None:
            return move
        (action,) = (
            action
            for action in native.legal_actions()
            if self.translated(position, native, action) == move
        )
        return int(action)

    def position(self, native: Any) -> Position:
        """The state as a position of ours: its history is played again."""
        position, state = self.start, self.rules.native.new_initial_state()
        for action in native.history():
            position = position.play(self.translated(position, state, action))
            if self.same is not None:
                state.apply_action(action)
        return position

    def translated(self, position: Position, native: Any, action: int) -> int:
        """Our move for an action."""
        if self.same is None:
            return action
        return position.move(self.same.translate(native.action_to_string(action)))

    def searcher_at(self, position: Position, how: Search) -> Searcher:
        """The search under way, moved on to a position that follows, or a new one."""
        searcher = self.searcher
        known = () if searcher is None else searcher.position.played
        if searcher is None or not self.reuse or position.played[: len(known)] != known:
            searcher = self.searcher = Searcher(position, how, engine=self.engine)
        for move in position.played[len(searcher.position.played) :]:
            searcher.advance(move)
        return searcher
