"""One page with everything about a run: no script, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sylve.arena.config import Config
from sylve.arena.plots import length_plot, rating_plot, score_plot
from sylve.arena.show import RATING_COLUMNS, crosses
from sylve.arena.standings import Standings
from sylve.arena.store import Store
from sylve.arena.summary import rating_rows, summary
from sylve.markup import escape

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; display: block; margin: 1rem 0; }
"""


def report_page(store: Store) -> str:
    """The page, as HTML text."""
    config = store.config
    games = list(store.played())
    standings = Standings.of(config, games)
    content, cross = summary(standings), crosses(standings)
    done, total = store.count()
    sections = [
        f"<h1>{escape(title(config))}</h1>",
        f"<p>{done} of {total} games; {escape(config.openings)}; seed {config.seed};"
        f" every opening is played twice with colours swapped, and all errors are by pairs.</p>",
        "<h2>Ratings</h2>",
        table(RATING_COLUMNS, rating_rows(content)),
        rating_plot(rating_bars(content)),
        f"<p>Advantage of the first move: {content['first_move_elo']:+.1f} Elo;"
        f" drawn: {100 * content['draw_rate']:.1f} %. Elo ratings with their mean at 0, after one"
        " virtual game of each player against the average, half won and half lost; intervals by"
        " profile likelihood, without virtual games.</p>",
        "<h2>Cross table</h2>",
        table(cross.head, cross.rows),
    ]
    if len(config.players) == 2:
        whole = standings.by_pair
        sections += ["<h2>Score</h2>", score_plot([whole[pair] for pair in sorted(whole)])]
    sections += [
        "<h2>Games</h2>",
        length_plot([len(game.record.moves) for game in games]),
        table(["ended by", "games"], sorted(standings.reasons.items())),
        *(f"<p>{escape(note)}</p>" for note in content["notes"]),
        "<h2>Settings</h2>",
        table(["setting", "value"], [(k, setting(v)) for k, v in config.to_dict().items()]),
        f"<p>Configuration {config.hash}; played by {escape(', '.join(standings.versions))}.</p>",
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title(config))}</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(sections)
        + "\n</body></html>\n"
    )


def setting(value: object) -> str:
    """A setting as a reader writes it: nothing, a list, a word."""
    if isinstance(value, list | tuple):
        return ", ".join(map(setting, value))
    return "none" if value is None else str(value)


def title(config: Config) -> str:
    """What the run is."""
    if config.format == "match":
        return f"{config.names[0]} against {config.names[1]}: {config.game}"
    return f"{config.format.replace('_', ' ').capitalize()} of {len(config.players)}: {config.game}"


def rating_bars(content: dict[str, Any]) -> list[tuple[str, float, float, float]]:
    """Name, Elo and interval of each player; an interval without an end reaches the edge."""
    numbers = [row[key] for row in content["ratings"] for key in ("elo", "low", "high")]
    known = [number for number in numbers if number is not None]
    rows = []
    for row in content["ratings"]:
        ends = [row["low"], row["high"]]
        if row["stderr"] is None:
            ends = [row["elo"]] * 2  # too few pairs
        low, high = (
            edge if end is None else end
            for end, edge in zip(ends, (min(known), max(known)), strict=True)
        )
        rows.append((row["player"], row["elo"], low, high))
    return rows


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; every cell is text."""
    lines = ["<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"]
    lines += [
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    ]
    return "\n".join([*lines, "</table>"])
