"""Works with an end: a move to play, exact values, the review of a game."""

from __future__ import annotations

import re
from dataclasses import replace
from time import monotonic
from typing import Any

from sylve.arena.players import parse_player
from sylve.page import limits
from sylve.page.live import Push, ignore, monte_carlo, read_how, row
from sylve.page.protocol import Move, Refused, Review, Solve
from sylve.page.turns import Memory, Share, problem
from sylve.play import level_text
from sylve.position import Position
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search, SequentialHalving
from sylve.search.reports.report import Report
from sylve.search.run import search
from sylve.search.running.alpha_beta_run import within
from sylve.search.running.searcher import Searcher
from sylve.search.text import limits_besides
from sylve.solve import Solver

LEVEL = re.compile(r"level\(([1-9])\)")
MOVE_MEMORY = 64 * limits.MIB
SOLVER_MEMORY = 64 * limits.MIB
SWEEP_MEMORY = 32 * limits.MIB


class Task:
    """A work that answers a message, under the number that the page gave it."""

    def __init__(self, name: str, number: int, push: Push) -> None:
        self.name, self.number, self.push = name, number, push
        self.ended = False
        self.share: Share | None = None

    def say(self, **content: Any) -> None:
        """A message about it."""
        self.push({"do": self.name, "id": self.number, **content})

    def slice(self) -> bool:
        """Do a little; whether there is more."""
        raise NotImplementedError

    def failed(self, error: Exception) -> None:
        """It ends with an error."""
        self.say(error=problem(error))
        self.end()

    def end(self) -> None:
        """It is over, or nobody wants it any more."""
        self.ended = True
        self.push = ignore
        if self.share is not None:
            self.share.end()


class ChooseMove(Task):
    """A move of a search, by the time or the playouts that it is given."""

    def __init__(
        self, position: Position, asked: Move, number: int, memory: Memory, push: Push
    ) -> None:
        super().__init__("move", number, push)
        if position.outcome is not None:
            raise Refused("over", "the game is over")
        self.position, self.how = position, read_how(asked.how, asked.seed)
        self.seconds, self.until = asked.seconds, 0.0
        self.searcher: Searcher | None = None
        if isinstance(self.how, Search):
            self.budget = limits_besides(asked.how, self.how)
            self.share = memory.take(MOVE_MEMORY)
            self.searcher = Searcher(position, self.how, memory=self.share.size)

    def slice(self) -> bool:
        """Search a little; at the end, say the move."""
        if self.ended:
            return False
        if isinstance(self.how, AlphaBeta):
            most = min(self.seconds, limits.ALPHA_BETA_SECONDS)
            self.tell(search(self.position, within(self.how, most)))
            return False
        assert self.searcher is not None
        now = monotonic()
        self.until = self.until or now + self.seconds
        done = self.searcher.report().playouts
        budget = self.budget
        if isinstance(self.how, SequentialHalving):
            report = self.searcher.run(replace(budget, seconds=self.seconds))
        else:
            left = None if budget.playouts is None else max(1, budget.playouts - done)
            slice_ = max(0.001, min(limits.SLICE_SECONDS, self.until - now))
            report = self.searcher.run(replace(budget, playouts=left, seconds=slice_))
        if report.stopped == "seconds" and monotonic() < self.until:
            return not self.ended
        self.tell(report)
        return False

    def tell(self, report: Report) -> None:
        """The answer."""
        best = report.ranked[0]
        self.say(
            move=report.best,
            name=report.best_name,
            playouts=report.playouts,
            mean=best.mean,
            line=list(report.line_names[:8]),
            seconds=round(report.seconds, 3),
        )
        self.end()

    def end(self) -> None:
        """Stop at once."""
        if self.searcher is not None:
            self.searcher.stop()
        super().end()


class LevelMove(Task):
    """A move of one of the nine levels: it takes a second at most, and so it is one slice."""

    def __init__(self, position: Position, level: int, seed: int, number: int, push: Push) -> None:
        super().__init__("move", number, push)
        if position.outcome is not None:
            raise Refused("over", "the game is over")
        self.position, self.seed = position, seed
        self.player = parse_player(level_text(position.game, level))

    def slice(self) -> bool:
        """Choose."""
        if not self.ended:
            move = self.player.choose(self.position, self.seed, None)
            self.say(move=move, name=self.position.name(move))
            self.end()
        return False


def choose_move(
    position: Position, asked: Move, number: int, memory: Memory, push: Push
) -> ChooseMove | LevelMove:
    """A search or a level. A level is a number: no request names a player of the arena."""
    found = LEVEL.fullmatch(asked.how)
    if found:
        return LevelMove(position, int(found[1]), asked.seed, number, push)
    return ChooseMove(position, asked, number, memory, push)


class FindExact(Task):
    """Exact values of the moves, in slices: a solver remembers what it has found."""

    def __init__(
        self, position: Position, asked: Solve, number: int, memory: Memory, push: Push
    ) -> None:
        super().__init__("solve", number, push)
        self.position, self.seconds, self.until = position, asked.seconds, 0.0
        self.share = memory.take(SOLVER_MEMORY)
        try:
            self.solver = Solver(position.game, most_bytes=self.share.size)
        except BaseException:
            self.share.end()
            raise

    def slice(self) -> bool:
        """Solve a little; tell what is known."""
        if self.ended:
            return False
        self.until = self.until or monotonic() + self.seconds
        found = self.solver.solve(self.position, max(0.02, min(0.3, self.until - monotonic())))
        over = found.complete or monotonic() >= self.until
        self.say(
            value=found.value,
            values=[found.per_move.get(move) for move in self.position.moves],
            done=over,
            complete=found.complete,
        )
        if over:
            self.end()
        return not over


class Sweep(Task):
    """The positions of a game, from the last to the first: exact values begin at the end."""

    def __init__(
        self, position: Position, asked: Review, number: int, memory: Memory, push: Push
    ) -> None:
        super().__init__("review", number, push)
        self.how = monte_carlo(asked.how, asked.seed)
        self.playouts = asked.playouts
        self.positions = [Position(position.game, position.origin)]
        for move in position.played:
            self.positions.append(self.positions[-1].play(move))
        self.left = [ply for ply, here in enumerate(self.positions) if here.outcome is None]
        self.total = len(self.left)
        self.searcher: Searcher | None = None
        self.share = memory.take(SWEEP_MEMORY)

    def slice(self) -> bool:
        """A part of one position; a message when it is done."""
        if self.ended:
            return False
        if not self.left:
            self.say(done=True, total=self.total)
            self.end()
            return False
        ply = self.left[-1]
        if self.searcher is None:
            assert self.share is not None
            self.searcher = Searcher(self.positions[ply], self.how, memory=self.share.size)
        if isinstance(self.how, SequentialHalving):
            report = self.searcher.run(self.playouts)
        else:
            done = self.searcher.report().playouts
            left = max(1, self.playouts - done)
            report = self.searcher.run(left, seconds=limits.SLICE_SECONDS)
        if report.stopped == "seconds" and report.playouts < self.playouts:
            return not self.ended
        self.searcher = None
        self.left.pop()
        self.say(
            ply=ply,
            left=len(self.left),
            total=self.total,
            report=report.to_dict(),
            best=row(report.ranked[0]),
        )
        return not self.ended

    def end(self) -> None:
        """Stop at once."""
        searcher = self.searcher
        if searcher is not None:
            searcher.stop()
        super().end()
