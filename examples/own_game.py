"""A game of your own: write five methods, check the rules, search it, play against it.

Chomp: a bar of chocolate; a move takes a square and all that are to its right and below. Whoever
takes the top left one, which is poisoned, loses.
"""

from sylve import Outcome, Player, Position, Uct, check_game, search, solve

ROWS, COLUMNS = 3, 4


class Chomp:
    """The state: how many squares are left in each row, and who moves."""

    def start(self):
        return (COLUMNS,) * ROWS, Player.FIRST

    def turn(self, state):
        return state[1]

    def outcome(self, state):
        bar, turn = state
        return None if any(bar) else Outcome(turn)  # the other one had to take the last square

    def moves(self, state):
        bar, _ = state
        return [row * COLUMNS + column for row in range(ROWS) for column in range(bar[row])]

    def play(self, state, move):
        bar, turn = state
        row, column = divmod(move, COLUMNS)
        kept = bar[:row] + tuple(min(left, column) for left in bar[row:])
        return kept, turn.other


if __name__ == "__main__":
    print(check_game(Chomp()))
    position = Position.start(Chomp())
    report = search(position, Uct(2000, seed=1))
    solution = solve(position)
    print(f"UCT takes square {report.best}, the solver says {solution.best}.")
    while position.outcome is None:
        move = search(position, Uct(500, seed=len(position.played))).best
        position = position.play(move)
    print(f"Played out: {position.outcome} after {len(position.played)} moves.")
