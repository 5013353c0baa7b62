"""Gymnasium: one player of a game against a search of ours."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any, ClassVar

from sylve.adapters.episode import Episode, Observe, View
from sylve.game import AnyGame, Player
from sylve.optional import require
from sylve.screen import visible
from sylve.search import AlphaBeta, Search, search
from sylve.search.text import as_search

__all__ = ["make"]

NAME = "sylve/Game-v0"
"""Under which the environment is registered."""


def make(
    game: str | AnyGame,
    opponent: Search | AlphaBeta | str = "uct(100)",
    *,
    player: Player | None = Player.FIRST,
    observe: Observe | None = None,
    actions: int | None = None,
    render_mode: str | None = None,
) -> Any:
    """A Gymnasium environment: the agent plays as `player`, the search plays the other side.

    `player=None` draws the side at each `reset`. The legal actions are in `info["action_mask"]`.
    `observe` and `actions` are those of `sylve.adapters.pettingzoo.env`. The seed of `reset`
    decides all that is random: the side and the seeds of the search.

    >>> from sylve import Player
    >>> from sylve.adapters.gymnasium import make
    >>> game = make("connect_four", "uct(50)", player=Player.SECOND)
    >>> observation, info = game.reset(seed=1)
    >>> int(observation[..., 1].sum()), info["action_mask"].tolist()  # the search has moved
    (1, [1, 1, 1, 1, 1, 1, 1])
    >>> observation, reward, terminated, truncated, info = game.step(3)
    >>> reward, terminated
    (0.0, False)
    """
    gymnasium = require("gymnasium", "an environment of Gymnasium")
    if NAME not in gymnasium.registry:
        gymnasium.register(NAME, entry_point=environment)
    return gymnasium.make(
        NAME,
        game=game,
        opponent=opponent,
        player=player,
        observe=observe,
        actions=actions,
        render_mode=render_mode,
    )


def environment(
    game: str | AnyGame,
    opponent: Search | AlphaBeta | str,
    player: Player | None,
    observe: Observe | None,
    actions: int | None,
    render_mode: str | None,
) -> Any:
    """The environment itself, without Gymnasium's wrappers."""
    side = None if player is None else Player(player)
    view = View(game, observe, actions)
    return environment_class()(view, as_search(opponent), side, render_mode)


@lru_cache
def environment_class() -> Any:
    """The subclass of `gymnasium.Env`, which is there only where Gymnasium is."""
    gymnasium = require("gymnasium", "an environment of Gymnasium")

    class GameEnv(gymnasium.Env):  # type: ignore[misc,name-defined]
        """One game after the other against a search."""

        metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

        def __init__(
            self,
            view: View,
            opponent: Search | AlphaBeta,
            player: Player | None,
            render_mode: str | None,
        ) -> None:
            self.view = view
            self.opponent = opponent
            self.player = player
            self.render_mode = render_mode
            self.observation_space = gymnasium.spaces.Box(0, 1, view.shape, view.dtype)
            self.action_space = gymnasium.spaces.Discrete(view.actions)

        def reset(
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[Any, dict[str, Any]]:
            """A new game; the search moves first if the agent is the second player."""
            super().reset(seed=seed, options=options)
            drawn = Player(int(self.np_random.integers(2)))
            self.side = drawn if self.player is None else self.player
            self.episode = Episode(self.view)
            self._reply()
            return self._seen()

        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            """The action of the agent, and the answer of the search."""
            self.episode.play(action)
            self._reply()
            observation, info = self._seen()
            episode = self.episode
            reward = float(episode.reward(self.side))
            return observation, reward, episode.terminated, episode.truncated, info

        def _reply(self) -> None:
            while not self.episode.over and self.episode.position.turn is not self.side:
                how = self.opponent
                if isinstance(how, Search):
                    how = dataclasses.replace(how, seed=int(self.np_random.integers(1 << 62)))
                self.episode.play(search(self.episode.position, how).best)

        def _seen(self) -> tuple[Any, dict[str, Any]]:
            position = self.episode.position
            info = {} if self.episode.over else {"action_mask": self.view.mask(position)}
            return self.view.observation(position, self.side), info

        def render(self) -> str | None:
            """The board as text, for the mode `ansi`."""
            if self.render_mode is None:
                gymnasium.logger.warn('no render_mode was given: make(..., render_mode="ansi")')
                return None
            return visible(str(self.episode.position))

    return GameEnv
