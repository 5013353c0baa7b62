"""PettingZoo: our games, and your own, as environments for two agents in turn (AEC)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

from sylve.adapters.episode import Episode, Observe, View
from sylve.game import AnyGame, Player
from sylve.optional import require
from sylve.screen import visible

__all__ = ["env"]


def env(
    game: str | AnyGame,
    *,
    observe: Observe | None = None,
    actions: int | None = None,
    render_mode: str | None = None,
) -> Any:
    """A PettingZoo environment of a game: agents `player_0`, who moves first, and `player_1`.

    The legal actions are in `info["action_mask"]`; actions are the numbers of the moves. A game
    that is not a board of cells needs `observe`, a function from a position and a player to an
    array of numbers from 0 to 1; a game with moves of more than 4095, `actions`.

    >>> from sylve.adapters.pettingzoo import env
    >>> game = env("othello(size=6)", render_mode="ansi")
    >>> game.reset()
    >>> observation, reward, terminated, truncated, info = game.last()
    >>> observation.shape, info["action_mask"].nonzero()[0]
    ((6, 6, 5), array([ 8, 13, 22, 27]))
    >>> game.step(8)
    >>> game.agent_selection
    'player_1'
    """
    pettingzoo = require("pettingzoo", "an environment of PettingZoo")
    made = environment_class()(View(game, observe, actions), render_mode)
    return pettingzoo.utils.OrderEnforcingWrapper(made)


@lru_cache
def environment_class() -> Any:
    """The subclass of `pettingzoo.AECEnv`, which is there only where PettingZoo is."""
    pettingzoo = require("pettingzoo", "an environment of PettingZoo")
    gymnasium = require("gymnasium", "an environment of PettingZoo")

    class GameEnv(pettingzoo.AECEnv):  # type: ignore[misc,name-defined]
        """One game after the other. Nothing in it is random."""

        def __init__(self, view: View, render_mode: str | None) -> None:
            super().__init__()
            modes = self.metadata["render_modes"]
            if render_mode is not None and render_mode not in modes:
                raise ValueError(f"render_mode must be None or one of {modes}, not {render_mode!r}")
            self.view = view
            self.render_mode = render_mode
            self.players = {f"player_{int(player)}": player for player in Player}
            self.names = list(self.players)
            self.possible_agents = list(self.names)
            self.observation_spaces = {
                name: gymnasium.spaces.Box(0, 1, view.shape, view.dtype) for name in self.names
            }
            self.action_spaces = {
                name: gymnasium.spaces.Discrete(view.actions) for name in self.names
            }

        metadata: ClassVar[dict[str, Any]] = {
            "name": "sylve_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }

        def observation_space(self, agent: str) -> Any:
            """The same object each time."""
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            """The same object each time."""
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            """A new game; neither argument changes anything."""
            del seed, options
            self.episode = Episode(self.view)
            self.agents = list(self.names)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0)
            self._tell()

        def observe(self, agent: str) -> Any:
            """The position as this agent sees it."""
            return self.view.observation(self.episode.position, self.players[agent])

        def step(self, action: Any) -> None:
            """The action of `agent_selection`; None once it is over for that agent."""
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            self.episode.play(action)
            self._cumulative_rewards[agent] = 0
            self._tell()
            self._accumulate_rewards()

        def _tell(self) -> None:
            episode = self.episode
            self.agent_selection = self.names[episode.position.turn]
            self.rewards = {name: episode.reward(self.players[name]) for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, episode.terminated)
            self.truncations = dict.fromkeys(self.agents, episode.truncated)
            self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
            if not episode.over:
                mask = self.view.mask(episode.position)
                self.infos[self.agent_selection]["action_mask"] = mask

        def render(self) -> str | None:
            """The board as text, for the mode `ansi`."""
            if self.render_mode is None:
                gymnasium.logger.warn('no render_mode was given: env(..., render_mode="ansi")')
                return None
            return visible(str(self.episode.position))

        def close(self) -> None:
            """There is nothing to close."""

    return GameEnv
