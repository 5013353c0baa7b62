"""Othello: `weights`, `composite`, `stability`, `composite_stability` and `positional`."""

from __future__ import annotations

from functools import lru_cache

from sylve.evaluations.arithmetic import Terms, divide, ratio
from sylve.evaluations.othello_stability import stable_discs
from sylve.games.board import EMPTY, STONES, State
from sylve.games.othello import Othello

QUARTER = ((120, -20, 20, 5), (-20, -40, -5, -5), (20, -5, 15, 3), (5, -5, 3, 3))
"""A quarter of the square table of Norvig's "Paradigms of Artificial Intelligence Programming"
(1992), chapter 18; the rest is its mirror image. Smaller boards leave out the inner lines."""

PHASES = (
    (0, 9, 11, 45, 42, 35, 180),
    (0, 9, 11, 45, 42, 35, 180),
    (0, 13, 11, 38, 37, 15, 105),
    (0, 13, 7, 26, 23, 6, 67),
    (3, 11, 1, 12, 11, 6, 56),
    (4, 5, 1, 4, 2, 3, 52),
)
"""The weights of the terms of `positional`, in hundredths, by the share of the cells that have a
disc: a row for each sixth. Fitted to the results of games that the program played against itself
(docs/evaluations.md)."""


@lru_cache
def table(size: int) -> tuple[int, ...]:
    """The square table of a board."""
    near = [min(line, size - 1 - line) for line in range(size)]
    return tuple(QUARTER[row][column] for row in near for column in near)


def weights(game: Othello, state: State) -> tuple[int, Terms]:
    """The weights of the own discs less those of the other side's."""
    own, other = STONES[state.turn], STONES[state.turn.other]
    score = 0
    for disc, weight in zip(state.board, table(game.size), strict=True):
        if disc == own:
            score += 1000 * weight
        elif disc == other:
            score -= 1000 * weight
    return score, {"weights": score}


def composite(game: Othello, state: State) -> tuple[int, Terms]:
    """The mean of coin parity, mobility and corners, each 100 x difference / sum."""
    own, other = (corner_count(game, state, stone) for stone in stones(state))
    terms = {
        "coin_parity": coin_parity(state),
        "mobility": mobility(game, state),
        "corners": ratio(own, other),
    }
    return divide(sum(terms.values()), 3), terms


def composite_stability(game: Othello, state: State) -> tuple[int, Terms]:
    """The mean of four terms: those of the composite, and stability with the same weight."""
    terms = {**composite(game, state)[1], **stability(game, state)[1]}
    return divide(sum(terms.values()), 4), terms


def stability(game: Othello, state: State) -> tuple[int, Terms]:
    """100 x difference / sum of the discs that can never be turned."""
    own, other = stable_counts(game, state)
    return ratio(own, other), {"stability": ratio(own, other)}


def positional(game: Othello, state: State) -> tuple[int, Terms]:
    """The composite with stability, and more, weighed by the phase of the game."""
    own, other = stones(state)
    cells = game.size * game.size
    stable, other_stable = stable_counts(game, state)
    terms = {
        "coin_parity": coin_parity(state),
        "mobility": mobility(game, state),
        # Discs beside an empty cell give the other side its moves.
        "frontier": ratio(frontier(game, state, other), frontier(game, state, own)),
        "corners": 25_000 * (corner_count(game, state, own) - corner_count(game, state, other)),
        "x_squares": 25_000 * (risky(game, state, other, X) - risky(game, state, own, X)),
        "c_squares": 12_500 * (risky(game, state, other, C) - risky(game, state, own, C)),
        "stability": divide(100_000 * (stable - other_stable), cells),
    }
    discs = cells - state.board.count(EMPTY)
    phase = PHASES[6 * (discs - 1) // cells]
    total = sum(weight * term for weight, term in zip(phase, terms.values(), strict=True))
    return divide(total, 100), terms


def stones(state: State) -> tuple[str, str]:
    """The discs of the side to move and of the other."""
    return STONES[state.turn], STONES[state.turn.other]


def coin_parity(state: State) -> int:
    """Who has more discs."""
    own, other = stones(state)
    return ratio(state.board.count(own), state.board.count(other))


def mobility(game: Othello, state: State) -> int:
    """Who has more cells to put a disc. A pass is none."""
    own, other = (
        sum(1 for _ in game.places(state.board, player))
        for player in (state.turn, state.turn.other)
    )
    return ratio(own, other)


def corner_cells(game: Othello) -> tuple[int, int, int, int]:
    """The four corners."""
    last = game.size * (game.size - 1)
    return 0, game.size - 1, last, last + game.size - 1


def corner_count(game: Othello, state: State, stone: str) -> int:
    """How many corners a side has."""
    return sum(state.board[corner] == stone for corner in corner_cells(game))


@lru_cache
def around(size: int, cell: int) -> tuple[int, ...]:
    """The up to eight cells around a cell."""
    row, column = divmod(cell, size)
    return tuple(
        r * size + c
        for r in range(max(0, row - 1), min(size, row + 2))
        for c in range(max(0, column - 1), min(size, column + 2))
        if (r, c) != (row, column)
    )


def frontier(game: Othello, state: State, stone: str) -> int:
    """The discs of a side beside an empty cell."""
    return sum(
        disc == stone and any(state.board[near] == EMPTY for near in around(game.size, cell))
        for cell, disc in enumerate(state.board)
    )


X, C = -40, -20
"""The weights of the cells diagonally and straight beside a corner: they mark these cells."""


def risky(game: Othello, state: State, stone: str, weight: int) -> int:
    """The discs of a side on such cells that may give an empty corner away."""
    near = {
        cell
        for corner in corner_cells(game)
        if state.board[corner] == EMPTY
        for cell in around(game.size, corner)
    }
    return sum(state.board[cell] == stone and table(game.size)[cell] == weight for cell in near)


def stable_counts(game: Othello, state: State) -> tuple[int, int]:
    """How many stable discs each side has."""
    stable = stable_discs(game, state.board)
    own, other = (sum(state.board[cell] == stone for cell in stable) for stone in stones(state))
    return own, other


EVALUATIONS = {
    "positional": positional,
    "weights": weights,
    "composite": composite,
    "stability": stability,
    "composite_stability": composite_stability,
}
