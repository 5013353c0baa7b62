"""The result of a match in words, laid out as fastchess prints it, and as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sylve.arena.schedule import left_out_openings
from sylve.arena.sprt import Sprt
from sylve.arena.statistics import Statistics
from sylve.screen import plural

if TYPE_CHECKING:
    from sylve.arena.standings import Standings

LINE = "-" * 50


def block(standings: Standings, ratio: float | None = None) -> str:
    """The block of a match of two players."""
    config = standings.config
    found = standings.between(0, 1)
    one, two = config.names
    lines = [
        LINE,
        f"Results of {one} vs {two} ({config.game}, {config.openings}, seed {config.seed}):",
        f"Elo: {number(found.elo)} +/- {number(found.elo_error)},"
        f" nElo: {number(found.normalised_elo)} +/- {number(found.normalised_elo_error)}",
        f"LOS: {100 * found.superiority:.2f} %, DrawRatio: {share(found.pairs[2], found.count)},"
        f" PairsRatio: {number(found.pairs_ratio)}",
        f"Games: {found.games}, Wins: {found.wins}, Losses: {found.losses}, Draws: {found.draws},"
        f" Points: {found.score * found.games:.1f} ({100 * found.score:.2f} %)",
        f"Ptnml(0-2): {list(found.pairs)}, WL/DD Ratio: {number(found.split_ratio)}",
    ]
    if config.sprt is not None and ratio is not None:
        lines.append(test_line(config.sprt, ratio))
    low, high = found.interval
    lines.append(f"95 % interval of the score: {100 * low:.2f} .. {100 * high:.2f} %")
    lines += notes(standings, found)
    return "\n".join([*lines, LINE])


def test_line(test: Sprt, ratio: float) -> str:
    """The state of a sequential test."""
    low, high = test.bounds
    return (
        f"LLR: {ratio:.2f} ({low:.2f}, {high:.2f}) [{test.elo0:.2f}, {test.elo1:.2f}]"
        f" {VERDICTS[test.verdict(ratio)]}"
    )


VERDICTS = {"H0": "H0 accepted", "H1": "H1 accepted", None: "undecided"}


def notes(standings: Standings, found: Statistics | None = None) -> list[str]:
    """What else a reader should know; nothing if all is in order."""
    said = []
    if found is not None and found.odd:
        one = found.odd == 1
        said.append(
            f"{plural(found.odd, 'game')} without {'its' if one else 'their'} partner"
            f" {'is' if one else 'are'} not counted above"
        )
    if standings.void:
        said.append(f"void games: {standings.void:,}")
    if standings.duplicate_games:
        said.append(
            f"games that repeat an earlier one move for move: {standings.duplicate_games:,}"
        )
    if left_out := left_out_openings(standings.config):
        said.append(f"random openings left out, as they were decided at once: {left_out:,}")
    if standings.duplicate_openings:
        said.append(f"openings that repeat an earlier one: {standings.duplicate_openings:,}")
    if standings.forfeits:
        (reason, count), *more = standings.forfeits.most_common()
        others = f", and {plural(len(more), 'other reason')}" if more else ""
        total = sum(standings.forfeits.values())
        said.append(f"forfeited games: {total:,} ({plural(count, 'time')} {reason!r}{others})")
    if len(standings.versions) > 1:
        said.append(f"played by different versions: {', '.join(sorted(standings.versions))}")
    if standings.after_decision:
        said.append(f"games played after the decision: {standings.after_decision:,}")
    return [f"Note: {text}." for text in said]


def number(value: float) -> str:
    """Two digits; `inf` and `nan` as they are."""
    return f"{value:.2f}"


def share(part: int, whole: int) -> str:
    """A percentage, or nan."""
    return f"{100 * part / whole:.2f} %" if whole else "nan %"


def to_dict(found: Statistics) -> dict[str, Any]:
    """The same numbers for JSON; what is infinite or unknown is null."""
    return {
        "games": found.games, "wins": found.wins, "draws": found.draws, "losses": found.losses,
        "odd": found.odd, "pentanomial": list(found.pairs),
        "score": found.score, "score_low": found.interval[0], "score_high": found.interval[1],
        "elo": finite(found.elo), "elo_low": finite(found.elo_interval[0]),
        "elo_high": finite(found.elo_interval[1]), "elo_error": finite(found.elo_error),
        "normalised_elo": finite(found.normalised_elo),
        "normalised_elo_error": finite(found.normalised_elo_error),
        "superiority": found.superiority, "pairs_ratio": finite(found.pairs_ratio),
    }  # fmt: skip


def finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None
