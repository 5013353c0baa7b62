"""Live analysis: `lz-analyze`, `kata-analyze`, `analyze`, and the forms that also play.

`info move D4 visits 836 winrate 4656 ... pv D4 Q16 info move ...`, one line for each interval.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from math import inf
from time import perf_counter

from sylve.gtp.board import Board
from sylve.gtp.protocol import Refusal, number_of
from sylve.gtp.thinking import SLICE_SECONDS, in_slices
from sylve.position import Position
from sylve.search.budget import Budget
from sylve.search.confidence import Z95
from sylve.search.reports.report import MoveReport, Report
from sylve.search.running.searcher import Searcher

Lines = Generator[str, None, None]
INTERVAL = 1.0  # seconds between lines, where the command does not say
SHORTEST_SECONDS = 0.01  # between lines, however many are asked for
FLAGS = ("ownership", "movesOwnership", "pvVisits", "rootInfo", "pvEdgeVisits")
"""Switches of KataGo that ask for what we have not: accepted, and left out of the answer."""


@dataclass
class Request:
    """What an analyze command asks for."""

    colour: str | None = None
    interval: float = INTERVAL
    most_moves: int | None = None
    least_moves: int = 0
    avoid: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()


def read_request(board: Board, arguments: tuple[str, ...]) -> Request:
    """`[colour] [interval] key value ...`: every part may be missing."""
    request, words = Request(), list(arguments)
    if words and board.find_colour(words[0]) is not None:
        request.colour = board.read_colour(words.pop(0))
    if words and words[0].isdigit():
        request.interval = number_of(words.pop(0)) / 100
    while words:
        key = words.pop(0)
        wanted = 3 if key in ("avoid", "allow") else 1
        if len(words) < wanted:
            raise Refusal(f"syntax error: {key[:40]!r} needs {wanted} more")
        values, words = words[:wanted], words[wanted:]
        if key == "interval":
            request.interval = max(0.0, number_of(values[0], float) / 100)
        elif key == "maxmoves":
            request.most_moves = max(0, int(number_of(values[0])))
        elif key == "minmoves":
            request.least_moves = int(number_of(values[0]))
        elif key in ("avoid", "allow"):
            board.read_colour(values[0])
            number_of(values[2])
            names = tuple(values[1].split(","))
            setattr(request, key, getattr(request, key) + names)
        elif key not in FLAGS:
            raise Refusal(f"syntax error: unknown key {key[:40]!r}")
    return request


def choose_moves(position: Position, request: Request) -> Position:
    """The position with the moves that `avoid` and `allow` leave."""
    if not request.avoid and not request.allow:
        return position
    try:
        avoid = {position.move(name) for name in request.avoid}
        allow = {position.move(name) for name in request.allow} or set(position.moves)
    except ValueError as error:
        raise Refusal(str(error)) from None
    left = [move for move in position.moves if move in allow - avoid]
    if not left:
        raise Refusal("no move is left to look at")
    return position.restricted(left)


def analyze(searcher: Searcher, budget: Budget, family: str, request: Request) -> Lines:
    """Lines for ever: what is known now. An empty one: nothing new, but you may stop me."""
    next_line = perf_counter() + request.interval
    pause = min(SLICE_SECONDS, max(SHORTEST_SECONDS, request.interval))
    with closing(in_slices(searcher, budget, seconds=pause)) as slices:
        for _ in slices:
            if perf_counter() >= next_line:
                next_line = perf_counter() + request.interval
                yield info(searcher.report(), family, request)
            else:
                yield ""
    # A limit is reached: the numbers stay, and the lines go on until somebody ends them.
    last = info(searcher.report(), family, request)
    while True:
        yield last
        yield from idle(max(pause, request.interval))


def idle(seconds: float = inf) -> Lines:
    """Nothing to say for so long."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        time.sleep(min(SLICE_SECONDS, max(0.0, end - perf_counter())))
        yield ""


def info(report: Report, family: str, request: Request) -> str:
    """One line with the moves looked at so far, the best first."""
    ranked = [entry for entry in report.ranked if entry.visits] or [report.ranked[0]]
    if request.least_moves > len(ranked):
        ranked = list(report.ranked[: request.least_moves])
    if request.most_moves is not None:
        ranked = ranked[: max(1, request.most_moves)]
    parts = []
    for order, entry in enumerate(ranked):
        line = report.line_names if entry.move == report.best else (entry.name,)
        keys = keys_of(entry, family)
        fields = {"move": entry.name, "visits": entry.visits, **keys, "order": order}
        if family == "kata":
            fields |= our_keys(entry)
        words = " ".join(f"{key} {value}" for key, value in fields.items())
        parts.append(f"info {words} pv {' '.join(line)}")
    return " ".join(parts)


def estimates(entry: MoveReport) -> tuple[float, float]:
    """The mean and its lower bound; one half if the move was not looked at."""
    mean = 0.5 if entry.mean is None else entry.mean
    return mean, max(0.0, mean - Z95 * (entry.stderr or 0.0))


def keys_of(entry: MoveReport, family: str) -> dict[str, object]:
    """KataGo gives fractions, its utility goes from -1 to 1; Leela Zero counts in 1/10,000."""
    mean, low = estimates(entry)
    if family == "kata":
        both = {"winrate": f"{mean:.6f}", "lcb": f"{low:.6f}"}
        return {"utility": f"{2 * mean - 1:.6f}", **both}
    return {"winrate": round(10_000 * mean), "lcb": round(10_000 * low)}


def our_keys(entry: MoveReport) -> dict[str, object]:
    """What only we have; readers of the kata family pass over keys that they do not know."""
    own = {"amaf": entry.amaf_mean, "beta": entry.beta, "ucb": entry.score}
    known: dict[str, object] = {k: f"{v:.6f}" for k, v in own.items() if v is not None}
    if entry.amaf_visits is not None:
        known["amafVisits"] = entry.amaf_visits
    return known
