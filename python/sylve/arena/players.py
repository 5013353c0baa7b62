"""Players by name: `uct(1000)`, `random`, `gtp("gnugo --mode gtp", name="gnugo")`."""

from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import TypeGuard

from sylve.arena.player import Player, PlayerResigns
from sylve.errors import quote
from sylve.grammar import Call, Unreadable, read_call, suggestion
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.alpha_beta_search import AlphaBeta, within
from sylve.search.run import search
from sylve.search.searcher import Searcher
from sylve.search.searches import Search
from sylve.search.text import SEARCHES, parse_search
from sylve.solve import solve

OTHERS = ("alpha_beta", "solver", "gtp", "random")
PATIENCE = 3  # hopeless moves in a row before a player resigns
MOVES_LEFT = 30  # a clock is spent as if so many moves were still to come
FOREVER = 1 << 40  # playouts that no clock allows


class RandomPlayer:
    """Uniformly random legal moves."""

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def start(self, game: str, opening: Position) -> None:
        """Nothing to prepare."""

    def choose(self, position: Position, seed: int, clock: float | None) -> int:
        """Any legal move."""
        del clock
        return position.moves[Rng(seed).below(len(position.moves))]

    def close(self) -> None:
        """Nothing to close."""


class SearchPlayer:
    """A search of this package, with a budget of playouts, of seconds a move, or of a clock."""

    def __init__(
        self,
        how: Search,
        *,
        seconds: float | None = None,
        bounded: bool = True,
        resign: float = 0.0,
    ) -> None:
        self.name = full_name(how)
        self.how = how
        self.seconds = seconds
        self.bounded = bounded
        """Whether the playouts are a limit also where time is one."""
        self.resign = resign
        """It gives up when its best move is worth less than this, three times running."""
        self.hopeless = 0

    def start(self, game: str, opening: Position) -> None:
        """A new game."""
        del game, opening
        self.hopeless = 0

    def choose(self, position: Position, seed: int, clock: float | None) -> int:
        """The best move of a fresh search with this seed."""
        limit = self.seconds if clock is None else clock / MOVES_LEFT
        if limit is not None and self.seconds is not None:
            limit = min(limit, self.seconds)
        how = dataclasses.replace(self.how, seed=seed)
        if limit is None or len(position.moves) == 1:
            report = search(position, how)
            move = report.best
            mean = next(entry.mean for entry in report.moves if entry.move == move)
        else:
            if not self.bounded:
                how = dataclasses.replace(how, playouts=FOREVER)
            move, mean = search_for(position, how, limit)
        self.hopeless = self.hopeless + 1 if mean is not None and mean < self.resign else 0
        if self.hopeless >= PATIENCE:
            raise PlayerResigns(self.name, f"{PATIENCE} moves below {self.resign:g}")
        return move

    def close(self) -> None:
        """Nothing to close."""


class AlphaBetaPlayer:
    """Alpha-beta, with its own depth or seconds a move; a clock can only shorten them."""

    def __init__(self, how: AlphaBeta) -> None:
        self.name = str(how)
        self.how = how

    def start(self, game: str, opening: Position) -> None:
        """A new game."""
        del game, opening

    def choose(self, position: Position, seed: int, clock: float | None) -> int:
        """The best move; nothing in it is random."""
        del seed
        return search(
            position, within(self.how, None if clock is None else clock / MOVES_LEFT)
        ).best

    def close(self) -> None:
        """Nothing to close."""


class SolverPlayer:
    """Exact where the solver decides the position within so many nodes; else another player."""

    def __init__(self, nodes: int, otherwise: Player) -> None:
        self.name = f"solver({nodes}, otherwise={otherwise.name})"
        self.nodes = nodes
        self.otherwise = otherwise

    def start(self, game: str, opening: Position) -> None:
        """A new game, for both."""
        self.otherwise.start(game, opening)

    def choose(self, position: Position, seed: int, clock: float | None) -> int:
        """A best move, or what the other one plays."""
        if len(position.moves) > 1:
            # A new solver each time: what an old one remembers changes which best move it gives.
            solution = solve(position, nodes=self.nodes, want="line")
            if solution.exact and solution.best is not None:
                return solution.best
        return self.otherwise.choose(position, seed, clock)

    def close(self) -> None:
        """No game will follow."""
        self.otherwise.close()


def full_name(how: Search) -> str:
    """The text of a search with its playouts, also where they are the default."""
    text = str(how)
    if "playouts=" in text:
        return text
    name, _, rest = text.partition("(")
    return f"{name}(playouts={how.playouts}" + (f", {rest}" if rest else ")")


def search_for(position: Position, how: Search, seconds: float) -> tuple[int, float | None]:
    """The best move after so many seconds, or after the playouts of the search; and its mean."""
    report = Searcher(position, how).run(playouts=how.playouts, seconds=seconds)
    return report.best, report[report.best].mean


def parse_player(text: str, *, resign: float = 0.0) -> Player:
    """The player that a text names: any search, `random`, or a program that speaks GTP.

    A search may have `seconds=` for a budget of time a move. Its seed is the game's.
    """
    try:
        call = read_call(text)
    except Unreadable as error:
        raise ValueError(str(error)) from None
    if call.name == "random":
        if call.arguments or call.keywords:
            raise ValueError(f"random takes no arguments: {quote(text)}")
        return RandomPlayer()
    if call.name == "gtp":
        return gtp_player(call, text)
    if call.name == "solver":
        return solver_player(call, text, resign)
    if call.name == "alpha_beta":
        how = parse_search(text)
        assert isinstance(how, AlphaBeta)
        return AlphaBetaPlayer(how)
    if call.name not in SEARCHES:
        known = suggestion(call.name, [*SEARCHES, *OTHERS])
        raise ValueError(f"unknown player {quote(call.name)}: {known}")
    if "seed" in call.keywords:
        raise ValueError(f"{quote(text)}: leave out seed: each game has seeds of its own")
    keywords = dict(call.keywords)
    seconds = keywords.pop("seconds", None)
    if "seconds" in call.keywords and not is_positive(seconds):
        raise ValueError(f"{quote(text)}: seconds must be a number above 0")
    if seconds is not None and call.name == "sequential_halving":
        raise ValueError(f"{quote(text)}: it must know its playouts beforehand, not its seconds")
    how = parse_search(Call(call.name, call.arguments, keywords).text())
    assert isinstance(how, Search)
    bounded = bool(call.arguments) or "playouts" in keywords
    player = SearchPlayer(
        how, seconds=seconds if is_positive(seconds) else None, bounded=bounded, resign=resign
    )
    if player.seconds is not None:
        player.name = text.strip()
    return player


def solver_player(call: Call, text: str, resign: float) -> Player:
    """`solver(100000, otherwise=uct(1000))`."""
    keywords = dict(call.keywords)
    nodes = call.arguments[0] if len(call.arguments) == 1 else keywords.pop("nodes", None)
    otherwise = keywords.pop("otherwise", None)
    whole = isinstance(nodes, int) and not isinstance(nodes, bool) and 1 <= nodes <= 10**12
    if not whole or not isinstance(otherwise, Call) or len(call.arguments) > 1 or keywords:
        raise ValueError(
            f"invalid player {quote(text)}: expected solver(nodes, otherwise=uct(1000)), with nodes"
            " from 1 to 10^12"
        )
    assert isinstance(nodes, int)
    return SolverPlayer(nodes, parse_player(otherwise.text(), resign=resign))


def is_positive(value: object) -> TypeGuard[int | float]:
    """Whether it is a number above 0."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def gtp_player(call: Call, text: str) -> Player:
    """A program outside; sylve.gtp is loaded only for it."""
    keywords = dict(call.keywords)
    command = call.arguments[0] if len(call.arguments) == 1 else keywords.pop("command", None)
    name, timeout = keywords.pop("name", None), keywords.pop("timeout", 60.0)
    if not isinstance(command, str) or not command.strip() or len(call.arguments) > 1 or keywords:
        raise ValueError(
            f'invalid player {quote(text)}: expected gtp("command", name="...", timeout=60)'
        )
    if name is not None and not isinstance(name, str):
        raise ValueError(f'{quote(text)}: name must be "quoted text"')
    if not is_positive(timeout):
        raise ValueError(f"{quote(text)}: timeout must be a number of seconds above 0")
    try:
        module = import_module("sylve.gtp.player")
    except ImportError:
        raise ValueError(f"{quote(text)}: this build has no sylve.gtp") from None
    player: Player = module.GtpPlayer(command, name, float(timeout))
    return player
