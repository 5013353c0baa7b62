"""Run what is left of a run: give out games, keep results, stop when asked.

This process alone writes the store. Each turn of the loop is one transaction: the games that have
ended, and the leases of those that begin. Only then are the former acknowledged and the latter
given out.
"""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import sleep
from types import FrameType
from typing import Literal, NamedTuple

from sylve.arena.config import Config
from sylve.arena.connection import DiskTrouble
from sylve.arena.game import GameResult, Reason, play, replay
from sylve.arena.schedule import Slot, job
from sylve.arena.standings import Standings
from sylve.arena.store import Played, Store
from sylve.arena.verify import check_sample
from sylve.workers.jobs import call
from sylve.workers.pool import Event, Kind, Pool, WorkersFail

Ending = Literal["complete", "decided", "interrupted"]
ATTEMPTS = 5  # times that one run tries a game before it is void
TURN = 0.25  # seconds
RETRIES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds between attempts to write to a disk that is full


class Interrupts:
    """How often Ctrl-C was pressed: 1: finish the games in progress; 2: stop now."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.count = 0
        self.tell = tell

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """A signal has come. SIGTERM leaves no time for games in progress."""
        del frame
        self.count += 2 if number == signal.SIGTERM else 1
        if self.count == 1:
            self.tell("finishing the games in progress; Ctrl-C again stops now")


@contextmanager
def interrupts(tell: Callable[[str], None]) -> Iterator[Interrupts]:
    """Take Ctrl-C and SIGTERM for the time of a run."""
    handler = Interrupts(tell)
    before = [(s, signal.signal(s, handler)) for s in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield handler
    finally:
        for number, old in before:
            signal.signal(number, old)


@dataclass
class Hooks:
    """Who wants to know: called after the commit."""

    kept: Callable[[Played, Standings], None] = lambda *_: None
    tell: Callable[[str], None] = lambda *_: None


class Verdict(NamedTuple):
    """A job that has ended, looked at once: what follows may be tried again."""

    lease: int
    slot: Slot
    record: GameResult | None
    """None: the game must be played again."""
    problem: str
    """The outcome of the attempt, if there is no record."""


class Run:
    """One run, from what its store holds to its end."""

    def __init__(self, store: Store, pool: Pool, hooks: Hooks | None = None) -> None:
        problems = check_sample(store)
        if problems:
            raise store.damaged(problems[0])
        self.store = store
        self.pool = pool
        self.hooks = hooks or Hooks()
        self.config: Config = store.config
        self.standings = Standings.of(self.config, store.played())
        self.left: deque[Slot] = deque(store.slots(left=True))
        self.running: dict[int, Slot] = {}
        self.failures: Counter[int] = Counter()
        self.decided = store.decision() is not None
        self.trouble: DiskTrouble | None = None
        """Why no more games are begun."""

    def go(self) -> Ending:
        """Play until nothing is left, a test has decided, or somebody stops it."""
        with interrupts(self.hooks.tell) as stop:
            try:
                while True:
                    if stop.count > 1:
                        break
                    begin = [] if stop.count or self.decided else self.next_games()
                    if not begin and not self.running:
                        break
                    try:
                        ended = self.pool.poll(TURN if self.running else 0)
                    except KeyboardInterrupt:  # of a person who was asked for a move
                        stop.count = 2
                        break
                    for event in ended:
                        if event.kind is Kind.UNABLE:  # so are the games that would follow
                            raise WorkersFail(event.detail)
                    self.turn(ended, begin)
            finally:
                self.pool.close(now=stop.count > 1 or bool(self.running))
        if self.trouble is not None:
            raise self.trouble
        if self.decided:
            return "decided"
        return "interrupted" if stop.count else "complete"

    def next_games(self) -> list[Slot]:
        """As many games as there are free workers."""
        count = min(self.pool.free, len(self.left))
        try:
            if count and self.trouble is None:
                self.store.check_space()
        except DiskTrouble as trouble:
            self.trouble = trouble
        if self.trouble is not None:
            return []
        return [self.left.popleft() for _ in range(count)]

    def turn(self, events: list[Event], begin: list[Slot]) -> None:
        """One transaction, then its consequences."""
        if not events and not begin:
            return
        judged = [self.judge(event) for event in events]
        for pause in (*RETRIES, None):
            try:
                with self.store.transaction():
                    kept = [game for verdict in judged for game in self.finish(verdict)]
                    leases = [(self.store.lease(slot, "worker"), slot) for slot in begin]
                break
            except DiskTrouble as trouble:
                if pause is None:
                    raise
                self.hooks.tell(f"cannot write: {trouble}; trying again in {pause:g} s")
                sleep(pause)
        for verdict in judged:
            self.settle(verdict)
        for game in kept:
            self.standings.add(game)
            self.hooks.kept(game, self.standings)
        self.decide()
        for lease, slot in leases:
            self.running[lease] = slot
            self.pool.submit(lease, call(play, job(self.config, slot)))

    def judge(self, event: Event) -> Verdict:
        """What is to be done with what has ended. Changes nothing."""
        slot = self.running[event.lease]
        try:
            record, problem = self.checked(slot, event)
        except ValueError as error:
            record, problem = None, f"refused: {error}"
        if record is None and self.failures[slot.number] + 1 >= ATTEMPTS:
            why = f"{ATTEMPTS} attempts failed: {event.detail or problem}"
            detail = why[:394]  # 400 letters in the store, with "void: "
            record = GameResult(slot.id, (), "*", Reason.VOID, (0.0, 0.0), detail=detail)
        return Verdict(event.lease, slot, record, problem[:400])

    def checked(self, slot: Slot, event: Event) -> tuple[GameResult | None, str]:
        """The record that an event brings, or why it is none; what strangers send is replayed."""
        if event.kind is not Kind.DONE:
            return None, f"lost: {event.detail}"
        record, problem = GameResult.of_dict(event.answer), None
        if record.id != slot.id:
            problem = "another game was played"
        elif not self.pool.trusted and record.result != "*":
            config = self.config
            problem = replay(config.game, slot.opening, record, config.max_plies, config.adjudicate)
        return (record, "") if problem is None else (None, f"refused: {problem}")

    def finish(self, verdict: Verdict) -> Iterator[Played]:
        """Write what has ended; the game, if it counts. Changes nothing but the store."""
        if verdict.record is None:
            self.store.end(verdict.lease, verdict.problem)
        elif self.store.finish(verdict.lease, verdict.record):
            yield Played(verdict.slot, verdict.record, self.decided)

    def settle(self, verdict: Verdict) -> None:
        """After the commit: forget the game, or play it again."""
        del self.running[verdict.lease]
        if verdict.record is None:
            self.failures[verdict.slot.number] += 1
            self.left.appendleft(verdict.slot)

    def decide(self) -> None:
        """End a sequential test as soon as the whole pairs from the first on allow it."""
        if self.config.sprt is None or self.decided:
            return
        pairs, counts = self.standings.prefix()
        ratio = self.config.sprt.ratio(counts)
        verdict = self.config.sprt.verdict(ratio)
        if verdict is not None:
            with self.store.transaction():
                self.store.decide(verdict, pairs, ratio)
            self.decided = True
