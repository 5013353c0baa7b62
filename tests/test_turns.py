"""Who is to move is asked, never assumed: games in which a player moves twice in a row."""

import dataclasses
import re
from dataclasses import dataclass

import pytest

from searches import EXPLORING
from sylve import (
    AlphaBeta,
    AlphaBetaReport,
    Clock,
    FlatAmaf,
    Outcome,
    Player,
    Position,
    Rng,
    Search,
    Searcher,
    Uct,
    compare_estimates,
    search,
    solve,
)
from sylve.arena.game import GameResult, play_game
from sylve.arena.players import AlphaBetaPlayer, RandomPlayer, SearchPlayer, SolverPlayer
from sylve.engine import is_compiled
from sylve.errors import InvalidGame, PlayerResigns
from sylve.game import AnyGame, playout
from sylve.games.board import State
from sylve.games.tic_tac_toe import TicTacToe, has_line
from sylve.gtp import overlays
from sylve.gtp.board import Board
from sylve.gtp.protocol import Refusal
from sylve.policies import mast
from sylve.records import Record
from sylve.records.sgf_write import write_sgf
from sylve.rules import ucb1
from sylve.search.reference.alpha_beta import WIN, alpha_beta, minimax
from sylve.search.reference.searches import TreeSearch
from sylve.search.running.in_python import Reference
from turns import GAMES, Anybody, DotsAndBoxes, evaluation, exhaustive, positions

WORDS = {1: "win", 0: "draw", -1: "loss"}
ENGINES = ("rust", "python")
games = pytest.mark.parametrize("game", GAMES, ids=repr)


def value_for(position: Position, first: int) -> int:
    """A value of the first player, for the side to move."""
    return first if position.turn == Player.FIRST else -first


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def height(position: Position) -> int:
    """Plies to the end of the longest game."""
    return max((1 + height(position.play(move)) for move in position.moves), default=0)


def values_of_moves(position: Position, depth: int) -> list[int]:
    """By the rules, for the side to move."""
    return [
        value_for(
            position,
            exhaustive(
                position.game, position.game.play(position.state, move), depth - 1, evaluation, 1
            ),
        )
        for move in position.moves
    ]


def check_alpha_beta(position: Position) -> None:
    """All depths to the end, and one beyond."""
    for depth in range(1, height(position) + 2):
        values = values_of_moves(position, depth)
        score = max(values)
        best = position.moves[values.index(score)]
        for algorithm in (minimax, alpha_beta):
            found, line, _ = algorithm(position, depth, evaluation)
            assert (found, line[0]) == (score, best), (algorithm.__name__, position, depth)
            assert_leads_to(position, line, score, depth)
        for multi in (False, True):
            how = AlphaBeta(depth, evaluation=evaluation, multi=multi)
            report = search(position, how)
            assert isinstance(report, AlphaBetaReport)
            assert (report.score, report.best) == (score, best), (how, position)
            assert_leads_to(position, report.line, score, report.depth)
            if multi:
                assert [entry.score for entry in report.moves] == values, (how, position)
                assert {entry.proven for entry in report.moves if entry.proven} <= {"win", "loss"}
            assert report[best].proven == (WORDS[sign(score)] if abs(score) > WIN / 2 else None)
            assert report.explain()


def assert_leads_to(position: Position, line: tuple[int, ...], score: int, depth: int) -> None:
    """The line ends where the score comes from."""
    here = position.play_line(line)
    if here.outcome is not None:
        expected = (WIN - len(line)) * (here.outcome.points(position.turn) - 1)
    else:
        assert len(line) == depth
        expected = evaluation(here) if here.turn == position.turn else -evaluation(here)
    assert score == expected


def check_solvers(position: Position) -> None:
    """`solve`, and the proofs of UCT in both engines, with and without solvers at the nodes."""
    game = position.game
    truth = {
        move: sign(value_for(position, exhaustive(game, game.play(position.state, move))))
        for move in position.moves
    }
    solution = solve(position)
    assert (solution.value, solution.per_move) == (max(truth.values()), truth), position
    assert solution.best == next(move for move in truth if truth[move] == solution.value)
    end = position.play_line(solution.line)
    assert end.outcome is not None
    assert end.outcome.points(position.turn) - 1 == solution.value
    for how in (Uct(4000, rule=ucb1(2)), Uct(4000, rule=ucb1(2), transpositions=False)):
        reports = [search(position, how, engine=engine) for engine in ENGINES]  # type: ignore[arg-type]
        assert reports[0].moves == reports[1].moves, (how, position)
        for report in reports:
            assert report.stopped == "proven", (how, position)
            assert report[report.best].proven == WORDS[solution.value or 0], (how, position)
            for entry in report.moves:
                assert entry.proven in (None, WORDS[truth[entry.move]]), (how, position)
    # Solvers at the nodes, of which games in Python have the readable one only.
    readable = Reference(position, Uct(4000, rule=ucb1(2), solver_nodes=20))
    readable.run(4000)
    assert readable.proven
    for move, proof in zip(position.moves, readable.found().proofs, strict=True):
        assert proof is None or proof.points(position.turn) - 1 == truth[move], position


@games
def test_alpha_beta_is_exhaustive_search(game: AnyGame) -> None:
    for position in positions(game, 12, 60):
        check_alpha_beta(position)


@games
def test_solvers_and_proofs_are_exhaustive_search(game: AnyGame) -> None:
    for position in positions(game, 10, 60):
        check_solvers(position)


@pytest.mark.long
@games
def test_everything_is_exhaustive_search(game: AnyGame) -> None:
    found = positions(game, 350, 120)
    assert len(found) == 350 or isinstance(game, Anybody), "of the others there are more"
    assert len(found) > 140
    for position in found:
        check_alpha_beta(position)
        check_solvers(position)


# Every other place that knows whose turn it is.


@dataclass(frozen=True)
class Mirrored:
    """The same game with the players exchanged."""

    game: AnyGame

    def start(self):
        return self.game.start()

    def turn(self, state):
        return self.game.turn(state).other

    def outcome(self, state):
        outcome = self.game.outcome(state)
        if outcome is None or outcome.winner is None:
            return outcome
        return Outcome(outcome.winner.other)

    def moves(self, state):
        return self.game.moves(state)

    def play(self, state, move):
        return self.game.play(state, move)


@games
def test_engines_agree_and_the_players_names_do_not_matter(game: AnyGame) -> None:
    (position,) = positions(game, 1, 400, seed=3)
    for how in EXPLORING:
        how = dataclasses.replace(how, playouts=40, seed=5)
        if isinstance(how, TreeSearch):
            how = dataclasses.replace(how, solver=False)
        here, again = (search(position, how, engine=engine) for engine in ENGINES)
        assert here.moves == again.moves, how
        assert (here.line, here.best) == (again.line, again.best), how
        if "weighted" not in str(how):  # codes name the player
            other = search(Position(Mirrored(game), position.state), how)
            assert other.moves == here.moves, how
            assert other.line == here.line, how


@games
@pytest.mark.parametrize("how", [how for how in EXPLORING if isinstance(how, TreeSearch)], ids=str)
def test_tree_searches_find_a_best_move(game: AnyGame, how: Search) -> None:
    how = dataclasses.replace(how, playouts=300, solver=False)
    wrong = 0
    for position in positions(game, 4, 14, seed=4):
        report = search(position, how)
        truth = solve(position)
        wrong += truth.per_move[report.best] != truth.value
    # AMAF for ever (alpha-AMAF), and beta that does not fall, may go wrong.
    assert wrong <= (2 if how.name() == "amaf_uct" else 1)


@games
def test_amaf_counts_the_moves_of_the_player_who_searches(game: AnyGame) -> None:
    for position in positions(game, 3, 400, seed=6):
        visits, points = (dict.fromkeys(position.moves, 0) for _ in range(2))
        for index in range(200):
            played: list[int] = []
            outcome = playout(game, position.state, Rng.stream(7, index), played)
            for move in position.moves:
                if 2 * move + position.turn in played:
                    visits[move] += 1
                    points[move] += outcome.points(position.turn)
        for engine in ENGINES:
            report = search(position, FlatAmaf(200, seed=7), engine=engine)  # type: ignore[arg-type]
            for entry in report.moves:
                assert entry.amaf_visits == visits[entry.move]
                if entry.amaf_visits:
                    assert entry.amaf_mean == points[entry.move] / (2 * visits[entry.move])


def test_estimates_are_for_the_side_to_move() -> None:
    # A move that ends the game is known exactly, whoever would be "to move" after it.
    found = 0
    for position in (here for game in GAMES for here in positions(game, 20, 30, seed=8)):
        for entry in compare_estimates(position, 5).moves:
            outcome = position.play(entry.move).outcome
            if outcome is not None:
                found += 1
                assert entry.direct.mean == outcome.points(position.turn) / 2
    assert found > 20


@games
def test_a_searcher_that_advances_keeps_points_of_view(game: AnyGame) -> None:
    (position,) = positions(game, 1, 400, seed=9)
    kept = [Searcher(position, Uct(50, solver=False), engine=engine) for engine in ENGINES]  # type: ignore[arg-type]
    reports = [searcher.run(50) for searcher in kept]
    while position.play(reports[0].best).outcome is None:
        position = position.play(reports[0].best)
        if len(position.moves) == 1:
            break
        for searcher in kept:
            searcher.advance(reports[0].best)
        reports = [searcher.run(50) for searcher in kept]
        assert reports[0].moves == reports[1].moves
        for entry in reports[0].moves:
            outcome = position.play(entry.move).outcome
            if outcome is not None and entry.mean is not None:
                assert entry.mean == outcome.points(position.turn) / 2


class Seat:
    """A player who minds whose turn it is, and lets another one choose."""

    def __init__(self, player: Player, chooser: object, resigns: bool = False) -> None:
        self.name, self.player, self.chooser, self.resigns = str(player), player, chooser, resigns
        self.asked: list[int] = []

    def start(self, game: str, opening: Position) -> None:
        self.chooser.start(game, opening)  # type: ignore[attr-defined]

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        assert position.turn == self.player
        self.asked.append(len(position.played))
        if self.resigns and len(self.asked) == 2:
            raise PlayerResigns(self.name, "the second time it is asked")
        return int(self.chooser.choose(position, seed, clock))  # type: ignore[attr-defined]

    def close(self) -> None:
        pass


@games
def test_matches(game: AnyGame) -> None:
    choosers = [
        RandomPlayer(),
        SearchPlayer(Uct(30, playout=mast())),
        AlphaBetaPlayer(AlphaBeta(2, evaluation=evaluation)),
        SolverPlayer(300, RandomPlayer()),
    ]
    for number, chooser in enumerate(choosers):
        for resigns in (False, True):
            seats = (Seat(Player.FIRST, RandomPlayer()), Seat(Player.SECOND, chooser, resigns))
            record = play_game(
                f"{number:x}", Position.start(game), seats, 100, Clock(60.0, 1.0), 300
            )
            assert_right(record, game, seats)


def assert_right(record: GameResult, game: AnyGame, seats: tuple[Seat, Seat]) -> None:
    here, asked = Position.start(game), [0, 0]
    for move in record.moves:
        asked[here.turn] += 1
        here = here.play(move)
    if record.reason == "resigned":
        asked[here.turn] += 1
        assert (here.turn, record.result) == (Player.SECOND, "1-0")
    elif record.reason == "solved":
        value = value_for(here, solve(here).value or 0)
        assert record.result == {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[value]
    else:
        assert (record.reason, here.outcome is None) == ("rules", False)
        assert here.outcome is not None
        assert record.result == ("0-1", "1/2-1/2", "1-0")[here.outcome.points(Player.FIRST)]
    assert asked == [len(seat.asked) for seat in seats]


def test_a_best_player_wins_where_it_can() -> None:
    # Alpha-beta to the end against random moves, from positions that one side has won.
    for game in GAMES:
        for position in positions(game, 20, 60, seed=10):
            value = exhaustive(game, position.state)
            if value == 0:
                continue
            best = AlphaBetaPlayer(AlphaBeta(12, evaluation=evaluation))
            winner = value < 0
            seats = (RandomPlayer(), best) if winner else (best, RandomPlayer())
            record = play_game("ab", position, seats, 100)
            assert record.result == ("0-1" if winner else "1-0"), position


class Twice(TicTacToe):
    """Tic-tac-toe in which each player moves twice: derived from a game with a board."""

    def play(self, state: State, move: int) -> State:
        after = super().play(state, move)
        return after._replace(turn=Player((9 - after.board.count(".")) // 2 % 2))

    def outcome(self, state: State) -> Outcome | None:
        for player in Player:
            if has_line(state.board, "xo"[player]):
                return Outcome(player)
        return None if "." in state.board else Outcome(None)


def test_a_game_derived_from_one_of_ours_has_its_own_rules() -> None:
    position = Position.start(Twice()).play_line("a1 a2")
    assert not is_compiled(position)
    for depth in (1, 2, 3):
        report = search(position, AlphaBeta(depth, evaluation=evaluation, multi=True))
        assert [entry.score for entry in report.moves] == values_of_moves(position, depth)
    assert search(position, AlphaBeta(4)).engine == "python"
    here, again = (search(position, Uct(200), engine=engine) for engine in ENGINES)  # type: ignore[arg-type]
    assert here.moves == again.moves
    with pytest.raises(InvalidGame, match='engine="rust" needs compiled rules'):
        solve(position, engine="rust")


def test_boards_files_and_drawings() -> None:
    record = Record(Position.start(Twice()), (0, 1, 3, 4, 8, 2))
    assert re.findall(r";([BW])\[", write_sgf(record)) == ["B", "B", "W", "W", "B", "B"]
    assert record.final.outcome == Outcome(Player.FIRST)
    board = Board(Twice())
    for colour, name in (("B", "a1"), ("B", "b1"), ("W", "a2")):
        board.play(colour, name)
    with pytest.raises(Refusal, match="it is white's turn"):
        board.play("B", "c1")
    assert "o to move" in str(board.position)
    assert "tic_tac_toe: O to move" in board.position.svg()
    report = search(board.position, AlphaBeta(4))
    shown = dict(line.split(" ", 1) for line in overlays.gfx(report).splitlines())
    here, colours = board.position, []
    for move in report.line:
        colours.append("bw"[here.turn])
        here = here.play(move)
    assert shown["VAR"].split()[::2] == colours
    assert colours[:3] == ["w", "b", "b"]


def test_an_engine_that_lacks_the_game_says_so() -> None:
    start = Position.start(DotsAndBoxes())
    for position in (start, Position(start.game, start.play_line(start.moves[:-1]).state)):
        for given in (evaluation, None, "lines"):
            with pytest.raises(
                InvalidGame, match=r'engine="rust" needs compiled rules: DotsAndBox'
            ):
                search(position, AlphaBeta(2, evaluation=given), engine="rust")
    assert search(start, AlphaBeta(2, evaluation=evaluation)).engine == "python"
