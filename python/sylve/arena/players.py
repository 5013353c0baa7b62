"""Players by name: `uct(1000)`, `random`, `gtp("gnugo --mode gtp", name="gnugo")`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TypeGuard

from sylve.arena.human import HumanPlayer
from sylve.arena.player import PlainPlayer, Player
from sylve.arena.weak import CarelessPlayer, OnePlyPlayer
from sylve.errors import PlayerResigns, quote
from sylve.grammar import Call, suggestion
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.budget import Budget
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search
from sylve.search.run import search
from sylve.search.running.alpha_beta_run import within
from sylve.search.running.clock import Clock
from sylve.search.running.searcher import Searcher
from sylve.search.text import SEARCHES, limits_besides, parse_call, parse_search
from sylve.solve import solve

OTHERS = ("alpha_beta", "solver", "careless", "one_ply", "random", "human", "gtp")
PATIENCE = 3  # hopeless moves in a row before a player resigns


class RandomPlayer(PlainPlayer):
    """Uniformly random legal moves."""

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """Any legal move."""
        del clock
        return position.moves[Rng(seed).below(len(position.moves))]


class SearchPlayer(PlainPlayer):
    """A search of this package, with its own limits for each move; a clock can only shorten it."""

    def __init__(
        self, how: Search, *, with_clock: Budget | None = None, resign: float = 0.0
    ) -> None:
        self.name = full_name(how)
        self.how = how
        self.with_clock = how.budget if with_clock is None else with_clock
        """What ends a search besides the clock, where there is one."""
        self.resign = resign
        """It gives up when its best move is worth less than this, three times running."""
        self.hopeless = 0

    def start(self, game: str, opening: Position) -> None:
        """A new game."""
        del game, opening
        self.hopeless = 0

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """The best move of a fresh search with this seed."""
        limits = self.how.budget
        if clock is not None:
            limits = self.with_clock.within(clock.allowance())
        report = Searcher(position, dataclasses.replace(self.how, seed=seed)).run(limits)
        mean = report[report.best].mean
        self.hopeless = self.hopeless + 1 if mean is not None and mean < self.resign else 0
        if self.hopeless >= PATIENCE:
            raise PlayerResigns(self.name, f"{PATIENCE} moves below {self.resign:g}")
        return report.best


class AlphaBetaPlayer(PlainPlayer):
    """Alpha-beta, with its own depth or seconds a move; a clock can only shorten them."""

    def __init__(self, how: AlphaBeta) -> None:
        self.name = str(how)
        self.how = how

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """The best move; nothing in it is random."""
        del seed
        seconds = None if clock is None else clock.allowance()
        return search(position, within(self.how, seconds)).best


class SolverPlayer:
    """Exact where the solver decides the position within so many nodes; else another player."""

    def __init__(self, nodes: int, otherwise: Player) -> None:
        self.name = f"solver({nodes}, otherwise={otherwise.name})"
        self.nodes = nodes
        self.otherwise = otherwise

    def start(self, game: str, opening: Position) -> None:
        """A new game, for both."""
        self.otherwise.start(game, opening)

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """A best move, or what the other one plays."""
        if len(position.moves) > 1:
            # A new solver each time: what an old one remembers changes which best move it gives.
            half = None if clock is None else clock.allowance() / 2  # the other one needs time too
            solution = solve(position, half, self.nodes, want="line")
            if solution.exact and solution.best is not None:
                return solution.best
            if clock is not None:
                clock = dataclasses.replace(clock, left=clock.remaining - solution.seconds)
        return self.otherwise.choose(position, seed, clock)

    def close(self) -> None:
        """No game will follow."""
        self.otherwise.close()


PLAIN: Mapping[str, Callable[[], Player]] = {
    "random": RandomPlayer,
    "one_ply": OnePlyPlayer,
    "human": HumanPlayer,
}
"""Players without arguments."""


def full_name(how: Search) -> str:
    """The text of a search with its playouts, also where they are the default."""
    text = str(how)
    if "playouts=" in text or how.playouts is None:
        return text
    name, _, rest = text.partition("(")
    return f"{name}(playouts={how.playouts}" + (f", {rest}" if rest else ")")


def parse_player(text: str, *, resign: float = 0.0) -> Player:
    """The player that a text names: any search, `random`, or a program that speaks GTP.

    A search has its own limits for each move. Its seed is the game's.
    """
    return player_of(parse_call(text), text, resign)


def player_of(call: Call, text: str, resign: float) -> Player:
    """The player that a call names; `text`: the same as it was written."""
    if call.name in PLAIN:
        if call.arguments or call.keywords:
            raise ValueError(f"{call.name} takes no arguments: {quote(text)}")
        return PLAIN[call.name]()
    if call.name == "gtp":
        return gtp_player(call, text)
    if call.name == "solver":
        return solver_player(call, text, resign)
    if call.name == "careless":
        return careless_player(call, text, resign)
    if call.name == "alpha_beta":
        how = parse_search(call)
        assert isinstance(how, AlphaBeta)
        return AlphaBetaPlayer(how)
    if call.name not in SEARCHES:
        known = suggestion(call.name, [*SEARCHES, *OTHERS])
        raise ValueError(f"unknown player {quote(call.name)}: {known}")
    if "seed" in call.keywords:
        raise ValueError(f"{quote(text)}: leave out seed: each game has seeds of its own")
    how = parse_search(call)
    assert isinstance(how, Search)
    player = SearchPlayer(how, with_clock=limits_besides(call, how), resign=resign)
    if how.seconds is not None:
        player.name = text.strip()  # as stores of earlier versions have it
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
    return SolverPlayer(nodes, player_of(otherwise, otherwise.text(), resign))


def careless_player(call: Call, text: str, resign: float) -> Player:
    """`careless(0.2, otherwise=uct(1000))`."""
    keywords = dict(call.keywords)
    share = call.arguments[0] if len(call.arguments) == 1 else keywords.pop("share", None)
    otherwise = keywords.pop("otherwise", None)
    in_range = is_number(share) and 0 <= share <= 1
    if not in_range or not isinstance(otherwise, Call) or len(call.arguments) > 1 or keywords:
        raise ValueError(
            f"invalid player {quote(text)}: expected careless(share, otherwise=uct(1000)), with a"
            " share of the moves from 0 to 1"
        )
    assert is_number(share)
    return CarelessPlayer(share, player_of(otherwise, otherwise.text(), resign))


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether it is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_positive(value: object) -> TypeGuard[int | float]:
    """Whether it is a number above 0."""
    return is_number(value) and value > 0


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
    from sylve.gtp.player import GtpPlayer

    return GtpPlayer(command, name, float(timeout))
