"""The signature: one number for the behaviour of everything, the same on every machine.

Random games of every game are walked: each position's hash, moves and codes and a playout from it
go into the number; then what every search reports from a position of each kind of game. A change
that alters it says so in its commit (tests/data/signature.txt).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Protocol

from sylve.engine import Engine, choose, compiled_half
from sylve.game import Outcome, code, playout
from sylve.games import package_game
from sylve.position import Position
from sylve.rng import Rng, mix

GAMES = (
    "tic_tac_toe",
    "breakthrough(columns=5, rows=5)",
    "breakthrough",
    "othello(size=6)",
    "othello",
    "connect_four",
    "hex(size=5)",
    "hex",
    "go(size=5)",
    "go",
)
WALKS = 2  # random games per game

SEARCHED = (
    "tic_tac_toe",
    "breakthrough(columns=5, rows=5)",
    "othello(size=6)",
    "connect_four",
    "hex(size=4)",
    "go(size=4)",
)
PLIES = 4  # random moves before the search: positions of their own, not only starts
SEARCHES = (
    *("flat", "flat(gamma=0.9)", "flat_amaf", "sequential_halving"),
    *(f"ucb(rule={rule})" for rule in ("ucb1", "tuned", "bayes", "epsilon", "decaying_epsilon")),
    *("ucb(rule=thompson)", "ucb(rule=discounted)"),
    *(f"uct(rule={rule})" for rule in ("ucb1", "tuned", "bayes")),
    *(f"uct(playout={policy})" for policy in ("decisive", "mast")),
    *("uct(rule=ucb1(0.1), transpositions=false)", "uct(batch=4)", "amaf_uct"),
    *(f"rave(schedule={schedule})" for schedule in ("hand", "bias", "slides", "course", "mse")),
    *("multi_scale_rave", "multi_scale_rave(by=kind)"),
    *("grave(reference=10)", "grave(reference=10, schedule=mse)"),
    "alpha_beta(2, multi=true)",
)
PLAYOUTS = 60
YOUNGER = ("amaf_wins", "amaf_draws", "parts", "amaf_parts", "implicit", "prior")
"""Fields of a report that came after the signature, which stays the same."""


class Walker(Protocol):
    """A position as the signature sees it: the interface of `sylve._core.Position`."""

    def outcome(self) -> int | None:
        """None, the winner, or -1."""

    def moves(self) -> list[int]:
        """The legal moves."""

    def playout_moves(self) -> list[int]:
        """The moves of playouts."""

    def play(self, move: int, /) -> Walker:
        """The next position."""

    def hash(self) -> int:
        """64 bits."""

    def code(self, move: int, /) -> int:
        """The AMAF code."""

    def traced_playout(self, seed: int, index: int, /) -> tuple[int, list[int]]:
        """The result and the codes of a playout."""


class Reference:
    """A position of a game in plain Python, behind the same interface."""

    def __init__(self, game: str, state: object = None) -> None:
        self.game = package_game(game)
        self.name = game
        self.state = self.game.start() if state is None else state

    def outcome(self) -> int | None:
        """None, the winner, or -1."""
        return _number(self.game.outcome(self.state))

    def moves(self) -> list[int]:
        """The legal moves."""
        # Read anew: the compiled positions know no history, so neither must this (Go, superko).
        return list(self.game.moves(self.game.read(self.game.write(self.state))))

    def playout_moves(self) -> list[int]:
        """The moves of playouts."""
        return list(self.game.playout_moves(self.state))

    def play(self, move: int) -> Reference:
        """The next position."""
        return Reference(self.name, self.game.play(self.state, move))

    def hash(self) -> int:
        """64 bits."""
        return self.game.hash(self.state)

    def code(self, move: int) -> int:
        """The AMAF code."""
        return code(self.game, self.state, move)

    def traced_playout(self, seed: int, index: int) -> tuple[int, list[int]]:
        """The result and the codes of a playout."""
        codes: list[int] = []
        outcome = _number(playout(self.game, self.state, Rng.stream(seed, index), codes))
        assert outcome is not None, "a playout ends"
        return outcome, codes


def _number(outcome: Outcome | None) -> int | None:
    if outcome is None:
        return None
    return -1 if outcome.winner is None else int(outcome.winner)


def signature(engine: Engine = "auto") -> dict[str, int]:
    """The number of each game, of each search, and of all of them under `all`."""
    engine = choose(engine)
    numbers = {game: _fold(_walk(_start(game, engine), i) for i in range(WALKS)) for game in GAMES}
    numbers |= {how: _fold([_reports(how, engine)]) for how in SEARCHES}
    total = 0
    for number in numbers.values():
        total = mix(total ^ number)
    return numbers | {"all": total}


def _start(game: str, engine: Engine) -> Walker:
    if engine == "python":
        return Reference(game)
    walker: Walker = compiled_half("engine=rust").Position(game)
    return walker


def _fold(walks: Iterable[Iterable[int]]) -> int:
    number = 0
    for walk in walks:
        for value in walk:
            number = mix(number ^ (value & (1 << 64) - 1))
    return number


def _walk(position: Walker, index: int) -> Iterator[int]:
    rng = Rng.stream(2026, index)
    ply = 0
    while position.outcome() is None:
        yield position.hash()
        for move in position.moves():
            yield move
            yield position.code(move)
        if ply % 8 == 0:
            outcome, codes = position.traced_playout(index, ply)
            yield outcome
            yield from codes
        moves = position.playout_moves()
        position = position.play(moves[rng.below(len(moves))])
        ply += 1
    yield position.hash()
    yield position.outcome() or 0


def _reports(text: str, engine: Engine) -> Iterator[int]:
    """What the search says of a position of each game."""
    from sylve.search import AlphaBeta, parse_search, search

    how = parse_search(text)
    if not isinstance(how, AlphaBeta):
        how = replace(how, playouts=PLAYOUTS)
    for index, game in enumerate(SEARCHED):
        report = search(_position(game, index), how, engine=engine)
        moves = [asdict(move) for move in report.moves]
        for move in moves:
            for name in YOUNGER:
                del move[name]
        told = moves, report.best_name, report.playouts
        text = json.dumps(told)  # prints a float so that it reads back as itself
        yield int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _position(game: str, index: int) -> Position:
    position = Position.start(game)
    rng = Rng.stream(2026, index)
    for _ in range(PLIES):
        position = position.play(position.moves[rng.below(len(position.moves))])
    return position
