"""The result of a tournament for the eye: ratings, cross table, and what else is to be said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sylve.arena.summary import cross_table, rating_rows, summary
from sylve.markup import escape, html_table
from sylve.screen import Table, printable, visible, width_of, wrapped

if TYPE_CHECKING:
    from sylve.arena.standings import Standings

RATING_COLUMNS = ("player", "Elo", "error", "95 %", "games", "points", "score")


def ratings(content: dict[str, Any]) -> Table:
    """The players, best first."""
    return Table(RATING_COLUMNS, rating_rows(content))


def crosses(standings: Standings) -> Table:
    """For each two players the points of the row's player."""
    order, rows = cross_table(standings)
    names = standings.config.names
    numbers = [str(rank) for rank in range(1, len(order) + 1)]
    shown = [
        (f"{rank} {names[i]}", *row) for rank, i, row in zip(numbers, order, rows, strict=True)
    ]
    return Table(["points against", *numbers], shown)


def words(content: dict[str, Any]) -> list[str]:
    """What the first move is worth, how many draws there were, and notes."""
    error = content["first_move_stderr"]
    first_move = (
        f"Advantage of the first move: {content['first_move_elo']:+.1f} Elo"
        + ("" if error is None else f" +/- {error:.1f}")
        + f"; drawn: {100 * content['draw_rate']:.1f} %"
    )
    return [first_move, *content["notes"]]


def standings_text(standings: Standings) -> str:
    """All of it, as wide as stdout."""
    content = summary(standings)
    prose = "\n".join(words(content))
    closing = wrapped(printable(visible(prose)), width_of())
    return f"{ratings(content)}\n\n{crosses(standings)}\n\n{closing}"


def standings_html(standings: Standings) -> str:
    """All of it, for a notebook."""
    content = summary(standings)
    said = "".join(f"<div>{escape(line)}</div>" for line in words(content))
    return f"<div>{html_table(ratings(content))}{html_table(crosses(standings))}{said}</div>"
