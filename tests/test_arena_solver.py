"""Players backed by the exact solver, and games that it ends."""

import dataclasses
from collections.abc import Callable

import pytest

from arena_here import Here
from sylve import Position, solve
from sylve.arena import game as game_module
from sylve.arena import runner
from sylve.arena.config import make_config
from sylve.arena.connection import DiskTrouble
from sylve.arena.game import Reason, play_game, replay
from sylve.arena.openings import Opening
from sylve.arena.players import parse_player
from sylve.arena.store import Store

GAME = "connect_four(columns=5, rows=4)"
PLAYERS: list[tuple[str | None, str]] = [(None, "uct(50)"), (None, "random")]


@pytest.mark.parametrize("game", ["tic_tac_toe", "breakthrough(columns=3, rows=4)", "hex(size=3)"])
def test_a_solver_never_does_worse_than_the_value(game: str) -> None:
    start = Position.start(game)
    value = solve(start).value
    assert value is not None
    seats = parse_player("solver(10000000, otherwise=random)"), parse_player("random")
    for index in range(10):
        # The solver has the side that the value favours; in a drawn game the first.
        players = seats if value >= 0 else seats[::-1]
        record = play_game(f"{index:x}", start, players, 100)
        lost = "0-1" if value >= 0 else "1-0"
        assert record.result != lost
        assert record.reason == "rules"
        if value:
            assert record.result != "1/2-1/2"


def test_within_few_nodes_the_other_one_plays() -> None:
    position = Position.start("connect_four")
    backed, plain = parse_player("solver(1, otherwise=uct(300))"), parse_player("uct(300)")
    assert backed.choose(position, 5, None) == plain.choose(position, 5, None)
    assert backed.name == "solver(1, otherwise=uct(playouts=300))"


def test_a_game_ends_when_it_is_decided() -> None:
    start = Position.start(GAME)
    players = parse_player("uct(50)"), parse_player("uct(50)")
    whole = play_game("3", start, players, 100)
    record = play_game("3", start, players, 100, adjudicate=200)
    assert record.reason is Reason.SOLVED
    assert record.moves == whole.moves[: len(record.moves)]
    assert len(record.moves) < len(whole.moves)
    end = start.play_line(record.moves)
    value = solve(end).value
    assert value is not None
    points = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}[record.result]
    assert (value > 0) - (value < 0) == (points if end.turn == 0 else -points)
    before = start.play_line(record.moves[:-1])
    assert solve(before, nodes=200, want="value").value is None, "it ends at the first chance"


def test_a_decision_is_checked_by_solving_again() -> None:
    start = Position.start(GAME)
    record = play_game(
        "3", start, (parse_player("uct(50)"), parse_player("random")), 100, None, 200
    )
    assert record.reason is Reason.SOLVED
    assert replay(GAME, Opening(), record, 100, 200) is None
    other = next(result for result in ("1-0", "0-1") if result != record.result)
    for wrong in (
        dataclasses.replace(record, result=other),
        dataclasses.replace(record, moves=()),  # far from decided
    ):
        assert "the solver does not say" in str(replay(GAME, Opening(), wrong, 100, 200))
    assert "the solver does not say" in str(replay(GAME, Opening(), record, 100, 0))


def test_the_configuration() -> None:
    config = make_config(GAME, PLAYERS, 2, adjudicate=1000)
    assert config.adjudicate == 1000
    assert config.hash != make_config(GAME, PLAYERS, 2).hash
    with pytest.raises(ValueError, match="adjudicate must be from 0"):
        make_config(GAME, PLAYERS, 2, adjudicate=-1)
    with pytest.raises(ValueError, match="cannot be solved"):
        make_config("go(size=5)", PLAYERS, 2, adjudicate=1000)


@pytest.mark.parametrize(
    "text",
    [
        "solver",
        "solver(100)",
        "solver(0, otherwise=random)",
        "solver(1.5, otherwise=random)",
        "solver(5, 6, otherwise=random)",
        "solver(5, otherwise=3)",
        "solver(5, otherwise=random, more=1)",
    ],
)
def test_texts_that_name_no_player(text: str) -> None:
    with pytest.raises(ValueError, match="expected solver"):
        parse_player(text)
    with pytest.raises(ValueError, match="unknown player 'utc'"):
        parse_player("solver(5, otherwise=utc)")


def test_what_strangers_send_is_solved_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again when it is settled, nor when the disk takes it at the second attempt only."""
    asked: list[object] = []
    solve_again = game_module.solved_result

    def watched(*what: object) -> str | None:
        asked.append(what)
        return solve_again(*what)  # type: ignore[arg-type]

    monkeypatch.setattr(game_module, "solved_result", watched)
    monkeypatch.setattr(runner, "RETRIES", (0.0,))
    counts = []
    for trusted in (True, False):
        pool, store = Here(), Store.create(None, make_config(GAME, PLAYERS, 2, adjudicate=200))
        pool.trusted = trusted
        store.finish = second_time(store.finish)  # type: ignore[method-assign]
        asked.clear()
        assert runner.Run(store, pool).go() == "complete"
        assert {game.record.reason for game in store.played()} == {Reason.SOLVED}
        counts.append(len(asked))
    assert counts[1] == counts[0] + 2, "once for each of the two games"


def second_time(finish: Callable[..., bool]) -> Callable[..., bool]:
    """A disk that takes the second attempt."""
    tried: list[object] = []

    def attempt(*what: object) -> bool:
        tried.append(what)
        if len(tried) == 1:
            raise DiskTrouble("the disk is full")
        return finish(*what)

    return attempt
