"""A person as a player of the arena: asked in the terminal, in the process that shows it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout

from sylve.arena.player import PlainPlayer
from sylve.errors import IllegalMove, PlayerFailure, PlayerResigns
from sylve.grammar import Call
from sylve.position import Position
from sylve.screen import is_terminal, one_line
from sylve.search.running.clock import Clock
from sylve.search.text import parse_call
from sylve.terminal import ask, paint_board, print_prose, print_text
from sylve.typed import find_move

NAME = "human"
RESIGN = "resign"


class HumanPlayer(PlainPlayer):
    """Whoever sits at the terminal. Ctrl-C and Ctrl-D end the match, `resign` the game."""

    def __init__(self) -> None:
        self.name = NAME

    def start(self, game: str, opening: Position) -> None:
        """A new game: who begins is said with the first board."""
        del opening
        if not at_terminal():
            raise PlayerFailure(self.name, "there is no terminal to ask in")
        with conversation():
            print_prose(f"\nA new game of {game}. Type a move, or {RESIGN}.")

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """The move that is typed."""
        del seed
        with conversation():
            print_text("")
            if position.played:
                before = Position(position.game, position.origin).play_line(position.played[:-1])
                print_prose(f"{'xo'[before.turn]} played {before.name(position.played[-1])}")
            paint_board(position)
            if clock is not None:
                print_prose(f"{clock.remaining:.0f} s left")
            while True:
                try:
                    line = ask(f"{'xo'[position.turn]}> ", [*position.names, RESIGN])
                except EOFError:
                    raise KeyboardInterrupt from None  # nobody is there: the match stops
                if line.lower() == RESIGN:
                    raise PlayerResigns(self.name, "resigned")
                try:
                    return find_move(position, line, (RESIGN,))
                except IllegalMove as error:
                    print_prose(one_line(str(error)))


@contextmanager
def conversation() -> Iterator[None]:
    """Speak on stdout, unless that is kept for results: then on stderr.

    Ctrl-C and SIGTERM interrupt the question at once: a match takes them between two turns only.
    """
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [(number, signal.signal(number, signal.default_int_handler)) for number in numbers]
    try:
        with nullcontext() if is_terminal(sys.stdout) else redirect_stdout(sys.stderr):
            yield
    finally:
        for number, old in before:
            signal.signal(number, old)


def at_terminal() -> bool:
    """Whether a person can be asked."""
    return is_terminal(sys.stdin) and (is_terminal(sys.stdout) or is_terminal(sys.stderr))


def is_human(text: str) -> bool:
    """Whether a player is a person, or asks one: `solver(1000, otherwise=human)`."""

    def inside(call: Call) -> bool:
        parts = [*call.arguments, *call.keywords.values()]
        return call.name == NAME or any(inside(part) for part in parts if isinstance(part, Call))

    return inside(parse_call(text))
