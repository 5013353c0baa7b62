"""`sylve analyze`: search a position and show what was found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sylve.cli import completion
from sylve.cli.live import run_live
from sylve.cli.output import (
    EngineOption,
    GameArgument,
    Json,
    MovesOption,
    PositionOption,
    TopOption,
    print_json,
    print_prose,
    print_table,
    print_text,
    read_position,
)
from sylve.cli.progress import PlayoutBar
from sylve.engine import Engine
from sylve.errors import quote
from sylve.files import check_target, write_whole
from sylve.games import load_game
from sylve.grammar import read_call
from sylve.own import game_text, is_own
from sylve.position import Position, position_text
from sylve.screen import Table, plural
from sylve.search.budget import Budget
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search
from sylve.search.reports.report import Report
from sylve.search.run import search
from sylve.search.running.runner import WAYS
from sylve.search.running.searcher import Searcher
from sylve.search.text import LIMIT_NAMES, SEARCHES, parse_search, states_a_limit

PLAYOUTS = 10_000  # where neither the option nor the text says

SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="Seed; the same seed gives the same result."),
]


def analyze(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = "",
    how: Annotated[
        str | None,
        typer.Option(
            "--how",
            metavar="SEARCH",
            help='A search such as "rave(schedule=bias(0.1))"; see sylve algorithms.',
            show_default="uct",
            autocompletion=completion.searches,
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Run every search and compare the results.")
    ] = False,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", metavar="N", help="Playouts per search.", show_default=str(PLAYOUTS)
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", help="Time limit per search, in seconds."),
    ] = None,
    seed: SeedOption = None,
    engine: EngineOption = "auto",
    threads: Annotated[int, typer.Option("--threads", metavar="N", help="Number of threads.")] = 1,
    parallel: Annotated[
        str,
        typer.Option(
            "--parallel",
            metavar="WAY",
            help=f"How threads share the work: {', '.join(WAYS)}.",
            autocompletion=completion.ways,
        ),
    ] = "root",
    memory: Annotated[
        str | None,
        typer.Option("--memory", metavar="SIZE", help="Memory limit for the tree, such as 256MiB."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the search with its tree to this file."),
    ] = None,
    load: Annotated[
        Path | None,
        typer.Option("--load", metavar="FILE", help="Resume the search saved in this file."),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Update the table in the terminal while searching.")
    ] = False,
    top: TopOption = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Explain the choice of the best move and how certain it is."
        ),
    ] = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg", metavar="FILE", help="Write the board as a heat map to this SVG file."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Search a position and show the statistics of each move."""
    for place in (save, svg):
        if place is not None:
            check_target(place)  # before the search, not after
    if load is not None:
        given = {"--position": position, "--moves": moves or None, "--how": how, "--seed": seed,
                 "--threads": None if threads == 1 else threads, "--memory": memory,
                 "--all": "" if every else None}  # fmt: skip
        for option, said in given.items():
            if said is not None:
                raise ValueError(f"--load {load} and {option} {said} cannot be combined")
        rules = load_game(game)
        searcher = Searcher.load(load, game=rules if is_own(game) else None, engine=engine)
        if searcher.position.game != rules:
            raise ValueError(
                f"--load {load} is a search of {searcher.position.game}, not of {game}"
            )
        show_one(run_on(searcher, playouts, seconds, live, top, save), top, explain, svg, json)
        return
    here = read_position(game, position, moves)
    if every:
        for option, value in (("--how", how), ("--top", top), ("--svg", svg), ("--save", save)):
            if value is not None:
                raise ValueError(f"--all and {option} {value} cannot be combined")
        if live:
            raise ValueError("--all and --live cannot be combined")
        chosen = [read_search(name, playouts, seed, seconds) for name in SEARCHES]
        show_all(here, run_all(here, chosen, engine, threads, parallel, memory), explain, json)
        return
    one = read_search("uct" if how is None else how, playouts, seed, seconds)
    if live or save:
        if not isinstance(one, Search):
            option = "--live" if live else "--save"
            raise ValueError(f"{option} is for Monte Carlo searches, not for {one}")
        ways = {"engine": engine, "threads": threads, "parallel": parallel, "memory": memory}
        searcher = Searcher(here, one, **ways)  # type: ignore[arg-type]
        report = run_on(searcher, None, None, live, top, save)
    else:
        (report,) = run_all(here, [one], engine, threads, parallel, memory)
    show_one(report, top, explain, svg, json)


def run_on(
    searcher: Searcher,
    playouts: int | None,
    seconds: float | None,
    live: bool,
    top: int | None,
    save: Path | None,
) -> Report:
    """Run a search on, by its own limits if none are given, and save it, also if Ctrl-C ends it."""
    budget = searcher.how.budget
    if playouts is not None or seconds is not None:
        budget = Budget(playouts=playouts, seconds=seconds)
    try:
        if live:
            return run_live(searcher, top, budget)
        with PlayoutBar(budget.playouts) as bar:
            before, count = searcher.report().playouts, bar.begin(searcher.how.name())
            return searcher.run(budget, progress=lambda done: count(done - before))
    finally:
        if save is not None:
            searcher.save(save)


def read_search(
    text: str, playouts: int | None, seed: int | None, seconds: float | None = None
) -> Search | AlphaBeta:
    """The search that the text and the options describe; neither may repeat the other."""
    call = read_call(text)
    by_chance = call.name != "alpha_beta"
    for option, number in (("--playouts", playouts), ("--seed", seed)):
        if number is not None and not by_chance:
            raise ValueError(f"alpha_beta has no playouts and does not take {option} {number}")
    given = {*call.keywords, *(["playouts"] if call.arguments else [])}
    changes: dict[str, Any] = {}
    for name, value in (("playouts", playouts), ("seconds", seconds), ("seed", seed)):
        if value is not None and name in given:
            raise ValueError(f"{name} is given twice: --{name} {value} and --how {quote(text)}")
        if value is not None:
            changes[name] = value
    if by_chance and not states_a_limit(call) and changes.keys().isdisjoint(LIMIT_NAMES):
        changes["playouts"] = PLAYOUTS
    return parse_search(call, **changes)


def run_all(
    position: Position,
    searches: list[Search | AlphaBeta],
    engine: Engine,
    threads: int = 1,
    parallel: str = "root",
    memory: str | None = None,
) -> list[Report]:
    """The reports of the searches, one after the other, with a bar."""
    known = [how.playouts for how in searches if isinstance(how, Search)]
    counted = [playouts for playouts in known if playouts is not None]
    with PlayoutBar(sum(counted) if len(counted) == len(searches) else None) as bar:
        return [
            search(
                position,
                how,
                engine=engine,
                threads=threads,
                parallel=parallel,  # type: ignore[arg-type]
                memory=memory,
                progress=bar.begin(how.name()),
            )
            for how in searches
        ]


def show_one(report: Report, top: int | None, explain: bool, svg: Path | None, json: bool) -> None:
    """The report of one search."""
    from sylve.search.reports.show import report_svg, report_table

    if svg is not None:
        write_whole(svg, report_svg(report).encode())
    if json:
        content = report.to_dict()
        if top is not None:
            content["moves"] = [move for move in content["moves"] if move["rank"] <= top]
        print_json(content | ({"explanation": report.explanation} if explain else {}))
        return
    print_text(f"{report.position}\n")
    print_table(report_table(report, top))
    if explain:
        print_prose(f"\n{report.explanation}")


def show_all(position: Position, reports: list[Report], explain: bool, json: bool) -> None:
    """One row for each search."""
    if json:
        print_json(content_of(position, reports, explain))
        return
    print_text(f"{position}\n")
    print_all(reports)
    if explain:
        for report in reports:
            print_prose(f"\n{report.search.name()}: {report.explanation}")


def content_of(position: Position, reports: list[Report], explain: bool) -> dict[str, Any]:
    """The reports of several searches, for JSON."""
    return {
        "game": game_text(position.game),
        "position": position_text(position),
        "searches": [
            report.to_dict()
            | {"agreement": agreement(report, reports)}
            | ({"explanation": report.explanation} if explain else {})
            for report in reports
        ],
    }


def print_all(reports: list[Report]) -> None:
    """The table of several searches of one position."""
    rows: list[tuple[object, ...]] = []
    for report in reports:
        best, *others = report.ranked
        speed = report.playouts / report.seconds if report.seconds > 0 else 0.0
        rows.append(
            (
                report.search.name(),
                best.name,
                best.visits,
                "" if best.mean is None else f"{best.mean:.3f}",
                others[0].name if others else "",
                round(speed),
                f"{agreement(report, reports)} of {len(reports)}",
            )
        )
    head = ["search", "best", "visits", "mean", "second", "playouts/s", "agree"]
    print_table(Table(head, rows))
    first = reports[0]
    assert isinstance(first.search, Search)
    given = first.search.playouts
    limits = plural(given, "playout") if given is not None else str(first.search.budget)
    print_prose(
        f"{limits} each, seed {first.search.seed}, engine {first.engine};"
        " agree: number of searches that choose this move"
    )


def agreement(report: Report, reports: list[Report]) -> int:
    """How many of the searches choose the same move, itself included."""
    return sum(other.best == report.best for other in reports)
