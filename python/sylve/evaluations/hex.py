"""Hex: the two-distance of van Rijswijck's Queenbee."""

from __future__ import annotations

from sylve.evaluations.arithmetic import Terms
from sylve.game import Player
from sylve.games.board import EMPTY, STONES, State
from sylve.games.hex import Hex

# A step of distance, and a cell on a best way; chosen so that distance comes first.
STEP, CELL = 1000, 10


def two_distance(game: Hex, state: State) -> tuple[int, Terms]:
    """How far each side is from joining its sides, if the opponent takes the nearest cell."""
    own, other = potential(game, state, state.turn), potential(game, state, state.turn.other)
    terms = {"distance": STEP * (other[0] - own[0]), "mobility": CELL * (own[1] - other[1])}
    return sum(terms.values()), terms


def potential(game: Hex, state: State, player: Player) -> tuple[int, int]:
    """The best sum of a cell's distances from a player's two sides, and how many cells have it."""
    board = state.board
    empty = [cell for cell, stone in enumerate(board) if stone == EMPTY]
    near = {cell: {at for at in game.neighbours[cell] if board[at] == EMPTY} for cell in empty}
    beside = [{cell for cell in side if board[cell] == EMPTY} for side in game.sides[player]]
    for chain in chains(game, board, STONES[player]):
        # Cells that touch the same chain are neighbours, and a chain at a side is that side.
        around = {at for cell in chain for at in game.neighbours[cell] if board[at] == EMPTY}
        for cell in around:
            near[cell] |= around
        for side, cells in zip(game.sides[player], beside, strict=True):
            if not chain.isdisjoint(side):
                cells |= around
    one, two = (two_distances(near, cells) for cells in beside)
    sums = [one[cell] + two[cell] for cell in empty if cell in one and cell in two]
    best = min([*sums, 3 * game.size])  # farther than any cell counts as this
    return best, sums.count(best)


def chains(game: Hex, board: str, stone: str) -> list[set[int]]:
    """The chains of connected stones."""
    found: list[set[int]] = []
    for cell, there in enumerate(board):
        if there != stone or any(cell in chain for chain in found):
            continue
        chain, todo = {cell}, [cell]
        while todo:
            for at in game.neighbours[todo.pop()]:
                if board[at] == stone and at not in chain:
                    chain.add(at)
                    todo.append(at)
        found.append(chain)
    return found


def two_distances(near: dict[int, set[int]], beside: set[int]) -> dict[int, int]:
    """The distance of each cell from a side, where it has one.

    1 beside the side; any other cell is one step farther than the second nearest of its neighbours.
    """
    distances = dict.fromkeys(beside, 1)
    distance = 1
    while True:
        distance += 1
        new = [
            cell
            for cell, others in near.items()
            if cell not in distances and sum(at in distances for at in others) >= 2
        ]
        if not new:
            return distances
        distances |= dict.fromkeys(new, distance)


EVALUATIONS = {"two_distance": two_distance}
