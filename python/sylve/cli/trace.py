"""`sylve trace`: one simulation of a search, watched; several, or key by key."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from sylve.cli import completion
from sylve.cli.analyze import PLAYOUTS, SeedOption, read_search
from sylve.cli.output import (
    EngineOption,
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    heading,
    paint_board,
    print_json,
    print_prose,
    print_table,
    prompt,
    read_position,
    say,
)
from sylve.cli.progress import PlayoutBar
from sylve.errors import quote
from sylve.screen import Table
from sylve.search.reports.trace import Trace
from sylve.search.text import states_a_limit
from sylve.search.tracing import Tracer

MOST = 1000  # simulations in one call
MOVES_OF_A_STEP = 5  # shown of each node, if nobody says, so that a step fits into a window
KEYS = "\nspace: next   b: back   number, Enter: go there   q: quit\n"


def trace(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    how: Annotated[
        str,
        typer.Option(
            "--how",
            metavar="SEARCH",
            help='A search such as "rave(schedule=bias(0.1))"; see sylve algorithms.',
            autocompletion=completion.simulations,
        ),
    ] = "uct",
    simulation: Annotated[
        str,
        typer.Option(
            "--simulation", metavar="K", help="The simulation to show, or a range such as 1..3."
        ),
    ] = "1",
    step: Annotated[
        bool, typer.Option("--step", help="Go on from there key by key, forwards or back.")
    ] = False,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts",
            metavar="N",
            help="Playouts of the search; the last simulation that can be shown.",
            show_default=str(PLAYOUTS),
        ),
    ] = None,
    seed: SeedOption = None,
    engine: EngineOption = "auto",
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            metavar="K",
            min=1,
            help="Show only the best K moves of each node.",
            show_default=f"all; with --step {MOVES_OF_A_STEP}",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show one simulation: every choice, the playout, and what was counted."""
    first, last = read_range(simulation)
    if playouts is None and last > PLAYOUTS and not states_a_limit(how):
        playouts = last
    search = read_search(how, playouts, seed)
    tracer = Tracer(read_position(game, position, moves), search, engine=engine)  # type: ignore[arg-type]
    if step:
        if json:
            raise ValueError("--step and --json cannot be combined")
        if first < last:
            raise ValueError(f"--step begins at one simulation, not at the range {simulation}")
        from sylve.cli.keys import read_keys

        read_keys(lambda: walk(tracer, first, top or MOVES_OF_A_STEP))
        return
    traces = (watch(tracer, number) for number in range(first, last + 1))
    if json:
        print_json({"simulations": [watched.to_dict() for watched in traces]})
        return
    for watched in traces:
        if watched.simulation == first:
            paint_board(tracer.position)
        show(watched, top)


def read_range(text: str) -> tuple[int, int]:
    """The first and the last simulation: `7` or `1..3`."""
    found = re.fullmatch(r"([0-9]{1,15})(?:\.\.([0-9]{1,15}))?", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last:
        raise ValueError(
            "--simulation must be a number of at least 1 or a range such as 1..3, not"
            f" {quote(text)}"
        )
    if last - first >= MOST:
        raise ValueError(f"--simulation {text}: at most {MOST:,} simulations can be shown at once")
    return first, last


def watch(tracer: Tracer, number: int) -> Trace:
    """A simulation, with a bar for those before it."""
    with PlayoutBar(number - 1) as bar:
        return tracer.trace(number, progress=bar.begin(tracer.how.name()))


def show(watched: Trace, top: int | None) -> None:
    """One simulation on stdout."""
    from sylve.search.reports.show_trace import sections, spaced, title

    print_prose(f"\n{title(watched)}")
    for section in sections(watched, top):
        heading(section.heading)
        for part in spaced(section.parts):
            if isinstance(part, Table):
                print_table(part)
            else:
                print_prose(part)


def walk(tracer: Tracer, number: int, top: int) -> None:
    """Show a simulation, then the one that the next key asks for, until it is `q`."""
    from sylve.cli.keys import END, ENTER, ESCAPE, LEFT, RIGHT, read_key, read_number

    first = watch(tracer, number)
    paint_board(tracer.position)
    show(first, top)
    prompt(KEYS)
    while (key := read_key()) not in ("q", END, ESCAPE):
        wanted: int | None = None
        if key in (" ", "n", ENTER, RIGHT):
            wanted = number + 1
        elif key in ("b", LEFT):
            wanted = number - 1
        elif key == "g" or key.isdecimal():
            prompt("go to simulation: ")
            wanted = read_number("" if key == "g" else key, prompt)
            prompt("\n")
        if wanted is None:
            continue
        try:
            watched = watch(tracer, wanted)
        except ValueError as error:
            say("simulation 1 is the first" if wanted == 0 else str(error))
            continue
        number = wanted
        show(watched, top)
        prompt(KEYS)
