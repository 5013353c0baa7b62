"""Two games as a user would write them: a plain class, five methods, nothing else."""

from __future__ import annotations

from sylve import Outcome, Player


class Nim:
    """The game of the README: take one to three matches; who takes the last one wins."""

    State = tuple[int, Player]  # matches, turn

    def start(self) -> State:
        """A heap of 21."""
        return (21, Player.FIRST)

    def turn(self, state: State) -> Player:
        """Kept in the state."""
        return state[1]

    def outcome(self, state: State) -> Outcome | None:
        """No match is left: who moved last has won."""
        return Outcome(state[1].other) if state[0] == 0 else None

    def moves(self, state: State) -> list[int]:
        """The number of matches to take."""
        return [taken for taken in (1, 2, 3) if taken <= state[0]]

    def play(self, state: State, move: int) -> State:
        """Take them."""
        return (state[0] - move, state[1].other)


class Domineering:
    """Dominoes on 6 x 6 cells, the first player's upright, the second's flat; who cannot, loses."""

    State = tuple[int, Player]  # the cells taken as bits, turn
    # By player: the upper or left cell, and both cells of the domino.
    DOMINOES = (
        [(cell, 0b1000001 << cell) for cell in range(30)],
        [(cell, 0b11 << cell) for cell in range(36) if cell % 6 < 5],
    )

    def start(self) -> State:
        """An empty board."""
        return (0, Player.FIRST)

    def turn(self, state: State) -> Player:
        """Kept in the state."""
        return state[1]

    def outcome(self, state: State) -> Outcome | None:
        """Whether there is room for a domino of the side to move."""
        taken, player = state
        if any(not taken & cells for _, cells in self.DOMINOES[player]):
            return None
        return Outcome(player.other)

    def moves(self, state: State) -> list[int]:
        """The upper or left cells of the dominoes that fit."""
        taken, player = state
        return [cell for cell, cells in self.DOMINOES[player] if not taken & cells]

    def play(self, state: State, move: int) -> State:
        """Lay one."""
        taken, player = state
        cells = 0b1000001 << move if player == Player.FIRST else 0b11 << move
        return (taken | cells, player.other)


# `python benchmarks/own_games.py`: compiled games and rules beside plain Python and our own Rust.


def main() -> None:
    """Print the tables of docs/own_games.md and docs/own_rules.md."""
    import sys
    from pathlib import Path

    import race_speed
    from compiled_speed import report
    from part_speed import part_report

    sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "own"))
    print(report(), race_speed.report(), part_report(), sep="\n\n")


if __name__ == "__main__":
    main()
