"""`compare_estimates`: how far AMAF is from the truth, move by move (document 000)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from math import sqrt
from time import perf_counter
from typing import Any

from sylve.engine import Engine
from sylve.errors import shown
from sylve.game import AnyGame
from sylve.markup import escape, html_table
from sylve.position import Position, as_position
from sylve.screen import Table, plural
from sylve.search.confidence import FEW, Z95, careful_error, wilson
from sylve.search.reference.searches import Flat, FlatAmaf
from sylve.search.reference.tally import Tally
from sylve.search.reports.report import Counts, PerMove
from sylve.search.reports.show import estimates_table
from sylve.search.running.runner import Progress
from sylve.search.running.searcher import Searcher

OTHER_SEEDS = 1 << 63  # added to the seed, it gives the playouts of AMAF streams of their own


@dataclass(frozen=True)
class Estimate:
    """A mean from 0 to 1 for the side to move, draws counting half; None: no samples."""

    samples: int
    wins: int
    draws: int
    mean: float | None
    stderr: float | None
    """The standard error of the mean, from two samples on."""
    low: float
    high: float
    """The 95 % interval of Wilson; with draws it is wider than it need be."""


@dataclass(frozen=True)
class MoveEstimates:
    """Both estimates of one move, and what lies between them."""

    move: int
    name: str
    direct: Estimate
    """The playouts that begin with the move."""
    amaf: Estimate
    """The playouts that contain the move's code anywhere."""
    bias: float | None
    """B(s, a): the AMAF mean less the direct mean."""
    bias_stderr: float | None
    """Both samples are independent: the squares of their standard errors add."""
    significant: bool | None
    """Whether the bias is beyond 1.96 of its standard errors; None: below ten samples of either."""


@dataclass(frozen=True, repr=False)
class Estimates(PerMove[MoveEstimates]):
    """What `compare_estimates` found. Equal for both engines.

    >>> from sylve import Position, compare_estimates
    >>> estimates = compare_estimates(Position.start("tic_tac_toe"), playouts=200, seed=1)
    >>> estimates.total
    1800
    >>> estimates["b2"].direct.mean, round(estimates["b2"].amaf.mean, 3)
    (0.8025, 0.784)
    """

    position: Position
    playouts: int
    """Of each move; AMAF has as many in all as the moves together."""
    seed: int
    moves: tuple[MoveEstimates, ...]
    """In the order of the position's moves."""
    engine: str = field(compare=False)
    seconds: float = field(compare=False)

    @property
    def total(self) -> int:
        """The playouts that each of the two methods had."""
        return self.playouts * len(self.moves)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text, for JSON. docs/report.md explains each field."""
        return {
            **self.heading,
            "playouts": self.playouts,
            "seed": self.seed,
            "engine": self.engine,
            "seconds": self.seconds,
            "moves": [asdict(entry) for entry in self.moves],
        }

    @property
    def table(self) -> Table:
        """What `print(estimates)` shows."""
        return estimates_table(self)

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        return (
            f"<Estimates of {plural(len(self.moves), 'move')} of {self.position!r},"
            f" {plural(self.playouts, 'playout')} each, seed {self.seed}>"
        )

    def __rich__(self) -> Table:
        return self.table

    def _repr_html_(self) -> str:
        table = self.table
        return (
            f"<div><div>{escape(table.title)}</div>{html_table(table)}"
            f'<div style="font-size:smaller">{escape(table.caption)}</div></div>'
        )


def compare_estimates(
    position: Position | str | AnyGame,
    playouts: int = 100,
    *,
    seed: int = 0,
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> Estimates:
    """Estimate every move twice, directly and by AMAF, and measure the bias of AMAF.

    Document 000's comparison. Directly: `playouts` playouts after each move. AMAF: as many playouts
    in all, from the position itself, of which a move counts those that contain its code. The two
    have streams of random numbers of their own. The true value of both is that of random play.

    Of twenty moves without bias, one looks significant by chance.

    >>> from sylve import Position, compare_estimates
    >>> position = Position.start("breakthrough(columns=5, rows=5)")
    >>> estimates = compare_estimates(position, playouts=500, seed=1)
    >>> round(estimates["a2-a3"].bias, 3), estimates["a2-a3"].significant
    (-0.025, False)
    """
    position = as_position(position)
    if position.outcome is not None:
        raise ValueError(f"the game is over: there is nothing to compare in {shown(position)}")
    if not isinstance(playouts, int) or isinstance(playouts, bool) or playouts < 1:
        raise ValueError(f"playouts must be a whole number of at least 1, not {playouts!r}")
    started = perf_counter()
    total = playouts * len(position.moves)
    direct = Sampler(position, Flat(total, seed=seed), engine=engine)  # refuses a bad seed
    own = direct.run(progress=progress)
    other_seed = (seed + OTHER_SEEDS) % (1 << 64)
    amaf = Sampler(position, FlatAmaf(total, seed=other_seed), engine=engine)
    other = amaf.run(progress=progress and (lambda done: progress(total + done)))
    entries = [
        compare_move(
            position,
            first.move,
            (first.visits, first.wins, first.draws, 0),
            (second.amaf_visits or 0, second.amaf_wins or 0, second.amaf_draws or 0, 0),
        )
        for first, second in zip(own.moves, other.moves, strict=True)
    ]
    return Estimates(
        position=position,
        playouts=playouts,
        seed=seed,
        moves=tuple(entries),
        engine=direct.engine,
        seconds=perf_counter() - started,
    )


class Sampler(Searcher):
    """A search whose counts are wanted: it simulates where there is only one legal move, too."""

    plays_only_move = False


def compare_move(position: Position, move: int, own: Counts, other: Counts) -> MoveEstimates:
    """The entry of one move, from both counts."""
    direct, amaf = estimate(own), estimate(other)
    bias = error = significant = None
    if direct.mean is not None and amaf.mean is not None:
        bias = amaf.mean - direct.mean
        if direct.stderr is not None and amaf.stderr is not None:
            a = careful_error(direct.stderr, direct.samples)
            b = careful_error(amaf.stderr, amaf.samples)
            error = sqrt(a * a + b * b)
            if min(direct.samples, amaf.samples) >= FEW:
                significant = abs(bias) > Z95 * error
    return MoveEstimates(
        move=move,
        name=position.name(move),
        direct=direct,
        amaf=amaf,
        bias=bias,
        bias_stderr=error,
        significant=significant,
    )


def estimate(counts: Counts) -> Estimate:
    """The estimate that the counts give."""
    tally = Tally(*counts)
    mean = tally.mean() if tally.visits else None
    low, high = (0.0, 1.0) if mean is None else wilson(mean, tally.visits)
    return Estimate(
        samples=tally.visits,
        wins=tally.wins,
        draws=tally.draws,
        mean=mean,
        stderr=tally.stderr(),
        low=low,
        high=high,
    )
