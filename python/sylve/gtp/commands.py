"""The commands of GTP 2 that need no search, and a few more: board, time, results, files."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from sylve.game import AnyGame
from sylve.games import GAMES
from sylve.games.go import Go
from sylve.gtp import handicap
from sylve.gtp.board import Board, cells_of
from sylve.gtp.folder import Folder
from sylve.gtp.protocol import Refusal, number_of, words_of
from sylve.gtp.time_control import time_left, time_settings
from sylve.own import game_text
from sylve.position import position_text
from sylve.records import result_of, write_record
from sylve.records.record import colour_letter, margin
from sylve.search import Clock

NAME = "sylve"
PROTOCOL = "2"


@dataclass
class Stream:
    """An answer that goes on: lines, until they end or, if so agreed, until a line comes in."""

    lines: Generator[str, None, None]
    ends_on_input: bool


Answer = str | Stream
Words = tuple[str, ...]
Action = Callable[[Words], Answer]


def bare(text: Callable[[], str]) -> Action:
    """A command without arguments that tells something."""

    def action(words: Words) -> str:
        words_of(words, 0)
        return text()

    return action


def acting(act: Callable[[], object]) -> Action:
    """A command without arguments that does something and tells nothing."""

    def tell() -> str:
        act()
        return ""

    return bare(tell)


class BoardCommands:
    """A board and clocks, and what can be said about them."""

    def __init__(self, game: AnyGame, folder: Folder) -> None:
        self.board = Board(game)
        self.time: Clock | None = None
        """A clock as `time_settings` has it."""
        self.clocks: dict[str, Clock] = {}
        """By colour; none until somebody says how much time there is."""
        self.folder = folder
        self.over = False
        """Whether `quit` was said."""

    def table(self) -> dict[str, Action]:
        """The commands by name."""
        return {
            "protocol_version": bare(lambda: PROTOCOL),
            "name": bare(lambda: NAME),
            "quit": acting(self.quit),
            "stop": bare(str),  # what it would stop has ended when it is read
            "gogui-interrupt": bare(str),
            "cputime": bare(lambda: f"{time.process_time():.3f}"),
            "boardsize": self.boardsize,
            "query_boardsize": bare(self.query_boardsize),
            "clear_board": acting(self.board.clear),
            "komi": self.komi,
            "get_komi": bare(lambda: f"{self.go().komi:g}"),
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.fixed_handicap,
            "set_free_handicap": self.set_free_handicap,
            "list_games": bare(lambda: "\n".join(GAMES)),
            "set_game": self.set_game,
            "get_game": bare(lambda: game_text(self.board.game)),
            "set_position": self.set_position,
            "sylve-position": bare(self.position_text),
            "showboard": bare(lambda: f"\n{self.board.position}"),
            "legal_moves": self.legal_moves,
            "all_legal": self.legal_moves,
            "is_legal": self.is_legal,
            "play": self.play,
            "gogui-play_sequence": self.play_sequence,
            "undo": acting(self.board.undo),
            "gg-undo": self.undo_several,
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "final_score": bare(self.final_score),
            "final_status_list": self.final_status_list,
            "loadsgf": self.loadsgf,
            "printsgf": self.printsgf,
        }

    def quit(self) -> None:
        """End the session."""
        self.over = True

    # The board.

    def boardsize(self, words: Words) -> str:
        """`boardsize columns [rows]`."""
        sizes = [int(number_of(word)) for word in words_of(words, 1, 2)]
        self.board.resize(sizes[0], sizes[-1])
        return ""

    def query_boardsize(self) -> str:
        """Columns and rows."""
        cells = cells_of(self.board.game)
        return f"{cells.columns} {cells.rows}"

    def komi(self, words: Words) -> str:
        """The points that White gets in Go; other games take it and have no use for it."""
        (text,) = words_of(words, 1)
        self.board.set_komi(number_of(text, float))
        return ""

    def go(self) -> Go:
        """The rules, if this is Go."""
        if not isinstance(self.board.game, Go):
            name = game_text(self.board.game).partition("(")[0]
            raise Refusal(f"only in go, not in {name}")
        return self.board.game

    def fixed_handicap(self, words: Words) -> str:
        """Put handicap stones where the specification says."""
        (text,) = words_of(words, 1)
        points = handicap.fixed_points(self.go(), int(number_of(text)))
        return handicap.set_stones(self.board, points)

    def set_free_handicap(self, words: Words) -> str:
        """Put handicap stones where the other side says."""
        self.go()
        handicap.set_stones(self.board, handicap.free_points(self.board, words))
        return ""

    def set_game(self, words: Words) -> str:
        """Another game: `set_game hex(size=5, swap=true)`."""
        if not words:
            raise Refusal("syntax error: 0 arguments, expected a game; see list_games")
        name = " ".join(words)
        listed = {game.lower(): game for game in GAMES}
        self.board.set_game(listed.get(name.lower(), name))
        return ""

    def set_position(self, words: Words) -> str:
        """A position by its text, as `sylve-position` prints it."""
        self.board.set_position(" ".join(words))
        return ""

    def position_text(self) -> str:
        """The position as `set_position` reads it, where the game has a text for it."""
        text = position_text(self.board.position)
        if text is None:
            raise Refusal(f"{game_text(self.board.game)} has no texts of positions")
        return text

    def legal_moves(self, words: Words) -> str:
        """The legal moves of the side to move, or of a colour."""
        words_of(words, 0, 1)
        here = (
            self.board.to_move(self.board.read_colour(words[0])) if words else self.board.position
        )
        return " ".join(here.names)

    def is_legal(self, words: Words) -> str:
        """1 if a colour may make a move, else 0."""
        colour, name = words_of(words, 2)
        here = self.board.to_move(self.board.read_colour(colour))
        try:
            here.move(name)
        except ValueError:
            return "0"
        return "1"

    def play(self, words: Words) -> str:
        """`play colour move`."""
        colour, name = words_of(words, 2)
        self.board.play(self.board.read_colour(colour), name)
        return ""

    def play_sequence(self, words: Words) -> str:
        """`gogui-play_sequence b D4 w E5 ...`: all of it or nothing."""
        if len(words) % 2:
            raise Refusal("syntax error: expected pairs of a colour and a move")
        before = list(self.board.stack)
        try:
            for colour, name in zip(words[::2], words[1::2], strict=True):
                self.board.play(self.board.read_colour(colour), name)
        except Refusal:
            self.board.stack = before
            raise
        return ""

    def undo_several(self, words: Words) -> str:
        """Take back several moves, or none if there are not so many."""
        (text,) = words_of(words, 1)
        count = int(number_of(text))
        if not 0 <= count < len(self.board.stack):
            raise Refusal("cannot undo")
        for _ in range(count):
            self.board.undo()
        return ""

    # Time.

    def time_settings(self, words: Words) -> str:
        """Main time, then periods of so many seconds for so many stones."""
        main, period, stones = (number_of(word, float) for word in words_of(words, 3))
        if min(main, period, stones) < 0:
            raise Refusal("syntax error: expected no negative number")
        self.time = time_settings(main, period, int(stones))
        self.clocks = {} if self.time is None else dict.fromkeys("BW", self.time)
        return ""

    def time_left(self, words: Words) -> str:
        """What a colour has left."""
        colour, seconds, stones = words_of(words, 3)
        left = time_left(self.time, number_of(seconds, float), int(number_of(stones)))
        self.clocks[self.board.read_colour(colour)] = left
        return ""

    # Results and files.

    def final_score(self) -> str:
        """`B+3.5`, `W+12`, `0`; `B+` in games that count no points. Go scores what stands."""
        here = self.board.position
        points = margin(here)
        if here.outcome is None and not isinstance(here.game, Go):
            raise Refusal("cannot score: the game is not over")
        if points is not None:
            return f"{'B' if points > 0 else 'W'}+{abs(points):g}" if points else "0"
        assert here.outcome is not None
        if here.outcome.winner is None:
            return "0"
        return f"{colour_letter(here, here.outcome.winner)}+"

    def final_status_list(self, words: Words) -> str:
        """The chains of a status. Our rules take no stones off at the end: all are alive."""
        (status,) = words_of(words, 1)
        game = self.go()
        if status not in ("alive", "dead", "seki"):
            raise Refusal(f"syntax error: expected alive, dead or seki, not {status[:40]!r}")
        board, lines = self.board.position.state.board, []
        seen: set[int] = set()
        for point in range(game.pass_move if status == "alive" else 0):
            if board[point] != "." and point not in seen:
                chain = game.chain(board, point)
                seen.update(chain)
                lines.append(" ".join(game.cell_name(one) for one in sorted(chain)))
        return "\n".join(lines)

    def loadsgf(self, words: Words) -> str:
        """`loadsgf file [move]`: a record of the folder, in any form; up to before that move."""
        if not words:
            raise Refusal("syntax error: expected a file")
        parts = list(words)
        before = int(number_of(parts.pop())) if len(parts) > 1 and parts[-1].isdecimal() else None
        try:
            record = self.folder.load(" ".join(parts))
        except Refusal as refusal:
            raise Refusal(f"cannot load file: {refusal}") from None
        plies = len(record.moves) if before is None else max(0, before - 1)
        self.board.set_record(record, plies)
        return ""

    def printsgf(self, words: Words) -> str:
        """The game so far as SGF, in the answer or in a file of the folder."""
        here = self.board.position
        record = self.board.record(result_of(here))
        if not words:
            return write_record(record, "sgf")
        try:
            self.folder.save(record, " ".join(words))
        except Refusal as refusal:
            raise Refusal(f"cannot write file: {refusal}") from None
        return ""
