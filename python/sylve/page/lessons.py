"""Learn: a search one simulation at a time, forward and back; and alpha-beta position by position.

The compiled engine runs to a simulation; the reference goes on from there, and is watched. Around
the simulation that is shown, the next ones and the last ones are made ready: a step is then a look
into a table. When the lesson goes back, the engine starts again from the nearest state that it has
saved.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any

from sylve.grammar import read_call
from sylve.page import limits
from sylve.page.live import Push, ignore, read_how
from sylve.page.protocol import Learn, Refused
from sylve.page.told import told_trace, told_walk
from sylve.page.turns import Memory, Share, problem
from sylve.position import Position
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search, SequentialHalving, TreeSearch
from sylve.search.running.compiled import Compiled
from sylve.search.running.in_python import Reference
from sylve.search.running.walking import Walk, walk
from sylve.search.running.watching import in_python, watch
from sylve.search.text import LIMIT_NAMES
from sylve.search.tracing import check_simulation, in_rust

MEMORY = 96 * limits.MIB
SAVED_MEMORY = 32 * limits.MIB
READY = 12  # simulations on either side of the one that is shown
KEPT = 120  # of those that were made
SAVED_EVERY = 1000  # simulations
WALK_DEPTH = 3  # of alpha-beta where nobody asks for another


@dataclass(frozen=True)
class Step:
    """What a lesson shows of one simulation or event, and the moves that lead through it."""

    content: dict[str, Any]
    position: Position
    moves: tuple[int, ...]


class Lesson:
    """What both kinds share: one step is shown, and found when the lesson has its turn."""

    def __init__(self, asked: Learn, memory: Memory, push: Push) -> None:
        self.key = lesson_key(asked)
        self.push = push
        self.lock = threading.Lock()
        self.wanted: tuple[int, int] | None = None
        """The number of the message, and of the step that it asks for."""
        self.near = asked.simulation
        self.made: dict[int, Step] = {}
        self.last: int | None = None
        """The last step, if it is known."""
        self.ended = False
        self.share: Share | None = memory.take(MEMORY)

    def ask(self, number: int, simulation: int) -> None:
        """Show a step: at once if it is ready."""
        with self.lock:
            if self.wanted is not None:
                late = {"code": "gone", "message": "another simulation was asked for since"}
                self.push({"do": "error", "id": self.wanted[0], "error": late})
            self.near, self.wanted = simulation, (number, simulation)
            self.answer()

    def answer(self) -> None:
        """Tell what is wanted, if it is there."""
        if self.wanted is None:
            return
        number, simulation = self.wanted
        if self.last is not None:
            simulation = self.near = min(simulation, self.last)
        step = self.made.get(simulation)
        if step is not None:
            self.wanted = None
            self.push({"do": "learn", "id": number, "last": self.last, **step.content})

    def keep(self, simulation: int, step: Step) -> None:
        """Remember a step; forget those that are far away."""
        with self.lock:
            self.made[simulation] = step
            if len(self.made) > KEPT:
                del self.made[max(self.made, key=lambda known: abs(known - self.near))]
            self.answer()

    def scene(self, simulation: int, ply: int) -> Position:
        """The position after so many moves of a step."""
        with self.lock:
            step = self.made.get(simulation)
        if step is None:
            raise Refused("gone", "this simulation is not at hand: ask for it again")
        game, state = step.position.game, step.position.state
        for move in step.moves[:ply]:
            state = game.play(state, move)
        return Position(game, state)

    def failed(self, error: Exception) -> None:
        """It cannot go on."""
        number = self.wanted[0] if self.wanted else None
        self.push({"do": "error", "id": number, "error": problem(error)})
        self.wanted = None

    def end(self) -> None:
        """Nobody wants it any more."""
        self.ended = True
        self.push = ignore
        if self.share is not None:
            self.share.end()

    def slice(self) -> bool:
        """Do a little; whether there is more."""
        raise NotImplementedError


class Simulations(Lesson):
    """A Monte Carlo search."""

    def __init__(self, position: Position, how: Search, asked: Learn, memory: Memory, push: Push):
        if isinstance(how, TreeSearch) and how.waiting > 1:
            raise Refused("input", "batch: one simulation at a time has no batches here")
        if not isinstance(how, SequentialHalving) and not states_limit(asked.how):
            how = replace(how, playouts=limits.LEARN_SIMULATIONS)
        check_simulation(position, how, 1)
        self.position, self.how = position, how
        self.compiled = in_rust(position, how, "auto")
        most = how.playouts or limits.LEARN_SIMULATIONS
        self.most = min(most, limits.LEARN_SIMULATIONS if self.compiled else limits.LEARN_IN_PYTHON)
        super().__init__(asked, memory, push)
        self.saved: dict[int, bytes] = {}
        self.engine = self.new()
        self.reference: Reference | None = None
        """The search in Python that goes on where the engine stands; it may be further."""

    def new(self) -> Compiled | Reference:
        """A search that has not begun."""
        return (Compiled if self.compiled else Reference)(self.position, self.how)

    def slice(self) -> bool:
        """A part of the way to the next simulation that is missing, or that simulation."""
        simulation = self.next()
        if simulation is None or self.ended:
            return False
        reference = self.reference
        if reference is None or reference.simulations != simulation - 1:
            if not self.reach(simulation - 1):
                return True
            reference = self.reference = in_python(self.position, self.how, self.engine)
        if reference.proven or reference.simulations < simulation - 1:
            with self.lock:
                self.last = max(1, reference.simulations)
                self.near = min(self.near, self.last)
                self.answer()
            return True
        trace = watch(reference)
        moves = tuple(choice.chosen for choice in trace.descent if choice.chosen is not None)
        known = (ply.move for ply in trace.playout)
        playout = tuple(move for move in known if move is not None)
        content = {**told_trace(trace), "most": self.most}
        self.keep(simulation, Step(content, self.position, (*moves, *playout)))
        return True

    def next(self) -> int | None:
        """The simulation to be made: the one that is asked for, then its neighbours."""
        with self.lock:
            last = self.most if self.last is None else self.last
            near = min(self.near, last)
            if near not in self.made:
                return near
            behind = range(max(1, near - READY), near)
            ahead = range(near + 1, min(last, near + READY) + 1)
            # Backwards in the order in which a search makes them.
            return next((k for k in (*ahead[:2], *behind, *ahead) if k not in self.made), None)

    def reach(self, simulations: int) -> bool:
        """Bring the engine there, in slices; whether it is, or can go no further."""
        self.reference = None
        if self.engine.simulations > simulations:
            start = max((at for at in self.saved if at <= simulations), default=0)
            self.engine = self.new()
            if start:
                self.engine.load(self.saved[start])
        engine, now = self.engine, self.engine.simulations
        if now == simulations or engine.proven:
            return True
        target = min(simulations, (now // SAVED_EVERY + 1) * SAVED_EVERY)
        engine.run(target - now, limits.SLICE_SECONDS)
        done = engine.simulations
        if done % SAVED_EVERY == 0 and done not in self.saved:
            saved = engine.save()
            if len(saved) + sum(map(len, self.saved.values())) <= SAVED_MEMORY:
                self.saved[done] = saved
        return done == simulations or engine.proven


class Visits(Lesson):
    """Alpha-beta."""

    def __init__(
        self, position: Position, how: AlphaBeta, asked: Learn, memory: Memory, push: Push
    ):
        if position.outcome is not None:
            raise Refused("over", "the game is over")
        super().__init__(asked, memory, push)
        self.position, self.how = position, how
        self.walked: Walk | None = None

    def slice(self) -> bool:
        """The whole walk at first; then what is wanted of it."""
        if self.ended:
            return False
        if self.walked is None:
            depth = self.how.depth or WALK_DEPTH
            most, seconds = limits.WALK_EVENTS, limits.ALPHA_BETA_SECONDS
            self.walked = walk(self.position, self.how, depth, most, seconds)
            self.last = len(self.walked.events)
        with self.lock:
            near = min(self.near, self.last or 1)
        if near in self.made:
            return False
        frames = self.walked.frames(near)
        event = self.walked.events[near - 1]
        moves = tuple(frame.move for frame in frames[1:])
        if event.score is not None and event.move >= 0:
            moves = (*moves, event.move)  # the position that was left is still shown
        self.keep(near, Step(told_walk(self.walked, near, frames), self.position, moves))
        return True


def states_limit(text: str) -> bool:
    """Whether a text says how many playouts there are."""
    call = read_call(text)
    return bool(call.arguments) or bool(LIMIT_NAMES & set(call.keywords))


def lesson_key(asked: Learn) -> tuple[object, ...]:
    """What must be the same for a step of the same lesson."""
    return asked.game, asked.position, asked.moves, asked.how, asked.seed


def make_lesson(position: Position, asked: Learn, memory: Memory, push: Push) -> Lesson:
    """The lesson that a message asks for."""
    how = read_how(asked.how, asked.seed)
    if isinstance(how, AlphaBeta):
        return Visits(position, how, asked, memory, push)
    return Simulations(position, how, asked, memory, push)
