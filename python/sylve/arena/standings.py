"""What the games of a store add up to. Totals are not stored: the games are the only truth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sylve.arena.config import Config
from sylve.arena.game import HALF_POINTS, Reason
from sylve.arena.openings import duplicates
from sylve.arena.schedule import pairings
from sylve.arena.show import standings_html, standings_text
from sylve.arena.statistics import Statistics
from sylve.arena.store import Played
from sylve.screen import plural

if TYPE_CHECKING:
    from sylve.arena.ratings import Ratings

Kinds = dict[tuple[int, int], list[list[int]]]


@dataclass(repr=False)
class Standings:
    """Counts by pairs, kept up to date game by game; the same in whatever order they come."""

    config: Config
    kinds: Kinds = field(default_factory=dict)
    """For players i < j: [half points of i as first player][of i as second], 3 x 3."""
    games: int = 0
    void: int = 0
    plies: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    first_points: int = 0
    """Half points of all first players."""
    forfeits: Counter[str] = field(default_factory=Counter)
    seconds: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    versions: Counter[str] = field(default_factory=Counter)
    after_decision: int = 0
    _lines: list[object] = field(default_factory=list)
    _openings: dict[int, object] = field(default_factory=dict)
    _waiting: dict[int, tuple[tuple[int, int], int, bool]] = field(default_factory=dict)
    _rated: tuple[int, Ratings] | None = None
    """The ratings after so many games."""
    by_pair: dict[int, int] = field(default_factory=dict)
    """Half points of the lower player in each whole pair, by the number of the pair."""

    def __str__(self) -> str:
        """Ratings, cross table and notes."""
        return standings_text(self)

    def __repr__(self) -> str:
        players, games = len(self.config.players), plural(self.games, "game")
        return f"<Standings of {plural(players, 'player')} of {self.config.game} after {games}>"

    def _repr_html_(self) -> str:
        return standings_html(self)

    @classmethod
    def of(cls, config: Config, games: Iterable[Played]) -> Standings:
        """All games."""
        found = cls(config)
        for game in games:
            found.add(game)
        return found

    def add(self, game: Played) -> None:
        """One more game."""
        slot, record = game.slot, game.record
        self.games += 1
        self.versions[record.by] += 1
        self.after_decision += game.after_decision
        self.seconds[slot.first] += record.seconds[0]
        self.seconds[slot.second] += record.seconds[1]
        self.reasons[record.reason.value] += 1
        if record.result == "*":
            self.void += 1
            return
        self.plies += len(record.moves)
        if record.reason is Reason.FORFEIT:
            self.forfeits[record.why] += 1
        else:
            self._lines.append((slot.opening, record.moves))
        self._openings[slot.pair // len(pairings(self.config))] = slot.opening
        points = HALF_POINTS[record.result]
        self.first_points += points
        key = (min(slot.first, slot.second), max(slot.first, slot.second))
        is_first = slot.first == key[0]
        own = points if is_first else 2 - points
        if slot.pair not in self._waiting:
            self._waiting[slot.pair] = (key, own, is_first)
            return
        _, other, _ = self._waiting.pop(slot.pair)
        table = self.kinds.setdefault(key, [[0] * 3 for _ in range(3)])
        table[own if is_first else other][other if is_first else own] += 1
        self.by_pair[slot.pair] = own + other

    def between(self, i: int, j: int) -> Statistics:
        """The games of player i against player j."""
        if i > j:
            return self.between(j, i).flipped()
        table = self.kinds.get((i, j), [[0] * 3] * 3)
        pairs = ((a, b) for a in range(3) for b in range(3) for _ in range(table[a][b]))
        return Statistics.of_pairs(pairs, sum(key == (i, j) for key, *_ in self._waiting.values()))

    @property
    def duplicate_games(self) -> int:
        """Games whose moves are all those of an earlier one."""
        return duplicates(self._lines)

    @property
    def duplicate_openings(self) -> int:
        """Openings that had come before."""
        return duplicates(list(self._openings.values()))

    def ratings(self) -> Ratings:
        """The ratings of all players; relative to their mean."""
        from sylve.arena.ratings import rate

        if self._rated is None or self._rated[0] != self.games:
            self._rated = self.games, rate(len(self.config.players), self.kinds)
        return self._rated[1]

    def prefix(self) -> tuple[int, tuple[int, int, int, int, int]]:
        """How many pairs from the first on are whole, and their five counts.

        A sequential test looks at this only, so that its decision does not depend on which games
        happened to end first.
        """
        counts, pair = [0] * 5, 0
        while pair in self.by_pair:
            counts[self.by_pair[pair]] += 1
            pair += 1
        a, b, c, d, e = counts
        return pair, (a, b, c, d, e)

    def table(self) -> list[dict[str, Any]]:
        """The results of each pairing, as plain data: what must not depend on how it was played."""
        return [
            {
                "first": self.config.names[i],
                "second": self.config.names[j],
                "kinds": self.kinds.get((i, j), [[0] * 3 for _ in range(3)]),
            }
            for i, j in pairings(self.config)
        ]
