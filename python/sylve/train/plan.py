"""What decides the weights: patterns, games, fit. The same plan gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from sylve.evaluations.patterns import Family, families_of

VERSION = 1
"""Of the trainer: what it changes makes other games or weights of the same plan."""

LARGE = (
    ("edge", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    ("block", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    ("corner", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    ("line2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ("line3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    ("line4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    ("diagonal8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    ("diagonal7", "a2 b3 c4 d5 e6 f7 g8"),
    ("diagonal6", "a3 b4 c5 d6 e7 f8"),
    ("diagonal5", "a4 b5 c6 d7 e8"),
    ("diagonal4", "a5 b6 c7 d8"),
    ("constant", ""),
)
"""On 8 x 8: 46 places, and a number for whoever is to move, which is a pattern without cells."""

SMALL = (
    ("edge", "a1 b1 c1 d1 e1 f1"),
    ("corner", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    ("line2", "a2 b2 c2 d2 e2 f2"),
    ("line3", "a3 b3 c3 d3 e3 f3"),
    ("diagonal6", "a1 b2 c3 d4 e5 f6"),
    ("diagonal5", "a2 b3 c4 d5 e6"),
    ("diagonal4", "a3 b4 c5 d6"),
    ("constant", ""),
)
"""On 6 x 6."""


@dataclass(frozen=True)
class Plan:
    """All that decides the weights."""

    size: int = 8
    patterns: tuple[tuple[str, str], ...] = LARGE
    first: int = 12
    """Discs at which the first stage begins."""
    width: int = 4
    """Numbers of discs in a stage."""
    unit: int = 25
    """Of the weights, in thousandths of a disc."""
    rounds: int = 3
    """The first is played with the evaluation `positional`, each other with what was learned."""
    games: int = 80_000
    """In each round."""
    opening: tuple[int, int] = (6, 30)
    """How many random moves a game begins with: any number between these, drawn."""
    depth: int = 4
    """Of alpha-beta."""
    exact: int = 12
    """With so many empty cells or fewer, both sides play perfectly."""
    chunk: int = 200
    """Games in a job, and in a file."""
    ridge: float = 50.0
    """How strongly weights are drawn towards 0: as by so many positions that say 0."""
    steps: int = 20
    """Of conjugate gradients."""
    spare: int = 20
    """One game in so many is held out."""
    pairs: int = 200
    """Pairs of games against `positional` after each round."""
    match_depth: int = 6
    match_opening: int = 8
    """Random moves before each pair."""
    seed: int = 1

    def __post_init__(self) -> None:
        low, high = self.opening
        room = self.size * self.size - 4 - self.exact
        if not (0 <= low <= high <= room and self.games > 0 and self.rounds > 0):
            raise ValueError(f"a plan needs games, rounds and openings of at most {room} moves")

    @property
    def families(self) -> tuple[Family, ...]:
        """The patterns in all their places."""
        return families_of(self.size, self.patterns)

    @property
    def stages(self) -> int:
        """How many there are: the last one holds the full board."""
        return (self.size * self.size - 1 - self.first) // self.width + 1

    def content(self) -> dict[str, Any]:
        """What decides the weights of a round, as JSON: not how many rounds follow, nor matches."""
        others = ("rounds", "chunk", "pairs", "match_depth", "match_opening")
        fields = {name: value for name, value in asdict(self).items() if name not in others}
        return {"version": VERSION, **fields}


PLANS = {
    "full": Plan(),
    "small": Plan(
        size=6,
        patterns=SMALL,
        first=8,
        rounds=2,
        games=3000,
        opening=(4, 14),
        depth=2,
        exact=8,
        chunk=500,
        ridge=4.0,
        pairs=50,
        match_depth=3,
        match_opening=4,
    ),
}
"""By name."""


def identity(*content: Any) -> str:
    """A number for all that decides a result."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
