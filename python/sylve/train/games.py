"""Games as workers play them: plain JSON in, plain JSON out."""

from __future__ import annotations

import base64
import json
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sylve.engine import compiled_half
from sylve.evaluations.patterns import Patterns
from sylve.optional import MissingPackage
from sylve.rng import Rng
from sylve.workers.jobs import CannotRun, Content, Kept, job

if TYPE_CHECKING:
    from sylve import _core

POSITIONAL = "positional"
"""The evaluation that the first round plays with, and that all others are compared with."""
ROUND = 1 << 32
"""Each round draws its games from so many numbers of its own; matches have the upper half."""

Game = list[Any]
"""How many random moves it began with; its moves, two letters of hexadecimal each; the discs of x
less those of o."""


def packed(patterns: Patterns | None) -> str:
    """Weights as a text, for workers that have no file of them; none: `positional`."""
    if patterns is None:
        return POSITIONAL
    *shape, families, weights = patterns.for_engine()
    places = [[name, [list(cells) for cells in instances]] for name, instances in families]
    return json.dumps([shape, places, base64.b64encode(zlib.compress(weights)).decode()])


@lru_cache(2)
def unpacked(text: str) -> _core.Patterns | str:
    """What a player goes by. The last ones are kept: many jobs have the same."""
    if text == POSITIONAL:
        return text
    shape, places, weights = json.loads(text)
    families = [(name, [bytes(cells) for cells in instances]) for name, instances in places]
    found: _core.Patterns = compiled_half("training").Patterns(
        *shape, families, zlib.decompress(base64.b64decode(weights))
    )
    return found


@job
def play_games(content: Content, kept: Kept) -> Content:
    """Games `first` to `first + count` of a plan; each of two players by his weights.

    In a match both players have each opening once: games 2n and 2n + 1 have opening n.
    """
    del kept
    try:
        core = compiled_half("training")
    except MissingPackage as error:
        raise CannotRun(str(error)) from None
    low, high = content["opening"]
    players = [(unpacked(text), content["depth"]) for text in content["players"]]
    games: list[Game] = []
    for index in range(content["first"], content["first"] + content["count"]):
        opening, swapped = divmod(index, 2) if content["match"] else (index, 0)
        rng = Rng.stream(content["seed"], content["stream"] + opening)
        random = low + rng.below(high - low + 1)
        seats = players[::-1] if swapped else players
        moves, result = core.othello_game(
            content["size"], rng.next(), random, seats, content["exact"]
        )
        games.append([random, moves.hex(), result])
    return {"games": games}
