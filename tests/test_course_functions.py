"""The course's own functions: right where the documents are, and wrong where the errata say so."""

import copy
import math
import random
from types import SimpleNamespace

import pytest

from helpers import random_game
from sylve import AlphaBeta, Flat, Position, Rng, Ucb, Uct, compare_estimates, search
from sylve.course import amaf, flat, othello, rave, ucb, uct
from sylve.course.board import Black, Board, Move, White
from sylve.evaluations import evaluate
from sylve.schedules import mse
from sylve.search.reference.tally import Tally

SIZES = ["breakthrough(columns=5, rows=5)", "breakthrough(columns=3, rows=7)", "breakthrough"]


class Ordered(Board):
    """Moves in our order, so that the same draws play the same games."""

    def legalMoves(self) -> list[Move]:
        sides = (0, 1, -1)
        return sorted(super().legalMoves(), key=lambda m: (sides.index(m.y2 - m.y1), m.x1, m.y1))


@pytest.mark.parametrize("game", SIZES)
def test_the_board_follows_our_rules(game: str) -> None:
    keys: dict[int, str] = {}
    for position in random_game(game, seed=1, index=0):
        board = Ordered.of(position)
        assert board.terminal() == (position.outcome is not None)
        if not board.terminal():
            moves = board.legalMoves()
            assert tuple(move.name(board) for move in moves) == position.names
            assert [move.code(board) for move in moves] == [
                position.code(m) for m in position.moves
            ]
            played = copy.deepcopy(board)
            played.play(moves[0])
            assert played.h == Ordered.of(position.play(position.moves[0])).h
        assert keys.setdefault(board.h, position.text) == position.text


@pytest.mark.parametrize("ply", [0, 1, 2, 3])
def test_flat_is_ours_with_the_same_draws(ply: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is left over: our simulation i tries move i % moves, with stream i."""
    position = list(random_game(SIZES[0], seed=3, index=0))[ply]
    each, moves = 20, len(position.moves)
    report = search(position, Flat(each * moves, seed=5), engine="python")
    streams = iter([i for m in range(moves) for i in range(m, each * moves, moves)])
    rng = [Rng.stream(5, 0)]
    real = Board.playout

    def with_our_stream(board: Board) -> float:
        rng[0] = Rng.stream(5, next(streams))
        return real(board)

    monkeypatch.setattr(Board, "playout", with_our_stream)
    monkeypatch.setattr(random, "randint", lambda _, high: rng[0].below(high + 1))
    board = Ordered.of(position)
    assert flat.flat(board, each * moves).name(board) == report.best_name


@pytest.mark.parametrize("ply", [0, 1, 2, 3, 4])
def test_ucb_is_ours_with_the_same_draws(ply: int, monkeypatch: pytest.MonkeyPatch) -> None:
    position = list(random_game(SIZES[0], seed=3, index=0))[ply]
    report = search(position, Ucb(150, seed=5))
    most = [entry.visits for entry in report.ranked[:2]]
    assert most[0] > most[1]  # no tie, which is ours by the mean
    rng, real, streams = [Rng.stream(5, 0)], Board.playout, iter(range(150))

    def with_our_stream(board: Board) -> float:
        rng[0] = Rng.stream(5, next(streams))
        return real(board)

    monkeypatch.setattr(Board, "playout", with_our_stream)
    monkeypatch.setattr(random, "randint", lambda _, high: rng[0].below(high + 1))
    board = Ordered.of(position)
    assert ucb.UCB(board, 150).name(board) == report.best_name


@pytest.mark.parametrize("ply", [1, 2, 3, 4])
def test_uct_is_ours_with_the_same_draws(ply: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Visit by visit. The course's first simulation makes the root, so that it is one ahead.

    Rounding may break a tie otherwise, since 1 - 2/3 is not 1/3; in these games it does not.
    """
    position = list(random_game(SIZES[0], seed=3, index=0))[ply]
    report = search(position, Uct(150, seed=5, solver=False))
    rng, board = [Rng.stream(5, 0)], Ordered.of(position)
    monkeypatch.setattr(random, "randint", lambda _, high: rng[0].below(high + 1))
    uct.Table.clear()
    for number in range(-1, 150):
        rng[0] = Rng.stream(5, number)
        uct.simulate(copy.deepcopy(board), None)
    visits = uct.Table[board.h][1][: len(position.moves)]
    assert visits == [entry.visits for entry in report.moves]


def test_000_compare_estimates_is_right_for_white() -> None:
    position = Position.start(SIZES[0])
    board = Board.of(position)
    random.seed(3)
    direct, all_moves = amaf.compare_estimates(board, 150)
    ours = {entry.name: entry for entry in compare_estimates(position, 2000, seed=1).moves}
    for move, mean in direct.items():
        entry = ours[move.name(board)]
        assert mean == pytest.approx(entry.direct.mean, abs=4 * math.sqrt(0.25 / 150))
        samples = 150 * entry.amaf.samples / (13 * 2000)
        assert all_moves[move] == pytest.approx(entry.amaf.mean, abs=4 * math.sqrt(0.25 / samples))


def test_001_flat_plays_no_remainder_and_may_choose_move_0(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    monkeypatch.setattr(Board, "playout", lambda board: played.append(board) or 0.0)
    board = Board()
    assert repr(flat.flat(board, 25)) == repr(board.legalMoves()[0])  # all sums are 0
    assert len(played) == 13  # of 25
    assert search(SIZES[0], Flat(25)).playouts == 25


def test_001_the_loop_with_a_clock_simulates_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat.time, "time", lambda: 0.0)  # no time passes at all
    assert flat.simulations_in(5.0) == 51_000


def test_000_three_simulations() -> None:
    letters = {letter: code for code, letter in enumerate("ABCDEF")}
    board = Board()
    amaf.addAMAF(board)
    t = amaf.Table[board.h]
    for line, result in (("ABC", 1.0), ("DAE", 0.0), ("BFA", 1.0)):
        amaf.updateAMAF(t, [letters[letter] for letter in line], result)
    found = {letter: (t[4][code], t[3][code]) for letter, code in letters.items()}
    assert found == {"A": (2, 3), "B": (2, 2), "C": (1, 1), "D": (0, 1), "E": (0, 1), "F": (1, 1)}
    amaf.updateAMAF(t, [0, 0], 1.0)
    assert t[3][0] == 4  # a code counts once in a simulation
    assert len(t[3]) == 250


@pytest.mark.parametrize("white", [True, False])
def test_000_compare_estimates_counts_wins_of_white(white: bool) -> None:
    """The side to move wins at once by b4xa5 or its mirror; its estimate is 1, or 0 for Black."""
    position = Position.parse(
        SIZES[0], "...../.x.../...../.o.../..... x" if white else "...../.x.../...../.o.../..... o"
    )
    board = Board.of(position)
    assert board.turn == (White if white else Black)
    random.seed(1)
    direct, all_moves = amaf.compare_estimates(board, 20)
    winning = [m for m in direct if m.x2 in (0, 4)]
    assert winning
    assert {direct[m] for m in winning} == {1.0 if white else 0.0}
    assert {all_moves[m] for m in winning} == {1.0 if white else 0.0}


def test_002_beta_of_the_example() -> None:
    assert rave.compute_optimal_beta(0.25, 0.04, 0.01) == pytest.approx(5 / 6)
    assert rave.compute_optimal_beta(0.0, 0.0, 0.0) == 0.5


def test_002_variances_are_those_of_a_sample() -> None:
    """They do not fall with n, so that beta stays near 1/2; those of the means give `mse`."""
    for n in (100, 10_000):
        own, others = [1.0, 0.0] * (n // 2), [1.0, 1.0, 0.0, 0.0, 1.0] * n
        sigma, tilde = rave.estimate_variances(own, others)
        bias = rave.estimate_bias_squared_mended(own, others)
        assert sigma == pytest.approx(0.25, abs=0.01)
        assert 0.49 < rave.compute_optimal_beta(sigma, tilde, bias) < 0.52
        mended = rave.compute_optimal_beta(sigma / n, tilde / len(others), bias)
        ours = mse().beta(n, Tally(n, n // 2), Tally(5 * n, 3 * n))
        assert mended == pytest.approx(ours, rel=0.02)
    assert ours < 0.01


def test_002_the_bias_uses_names_that_it_does_not_have() -> None:
    with pytest.raises(NameError, match="uct_samples"):
        rave.estimate_bias_squared(0.5, 0.6)
    assert rave.estimate_bias_squared_mended([1.0] * 10, [0.0] * 10) == 1.0
    assert rave.estimate_bias_squared_mended([1.0] * 9, [0.0] * 10) == 0.1
    node = SimpleNamespace(uct_samples=[1.0], amaf_samples=[0.0])
    rave.adaptive_rave_update(node, 0.0, [1.0, 1.0])
    assert 0.0 < node.beta < 1.0


def test_003_printed_exploration() -> None:
    """0.22, 0.28, 0.34 are no values of 0.4 sqrt(ln 10 / n), which are 0.27, 0.35, 0.43."""
    right = [0.4 * math.sqrt(math.log(10) / n) for n in (5, 3, 2)]
    assert [round(value, 2) for value in right] == [0.27, 0.35, 0.43]
    for printed, value in zip((0.22, 0.28, 0.34), right, strict=True):
        assert 0.78 < printed / value < 0.82  # about four fifths of what they should be


def test_003_the_last_of_equally_visited_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Board, "playout", lambda _: 0.5)
    board = Board()
    moves = board.legalMoves()
    assert repr(ucb.UCB(board, 26)) == repr(moves[0])
    assert repr(ucb.UCB_optimized(board, 26)) == repr(moves[-1])
    ucb.UCB(board, 1)  # log(0) is never asked for


@pytest.mark.parametrize("one", [flat.flat, ucb.UCB, ucb.UCB_optimized, uct.UCT, uct.RAVE])
@pytest.mark.parametrize("turn", ["x", "o"])
def test_all_find_a_win_in_one(one, turn: str) -> None:
    text = "oo.oo/.x.../...../...o./xx.xx "
    position = Position.parse(SIZES[0], text + turn)
    random.seed(2)
    move = one(Board.of(position), 400)
    assert move.x2 == (4 if turn == "x" else 0)


@pytest.mark.parametrize("amaf_too", [False, True])
def test_the_table_of_uct(amaf_too: bool) -> None:
    entry = uct.search(Board(), 60, amaf=amaf_too)
    assert entry[0] == sum(entry[1]) == 59  # the first one made the node
    assert 0 < sum(entry[2]) < 59
    assert len(entry) == (5 if amaf_too else 3)


# Document 004.


def test_004_evaluations_are_ours_for_the_side_to_move() -> None:
    for position in list(random_game("othello", seed=2, index=0))[:-1:5]:
        board = othello.OthelloGame(position)
        color = board.get_turn()
        assert 1000 * othello.Simple(color).evaluate(board) == evaluate(position, "weights").score
        ours = evaluate(position, "composite").score
        assert 1000 * othello.LessSimple(color).evaluate(board) == pytest.approx(ours, abs=3)


def test_004_the_point_of_view_is_that_of_the_leaf() -> None:
    """The simple evaluation does not know the player; the corners of the other one do."""
    position = list(random_game("othello", seed=2, index=0))[31]
    board = othello.OthelloGame(position)
    before = othello.Simple("B").evaluate(board)
    assert before == othello.Simple("W").evaluate(board) != 0
    board.switch_turn()
    assert othello.Simple("B").evaluate(board) == -before


def test_004_a_pass_gives_infinity_and_no_move() -> None:
    position = Position.start("othello")
    rng = Rng.stream(1, 0)
    while position.names != ("pass",):
        position = position.play(position.moves[rng.below(len(position.moves))])
        if position.outcome is not None:
            position, rng = Position.start("othello"), Rng.stream(rng.next(), 0)
    board = othello.OthelloGame(position)
    assert not board.is_game_over()
    for maximizing, score in ((True, -math.inf), (False, math.inf)):
        found = othello.Simple().alpha_beta(board, 1, -math.inf, math.inf, maximizing)
        assert found == (score, None)


def test_004_the_last_of_equal_moves() -> None:
    """The four first moves of Othello are mirror images."""
    board = othello.OthelloGame()
    _, move = othello.Simple().alpha_beta(board, 1, -math.inf, math.inf, True)
    assert move == board.get_possible_move()[-1]


@pytest.mark.parametrize("index", [0, 1])
def test_004_alpha_beta_is_ours_at_depth_2(index: int) -> None:
    """Where nobody must pass: the side to move at the leaf is then the one who searches."""
    tried = 0
    for position in list(random_game("othello", seed=4, index=index))[5:50:9]:
        replies = [position.play(move) for move in position.moves]
        leaves = [reply.play(move) for reply in replies for move in reply.moves]
        if any(one.moves == () or one.names == ("pass",) for one in [position, *replies, *leaves]):
            continue
        tried += 1
        board = othello.OthelloGame(position)
        for kind, name in ((othello.Simple, "weights"), (othello.LessSimple, "composite")):
            player = kind(board.get_turn())
            score, _ = player.alpha_beta(board, 2, -math.inf, math.inf, True)
            ours = search(position, AlphaBeta(2, evaluation=name))
            assert 1000 * score == pytest.approx(ours.score, abs=3)
    assert tried >= 3
