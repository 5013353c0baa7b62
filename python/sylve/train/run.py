"""Training in rounds: play, fit, check. What was finished is not done again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sylve.evaluations.patterns import Patterns
from sylve.evaluations.weights_file import InvalidWeights, read_weights, write_weights
from sylve.train.check import errors, strength
from sylve.train.fit import fit
from sylve.train.games import POSITIONAL, ROUND, Game, packed, play_games
from sylve.train.plan import Plan, identity
from sylve.train.positions import Positions, positions_of, split, without
from sylve.train.report import Round, write_report
from sylve.train.store import GameStore
from sylve.workers.every import run_every
from sylve.workers.jobs import Job, call
from sylve.workers.pool import Pool

WEIGHTS = "othello.weights"
"""The file that a run is for."""

Progress = Callable[[int, int, str], object]
"""Called with the chunks of games that are done, their number, and what is being done."""


def train(plan: Plan, out: Path, pool: Pool, progress: Progress) -> list[Round]:
    """Train weights, into the folder `out`; a run that was stopped is resumed."""
    return Training(plan, out, pool, progress).run()


class Training:
    """A run under way."""

    def __init__(self, plan: Plan, out: Path, pool: Pool, progress: Progress) -> None:
        self.plan, self.out, self.pool, self.progress = plan, out, pool, progress
        self.store = GameStore(out / "games")
        chunks = -(-plan.games // plan.chunk) + -(-2 * plan.pairs // plan.chunk)
        self.done, self.total = 0, plan.rounds * chunks

    def run(self) -> list[Round]:
        """All rounds; the file of the last one is the result."""
        games: list[Game] = []
        patterns: Patterns | None = None
        rounds = []
        for number in range(1, self.plan.rounds + 1):
            mine = packed(patterns)
            games += self.collect(number, [mine, mine], self.plan.games, match=False)
            self.tell(f"round {number}: fitting")
            learnt, held = split(games, self.plan.spare)
            known = positions_of(learnt, self.plan.size)
            fresh = without(positions_of(held, self.plan.size), known, self.plan.size)
            patterns = self.fitted(number, known, len(learnt))
            match = self.collect(
                number, [packed(patterns), POSITIONAL], 2 * self.plan.pairs, match=True
            )
            found = errors(self.plan, patterns, fresh)
            rounds.append(
                Round(number, len(learnt), len(known), len(fresh), found, *strength(match))
            )
            write_report(self.out, self.plan, rounds)
        assert patterns is not None, "a plan has at least one round"
        write_weights(self.out / WEIGHTS, patterns)
        return rounds

    def collect(self, number: int, players: list[str], count: int, *, match: bool) -> list[Game]:
        """The games of a round, those that are not there yet by the workers."""
        plan = self.plan
        depth = plan.match_depth if match else plan.depth
        opening = [plan.match_opening] * 2 if match else list(plan.opening)
        kind = "matches" if match else "games"
        contents: list[dict[str, Any]] = [
            {
                "size": plan.size,
                "seed": plan.seed,
                "stream": (2 * number + match) * ROUND,
                "first": first,
                "count": min(plan.chunk, count - first),
                "opening": opening,
                "players": players,
                "depth": depth,
                "exact": plan.exact,
                "match": match,
            }
            for first in range(0, count, plan.chunk)
        ]
        chunks = [self.store.get(content) for content in contents]
        left = [place for place, chunk in enumerate(chunks) if chunk is None]
        self.done += len(contents) - len(left)
        self.tell(f"round {number}: {kind}")

        def job_of(place: int) -> Job:
            return call(play_games, contents[place])

        def finished(number_left: int, answer: dict[str, Any]) -> None:
            place = left[number_left]
            self.store.put(contents[place], answer["games"])
            chunks[place] = answer["games"]
            self.done += 1
            self.tell(f"round {number}: {kind}")

        run_every(self.pool, [partial(job_of, place) for place in left], finished)
        return [game for chunk in chunks if chunk is not None for game in chunk]

    def fitted(self, number: int, known: Positions, games: int) -> Patterns:
        """The weights of a round: those of its file, if it is of the same plan."""
        path = self.out / f"round{number}.weights"
        about = {
            "command": "sylve train othello",
            "plan": self.plan.content(),
            "round": number,
            "games": games,
            "positions": len(known),
        }
        try:
            kept = read_weights(path)
            if identity(kept.about) == identity(about):
                return kept
        except (FileNotFoundError, InvalidWeights):
            pass
        write_weights(path, fit(self.plan, known, about))
        return read_weights(path)

    def tell(self, what: str) -> None:
        """How far the run is."""
        self.progress(self.done, self.total, what)
