"""The engine: the commands that search, on top of those that do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from time import perf_counter

from sylve.game import AnyGame
from sylve.gtp import overlays
from sylve.gtp.analyze import Lines, Request, analyze, choose_moves, idle, info, read_request
from sylve.gtp.commands import Action, Answer, BoardCommands, Stream, Words, acting, bare
from sylve.gtp.folder import Folder
from sylve.gtp.protocol import Command, Refusal, words_of
from sylve.gtp.thinking import in_slices, searcher_of
from sylve.gtp.time_control import after_move
from sylve.position import Position
from sylve.search.budget import Budget
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search
from sylve.search.reports.report import Report
from sylve.search.run import search
from sylve.search.running.alpha_beta_run import within
from sylve.search.running.searcher import Searcher
from sylve.version import VERSION

LARGEST_SEED = (1 << 64) - 1


class Engine(BoardCommands):
    """One session: a board, a clock, a search. It answers commands and prints nothing."""

    def __init__(
        self,
        game: AnyGame,
        how: Search | AlphaBeta,
        *,
        analysis: Budget | None = None,
        folder: Folder | None = None,
    ) -> None:
        super().__init__(game, folder or Folder("."))
        self.how = how
        self.analysis = analysis
        """What ends a live analysis besides the next line; None: the limits of the search."""
        self.seed = how.seed if isinstance(how, Search) else 0
        self.interrupted: Callable[[], bool] = lambda: False
        """Whether somebody wants the answer now (`# interrupt`)."""
        self.known: Report | None = None
        """The last search, for the overlays."""
        self.commands = self.table()

    def answer(self, command: Command) -> Answer:
        """Do what a command says. Raises Refusal."""
        action = self.commands.get(command.name)
        if action is None:
            raise Refusal("unknown command")
        return action(command.arguments)

    def table(self) -> dict[str, Action]:
        """The commands by name."""
        table: dict[str, Action] = super().table() | {
            "version": bare(lambda: f"{VERSION} {self.how}"),
            "known_command": self.known_command,
            "list_commands": bare(lambda: "\n".join(sorted(self.commands))),
            "set_random_seed": self.set_random_seed,
            "get_random_seed": bare(lambda: str(self.seed)),
            "clear_cache": acting(self.forget),
            "genmove": lambda words: self.genmove(words, keep=True),
            "reg_genmove": lambda words: self.genmove(words, keep=False),
        }
        # These tell of simulations, which alpha-beta has not.
        return table | self.watching(self.how) if isinstance(self.how, Search) else table

    def watching(self, how: Search) -> dict[str, Action]:
        """The commands that show what a search knows."""
        table: dict[str, Action] = {
            "gogui-analyze_commands": bare(lambda: "\n".join(overlays.COMMANDS)),
            "sylve-visits_text": bare(lambda: overlays.visits_text(self.board, self.report())),
            "sylve-gfx": bare(lambda: overlays.gfx(self.report())),
        }
        for quantity in ("visits", "values", "amaf"):
            table[f"sylve-{quantity}"] = self.overlay(quantity)
        for family in ("lz", "kata", ""):
            dash = f"{family}-" if family else ""
            table[f"{dash}analyze"] = self.watch(how, family)
            table[f"{dash}genmove_analyze"] = self.watch_and_play(family)
        return table

    # About the engine.

    def known_command(self, words: Words) -> str:
        """Whether a command exists."""
        (name,) = words_of(words, 1)
        return "true" if name in self.commands else "false"

    def set_random_seed(self, words: Words) -> str:
        """The seed of the searches; the ply is mixed in."""
        (text,) = words_of(words, 1)
        seed = int(text) if re.fullmatch("[0-9]{1,20}", text) else -1
        if not 0 <= seed <= LARGEST_SEED:
            raise Refusal(f"seed must be a whole number from 0 to {LARGEST_SEED}")
        self.seed, self.known = seed, None
        return ""

    def forget(self) -> None:
        """Forget the last search."""
        self.known = None

    # Searching.

    def genmove(self, words: Words, keep: bool) -> str:
        """The move that the search chooses; `keep` plays it."""
        (text,) = words_of(words, 1)
        colour = self.board.read_colour(text)
        here = self.board.to_move(colour)
        if here.outcome is not None:
            # Two programs may not agree on the end: where there is a pass, it is the answer.
            if not hasattr(self.board.game, "pass_move"):
                raise Refusal("the game is over")
            if keep:
                self.board.push(here)
            return "pass"
        for _ in self.think(here, colour):
            pass
        assert self.known is not None
        if keep:
            self.board.push(here.play(self.known.best))
        return self.known.best_name

    def think(self, position: Position, colour: str | None) -> Iterator[Searcher]:
        """Search until a limit is reached, the time is up, or somebody interrupts.

        What it yields is for those who want to see it grow; `known` is the result.
        """
        clock = None if colour is None else self.clocks.get(colour)
        seconds = None if clock is None else clock.allowance()
        if isinstance(self.how, AlphaBeta):
            self.known = search(position, within(self.how, seconds))
        else:
            searcher = searcher_of(position, self.how, self.seed)
            budget = self.how.within(seconds)
            for _ in in_slices(searcher, budget, self.interrupted):
                yield searcher
            self.known = searcher.report()
            by_clock = self.known.stopped == "seconds" and budget.seconds != self.how.seconds
            # At least one playout for each move, so that there is something to choose by.
            least = min(len(position.moves), self.how.playouts or len(position.moves))
            if self.known.playouts < least and (by_clock or self.known.stopped == "stop"):
                self.known = searcher.run(least - self.known.playouts)
        if colour is not None and clock is not None:
            self.clocks[colour] = after_move(clock, self.known.seconds)

    def report(self) -> Report:
        """A search of the current position: the last one if it was of this, else a new one."""
        here = self.board.position
        if here.outcome is not None:
            raise Refusal("the game is over")
        known = self.known
        if known is None or known.position != here or known.position.moves != here.moves:
            for _ in self.think(here, None):
                pass
        assert self.known is not None
        return self.known

    def overlay(self, quantity: str) -> Action:
        """A board of numbers."""
        return bare(lambda: overlays.numbers(self.board, self.report(), quantity))

    def watch(self, how: Search, family: str) -> Action:
        """`analyze`: until a line comes in; it searches until a limit is reached."""

        def action(words: Words) -> Stream:
            request = read_request(self.board, words)
            here = self.board.position
            if request.colour is not None:
                here = self.board.to_move(request.colour)
            if here.outcome is not None:
                return Stream(idle(), ends_on_input=True)
            searcher = searcher_of(choose_moves(here, request), how, self.seed)
            budget = how.budget if self.analysis is None else self.analysis
            return Stream(analyze(searcher, budget, family, request), ends_on_input=True)

        return action

    def watch_and_play(self, family: str) -> Action:
        """`genmove_analyze`: until the move is chosen; it is played."""

        def action(words: Words) -> Stream:
            request = read_request(self.board, words)
            colour = request.colour or self.board.turn
            here = self.board.to_move(colour)
            if here.outcome is not None:
                raise Refusal("the game is over")
            here = choose_moves(here, request)
            lines = self.tell_and_play(here, colour, family, request)
            return Stream(lines, ends_on_input=False)

        return action

    def tell_and_play(self, here: Position, colour: str, family: str, request: Request) -> Lines:
        """Lines while the search runs; at the end all that is known, and the move."""
        next_line = perf_counter() + request.interval
        for searcher in self.think(here, colour):
            if perf_counter() >= next_line:
                next_line = perf_counter() + request.interval
                yield info(searcher.report(), family, request)
        assert self.known is not None
        yield info(self.known, family, request)
        self.board.push(here.play(self.known.best))
        yield f"play {self.known.best_name}"
