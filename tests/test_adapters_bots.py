"""Our searches as bots of OpenSpiel: they play to the end, find wins, keep their trees."""

from __future__ import annotations

from typing import Any

import pytest

from openspiel import load_openspiel
from searches import KINDS
from sylve import AlphaBeta, InvalidGame, Position, Rng, Searcher
from sylve.adapters.open_spiel import make_bot
from sylve.adapters.same_rules import same_rules

# Games of OpenSpiel, and the game of ours whose compiled rules are used; None: OpenSpiel's own.
GAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "othello": "othello",
    "connect_four": "connect_four(columns=7, rows=6)",
    "connect_four(rows=4,columns=5)": "connect_four(columns=5, rows=4)",
    "breakthrough(rows=6,columns=4)": "breakthrough(columns=4, rows=6)",
    "hex(board_size=4)": "hex(size=4, swap=false)",
    "hex(board_size=4,swap=True)": "hex(size=4, swap=true)",
    "hex(num_cols=4,num_rows=3)": None,
    "hex(board_size=25)": None,  # larger than ours
    "breakthrough(rows=5,columns=4)": None,  # one row of pawns a side there
    "connect_four(x_in_row=3,rows=4,columns=5)": None,
    "go(board_size=4)": None,
    "misere(game=tic_tac_toe())": None,
    "havannah(board_size=3)": None,
    "mancala": None,
}
PLAYED = [text for text in GAMES if "25" not in text and text != "othello"]


def load(text: str) -> Any:
    return load_openspiel().load_game(text)


@pytest.mark.parametrize("text", GAMES)
def test_whose_rules_are_used(text: str) -> None:
    found = same_rules(load(text))
    assert (found and found.game) == GAMES[text]


@pytest.mark.parametrize("text", PLAYED)
def test_every_search_plays_to_the_end(text: str) -> None:
    """Against another one, so that each is both players in the table."""
    pyspiel, game = load_openspiel(), load(text)
    hows: list[Any] = [kind(8, seed=2) for kind in KINDS if kind is not AlphaBeta]
    for index, how in enumerate(hows):
        bots = [make_bot(game, how), make_bot(game, hows[index - 1], reuse=False)]
        state = game.new_initial_state()
        returns = pyspiel.evaluate_bots(state, bots, 1)
        assert state.is_terminal()
        assert sum(returns) == 0


def winning(state: Any) -> list[int]:
    """The actions that win at once."""
    player = state.current_player()
    children = {action: state.child(action) for action in state.legal_actions()}
    return [
        action
        for action, child in children.items()
        if child.is_terminal() and child.returns()[player] > 0
    ]


@pytest.mark.parametrize("text", [text for text in GAMES if "25" not in text and "mis" not in text])
def test_a_win_in_one_is_played(text: str) -> None:
    """The actions that come back are OpenSpiel's: a wrong translation would miss the win."""
    game = load(text)
    bot = make_bot(game, "uct(400, seed=1)", reuse=False)
    found = 0
    for number in range(40):
        rng, state = Rng.stream(9, number), game.new_initial_state()
        while not state.is_terminal():
            wins = winning(state)
            if wins:
                assert bot.step(state) in wins
                found += 1
                break
            actions = state.legal_actions()
            state.apply_action(actions[rng.below(len(actions))])
        if found == 4:
            return
    assert found


def visits(searcher: Searcher) -> int:
    """Of the root, those of earlier searches that were kept included."""
    return sum(move.visits for move in searcher.report().ranked)


@pytest.mark.parametrize("text", ["hex(board_size=4)", "havannah(board_size=4)"])
def test_trees_are_kept(text: str) -> None:
    game = load(text)
    bot = make_bot(game, "uct(2000, seed=1, solver=false)")
    state = game.new_initial_state()
    for move in range(3):
        action = bot.step(state)
        searcher: Searcher = bot.chooser.searcher
        assert searcher.report().playouts == 2000 * (move + 1)
        assert (visits(searcher) > 2000) == (move > 0)
        state.apply_action(action)
        state.apply_action(state.legal_actions()[-1])
    again = make_bot(game, "uct(2000, seed=1, solver=false)", reuse=False)
    again.step(state)
    assert visits(again.chooser.searcher) == 2000
    bot.restart()
    assert bot.chooser.searcher is None
    bot.step(game.new_initial_state())
    bot.restart_at(state)
    assert bot.chooser.searcher is None
    # A game that went another way is searched from its own position.
    one, other = (game.new_initial_state().child(action) for action in (0, 1))
    bot.step(one)
    for _ in range(2):
        other.apply_action(other.legal_actions()[0])
    bot.step(other)
    assert bot.chooser.searcher.position == bot.chooser.position(other)


def test_alpha_beta() -> None:
    """By our rules there is an evaluation; by OpenSpiel's a function must be given."""
    pyspiel, game = load_openspiel(), load("connect_four(rows=4,columns=5)")
    bots = [make_bot(game, "alpha_beta(4)"), make_bot(game, AlphaBeta(4))]
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, 1)
    assert state.is_terminal()
    with pytest.raises(ValueError, match="has no evaluation: give the game a method"):
        make_bot("oware", "alpha_beta(2)").step(load("oware").new_initial_state())
    judged = make_bot("oware", AlphaBeta(2, evaluation=lambda position: len(position.moves)))
    assert judged.step(load("oware").new_initial_state()) in range(6)


@pytest.mark.parametrize("text", ["kuhn_poker", "goofspiel", "chinese_checkers(players=3)"])
def test_games_that_no_bot_plays(text: str) -> None:
    with pytest.raises(InvalidGame, match=r"open_spiel:\w+ has "):
        make_bot(load(text), "uct(10)")


def test_the_position_is_that_of_the_state() -> None:
    game = load("othello")
    bot = make_bot(game, "flat(10)")
    rng, state = Rng.stream(4, 0), game.new_initial_state()
    while not state.is_terminal():
        ours: Position = bot.chooser.position(state)
        assert len(ours.played) == len(state.history())
        assert ours.turn == state.current_player()
        names = {state.action_to_string(action) for action in state.legal_actions()}
        assert set(ours.names) == names
        actions = state.legal_actions()
        state.apply_action(actions[rng.below(len(actions))])
