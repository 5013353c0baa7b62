"""`GtpPlayer`: a program that speaks GTP, as a player of matches.

It keeps our own rules beside the engine's: what the engine answers is checked, and what it does not
want to be told, such as the passes of Othello, it is not told again.
"""

from __future__ import annotations

import re
import shlex
from itertools import islice
from pathlib import Path

from sylve.errors import IllegalMove, InvalidMove, PlayerFailure, PlayerResigns
from sylve.game import Player
from sylve.games.board import BoardGame
from sylve.games.go import Go
from sylve.games.othello import Othello
from sylve.gtp.process import COMMAND_SECONDS, EngineFault, GtpProcess, shown
from sylve.gtp.protocol import Refusal
from sylve.own import game_text
from sylve.position import Position
from sylve.records.record import colour_letter
from sylve.search import Clock

GENMOVE_SECONDS = 60.0  # for a move, where there is no clock
CLOCK_GRACE = 2.0  # seconds over the clock before an engine counts as hanging
QUIT_SECONDS = 1.0
LONGEST_LIST = 4096  # commands or games of an engine that are looked at
LONGEST_MOVE = 100  # letters
SEEDS = 1 << 31  # other programs keep a seed in a C int


class GtpPlayer:
    """A player that is another process. `close` stops it for certain; so does any failure."""

    def __init__(
        self, command: str, name: str | None = None, timeout: float = GENMOVE_SECONDS
    ) -> None:
        self.command = command
        self.name = name or default_name(command)
        self.timeout = timeout
        self.process: GtpProcess | None = None
        self.commands: frozenset[str] = frozenset()
        self.here: Position | None = None
        """Where the engine's board stands."""
        self.takes_passes = True

    # The protocol of players.

    def start(self, game: str, opening: Position) -> None:
        """A new game. The engine is started if it does not run."""
        rules = opening.game
        if not isinstance(rules, BoardGame):
            raise self.failed(f"other programs cannot play {rules!r}")
        if self.process is None:
            self.launch()
        self.choose_game(game, rules)
        self.send("clear_board")
        if isinstance(rules, Go):
            self.send(f"komi {rules.komi:g}")
        self.here = Position(rules, opening.origin)
        if self.here != Position.start(rules):
            self.set_up(self.here)
        self.tell(opening.played)

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """A legal move; anything else that the engine does is a failure."""
        if self.here is None:
            raise self.failed("no game was started")
        known = self.here.played
        if position.played[: len(known)] != known or position.origin != self.here.origin:
            # Not where we left the engine: tell it the game again.
            self.start(game_text(position.game), position)
        else:
            self.tell(position.played[len(known) :])
        if isinstance(position.game, Othello) and position.moves == (position.game.pass_move,):
            # Some engines pass by themselves and cannot be asked: it is the only move anyway.
            self.tell(position.moves)
            return position.game.pass_move
        move = self.ask(position, seed, clock)
        self.here = position.play(move)
        return move

    def close(self) -> None:
        """Stop the engine."""
        self._stop(QUIT_SECONDS)

    def _stop(self, quit_seconds: float) -> None:
        process, self.process, self.here = self.process, None, None
        if process is not None:
            process.close(quit_seconds)

    # Talking to the engine.

    def failed(self, reason: str) -> PlayerFailure:
        """The failure to raise; the engine is stopped."""
        self._stop(0.0)
        return PlayerFailure(self.name, reason)

    def send(self, command: str, seconds: float | None = None) -> str:
        """The answer to a command that must succeed."""
        answer = self.try_send(command, seconds)
        if answer is None:
            raise self.failed(f"it refused {shown(command)}: {self.refusal}")
        return answer

    def try_send(self, command: str, seconds: float | None = None) -> str | None:
        """The answer to a command that it may refuse."""
        process = self.process
        if process is None:
            raise self.failed("it does not run")
        try:
            return process.send(command, seconds)
        except Refusal as refusal:
            self.refusal = str(refusal)[:200]
            return None
        except EngineFault as fault:
            raise self.failed(str(fault)) from None

    def launch(self) -> None:
        """Start the engine and ask what it knows."""
        try:
            self.process = GtpProcess(self.command, min(self.timeout, COMMAND_SECONDS))
        except EngineFault as fault:
            raise self.failed(str(fault)) from None
        version = self.send("protocol_version")
        if version != "2":
            raise self.failed(f"it speaks version {shown(version)} of GTP, not 2")
        self.commands = frozenset(listed(self.send("list_commands"), r"\S+"))
        self.takes_passes = True

    def choose_game(self, game: str, rules: BoardGame) -> None:
        """Set the game, where it has several, and the size."""
        if "set_game" in self.commands:
            # Ours reads whole game strings; others have a name of their own for each game.
            if self.try_send(f"set_game {game}") is not None:
                return
            games = listed(self.try_send("list_games") or "", ".+")
            plain = rules.name.replace("_", "")
            for name in games:
                if name.replace(" ", "").replace("_", "").lower() == plain:
                    self.send(f"set_game {name}")
                    break
            else:
                raise self.failed(f"it does not play {rules.name}: it lists {shown(str(games))}")
        square = rules.columns == rules.rows
        size = str(rules.columns) if square else f"{rules.columns} {rules.rows}"
        self.send(f"boardsize {size}")

    def set_up(self, position: Position) -> None:
        """A start that is not the usual one."""
        if "set_position" not in self.commands:
            raise self.failed(f"it cannot set up {position.text!r}: it has no set_position")
        self.send(f"set_position {position.text}")

    def tell(self, moves: tuple[int, ...]) -> None:
        """Play moves on its board. An engine that passes by itself refuses to be told."""
        for move in moves:
            position = self.here
            assert position is not None
            passes = isinstance(position.game, Othello) and move == position.game.pass_move
            if not passes or self.takes_passes:
                command = f"play {colour(position)} {position.name(move)}"
                if passes:
                    self.takes_passes = self.try_send(command) is not None
                else:
                    self.send(command)
            self.here = position.play(move)

    def ask(self, position: Position, seed: int, clock: Clock | None) -> int:
        """`genmove`."""
        if "set_random_seed" in self.commands:
            self.try_send(f"set_random_seed {seed % SEEDS}")
        if clock is not None and "time_left" in self.commands:
            self.try_send(f"time_left {colour(position)} {max(0, int(clock.remaining))} 0")
        limit = self.timeout if clock is None else max(0.0, clock.remaining) + CLOCK_GRACE
        answer = self.send(f"genmove {colour(position)}", limit)
        word = answer if len(answer) <= LONGEST_MOVE else ""
        if word.lower() == "resign":
            raise PlayerResigns(self.name, "it resigned")
        try:
            return position.move(word)
        except (IllegalMove, InvalidMove):
            legal = " ".join(position.names[:12])
            raise self.failed(
                f"illegal move {shown(answer)} in {position.text!r}: legal were {legal} ..."
            ) from None


def listed(text: str, pattern: str) -> list[str]:
    """The first items of an answer that is a list; it may hold a million of them."""
    return [item[0] for item in islice(re.finditer(pattern, text), LONGEST_LIST)]


def colour(position: Position) -> str:
    """The side to move as GTP names it."""
    return colour_letter(position, Player(position.turn)).lower()


def default_name(command: str) -> str:
    """The program's own name, without folders."""
    try:
        return Path(shlex.split(command)[0]).name
    except (ValueError, IndexError):
        return command
