"""Searches of a session: in the background, so that the session can listen meanwhile."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator
from time import perf_counter

from sylve.position import Position
from sylve.rng import hash_words
from sylve.search.budget import Budget
from sylve.search.reference.searches import Search
from sylve.search.running.engines import engine_for
from sylve.search.running.searcher import Searcher

SLICE_SECONDS = 0.03  # how long a line of input may wait
LOOK_SECONDS = 1.0  # how often one looks whether the tree is full
LARGEST_TREE = 1 << 30  # bytes; then a search ends, in the compiled engine


def seed_of_ply(seed: int, ply: int) -> int:
    """Each move of a game is searched with a seed of its own."""
    return hash_words([seed, ply])


def searcher_of(position: Position, how: Search, seed: int) -> Searcher:
    """The search of a position in a session with this seed."""
    own = dataclasses.replace(how, seed=seed_of_ply(seed, len(position.played)))
    counts = engine_for(position, own, "auto") == "rust"  # the other engine cannot tell
    return Searcher(position, own, memory=LARGEST_TREE if counts else None)


def in_slices(
    searcher: Searcher,
    budget: Budget,
    wanted: Callable[[], bool] = lambda: False,
    seconds: float = SLICE_SECONDS,
) -> Generator[None, None, None]:
    """Run a search in the background, and yield every few hundredths of a second while it runs.

    It ends by its limits, when its tree is full, when the answer is `wanted`, or when the generator
    is closed.
    """
    run = searcher.start(budget)
    look = perf_counter() + LOOK_SECONDS
    try:
        while not run.wait(seconds):
            yield
            if wanted():
                break
            if perf_counter() >= look:
                if searcher.report().full:
                    break
                look = perf_counter() + LOOK_SECONDS
    finally:
        run.stop()
    run.result()  # raises the error if it failed
