"""Go: who is nearer to each point, and liberties."""

from __future__ import annotations

from sylve.evaluations.arithmetic import Terms
from sylve.game import Player
from sylve.games.board import EMPTY
from sylve.games.go import Go, State

# A point of area, and an empty point beside own stones; chosen by hand.
POINT, LIBERTY = 1000, 100


def area(game: Go, state: State) -> tuple[int, Terms]:
    """The points that each side is nearer to, walking over empty points; and komi."""
    board = state.board
    owner = nearer(game, board)
    liberties = {
        stone: sum(
            board[point] == EMPTY and any(board[near] == stone for near in game.neighbours[point])
            for point in range(game.pass_move)
        )
        for stone in "xo"
    }
    terms = {
        "area": POINT * (owner.count("x") - owner.count("o")),
        "liberties": LIBERTY * (liberties["x"] - liberties["o"]),
        "komi": -round(POINT * game.komi),
    }
    if state.turn == Player.SECOND:
        terms = {name: -value for name, value in terms.items()}
    return sum(terms.values()), terms


def nearer(game: Go, board: str) -> list[str]:
    """For each point the side that is nearer; what both reach in the same step is nobody's.

    Nobody walks on from there.
    """
    owner = list(board)
    while True:
        reached: dict[int, set[str]] = {}
        for point in range(game.pass_move):
            if owner[point] == EMPTY:
                sides = {owner[near] for near in game.neighbours[point]} & {"x", "o"}
                if sides:
                    reached[point] = sides
        if not reached:
            return owner
        for point, sides in reached.items():
            owner[point] = sides.pop() if len(sides) == 1 else "both"


EVALUATIONS = {"area": area}
