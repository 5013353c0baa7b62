"""A search under way in either engine: what `Searcher` drives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, get_args

from sylve.errors import quote
from sylve.position import Position
from sylve.search.reports.report import Found

Parallel = Literal["root", "batch", "tree"]
"""How threads share the work; docs/searcher.md says which to use when."""
WAYS: tuple[str, ...] = get_args(Parallel)
MOST_THREADS = 256

Progress = Callable[[int], None]
"""Called now and then with the number of simulations done."""

SLICE_SECONDS = 0.1  # how often progress is told


class Runner(Protocol):
    """A search under way, in either engine."""

    engine: str
    in_python: bool
    """Whether the thread that runs it simulates, in Python: then nobody may look meanwhile."""

    def run(self, simulations: int, seconds: float | None = None, *, last: bool = True) -> None:
        """Run so many more simulations, or fewer if the time is up or `pause` is called.

        A batch that is paused goes on with the next run. `last`: the search ends when the time is
        up, so that a proof under way is given up.
        """

    def pause(self) -> None:
        """End the run under way, or else the next one, after the simulation at hand."""

    def stop(self) -> None:
        """The same, and a proof under way is given up: the search ends."""

    def settle(self) -> None:
        """End a batch that was paused: the playouts that were made count."""

    @property
    def simulations(self) -> int:
        """How many were run."""

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""

    @property
    def proven(self) -> bool:
        """Whether the result with best play is known: there is nothing left to search."""

    def found(self) -> Found:
        """What is known now."""

    def look(self, path: tuple[int, ...]) -> Found | None:
        """What is known of the position after these moves, if it has a node."""

    def digest(self) -> int:
        """64 bits for everything that the tree counts."""

    def advance(self, position: Position, move: int) -> None:
        """Make `position`, which is the root after `move`, the root; keep what is known of it."""

    def save(self) -> bytes:
        """Everything that it needs to go on."""

    def load(self, saved: bytes) -> None:
        """Read what was saved, into a search that is new, of the same position."""


def check_threads(threads: int, parallel: str, name: str = "threads") -> None:
    """Raise ValueError for invalid threads or parallel."""
    whole = isinstance(threads, int) and not isinstance(threads, bool)
    if not whole or not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"{name} must be a whole number from 1 to {MOST_THREADS}, not {threads!r}")
    if parallel not in WAYS:
        raise ValueError(f"parallel must be one of {', '.join(WAYS)}, not {quote(str(parallel))}")
