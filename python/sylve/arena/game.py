"""One game, played from its identity alone: any worker, at any time, plays the same one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import Any

from sylve.arena.config import parse_clock
from sylve.arena.openings import Opening
from sylve.arena.player import Player
from sylve.arena.players import parse_player
from sylve.errors import PlayerFailure, PlayerResigns
from sylve.own import game_text
from sylve.position import Position
from sylve.rng import hash_words
from sylve.search import Clock
from sylve.solve import solve
from sylve.workers.jobs import HERE, Content, Kept, job
from sylve.workers.own_sources import prepare_own

RESULTS = ("1-0", "1/2-1/2", "0-1", "*")
"""The first player won, a draw, the second won, void."""
HALF_POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}  # of the first player


class Reason(StrEnum):
    """Why a game ended."""

    RULES = "rules"
    RESIGNED = "resigned"
    TOO_LONG = "maximum length"
    SOLVED = "solved"
    OUT_OF_TIME = "out of time"
    FORFEIT = "forfeit"
    VOID = "void"


DETAILED = {Reason.OUT_OF_TIME: ": ", Reason.FORFEIT: " by ", Reason.VOID: ": "}
"""Reasons that have a detail, and what stands before it in the text."""


@dataclass(frozen=True)
class GameResult:
    """A game that was played."""

    id: str
    moves: tuple[int, ...]
    """After the opening."""
    result: str
    reason: Reason
    seconds: tuple[float, float]
    """Time spent by the first and the second player."""
    by: str = HERE
    """The program that played it."""
    detail: str = ""
    """Who was out of time; who failed, and how; why the game is void."""

    @property
    def why(self) -> str:
        """The reason with its detail, as stores and exports have it."""
        before = DETAILED.get(self.reason)
        return self.reason.value if before is None else f"{self.reason}{before}{self.detail}"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        # Not `asdict`, which copies move by move: every reading of a game comes through here.
        return {
            "id": self.id,
            "moves": self.moves,
            "result": self.result,
            "reason": self.why,
            "seconds": self.seconds,
            "by": self.by,
        }

    @classmethod
    def of_dict(cls, content: dict[str, Any]) -> GameResult:
        """The inverse; a ValueError if it is no record."""
        try:
            moves, seconds = content["moves"], content["seconds"]
            if not all(type(move) is int for move in moves) or len(seconds) != 2:
                raise ValueError("moves must be whole numbers")
            reason, detail = read_reason(str(content["reason"]))
            found = cls(
                str(content["id"]), tuple(moves), str(content["result"]), reason,
                (float(seconds[0]), float(seconds[1])), str(content["by"]), detail,
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not the record of a game: {error}") from None
        if found.result not in RESULTS:
            raise ValueError(f"unknown result {found.result!r}")
        return found


def read_reason(text: str) -> tuple[Reason, str]:
    """A reason and its detail, from their text; a ValueError if it is none."""
    for reason, before in DETAILED.items():
        if text.startswith(reason + before):
            return reason, text.removeprefix(reason + before)
    if (reason := Reason(text)) in DETAILED:
        raise ValueError(f"{text!r} says no more")
    return reason, ""


def lost_by(player: int) -> str:
    """The result when the first (0) or second (1) player loses."""
    return "0-1" if player == 0 else "1-0"


@job
def play(content: Content, kept: Kept) -> Content:
    """Play a game in a worker, which keeps the players for the next one."""
    return play_job(content, kept).to_dict()


def play_job(job: dict[str, Any], players: dict[str, Player]) -> GameResult:
    """Play the game that a job describes; `players` keeps engines between games, by their text."""
    if "sources" in job:
        prepare_own([job["game"], *(text for _, text in job["players"])], job)
    clock = None if job["clock"] is None else parse_clock(job["clock"])
    opening = Opening(tuple(job["moves"]), job["position"]).begin(job["game"])
    seats = []
    for seat, (name, text) in enumerate(job["players"]):
        key = f"{seat} {name} {text}"  # a player who meets itself needs two of it
        if key not in players:
            try:
                players[key] = parse_player(text, resign=job["resign"])
            except PlayerFailure as failure:
                lost, detail = lost_by(seat), failed(name, failure.reason)
                return GameResult(job["id"], (), lost, Reason.FORFEIT, (0, 0), detail=detail)
            players[key].name = name
        seats.append(players[key])
    return play_game(
        job["id"], opening, (seats[0], seats[1]), job["max_plies"], clock, job["adjudicate"]
    )


def failed(name: str, how: str) -> str:
    """The detail of a forfeit: who failed, and how."""
    return f"{name}: {' '.join(how.split())[:300]}"


def play_game(
    identity: str,
    opening: Position,
    players: tuple[Player, Player],
    max_plies: int,
    clock: Clock | None = None,
    adjudicate: int = 0,
) -> GameResult:
    """Play to the end. `players[0]` is the game's first player, whoever moves at the opening."""
    position, spent = opening, [0.0, 0.0]
    moves: list[int] = []
    words = int(identity, 16)

    def ended(result: str, reason: Reason, detail: str = "") -> GameResult:
        seconds = (spent[0], spent[1])
        return GameResult(identity, tuple(moves), result, reason, seconds, detail=detail)

    for seat, player in enumerate(players):
        try:
            player.start(game_text(opening.game), opening)
        except PlayerFailure as failure:
            return ended(lost_by(seat), Reason.FORFEIT, failed(player.name, failure.reason))
    clocks = [clock, clock]
    while position.outcome is None:
        if len(moves) >= max_plies:
            return ended("1/2-1/2", Reason.TOO_LONG)
        if (decided := solved_result(position, adjudicate)) is not None:
            return ended(decided, Reason.SOLVED)
        seat = int(position.turn)
        player = players[seat]
        began = perf_counter()
        try:
            move = player.choose(position, hash_words((words, len(moves))), clocks[seat])
        except PlayerResigns:
            spent[seat] += perf_counter() - began
            return ended(lost_by(seat), Reason.RESIGNED)
        except PlayerFailure as failure:
            spent[seat] += perf_counter() - began
            return ended(lost_by(seat), Reason.FORFEIT, failed(player.name, failure.reason))
        took = perf_counter() - began
        spent[seat] += took
        if (own := clocks[seat]) is not None:
            clocks[seat] = own = own.after(took)
            if own.flagged:
                return ended(lost_by(seat), Reason.OUT_OF_TIME, player.name)
        try:
            position = position.play(move)
        except ValueError:
            detail = failed(player.name, f"illegal move {move!r}")
            return ended(lost_by(seat), Reason.FORFEIT, detail)
        moves.append(move)
    return ended(result_of(position), Reason.RULES)


def result_of(position: Position) -> str:
    """The result by the rules."""
    assert position.outcome is not None
    winner = position.outcome.winner
    return "1/2-1/2" if winner is None else lost_by(1 - int(winner))


def solved_result(position: Position, nodes: int) -> str | None:
    """The result with best play, if the exact solver finds it within so many nodes."""
    if nodes == 0:
        return None
    value = solve(position, nodes=nodes, want="value").value
    if value is None or value == 0:
        return None if value is None else "1/2-1/2"
    return lost_by(int(position.turn.other if value > 0 else position.turn))


def replay(
    game: str, opening: Opening, record: GameResult, max_plies: int, adjudicate: int = 0
) -> str | None:
    """Play the moves again by the rules: what is wrong with the record, or None."""
    position = opening.begin(game)
    try:
        position = position.play_line(record.moves)
    except ValueError as error:
        return str(error)
    if len(position.played) != len(opening.begin(game).played) + len(record.moves):
        return "a forced move is missing"
    if record.reason is Reason.RULES:
        if position.outcome is None:
            return "the game is not over after its moves"
        if result_of(position) != record.result:
            return f"the rules say {result_of(position)}, the record {record.result}"
    elif position.outcome is not None:
        return f"the game is over by the rules, the record says {record.why}"
    elif record.reason is Reason.TOO_LONG:
        if len(record.moves) != max_plies or record.result != "1/2-1/2":
            return f"{record.reason} after {len(record.moves)} of {max_plies} plies"
    elif record.reason is Reason.SOLVED:
        if solved_result(position, adjudicate) != record.result:
            return f"the solver does not say {record.result} within {adjudicate} nodes"
    elif record.reason is Reason.RESIGNED and record.result != lost_by(int(position.turn)):
        return "the winner resigned"
    return None
