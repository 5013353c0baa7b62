"""`sylve play`: a game in the terminal, against a search, another person, or to watch."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from sylve.cli import completion
from sylve.cli.analyze import SeedOption
from sylve.cli.output import Json, MovesOption, PositionOption, print_json, say
from sylve.files import check_target
from sylve.own import game_text

if TYPE_CHECKING:
    from sylve.game import AnyGame
    from sylve.play.session import Seat
    from sylve.records import Record


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help='A game such as "hex(size=5)"; one of your own is module:Class or file.py:Class.',
            autocompletion=completion.games,
        ),
    ] = None,
    position: PositionOption = None,
    moves: MovesOption = "",
    how: Annotated[
        str | None,
        typer.Option(
            "--how",
            metavar="PLAYER",
            help='Play against this player, such as "uct(1000)"; see sylve match.',
            autocompletion=completion.players,
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            metavar="1-9",
            help="Play against this level: 1 is a beginner, 9 the strongest.",
            show_default="4",
        ),
    ] = None,
    first: Annotated[
        bool | None,
        typer.Option(
            "--first/--second", "--x/--o", help="Whether you are x and first to move, or o."
        ),
    ] = None,
    two: Annotated[bool, typer.Option("--two", help="Two people play.")] = False,
    watch: Annotated[
        tuple[str, str] | None,
        typer.Option("--watch", metavar="PLAYER PLAYER", help="Watch a game of two players."),
    ] = None,
    hints: Annotated[
        str | None,
        typer.Option(
            "--hints",
            metavar="SEARCH",
            help="The search behind hint, explain and analyze.",
            show_default="as level 9",
            autocompletion=completion.searches,
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Keep the game in this file: NAME.json, .sgf, .ggf or .txt.",
            show_default="named after the game and the time",
        ),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option("--continue", metavar="FILE", help="Go on with the game in this file."),
    ] = None,
    seed: SeedOption = None,
    json: Json = False,
) -> None:
    """Play a game in the terminal; the record is kept whatever happens."""
    from sylve.games import load_game
    from sylve.play.start import (
        checked_place,
        converse,
        make_adviser,
        make_seats,
        new_place,
        seats_again,
    )
    from sylve.position import Position
    from sylve.records import Record

    rules = None if game is None else load_game(game)
    chosen = {"how": how, "level": level, "two": two, "watch": watch}
    begun: Record
    seats: tuple[Seat, Seat]
    if again is not None:
        given = {"--position": position, "--moves": moves or None, "--record": record}
        for option, value in given.items():
            if value is not None:
                raise ValueError(f"--continue {again} and {option} {value} cannot be combined")
        begun = load(again, rules)
        if not any(chosen.values()) and first is None:
            seats = seats_again(begun)
        else:
            seats = make_seats(begun.opening.game, first=first is not False, **chosen)  # type: ignore[arg-type]
    else:
        if rules is None:
            raise ValueError("which game? give GAME (see sylve games), or --continue FILE")
        here = (
            Position.start(rules) if position is None else Position.parse(rules, position)
        ).play_line(moves)
        if here.outcome is not None:
            raise ValueError(f"the game is over: {here.state_of_play}")
        begun = Record(Position(rules, here.origin), here.played)
        seats = make_seats(rules, first=first is not False, **chosen)  # type: ignore[arg-type]
    adviser = make_adviser(begun.opening.game, hints)
    if again is not None:
        check_target(again)
        place = again
    else:  # when nothing else can be refused any more
        place = new_place(begun.opening.game) if record is None else checked_place(record)
    on = shlex.join(["sylve", "play", *([game] if game else []), "--continue", str(place)])
    with leaving(on), redirect_stdout(sys.stderr) if json else nullcontext():
        session = converse(begun, seats, adviser, place, seed)
        if not session.over:
            say("continue the game with:", on)
    if json:
        done = session.record
        print_json(
            {
                "game": game_text(done.opening.game),
                "players": list(done.players),
                "moves": list(done.names),
                "result": done.result,
                "record": str(place),
            }
        )


def load(path: Path, rules: AnyGame | None) -> Record:
    """The record of a game that can go on."""
    from sylve.records import load_record, result_of

    record = load_record(path, rules)
    if rules is not None and record.opening.game != rules:
        is_of, asked = game_text(record.opening.game), game_text(rules)
        raise ValueError(f"{path} is a game of {is_of}, not of {asked}")
    result = record.result or result_of(record.final)
    if result:
        raise ValueError(f"the game in {path} is over: {result}")
    return record


@contextmanager
def leaving(command: str) -> Iterator[None]:
    """SIGTERM and a closed terminal leave as Ctrl-C does: in order, with a word on how to go on."""

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        raise SystemExit(128 + number)

    before = [(number, signal.signal(number, end)) for number in ENDING]
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        say("continue the game with:", command)
        raise
    finally:
        for number, old in before:
            signal.signal(number, old)


ENDING = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
