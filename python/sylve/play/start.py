"""`play`: a game in the terminal, from Python; and who plays in it."""

from __future__ import annotations

import dataclasses
import errno
import re
import secrets
import time
from pathlib import Path

from sylve.arena.players import parse_player
from sylve.errors import PlayerFailure, quote, shown
from sylve.files import check_target, data_folder, refuse
from sylve.game import AnyGame
from sylve.grammar import calls_in, read_call
from sylve.own import check_known, game_text
from sylve.play.conversation import Conversation
from sylve.play.levels import LEVELS, USUAL, level_text
from sylve.play.session import PERSON, Seat, Session
from sylve.position import Position, as_position
from sylve.records import Record
from sylve.records.files import form_of
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search
from sylve.search.text import parse_search


def play(
    position: Position | str | AnyGame,
    *,
    how: str | None = None,
    level: int | None = None,
    first: bool = True,
    two: bool = False,
    watch: tuple[str, str] | None = None,
    hints: str | None = None,
    record: str | Path | None = None,
    seed: int | None = None,
) -> Record:
    """Play a game in the terminal, against a search; the record of it, as far as it went.

    `play("othello", level=3)`, or with a position, or a game of your own. `how` is a player of the
    arena instead of a level; `two` people, or `watch` two players. The record is kept in a file
    of its own, or in `record`.

    >>> from tempfile import mkdtemp
    >>> place = Path(mkdtemp(), "game.json")
    >>> game = play("tic_tac_toe", watch=("random", "one_ply"), record=place)
    ... # doctest: +ELLIPSIS
    The game is kept in ...
    >>> game.result in ("x+", "o+", "draw")
    True
    """
    here = as_position(position)
    begun = Record(Position(here.game, here.origin), here.played)
    seats = make_seats(here.game, how=how, level=level, first=first, two=two, watch=watch)
    adviser = make_adviser(here.game, hints)
    place = new_place(here.game) if record is None else checked_place(Path(record))
    return converse(begun, seats, adviser, place, seed).record


def converse(
    begun: Record,
    seats: tuple[Seat, Seat],
    adviser: Search | AlphaBeta,
    place: Path,
    seed: int | None = None,
) -> Session:
    """Play on from a record."""
    seed = secrets.randbits(63) if seed is None else seed
    people = [seat for seat in seats if seat.player is None]
    if len(people) == 1:
        you = dataclasses.replace(people[0], label="you")
        seats = (you, seats[1]) if seats[0].player is None else (seats[0], you)
    session = Session(begun, seats, adviser, place=place, seed=seed)
    try:
        Conversation(session).run()
    except PlayerFailure as failure:
        raise ValueError(f"{failure}; the game is kept in {place}") from None
    finally:
        session.close()
    return session


def make_seats(
    game: AnyGame,
    *,
    how: str | None = None,
    level: int | None = None,
    first: bool = True,
    two: bool = False,
    watch: tuple[str, str] | None = None,
) -> tuple[Seat, Seat]:
    """Who plays: a person against a search unless something else is said."""
    if sum(given is not None for given in (how, level, two or None, watch)) > 1:
        raise ValueError("give one of: a level, a player, two people, two players to watch")
    if watch is not None:
        return seat_of(watch[0], game), seat_of(watch[1], game)
    if two:
        return Seat(PERSON), Seat(PERSON)
    text = level_text(game, USUAL if level is None else level) if how is None else how
    person, other = Seat(PERSON), seat_of(text, game)
    return (person, other) if first else (other, person)


def seat_of(text: str, game: AnyGame) -> Seat:
    """The seat of a player, by its text; `human` is a person."""
    text = text.strip()
    if text == PERSON:
        return Seat(PERSON)
    levels = [level for level in LEVELS if level_text(game, level) == text]
    return Seat(text, parse_player(text), f"level {levels[0]}" if levels else "")


class StartsProgram(ValueError):
    """A text from elsewhere asks for a program to be started."""


def seats_again(record: Record) -> tuple[Seat, Seat]:
    """Who played a record: a name that is no player of the arena is that of a person."""

    def again(name: str) -> Seat:
        try:
            if any(call.name == "gtp" for call in calls_in(read_call(name))):
                raise StartsProgram(
                    f"the record names a program as a player, {quote(name)}: a file starts no"
                    " program; choose the player yourself, with --how"
                )
            check_known(name)  # a name in a file imports nothing
            return seat_of(name, record.opening.game)
        except StartsProgram:
            raise
        except ValueError:
            return Seat(name or PERSON)

    return again(record.players[0]), again(record.players[1])


def make_adviser(game: AnyGame, hints: str | None) -> Search | AlphaBeta:
    """The search behind hints: the strongest level, with the score of every move."""
    if hints is not None:
        return parse_search(hints)
    how = parse_search(level_text(game, LEVELS[-1]))
    return dataclasses.replace(how, multi=True, exact=0) if isinstance(how, AlphaBeta) else how


def checked_place(place: Path) -> Path:
    """A place that somebody chose for a new record: no game is ever written over another."""
    form_of(place)
    kind = check_target(place)
    if kind == "regular":
        raise ValueError(f"{place} exists: continue the game in it, or choose another name")
    if kind != "new":
        refuse(errno.EINVAL, "a game is kept in a file, not in a device or a pipe", place)
    return place


def new_place(game: AnyGame) -> Path:
    """A new file for the record of a game, named after the game and the time."""
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", game_text(game), flags=re.ASCII).strip("-")[:60]
    begin = f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    for number in range(1, 1000):
        place = folder / (f"{begin}.json" if number == 1 else f"{begin}-{number}.json")
        try:
            place.touch(exist_ok=False)
        except FileExistsError:
            continue
        return place
    raise ValueError(f"no new name for a record in {shown(str(folder))}")
