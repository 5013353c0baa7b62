"""Players, openings, schedules, single games, configurations."""

import dataclasses
from pathlib import Path

import pytest

from arena_config import SMALL, config
from sylve import Clock, Position, search
from sylve.arena.block import notes
from sylve.arena.config import make_config, parse_clock
from sylve.arena.game import GameResult, Reason, play_game, play_job, replay
from sylve.arena.openings import Opening, duplicates, make_openings
from sylve.arena.players import RandomPlayer, SearchPlayer, parse_player
from sylve.arena.schedule import job, pairings, schedule
from sylve.arena.standings import Standings
from sylve.errors import PlayerFailure, PlayerResigns
from sylve.rng import hash_words
from sylve.search.reference.alpha_beta import WIN, alpha_beta

# Players.


def test_a_search_plays_its_best_move_with_the_seed_of_the_game() -> None:
    player = parse_player("rave(80, c=0.2)")
    position = Position.start(SMALL)
    assert isinstance(player, SearchPlayer)
    assert player.name == "rave(playouts=80, c=0.2)"
    assert parse_player("rave(c=0.2)").name == "rave(playouts=1000, c=0.2)"
    assert parse_player("uct").name == "uct(playouts=1000)"
    how = dataclasses.replace(player.how, seed=77)
    assert player.choose(position, 77, None) == search(position, how).best


def test_a_budget_of_time_and_a_clock() -> None:
    position = Position.start(SMALL)
    timed = parse_player("uct(seconds=0.01)")
    assert timed.choose(position, 1, None) in position.moves
    bounded = parse_player("uct(60, seconds=100)")
    expected = parse_player("uct(60)").choose(position, 5, None)
    assert bounded.choose(position, 5, None) == expected
    assert parse_player("uct(60)").choose(position, 5, Clock(1e6)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uctt", "unknown player 'uctt': did you mean 'uct'?"),
        ("uct(", "invalid 'uct('"),
        ("uct(seed=3)", "leave out seed"),
        ("uct(seconds=0)", "seconds must be a number from 0.001"),
        ("uct(playouts=-1)", "playouts must be a whole number"),
        ("sequential_halving(seconds=1)", "playouts must be given: its rounds divide them"),
        ("random(3)", "random takes no arguments"),
        ("gtp()", "expected gtp("),
        ("gtp(5)", "expected gtp("),
        ('gtp("x", speed=4)', "expected gtp("),
        ('gtp("x", name=4)', "name must be"),
        ('gtp("x", timeout=0)', "timeout must be"),
    ],
)
def test_bad_players(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace("?", r"\?")):
        parse_player(text)


# Openings.


def test_random_openings_are_new_and_the_same_for_a_seed() -> None:
    found = make_openings("random(plies=3)", SMALL, 40, 5).openings
    assert found == make_openings("random(3)", SMALL, 40, 5).openings
    assert found[:7] == make_openings("random(3)", SMALL, 7, 5).openings
    assert found != make_openings("random(3)", SMALL, 40, 6).openings
    assert duplicates(found) == 0
    assert {len(opening.moves) for opening in found} == {3}
    few = make_openings("random(plies=1)", "tic_tac_toe", 12, 5).openings
    assert duplicates(few) == 3
    assert duplicates(make_openings("start", SMALL, 4, 5).openings) == 3


@pytest.mark.parametrize(
    ("game", "plies"),
    [("breakthrough(columns=5, rows=5)", 8), ("connect_four", 10), ("othello(size=4)", 8)],
)
def test_decided_openings_are_left_out(game: str, plies: int) -> None:
    """A side that can force a win within four plies, by the reference."""

    def decided(opening: Opening) -> bool:
        return any(
            abs(alpha_beta(opening.begin(game), depth)[0]) > WIN - 100 for depth in (1, 2, 3, 4)
        )

    kept = make_openings(f"random(plies={plies}, undecided=4)", game, 8, 3)
    assert kept.left_out > 0
    assert not any(decided(opening) for opening in kept.openings)
    everything = make_openings(f"random(plies={plies})", game, 8, 3)
    assert everything.left_out == 0
    assert any(decided(opening) for opening in everything.openings)


def test_decided_openings_where_there_are_no_others() -> None:
    found = make_openings("random(plies=8, undecided=4)", "tic_tac_toe", 5, 3)
    assert len(found.openings) == 5


def test_a_configuration_says_which_openings_are_left_out() -> None:
    """What is stored without `undecided` means what it meant when it was stored."""
    players: list[tuple[str | None, str]] = [(None, "random"), (None, "random")]
    texts = {
        text: make_config(SMALL, players, 4, openings=text).openings
        for text in ("random", "random(6)", "random(plies=6, undecided=0)", "start")
    }
    assert list(texts.values()) == [
        "random(plies=4, undecided=4)",
        "random(plies=6, undecided=4)",
        "random(plies=6)",
        "start",
    ]
    game = "breakthrough(columns=5, rows=5)"
    few = make_config(game, players, 40, openings="random(plies=8)")
    (note,) = [text for text in notes(Standings(few)) if "left out" in text]
    count = make_openings(few.openings, game, 20, 0).left_out
    assert note == (f"Note: random openings left out, as they were decided at once: {count:,}.")


def test_openings_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# two\na1 b2   # a comment\n\nposition x../.o./... x\n")
    found = make_openings(f'file("{file}")', "tic_tac_toe", 3, 0).openings
    assert found == [Opening((0, 4)), Opening((), "x../.o./... x"), Opening((0, 4))]
    file.write_text("a1 b2\na1 a1\n")
    with pytest.raises(ValueError, match=r"openings.txt, line 2: illegal move 'a1'"):
        make_openings(f'file("{file}")', "tic_tac_toe", 3, 0)
    file.write_text("a1 b1 a2 b2 a3\n")
    with pytest.raises(ValueError, match="line 1: the game is over there"):
        make_openings(f'file("{file}")', "tic_tac_toe", 3, 0)
    file.write_text("#\n")
    with pytest.raises(ValueError, match="has no openings"):
        make_openings(f'file("{file}")', "tic_tac_toe", 3, 0)


@pytest.mark.parametrize("text", [
    "randm", "random(plies=-1)", "random(x=1)", "file(3)", "", "3", "random(1, plies=2)",
    "random(undecided=11)", "random(1, 2, 3)", "random(plies=true)",
])  # fmt: skip
def test_bad_openings(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected random\(plies=4, undecided=4\), start or file"):
        make_openings(text, SMALL, 2, 0)


def test_an_opening_that_ends_the_game() -> None:
    with pytest.raises(ValueError, match="over after so many random plies"):
        make_openings("random(plies=500)", "tic_tac_toe", 1, 0)


# The schedule.


def test_every_opening_is_played_twice_with_colours_swapped() -> None:
    players = [(None, "uct(9)"), (None, "rave(9)"), (None, "random")]
    found = list(schedule(config(players=players, format="round_robin")))
    assert [slot.number for slot in found] == list(range(18))
    for one, two in zip(found[::2], found[1::2], strict=True):
        assert one.pair == two.pair
        assert one.opening == two.opening
        assert (one.first, one.second) == (two.second, two.first)
    assert len({slot.id for slot in found}) == 18
    assert pairings(config(players=players, format="gauntlet")) == [(0, 1), (0, 2)]
    assert pairings(config(players=players, format="ladder")) == [(0, 1), (1, 2)]
    first_round = {(slot.first, slot.second) for slot in found[:6]}
    assert first_round == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)}


def test_the_identity_of_a_game_is_all_that_decides_it() -> None:
    slots = {name: list(schedule(config(**changes))) for name, changes in {
        "plain": {}, "more": {"games": 8}, "seed": {"seed": 1}, "game": {"game": "tic_tac_toe"},
        "player": {"players": [(None, "uct(51)"), (None, "random")]},
    }.items()}  # fmt: skip
    assert slots["more"][:6] == slots["plain"], "more games leave those before as they were"
    for other in ("seed", "game", "player"):
        assert {s.id for s in slots[other]}.isdisjoint(s.id for s in slots["plain"])


# One game.


def test_a_job_gives_the_same_game_every_time() -> None:
    setup = config()
    for slot in schedule(setup):
        one, two = play_job(job(setup, slot), {}), play_job(job(setup, slot), {})
        assert (one.moves, one.result, one.reason) == (two.moves, two.result, two.reason)
        assert one.reason == "rules"
        assert replay(setup.game, slot.opening, one, setup.max_plies) is None
        assert GameResult.of_dict(one.to_dict()) == one


class Scripted(RandomPlayer):
    """Does what a test wants at its n-th move."""

    def __init__(self, at: int, act: object) -> None:
        super().__init__("scripted")
        self.left, self.act = at, act

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        self.left -= 1
        if self.left == 0:
            if isinstance(self.act, Exception):
                raise self.act
            return self.act  # type: ignore[return-value]
        return super().choose(position, seed, clock)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (99, "forfeit by scripted: illegal move 99"),
        (-1, "forfeit by scripted: illegal move -1"),
        ("a1", "forfeit by scripted: illegal move 'a1'"),
        (PlayerFailure("scripted", "crashed\n badly"), "forfeit by scripted: crashed badly"),
        (PlayerResigns("scripted", ""), "resigned"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_that_fails_loses(act: object, reason: str, seat: int) -> None:
    players = [RandomPlayer(), RandomPlayer()]
    players[seat] = Scripted(2, act)
    record = play_game("ab", Position.start(SMALL), tuple(players), 100)
    assert record.result == ("0-1", "1-0")[seat]
    assert record.why == reason
    assert len(record.moves) == 2 + seat
    assert replay(SMALL, Opening(), record, 100) is None


def test_a_player_that_cannot_start_loses() -> None:
    class Broken(RandomPlayer):
        def start(self, game: str, opening: Position) -> None:
            raise PlayerFailure("broken", "no such program")

    record = play_game("1", Position.start(SMALL), (RandomPlayer(), Broken()), 100)
    assert (record.result, record.moves) == ("1-0", ())
    assert "no such program" in record.why


def test_the_maximum_length_is_a_draw() -> None:
    record = play_game("1", Position.start(SMALL), (RandomPlayer(), RandomPlayer()), 3)
    assert (record.result, record.reason, len(record.moves)) == ("1/2-1/2", "maximum length", 3)
    assert replay(SMALL, Opening(), record, 3) is None
    assert replay(SMALL, Opening(), record, 4) is not None


def test_the_clock() -> None:
    class Slow(RandomPlayer):
        def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
            seen.append(clock)
            return super().choose(position, seed, clock)

    seen: list[Clock | None] = []
    players = (Slow(), RandomPlayer())
    record = play_game("1", Position.start(SMALL), players, 100, Clock(1, left=1e-9))
    assert (record.result, record.why) == ("0-1", "out of time: random")
    assert seen == [Clock(1, left=1e-9)]
    play_game("1", Position.start(SMALL), players, 100, Clock(50, 10))
    assert seen[2] is not None
    assert 59 < seen[2].remaining <= 60
    assert parse_clock("60+0.5") == Clock(60, 0.5)
    for bad in ("0", "-3", "60+", "x", "1e9"):
        with pytest.raises(ValueError, match="invalid clock"):
            parse_clock(bad)


def test_a_hopeless_search_resigns() -> None:
    strong = parse_player("uct(2000)")
    weak = parse_player("uct(500)", resign=0.45)
    opening = Position.start("connect_four")
    record = play_game("2", opening, (strong, weak), 100)
    assert (record.result, record.reason) == ("1-0", "resigned")
    assert replay("connect_four", Opening(), record, 100) is None


def test_the_seeds_of_a_game() -> None:
    """Each ply has a seed of its own, from the identity of the game alone."""

    class Noting(RandomPlayer):
        def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
            seen.append(seed)
            return super().choose(position, seed, clock)

    seen: list[int] = []
    play_game("00ff", Position.start(SMALL), (Noting(), Noting()), 100)
    assert seen == [hash_words((0xFF, ply)) for ply in range(len(seen))]


def test_replay_finds_what_is_wrong() -> None:
    record = play_game("7", Position.start(SMALL), (RandomPlayer(), RandomPlayer()), 100)
    other = {"1-0": "0-1", "0-1": "1-0"}[record.result]

    def problem(**changes: object) -> str:
        return str(replay(SMALL, Opening(), dataclasses.replace(record, **changes), 100))

    assert problem() == "None"
    assert "the rules say" in problem(result=other)
    assert "not over" in problem(moves=record.moves[:-1])
    assert "illegal move" in problem(moves=(63, *record.moves))
    assert "illegal move" in problem(moves=(*record.moves, 0))
    assert "over by the rules" in problem(reason=Reason.RESIGNED)
    assert "resigned" in problem(
        reason=Reason.RESIGNED, moves=record.moves[:-1], result=record.result
    )
    for bad in (
        {},
        {"id": 1},
        record.to_dict() | {"result": "2-0"},
        record.to_dict() | {"moves": "x"},
    ):
        with pytest.raises(ValueError, match=r"not the record|unknown result"):
            GameResult.of_dict(bad)
