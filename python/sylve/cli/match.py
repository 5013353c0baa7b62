"""`sylve match` and `sylve sprt`: two players, many games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sylve.cli import completion
from sylve.cli.arena import (
    AdjudicateOption,
    ClockOption,
    ExecutorOption,
    GameOption,
    MatchSeedOption,
    NoStoreOption,
    OpeningsOption,
    PliesOption,
    ResignOption,
    StoreOption,
    WorkersOption,
    default_store,
    leave,
    openings_text,
    run,
)
from sylve.cli.output import Json, print_json, print_prose

if TYPE_CHECKING:
    from pathlib import Path

    from sylve.arena.config import Config
    from sylve.arena.standings import Standings

First = Annotated[
    str,
    typer.Argument(
        metavar="A", help='First player, such as "uct(1000)".', autocompletion=completion.players
    ),
]
Second = Annotated[
    str, typer.Argument(metavar="B", help="Second player.", autocompletion=completion.players)
]


def match(
    first: First,
    second: Second,
    game: GameOption,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="Number of games; must be even.")
    ] = 100,
    openings: OpeningsOption = "random(plies=4)",
    workers: WorkersOption = None,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
    seed: MatchSeedOption = 0,
    clock: ClockOption = None,
    resign: ResignOption = 0.0,
    adjudicate: AdjudicateOption = 0,
    max_plies: PliesOption = None,
    executor: ExecutorOption = "local",
    json: Json = False,
) -> None:
    """Play games between two players and report the score."""
    from sylve.arena.config import make_config

    config = make_config(
        game, [(None, first), (None, second)], games, openings=openings_text(openings),
        seed=seed, max_plies=max_plies, resign=resign, clock=clock,
        adjudicate=adjudicate,
    )  # fmt: skip
    play(config, store, no_store, executor, workers, json)


def sprt(
    first: First,
    second: Second,
    game: GameOption,
    elo0: Annotated[
        float, typer.Option("--elo0", metavar="E", help="H0: A is better by E Elo.")
    ] = 0,
    elo1: Annotated[
        float, typer.Option("--elo1", metavar="E", help="H1: A is better by E Elo.")
    ] = 20,
    alpha: Annotated[
        float, typer.Option("--alpha", help="Probability of accepting H1 if H0 is true.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option("--beta", help="Probability of accepting H0 if H1 is true.")
    ] = 0.05,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="Maximum number of games.")
    ] = 20_000,
    openings: OpeningsOption = "random(plies=4)",
    workers: WorkersOption = None,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
    seed: MatchSeedOption = 0,
    clock: ClockOption = None,
    resign: ResignOption = 0.0,
    adjudicate: AdjudicateOption = 0,
    max_plies: PliesOption = None,
    executor: ExecutorOption = "local",
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with code 4 unless H1 is accepted.")
    ] = False,
    json: Json = False,
) -> None:
    """Play until a sequential test (SPRT) decides.

    It decides between two hypotheses about the Elo difference of two players.
    """
    from sylve.arena.config import make_config
    from sylve.arena.sprt import Sprt

    config = make_config(
        game, [(None, first), (None, second)], games, openings=openings_text(openings),
        seed=seed, max_plies=max_plies, resign=resign, clock=clock,
        adjudicate=adjudicate,
        sprt=Sprt(elo0, elo1, alpha, beta),
    )  # fmt: skip
    verdict = play(config, store, no_store, executor, workers, json)
    if exit_code and verdict != "H1":
        raise SystemExit(4)


def play(
    config: Config,
    path: Path | None,
    no_store: bool,
    executor: str,
    workers: int | None,
    json: bool,
) -> str | None:
    """Run it and print the result, also if it was interrupted; the verdict of a test."""
    from sylve.arena.block import block
    from sylve.arena.standings import Standings

    if no_store and path is not None:
        raise ValueError(f"--store {path} and --no-store cannot be combined")
    place = None if no_store else path or default_store(config)
    store, standings, ending = run(config, place, executor, workers)
    decision = store.decision()
    if decision is not None:  # what ran on while the decision was made is kept, not counted
        pairs = decision["pairs"]
        later = standings.after_decision
        games = (game for game in store.played() if game.slot.pair < pairs)
        standings = Standings.of(config, games)
        standings.after_decision = later
    ratio = None
    if config.sprt is not None:
        ratio = config.sprt.ratio(standings.prefix()[1])
    if json:
        print_json(content(standings, ratio) | {"store": None if place is None else str(place)})
    else:
        print_prose(block(standings, ratio))
    leave(store, ending)
    return None if decision is None else str(decision["verdict"])


def content(standings: Standings, ratio: float | None) -> dict[str, Any]:
    """The result as JSON."""
    from sylve.arena.block import notes, to_dict

    config = standings.config
    found = standings.between(0, 1)
    return {
        "game": config.game,
        "players": [{"name": name, "player": text} for name, text in config.players],
        "seed": config.seed,
        "openings": config.openings,
        "config_hash": config.hash,
        **to_dict(found),
        "sprt": None if config.sprt is None or ratio is None else config.sprt.to_dict(ratio),
        "duplicate_games": standings.duplicate_games,
        "duplicate_openings": standings.duplicate_openings,
        "void": standings.void,
        "reasons": dict(sorted(standings.reasons.items())),
        "notes": notes(standings, found),
    }
