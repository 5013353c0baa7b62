"""`check_engine`: start a GTP engine, try one thing after the other, say what works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sylve.errors import IllegalMove, InvalidMove, PlayerFailure
from sylve.gtp.player import GtpPlayer, colour
from sylve.gtp.process import shown
from sylve.own import game_text
from sylve.position import Position

REQUIRED = (
    "protocol_version", "name", "version", "known_command", "list_commands", "quit",
    "boardsize", "clear_board", "komi", "play", "genmove",
)  # fmt: skip
USEFUL = (
    "undo", "reg_genmove", "showboard", "time_settings", "time_left", "final_score", "loadsgf",
    "printsgf", "list_games", "set_game", "set_position", "set_random_seed",
    "gogui-analyze_commands",
)  # fmt: skip
ANALYSIS = ("lz-analyze", "kata-analyze", "analyze")
PLIES = 6


@dataclass(frozen=True)
class Finding:
    """One thing tried."""

    what: str
    good: bool
    detail: str
    required: bool = True

    @property
    def verdict(self) -> str:
        """In one word."""
        return "ok" if self.good else "FAILS" if self.required else "no"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def check_engine(command: str, game: str, timeout: float) -> list[Finding]:
    """What an engine can do. The engine is stopped at the end."""
    start = Position.start(game)
    player = GtpPlayer(command, timeout=timeout)
    findings: list[Finding] = []
    try:
        findings.extend(steps(player, start))  # those before a failure are kept
    except PlayerFailure as failure:
        findings.append(Finding("goes on", False, failure.reason))
    finally:
        player.close()
    return findings


def steps(player: GtpPlayer, start: Position) -> Iterator[Finding]:
    """One finding after the other, from the most needed to the least."""
    player.launch()
    names = f"{player.send('name')[:100]} {player.send('version')[:100]}"
    yield Finding("starts, protocol version 2", True, names.replace("\n", " "))
    missing = [command for command in REQUIRED if command not in player.commands]
    yield Finding("required commands", not missing, f"missing: {' '.join(missing) or 'none'}")
    nonsense = player.try_send("sylve-no_such_command")
    refused = nonsense is None
    yield Finding("refuses an unknown command", refused, "" if refused else "=", required=False)
    answers = [player.try_send(f"known_command {word}") for word in ("play", "no_such_command")]
    yield Finding("known_command", answers == ["true", "false"], f"{answers}", required=False)
    player.start(game_text(start.game), start)
    yield Finding(f"sets up {start.game}", True, "")
    yield attempt("refuses an illegal move", lambda: refuses_twice(player, start))
    player.start(game_text(start.game), start)
    position, played = start, []
    for ply in range(PLIES):
        if position.outcome is not None:
            break
        move = player.choose(position, ply, None)
        played.append(position.name(move))
        position = position.play(move)
    yield Finding("plays legal moves for both sides", True, " ".join(played))
    if "undo" in player.commands and position.outcome is None:
        undone = player.try_send("undo") is not None
        answer = player.try_send(f"play {colour(start_of(position))} {played[-1]}")
        yield Finding("undo", undone and answer is not None, "", required=False)
    useful = [command for command in USEFUL if command in player.commands]
    yield Finding("useful commands", bool(useful), " ".join(useful), required=False)
    live = [command for command in ANALYSIS if command in player.commands]
    yield Finding("live analysis", bool(live), " ".join(live), required=False)
    process = player.process
    assert process is not None
    player.close()
    code = process.child.returncode
    yield Finding("quits", code == 0, f"exit code {code}", required=False)


def start_of(position: Position) -> Position:
    """The position one ply earlier."""
    here = Position(position.game, position.origin)
    for move in position.played[:-1]:
        here = here.play(move)
    return here


def refuses_twice(player: GtpPlayer, start: Position) -> tuple[bool, str]:
    """Whether the first move is refused when it is played again by the other side."""
    first = start.moves[0]
    after = start.play(first)
    name = start.name(first)
    player.send(f"play {colour(start)} {name}")
    try:
        after.move(name)
    except (IllegalMove, InvalidMove):
        answer = player.try_send(f"play {colour(after)} {name}")
        return answer is None, f"{name} twice" if answer is None else f"took {shown(name)} twice"
    return True, "not tried: the move is legal twice"


def attempt(what: str, test: Callable[[], tuple[bool, str]]) -> Finding:
    """A finding that is not needed to play."""
    good, detail = test()
    return Finding(what, good, detail, required=False)
