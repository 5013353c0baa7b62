"""Root parallelisation: independent searches with seeds of their own, their tallies summed.

Here one after the other, in Rust one to a thread (`search/parallel/independent.rs`): the same
numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from math import nan
from time import perf_counter

from sylve.game import Outcome
from sylve.position import Position
from sylve.rng import MASK, hash_words, mix
from sylve.search.reference.searches import Flat, FlatAmaf, Search, SequentialHalving, TreeSearch
from sylve.search.reference.tally import Tally, together
from sylve.search.reports.report import Counts, Found, rank_moves
from sylve.search.running.runner import Runner
from sylve.search.running.search_bytes import Reader, Writer

TURN = 64  # simulations before the next search has its turn


class Summed:
    """Several searches of one position; what they found together."""

    def __init__(
        self,
        position: Position,
        how: Search,
        searches: int,
        make: Callable[[Position, Search], Runner],
    ) -> None:
        check_summable(how)
        self.position = position
        self.how = how
        self.runners = [
            make(position, dataclasses.replace(how, seed=seed_of(how.seed, index)))
            for index in range(searches)
        ]
        self.engine = self.runners[0].engine
        self.in_python = True  # one after the other
        self.paused = False

    def run(self, simulations: int, seconds: float | None = None, *, last: bool = True) -> None:
        """Run so many more simulations, or fewer if the time is up or `pause` is called."""
        deadline = None if seconds is None else perf_counter() + seconds
        left = shares([runner.simulations for runner in self.runners], simulations)
        batch = self.how.waiting if isinstance(self.how, TreeSearch) else 1
        turn = -(-TURN // batch) * batch  # whole batches: where they begin decides what is found
        while any(left) and not self.paused and not self.proven:
            rest = None if deadline is None else deadline - perf_counter()
            if rest is not None and rest <= 0.0:
                break
            # Whose turn it is depends on what was done, not on where the last run was cut off: the
            # first proof ends all of them.
            behind = [index for index in range(len(left)) if left[index]]
            index = min(behind, key=lambda index: self.runners[index].simulations // turn)
            before = self.runners[index].simulations
            self.runners[index].run(min(turn - before % turn, left[index]), rest, last=last)
            left[index] -= self.runners[index].simulations - before
        self.paused = False

    def pause(self) -> None:
        """End the run under way, or else the next one, after the simulation at hand."""
        self.paused = True
        for runner in self.runners:
            runner.pause()

    def stop(self) -> None:
        """The same, and a proof under way is given up: the search ends."""
        self.paused = True
        for runner in self.runners:
            runner.stop()

    def settle(self) -> None:
        """End the batches that were paused: the playouts that were made count."""
        for runner in self.runners:
            runner.settle()

    @property
    def simulations(self) -> int:
        """How many were run."""
        return sum(runner.simulations for runner in self.runners)

    @property
    def nodes(self) -> int:
        """The number of nodes of all trees, the roots included."""
        return sum(runner.nodes for runner in self.runners)

    @property
    def proven(self) -> bool:
        """Whether one of them has proven the position."""
        return any(runner.proven for runner in self.runners)

    def advance(self, position: Position, move: int) -> None:
        """Make `position`, which is the root after `move`, the root of all of them."""
        self.position = position
        for runner in self.runners:
            runner.advance(position, move)

    def look(self, path: tuple[int, ...]) -> Found | None:
        """There are several trees, and none to look into."""
        return None if path else self.found()

    def digest(self) -> int:
        """64 bits for everything that the trees count."""
        return hash_words(runner.digest() for runner in self.runners)

    def save(self) -> bytes:
        """Everything that they need to go on: each as so many bytes."""
        out = Writer()
        for runner in self.runners:
            part = runner.save()
            out.number(len(part))
            out.bytes += part
        return bytes(out.bytes)

    def load(self, saved: bytes) -> None:
        """Read what was saved, into searches that are new, of the same position."""
        reader = Reader(saved)
        for runner in self.runners:
            runner.load(reader.take(reader.number(len(saved))))
        reader.finish()

    def found(self) -> Found:
        """What is known now. Nobody chooses by the sum, so that there is no score."""
        return sum_up(self.position, self.how, [runner.found() for runner in self.runners])


def sum_up(position: Position, how: Search, all_found: Sequence[Found]) -> Found:
    """What several searches of one position have found together."""
    own = add_up([found.own for found in all_found])
    amaf = None
    if all_found[0].amaf is not None:
        amaf = add_up([found.amaf for found in all_found if found.amaf is not None])
    # What one of them has proven is so.
    proofs = [
        next((found.proofs[index] for found in all_found if found.proofs[index]), None)
        for index in range(len(own))
    ]
    order = sorted_moves(position, how, own, amaf, proofs)
    best = position.moves[order[0]]
    # The line of the first search that agrees; else nobody knows the reply.
    lines = [found.line for found in all_found if found.line[0] == best]
    sizes = [found.bytes for found in all_found if found.bytes is not None]
    return Found(
        simulations=sum(found.simulations for found in all_found),
        nodes=sum(found.nodes for found in all_found),
        bytes=sum(sizes) if sizes else None,
        order=order,
        line=lines[0] if lines else [best],
        own=own,
        amaf=amaf,
        parts=[(nan, nan, None)] * len(own),
        means=None,
        proofs=proofs,
        full=any(found.full for found in all_found),
        prior=all_found[0].prior,
        real=how.real,
    )


def sorted_moves(
    position: Position,
    how: Search,
    own: Sequence[Counts],
    amaf: Sequence[Counts] | None,
    proofs: Sequence[Outcome | None],
) -> list[int]:
    """The indices of the root moves, best first."""
    if isinstance(how, TreeSearch):
        return rank_moves(own, proofs, position.turn)
    means = [mean(counts) for counts in own]
    values = [float(counts[0]) for counts in own]
    if isinstance(how, Flat):
        values = means
    elif isinstance(how, FlatAmaf) and amaf is not None:
        values = [mean(counts) for counts in amaf]
    return sorted(range(len(values)), key=lambda i: (-values[i], -means[i], i))


def check_summable(how: Search) -> None:
    """Raise ValueError for a search whose parts do not add up."""
    if isinstance(how, SequentialHalving):
        raise ValueError(
            "parallel=root: the rounds of sequential_halving are one plan, not several"
        )
    if isinstance(how, Flat) and how.gamma != 1.0:
        raise ValueError("parallel=root: flat with gamma weighs by order, and a sum has none")


def seed_of(seed: int, index: int) -> int:
    """The seed of search number `index`.

    Simulation i has the stream mix(mix(seed) + i): the searches count the other way, so that none
    of them has the seed of a simulation.
    """
    return mix((mix(seed) - (index + 1)) & MASK)


def shares(done: Sequence[int], simulations: int) -> list[int]:
    """How many more each search gets: one at a time, whoever has the fewest; the first of equals.

    >>> shares([0, 0, 0], 7), shares([9, 0, 1], 4)
    ([3, 2, 2], [0, 3, 1])
    """
    behind, rest = list(range(len(done))), sum(done) + simulations
    while ahead := [index for index in behind if done[index] > rest // len(behind)]:
        behind.remove(ahead[0])
        rest -= done[ahead[0]]
    even, more = divmod(rest, len(behind))
    given = [0] * len(done)
    for place, index in enumerate(behind):
        given[index] = even + (place < more) - done[index]
    return given


def add_up(columns: Sequence[Sequence[Counts]]) -> list[Counts]:
    """The sum of the counts of each move."""
    return [
        together(Tally(*counts) for counts in of_move).counts
        for of_move in zip(*columns, strict=True)
    ]


def mean(counts: Counts) -> float:
    """The mean; 1/2 where there is none."""
    return Tally(*counts).mean() if counts[0] else 0.5
