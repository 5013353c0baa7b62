"""`Session`: one game between people and players of the arena, without a terminal.

Every change is on the disk before anybody sees it: whatever ends the program, the record is the
game as it was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from sylve.arena.player import Player
from sylve.errors import PlayerFailure, PlayerResigns
from sylve.own import game_text
from sylve.position import Position
from sylve.records import Record, result_of, save_record
from sylve.records.record import MOST_MOVES
from sylve.rng import hash_words
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search
from sylve.search.reports.report import Report
from sylve.search.run import search

PERSON = "human"
"""The name of a person in a record; so is the player of `sylve match`."""


@dataclass(frozen=True)
class Seat:
    """Who plays a side."""

    name: str
    """As the record has it: the text of a player."""
    player: Player | None = None
    """None: a person."""
    label: str = ""
    """What people are shown instead of the name."""

    @property
    def shown(self) -> str:
        """For people."""
        return self.label or self.name


class NothingToUndo(ValueError):
    """No move of a person can be taken back."""


class Session:
    """A game under way. `seats[0]` is the game's first player, whoever moves at the start.

    `record` is the game so far, `place` the file that it is kept in, `adviser` the search behind
    hints. `seed` decides what the players do that have randomness.
    """

    def __init__(
        self,
        record: Record,
        seats: tuple[Seat, Seat],
        adviser: Search | AlphaBeta,
        *,
        place: Path | None = None,
        seed: int = 0,
    ) -> None:
        self.opening = record.opening
        self.seats = seats
        self.adviser = adviser
        self.place = place
        self.seed = seed
        self.positions = list(record.positions)
        self.result = record.result or result_of(self.position)
        self.date = record.date or date.today().isoformat()
        self.about = (record.event, record.comment, record.analysis)
        self.advice: Report | None = None
        self.save()
        for seat in seats:
            if seat.player is not None:
                seat.player.start(game_text(self.opening.game), self.opening)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.positions[-1]

    @property
    def over(self) -> bool:
        """Whether the game has a result."""
        return bool(self.result)

    @property
    def mover(self) -> Seat:
        """Who is to move."""
        return self.seats[self.position.turn]

    @property
    def persons_turn(self) -> bool:
        """Whether a person is to move."""
        return not self.over and self.mover.player is None

    @property
    def last(self) -> str:
        """The name of the last move; nothing before the first."""
        if len(self.positions) == 1:
            return ""
        return self.positions[-2].name(self.position.played[-1])

    @property
    def record(self) -> Record:
        """The game so far."""
        event, comment, analysis = self.about
        return Record(
            self.opening,
            self.position.played,
            players=(self.seats[0].name, self.seats[1].name),
            result=self.result,
            date=self.date,
            event=event,
            comment=comment,
            analysis={ply: found for ply, found in analysis.items() if ply < len(self.positions)},
        )

    def save(self, path: Path | None = None) -> None:
        """Write the record to its place, or to another file; the name says in which form."""
        place = path or self.place
        if place is not None:
            save_record(self.record, place)

    # What changes the game.

    def play(self, move: int) -> None:
        """A move of whoever is to move."""
        self.change(lambda: self.positions.append(self.position.play(move)))

    def reply(self) -> None:
        """The move of a player of the arena. Raises PlayerFailure if it has none."""
        mover = self.mover
        assert mover.player is not None, "a person moves by `play`"
        seed = hash_words((self.seed, len(self.positions)))
        try:
            move = mover.player.choose(self.position, seed, None)
        except PlayerResigns:
            self.resign()
            return
        if move not in self.position.moves:
            raise PlayerFailure(mover.name, f"illegal move {move!r}")
        self.play(move)

    def resign(self) -> None:
        """Whoever is to move gives up."""
        winner = "xo"[self.position.turn.other]
        self.change(lambda: setattr(self, "result", f"{winner}+R"))

    def undo(self) -> int:
        """Back to where a person was to move last; how many moves were taken back."""
        for count in range(1, len(self.positions)):
            before = self.positions[-1 - count]
            if self.seats[before.turn].player is None:
                del self.positions[-count:]
                self.result, self.advice = "", None
                self.save()
                return count
        raise NothingToUndo("there is no move of yours to take back")

    def change(self, act: Callable[[], object]) -> None:
        """Do it, and save it."""
        assert not self.over, "the game has a result"
        act()
        self.advice = None
        if not self.result:
            self.result = result_of(self.position)
        if not self.result and len(self.position.played) >= MOST_MOVES:
            self.result = "void"
        self.save()

    # What people ask.

    def advise(self) -> Report:
        """What the adviser thinks of the position; thought about once."""
        if self.advice is None:
            self.advice = search(self.position, self.adviser)
        return self.advice

    @property
    def ending(self) -> str:
        """The result in words."""
        if not self.result:
            return "not finished"
        if self.result == "draw":
            return "draw"
        if self.result == "void":
            return f"no result: the game has {MOST_MOVES} moves"
        winner, by = self.result[0], self.result[2:]
        loser = "o" if winner == "x" else "x"
        told = f"{winner} ({self.seats['xo'.index(winner)].shown}) won"
        how = {"": "", "R": f": {loser} resigned", "T": f": {loser} ran out of time",
               "F": f": {loser} forfeited"}  # fmt: skip
        if by in how:
            return told + how[by]
        return f"{told} by {by} point{'' if by == '1' else 's'}"

    def close(self) -> None:
        """The players leave."""
        for seat in self.seats:
            if seat.player is not None:
                seat.player.close()
