"""`sylve signature`: a fingerprint of all games and searches."""

from __future__ import annotations

from sylve.cli.output import EngineOption, Json, print_json, print_text
from sylve.signature import GAMES, SEARCHES
from sylve.signature import signature as compute


def signature(
    engine: EngineOption = "auto",
    json: Json = False,
) -> None:
    """Print a fingerprint of all games and searches.

    It is the same on every machine, and changes when any of them behaves differently.
    """
    numbers = compute(engine)
    if json:
        texts = {name: f"{number:016x}" for name, number in numbers.items()}
        games = {game: texts[game] for game in GAMES}
        searches = {search: texts[search] for search in SEARCHES}
        signed = {"engine": engine, "signature": texts["all"], "games": games, "searches": searches}
        print_json(signed)
        return
    print_text(f"{numbers['all']:016x}")
