"""`sylve tsp`: Monte Carlo searches for short tours, beside what people use instead."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from sylve.cli import completion
from sylve.cli.analyze import SeedOption
from sylve.cli.output import Json, print_json, print_prose, print_table
from sylve.cli.progress import progress
from sylve.screen import Table, plural
from sylve.tsp import METHODS, Tsp, exact, find_tour, nearest_neighbour, read_tsplib, two_opt
from sylve.tsp.heuristics import EXACT_CITIES
from sylve.tsp.instance import MOST_CITIES
from sylve.tsp.search import check_search

NEAREST, TWO_OPT, EXACT = "nearest neighbour", "2-opt", "exact"


class Tried(NamedTuple):
    """What a method found; the exact optimum is a length without a tour."""

    method: str
    length: float
    tour: tuple[int, ...] = ()
    playouts: int = 0


def tsp(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A TSPLIB file (EUC_2D); without it, random cities."),
    ] = None,
    cities: Annotated[
        int,
        typer.Option(
            "--cities", metavar="N", min=4, max=MOST_CITIES, help="Number of random cities."
        ),
    ] = 12,
    instance: Annotated[
        int, typer.Option("--instance", metavar="K", help="Which random cities.")
    ] = 0,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            metavar="NAME",
            help=f"Search, may be repeated: {'; '.join(METHODS)}.",
            show_default="all",
            autocompletion=completion.tour_searches,
        ),
    ] = None,
    playouts: Annotated[
        int, typer.Option("--playouts", metavar="N", help="Playouts for each search.")
    ] = 1000,
    seed: SeedOption = 0,
    json: Json = False,
) -> None:
    """Look for short tours by Monte Carlo search.

    Each search gets the same playouts. The usual heuristics stand beside, and the shortest tour
    where it can be computed.
    """
    here = Tsp.random(cities, instance) if file is None else read_tsplib(file)
    names = method or list(METHODS)
    for name in names:
        check_search(here, name, playouts)
    found = [Tried(EXACT, exact(here))] if here.cities <= EXACT_CITIES else []
    near = nearest_neighbour(here)
    for name, tour in ((NEAREST, near), (TWO_OPT, two_opt(here, near))):
        found.append(Tried(name, here.length(tour), tour))
    for name in progress(names, "tsp"):
        best = find_tour(here, name, playouts, seed=seed or 0)
        found.append(Tried(name, best.length, best.tour, best.playouts))
    if json:
        print_json(
            {
                "name": here.name,
                "cities": here.cities,
                "seed": seed or 0,
                "methods": [{**one._asdict(), "tour": list(one.tour) or None} for one in found],
            }
        )
        return
    show(here, found)


def show(here: Tsp, found: list[Tried]) -> None:
    """The lengths, and the best tour that was found."""
    shortest = min(one.length for one in found)
    rows = [
        (one.method, f"{one.length:.3f}", f"{100 * (one.length / shortest - 1):.1f} %",
         f"{one.playouts:,}" if one.playouts else "")
        for one in found
    ]  # fmt: skip
    title = f"{here.name}: {plural(here.cities, 'city', 'cities')}"
    head = ["method", "length", "above the shortest", "playouts"]
    print_table(Table(head, rows, title=title))
    best = min((one for one in found if one.tour), key=lambda one: one.length)
    print_prose(f"\nbest tour, by {best.method}: {' '.join(map(str, best.tour))}")
