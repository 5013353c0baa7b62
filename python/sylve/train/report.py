"""What a training came to: page.md, curves.csv, and curves.svg where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sylve.csv_text import csv_parts
from sylve.files import write_whole
from sylve.lab.style import draw, line, panels
from sylve.optional import missing
from sylve.train.check import Error
from sylve.train.plan import Plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("round", "ply", "positions", "learned", "positional")
FIGURE = "curves.svg"


@dataclass(frozen=True)
class Round:
    """What a round came to."""

    number: int
    """The first is 1."""
    games: int
    """To learn from, of this round and those before, each once."""
    positions: int
    held: int
    """Positions of games that were held out, without those that were learnt from."""
    errors: list[Error]
    """By ply."""
    won: float
    """Percent of the points against `positional`."""
    noise: float
    """One standard error of it."""


def write_report(folder: Path, plan: Plan, rounds: list[Round]) -> None:
    """Write all files, each whole or not at all."""
    drawn = not missing("matplotlib", "the figure")
    page = "\n".join(lines(plan, rounds, drawn=drawn))
    write_whole(folder / "curves.csv", b"".join(csv_parts(COLUMNS, rows(rounds), "\n")))
    if drawn:
        write_whole(folder / FIGURE, draw(lambda: figure(rounds))["svg"])
    write_whole(folder / "page.md", f"{page}\n".encode())


def rows(rounds: list[Round]) -> Iterator[dict[str, Any]]:
    """The errors of all rounds."""
    for one in rounds:
        for error in one.errors:
            values = (one.number, error.ply, error.positions, error.learned, error.positional)
            yield dict(zip(COLUMNS, values, strict=True))


def lines(plan: Plan, rounds: list[Round], *, drawn: bool) -> Iterator[str]:
    """The page, in Markdown."""
    yield f"# Training Othello on {plan.size} x {plan.size}\n"
    yield f"`sylve train othello`, seed {plan.seed}, {plan.games:,} games in each round.\n"
    yield "| round | games | positions | against `positional` |"
    yield "| --: | --: | --: | --: |"
    for one in rounds:
        score = f"{one.won} % ± {one.noise}"
        yield f"| {one.number} | {one.games:,} | {one.positions:,} | {score} |"
    yield (
        f"\n{2 * plan.pairs} games at depth {plan.match_depth} after each round, both colours of"
        f" {plan.pairs} openings of {plan.match_opening} random moves; ± one standard error by"
        " pairs.\n"
    )
    last = rounds[-1]
    yield (
        f"How far the evaluations are from the result, in discs (root of the mean square), over"
        f" {last.held:,} positions of games that were held out:\n"
    )
    yield "| ply | positions | `learned` | `positional` |"
    yield "| --: | --: | --: | --: |"
    for error in last.errors:
        yield f"| {error.ply} | {error.positions:,} | {error.learned} | {error.positional} |"
    if drawn:
        yield f"\n![Errors by ply, and strength after each round]({FIGURE})"


def figure(rounds: list[Round]) -> Figure:
    """Errors by ply, and strength after each round."""
    drawing, (errors, strength) = panels(1, 2)
    for number, one in enumerate(rounds):
        plies = [error.ply for error in one.errors]
        line(errors, number, plies, [e.learned for e in one.errors], f"round {one.number}")
    last = rounds[-1].errors
    plies, other = [error.ply for error in last], [error.positional for error in last]
    line(errors, len(rounds), plies, other, "positional")
    errors.set_title("Error on held-out games")
    errors.set_xlabel("discs put")
    errors.set_ylabel("discs")
    errors.legend()
    numbers, won = [one.number for one in rounds], [one.won for one in rounds]
    low, high = ([one.won + way * one.noise for one in rounds] for way in (-1, 1))
    line(strength, 0, numbers, won, low=low, high=high)
    strength.set_title("Points against positional")
    strength.set_xlabel("round")
    strength.set_ylabel("%")
    strength.set_xticks(numbers)
    return drawing
