"""A game in the terminal: the board after each move, and what a person types."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sylve.errors import cut, quote
from sylve.play.session import Session
from sylve.records.files import write_record
from sylve.screen import one_line, plural
from sylve.search.reports.show import report_table
from sylve.terminal import ask, paint_board, print_prose, print_table, print_text
from sylve.typed import exact_move, find_move

BEST = 10  # moves that `analyze` shows

COMMANDS = {
    "help": "show this list",
    "moves": "list the legal moves",
    "hint": "suggest a move",
    "explain": "say why, and how sure that is",
    "analyze": "show what the search found for each move",
    "undo": "take back your last move, and the reply to it",
    "save": "save FILE: write the game to a file as well (.json, .sgf, .ggf, .txt)",
    "resign": "give up; the game is lost",
    "quit": "leave; the game is kept and can be continued (so do Ctrl-C and Ctrl-D)",
}
"""What a person can type besides moves."""


class Leave(Exception):
    """The person leaves a game that is not over."""


class Conversation:
    """A session, with a person in front of it or one who only watches."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.unsaved: OSError | None = None
        """Why the record on the disk is not the whole game."""
        self.copies: set[Path] = set()
        """Files that `save` has written."""
        self.asked: dict[str, Callable[[str], None]] = {
            "help": self.help, "moves": self.moves, "hint": self.hint, "explain": self.explain,
            "analyze": self.analyze, "undo": self.undo, "save": self.save_copy,
            "resign": self.resign, "quit": self.leave,
        }  # fmt: skip

    def run(self) -> None:
        """Play to the end, or until somebody leaves; then the record is whole."""
        session = self.session
        if session.place is not None:
            print_prose(f"The game is kept in {session.place}")
        people = any(seat.player is None for seat in session.seats)
        if people:
            print_prose("Type a move, or help.")
        self.show()
        try:
            while not session.over:
                if session.persons_turn:
                    self.listen()
                else:
                    self.keep(session.reply)
                    self.show()
        except (Leave, EOFError):
            pass
        finally:
            try:
                self.keep(session.save)
            finally:
                self.end()
        if self.unsaved is not None:
            raise self.unsaved

    def end(self) -> None:
        """The result, and where the record is."""
        session = self.session
        print_prose(f"\nResult: {session.ending}")
        if self.unsaved:  # then it is at least on the screen
            print_prose("The game is not in its file. These are its moves:")
            print_text(write_record(session.record, "moves"))
        elif session.place is not None:
            print_prose(f"Record: {session.place}")

    def show(self) -> None:
        """The board, the move that led to it, and who is to move."""
        session = self.session
        print_text("")
        if session.last:
            before = session.positions[-2]
            print_prose(f"{'xo'[before.turn]} played {session.last}")
        paint_board(session.position, turn=False)
        if not session.over:
            print_prose(f"{session.position.state_of_play} ({session.mover.shown})")

    def keep(self, act: Callable[[], object]) -> None:
        """Do what changes the record; a disk that fails does not end the game."""
        try:
            act()
            self.unsaved = None
        except OSError as error:
            self.unsaved = error
            print_prose(f"The game could not be saved: {error}")

    # What a person types.

    def listen(self) -> None:
        """Ask for a line and do what it says."""
        position = self.session.position
        line = ask(f"{'xo'[position.turn]}> ", [*position.names, *COMMANDS])
        if not line:
            return
        word, _, rest = line.partition(" ")
        move = exact_move(position, position.names, line)
        command = word.lower().removeprefix("/")  # a slash, where a move has such a name
        if move is None and command in self.asked:
            self.asked[command](rest.strip())
            return
        try:
            move = find_move(position, line, tuple(COMMANDS))
        except ValueError as error:
            print_prose(one_line(str(error)))
            return
        self.keep(lambda: self.session.play(move))
        self.show()

    def help(self, rest: str) -> None:
        """All that can be typed."""
        del rest
        names = self.session.position.names
        print_prose(
            f"A move, such as {names[0]}: also its beginning, or in capitals. Tab completes."
        )
        for name, text in COMMANDS.items():
            print_prose(f"{name:8} {text}", indent=" " * 9)

    def moves(self, rest: str) -> None:
        """The legal moves."""
        del rest
        print_prose(" ".join(map(one_line, self.session.position.names)))

    def hint(self, rest: str) -> None:
        """The best move that the adviser finds."""
        del rest
        report = self.session.advise()
        print_prose(f"Hint: {one_line(report.best_name)} (by {report.search})")

    def explain(self, rest: str) -> None:
        """Why."""
        del rest
        print_prose(self.session.advise().explanation)

    def analyze(self, rest: str) -> None:
        """The table of the search."""
        del rest
        print_table(report_table(self.session.advise(), BEST))

    def undo(self, rest: str) -> None:
        """Take back."""
        del rest
        before = len(self.session.positions)
        try:
            self.keep(self.session.undo)
        except ValueError as error:
            print_prose(str(error))
            return
        taken = before - len(self.session.positions)
        print_prose(f"{plural(taken, 'move')} taken back")
        self.show()

    def save_copy(self, rest: str) -> None:
        """Another file."""
        if not rest:
            print_prose("save needs the name of a file, such as: save game.sgf")
            return
        path = Path(rest).expanduser()
        if path not in self.copies and path.is_file():
            print_prose(f"not saved: {quote(rest)} exists; choose another name")
            return
        try:
            self.session.save(path)
            self.copies.add(path)
        except (OSError, ValueError) as error:
            print_prose(f"not saved: {one_line(cut(str(error), 400))}")
            return
        print_prose(f"saved to {quote(rest)}")

    def resign(self, rest: str) -> None:
        """Give up."""
        del rest
        self.keep(self.session.resign)

    def leave(self, rest: str) -> None:
        """Go."""
        del rest
        raise Leave
