"""A live line on stderr for what takes longer than a second: playouts, or values to solve."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from sylve.cli.output import console
from sylve.screen import is_terminal, plural

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

T = TypeVar("T")
PATIENCE = 1.0  # seconds before the bar appears


class PlayoutBar:
    """Counts the playouts of one search or of several, one after the other.

    with PlayoutBar(20_000) as bar:
        search(position, Uct(10_000), progress=bar.begin("uct"))
        search(position, Rave(10_000), progress=bar.begin("rave"))

    Where stderr is no terminal nothing is shown. A search that is told to report its progress also
    answers to Ctrl-C in between.
    """

    def __init__(self, total: int | None) -> None:
        self.total = total
        """None: nobody knows."""
        self.label = ""
        self.before = 0
        """The playouts of the searches that are done."""
        self.done = 0
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.started = perf_counter()
        self.shown = is_terminal(sys.stderr)

    def begin(self, label: str) -> PlayoutBar:
        """The next search; what it returns is called with that search's playouts."""
        self.label = label
        self.before = self.done
        return self

    def __call__(self, playouts: int) -> None:
        """Tell how many playouts the search at hand has done."""
        self.done = self.before + playouts
        spent = perf_counter() - self.started
        if not self.shown or spent < PATIENCE:
            return
        if self.bar is None:
            self.bar = make_bar()
            self.task = self.bar.add_task("", total=self.total, speed="")
            self.bar.start()
        assert self.task is not None
        speed = f"{self.done / spent:,.0f} playouts/s"
        self.bar.update(self.task, description=self.label, completed=self.done, speed=speed)

    def __enter__(self) -> PlayoutBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()


class SolveLine:
    """Says how far a solver is: values found, seconds spent, nodes.

    with SolveLine() as line:
        solve(position, progress=line)
    """

    def __init__(self) -> None:
        self.started = perf_counter()
        self.shown = is_terminal(sys.stderr)
        self.last = 0.0
        self.wrote = False

    def __call__(self, found: int, wanted: int, nodes: int) -> None:
        """Tell the values found, the values wanted, and the nodes when the last was found."""
        counted = f", {plural(nodes, 'node')}" if nodes else ""
        self.show(f"solving: {found} of {wanted} values{counted}")

    def show(self, text: str) -> None:
        """Write the line over the one before, a few times a second."""
        spent = perf_counter() - self.started
        if not self.shown or spent < PATIENCE or spent < self.last + 0.2:
            return
        self.last, self.wrote = spent, True
        sys.stderr.write(f"\r\x1b[K{text}, {spent:.0f} s")
        sys.stderr.flush()

    def share(self, done: float) -> None:
        """Tell the share of the work that is done, from 0 to 1."""
        self.show(f"building: {done:.0%}")

    def __enter__(self) -> SolveLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.wrote:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def make_bar() -> Progress:
    """A bar on stderr that is gone when it is done."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}", markup=False),
        TimeRemainingColumn(),
        console=console(),
        transient=True,
    )


def progress(items: Sequence[T], label: str) -> Iterator[T]:
    """Go through items with a progress bar on stderr, if that is a terminal."""
    if not is_terminal(sys.stderr):
        yield from items
        return
    with make_bar() as bar:
        task = bar.add_task(label, total=len(items), speed="")
        for item in items:
            yield item
            bar.advance(task)
