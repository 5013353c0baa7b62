"""PettingZoo and Gymnasium: their own checks without a warning, and what the arrays say."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sylve import Outcome, Player, Position, Rng
from sylve.adapters.episode import Episode, View
from sylve.adapters.gymnasium import make
from sylve.adapters.pettingzoo import env
from sylve.optional import missing

GAMES = [
    "tic_tac_toe",
    "breakthrough(columns=4, rows=5)",
    "othello(size=4)",
    "othello(size=6)",
    "connect_four(columns=5, rows=4)",
    "hex(size=4)",
    "hex(size=3, swap=true)",
    "go(size=4)",
]


class Tug:
    """Pull to the left or to the right; it may last for ever, so it is cut off after 20 plies."""

    def __repr__(self) -> str:
        return "Tug()"

    def start(self) -> tuple[int, Player]:
        return (3, Player.FIRST)

    def turn(self, state: tuple[int, Player]) -> Player:
        return state[1]

    def outcome(self, state: tuple[int, Player]) -> Outcome | None:
        return {0: Outcome(Player.SECOND), 6: Outcome(Player.FIRST)}.get(state[0])

    def moves(self, state: tuple[int, Player]) -> list[int]:
        return [] if self.outcome(state) else [0, 1]

    def play(self, state: tuple[int, Player], move: int) -> tuple[int, Player]:
        return (state[0] + (1 if move else -1), state[1].other)

    def max_plies(self) -> int:
        return 20

    def adjudicate(self, state: tuple[int, Player]) -> Outcome:
        return Outcome(Player.FIRST if state[0] > 3 else None)


def rope(position: Position, player: Player) -> np.ndarray[Any, Any]:
    """Where the knot is, and who looks."""
    return np.array([position.state[0] == place for place in range(7)] + [player, 1], np.float32)


OWN = partial(env, Tug(), observe=rope, actions=2)
ENVIRONMENTS: dict[str, Any] = {text: partial(env, text) for text in GAMES} | {"own": OWN}
environments = pytest.mark.parametrize("name", ENVIRONMENTS)


@pytest.fixture(autouse=True)
def _there() -> None:
    """Both packages are in the group of the tests: where they are missing, say so."""
    for package in ("pettingzoo", "gymnasium"):
        told = missing(package, "this test")
        if told and os.environ.get("SYLVE_CI") == "1":
            pytest.fail(f"{told}; SYLVE_CI=1 says that it must be there", pytrace=False)
        if told:
            pytest.skip(told)


@environments
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    """A warning is an error in these tests."""
    from pettingzoo.test import api_test, seed_test

    api_test(ENVIRONMENTS[name](), num_cycles=100)
    seed_test(ENVIRONMENTS[name], num_cycles=50)


@environments
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    given = ENVIRONMENTS[name]
    for player in (*Player, None):
        one = make(*given.args, "uct(5)", player=player, render_mode="ansi", **given.keywords)
        check_env(one.unwrapped)


@pytest.mark.parametrize("text", GAMES)
def test_random_games(text: str) -> None:
    """Agents, masks, arrays and rewards are those of the position that is played beside."""
    one = env(text, render_mode="ansi")
    for number in range(5):
        rng, position = Rng.stream(3, number), Position.start(text)
        one.reset()
        while position.outcome is None and len(position.played) < View(text).full.max_plies:
            assert one.agent_selection == f"player_{int(position.turn)}"
            observation, reward, terminated, truncated, info = one.last()
            assert (reward, terminated, truncated) == (0, False, False)
            assert tuple(info["action_mask"].nonzero()[0]) == position.moves
            assert info["action_mask"].dtype == np.int8
            assert one.render() == str(position)
            flat = observation.reshape(-1, 5)
            own, other = "xo"[position.turn], "xo"[position.turn.other]
            board = position.state.board
            assert_array_equal(flat[:, 0], [cell == own for cell in board])
            assert_array_equal(flat[:, 1], [cell == other for cell in board])
            assert set(flat[:, 2]) == {1 - int(position.turn)}
            assert set(flat[:, 3]) == {int(passed(position))}
            assert set(flat[:, 4]) == {1}
            move = position.moves[rng.below(len(position.moves))]
            one.step(np.int64(move))
            position = position.play(move)
        ended = position.outcome or position.game.adjudicate(position.state)  # type: ignore[attr-defined]
        for player in Player:
            agent = f"player_{int(player)}"
            assert one.rewards[agent] == ended.points(player) - 1
            assert one.terminations[agent] == (position.outcome is not None)
            assert one.truncations[agent] == (position.outcome is None)


def passed(position: Position) -> bool:
    """Whether the last move was a pass or a swap."""
    if not position.played:
        return False
    before = Position.start(position.game).play_line(position.played[:-1])
    return before.name(position.played[-1]) in ("pass", "swap-pieces")


def test_an_illegal_action_ends_the_game() -> None:
    one = env("tic_tac_toe")
    one.reset()
    one.step(4)
    one.step(4)
    assert one.rewards == {"player_0": 0, "player_1": -1}
    assert one.terminations == {"player_0": True, "player_1": True}
    alone = make("tic_tac_toe", "uct(5)")
    alone.reset(seed=1)
    _, reward, _, _, info = alone.step(4)
    taken = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = alone.step(taken)
    assert (reward, terminated, truncated, info) == (-1.0, True, False, {})


def test_a_game_that_does_not_end_is_cut_off() -> None:
    for first, expected in ((1, [0, 0]), (0, [0, 0])):
        one = OWN()
        one.reset()
        for ply in range(20):
            assert not one.truncations["player_0"]
            one.step(first if ply % 2 == 0 else 1 - first)
        assert one.truncations == {"player_0": True, "player_1": True}
        assert one.terminations == {"player_0": False, "player_1": False}
        assert list(one.rewards.values()) == expected
    # Adjudicated for the first player, if the knot is on that side.
    episode = Episode(View(Tug(), rope, 2))
    for move in [1, 1, *[0, 1] * 9]:
        episode.play(move)
    assert episode.truncated
    assert [episode.reward(player) for player in Player] == [1, -1]


def play_out(one: Any, seed: int) -> list[Any]:
    """A whole game: always the first legal action."""
    observation, info = one.reset(seed=seed)
    seen, over = [observation.tolist()], False
    while not over:
        action = int(info["action_mask"].argmax())
        observation, reward, terminated, truncated, info = one.step(action)
        seen.append((observation.tolist(), reward))
        over = terminated or truncated
    return seen


def test_a_seed_decides_the_game() -> None:
    one = make("connect_four", "uct(20)", player=None)
    games = [play_out(one, seed) for seed in range(8)]
    assert [play_out(one, seed) for seed in range(8)] == games
    assert len({str(game) for game in games}) > 4
    sides = {game[0][0][0][2] for game in games}  # the plane of the first player
    assert sides == {0, 1}


def test_the_search_wins() -> None:
    """It plays the other side, and well: the first legal action loses to it."""
    for player in Player:
        one = make("connect_four", "uct(300)", player=player)
        rewards = [play_out(one, seed)[-1][1] for seed in range(4)]
        assert rewards == [-1.0] * 4
    one = make("othello(size=4)", "alpha_beta(12)", player=Player.FIRST)
    assert play_out(one, 0)[-1][1] == -1.0  # who moves second wins on 4 x 4


BAD = {
    "no board": (lambda: env(Tug()), r"Tug\(\) has no board of cells to show: give observe="),
    "actions": (lambda: env("hex", actions=0), "actions must be a whole number from 1 to 65536"),
    "few actions": (
        lambda: env("hex(size=3)", actions=5).reset(),
        "the move 8 is not below 5: give actions=",
    ),
    "render": (lambda: env("hex", render_mode="html"), "render_mode must be None or one of"),
    "game": (lambda: env("hexx"), "unknown game 'hexx'"),
    "opponent": (lambda: make("hex", "uc(5)"), "unknown search 'uc'"),
    "player": (lambda: make("hex", player=2), "2 is not a valid Player"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        call()


def test_bad_actions_and_arrays() -> None:
    one = env("hex(size=3)")
    one.reset()
    with pytest.raises(TypeError, match=r"an action is a whole number, not 0\.5"):
        one.step(0.5)
    for strange, message in (
        (lambda position, player: np.zeros(3 + len(position.played)), r"shape \(4,\) and type"),
        (lambda position, player: np.array([2.0, 0.0]), "numbers from 0 to 1"),
        (lambda position, player: np.array([np.nan, 0.0]), "numbers from 0 to 1"),
    ):
        view = View(Tug(), strange, 2)
        with pytest.raises(ValueError, match=message):
            view.observation(Position.start(view.start.game).play(0), Player.FIRST)


def test_import_sylve_loads_no_adapter() -> None:
    """Nor what an adapter needs: `import sylve` stays as light as it is."""
    heavy = ("pyspiel", "open_spiel", "pettingzoo", "gymnasium", "sylve.adapters")
    program = (
        f"import sys, sylve; print([name for name in sys.modules if name.startswith({heavy})])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
