"""The result of a tournament: ratings, cross table, notes; as data, and as rows for a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sylve.arena.block import finite, notes, to_dict
from sylve.arena.schedule import pairings
from sylve.arena.statistics import Statistics

if TYPE_CHECKING:
    from sylve.arena.ratings import Ratings
    from sylve.arena.standings import Standings


def summary(standings: Standings) -> dict[str, Any]:
    """Everything, as plain data."""
    config, names = standings.config, standings.config.names
    ratings = standings.ratings()
    order = ranking(ratings)
    return {
        "game": config.game,
        "format": config.format,
        "seed": config.seed,
        "config_hash": config.hash,
        "games": standings.games,
        "ratings": [
            {
                "rank": rank,
                "player": names[index],
                "elo": finite(ratings.players[index].elo),
                "stderr": finite(ratings.players[index].stderr),
                "low": finite(ratings.players[index].low),
                "high": finite(ratings.players[index].high),
                "games": ratings.players[index].games,
                "points": ratings.players[index].points,
            }
            for rank, index in enumerate(order, 1)
        ],
        "first_move_elo": finite(ratings.first_move),
        "first_move_stderr": finite(ratings.first_move_stderr),
        "draw_rate": ratings.draw_rate,
        "pairings": [
            {"first": names[i], "second": names[j], **to_dict(standings.between(i, j))}
            for i, j in pairings(config)
        ],
        "notes": all_notes(standings, ratings),
    }


def all_notes(standings: Standings, ratings: Ratings) -> list[str]:
    """What else a reader should know."""
    odd = sum((standings.between(i, j).odd for i, j in pairings(standings.config)), 0)
    said = notes(standings, Statistics(odd=odd))
    for name, player in zip(standings.config.names, ratings.players, strict=True):
        if player.games and player.points in (0, player.games):
            result, bound = ("lost", "an upper") if player.points == 0 else ("won", "a lower")
            said.append(f"Note: {name} {result} every game: the rating is {bound} bound.")
    return said


def ranking(ratings: Ratings) -> list[int]:
    """The players, best first; equals in the order of the configuration."""
    return sorted(range(len(ratings.players)), key=lambda index: -ratings.players[index].elo)


def rating_rows(content: dict[str, Any]) -> list[tuple[object, ...]]:
    """For a table: rank, player, Elo, error, interval, games, points, score."""
    return [
        (
            f"{row['rank']} {row['player']}",
            signed(row["elo"]),
            signed(row["stderr"]).lstrip("+"),
            interval(row),
            row["games"],
            f"{row['points']:.1f}",
            f"{100 * row['points'] / row['games']:.1f} %" if row["games"] else "",
        )
        for row in content["ratings"]
    ]


def interval(row: dict[str, Any]) -> str:
    """The 95 % interval of a rating in words; an end that does not exist is infinite."""
    if row["stderr"] is None:
        return "too few pairs"
    low = "-inf" if row["low"] is None else signed(row["low"])
    high = "inf" if row["high"] is None else signed(row["high"])
    return f"{low} .. {high}"


def signed(value: float | None) -> str:
    """Elo with its sign; nothing if unknown."""
    return "" if value is None else f"{value:+.1f}"


def cross_table(standings: Standings) -> tuple[list[int], list[list[str]]]:
    """The players, best first, and for each two the points of the row's player: `12.5/20`."""
    order = ranking(standings.ratings())
    rows = []
    for i in order:
        row = []
        for j in order:
            found = standings.between(i, j) if i != j else Statistics()
            points = found.wins + found.draws / 2
            row.append(f"{points:g}/{found.games}" if found.games else "")
        rows.append(row)
    return order, rows
