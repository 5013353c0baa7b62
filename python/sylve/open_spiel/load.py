"""From a text such as `havannah(board_size=4)` to a game of OpenSpiel, or a clear refusal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sylve.errors import InvalidGame, cut, quote, shown
from sylve.game import LARGEST_MOVE
from sylve.grammar import Call, Unreadable, Value, read_call, suggestion
from sylve.open_spiel import PREFIX
from sylve.open_spiel.game import OpenSpielGame
from sylve.optional import require

TRIAL = Path(__file__).with_name("trial.py")
TRIAL_SECONDS = 30
KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: '"text"'}
PLAYED = "games of two players in turn, zero-sum, without chance and without hidden information"


@lru_cache
def load(text: str) -> OpenSpielGame:
    """The game that a text such as `havannah(board_size=4)` names.

    In game strings `open_spiel:` stands before it. The arguments are OpenSpiel's parameters, by
    name. What is not a game of two players in turn, zero-sum, without chance and without hidden
    information is refused.

    >>> from sylve.adapters.open_spiel import load
    >>> load("hex(num_cols=4, num_rows=3)").actions
    12
    >>> load("kuhn_poker")
    Traceback (most recent call last):
    sylve.errors.InvalidGame: open_spiel:kuhn_poker has chance and hidden information: sylve plays \
games of two players in turn, zero-sum, without chance and without hidden information
    """
    pyspiel = require("pyspiel", f"a game {PREFIX}...")
    try:
        call = read_call(text)
    except Unreadable as error:
        raise InvalidGame(f"{PREFIX}...: {error}") from None
    parameters = parameters_of(pyspiel, call)
    if parameters or call.name not in pyspiel.registered_concrete_names():
        try_out(call, parameters)
    return wrap(pyspiel.load_game(call.name, parameters))


def wrap(native: Any) -> OpenSpielGame:
    """A game that `pyspiel.load_game` has made."""
    pyspiel = require("pyspiel", f"a game {PREFIX}...")
    name = native.get_type().short_name
    refuse_unplayable(name, native.get_type(), native.num_players())
    if native.num_distinct_actions() > LARGEST_MOVE + 1:
        raise InvalidGame(
            f"{PREFIX}{name} has {native.num_distinct_actions():,} moves: at most"
            f" {LARGEST_MOVE + 1:,} can be searched"
        )
    # What was said, not what it stands for: a default can mean something else if it is said.
    said = call_of(pyspiel.game_parameters_from_string(str(native)))
    return OpenSpielGame(said.text(), native, load)


def call_of(parameters: dict[str, Any]) -> Call:
    """The inverse of `converted`: a game in our grammar, its parameters by name, in order."""
    given = {
        name: call_of(value) if isinstance(value, dict) else value
        for name, value in sorted(parameters.items())
        if name != "name"
    }
    return Call(parameters["name"], (), given)


def parameters_of(pyspiel: Any, call: Call) -> dict[str, Any]:
    """The parameters of a call as OpenSpiel wants them; its game and their types are checked."""
    known = {kind.short_name: kind for kind in pyspiel.registered_games()}
    if call.name not in known:
        playable = [name for name, kind in known.items() if not list(obstacles(kind))]
        raise InvalidGame(
            f"unknown game {quote(PREFIX + call.name)}: {suggestion(call.name, playable)}"
        )
    kind = known[call.name]
    defaults: Mapping[str, Any] = kind.parameter_specification
    if dict not in map(type, defaults.values()):  # else a game made of another, which decides
        refuse_unplayable(call.name, kind, None)
    if call.arguments:
        names = ", ".join(sorted(defaults)) or "it has none"
        raise InvalidGame(
            f"{PREFIX}{call.name}: give each parameter by name, not {shown(call.arguments[0])}:"
            f" {names}"
        )
    for name in call.keywords:
        if name not in defaults:
            allowed = suggestion(name, defaults) if defaults else "it has none"
            raise InvalidGame(f"{PREFIX}{call.name}: unknown parameter {quote(name)}: {allowed}")
    return {
        name: converted(pyspiel, f"{PREFIX}{call.name}: {name}", value, defaults[name])
        for name, value in call.keywords.items()
    }


def converted(pyspiel: Any, what: str, value: Value, default: Any) -> Any:
    """A value in the type of the default; a game is a dictionary with its name."""
    if isinstance(default, dict):
        if not isinstance(value, Call):
            raise InvalidGame(f"{what} must be a game such as tic_tac_toe, not {shown(value)}")
        return {"name": value.name} | parameters_of(pyspiel, value)
    if type(default) is float and type(value) is int:
        return float(value)
    if type(value) is not type(default):
        given = value.text() if isinstance(value, Call) else shown(value)
        raise InvalidGame(f"{what} must be {KINDS[type(default)]}, not {given}")
    return value


def try_out(call: Call, parameters: dict[str, Any]) -> None:
    """Try the game in another process: some sizes crash OpenSpiel, or ask for all memory."""
    command = [sys.executable, str(TRIAL), call.name, json.dumps(parameters)]
    try:
        tried = subprocess.run(  # noqa: S603 (our own file; the text is only an argument)
            command, capture_output=True, text=True, timeout=TRIAL_SECONDS
        )
    except subprocess.TimeoutExpired:
        problem = f"OpenSpiel has not begun it after {TRIAL_SECONDS} seconds"
    else:
        said = tried.stdout.strip()
        if tried.returncode == 0 and said == "good":
            return
        problem = said if said not in ("", "good") else "OpenSpiel crashes"  # perhaps at its end
    told = cut(" ".join(problem.split()), 300)
    raise InvalidGame(f"{PREFIX}{cut(call.text())}: {told}")


def refuse_unplayable(name: str, kind: Any, players: int | None) -> None:
    """Refuse, with every reason, what no search here can play."""
    found = list(obstacles(kind, players))
    if found:
        *first, last = found
        told = f"{', '.join(first)} and {last}" if first else last
        raise InvalidGame(f"{PREFIX}{name} has {told}: sylve plays {PLAYED}")


def obstacles(kind: Any, players: int | None = None) -> Iterator[str]:
    """Why a game cannot be played; `players` of the game itself, where it has been made."""
    if kind.chance_mode != kind.ChanceMode.DETERMINISTIC:
        yield "chance"
    if kind.dynamics != kind.Dynamics.SEQUENTIAL:
        yield "simultaneous moves"
    if kind.information != kind.Information.PERFECT_INFORMATION:
        yield "hidden information"
    least, most = (players, players) if players else (kind.min_num_players, kind.max_num_players)
    if not least <= 2 <= most:
        number = least if least > 2 else most
        yield "one player" if number == 1 else f"{number} players"
    elif kind.utility != kind.Utility.ZERO_SUM:
        yield "returns that do not add up to zero"
