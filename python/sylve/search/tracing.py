"""`trace`: one simulation of a search, watched. `Tracer`: several, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sylve.engine import Engine, choose, is_compiled
from sylve.errors import shown
from sylve.game import AnyGame
from sylve.position import Position, as_position
from sylve.screen import plural
from sylve.search.reference.searches import Flat, Search, TreeSearch
from sylve.search.reports.trace import Trace
from sylve.search.running.runner import Progress
from sylve.search.running.searcher import Searcher
from sylve.search.text import SEARCHES, as_search, own_part

if TYPE_CHECKING:
    from sylve.search.running.in_python import Reference


def trace(
    position: Position | str | AnyGame,
    how: Search | str,
    *,
    simulation: int = 1,
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> Trace:
    """Simulation number `simulation` of a search, as a value.

    The engine runs the simulations before it; then the reference reads the engine's tree and runs
    this one, step by step. Both count alike, so that afterwards the tallies are those of a search
    of so many playouts. Limits of time and of certainty are not looked at.

    >>> from sylve import Position, Uct, trace
    >>> simulation = trace(Position.start("tic_tac_toe"), Uct(1000, seed=1), simulation=25)
    >>> [node.chosen_name for node in simulation.descent]
    ['a2', 'a3']
    """
    return Tracer(position, how, engine=engine).trace(simulation, progress=progress)


class Tracer:
    """The simulations of one search, in any order. The one after the last is a single step."""

    def __init__(
        self, position: Position | str | AnyGame, how: Search | str, *, engine: Engine = "auto"
    ) -> None:
        search = as_search(how)
        if not isinstance(search, Search):
            raise ValueError(
                f"{search.name()} makes no simulations, so that there is none to trace: expected"
                f" one of: {', '.join(SEARCHES)}"
            )
        self.position, self.how, self.engine = as_position(position), search, engine
        self.reference: Reference | None = None

    def trace(self, simulation: int, progress: Progress | None = None) -> Trace:
        """The simulation with this number; 1 is the first."""
        check_simulation(self.position, self.how, simulation)
        from sylve.search.running.watching import watch

        reference, self.reference = self.reference, None
        alone = not isinstance(self.how, TreeSearch) or self.how.waiting == 1  # no batches
        if alone and reference is not None and reference.simulations == simulation - 1:
            check_goes_on(reference, self.how, simulation)
        else:
            reference = run_until(self.position, self.how, simulation, self.engine, progress)
        watched = watch(reference)
        self.reference = reference
        return watched


def check_simulation(position: Position, how: Search, simulation: int) -> None:
    """Refuse a simulation that the search never makes."""
    if not isinstance(simulation, int) or isinstance(simulation, bool) or simulation < 1:
        raise ValueError(
            f"simulation must be a whole number of at least 1, not {shown(simulation)}"
        )
    if position.outcome is not None:
        raise ValueError(f"the game is over: there is nothing to search in {shown(position)}")
    if len(position.moves) == 1:
        raise ValueError(
            f"{position.names[0]} is the only legal move: a search makes no simulation there"
        )
    last = how.playouts
    if last is not None and isinstance(how, Flat) and how.remainder == "drop":
        last -= last % len(position.moves)
    if last is not None and simulation > last:
        raise ValueError(f"simulation {simulation} is beyond the last, {last}, of {how}")


def run_until(
    position: Position, how: Search, simulation: int, engine: Engine, progress: Progress | None
) -> Reference:
    """A search in Python whose next simulation is the one asked for."""
    from sylve.search.running.watching import in_python

    batch = how.waiting if isinstance(how, TreeSearch) else 1
    before = (simulation - 1) // batch * batch
    chosen: Engine = "rust" if in_rust(position, how, engine) else "python"
    searcher = Searcher(position, how, engine=chosen)
    if before:
        searcher.run(before, progress=progress)
    reference = in_python(position, how, searcher._runner)
    check_goes_on(reference, how, simulation)
    # Descents of the same batch; what Flat drops of a run that does not divide evenly.
    for _ in range(simulation - 1 - reference.simulations):
        reference.step(batch)
    return reference


def in_rust(position: Position, how: Search, engine: Engine) -> bool:
    """Whether the compiled engine runs the simulations before."""
    by_solver = how.asks_solver if isinstance(how, TreeSearch) else ""
    if engine == "rust" and by_solver:
        raise ValueError(
            f'{by_solver}: what the solver remembers is not in the tree: use engine="python"'
        )
    if engine == "auto":
        return is_compiled(position) and own_part(how) is None and not by_solver
    return choose(engine) == "rust"


def check_goes_on(reference: Reference, how: Search, simulation: int) -> None:
    """Refuse a simulation after the end of the search."""
    done = plural(reference.simulations, "simulation")
    if reference.proven:
        raise ValueError(
            f"there is no simulation {simulation}: the result is proven after {done}, and the"
            " search ends"
        )
    if how.nodes is not None and reference.nodes >= how.nodes:
        raise ValueError(
            f"there is no simulation {simulation}: the tree has {plural(how.nodes, 'node')} after"
            f" {done} or fewer, and the search ends"
        )
