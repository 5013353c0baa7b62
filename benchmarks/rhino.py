"""Othello against GRhino, an opponent that nobody here wrote (Debian package grhino).

python benchmarks/rhino.py [--pairs 50] [--seconds 0.5] [--exact 0] [--program gtp-rhino]

Each pair: eight random plies, played twice with the sides exchanged. With `--exact N`, the exact
solver plays from N empty cells on, if half of the seconds are enough for it. Seconds are wall time:
on a busy machine there is less.
"""

import argparse
import subprocess
from math import sqrt
from time import process_time

from sylve import AlphaBeta, Player, Position, Rng, search

COLOURS = {Player.FIRST: "b", Player.SECOND: "w"}
OPENING = 8


class Rhino:
    """The program, spoken to by GTP. It passes by itself: passes are never sent."""

    def __init__(self, program: str, level: int) -> None:
        command = [program, "-b", "0", "-l", str(level)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, command: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline().strip()) or not lines:
            lines.append(line)
        answer = " ".join(line for line in lines if line)
        if not answer.startswith("="):
            raise RuntimeError(f"{command!r}: {answer}")
        return answer[1:].strip()

    def begin(self, position: Position) -> None:
        cells = position.text.split()[0].replace("/", "").upper().replace(".", "-")
        self.ask(f"grhino-setup_board {cells} {'XO'[position.turn]}")

    def choose(self, position: Position) -> int:
        return position.move(self.ask(f"genmove {COLOURS[position.turn]}").lower())

    def told(self, position: Position, move: int) -> None:
        self.ask(f"play {COLOURS[position.turn]} {position.name(move)}")


def opening(index: int) -> Position:
    position, rng = Position.start("othello"), Rng.stream(9, index)
    for _ in range(OPENING):
        position = position.play(position.moves[rng.below(len(position.moves))])
    return position


def play(rhino: Rhino, start: Position, me: Player, how: AlphaBeta) -> int:
    """Our discs less theirs at the end."""
    rhino.begin(start)
    position = start
    while position.outcome is None:
        if position.names == ("pass",):
            position = position.play("pass")
        elif position.turn == me:
            move = search(position, how).best
            rhino.told(position, move)
            position = position.play(move)
        else:
            position = position.play(rhino.choose(position))
    board = position.text.split()[0]
    return board.count("xo"[me]) - board.count("xo"[me.other])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="the number of the first opening")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--depth", type=int, default=None)
    parser.add_argument("--evaluation", default="positional")
    parser.add_argument("--exact", type=int, default=0)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--program", default="/usr/games/gtp-rhino")
    given = parser.parse_args()
    how = AlphaBeta(
        given.depth,
        seconds=None if given.depth else given.seconds,
        evaluation=given.evaluation,
        exact=given.exact,
    )
    rhino = Rhino(given.program, given.level)
    discs: list[int] = []
    for index in range(given.first, given.first + given.pairs):
        discs += [play(rhino, opening(index), me, how) for me in Player]
        shown(discs, how)


def shown(discs: list[int], how: AlphaBeta) -> None:
    results = [0.5 * (1 + (margin > 0) - (margin < 0)) for margin in discs]
    games, mean = len(results), sum(results) / len(results)
    error = sqrt(sum((result - mean) ** 2 for result in results) / games / max(1, games - 1))
    print(
        f"{how}: {games} games, {sum(m > 0 for m in discs)}-{sum(m == 0 for m in discs)}"
        f"-{sum(m < 0 for m in discs)}, {100 * mean:.1f} ± {100 * error:.1f} %,"
        f" mean discs {sum(discs) / games:+.1f}, cpu {process_time() / games:.1f} s a game",
        flush=True,
    )


if __name__ == "__main__":
    main()
