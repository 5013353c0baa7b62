"""What an experiment is: a claim, cells that can be run apart, and what their data says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sylve.errors import quote

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Size = Literal["quick", "full"]
Cell = dict[str, Any]
"""The parameters of an independent part: plain JSON."""
Row = Mapping[str, Any]
"""One line of the data: names and plain numbers or words."""
Rows = Sequence[Row]

Answer = Literal["holds", "holds in part", "does not hold", "undecided"]

NAMES = {
    "truth": "how many simulations until the move is right",
    "budget": "whether more simulations give better moves",
    "speed": "simulations per second, from the course's Python to the engine",
    "information": "how many samples AMAF gets, and what they are worth",
    "bias": "the bias of AMAF, move by move",
    "rave-error": "the squared error of RAVE, predicted and measured",
    "beta": "the weight of AMAF along a search",
    "promise": "RAVE whose beta is measured, against betas tuned by hand",
    "regret": "what bandit rules lose, beside the bound",
    "othello": "alpha-beta and its evaluations, against Monte Carlo",
    "parallel": "what a second thread is worth",
    "papers": "published results, played again",
    "bandit": "A/B tests: bandits against a fixed horizon",
    "tsp": "Monte Carlo search for short tours",
    "flat": "flat Monte Carlo beside UCB and UCT",
    "exploration": "how UCB explores: at first, in the end, and with little time",
    "noise": "what false results cost, with AMAF and without",
    "multi-scale": "several weights of AMAF instead of one",
    "stability": "Othello: stability as a fourth term of the evaluation",
    "learning": "self-play: values that states share by AMAF, beside a table",
    "kuhn": "poker: bandits at information sets, and regret instead",
}
"""Every experiment, with what it is about."""

ANY_GAME = ("information", "bias", "rave-error", "beta", "promise", "flat", "exploration",
            "multi-scale")  # fmt: skip
"""Those whose cells need nothing of a game but its rules: it may be another one."""


@dataclass(frozen=True)
class Claim:
    """What is said, and where.

    >>> from sylve.lab import load
    >>> load("regret").claims[0].source
    'document 003, Propriétés théoriques'
    """

    text: str
    source: str


@dataclass(frozen=True)
class Verdict:
    """What the data says of a claim. `reason` gives the numbers.

    >>> from sylve.lab import Verdict
    >>> Verdict("holds", "4 of 4 games").answer
    'holds'
    """

    answer: Answer
    reason: str


@dataclass(frozen=True)
class Table:
    """A table of the page; cells are text or numbers.

    >>> from sylve.lab import Table
    >>> Table("Visits", ["move", "visits"], [["b2", 597], ["a1", 51]]).head
    ['move', 'visits']
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]


@dataclass(frozen=True)
class Experiment:
    """One experiment. Everything after the data is computed from the data alone.

    >>> from sylve.lab import load
    >>> experiment = load("kuhn")
    >>> experiment.title
    'poker: bandits at information sets, and regret instead'
    >>> len(experiment.cells("quick"))
    15
    """

    name: str
    claims: Sequence[Claim]
    method: str
    """Paragraphs of Markdown."""
    cells: Callable[[Size], list[Cell]]
    run_cell: Callable[[Cell, int], list[dict[str, Any]]]
    """The rows of a cell, for the seed of the run; the same in any process."""
    verdicts: Callable[[Rows], list[Verdict]]
    """One for each claim."""
    tables: Callable[[Rows], list[Table]]
    figure: Callable[[Rows], Figure]
    caption: str
    """What the figure shows."""
    version: int = 1
    """Raised when `run_cell` changes: stored cells of another version are not used."""
    exact: bool = True
    """Whether the same seed gives the same data; not where time is measured."""
    serial: bool = False
    """Whether cells must not run beside each other: they measure time."""
    notes: Sequence[str] = field(default=())
    """What a reader should know before believing it."""

    @property
    def title(self) -> str:
        """What it is about."""
        return NAMES[self.name]

    def cells_of(self, size: Size, game: str) -> list[Cell]:
        """The cells of its first game, with another one instead."""
        if self.name not in ANY_GAME:
            raise ValueError(
                f"{self.name} has games of its own: another one may be given to"
                f" {', '.join(ANY_GAME)}"
            )
        cells = self.cells(size)
        return [cell | {"game": game} for cell in cells if cell["game"] == cells[0]["game"]]


@dataclass(frozen=True)
class Result:
    """What a run found.

    >>> from sylve.lab import load, run
    >>> experiment = load("regret")
    >>> result = run(experiment, size="quick", cells=experiment.cells("quick")[:1])
    >>> result.cells, len(result.rows)
    (1, 5)
    """

    experiment: Experiment
    size: str
    seed: int
    cells: int
    resumed: int
    """Cells that were there already."""
    by: tuple[str, ...]
    """The programs that ran the cells."""
    rows: Rows
    folder: Path | None
    game: str | None = None
    """The game, where it was not the experiment's own."""

    @property
    def verdicts(self) -> list[Verdict]:
        """One for each claim."""
        return self.experiment.verdicts(self.rows)


def load(name: str) -> Experiment:
    """The experiment of that name.

    >>> from sylve.lab import load
    >>> load("beta").title
    'the weight of AMAF along a search'
    """
    if name not in NAMES:
        close = get_close_matches(name, NAMES, 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ValueError(
            f"unknown experiment {quote(name)}: {hint}expected one of: {', '.join(NAMES)}"
        )
    module = import_module(f"sylve.lab.experiments.{name.replace('-', '_')}")
    found: Experiment = module.EXPERIMENT
    return found
